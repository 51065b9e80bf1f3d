// Names of Swift classes as archives store them, compared with the demangler of Swift's own runtime.

import ArchiveBasics
import ArchiveGraph
import Foundation

@testable import ArchiveEditing
@testable import KeyedArchives

enum FuzzDemangler {
  /// Each line is a name; a line of a rule is tried on it too.
  static func feed(_ storage: ByteStorage) {
    for line in storage.bytes.split(separator: UInt8(ascii: "\n")).prefix(8) {
      check(String(decoding: line, as: UTF8.self))
    }
  }

  private static func check(_ stored: String) {
    let name = ClassName(stored: stored)
    _ = name.module
    if !name.matches(pattern: stored), !stored.contains("*") {
      fatalError("a name is its own pattern")
    }
    if name.components.count != name.plainComponents.count { fatalError("the parts differ") }
    guard let demangled = DemangledName(stored) else { return }
    if demangled.display.utf8.count > DemangledName.longestOutput { fatalError("too long") }
    compareWithRuntime(stored, demangled.display)
    guard let nominal = MangledNominal(stored),
      let again = nominal.renamed(demangled.path.plain)
    else { return }
    guard let copy = DemangledName(again), copy.path.plain == demangled.path.plain else {
      fatalError("\(again) is not the name that it was made of")
    }
  }

  private static func compareWithRuntime(_ stored: String, _ display: String) {
    guard stored.utf8.allSatisfy({ $0 < 0x80 && $0 != 0 }) else { return }
    var bytes = Array(stored.utf8CString)
    let count = UInt(bytes.count - 1)
    guard let text = runtimeDemangle(&bytes, count, nil, nil, 0) else { return }
    defer { free(text) }
    let expected = String(cString: text)
    // The runtime has no short forms of these.
    let sugared = ["Swift.Optional<", "Swift.Array<", "Swift.Dictionary<"]
    if sugared.contains(where: { expected.contains($0) }) { return }
    if expected != display, expected != stored {
      fatalError("\(display), and to Swift \(expected)")
    }
  }
}

/// The demangler that every Swift program carries.
@_silgen_name("swift_demangle")
private func runtimeDemangle(
  _ name: UnsafePointer<CChar>?, _ count: UInt, _ output: UnsafeMutablePointer<CChar>?,
  _ size: UnsafeMutablePointer<UInt>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?
