// Which annotations are used (JSON Schema Core 2020-12, section 7.7.1.2): only those of schemas that hold.

import ArchivePropertyLists
import ArchiveSchemas
import Foundation
import TestSupport
import Testing

@Suite struct AnnotationTests {
  /// A schema, a value, and whether it fits.
  ///
  /// Each branch that names members or items fails by its own assertion.
  static let cases: [(schema: String, data: String, fits: Bool)] = [
    (#"{"unevaluatedItems":false,"anyOf":[true,{"minItems":5,"items":true}]}"#, "[1]", false),
    (#"{"unevaluatedItems":false,"anyOf":[true,{"minItems":1,"items":true}]}"#, "[1]", true),
    (#"{"unevaluatedItems":false,"anyOf":[true,{"maxItems":0,"items":true}]}"#, "[1]", false),
    (
      #"{"unevaluatedProperties":false,"anyOf":[{"minProperties":3,"additionalProperties":true},{"properties":{"a":true}}]}"#,
      #"{"a":1,"b":2}"#, false
    ),
    (
      #"{"unevaluatedProperties":false,"anyOf":[{"maxProperties":1,"additionalProperties":true},{"properties":{"a":true}}]}"#,
      #"{"a":1,"b":2}"#, false
    ),
    (
      #"{"unevaluatedProperties":false,"if":{"const":{"a":1},"additionalProperties":true}}"#,
      #"{"b":1}"#, false
    ),
    (
      #"{"unevaluatedProperties":false,"if":{"const":{"a":1},"additionalProperties":true}}"#,
      #"{"a":1.0}"#, true
    ),
    (
      #"{"unevaluatedProperties":false,"anyOf":[true,{"dependentRequired":{"a":["c"]},"additionalProperties":true}]}"#,
      #"{"a":1}"#, false
    ),
    (#"{"unevaluatedItems":false,"not":{"uniqueItems":true,"items":true}}"#, "[1,1]", false),
    (
      #"{"not":{"unevaluatedProperties":false,"anyOf":[true,{"const":3,"allOf":[{"additionalProperties":true}]}]}}"#,
      #"{"a":1}"#, true
    ),
    (
      #"{"unevaluatedItems":false,"oneOf":[{"contains":{"const":1}},{"contains":{"const":2}}]}"#,
      "[1, 1]", true
    ),
    (
      #"{"unevaluatedItems":false,"oneOf":[{"contains":{"const":1}},{"contains":{"const":2}}]}"#,
      "[1, 3]", false
    ),
  ]

  @Test(arguments: cases)
  func annotationsOfFailedSchemasAreDropped(_ schema: String, _ data: String, _ fits: Bool) throws {
    let version = try SchemaVersion(
      family: "", name: "S", tree: JSONTree(json: Array(schema.utf8)), uri: "")
    #expect(try version.validate(readGraph(Data(data.utf8))).isEmpty == fits)
  }
}
