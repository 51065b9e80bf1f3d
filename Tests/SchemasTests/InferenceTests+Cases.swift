// Examples with the schemas that are derived from them.

import ArchiveSchemas

extension InferenceTests {
  static let cases: [Case] = [
    Case(
      name: "required members are those of every example",
      examples: ["{\"a\": 1, \"b\": \"x\"}", "{\"a\": 2}"],
      schema: """
        {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string", "x-plist-type": "string"}},
        "required": ["a"], "additionalProperties": false}
        """),
    Case(
      name: "open", examples: ["{\"a\": null}"],
      schema:
        "{\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"null\"}}, \"required\": [\"a\"]}",
      options: options { $0.isOpen = true }),
    Case(
      name: "several types",
      examples: [
        "{\"a\": 1, \"b\": 1, \"c\": 1}", "{\"a\": 2.5, \"b\": true, \"c\": null}",
        "{\"a\": 1, \"b\": 3, \"c\": [1]}",
      ],
      schema: """
        {"type": "object", "properties": {"a": {"type": "number"},
        "b": {"type": ["integer", "boolean"]},
        "c": {"type": ["array", "integer", "null"], "items": {"type": "integer"}}},
        "required": ["a", "b", "c"], "additionalProperties": false}
        """),
    Case(
      name: "elements are merged",
      examples: ["{\"a\": [{\"b\": 1}, {\"b\": 2, \"c\": []}]}", "{\"a\": []}"],
      schema: """
        {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "object",
        "properties": {"b": {"type": "integer"}, "c": {"type": "array"}},
        "required": ["b"], "additionalProperties": false}}},
        "required": ["a"], "additionalProperties": false}
        """),
    Case(
      name: "a list of models", examples: ["[{\"a\": 1}, {\"a\": 2}]", "{\"a\": 3}", "[]"],
      schema: """
        {"x-archive": {"envelope": "json", "list": true}, "type": "object",
        "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": false}
        """),
    Case(
      name: "a list of anything", examples: ["[{\"a\": 1}, {\"a\": 2}]", "[3]", "[]"],
      schema: """
        {"type": "array", "items": {"type": ["object", "integer"],
        "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": false}}
        """),
    Case(
      name: "ranges", examples: ["{\"a\": -1, \"b\": \"é\", \"c\": [1.5, 3]}"],
      schema: """
        {"type": "object", "properties": {"a": {"type": "integer", "minimum": -1, "maximum": -1},
        "b": {"type": "string", "x-plist-type": "string", "minLength": 1, "maxLength": 1},
        "c": {"type": "array", "items": {"type": "number", "minimum": 1.5, "maximum": 3},
        "minItems": 2, "maxItems": 2}},
        "required": ["a", "b", "c"], "additionalProperties": false}
        """, options: options { $0.hasRanges = true }),
    Case(
      name: "few strings", examples: [repeated("\"C\", \"F\"", 10), repeated("\"K\", null", 3)],
      schema: """
        {"type": "array", "items": {"type": ["string", "null"],
          "x-plist-type": ["string", "null"], "enum": ["C", "F", "K", null]}}
        """),
    Case(
      name: "too few strings", examples: [repeated("\"C\"", 19)],
      schema:
        "{\"type\": \"array\", \"items\": {\"type\": \"string\", \"x-plist-type\": \"string\"}}"),
    Case(
      name: "strings that are rare", examples: [repeated("\"C\"", 30), "[\"F\", \"F\"]"],
      schema:
        "{\"type\": \"array\", \"items\": {\"type\": \"string\", \"x-plist-type\": \"string\"}}"),
    Case(
      name: "no enumerations", examples: [repeated("\"C\"", 30)],
      schema:
        "{\"type\": \"array\", \"items\": {\"type\": \"string\", \"x-plist-type\": \"string\"}}",
      options: options { $0.enumValues = 0 }),
    Case(
      name: "booleans stored as numbers", examples: [repeated("1, 0, true", 10)],
      schema: """
        {"type": "array", "items": {"type": ["integer", "boolean"], "minimum": 0, "maximum": 1}}
        """),
    Case(
      name: "formats", examples: ["[\"2019-04-06\", \"2000-02-29\"]", "[\"2026-01-01\"]"],
      schema:
        "{\"type\": \"array\", \"items\": {\"type\": \"string\", \"x-plist-type\": \"string\", \"format\": \"date\"}}",
      options: options { $0.formats = [.time, .date] }),
    Case(
      name: "not all of one format",
      examples: ["[\"2019-04-06\", \"2000-02-29\"]", "[\"2026-13-01\"]"],
      schema:
        "{\"type\": \"array\", \"items\": {\"type\": \"string\", \"x-plist-type\": \"string\"}}",
      options: options { $0.formats = [.time, .date] }),
    Case(
      name: "maps", examples: (0..<8).map { "{\"m\": {\"k\($0)\": [1], \"l\($0)\": [\($0).5]}}" },
      schema: """
        {"type": "object", "properties": {"m": {"type": "object",
        "additionalProperties": {"type": "array", "items": {"type": "number"}}}},
        "required": ["m"], "additionalProperties": false}
        """, options: options { $0.mapNames = 8 }),
    Case(
      name: "a huge map in one example",
      examples: ["{" + (0..<2000).map { "\"k\($0)\": \($0)" }.joined(separator: ",") + "}"],
      schema: "{\"type\": \"object\", \"additionalProperties\": {\"type\": \"integer\"}}"),
    Case(
      name: "equal shapes stand once",
      examples: [
        "{\"t\": {\"Metric\": {\"v\": 1, \"u\": \"C\"}, \"Imperial\": {\"v\": 1.5, \"u\": \"F\"}}}"
      ],
      schema: """
        {"type": "object", "properties": {"t": {"type": "object", "properties": {
        "Metric": {"$ref": "#/$defs/ImperialOrMetric"},
        "Imperial": {"$ref": "#/$defs/ImperialOrMetric"}},
        "required": ["Metric", "Imperial"], "additionalProperties": false}},
        "required": ["t"], "additionalProperties": false,
        "$defs": {"ImperialOrMetric": {"type": "object", "properties": {"v": {"type": "number"},
        "u": {"type": "string", "x-plist-type": "string"}}, "required": ["v", "u"], "additionalProperties": false}}}
        """),
    Case(
      name: "equal shapes of one name",
      examples: [
        """
        {"a": {"pay loads": [{"x": 1, "y": "s"}], "z": 1}, "b": {"pay loads": [{"x": 2, "y": "t"}]}}
        """
      ],
      schema: """
        {"type": "object", "properties": {"a": {"type": "object", "properties": {
        "pay loads": {"type": "array", "items": {"$ref": "#/$defs/PayLoad"}},
        "z": {"type": "integer"}},
        "required": ["pay loads", "z"], "additionalProperties": false},
        "b": {"type": "object", "properties": {
        "pay loads": {"type": "array", "items": {"$ref": "#/$defs/PayLoad"}}},
        "required": ["pay loads"], "additionalProperties": false}},
        "required": ["a", "b"], "additionalProperties": false,
        "$defs": {"PayLoad": {"type": "object", "properties": {"x": {"type": "integer"},
        "y": {"type": "string", "x-plist-type": "string"}}, "required": ["x", "y"], "additionalProperties": false}}}
        """),
  ]

  private static func options(
    _ change: (inout SchemaInference.Options) -> Void
  ) -> SchemaInference.Options {
    var options = SchemaInference.Options()
    change(&options)
    return options
  }

  private static func repeated(_ text: String, _ count: Int) -> String {
    "[" + Array(repeating: text, count: count).joined(separator: ", ") + "]"
  }
}
