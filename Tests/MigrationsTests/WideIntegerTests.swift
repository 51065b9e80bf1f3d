// Integers of over 64 bits: refused with their path if they would become another number.

import ArchiveBasics
import ArchiveGraph
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct WideIntegerTests {
  private static let integer = #""properties": {"a": {"type": "integer"}}, "required": ["a"]"#

  @Test(arguments: [
    "12345678901234567890123", "-12345678901234567890123", "18446744073709551616",
    "-9223372036854775809", "1" + String(repeating: "0", count: 60),
  ])
  func anIntegerOfOver64BitsIsRefused(_ number: String) throws {
    let family = try PairFamily(("json", "codable"), (Self.integer, Self.integer))
    let error = #expect(throws: ArchiveError.self) {
      try family.migrate(Data(#"{"b": [{"c": 1}, [2]], "a": \#(number)}"#.utf8), "v1", "v2")
    }
    #expect(error?.code == .unrepresentable)
    #expect(error?.path?.description == "$.a")
  }

  /// No conversion rounds one, and reading one as a real is said.
  @Test(arguments: ConversionTarget.allCases)
  func aConversionRefusesAnIntegerOfOver64Bits(_ target: ConversionTarget) throws {
    let text = ByteStorage(copying: Array("[1, {\"a\": 123456789012345678901234567890}]".utf8))
    var output = OutputBuffer(descriptor: nil)
    do throws(ArchiveError) {
      _ = try Conversion(to: target).run(text, name: "test", to: &output)
      Issue.record("converted to \(target.rawValue)")
    } catch {
      #expect(error.code == .unrepresentable)
      #expect(error.path?.description == "$[1].a")
    }
  }

  @Test(arguments: [
    ("[18446744073709551617]", 1), ("[18446744073709551616]", 0), ("[1e30, 0.1]", 0), ("[7]", 0),
    ("[1" + String(repeating: "1", count: 60) + "]", 1),
  ])
  func readingOneAsARealWarnsIfThatRoundsIt(_ text: String, _ warnings: Int) throws {
    #expect(try readGraph(Data(text.utf8)).warnings.count == warnings)
  }

  @Test(arguments: ["18446744073709551615", "-9223372036854775808"])
  func anIntegerOf64BitsIsKept(_ number: String) throws {
    let family = try PairFamily(("json", "codable"), (Self.integer, Self.integer))
    let there = try #require(
      try family.migrate(Data(#"{"a": \#(number)}"#.utf8), "v1", "v2"))
    let back = try #require(try family.migrate(there, "v2", "v1"))
    #expect(String(decoding: back, as: UTF8.self).contains(number))
  }
}
