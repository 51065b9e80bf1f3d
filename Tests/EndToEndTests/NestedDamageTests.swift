// Damage in nested archives: equally severe at any depth, reported with its path and offset in the file, in every
// format.

import Foundation
import TestSupport
import Testing

@Suite struct NestedDamageTests {
  /// How an archive is held.
  enum Holder: String, CaseIterable, Sendable {
    case binary, xml, typedstream
  }

  /// Each way in which a holder is within holders, to a depth of three.
  static let cases = Holder.allCases.flatMap { holder in (1...3).map { (holder, $0) } }

  /// An archive whose second object names a class that is not there.
  private static func damaged() throws -> Data {
    let text = """
      <plist version="1.0"><dict><key>$archiver</key><string>NSKeyedArchiver</string>
      <key>$version</key><integer>100000</integer><key>$top</key><dict><key>root</key>
      <dict><key>CF$UID</key><integer>1</integer></dict></dict><key>$objects</key><array>
      <string>$null</string><dict><key>$class</key><dict><key>CF$UID</key><integer>77</integer>
      </dict></dict></array></dict></plist>
      """
    let bench = try Workbench(["text": text])
    // Foundation writes no UIDs that lead nowhere; what is stored is converted as it is.
    let made = try bench.run("convert", "--to", "binary1", "text", "-o", "archive")
    try #require(made.status == 0, "\(made.errors)")
    return try Data(contentsOf: bench.url("archive"))
  }

  /// A file in which the damage is so many holders deep, the innermost bytes, and the path to them.
  private static func file(_ holder: Holder, _ depth: Int, in bench: Workbench) throws -> Data {
    var data = try damaged()
    for level in 0..<depth {
      let outermost = level == depth - 1
      if outermost, holder == .typedstream {
        let archive = try NSKeyedArchiver.archivedData(
          withRootObject: ["blob": data as NSData] as NSDictionary, requiringSecureCoding: false)
        try bench.write(archive, to: "archive")
        let made = try bench.run("convert", "--to", "typedstream", "archive", "-o", "stream", "-f")
        try #require(made.status == 0, "\(made.errors)")
        data = try Data(contentsOf: bench.url("stream"))
      } else {
        data = try PropertyListSerialization.data(
          fromPropertyList: ["blob": data],
          format: outermost && holder == .xml ? .xml : .binary, options: 0)
      }
    }
    return data
  }

  @Test(arguments: cases)
  func isAnErrorAtAnyDepth(_ holder: Holder, _ depth: Int) throws {
    let bench = try Workbench()
    let file = try Self.file(holder, depth, in: bench)
    try bench.write(file, to: "f")
    let damaged = try Self.damaged()
    let between = String(repeating: "⟨binary property list⟩.blob", count: depth - 1)
    let path = "$.blob\(between)⟨keyed archive⟩"
    // What is spelled in Base64 has no place in the file.
    let start = holder == .xml ? nil : try #require(file.range(of: damaged)).lowerBound
    for command in [["dump"], ["dump", "--format", "json"]] {
      let result = try bench.run(command + ["f"])
      #expect(result.status == 65, "\(command)")
      #expect(result.errors.contains("error: "))
      #expect(result.errors.contains("(at \(path)"), "\(result.errors)")
      #expect(!result.errors.contains("warning: UID"))
    }
    let text = try bench.run("validate", "--format-only", "--lint", "f")
    #expect(text.status == 65)
    #expect(text.errors.contains("[dangling-uid] (at \(path)['$objects']"), "\(text.errors)")
    let units = try bench.validate(["--format-only", "f"])
    let unit = try #require(units.first?.errors?.first { $0.rule == "dangling-uid" })
    #expect(units.first?.verdict == "unreadable")
    #expect(unit.path?.hasPrefix(path) == true)
    if let start {
      let offset = try #require(unit.offset)
      #expect((start..<start + damaged.count).contains(offset))
      #expect(text.errors.contains("f@\(offset): error: "))
      #expect(try bench.run("dump", "f").errors.contains("f@\(offset): error: "))
    } else {
      #expect(unit.offset == nil)
    }
    let log = try bench.run("validate", "--format-only", "--format", "sarif", "f")
    #expect(log.status == 65)
    #expect(log.text.contains("\"level\": \"error\""))
    #expect(log.text.contains("\"fullyQualifiedName\": \"\(path)"), "\(log.text)")
  }

  /// What is stored of a typedstream is a translation: no path names its `$objects`.
  @Test func pathsInTypedStreamsAreThoseThatAreShown() throws {
    let bench = try Workbench()
    try bench.write(try Self.file(.typedstream, 1, in: bench), to: "f")
    let lint = try bench.run("validate", "--format-only", "--lint", "f").errors
    let dump = try bench.run("dump", "f").errors
    let path = try #require(dump.range(of: "(at $.blob"))
    #expect(lint.contains(dump[path.lowerBound...].prefix { $0 != ")" }))
    #expect(!lint.contains("(at $['$objects']"))
  }
}
