// The table of lenses between versions.

import ArchiveMigrations

extension LensTrialTests {
  private static func object(_ members: String, required: String = "[]") -> String {
    #"""
    {"type": "object", "properties": {\#(members)}, "required": \#(required),
     "additionalProperties": false}
    """#
  }

  private static let count = object(#""count": {"type": "integer"}"#, required: #"["count"]"#)

  static let cases = holding + open + inapplicable + written + shapeCases

  private static let holding: [LensTrialCase] = [
    LensTrialCase(
      name: "an open object that has no such member",
      source: #"{"type": "object", "properties": {"a": {"type": "string"}, "b": false}}"#,
      target: #"{"type": "object", "properties": {"b": {"type": "string"}, "a": false}}"#,
      lens: #"[{"rename": {"source": "a", "destination": "b"}}]"#),
    LensTrialCase(
      name: "constants", source: object(#""a": {"const": 1}, "b": {"enum": [true, false]}"#),
      target: object(#""a": {"const": "1"}, "b": {"enum": [0, 1]}"#),
      lens: #"""
        [{"convert": {"name": "a", "sourceType": "integer", "destinationType": "string"}},
         {"convert": {"name": "b", "sourceType": "boolean", "destinationType": "integer"}}]
        """#),
    LensTrialCase(
      name: "integers between bounds",
      source: object(#""a": {"type": "integer", "minimum": 0, "maximum": 2}"#),
      target: object(#""a": {"enum": ["z", "o", "t"]}"#),
      lens: #"""
        [{"convert": {"name": "a", "values": [[0, "z"], [1, "o"], [2, "t"]]}}]
        """#),
    LensTrialCase(
      name: "an else", source: object(#""a": {"type": ["integer", "string"]}"#),
      target: object(#""a": {"enum": ["z", "odd"]}"#),
      lens: #"[{"convert": {"name": "a", "values": [[0, "z"]], "else": "odd"}}]"#),
    LensTrialCase(
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
    LensTrialCase(
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
    LensTrialCase(
      name: "an integer becomes a whole real",
      source: object(#""a": {"type": "integer", "multipleOf": 5}"#),
      target: object(#""a": {"type": "integer", "x-plist-type": "real", "multipleOf": 5}"#),
      lens:
        #"[{"convert": {"name": "a", "sourceType": "integer", "destinationType": "real"}}]"#),
    LensTrialCase(
      name: "multiples of an integer become integers",
      source: object(#""a": {"type": "number", "multipleOf": 5}"#),
      target: object(#""a": {"type": "integer", "multipleOf": 5}"#),
      lens:
        #"[{"convert": {"name": "a", "sourceType": "real", "destinationType": "integer"}}]"#),
    LensTrialCase(
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
    LensTrialCase(
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

  private static let open: [LensTrialCase] = [
    LensTrialCase(
      name: "a type that is not converted",
      source: object(#""n": {"type": "string"}"#, required: #"["n"]"#), target: count,
      lens: #"[{"add": {"name": "z"}}, {"rename": {"source": "n", "destination": "count"}}]"#,
      finds: #"the new value does not fit Test@new: expected integer, found string """#),
    LensTrialCase(
      name: "a member that the lens forgets",
      source: object(#""a": {"type": "string"}, "b": {"type": "string"}"#),
      target: object(#""a": {"type": "string"}"#), lens: "[]",
      finds: #"the new value does not fit Test@new: unexpected member 'b' (string "")"#),
    LensTrialCase(
      name: "an absent member whose way back has no default",
      source: "{\"type\": \"object\", \"additionalProperties\": false}", target: count,
      lens: #"[{"remove": {"name": "count"}}]"#, direction: .backward,
      finds: "the new value does not fit Test@new: missing required member 'count' (integer)"),
    LensTrialCase(
      name: "an operation within lists",
      source: object(#""l": {"type": "array", "items": {"enum": [1, 2]}}"#),
      target: object(#""l": {"type": "array", "items": {"enum": ["one"]}}"#),
      lens: #"""
        [{"in": {"name": "l", "lens": [{"map": {"lens": [
          {"convert": {"values": [[1, "one"], [2, "two"]]}}]}}]}}]
        """#,
      finds: #"the new value does not fit Test@new: expected one of one, found string "two""#),
  ]

  private static func inapplicable(
    _ name: String, _ lens: String, _ reason: String
  ) -> LensTrialCase {
    LensTrialCase(
      name: name,
      source: object(
        #""a": {"type": "string"}, "b": {"type": "integer"}, "l": {"type": "array"}, "o": \#(count)"#
      ), target: "{\"type\": \"object\"}", lens: "[\(lens)]", finds: reason)
  }

  private static let inapplicable: [LensTrialCase] = [
    inapplicable(
      "convert of a list",
      #"{"convert": {"name": "l", "sourceType": "integer", "destinationType": "real"}}"#,
      "the operation /lens/0 of the lens old-new (convert l) needs a scalar, found a list"),
    LensTrialCase(
      name: "map over text", source: object(#""a": {"type": "string"}"#), target: "{}",
      lens: #"[{"in": {"name": "a", "lens": [{"map": {"lens": []}}]}}]"#,
      finds:
        "the operation /lens/0/in/lens/0 of the lens old-new (map) needs a list or a dictionary, found a string"
    ),
    LensTrialCase(
      name: "a value that the table lacks", source: object(#""a": {"enum": ["x", "y"]}"#),
      target: "{}", lens: #"[{"convert": {"name": "a", "values": [["x", 1]]}}]"#,
      finds:
        #"the operation /lens/0 of the lens old-new (convert a) cannot convert "y": the table has no pair for it; add a pair or 'else'"#
    ),
    LensTrialCase(
      name: "an integer that the table lacks",
      source: object(#""a": {"type": "integer", "minimum": 0, "exclusiveMaximum": 2.5}"#),
      target: "{}", lens: #"[{"convert": {"name": "a", "values": [[0, "x"], [1, "y"]]}}]"#,
      finds:
        "the operation /lens/0 of the lens old-new (convert a) cannot convert 2: the table has no pair for it; add a pair or 'else'"
    ),
    LensTrialCase(
      name: "integers without end", source: object(#""a": {"type": "integer", "minimum": 0}"#),
      target: "{}", lens: #"[{"convert": {"name": "a", "values": [[0, "x"], [1, "y"]]}}]"#,
      finds:
        "the operation /lens/0 of the lens old-new (convert a) cannot convert 3: the table has no pair for it; add a pair or 'else'"
    ),
    LensTrialCase(
      name: "strings that the table lacks", source: object(#""a": {"type": "string"}"#),
      target: "{}", lens: #"[{"convert": {"name": "a", "values": [["x", 1]]}}]"#,
      finds:
        #"the operation /lens/0 of the lens old-new (convert a) cannot convert "": the table has no pair for it; add a pair or 'else'"#
    ),
    LensTrialCase(
      name: "true beside the integers of a table",
      source: object(#""a": {"type": ["boolean", "integer"], "minimum": 0, "maximum": 1}"#),
      target: "{}", lens: #"[{"convert": {"name": "a", "values": [[0, "x"], [1, "y"]]}}]"#,
      finds:
        "the operation /lens/0 of the lens old-new (convert a) cannot convert true: the table has no pair for it; add a pair or 'else'"
    ),
    LensTrialCase(
      name: "rename onto a member that is not named",
      source: #"{"type": "object", "properties": {"a": {"type": "string"}}}"#, target: "{}",
      lens: #"[{"rename": {"source": "a", "destination": "b"}}]"#,
      finds: "the operation /lens/0 of the lens old-new (rename a to b) finds 'b' there already"),
    LensTrialCase(
      name: "add of a member that is not named", source: #"{"type": "object"}"#, target: "{}",
      lens: #"[{"add": {"name": "b", "default": 1}}]"#,
      finds: "the operation /lens/0 of the lens old-new (add b) finds 'b' there already"),
    LensTrialCase(
      name: "a list that may be empty", source: #"{"type": "array"}"#, target: "{}",
      lens: #"[{"head": {}}]"#,
      finds:
        "the operation /lens/0 of the lens old-new (head of the value) finds an empty list, which has no first element"
    ),
    LensTrialCase(
      name: "a list at the root on the way back", source: #"{"type": "array", "minItems": 1}"#,
      target: "{}", lens: #"[{"wrap": {}}]"#, direction: .backward,
      finds:
        "the new value does not fit Test@new: expected the envelope dictionariable, found real 0.0"),
  ]

  /// Numbers, dates and null in the envelope of the target.
  private static let written: [LensTrialCase] = [
    LensTrialCase(
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
      lens: "[]", envelopes: ("dictionariable", "codable"),
      finds: "would lose what is nil or absent at $.null (null, which becomes absent)"),
    LensTrialCase(
      name: "numbers beyond 1 are no booleans",
      source: object(#""flag": {"type": ["boolean", "integer"], "minimum": 0}"#),
      target: object(#""flag": {"type": "boolean"}"#), lens: "[]",
      envelopes: ("dictionariable", "codable"),
      finds: "the new value does not fit Test@new: expected boolean, found integer 2"),
    LensTrialCase(
      name: "a keyed archive keeps numbers as they are",
      source: object(#""count": {"type": ["integer", "boolean"]}"#),
      target: count.replacing(
        #"["count"]"#, with: "[]"), lens: "[]", envelopes: ("codable", "dictionariable"),
      finds: "the new value does not fit Test@new: expected integer, found boolean true"),
    LensTrialCase(
      name: "JSON has the dates that its schema names",
      source: object(#""when": {"type": "string", "x-plist-type": "date"}"#),
      target: object(#""when": {"type": "string", "x-plist-type": "date"}"#), lens: "[]",
      envelopes: ("codable", "json")),
    LensTrialCase(
      name: "JSON has no dates where its schema names data",
      source: object(#""when": {"type": "string", "x-plist-type": "date"}"#),
      target: object(#""when": {"type": "string", "x-plist-type": "data"}"#), lens: "[]",
      envelopes: ("codable", "json"),
      finds:
        "JSON has no dates; the schema must name this one with x-plist-type date, or a lens convert it"
    ),
    LensTrialCase(
      name: "the cause in the only branch that comes into question is named",
      source: object(
        #""a": {"anyOf": [{"type": "null"}, {"type": "object", "properties": {"u": {"type": "array", "items": {"type": "string"}}}}]}"#
      ),
      target: object(
        #""a": {"anyOf": [{"type": "null"}, {"type": "object", "properties": {"u": {"type": "array", "items": {"type": "integer"}}}}]}"#
      ),
      lens: "[]", envelopes: ("json", "json"),
      finds:
        "the new value does not fit Test@new: expected a value that fits one of 2 schemas, found dictionary of 1"
    ),
    LensTrialCase(
      name: "JSON has null",
      source: object(
        #""a": {"type": ["string", "null"]}, "l": {"items": {"type": ["integer", "null"]}}"#,
        required: #"["a"]"#),
      target: object(
        #""a": {"type": ["string", "null"]}, "l": {"items": {"type": ["integer", "null"]}}"#,
        required: #"["a"]"#), lens: "[]", envelopes: ("json", "json")),
    LensTrialCase(
      name: "null in a list stays null",
      source: object(#""l": {"type": "array", "items": {"type": ["integer", "null"]}}"#),
      target: object(#""l": {"type": "array", "items": {"type": "integer"}}"#), lens: "[]",
      envelopes: ("dictionariable", "codable"),
      finds: "the new value does not fit Test@new: expected integer, found null"),
    LensTrialCase(
      name: "a member that is null is left out",
      source: object(#""a": {"type": ["string", "null"]}"#, required: #"["a"]"#),
      target: object(#""a": {"type": ["string", "null"]}"#, required: #"["a"]"#), lens: "[]",
      envelopes: ("json", "plist"),
      finds: "the new value does not fit Test@new: missing required member 'a' (null or string)"),
  ]
}
