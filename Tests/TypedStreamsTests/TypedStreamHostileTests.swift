// Malicious or damaged typedstreams: an error with a location, and an amount of work that their size bounds.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveTypedStreams
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct TypedStreamHostileTests {
  private static let names = [
    "foundation", "unknown-class-big-endian", "attributed-string", "cycle",
  ]

  private func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](
      try Data(contentsOf: TestArchives.root.appendingPathComponent("TypedStreams/\(name)")))
  }

  private func read(_ bytes: [UInt8]) throws(ArchiveError) {
    let graph = try ArchiveReader().read(ByteStorage(copying: bytes))
    var output = OutputBuffer(descriptor: nil)
    try JSONWriter.write(graph.root, of: graph, to: &output)
  }

  @Test(arguments: names) func aCutStreamIsAnErrorAtTheCut(_ name: String) throws {
    let whole = try bytes(name)
    for length in 14..<whole.count {
      let error = #expect(throws: ArchiveError.self) { try read(Array(whole.prefix(length))) }
      #expect(error?.code == .truncated, "\(length): \(String(describing: error))")
      #expect((error?.offset ?? -1) <= length)
    }
  }

  @Test(arguments: names) func anyOtherByteIsReadOrRefused(_ name: String) throws {
    let whole = try bytes(name)
    for position in whole.indices {
      for byte in [
        UInt8(0), 1, 0x40, 0x7F, 0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x92, 0xFF,
      ] {
        var damaged = whole
        damaged[position] = byte
        do { try read(damaged) } catch { #expect(!error.message.isEmpty) }
      }
    }
  }

  private static let header: [UInt8] = [4, 11] + Array("streamtyped".utf8) + [0x81, 0xE8, 3]

  private static func types(_ text: String) -> [UInt8] {
    let size = text.utf8.count
    let length = size < 128 ? [UInt8(size)] : [0x81, UInt8(size & 0xFF), UInt8(size >> 8)]
    return [0x84] + length + Array(text.utf8)
  }

  @Test(
    arguments: [
      (types("[2147483647i]") + [1, 2], ArchiveError.Code.truncated, "2147483647"),
      (types("[2147483647@]"), .truncated, "2147483647"),
      (types("[99999999999i]"), .malformed, "too many elements"),
      (types("+") + [0x82, 0xFF, 0xFF, 0xFF, 0x7F], .truncated, "2147483647"),
      (types("@") + [0x92], .dangling, "object 0"), (types("*") + [0x95], .dangling, "C string 3"),
      (types("@") + [0x84, 0x92], .dangling, "class 0"),
      (types("(ab)"), .malformed, "union"), (types("[3i"), .malformed, "lacks its ']'"),
      (types("{x=i"), .malformed, "lacks its '}'"), (types("^v"), .malformed, "unknown type"),
      (types(String(repeating: "{a=", count: 300)), .malformed, "too deep"),
      (types("B") + [2], .malformed, "0 or 1"), (types("i") + [0x84], .malformed, "head byte 0x84"),
      ([0x85], .malformed, "must have types"),
    ] as [([UInt8], ArchiveError.Code, String)])
  func refusesWhatCannotBe(_ body: [UInt8], _ code: ArchiveError.Code, _ message: String) {
    let error = #expect(throws: ArchiveError.self) { try read(Self.header + body) }
    #expect(error?.code == code)
    #expect(error?.message.contains(message) == true, "\(String(describing: error))")
    #expect(error?.offset != nil)
  }

  /// References at the bounds of their type: an error, not an overflow.
  @Test(
    arguments: [Int64.max, .max - 110, .min, .min + 110], ["types", "object", "class", "text"])
  func refusesReferencesBeyondAllTables(_ number: Int64, _ place: String) {
    let reference: [UInt8] = [0x87] + withUnsafeBytes(of: number.littleEndian) { Array($0) }
    let body: [UInt8]
    switch place {
    case "types": body = reference
    case "object": body = Self.types("@") + reference
    case "class": body = Self.types("@") + [0x84] + reference
    default: body = Self.types("*") + reference
    }
    let error = #expect(throws: ArchiveError.self) { try read(Self.header + body) }
    #expect(error?.code == .dangling || error?.code == .malformed)
  }

  /// Values that take no bytes must not take time either.
  @Test func valuesWithoutBytesCostNothing() throws {
    let group = Self.types("[60000{[60000!]}]")
    let again = [UInt8](repeating: 0x92, count: 50_000)
    try read(Self.header + group + again)
  }

  @Test func manyValuesOfFewBytesMeetTheLimit() {
    let group = Self.types("{a=" + String(repeating: "!", count: 30_000) + "}")
    let again = [UInt8](repeating: 0x92, count: 30_000)
    let error = #expect(throws: ArchiveError.self) { try read(Self.header + group + again) }
    #expect(error?.code == .limit)
  }

  /// Objects in objects: deeper than any stack, refused beyond the limit of depth.
  @Test(arguments: [(3_000, true), (100_000, false)])
  func nestsAsDeepAsTheLimit(_ levels: Int, _ isRead: Bool) throws {
    let type: [UInt8] = [0x84, 0x84, 0x84, 1, 0x41, 0, 0x85]
    let inner: [UInt8] = [0x92, 0x84, 0x93]
    var body = Self.types("@") + type
    for _ in 0..<levels { body += inner }
    body += [UInt8](repeating: 0x86, count: levels + 1)
    if isRead {
      try read(Self.header + body)
    } else {
      let error = #expect(throws: ArchiveError.self) { try read(Self.header + body) }
      #expect(error?.code == .limit)
    }
  }

  @Test(arguments: [1, 2, 5]) func namesVersionsThatItDoesNotRead(_ version: UInt8) {
    var bytes = Self.header
    bytes[0] = version
    let error = #expect(throws: ArchiveError.self) { try read(bytes) }
    #expect(error?.code == .unsupported || error?.code == .unrecognized)
  }
}
