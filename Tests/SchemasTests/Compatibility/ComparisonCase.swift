// The cases of SchemaComparisonTests. Cases of schema registries: Confluent Schema Registry documentation, "Schema
// Evolution and Compatibility", and its rules for JSON Schema's open and closed content models.

import ArchiveSchemas
import Testing

/// Two versions of a schema, and what comes of their comparison.
struct ComparisonCase: CustomTestStringConvertible, Sendable {
  let old: String
  let new: String
  let verdict: Compatibility
  let kinds: [String]

  var testDescription: String { "\(old) → \(new)" }

  init(_ old: String, _ new: String, _ verdict: Compatibility, _ kinds: String...) {
    self.old = old
    self.new = new
    self.verdict = verdict
    self.kinds = kinds
  }

  static let scalars: [ComparisonCase] = [
    .init(#"{"type":"integer"}"#, #"{"type":"number"}"#, .backward, "type-widened"),
    .init(#"{"type":["integer","string"]}"#, #"{"type":"integer"}"#, .forward, "type-narrowed"),
    .init(#"{"type":"string"}"#, #"{"type":"integer"}"#, .none, "type-changed"),
    .init(#"{"type":"string"}"#, #"{}"#, .backward, "type-widened"),
    .init(#"{"type":"string"}"#, #"true"#, .backward, "type-widened"),
    .init(#"false"#, #"{"type":"string"}"#, .backward, "type-widened"),
    .init(
      #"{"type":"string"}"#, #"{"type":"string","x-plist-type":"string"}"#, .forward,
      "type-narrowed"),
    .init(
      #"{"type":"string","x-plist-type":"string"}"#, #"{"type":"string","x-plist-type":"date"}"#,
      .none, "type-changed"),
    .init(
      #"{"type":["string","null"],"x-plist-type":["string","null"]}"#,
      #"{"x-plist-type":["string","date","null"]}"#, .backward, "type-widened"),
    .init(
      #"{"type":"string","x-plist-type":"date"}"#, #"{"type":"string"}"#, .backward, "type-widened"
    ),
    .init(
      #"{"type":"string","x-plist-type":"date"}"#, #"{"type":"string","x-plist-type":"data"}"#,
      .none, "type-changed"),
    .init(
      #"{"type":"number","x-plist-type":"integer"}"#, #"{"type":"integer"}"#, .backward,
      "type-widened"),
    .init(#"{"enum":["a","b"]}"#, #"{"enum":["b","a","c"]}"#, .backward, "enum-value-added"),
    .init(
      #"{"enum":["a","b"]}"#, #"{"enum":["a","c"]}"#, .none, "enum-value-added",
      "enum-value-removed"),
    .init(#"{"const":1}"#, #"{"enum":[1.0,2]}"#, .backward, "enum-value-added"),
    .init(
      #"{"enum":["a"]}"#, #"{"type":"string"}"#, .backward, "enum-removed", "type-narrowed"),
    .init(
      #"{"type":"boolean"}"#, #"{"enum":[true,false]}"#, .full, "enum-added", "type-widened"),
    .init(
      #"{"type":"integer","minimum":0,"maximum":2}"#, #"{"type":"integer","enum":[0,1,2]}"#,
      .full, "enum-added", "range-widened"),
    .init(#"{"minimum":0}"#, #"{"minimum":1}"#, .forward, "range-narrowed"),
    .init(#"{"minimum":0}"#, #"{"exclusiveMinimum":0}"#, .forward, "range-narrowed"),
    .init(#"{"maximum":10}"#, #"{"exclusiveMaximum":11}"#, .backward, "range-widened"),
    .init(
      #"{"minimum":0,"maximum":5}"#, #"{"minimum":1,"maximum":6}"#, .none, "range-changed"),
    .init(
      #"{"maximum":9007199254740993}"#, #"{"maximum":9007199254740992}"#, .forward, "range-narrowed"
    ),
    .init(#"{"multipleOf":4}"#, #"{"multipleOf":2}"#, .backward, "range-widened"),
    .init(#"{"multipleOf":4}"#, #"{"multipleOf":6}"#, .none, "range-changed"),
    .init(#"{"multipleOf":0.5}"#, #"{"multipleOf":0.25}"#, .backward, "range-widened"),
    .init(
      #"{"type":"integer"}"#, #"{"type":"number","multipleOf":1}"#, .full, "type-widened",
      "range-narrowed"),
    .init(#"{"minLength":2}"#, #"{"minLength":1}"#, .backward, "length-widened"),
    .init(#"{"maxLength":2}"#, #"{"maxLength":1}"#, .forward, "length-narrowed"),
    .init(#"{"minLength":0}"#, #"{}"#, .full),
    .init(#"{"pattern":"^ab"}"#, #"{"pattern":"^a"}"#, .backward, "pattern-changed"),
    .init(#"{"pattern":"^[ab]$"}"#, #"{"pattern":"^[ba]$"}"#, .full, "pattern-changed"),
    .init(#"{"pattern":"^[ab]$"}"#, #"{}"#, .backward, "pattern-changed"),
    .init(#"{"format":"date"}"#, #"{"format":"time"}"#, .none, "format-changed"),
    .init(#"{"format":"date"}"#, #"{}"#, .backward, "format-changed"),
    .init(#"{"x-unknown":1}"#, #"{"x-unknown":2}"#, .full, "constraint-changed"),
    .init(#"{"title":"a"}"#, #"{"title":"b","default":1,"deprecated":true}"#, .full),
  ]

  static let parts: [ComparisonCase] = [
    .init(#"{"minItems":1}"#, #"{"minItems":2}"#, .forward, "length-narrowed"),
    .init(#"{"maxItems":1}"#, #"{"maxItems":2}"#, .backward, "length-widened"),
    .init(#"{"uniqueItems":true}"#, #"{"uniqueItems":false}"#, .backward, "constraint-changed"),
    .init(
      #"{"items":{"type":"integer"}}"#, #"{"items":{"type":"number"}}"#, .backward, "type-widened"),
    .init(#"{"items":{"type":"integer"}}"#, #"{}"#, .backward, "items-changed"),
    .init(
      #"{"prefixItems":[{"type":"integer"}],"items":{"type":"integer"}}"#,
      #"{"items":{"type":"integer"}}"#, .full),
    .init(#"{"prefixItems":[{"type":"integer"}]}"#, #"{}"#, .backward, "items-changed"),
    .init(
      #"{"contains":{"type":"integer"}}"#, #"{"contains":{"type":"number"}}"#, .backward,
      "constraint-changed"),
    .init(
      #"{"contains":{"type":"integer"},"minContains":2}"#, #"{"contains":{"type":"integer"}}"#,
      .backward, "constraint-changed"),
    .init(
      #"{"type":"array","minItems":1,"items":{"type":"integer"}}"#,
      #"{"type":"array","contains":{"type":"integer"}}"#, .backward, "constraint-changed",
      "items-changed", "length-widened"),
    .init(
      #"{"maxProperties":1}"#, #"{"maxProperties":2}"#, .backward, "length-widened"),
    .init(
      #"{"properties":{"a":{},"b":{}},"additionalProperties":false}"#,
      #"{"properties":{"a":{},"b":{}},"additionalProperties":false,"maxProperties":2}"#, .full,
      "length-narrowed"),
    .init(
      #"{"additionalProperties":{"type":"integer"}}"#,
      #"{"additionalProperties":{"type":"number"}}"#, .backward, "type-widened"),
    .init(#"{}"#, #"{"additionalProperties":false}"#, .forward, "additional-closed"),
    .init(
      #"{"properties":{"ab":{"type":"integer"}},"additionalProperties":false}"#,
      #"{"patternProperties":{"^a":{"type":"number"}},"additionalProperties":false}"#, .backward,
      "additional-changed", "member-removed"),
    .init(
      #"{"patternProperties":{"^[a-c]":{"type":"integer"}},"additionalProperties":false}"#,
      #"{"patternProperties":{"^[a-c]":{"type":"number"}},"additionalProperties":false}"#,
      .backward, "type-widened"),
    .init(
      #"{"propertyNames":{"maxLength":2}}"#, #"{"propertyNames":{"maxLength":3}}"#, .backward,
      "constraint-changed"),
    .init(
      #"{"dependentRequired":{"a":["b","c"]}}"#, #"{"dependentRequired":{"a":["b"]}}"#, .backward,
      "constraint-changed"),
    .init(
      #"{"dependentSchemas":{"a":{"required":["b"]}}}"#, #"{"dependentSchemas":{"a":true}}"#,
      .backward, "constraint-changed"),
    .init(
      #"{"properties":{"a":{}},"unevaluatedProperties":false}"#,
      #"{"properties":{"a":{}},"additionalProperties":false}"#, .full),
    .init(
      #"{"allOf":[{"properties":{"a":{}}}],"unevaluatedProperties":false}"#,
      #"{"properties":{"a":{}},"additionalProperties":false}"#, .full),
    .init(
      #"{"anyOf":[{"type":"integer"},{"type":"null"}]}"#, #"{"type":["null","integer"]}"#, .full,
      "alternative-removed", "alternative-removed", "type-narrowed"),
    .init(
      #"{"anyOf":[{"type":"string"}]}"#, #"{"anyOf":[{"type":"string"},{"type":"null"}]}"#,
      .backward, "alternative-added"),
    .init(
      #"{"oneOf":[{"type":"string"},{"type":"integer"}]}"#,
      #"{"oneOf":[{"type":"string"},{"type":"number"}]}"#, .backward, "type-widened"),
    .init(
      #"{"oneOf":[{"properties":{"k":{"const":"a"}},"required":["k"]},{"properties":{"k":{"const":"b"}},"required":["k"]}],"type":"object"}"#,
      #"{"oneOf":[{"properties":{"k":{"const":"a"}},"required":["k"]},{"properties":{"k":{"const":"b"}},"required":["k"]},{"properties":{"k":{"const":"c"}},"required":["k"]}],"type":"object"}"#,
      .backward, "alternative-added"),
    .init(
      #"{"not":{"type":"number"}}"#, #"{"not":{"type":"integer"}}"#, .backward, "constraint-changed"
    ),
    .init(
      #"{"type":"string"}"#, #"{"not":{"type":"integer"}}"#, .backward, "type-widened",
      "constraint-changed"),
    .init(
      #"{"if":{"type":"integer"},"then":{"minimum":1}}"#,
      #"{"if":{"type":"integer"},"then":{"minimum":0}}"#, .backward, "constraint-changed"),
    .init(
      ##"{"properties":{"next":{"$ref":"#"}},"required":["v"]}"##,
      ##"{"$ref":"#/$defs/n","$defs":{"n":{"properties":{"next":{"$ref":"#/$defs/n"}},"required":["v"]}}}"##,
      .full),
    .init(
      ##"{"properties":{"next":{"$ref":"#"},"v":{"type":"integer"}}}"##,
      ##"{"properties":{"next":{"$ref":"#"},"v":{"type":"number"}}}"##, .backward, "type-widened"),
    .init(
      // No value fits, so that none can be tried.
      #"{"properties":{"a":false},"required":["a"],"type":"object"}"#, #"{"type":"string"}"#,
      .none, "member-removed", "type-changed"),
    .init(
      #"{"allOf":[{"minimum":1},{"maximum":5}]}"#, #"{"minimum":1,"maximum":5}"#, .full),
    .init(
      ##"{"$ref":"#x","$defs":{"a":{"$anchor":"x","type":"string"}}}"##, ##"{"type":"string"}"##,
      .full),
  ]

  static let registry: [ComparisonCase] = [
    // An optional member, closed content: new readers take what old writers left out.
    .init(
      #"{"type":"object","properties":{"a":{}},"additionalProperties":false}"#,
      #"{"type":"object","properties":{"a":{},"b":{"type":"string"}},"additionalProperties":false}"#,
      .backward, "member-added"),
    // The same in open content: an old value may hold another kind of 'b' already.
    .init(
      #"{"type":"object","properties":{"a":{}}}"#,
      #"{"type":"object","properties":{"a":{},"b":{"type":"string"}}}"#, .forward, "member-added"),
    // An optional member of any kind, open content.
    .init(
      #"{"type":"object","properties":{"a":{}}}"#,
      #"{"type":"object","properties":{"a":{},"b":{}}}"#,
      .full, "member-added"),
    // A required member.
    .init(
      #"{"properties":{"a":{}},"additionalProperties":false,"type":"object"}"#,
      #"{"properties":{"a":{},"b":{}},"required":["b"],"additionalProperties":false,"type":"object"}"#,
      .none, "member-added"),
    .init(
      #"{"type":"object"}"#, #"{"type":"object","properties":{"b":{}},"required":["b"]}"#, .forward,
      "member-added"),
    .init(
      #"{"properties":{"a":{}}}"#, #"{"properties":{"a":{}},"required":["a"]}"#, .forward,
      "became-required"),
    // A rename is a removal and an addition.
    .init(
      #"{"properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}"#,
      #"{"properties":{"b":{"type":"string"}},"required":["b"],"additionalProperties":false}"#,
      .none, "member-removed", "member-added"),
    // Where a schema is kept is no change.
    .init(
      ##"{"items":{"$ref":"#/$defs/x"},"$defs":{"x":{"type":"string","minLength":1}}}"##,
      ##"{"items":{"type":"string","minLength":1}}"##, .full),
    .init(
      #"{"x-archive":{"envelope":"codable"}}"#, #"{"x-archive":{"envelope":"dictionariable"}}"#,
      .none, "envelope-changed"),
    .init(
      #"{"x-archive":{"envelope":"codable"}}"#,
      #"{"x-archive":{"envelope":"codable","list":true}}"#,
      .backward, "envelope-changed"),
    .init(
      #"{"x-archive":{"envelope":"nscoding","classes":["A"]}}"#,
      #"{"x-archive":{"envelope":"nscoding","classes":["A","B"]}}"#, .backward, "envelope-changed"),
  ]
}
