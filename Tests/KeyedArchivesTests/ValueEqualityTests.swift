// Which values are equal as values, beside the scalars, whose table ScalarEqualityTests has.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import Foundation
import KeyedArchives
import TestSupport
import Testing

@testable import ArchiveEditing
@testable import ArchiveWriting
@testable import KeyedArchives

@Suite struct ValueEqualityTests {
  struct Pair: Sendable, CustomTestStringConvertible {
    let left: String
    let right: String
    /// Whether they are equal, and whether the first is already the second.
    let (isEqual, isAlready): (Bool, Bool)

    init(_ left: String, _ right: String, _ isEqual: Bool, _ isAlready: Bool? = nil) {
      (self.left, self.right, self.isEqual) = (left, right, isEqual)
      self.isAlready = isAlready ?? isEqual
    }

    var testDescription: String { "\(left) and \(right)" }
  }

  /// A dictionary with a key of any type.
  private static func entries(_ key: String) -> String {
    #"{"$entries": [{"key": \#(key), "value": "x"}]}"#
  }

  static let pairs: [Pair] = [
    Pair("[1, 2]", "[1, 2]", true), Pair("[1, 2]", "[2, 1]", false),
    Pair(#"{"$set": [1, 2]}"#, "[1, 2]", false),
    Pair(#"{"$set": [1, 2]}"#, #"{"$set": [1, 3]}"#, false),
    Pair(#"{"a": 1, "b": [true]}"#, #"{"b": [true], "a": 1}"#, true),
    Pair(#"{"a": 1}"#, #"{"b": 1}"#, false), Pair(#"{"a": 1}"#, #"{"a": 1, "b": 1}"#, false),
    // An edit would change the type.
    Pair("[1]", "[1.0]", true, false), Pair("[1]", "[true]", false),
    Pair(#"[{"$date": "2020-01-01T00:00:00Z"}]"#, #"["2020-01-01T00:00:00Z"]"#, false),
    Pair(#"[{"$data": "YQ=="}]"#, #"["YQ=="]"#, false),
    // Keys that are no texts.
    Pair(entries("1"), entries("1"), true), Pair(entries("1"), entries("2"), false),
    Pair(entries("1"), #"{"1": "x"}"#, false),
    // The same keys under other numbers of objects.
    Pair(
      #"{"$entries": [{"key": "t", "value": "u"}, {"key": {"$date": "2001-01-01T00:00:01Z"}, "value": "x"}]}"#,
      #"{"$entries": [{"key": {"$date": "2001-01-01T00:00:01Z"}, "value": "x"}, {"key": "t", "value": "u"}]}"#,
      true),
    Pair(
      entries(#"{"$date": "2001-01-01T00:00:01Z"}"#),
      entries(#"{"$date": "2001-01-01T00:00:01Z"}"#), true),
    Pair(
      entries(#"{"$date": "2001-01-01T00:00:01Z"}"#),
      entries(#"{"$date": "2001-01-01T00:00:09Z"}"#), false),
  ]

  @Test(arguments: pairs) func valuesAreEqualByWhatTheyMean(_ pair: Pair) throws {
    let graph = ObjectGraph()
    let node = try graph.add(typedJSON: ByteStorage(copying: Array(pair.left.utf8)))
    #expect(try graph.equals(TypedValue(json: pair.right), at: node) == pair.isEqual)
    #expect(try graph.isAlready(TypedValue(json: pair.right), at: node) == pair.isAlready)
  }
}
