// Integers beyond 64 bits: all their digits are significant if the encoding includes them.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct WideIntegerTests {
  private func isValid(_ data: Data, _ schema: String) throws -> Bool {
    let version = try SchemaVersion(
      family: "", name: "S", tree: JSONTree(json: Array(schema.utf8)), uri: "")
    let reader = ArchiveReader(keepsPositions: true)
    return try version.validate(reader.read(ByteStorage(copying: Array(data)))).isEmpty
  }

  static let cases: [(schema: String, data: String, fits: Bool)] = [
    (#"{"minimum": -18446744073709551615}"#, "-18446744073709551616", false),
    (#"{"minimum": -18446744073709551616}"#, "-18446744073709551616", true),
    (#"{"exclusiveMaximum": 18446744073709551617}"#, "18446744073709551617", false),
    (#"{"exclusiveMaximum": 18446744073709551617}"#, "18446744073709551616", true),
    (#"{"const": 12345678910111213141516171819}"#, "12345678910111213141516171819", true),
    (#"{"const": 12345678910111213141516171819}"#, "12345678910111213141516171820", false),
    (#"{"enum": [18446744073709551616, null]}"#, "18446744073709551616", true),
    (#"{"multipleOf": 3}"#, "18446744073709551618", true),
    (#"{"multipleOf": 4}"#, "18446744073709551618", false),
    (#"{"uniqueItems": true}"#, "[18446744073709551617, 18446744073709551616]", true),
    (#"{"uniqueItems": true}"#, "[18446744073709551617, 18446744073709551617]", false),
    (#"{"type": "integer"}"#, "18446744073709551616", true),
    (#"{"type": "string"}"#, "18446744073709551616", false),
  ]

  @Test(arguments: cases)
  func allDigitsOfJSONCount(_ schema: String, _ data: String, _ fits: Bool) throws {
    #expect(try isValid(Data(data.utf8), schema) == fits)
  }

  /// A binary property list of one integer of 16 bytes: 2^64 + 5.
  private static let binary: Data = {
    var bytes = Array("bplist00".utf8) + [0x14, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 5]
    bytes += [8] + [0, 0, 0, 0, 0, 0, 1, 1]
    for number in [1, 0, 25] as [UInt8] { bytes += [0, 0, 0, 0, 0, 0, 0, number] }
    return Data(bytes)
  }()

  @Test(arguments: [
    (#"{"minimum": 18446744073709551621}"#, true), (#"{"minimum": 18446744073709551622}"#, false),
    (#"{"const": 18446744073709551621}"#, true), (#"{"const": 5}"#, false),
  ])
  func allBytesOfABinaryIntegerCount(_ schema: String, _ fits: Bool) throws {
    #expect(try isValid(Self.binary, schema) == fits)
  }

  @Test func aTreeKeepsAllDigits() throws {
    let tree = try JSONTree(json: Array("18446744073709551617".utf8))
    #expect(tree == .wide(18_446_744_073_709_551_617))
    var output = OutputBuffer(descriptor: nil)
    try tree.write(to: &output)
    #expect(String(decoding: output.bytes.array, as: UTF8.self) == "18446744073709551617\n")
  }
}
