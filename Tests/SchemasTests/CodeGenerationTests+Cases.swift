// Schemas that are hard to express in Swift, with values that fit them.

import TestSupport

extension CodeGenerationTests {
  static let nasty: [Written] = [
    Written(
      typeName: "Keywords", schema: record(keywords.map { ($0, "{\"type\": \"integer\"}") }),
      samples: [.dictionary(keywords.enumerated().map { ($0.element, .integer(Int64($0.offset))) })]
    ),
    Written(
      typeName: "OddNames",
      schema: record(oddNames.map { (escaped($0), "{\"type\": \"string\"}") }),
      samples: [.dictionary(oddNames.map { ($0, .string("of \($0)")) })]),
    Written(
      typeName: "OddStrings",
      schema: """
        {"type": "object", "properties": {"kind": {"enum": ["default", "self", "init", "allCases",
        "none", "C", "c", "1st", "", "☀️", "a b", "a-b", "a_b", "q\\"\\\\\\n\\u202e", "\(long)"]},
        "maybe": {"enum": ["x", null]}, "one": {"const": "x"}, "mixed": {"enum": ["x", 1]}},
        "required": ["kind"]}
        """,
      samples: [
        .dictionary([("kind", .string("default")), ("one", .string("x")), ("mixed", .integer(1))]),
        .dictionary([("kind", .string("q\"\\\n\u{202E}")), ("mixed", .string("y"))]),
        .dictionary([("kind", .string("")), ("maybe", .string("x"))]),
        .dictionary([("kind", .string(long))]),
      ]),
    Written(
      typeName: "FoundationTypes",
      schema: """
        {"type": "object", "x-archive": {"envelope": "codable"}, "additionalProperties": false,
        "properties": {"url": {"$ref": "#/$defs/Url"}, "bases": {"type": "array", "items": {
        "type": "object", "additionalProperties": false, "required": ["relative"],
        "properties": {"relative": {"type": "string"}, "base": {"$ref": "#/$defs/Url"}}}},
        "price": {"type": "object", "additionalProperties": false, "properties": {
        "exponent": {"type": "integer"}, "isCompact": {"type": "boolean"},
        "isNegative": {"type": "boolean"}, "length": {"type": "integer"},
        "mantissa": {"type": "array", "items": {"type": "integer"}}},
        "required": ["exponent", "isCompact", "isNegative", "length", "mantissa"]},
        "tags": {"type": "array", "uniqueItems": true, "items": {"type": "object",
        "properties": {"kind": {"enum": ["a", "b"]}}, "required": ["kind"]}}},
        "$defs": {"Url": {"type": "object", "properties": {"relative": {"type": "string"}},
        "required": ["relative"], "additionalProperties": false}}}
        """,
      samples: [
        .dictionary([
          ("url", .dictionary([("relative", .string("https://example.com/a"))])),
          (
            "bases",
            .array([
              .dictionary([
                ("relative", .string("b")),
                ("base", .dictionary([("relative", .string("https://example.com/"))])),
              ])
            ])
          ),
          (
            "price",
            .dictionary([
              ("exponent", .integer(-2)), ("isCompact", .boolean(true)),
              ("isNegative", .boolean(false)), ("length", .integer(1)),
              ("mantissa", .array([1999, 0, 0, 0, 0, 0, 0, 0].map { .integer($0) })),
            ])
          ),
          ("tags", .array([.dictionary([("kind", .string("a"))])])),
        ])
      ]),
    Written(
      typeName: "Types",
      schema: """
        {"type": "object", "description": "All types! More of it,\\nwith */ and lines.\\u2028\(long) \(long)",
        "properties": {
        "Date": {"type": "string", "x-plist-type": "date", "description": "When"},
        "Data": {"type": "string", "x-plist-type": "data"},
        "String": {"type": "object", "properties": {"Int": {"type": "integer"}}},
        "real": {"type": "number"}, "whole": {"type": "number", "x-plist-type": "integer"},
        "large": {"type": "integer", "minimum": 0, "maximum": 18446744073709551615},
        "flag": {"type": "boolean"}, "nothing": {"type": "null"}, "anything": {},
        "all": true, "never": false, "list": {"type": "array"}, "empty": {"type": "object",
        "additionalProperties": false}, "map": {"type": "object"},
        "maps": {"type": "object", "additionalProperties": {"type": "object",
          "additionalProperties": {"type": "string", "x-plist-type": "date"}}},
        "patterns": {"patternProperties": {"^a": {"type": "integer"}, "^b": {"type": "string"}}},
        "pair": {"prefixItems": [{"type": "integer"}, {"type": "string"}]},
        "lists": {"type": "array", "items": {"type": "array", "items": {"type": "number"}}}},
        "required": ["Date", "nothing2"]}
        """,
      samples: [
        .dictionary([("Date", .date(0))]),
        .dictionary([
          ("Date", .date(1)), ("Data", .data([1, 2])),
          ("String", .dictionary([("Int", .integer(1))])),
          ("real", .real(1.5)), ("whole", .integer(3)), ("large", .unsigned(.max)),
          ("flag", .boolean(true)),
          ("anything", .array([.date(0), .dictionary([("a", .real(0.5))])])),
          ("all", .integer(3)), ("list", .array([.string("x"), .boolean(false), .data([0])])),
          ("empty", .dictionary([])), ("map", .dictionary([("x", .string("y"))])),
          ("maps", .dictionary([("a", .dictionary([("b", .date(5))]))])),
          ("patterns", .dictionary([("a", .integer(1)), ("b", .string("x"))])),
          ("pair", .array([.integer(1), .string("x")])),
          ("lists", .array([.array([.real(1.5)]), .array([])])),
        ]),
      ]),
    Written(
      typeName: "Tree",
      schema: """
        {"$ref": "#/$defs/node", "$defs": {"node": {"type": "object", "properties": {
        "value": {"type": "integer"}, "next": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]},
        "children": {"type": "array", "items": {"$ref": "#/$defs/node"}},
        "other": {"$ref": "#/$defs/other"}, "either": {"$ref": "#/$defs/either"}}, "required": ["value"]},
        "other": {"type": "object", "properties": {"back": {"$ref": "#/$defs/node"},
          "leaf": {"$ref": "#/$defs/leaf"}}},
        "either": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#/$defs/either"}},
          {"$ref": "#/$defs/either2"}]}, "either2": {"anyOf": [{"type": "boolean"},
          {"$ref": "#/$defs/other"}]},
        "leaf": {"type": "object", "properties": {"a%b c": {"type": "integer"}}}}}
        """,
      samples: [
        .dictionary([
          ("value", .integer(1)), ("next", .dictionary([("value", .integer(2))])),
          ("children", .array([.dictionary([("value", .integer(3))])])),
          (
            "other",
            .dictionary([
              ("back", .dictionary([("value", .integer(4))])),
              ("leaf", .dictionary([("a%b c", .integer(5))])),
            ])
          ),
          ("either", .array([.string("x"), .array([.string("y")])])),
        ])
      ]),
    Written(
      typeName: "Choices",
      schema: """
        {"type": "object", "properties": {
        "flag": {"type": ["integer", "boolean"], "minimum": 0, "maximum": 1},
        "number": {"type": ["number", "boolean", "null"]},
        "count": {"type": ["integer", "number", "string"]},
        "shape": {"oneOf": [{"properties": {"x": {"type": "integer"}}},
          {"type": "object", "properties": {"radius": {"type": "number"}},
          "required": ["radius"]}, {"type": "object", "properties": {"side": {"type": "number"}},
          "required": ["side"]}, {"type": "array", "items": {"type": "string"}},
          {"type": "array", "items": {"type": "integer"}}]},
        "when": {"anyOf": [{"type": "string"}, {"type": "string", "x-plist-type": "date"},
          {"type": "string", "x-plist-type": "data"}]},
        "same": {"anyOf": [{"type": "string", "format": "uri"}, {"type": "string"}]}},
        "required": ["flag"]}
        """,
      samples: [
        .dictionary([("flag", .boolean(true)), ("number", .real(2.5)), ("when", .date(0))]),
        .dictionary([("flag", .integer(1)), ("number", .boolean(false)), ("when", .string("soon"))]
        ),
        .dictionary([("flag", .integer(0)), ("shape", .dictionary([("side", .real(2.5))]))]),
        .dictionary([("flag", .integer(0)), ("count", .integer(9_007_199_254_740_993))]),
        .dictionary([("flag", .integer(0)), ("count", .real(0.5))]),
        .dictionary([
          ("flag", .integer(0)), ("shape", .array([.integer(2)])), ("same", .string("a")),
        ]),
        .dictionary([
          ("flag", .integer(0)), ("shape", .array([.string("x")])), ("when", .data([1])),
        ]),
      ]),
    Written(
      typeName: "Identifiers",
      schema: """
        {"type": "object", "properties": {"id": {"type": "string", "format": "uuid"},
        "UUID": {"type": "object", "properties": {"a": {"type": "integer"}}},
        "either": {"anyOf": [{"type": "string"}, {"type": "string", "format": "uuid"}]}},
        "required": ["id"]}
        """,
      samples: [
        .dictionary([
          ("id", .string("6F1C1C1E-0000-4000-8000-0000000000AB")),
          ("UUID", .dictionary([("a", .integer(1))])), ("either", .string("x")),
        ])
      ]),
    Written(
      typeName: "Numbers",
      schema:
        "{\"type\": \"array\", \"title\": \"Some numbers\", \"items\": {\"type\": \"integer\"}}",
      samples: [.array([.integer(1), .integer(-2)])]),
    Written(
      typeName: "Points",
      schema: """
        {"type": "array", "items": {"type": "object", "properties": {"x": {"type": "number"}}}}
        """,
      samples: [.array([.dictionary([("x", .real(1.5))]), .dictionary([])])]),
  ]

  private static let long = String(repeating: "long text ", count: 12)

  private static let keywords = [
    "class", "default", "self", "init", "import", "in", "is", "Type", "Protocol", "Self", "Any",
    "await", "async", "some", "any", "throws", "true", "nil", "where", "repeat", "operator", "get",
    "set", "didSet", "extension", "stringValue", "intValue", "hashValue", "decoder", "encoder",
    "container", "left", "right", "CodingKeys", "description", "inout", "super", "case", "var",
  ]

  private static let oddNames = [
    "a b", "a-b", "a_b", "aB", "AB", "☀️", "🌦", "1st", "2", "", "日本", "_id", "ID", "URLString",
    "a\"b", "é", "e", String(repeating: "long key ", count: 12), "x\u{202E}y",
  ]

  private static func escaped(_ text: String) -> String {
    text.replacing("\"", with: "\\\"")
  }

  /// A schema of a record, all of whose members are required.
  private static func record(_ members: [(String, String)]) -> String {
    let properties = members.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ")
    let required = members.map { "\"\($0.0)\"" }.joined(separator: ", ")
    return "{\"type\": \"object\", \"properties\": {\(properties)}, \"required\": [\(required)]}"
  }
}
