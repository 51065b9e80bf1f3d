// Invalid schemas: each keyword with a value of a wrong type is reported with its location, before a file is read.

import Foundation
import TestSupport
import Testing

@Suite struct WrongSchemaTests {
  /// Keywords with values that they cannot have (JSON Schema Core and Validation 2020-12), and where the fault is
  /// within the value.
  static let faults: [(keyword: String, value: String, place: String)] = [
    ("type", "1", ""), ("type", "\"text\"", ""), ("type", "[]", ""), ("type", "[\"null\", 1]", ""),
    ("type", "[\"null\", \"null\"]", ""), ("enum", "{}", ""), ("multipleOf", "0", ""),
    ("multipleOf", "-1", ""), ("multipleOf", "\"1\"", ""), ("maximum", "\"1\"", ""),
    ("minimum", "null", ""), ("exclusiveMaximum", "true", ""), ("exclusiveMinimum", "[]", ""),
    ("maxLength", "-1", ""), ("minLength", "1.5", ""), ("pattern", "5", ""),
    ("pattern", "\"(\"", ""), ("format", "[]", ""), ("maxItems", "\"2\"", ""),
    ("minItems", "-2", ""), ("uniqueItems", "1", ""), ("maxContains", "-1", ""),
    ("minContains", "null", ""), ("prefixItems", "[]", ""), ("prefixItems", "{}", ""),
    ("prefixItems", "[{}, 5]", "[1]"), ("items", "[]", ""), ("contains", "\"x\"", ""),
    ("unevaluatedItems", "1", ""), ("maxProperties", "{}", ""), ("minProperties", "-1", ""),
    ("required", "\"a\"", ""), ("required", "[\"a\", \"a\"]", ""), ("required", "[1]", ""),
    ("properties", "[]", ""), ("properties", "{\"a\": 1}", ".a"), ("patternProperties", "1", ""),
    ("patternProperties", "{\"(\": true}", "['(']"), ("additionalProperties", "[]", ""),
    ("unevaluatedProperties", "\"no\"", ""), ("propertyNames", "null", ""),
    ("dependentRequired", "{\"a\": \"b\"}", ".a"), ("dependentRequired", "[]", ""),
    ("dependentSchemas", "{\"a\": []}", ".a"), ("dependencies", "{\"a\": 1}", ".a"),
    ("allOf", "[]", ""), ("allOf", "{}", ""), ("anyOf", "[true, null]", "[1]"),
    ("oneOf", "\"x\"", ""), ("not", "[]", ""), ("if", "1", ""), ("then", "1", ""),
    ("else", "\"x\"", ""), ("$ref", "1", ""), ("$dynamicRef", "{}", ""),
    ("$defs", "[]", ""), ("$defs", "{\"a\": 1}", ".a"),
    ("$defs", "{\"a\": {\"type\": 1}}", ".a.type"), ("definitions", "{\"a\": 1}", ".a"),
    ("$id", "5", ""), ("$id", "\"#a\"", ""), ("$anchor", "\"1 a\"", ""), ("$anchor", "5", ""),
    ("$dynamicAnchor", "\"\"", ""), ("$comment", "1", ""), ("$vocabulary", "[]", ""),
    ("$vocabulary", "{\"urn:v\": 1}", "['urn:v']"), ("title", "1", ""), ("description", "[]", ""),
    ("deprecated", "\"yes\"", ""), ("readOnly", "1", ""), ("writeOnly", "null", ""),
    ("examples", "{}", ""), ("contentEncoding", "1", ""), ("contentMediaType", "[]", ""),
    ("contentSchema", "1", ""), ("x-plist-type", "\"text\"", ""), ("x-plist-type", "[]", ""),
  ]

  /// A keyword as it is spelled in a path.
  private static func step(_ keyword: String) -> String {
    keyword.allSatisfy(\.isLetter) ? ".\(keyword)" : "['\(keyword)']"
  }

  @Test(arguments: faults.indices)
  func isRefusedWithItsPlace(_ index: Int) throws {
    let (keyword, value, place) = Self.faults[index]
    let bench = try Workbench(["data.json": "{}"])
    // The value stands where it is reached, and where nothing reaches it.
    let schema = #"{"properties": {"p q": {"\#(keyword)": \#(value)}}}"#
    try bench.write(schema, to: "a schema.json")
    let result = try bench.run("validate", "--schema-file", "a schema.json", "data.json")
    #expect(result.status == 65, "\(schema)")
    #expect(result.errors.hasPrefix("a schema.json: error: "), "\(result.errors)")
    let path = "$.properties['p q']" + Self.step(keyword) + place
    #expect(result.errors.hasSuffix("(at \(path))\n"), "\(result.errors)")
    #expect(result.text.isEmpty)
  }

  /// Schemas that no reference leads to are looked at, beside a reference too.
  @Test(arguments: [
    ##"{"$defs": {"used": true, "unused": {"minimum": "1"}}, "$ref": "#/$defs/used"}"##,
    ##"{"$defs": {"used": true, "unused": {"minimum": "1"}}}"##,
    ##"{"properties": {"a": {"$ref": "#/$defs/used", "$defs": {"unused": {"minimum": "1"}}}}, "$defs": {"used": {}}}"##,
    ##"{"properties": {"a": {"$ref": "#/$defs/used", "title": 5}}, "$defs": {"used": {}}}"##,
    ##"{"else": {"minimum": "1"}}"##, ##"{"contentSchema": {"minimum": "1"}}"##,
  ]) func isRefusedWhereNothingReachesIt(_ schema: String) throws {
    let bench = try Workbench(["data.json": "{}", "schema.json": schema])
    let result = try bench.run("validate", "--schema-file", "schema.json", "data.json")
    #expect(result.status == 65)
    #expect(result.errors.contains("the schema is wrong"))
  }

  @Test(arguments: [
    "http://json-schema.org/draft-04/schema#", "http://json-schema.org/draft-06/schema",
    "http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2019-09/schema",
    "https://json-schema.org/draft/next/schema", "https://example.com/unknown",
  ]) func otherDialectsAreRefused(_ uri: String) throws {
    let bench = try Workbench(["data.json": "{}"])
    for schema in [
      #"{"$schema": "\#(uri)"}"#, #"{"$defs": {"a": {"$id": "a.json", "$schema": "\#(uri)"}}}"#,
    ] {
      try bench.write(schema, to: "schema.json")
      let result = try bench.run("validate", "--schema-file", "schema.json", "data.json")
      #expect(result.status == 65)
      let name = uri.replacingOccurrences(of: "#", with: "")
      #expect(result.errors.contains(name), "\(result.errors)")
      #expect(result.errors.hasPrefix("schema.json: error: "))
    }
  }

  @Test(arguments: [
    ("", "schema.json"), ("{", "schema.json:1:2"), ("{\"type\": }", "schema.json:1:10"),
    ("[]", "(at $)"), ("5", "(at $)"), ("\"x\"", "(at $)"), ("null", "(at $)"),
  ]) func whatIsNoSchemaIsRefused(_ text: String, _ place: String) throws {
    let bench = try Workbench(["data.json": "{}", "schema.json": text])
    let result = try bench.run("validate", "--schema-file", "schema.json", "data.json")
    #expect(result.status == 65)
    #expect(result.errors.hasPrefix("schema.json"))
    #expect(result.errors.contains(place), "\(result.errors)")
  }

  @Test func aMissingSchemaIsAnInputThatCannotBeOpened() throws {
    let result = try Workbench(["data.json": "{}"])
      .run("validate", "--schema-file", "none.json", "data.json")
    #expect(result.status == 66)
    #expect(result.errors.hasPrefix("none.json: error: cannot open the file"))
  }
}
