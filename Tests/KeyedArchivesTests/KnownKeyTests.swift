// Keys with a meaning of their own are recognized however they are stored.

import ArchiveBasics
import ArchiveGraph
import Testing

@testable import KeyedArchives

@Suite struct KnownKeyTests {
  private static let all = (0..<KnownKey.other.rawValue).compactMap(KnownKey.init(rawValue:))

  private func key(_ bytes: [UInt8], _ form: Text.Form) throws -> KnownKey {
    try bytes.withByteView { bytes in
      let base = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1)
      return KnownKey(Text(base: try #require(base), byteCount: bytes.count, form: form))
    }
  }

  @Test(arguments: Self.all)
  func isRecognizedInEachForm(_ known: KnownKey) throws {
    let units = Array("\(known.name)".utf8)
    #expect(try key(units, .ascii) == known)
    #expect(try key(units, .utf8) == known)
    #expect(try key(units.flatMap { [0, $0] }, .utf16) == known)
    #expect(try key(units + [0x78], .ascii) == .other)
    #expect(try key(units.dropLast(), .ascii) == .other)
    #expect(try key(units.flatMap { [1, $0] }, .utf16) == .other)
  }

  @Test(arguments: ["", "NS.", "ns.keys", "$Class", "NS.keyss", "name"])
  func othersAreOthers(_ text: String) throws {
    #expect(try key(Array(text.utf8), .ascii) == .other)
    #expect(try key(Array(text.utf8), .utf8) == .other)
  }
}
