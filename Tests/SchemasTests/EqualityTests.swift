// Equality of JSON values, as proofs have it of trees and validation of graphs (JSON Schema Core 2020-12, 4.2.2).

import Basics
import KeyedArchives
import ObjectGraph
import PropertyLists
import Schemas
import Testing

@Suite struct EqualityTests {
  static let values = [
    "null", "true", "false", "0", "-0.0", "1", "1.0", "1e0", "0.1", "10e-2", "9007199254740993",
    "9007199254740992.0", "18446744073709551615", "1.8446744073709551616e19",
    "18446744073709551616", #""""#, #""1""#, #""\u00e9""#, #""e\u0301""#, "[]", "[1]", "[1.0]",
    "[1, 2]", "[2, 1]", "{}", #"{"a": 1, "b": [2]}"#, #"{"b": [2.0], "a": 1}"#, #"{"a": 1}"#,
    #"{"\u00e9": 1}"#, #"{"e\u0301": 1}"#, "[{}]", "[[]]",
  ]

  /// What a value is equal to is what a schema allows that has it as `const`.
  @Test(arguments: values) func isOneForTreesAndForGraphs(_ value: String) throws {
    let tree = try JSONTree(json: Array(value.utf8))
    #expect(tree.isSame(as: tree))
    #expect(tree == tree)
    for other in Self.values {
      let written = try JSONTree(json: Array(other.utf8))
      let version = try SchemaVersion(
        family: "", name: "S", tree: .members([("const", written)]), uri: "")
      let graph = try ArchiveReader(keepsPlaces: true).read(
        ByteStorage(copying: Array(value.utf8)))
      let isValid = try version.validate(graph).isEmpty
      #expect(tree.isSame(as: written) == isValid, "\(other)")
      #expect(tree != written || isValid, "\(other)")
    }
  }
}
