// Which values are equal as values, beside the scalars, whose table ScalarEqualityTests has.

import Basics
import Foundation
import KeyedArchives
import ObjectGraph
import PropertyLists
import TestSupport
import Testing

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

  static let pairs: [Pair] = [
    Pair("[1, 2]", "[1, 2]", true), Pair("[1, 2]", "[2, 1]", false),
    Pair(#"{"$set": [1, 2]}"#, #"{"$set": [2, 1]}"#, true),
    Pair(#"{"$set": [1, 2]}"#, "[1, 2]", false),
    Pair(#"{"$set": [1, 2]}"#, #"{"$set": [1, 3]}"#, false),
    Pair(#"{"a": 1, "b": [true]}"#, #"{"b": [true], "a": 1}"#, true),
    Pair(#"{"a": 1}"#, #"{"b": 1}"#, false), Pair(#"{"a": 1}"#, #"{"a": 1, "b": 1}"#, false),
    // An edit would change the type.
    Pair("[1]", "[1.0]", true, false), Pair("[1]", "[true]", false),
    Pair(#"[{"$date": "2020-01-01T00:00:00Z"}]"#, #"["2020-01-01T00:00:00Z"]"#, false),
    Pair(#"[{"$data": "YQ=="}]"#, #"["YQ=="]"#, false),
    // Keys that are no texts.
    Pair(#"{"$entries": [[1, "x"]]}"#, #"{"$entries": [[1, "x"]]}"#, true),
    Pair(#"{"$entries": [[1, "x"]]}"#, #"{"$entries": [[2, "x"]]}"#, false),
  ]

  @Test(arguments: pairs) func valuesAreEqualByWhatTheyMean(_ pair: Pair) throws {
    let graph = ObjectGraph()
    let node = try graph.add(typedJSON: ByteStorage(copying: Array(pair.left.utf8)))
    #expect(try graph.equals(TypedValue(json: pair.right), at: node) == pair.isEqual)
    #expect(try graph.isAlready(TypedValue(json: pair.right), at: node) == pair.isAlready)
  }

  /// Elements that lead to themselves are different objects, though they hold the same.
  @Test(arguments: ["a", "b"]) func elementsInCyclesAreDistinct(_ other: String) throws {
    let graph = try readGraph(cycles(["a", other]))
    guard case .set(let elements) = graph.value(of: graph.root) else {
      Issue.record("no set")
      return
    }
    #expect(try graph.areDistinct(elements))
  }

  /// An archive of a set of dictionaries, each of which has a text and itself.
  private func cycles(_ texts: [String]) -> Data {
    let reference = { (number: Int) in
      "<dict><key>CF$UID</key><integer>\(number)</integer></dict>"
    }
    let record = { (name: String) in
      "<dict><key>$classname</key><string>\(name)</string><key>$classes</key>"
        + "<array><string>\(name)</string><string>NSObject</string></array></dict>"
    }
    let elements = texts.enumerated().map { position, text in
      """
      <dict><key>$class</key>\(reference(3))<key>text</key><string>\(text)</string>
      <key>own</key>\(reference(4 + position))</dict>
      """
    }
    return Data(
      """
      <plist version="1.0"><dict><key>$archiver</key><string>NSKeyedArchiver</string>
      <key>$version</key><integer>100000</integer><key>$top</key><dict><key>root</key>
      \(reference(1))</dict><key>$objects</key><array><string>$null</string>
      <dict><key>$class</key>\(reference(2))<key>NS.objects</key><array>
      \(texts.indices.map { reference(4 + $0) }.joined())</array></dict>
      \(record("NSSet"))\(record("Node"))\(elements.joined())</array></dict></plist>
      """.utf8)
  }
}
