// The table of lenses between versions.

import Migrations

extension LensProofTests {
  private static func object(_ members: String, required: String = "[]") -> String {
    #"""
    {"type": "object", "properties": {\#(members)}, "required": \#(required),
     "additionalProperties": false}
    """#
  }

  private static let count = object(#""count": {"type": "integer"}"#, required: #"["count"]"#)

  static let cases = proved + open + inapplicable + written + shapeCases

  private static let proved: [LensProofCase] = [
    LensProofCase(
      name: "an open object that has no such member",
      source: #"{"type": "object", "properties": {"a": {"type": "string"}, "b": false}}"#,
      target: #"{"type": "object", "properties": {"b": {"type": "string"}, "a": false}}"#,
      lens: #"[{"rename": {"source": "a", "destination": "b"}}]"#),
    LensProofCase(
      name: "constants", source: object(#""a": {"const": 1}, "b": {"enum": [true, false]}"#),
      target: object(#""a": {"const": "1"}, "b": {"enum": [0, 1]}"#),
      lens: #"""
        [{"convert": {"name": "a", "sourceType": "integer", "destinationType": "string"}},
         {"convert": {"name": "b", "sourceType": "boolean", "destinationType": "integer"}}]
        """#),
    LensProofCase(
      name: "integers between bounds",
      source: object(#""a": {"type": "integer", "minimum": 0, "maximum": 2}"#),
      target: object(#""a": {"enum": ["z", "o", "t"]}"#),
      lens: #"""
        [{"convert": {"name": "a", "values": [[0, "z"], [1, "o"], [2, "t"]]}}]
        """#),
    LensProofCase(
      name: "an else", source: object(#""a": {"type": ["integer", "string"]}"#),
      target: object(#""a": {"enum": ["z", "odd"]}"#),
      lens: #"[{"convert": {"name": "a", "values": [[0, "z"]], "else": "odd"}}]"#),
    LensProofCase(
      name: "lists whose elements differ after a rename",
      source: object(
        #""l": {"type": "array", "uniqueItems": true, "items": \#(object(#""a": {"type": "string"}"#))}"#
      ),
      target: object(
        #""l": {"type": "array", "uniqueItems": true, "items": \#(object(#""b": {"type": "string"}"#))}"#
      ),
      lens: #"""
        [{"in": {"name": "l", "lens": [{"map": {"lens": [
          {"rename": {"source": "a", "destination": "b"}}]}}]}}]
        """#),
    LensProofCase(
      name: "every member finds its place",
      source: object(
        #""n": {"type": "string"}, "note": {"type": "string"}"#, required: #"["n"]"#),
      target: object(
        #""name": {"type": "string"}, "tags": {"type": "array"}"#,
        required: #"["name", "tags"]"#),
      lens: #"""
        [{"rename": {"source": "n", "destination": "name"}}, {"remove": {"name": "note"}},
         {"add": {"name": "tags", "default": []}}]
        """#),
    LensProofCase(
      name: "an integer becomes a whole real",
      source: object(#""a": {"type": "integer", "multipleOf": 5}"#),
      target: object(#""a": {"type": "integer", "x-plist-type": "real", "multipleOf": 5}"#),
      lens:
        #"[{"convert": {"name": "a", "sourceType": "integer", "destinationType": "real"}}]"#),
    LensProofCase(
      name: "multiples of an integer become integers",
      source: object(#""a": {"type": "number", "multipleOf": 5}"#),
      target: object(#""a": {"type": "integer", "multipleOf": 5}"#),
      lens:
        #"[{"convert": {"name": "a", "sourceType": "real", "destinationType": "integer"}}]"#),
    LensProofCase(
      name: "members of two patterns",
      source: #"""
        {"type": "object", "patternProperties": {"^a": {"type": "integer"},
          "^b": {"type": "integer"}}, "additionalProperties": false}
        """#,
      target: #"""
        {"type": "object", "patternProperties": {"^a": {"type": "string"},
          "^b": {"type": "string"}}, "additionalProperties": false}
        """#,
      lens: #"""
        [{"map": {"lens": [{"convert": {"sourceType": "integer", "destinationType": "string"}}]}}]
        """#),
    LensProofCase(
      name: "a lens into recursion",
      source: #"""
        {"$id": "urn:a", "type": "object", "properties": {"v": {"type": "integer"},
          "next": {"$ref": "#"}}, "required": ["v"], "additionalProperties": false}
        """#,
      target: #"""
        {"$id": "urn:b", "type": "object", "properties": {"w": {"type": "integer"},
          "next": {"$ref": "urn:a2"}}, "required": ["w"], "additionalProperties": false,
         "$defs": {"a": {"$id": "urn:a2", "type": "object",
           "properties": {"v": {"type": "integer"}, "next": {"$ref": "#"}}, "required": ["v"],
           "additionalProperties": false}}}
        """#,
      lens: #"[{"rename": {"source": "v", "destination": "w"}}]"#),
  ]

  private static let open: [LensProofCase] = [
    LensProofCase(
      name: "a type that is not converted",
      source: object(#""n": {"type": "string"}"#, required: #"["n"]"#), target: count,
      lens: #"[{"add": {"name": "z"}}, {"rename": {"source": "n", "destination": "count"}}]"#,
      problems: [("$.count", "/lens/1", "it may be string, where only integer is allowed")]),
    LensProofCase(
      name: "a member that the lens forgets",
      source: object(#""a": {"type": "string"}, "b": {"type": "string"}"#),
      target: object(#""a": {"type": "string"}"#), lens: "[]",
      problems: [("$.b", nil, "it may be present, which is not allowed")]),
    LensProofCase(
      name: "an absent member whose way back has no default",
      source: "{\"type\": \"object\", \"additionalProperties\": false}", target: count,
      lens: #"[{"remove": {"name": "count"}}]"#, direction: .backward,
      problems: [("$.count", "/lens/0", "'count' may be absent, where it is required")]),
    LensProofCase(
      name: "an operation within lists",
      source: object(#""l": {"type": "array", "items": {"enum": [1, 2]}}"#),
      target: object(#""l": {"type": "array", "items": {"enum": ["one"]}}"#),
      lens: #"""
        [{"in": {"name": "l", "lens": [{"map": {"lens": [
          {"convert": {"values": [[1, "one"], [2, "two"]]}}]}}]}}]
        """#,
      problems: [("$.l[*]", "/lens/0/in/lens/0/map/lens/0", #"it may be "two""#)]),
  ]

  private static func inapplicable(
    _ name: String, _ lens: String, _ path: String, _ message: String
  ) -> LensProofCase {
    LensProofCase(
      name: name,
      source: object(
        #""a": {"type": "string"}, "b": {"type": "integer"}, "l": {"type": "array"}, "o": \#(count)"#
      ), target: "{\"type\": \"object\"}", lens: "[\(lens)]", problems: [(path, "/lens/0", message)]
    )
  }

  private static let inapplicable: [LensProofCase] = [
    inapplicable(
      "rename of nothing", #"{"rename": {"source": "x", "destination": "y"}}"#, "$",
      "no member 'x'"),
    inapplicable(
      "rename onto a member", #"{"rename": {"source": "a", "destination": "b"}}"#, "$.b",
      "there may be a member 'b' already"),
    inapplicable(
      "add of a member that is there", #"{"add": {"name": "a"}}"#, "$.a",
      "there may be a member 'a' already"),
    inapplicable("remove of nothing", #"{"remove": {"name": "x"}}"#, "$", "no member 'x'"),
    inapplicable(
      "hoist out of text", #"{"hoist": {"host": "a", "name": "x"}}"#, "$.a",
      "it may be string, but an object is required"),
    inapplicable(
      "hoist of nothing", #"{"hoist": {"host": "o", "name": "x"}}"#, "$",
      "no member 'o' with a member 'x'"),
    inapplicable(
      "plunge of nothing", #"{"plunge": {"host": "o", "name": "x"}}"#, "$",
      "no member 'x'"),
    inapplicable(
      "plunge into text", #"{"plunge": {"host": "a", "name": "b"}}"#, "$.a",
      "it may be string, but an object is required"),
    inapplicable(
      "head of text", #"{"head": {"name": "a"}}"#, "$.a",
      "it may be string, but a list is required"),
    inapplicable(
      "convert of nothing",
      #"{"convert": {"name": "x", "sourceType": "integer", "destinationType": "real"}}"#, "$",
      "no member 'x'"),
    inapplicable(
      "convert of a list",
      #"{"convert": {"name": "l", "sourceType": "integer", "destinationType": "real"}}"#, "$.l",
      "it may be array, but a number is required"),
    LensProofCase(
      name: "map over text", source: object(#""a": {"type": "string"}"#), target: "{}",
      lens: #"[{"in": {"name": "a", "lens": [{"map": {"lens": []}}]}}]"#,
      problems: [("$.a", "/lens/0/in/lens/0", "it may be string, but a list or an object")]),
    LensProofCase(
      name: "a value that the table lacks", source: object(#""a": {"enum": ["x", "y"]}"#),
      target: "{}", lens: #"[{"convert": {"name": "a", "values": [["x", 1]]}}]"#,
      problems: [("$.a", "/lens/0", #"it may be "y", which the conversion does not cover"#)]),
    LensProofCase(
      name: "an integer that the table lacks",
      source: object(#""a": {"type": "integer", "minimum": 0, "exclusiveMaximum": 2.5}"#),
      target: "{}", lens: #"[{"convert": {"name": "a", "values": [[0, "x"], [1, "y"]]}}]"#,
      problems: [("$.a", "/lens/0", "it may be 2, which the conversion does not cover")]),
    LensProofCase(
      name: "integers without end", source: object(#""a": {"type": "integer", "minimum": 0}"#),
      target: "{}", lens: #"[{"convert": {"name": "a", "values": [[0, "x"], [1, "y"]]}}]"#,
      problems: [("$.a", "/lens/0", "it may be 2, which the conversion does not cover")]),
    LensProofCase(
      name: "strings that the table lacks", source: object(#""a": {"type": "string"}"#),
      target: "{}", lens: #"[{"convert": {"name": "a", "values": [["x", 1]]}}]"#,
      problems: [("$.a", "/lens/0", "it may be any string, but the table has only a few")]),
    LensProofCase(
      name: "true beside the integers of a table",
      source: object(#""a": {"type": ["boolean", "integer"], "minimum": 0, "maximum": 1}"#),
      target: "{}", lens: #"[{"convert": {"name": "a", "values": [[0, "x"], [1, "y"]]}}]"#,
      problems: [("$.a", "/lens/0", "it may be false, true, which the conversion")]),
    LensProofCase(
      name: "rename onto a member that is not named",
      source: #"{"type": "object", "properties": {"a": {"type": "string"}}}"#, target: "{}",
      lens: #"[{"rename": {"source": "a", "destination": "b"}}]"#,
      problems: [("$.b", "/lens/0", "there may be a member 'b' already as an additional")]),
    LensProofCase(
      name: "add of a member that is not named", source: #"{"type": "object"}"#, target: "{}",
      lens: #"[{"add": {"name": "b", "default": 1}}]"#,
      problems: [("$.b", "/lens/0", "there may be a member 'b' already as an additional")]),
    LensProofCase(
      name: "a list that may be empty", source: #"{"type": "array"}"#, target: "{}",
      lens: #"[{"head": {}}]"#,
      problems: [("$", "/lens/0", "the list may be empty")]),
    LensProofCase(
      name: "a list at the root", source: count,
      target: #"{"type": "array", "items": \#(count)}"#, lens: #"[{"wrap": {}}]"#,
      problems: [("$", "/lens/0", "it becomes a list at the root")]),
    LensProofCase(
      name: "a list at the root on the way back", source: #"{"type": "array", "minItems": 1}"#,
      target: "{}", lens: #"[{"wrap": {}}]"#, direction: .backward,
      problems: [("$", "/lens/0", "a list at the root is read as a list of models")]),
    LensProofCase(
      name: "a reference that is not followed",
      source: ##"""
        {"$dynamicAnchor": "a", "type": "object", "properties": {"a": {"$dynamicRef": "#a"}}}
        """##,
      target: "{}", lens: ##"[{"in": {"name": "a", "lens": [{"remove": {"name": "x"}}]}}]"##,
      problems: [
        ("$.a", "/lens/0/in/lens/0", "cannot be proved: '$dynamicRef' is not followed")
      ]),
  ]

  /// Numbers, dates and null in the envelope of the target.
  private static let written: [LensProofCase] = [
    LensProofCase(
      name: "numbers take the target's types",
      source: object(
        #"""
        "flag": {"type": ["boolean", "integer"], "minimum": 0, "maximum": 1},
        "count": {"type": ["integer", "boolean"]}, "part": {"type": ["number", "boolean"]},
        "null": {"type": ["string", "null"]}
        """#),
      target: object(
        #"""
        "flag": {"type": "boolean"}, "count": {"type": "integer"}, "part": {"type": "number"},
        "null": {"type": "string"}
        """#),
      lens: "[]", envelopes: ("dictionariable", "codable")),
    LensProofCase(
      name: "numbers beyond 1 are no booleans",
      source: object(#""flag": {"type": ["boolean", "integer"], "minimum": 0}"#),
      target: object(#""flag": {"type": "boolean"}"#), lens: "[]",
      envelopes: ("dictionariable", "codable"),
      problems: [("$.flag", nil, "it may be integer, where only boolean is allowed")]),
    LensProofCase(
      name: "a keyed archive keeps numbers as they are",
      source: object(#""count": {"type": ["integer", "boolean"]}"#),
      target: count.replacing(
        #"["count"]"#, with: "[]"), lens: "[]", envelopes: ("codable", "dictionariable"),
      problems: [("$.count", nil, "it may be boolean, where only integer is allowed")]),
    LensProofCase(
      name: "JSON has the dates that its schema names",
      source: object(#""when": {"type": "string", "x-plist-type": "date"}"#),
      target: object(#""when": {"type": "string", "x-plist-type": "date"}"#), lens: "[]",
      envelopes: ("codable", "json")),
    LensProofCase(
      name: "JSON has no dates where its schema names data",
      source: object(#""when": {"type": "string", "x-plist-type": "date"}"#),
      target: object(#""when": {"type": "string", "x-plist-type": "data"}"#), lens: "[]",
      envelopes: ("codable", "json"),
      problems: [("$.when", nil, "it may be text, where only data")]),
    LensProofCase(
      name: "the cause in the only branch that comes into question is named",
      source: object(
        #""a": {"anyOf": [{"type": "null"}, {"type": "object", "properties": {"u": {"type": "array", "items": {"type": "string"}}}}]}"#
      ),
      target: object(
        #""a": {"anyOf": [{"type": "null"}, {"type": "object", "properties": {"u": {"type": "array", "items": {"type": "integer"}}}}]}"#
      ),
      lens: "[]", envelopes: ("json", "json"),
      problems: [("$.a.u[*]", nil, "it may be string, where only integer is allowed")]),
    LensProofCase(
      name: "JSON has null",
      source: object(
        #""a": {"type": ["string", "null"]}, "l": {"items": {"type": ["integer", "null"]}}"#,
        required: #"["a"]"#),
      target: object(
        #""a": {"type": ["string", "null"]}, "l": {"items": {"type": ["integer", "null"]}}"#,
        required: #"["a"]"#), lens: "[]", envelopes: ("json", "json")),
    LensProofCase(
      name: "null in a list stays null",
      source: object(#""l": {"type": "array", "items": {"type": ["integer", "null"]}}"#),
      target: object(#""l": {"type": "array", "items": {"type": "integer"}}"#), lens: "[]",
      envelopes: ("dictionariable", "codable"),
      problems: [("$.l[*]", nil, "it may be null, where only integer is allowed")]),
    LensProofCase(
      name: "a member that is marked as null is written so again",
      source: object(#""a": {"type": ["string", "null"]}"#),
      target: object(#""a": {"type": "string"}"#), lens: "[]", envelopes: ("plist", "codable"),
      problems: [("$.a", nil, "it may be null, where only string is allowed")]),
    LensProofCase(
      name: "a member that is null is left out",
      source: object(#""a": {"type": ["string", "null"]}"#, required: #"["a"]"#),
      target: object(#""a": {"type": ["string", "null"]}"#, required: #"["a"]"#), lens: "[]",
      envelopes: ("json", "plist"),
      problems: [("$.a", nil, "'a' may be absent, where it is required")]),
  ]
}
