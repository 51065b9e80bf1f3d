// Inputs for integrity checks: bytes assembled by hand, so that every offset is known without a reader.

import ArchiveBasics
import ArchiveGraph
import Foundation
import KeyedArchives

/// A binary property list of objects as they are encoded; references take one byte, offsets two.
struct HandmadeList {
  let objects: [[UInt8]]
  /// Entries of the offset table that are not the true ones.
  var lies: [Int: Int] = [:]
  var top = 0

  /// Where an object begins.
  func offset(_ index: Int) -> Int { 8 + objects[..<index].reduce(0) { $0 + $1.count } }

  /// Where the offset table begins.
  var table: Int { offset(objects.count) }

  /// Where an object's entry in the offset table stands.
  func entry(_ index: Int) -> Int { table + index * 2 }

  var bytes: [UInt8] {
    var bytes = Array("bplist00".utf8) + objects.flatMap { $0 }
    for index in objects.indices { bytes += Self.bigEndian(lies[index] ?? offset(index), 2) }
    bytes += [0, 0, 0, 0, 0, 0, 2, 1]
    for number in [objects.count, top, table] { bytes += Self.bigEndian(number, 8) }
    return bytes
  }

  static func bigEndian(_ number: Int, _ width: Int) -> [UInt8] {
    (0..<width).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  /// A string of ASCII characters.
  static func text(_ text: String) -> [UInt8] {
    let count = text.utf8.count
    return (count < 15 ? [0x50 | UInt8(count)] : [0x5F, 0x10, UInt8(count)]) + Array(text.utf8)
  }

  /// Data.
  static func data(_ bytes: [UInt8]) -> [UInt8] {
    [0x4F, 0x11] + bigEndian(bytes.count, 2) + bytes
  }

  static func uid(_ number: UInt8) -> [UInt8] { [0x80, number] }
}

/// Inputs in XML, and what a check finds in any input.
enum IntegritySample {
  /// A keyed archive whose root is object 1; `#5` stands for a UID.
  static func archive(
    _ objects: [String], top: String = "<key>$top</key><dict><key>root</key>#1</dict>",
    archiver: String = "<key>$archiver</key><string>NSKeyedArchiver</string>"
  ) -> [UInt8] {
    let list = "<array><string>$null</string>\(objects.joined())</array>"
    return plist(
      "<dict>\(archiver)<key>$version</key><integer>100000</integer>\(top)"
        + "<key>$objects</key>\(list)</dict>")
  }

  /// A property list; `#5` stands for a UID.
  static func plist(_ body: String) -> [UInt8] {
    var text = ""
    var rest = body[...]
    while let mark = rest.firstIndex(of: "#") {
      let digits = rest[rest.index(after: mark)...].prefix { $0.isNumber }
      text += rest[..<mark] + "<dict><key>CF$UID</key><integer>\(digits)</integer></dict>"
      rest = rest[digits.endIndex...]
    }
    return Array("<plist version=\"1.0\">\(text)\(rest)</plist>".utf8)
  }

  static func object(_ record: Int, _ fields: String = "") -> String {
    "<dict><key>$class</key>#\(record)\(fields)</dict>"
  }

  static func record(_ names: String...) -> String {
    let chain = (names + ["NSObject"]).map { "<string>\($0)</string>" }
    return "<dict><key>$classname</key>\(chain[0])<key>$classes</key>"
      + "<array>\(chain.joined())</array></dict>"
  }

  static func findings(
    _ bytes: [UInt8], _ lints: Set<Lint> = Set(Lint.allCases), allowed: Set<String>? = nil
  ) -> [Diagnostic] {
    IntegrityCheck(lints: lints, allowedClasses: allowed).run(ByteStorage(copying: bytes))
  }
}

extension Diagnostic {
  /// The lint of a finding.
  var lint: Lint? { isLint ? Lint(rawValue: rule) : nil }
}
