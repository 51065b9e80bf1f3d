// `x-plist-type` distinguishes stored types that `type` treats as one, including text.

import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct ExactTypeTests {
  /// One value of each type that a property list stores.
  private static var values: [(name: String, value: Any)] {
    [
      ("string", "2024-01-02T00:00:00Z"), ("date", Date(timeIntervalSinceReferenceDate: 0)),
      ("data", Data([1, 2])), ("integer", 64), ("real", 64.5), ("boolean", true),
      ("array", [1]), ("object", ["a": 1]),
    ]
  }

  private static func fits(_ value: Any, _ schema: String) throws -> Bool {
    let bytes = try PropertyListSerialization.data(
      fromPropertyList: ["v": value], format: .binary, options: 0)
    let version = try SchemaVersion(
      family: "", name: "x",
      tree: JSONTree(json: Array(#"{"properties": {"v": \#(schema)}}"#.utf8)), uri: "")
    let graph = try readGraph(bytes)
    return try version.validate(graph.root, in: graph).isEmpty
  }

  @Test(arguments: values.map(\.name))
  func admitsTheValuesOfItsTypeAlone(_ type: String) throws {
    for (name, value) in Self.values {
      #expect(try Self.fits(value, #"{"x-plist-type": "\#(type)"}"#) == (name == type), "\(name)")
    }
  }

  @Test func aStringWithoutItMayBeADateOrData() throws {
    for (name, value) in Self.values {
      let isString = ["string", "date", "data"].contains(name)
      #expect(try Self.fits(value, #"{"type": "string"}"#) == isString, "\(name)")
      #expect(
        try Self.fits(value, #"{"type": "string", "x-plist-type": "string"}"#)
          == (name == "string"), "\(name)")
    }
  }

  /// Numbers without digits are not all the same.
  @Test(arguments: [
    ([Double.nan, .infinity, -.infinity], true), ([.infinity, .infinity], false),
    ([-.infinity, -.infinity], false), ([.nan, .nan], false), ([.nan, 0], true),
  ])
  func uniqueItemsTellsNumbersWithoutDigitsApart(_ numbers: [Double], _ areUnique: Bool) throws {
    #expect(try Self.fits(numbers, #"{"uniqueItems": true}"#) == areUnique)
  }

  /// What was inferred of texts is not taken for the version that has dates there.
  @Test func whatIsInferredOfTextsAdmitsNoDates() throws {
    var inference = SchemaInference()
    for value in ["soon", "later"] {
      try inference.add(
        readGraph(
          PropertyListSerialization.data(
            fromPropertyList: ["v": value], format: .binary, options: 0)))
    }
    let version = try SchemaVersion(
      family: "F", name: "v1", tree: try inference.schema(family: "F", version: "v1"), uri: "")
    for (name, value) in Self.values {
      let bytes = try PropertyListSerialization.data(
        fromPropertyList: ["v": value], format: .binary, options: 0)
      #expect(try version.validate(readGraph(bytes)).isEmpty == (name == "string"), "\(name)")
    }
  }
}
