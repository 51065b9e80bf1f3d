// The table of schemas that lenses are applied to.

import Migrations

extension SchemaLensTests {
  private static let point = #"""
    {"type": "object", "properties": {"x": {"type": "integer"}, "y": {"type": "string"}},
     "required": ["x"], "additionalProperties": false}
    """#

  static let cases = members + values

  private static let members: [SchemaLensCase] = [
    SchemaLensCase(
      "rename", #"[{"rename": {"source": "x", "destination": "z"}}]"#, of: point,
      gives: #"""
        {"type": "object", "properties": {"y": {"type": "string"}, "z": {"type": "integer"}},
         "required": ["z"], "additionalProperties": false}
        """#),
    SchemaLensCase(
      "rename", #"[{"rename": {"source": "z", "destination": "y"}}]"#, .backward, of: point,
      gives: #"""
        {"type": "object", "properties": {"x": {"type": "integer"}, "z": {"type": "string"}},
         "required": ["x"], "additionalProperties": false}
        """#),
    SchemaLensCase(
      "rename among counts, patterns and dependents",
      #"[{"rename": {"source": "a", "destination": "bb"}}]"#,
      of: #"""
        {"type": "object", "properties": {"a": {"type": "null"}},
         "patternProperties": {"^b": {"type": "string"}}, "additionalProperties": false,
         "minProperties": 1, "maxProperties": 2, "dependentRequired": {"a": ["b"], "b": ["a"]},
         "propertyNames": {"maxLength": 1}}
        """#,
      gives: #"""
        {"type": "object", "properties": {"bb": {"type": "null"}},
         "patternProperties": {"^b": true}, "additionalProperties": false,
         "minProperties": 1, "maxProperties": 2, "dependentRequired": {"bb": ["b"], "b": ["bb"]},
         "propertyNames": {"anyOf": [{"maxLength": 1}, {"enum": ["bb"]}]}}
        """#),
    SchemaLensCase(
      "add", #"[{"add": {"name": "z", "default": 3}}]"#, of: point,
      gives: #"""
        {"type": "object", "properties": {"x": {"type": "integer"}, "y": {"type": "string"},
           "z": {"type": "integer", "x-plist-type": "integer", "const": 3}},
         "required": ["x", "z"], "additionalProperties": false}
        """#),
    SchemaLensCase("add without default", #"[{"add": {"name": "z"}}]"#, of: point, gives: point),
    SchemaLensCase(
      "add", #"[{"add": {"name": "x", "default": 3}}]"#, .backward, of: point,
      gives: #"""
        {"type": "object", "properties": {"y": {"type": "string"}}, "additionalProperties": false}
        """#),
    SchemaLensCase(
      "remove of an open object", #"[{"remove": {"name": "x"}}]"#,
      of: #"{"type": "object", "required": ["x", "y"], "minProperties": 2}"#,
      gives: #"""
        {"type": "object", "properties": {"x": false}, "required": ["y"], "minProperties": 1}
        """#),
    SchemaLensCase(
      "remove", #"[{"remove": {"name": "z", "default": {"$date": "2001-01-01T00:00:00Z"}}}]"#,
      .backward, of: point,
      gives: #"""
        {"type": "object", "properties": {"x": {"type": "integer"}, "y": {"type": "string"},
           "z": {"type": "string", "x-plist-type": "date"}},
         "required": ["x", "z"], "additionalProperties": false}
        """#),
    SchemaLensCase(
      "hoist with prune", #"[{"hoist": {"host": "h", "name": "x", "prune": true}}]"#,
      of: #"""
        {"type": "object", "properties": {"h": \#(point)}, "required": ["h"],
         "additionalProperties": false}
        """#,
      gives: #"""
        {"type": "object", "properties": {"x": {"type": "integer"},
           "h": {"type": "object", "properties": {"y": {"type": "string"}},
             "additionalProperties": false, "minProperties": 1}},
         "required": ["x"], "additionalProperties": false}
        """#),
    SchemaLensCase(
      "hoist of an optional host", #"[{"hoist": {"host": "h", "name": "x"}}]"#,
      of: #"""
        {"type": "object", "properties": {"h": \#(point)}, "additionalProperties": false}
        """#,
      gives: #"""
        {"type": "object", "properties": {"x": {"type": "integer"},
           "h": {"type": "object", "properties": {"y": {"type": "string"}},
             "additionalProperties": false}},
         "additionalProperties": false}
        """#),
    SchemaLensCase(
      "plunge into a new host", #"[{"plunge": {"host": "h", "name": "x", "create": true}}]"#,
      of: point,
      gives: #"""
        {"type": "object", "properties": {"y": {"type": "string"},
           "h": {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"],
             "additionalProperties": false}},
         "required": ["h"], "additionalProperties": false}
        """#),
    SchemaLensCase(
      "hoist", #"[{"hoist": {"host": "h", "name": "y"}}]"#, .backward,
      of: #"""
        {"type": "object", "properties": {"h": {"type": "object", "additionalProperties": false},
           "y": {"type": "string"}}, "required": ["h", "y"], "additionalProperties": false}
        """#,
      gives: #"""
        {"type": "object", "properties": {"h": {"type": "object",
           "properties": {"y": {"type": "string"}}, "required": ["y"],
           "additionalProperties": false}}, "required": ["h"], "additionalProperties": false}
        """#),
    SchemaLensCase(
      "a reference is followed, others lead where they led",
      #"[{"in": {"name": "next", "lens": [{"rename": {"source": "x", "destination": "z"}}]}}]"#,
      of: #"""
        {"$id": "urn:list", "type": "object",
         "properties": {"x": {"type": "string"}, "next": {"$ref": "#"}},
         "additionalProperties": false}
        """#,
      gives: #"""
        {"type": "object", "properties": {"x": {"type": "string"},
           "next": {"type": "object", "properties": {"z": {"type": "string"},
             "next": {"$ref": "urn:list#/properties/next"}}, "additionalProperties": false}},
         "additionalProperties": false,
         "$defs": {"source": {"$id": "urn:list", "type": "object",
           "properties": {"x": {"type": "string"}, "next": {"$ref": "#"}},
           "additionalProperties": false}}}
        """#),
    SchemaLensCase(
      "each branch", #"[{"remove": {"name": "x"}}]"#,
      of: #"""
        {"type": "object", "required": ["x"],
         "oneOf": [{"properties": {"x": {"const": 1}}},
                   {"properties": {"x": {"const": 2}, "y": {"type": "null"}}}],
         "unevaluatedProperties": false}
        """#,
      gives: #"""
        {"anyOf": [{"type": "object", "additionalProperties": false},
          {"type": "object", "properties": {"y": {"type": "null"}},
           "additionalProperties": false}]}
        """#),
    SchemaLensCase(
      "schemas that hold together", #"[{"rename": {"source": "x", "destination": "z"}}]"#,
      of: #"""
        {"allOf": [{"type": "object", "required": ["x"]}, {"properties": {"x": {"minimum": 1}}}],
         "properties": {"x": {"type": "integer"}}}
        """#,
      gives: #"""
        {"type": "object", "properties": {"x": false,
           "z": {"allOf": [{"type": "integer"}, {"minimum": 1}]}}, "required": ["z"]}
        """#),
    SchemaLensCase(
      "false", #"[{"rename": {"source": "x", "destination": "z"}}]"#, of: "false", gives: "false"),
  ]

  private static func text(_ value: String) -> String {
    #"{"type": "object", "properties": {"x": \#(value)}, "required": ["x"]}"#
  }

  private static func convert(_ members: String) -> String {
    #"[{"convert": {"name": "x", \#(members)}}]"#
  }

  private static let values: [SchemaLensCase] = [
    SchemaLensCase(
      "wrap of a member that must be there", #"[{"wrap": {"name": "x"}}]"#,
      of: text(#"{"type": "string"}"#),
      gives: text(
        #"{"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 1}"#)),
    SchemaLensCase(
      "wrap of one that may be null", #"[{"wrap": {"name": "x"}}]"#,
      of: text(#"{"type": ["string", "null"]}"#),
      gives: text(#"{"type": "array", "items": {"type": "string"}, "maxItems": 1}"#)),
    SchemaLensCase(
      "wrap of the value", #"[{"wrap": {}}]"#, of: #"{"type": "string"}"#,
      gives: #"{"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 1}"#),
    SchemaLensCase(
      "head of a list with an element", #"[{"head": {"name": "x"}}]"#,
      of: text(#"{"type": "array", "prefixItems": [{"type": "string"}], "minItems": 1}"#),
      gives: text(#"{"type": "string"}"#)),
    SchemaLensCase(
      "head of a list that may be empty", #"[{"wrap": {"name": "x"}}]"#, .backward,
      of: text(#"{"type": "array", "items": {"type": "string"}}"#),
      gives: #"{"type": "object", "properties": {"x": {"type": "string"}}}"#),
    SchemaLensCase(
      "map over a list",
      #"[{"in": {"name": "x", "lens": [{"map": {"lens": [{"wrap": {}}]}}]}}]"#,
      of: text(
        #"{"type": "array", "items": {"type": "string"}, "minItems": 2, "uniqueItems": true}"#),
      gives: text(
        #"""
        {"type": "array", "items": {"type": "array", "items": {"type": "string"},
          "minItems": 1, "maxItems": 1}, "minItems": 2}
        """#)),
    SchemaLensCase(
      "map over a dictionary", #"[{"map": {"lens": [{"wrap": {}}]}}]"#,
      of: #"{"type": "object", "additionalProperties": {"type": "null"}}"#,
      gives: #"""
        {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "null"},
          "minItems": 1, "maxItems": 1}}
        """#),
    SchemaLensCase(
      "a table of the values that there are",
      convert(#""values": [[1, "one"], [2, "two"], [3, "three"]]"#),
      of: text(#"{"enum": [1, 2]}"#),
      gives: text(#"{"type": "string", "x-plist-type": "string", "enum": ["one", "two"]}"#)),
    SchemaLensCase(
      "a table backward", convert(#""values": [[1, "one"], [2, "two"]]"#), .backward,
      of: text(#"{"type": "string"}"#),
      gives: text(#"{"type": "integer", "x-plist-type": "integer", "enum": [1, 2]}"#)),
    SchemaLensCase(
      "integer to real", convert(#""sourceType": "integer", "destinationType": "real""#),
      of: text(#"{"type": "integer", "minimum": 1}"#),
      gives: text(#"{"type": "integer", "x-plist-type": "real", "minimum": 1}"#)),
    SchemaLensCase(
      "real to integer", convert(#""sourceType": "integer", "destinationType": "real""#),
      .backward, of: text(#"{"type": "number", "exclusiveMinimum": 0.5, "maximum": 9.5}"#),
      gives: text(
        #"{"type": "integer", "x-plist-type": "integer", "minimum": 0, "maximum": 10}"#)),
    SchemaLensCase(
      "stored integer to string",
      convert(#""sourceType": "integer", "destinationType": "string""#),
      of: text(#"{"type": "integer", "x-plist-type": "integer"}"#),
      gives: text(
        #"{"type": "string", "x-plist-type": "string", "minLength": 1, "pattern": "^-?[0-9]+$"}"#)),
    SchemaLensCase(
      "boolean to string", convert(#""sourceType": "boolean", "destinationType": "string""#),
      of: text(#"{"type": "boolean"}"#),
      gives: text(#"{"type": "string", "x-plist-type": "string", "enum": ["false", "true"]}"#)),
    SchemaLensCase(
      "text to date and null",
      convert(#""sourceType": "string", "destinationType": "date", "format": "iso8601""#),
      of: text(#"{"type": ["string", "null"]}"#),
      gives: text(
        #"{"anyOf": [{"type": "null"}, {"type": "string", "x-plist-type": "date"}]}"#)),
    SchemaLensCase(
      "data to Base64", convert(#""sourceType": "data", "destinationType": "base64""#),
      of: text(#"{"type": "string", "x-plist-type": "data", "minLength": 4}"#),
      gives: text(#"{"type": "string", "x-plist-type": "string", "minLength": 4}"#)),
    SchemaLensCase(
      "date to number",
      convert(#""sourceType": "date", "destinationType": "integer", "format": "unix""#),
      of: text(#"{"type": "string", "x-plist-type": "date"}"#),
      gives: text(#"{"type": "integer", "x-plist-type": "integer"}"#)),
  ]
}
