// The compiler and the meta-schema agree: each rejects the schemas that the other rejects.

import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct MetaSchemaAgreementTests {
  /// Schemas that are right.
  static let right = [
    "true", "false", "{}", ##"{"$ref": "#/$defs/a", "$defs": {"a": {"$anchor": "b"}}}"##,
    #"{"$id": "https://example.com/a#", "$schema": "https://json-schema.org/draft/2020-12/schema"}"#,
    #"{"$id": "urn:x", "$vocabulary": {"urn:y": false}}"#, #"{"$anchor": "_a-b.C9"}"#,
    ##"{"$dynamicAnchor": "a", "items": {"$dynamicRef": "#a"}}"##,
    #"{"type": ["string", "null"], "enum": [1, "1", null, {}], "const": [[]]}"#, #"{"enum": []}"#,
    #"{"enum": [1, 1.0]}"#, #"{"minLength": 2.0, "maxLength": 1e2, "minItems": 0}"#,
    #"{"maxLength": 100000000000000000000, "maxItems": 1e300, "minProperties": 18446744073709551615}"#,
    #"{"multipleOf": 0.01, "minimum": -1e3, "exclusiveMaximum": 5}"#, #"{"pattern": "^\\p{L}+$"}"#,
    #"{"prefixItems": [true, {}], "items": false, "contains": {}, "unevaluatedItems": true}"#,
    #"{"minContains": 0, "maxContains": 3, "uniqueItems": false}"#,
    #"{"properties": {"$ref": {"type": "string"}, "$id": true}, "required": []}"#,
    #"{"patternProperties": {"^a": {}}, "additionalProperties": {}, "propertyNames": false}"#,
    #"{"dependentRequired": {"a": []}, "dependentSchemas": {"a": true}}"#,
    #"{"dependencies": {"a": ["b"], "c": {"minimum": 1}}, "definitions": {"d": {}}}"#,
    #"{"allOf": [{}], "anyOf": [true], "oneOf": [false], "not": {}, "if": {}, "then": {}, "else": {}}"#,
    #"{"then": {"type": "null"}}"#, #"{"unevaluatedProperties": {"type": "string"}}"#,
    #"{"title": "", "description": "", "$comment": "", "default": 5, "examples": [], "deprecated": true}"#,
    #"{"readOnly": true, "writeOnly": false, "format": "anything"}"#,
    #"{"contentEncoding": "base64", "contentMediaType": "a/b", "contentSchema": {}}"#,
    #"{"x-plist-type": ["date", "data"], "x-archive": {"envelope": "codable"}}"#,
    #"{"x-archive": {"envelope": "nscoding", "classes": ["A", "*.A"], "list": true}}"#,
    #"{"unknown": {"type": 1}, "x-own": []}"#, #"{"const": {"type": 1}, "enum": [{"$ref": 5}]}"#,
    #"{"examples": [{"type": 1}], "default": {"minimum": "1"}}"#,
  ]

  /// Values that a keyword cannot have.
  static let wrong: [String: [String]] = [
    "type": ["1", "null", "\"text\"", "[]", "[1]", "[\"null\", \"null\"]", "{}"],
    "enum": ["{}", "1", "null"], "multipleOf": ["0", "-1", "\"1\"", "0.0", "-0.0"],
    "maximum": ["\"1\"", "null", "[]"], "exclusiveMinimum": ["true", "{}"],
    "minLength": ["-1", "1.5", "\"1\"", "null"], "maxItems": ["-1", "0.5", "true"],
    "minContains": ["-1", "[]"], "maxProperties": ["-2", "\"\""],
    "pattern": ["1", "\"(\"", "null"],
    "format": ["1", "[]"], "uniqueItems": ["1", "\"true\"", "null"],
    "required": ["\"a\"", "[1]", "[\"a\", \"a\"]", "{}"],
    "dependentRequired": ["[]", "{\"a\": 1}", "{\"a\": [\"b\", \"b\"]}"],
    "properties": ["[]", "1", "{\"a\": 1}", "{\"a\": []}"],
    "patternProperties": ["[]", "{\"(\": {}}", "{\"a\": null}"],
    "dependentSchemas": ["[]", "{\"a\": 1}"], "dependencies": ["[]", "{\"a\": 1}", "{\"a\": [1]}"],
    "$defs": ["[]", "{\"a\": 1}", "{\"a\": {\"type\": 1}}", "{\"a\": {\"$defs\": 1}}"],
    "definitions": ["[]", "{\"a\": \"b\"}"], "$ref": ["1", "null", "{}"], "$dynamicRef": ["1"],
    "$id": ["1", "\"#a\"", "\"a#b\""], "$anchor": ["1", "\"\"", "\"1a\"", "\"a b\"", "\"é\""],
    "$dynamicAnchor": ["{}", "\"#a\""], "$vocabulary": ["[]", "{\"urn:a\": 1}"],
    "$comment": ["1"], "$schema": ["1", "{}"], "title": ["1", "null"], "description": ["[]"],
    "deprecated": ["1"], "readOnly": ["\"\""], "writeOnly": ["0"], "examples": ["{}", "\"a\""],
    "contentEncoding": ["1"], "contentMediaType": ["{}"],
    "x-plist-type": ["\"text\"", "[]", "[\"date\", \"date\"]", "1", "{}"],
  ]

  /// Keywords that take a schema, and those that take a list of them.
  static let single = [
    "not", "if", "then", "else", "items", "contains", "additionalProperties", "propertyNames",
    "unevaluatedItems", "unevaluatedProperties", "contentSchema",
  ]
  static let lists = ["allOf", "anyOf", "oneOf", "prefixItems"]

  /// Wrong members of `x-archive`, which stands at the root alone.
  static let archives = [
    "1", "{}", "[]", #"{"envelope": "zip"}"#, #"{"envelope": 1}"#, #"{"list": true}"#,
    #"{"envelope": "json", "list": 1}"#, #"{"envelope": "json", "classes": "A"}"#,
    #"{"envelope": "json", "classes": []}"#, #"{"envelope": "json", "classes": [""]}"#,
    #"{"envelope": "json", "classes": [1]}"#, #"{"envelope": "json", "classes": ["A", "A"]}"#,
    #"{"envelope": "json", "more": 1}"#,
  ]

  static let wrongSchemas: [String] = {
    var schemas = ["1", "null", "[]", "\"true\""]
    for (keyword, values) in wrong.sorted(by: { $0.key < $1.key }) {
      schemas += values.map { "{\"\(keyword)\": \($0)}" }
    }
    for keyword in single {
      schemas += ["1", "null", "[]", "{\"type\": 1}"].map { "{\"\(keyword)\": \($0)}" }
    }
    for keyword in lists {
      schemas += ["1", "{}", "[]", "[1]", "[{}, {\"type\": 1}]"].map { "{\"\(keyword)\": \($0)}" }
    }
    return schemas + archives.map { "{\"x-archive\": \($0)}" }
  }()

  private static func compiles(_ schema: String) -> Bool {
    do {
      let tree = try JSONTree(json: Array(schema.utf8))
      _ = try SchemaVersion(family: "", name: "schema", tree: tree, uri: "urn:test")
      return true
    } catch {
      return false
    }
  }

  private static func metaSchema() throws -> SchemaVersion {
    let tree = try JSONTree(json: Array(#"{"$ref": "urn:archtool:meta-schema"}"#.utf8))
    return try SchemaVersion(
      family: "", name: "meta", tree: tree, uri: "",
      assertsFormats: true)
  }

  private static func fits(_ schema: String, _ meta: SchemaVersion) throws -> Bool {
    let graph = try readGraph(Data(schema.utf8))
    return try meta.validate(graph.root, in: graph).isEmpty
  }

  @Test func bothTakeWhatIsRight() throws {
    let meta = try Self.metaSchema()
    for schema in Self.right {
      #expect(Self.compiles(schema), "\(schema)")
      #expect(try Self.fits(schema, meta), "\(schema)")
    }
  }

  @Test func bothRefuseWhatIsWrong() throws {
    let meta = try Self.metaSchema()
    #expect(Self.wrongSchemas.count > 150)
    for schema in Self.wrongSchemas {
      #expect(!Self.compiles(schema), "\(schema)")
      #expect(try !Self.fits(schema, meta), "\(schema)")
    }
  }

  /// What is wrong is so below any keyword that holds schemas, reached or not.
  @Test func bothLookIntoEveryPart() throws {
    let meta = try Self.metaSchema()
    let maps = [
      "properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions",
    ]
    let places =
      Self.single.map { "{\"\($0)\": PART}" } + Self.lists.map { "{\"\($0)\": [true, PART]}" }
      + maps.map { "{\"\($0)\": {\"a\": PART}}" }
    for place in places {
      let deep = place.replacingOccurrences(of: "PART", with: "{\"items\": PART}")
      for (part, isRight) in [("{\"minimum\": 1}", true), ("{\"minimum\": \"1\"}", false)] {
        let schema = deep.replacingOccurrences(of: "PART", with: part)
        #expect(Self.compiles(schema) == isRight, "\(schema)")
        #expect(try Self.fits(schema, meta) == isRight, "\(schema)")
        // Beside a reference that leads elsewhere as well.
        let referring = "{\"$ref\": \"#/$defs/z\", \"$defs\": {\"z\": true, \"y\": \(schema)}}"
        #expect(Self.compiles(referring) == isRight, "\(referring)")
        #expect(try Self.fits(referring, meta) == isRight, "\(referring)")
      }
    }
  }
}
