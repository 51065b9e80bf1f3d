// Numbers compared and divided by their decimal digits.

import ArchiveBasics
import ArchivePropertyLists
import Foundation
import Testing

@testable import ArchiveSchemas

@Suite struct ExactNumberTests {
  private static func number(_ text: String) throws -> ExactNumber {
    try #require(ExactNumber(JSONTree(json: Array(text.utf8))))
  }

  static let multiples: [(String, String, Bool)] = [
    ("0.3", "0.1", true), ("0.0075", "0.0001", true), ("0.00751", "0.0001", false),
    ("1e308", "0.5", true), ("1e308", "0.123456789", false), ("35", "1.5", false),
    ("4.5", "1.5", true), ("0", "7", true), ("-9", "3", true), ("18446744073709551615", "5", true),
    ("18446744073709551615", "2", false), ("12391239123", "1e-8", true), ("1e-7", "1e-7", true),
    ("1e-8", "1e-7", false), ("9007199254740993", "2", false), ("1e22", "7", false),
    ("19.99", "0.01", true), ("1.1", "0.1", true), ("1e-300", "1e300", false),
  ]

  /// Decimal of Foundation says the same wherever its 38 digits hold the numbers.
  @Test(arguments: multiples)
  func dividesDecimals(_ value: String, _ divisor: String, _ expected: Bool) throws {
    #expect(try Self.number(value).isMultiple(of: Self.number(divisor)) == expected)
    guard let left = Decimal(string: value), let right = Decimal(string: divisor),
      left.magnitude < Decimal(string: "1e20") ?? 0, right > Decimal(string: "1e-20") ?? 0
    else { return }
    var quotient = left / right
    var rounded = Decimal()
    NSDecimalRound(&rounded, &quotient, 0, .plain)
    #expect((rounded * right == left) == expected)
  }

  /// In ascending order.
  static let ordered = [
    "-1e300", "-18446744073709551616.0", "-9007199254740993", "-9007199254740992", "-1.5", "-1",
    "-1e-300", "0", "5e-324", "1e-7", "0.1", "0.3", "1", "1.0000000000000002", "9007199254740992",
    "9007199254740993", "9223372036854775807", "9223372036854775808", "18446744073709551615",
    "1.8446744073709556e19", "1e300",
  ]

  @Test func ordersNumbersThatRealsConfuse() throws {
    let numbers = try Self.ordered.map(Self.number)
    for (left, right) in zip(numbers, numbers.dropFirst()) {
      #expect(left < right)
      #expect(!(right < left))
      #expect(left != right)
    }
  }

  @Test(arguments: [("1.0", "1"), ("100", "1e2"), ("-0.0", "0"), ("0.10", "1e-1")])
  func spellingsOfOneNumberAreEqual(_ left: String, _ right: String) throws {
    #expect(try Self.number(left) == Self.number(right))
  }
}
