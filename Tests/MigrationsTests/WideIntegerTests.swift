// Integers of over 64 bits: refused with their path, where they would become another number.

import Foundation
import ObjectGraph
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
    #expect(error?.path == "$.a")
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
