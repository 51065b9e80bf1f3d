// Equality of JSON values, of trees and of graphs in validation (JSON Schema Core 2020-12, 4.2.2).

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import Foundation
import KeyedArchives
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
      let graph = try ArchiveReader(keepsPositions: true).read(
        ByteStorage(copying: Array(value.utf8)))
      let isValid = try version.validate(graph).isEmpty
      #expect(tree.isSame(as: written) == isValid, "\(other)")
      #expect(tree != written || isValid, "\(other)")
    }
  }

  /// Names, patterns and definitions that Unicode holds equal are two to JSON; schemas of many members besides.
  @Test(arguments: [
    ##"{"properties": {"\u00e9": {"type": "string"}, "e\u0301": {"type": "integer"}}}"##,
    ##"{"patternProperties": {"\u00e9": {"type": "string"}, "e\u0301": {"type": "integer"}}}"##,
    ##"{"properties": {"\u00e9": {"$ref": "#/$defs/\u00e9"}, "e\u0301": {"$ref": "#/$defs/e\u0301"}}, DEFS}"##,
    ##"{"properties": {"\u00e9": {"$ref": "#/$defs/\u00e9/allOf/0"}, "e\u0301": {"$ref": "#/$defs/e\u0301/allOf/0"}}, DEFS}"##,
  ]) func namesThatLookAlikeAreTwo(_ text: String) throws {
    func definition(_ type: String, _ count: Int) -> String {
      let others = (0..<count).map { "\"x\($0)\": true" }.joined(separator: ", ")
      return #"{\#(others), "allOf": [{"type": "\#(type)"}]}"#
    }
    let definitions =
      "\"$defs\": {\"\u{e9}\": \(definition("string", 50)), "
      + "\"e\u{301}\": \(definition("integer", 40))}"
    let schema = text.replacingOccurrences(of: "DEFS", with: definitions)
    let version = try SchemaVersion(
      family: "", name: "S", tree: JSONTree(json: Array(schema.utf8)), uri: "")
    let graph = try ArchiveReader().read(
      ByteStorage(copying: Array("{\"\u{e9}\": \"x\", \"e\u{301}\": 1}".utf8)))
    #expect(try version.validate(graph).isEmpty)
  }
}
