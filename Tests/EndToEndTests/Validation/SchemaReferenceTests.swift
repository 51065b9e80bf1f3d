// References between schema files: by identifier, by location, below nested folders, and without a target.

import Foundation
import TestSupport
import Testing

@Suite struct SchemaReferenceTests {
  /// Schemas below a folder, one of each way to find them.
  static let library = [
    "lib/by-id.json": #"{"$id": "https://example.com/id/integer", "type": "integer"}"#,
    "lib/models/deep/text.json": #"{"type": "string"}"#,
    "lib/models/city.json": """
    {"properties": {"name": {"$ref": "deep/text.json"}, "pin": {"$ref": "../by-id.json"}}}
    """,
    "lib/anchored.json":
      #"{"$id": "urn:a", "$defs": {"x": {"$anchor": "flag", "type": "boolean"}}}"#,
    "lib/no-json.json": "{",
  ]

  struct Case: Sendable, CustomTestStringConvertible {
    let reference: String
    let right: String
    let wrong: String
    var testDescription: String { reference }
  }

  @Test(arguments: [
    Case(reference: "https://example.com/id/integer", right: "1", wrong: "\"1\""),
    Case(reference: "urn:a#flag", right: "true", wrong: "1"),
    Case(reference: "urn:a#/$defs/x", right: "true", wrong: "1"),
    // As a path below the folder, and as the end of one.
    Case(reference: "https://example.com/models/city.json", right: "{}", wrong: #"{"pin": 0.5}"#),
    Case(
      reference: "https://example.com/a/models/city.json", right: #"{"name": ""}"#,
      wrong: #"{"name": 1}"#),
    Case(reference: "lib/models/city.json", right: #"{"pin": 5}"#, wrong: #"{"pin": "5"}"#),
    Case(
      reference: "lib/models/../models/deep/text.json#", right: "\"\"", wrong: "5"),
    Case(
      reference: "https://json-schema.org/draft/2020-12/schema", right: #"{"type": "null"}"#,
      wrong: #"{"type": "nil"}"#),
    Case(
      reference: "urn:archtool:meta-schema", right: #"{"x-plist-type": "date"}"#,
      wrong: #"{"x-plist-type": "text"}"#),
  ]) func leadsToItsSchema(_ item: Case) throws {
    let bench = try Workbench(Self.library)
    try bench.write(#"{"$ref": "\#(item.reference)"}"#, to: "schema.json")
    try bench.write(item.right, to: "right")
    try bench.write(item.wrong, to: "wrong")
    let arguments = ["--schemas", "lib", "--schema-file", "schema.json", "right", "wrong"]
    #expect(try bench.validate(arguments).map(\.valid) == [true, false])
  }

  struct Lost: Sendable, CustomTestStringConvertible {
    let schema: String
    let message: String
    var testDescription: String { schema }
  }

  @Test(arguments: [
    Lost(
      schema: #"{"properties": {"a": {"$ref": "none.json"}}}"#,
      message: "'$ref' cannot be resolved: none.json (at $.properties.a['$ref'])"),
    Lost(
      schema: ##"{"items": {"anyOf": [true, {"$ref": "#/$defs/none"}]}}"##,
      message: "'$ref' cannot be resolved: #/$defs/none (at $.items.anyOf[1]['$ref'])"),
    Lost(
      schema: ##"{"not": {"$dynamicRef": "#none"}}"##,
      message: "'$dynamicRef' cannot be resolved: #none (at $.not['$dynamicRef'])"),
    Lost(
      schema: #"{"$ref": "urn:a#none"}"#,
      message: "'$ref' cannot be resolved: urn:a#none (at $['$ref'])"
    ),
    Lost(
      schema: #"{"$ref": "https://example.com/none"}"#,
      message: "'$ref' cannot be resolved: https://example.com/none (at $['$ref'])"),
    // Only files below the folders and beside the schema are read.
    Lost(
      schema: #"{"$ref": "file:///etc/hostname"}"#,
      message: "'$ref' cannot be resolved: file:///etc/hostname (at $['$ref'])"),
    Lost(
      schema: #"{"$ref": "../outside.json"}"#,
      message: "'$ref' cannot be resolved: ../outside.json (at $['$ref'])"),
    Lost(
      schema: #"{"$ref": "%2e%2e/outside.json"}"#,
      message: "'$ref' cannot be resolved: %2e%2e/outside.json (at $['$ref'])"),
    Lost(
      schema: #"{"$ref": "..%2Foutside.json"}"#,
      message: "'$ref' cannot be resolved: ..%2Foutside.json (at $['$ref'])"),
    Lost(
      schema: #"{"$ref": "deep/%2e%2e%2f%2e%2e%2foutside.json"}"#,
      message: "'$ref' cannot be resolved: deep/%2e%2e%2f%2e%2e%2foutside.json (at $['$ref'])"),
    Lost(
      schema: #"{"$ref": "link.json"}"#,
      message: "'$ref' cannot be resolved: link.json (at $['$ref'])"),
    Lost(
      schema:
        ##"{"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"}"##,
      message: "references form a circle"),
    Lost(schema: #"{"$ref": "https://example.com/no-json.json"}"#, message: "lib/no-json.json:1"),
  ]) func leadsNowhereWithItsPlace(_ item: Lost) throws {
    let bench = try Workbench(Self.library)
    try bench.write("{}", to: "outside.json")
    try bench.write(item.schema, to: "in/schema.json")
    try bench.write("{}", to: "data.json")
    try bench.write("{}", to: "in/deep/part.json")
    try FileManager.default.createSymbolicLink(
      at: bench.url("in/link.json"), withDestinationURL: bench.url("outside.json"))
    let result = try bench.run(
      "validate", "--schemas", "lib", "--schema-file", "in/schema.json", "data.json")
    #expect(result.status == 65)
    #expect(result.errors.contains(item.message), "\(result.errors)")
    #expect(result.errors.contains("in/schema.json: error: ") || item.message.contains("lib/"))
    #expect(result.errors.split(separator: "\n").count == 1)
    #expect(result.text.isEmpty)
  }

  /// What is wrong in a file that another refers to is told with both.
  @Test func faultsInOtherFilesNameThem() throws {
    let bench = try Workbench([
      "schema.json": #"{"$ref": "part.json#/$defs/p"}"#,
      "part.json": #"{"$defs": {"p": {"items": {"minLength": "1"}}}}"#, "data.json": "[]",
    ])
    let result = try bench.run("validate", "--schema-file", "schema.json", "data.json")
    #expect(result.status == 65)
    #expect(result.errors.contains("schema.json: error: the schema is wrong: a non-negative"))
    #expect(result.errors.contains("/part.json) (at $['$defs'].p.items.minLength)"))
  }
}
