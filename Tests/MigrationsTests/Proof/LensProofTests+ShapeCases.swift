// The table of lenses between versions whose values have other shapes.

import Migrations

extension LensProofTests {
  static let shapeCases = proved + inapplicable + stored + converted

  private static func object(_ members: String, required: String = "[]") -> String {
    #"""
    {"type": "object", "properties": {\#(members)}, "required": \#(required),
     "additionalProperties": false}
    """#
  }

  private static func list(_ items: String) -> String {
    #"{"type": "array", "items": \#(items)}"#
  }

  private static let string = #"{"type": "string"}"#
  private static let integer = #"{"type": "integer"}"#

  private static let item = object(
    #""id": \#(string), "v": \#(integer)"#, required: #"["id"]"#)
  private static let entry = object(#""v": \#(integer)"#)
  private static let dictionary = #"{"type": "object", "additionalProperties": \#(entry)}"#

  private static func folder(_ name: String, _ address: String) -> String {
    #"""
    {"$id": "\#(address)", "$ref": "#/$defs/folder", "$defs": {"folder": {
      "type": "object", "properties": {"\#(name)": {"type": "string"},
        "size": {"type": "number"},
        "kids": {"type": "array", "items": {"$ref": "#/$defs/folder"}}},
      "required": ["\#(name)"], "additionalProperties": false}}}
    """#
  }

  private static func chain(_ name: String, _ address: String) -> String {
    #"""
    {"$id": "\#(address)", "$ref": "#/$defs/node", "$defs": {"node": {
      "type": "object", "properties": {"\#(name)": {"type": "string"},
        "next": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]}},
      "required": ["\#(name)", "next"], "additionalProperties": false}}}
    """#
  }

  private static let chained = #"""
    {"lenses": {"node": [{"rename": {"source": "n", "destination": "name"}},
                         {"in": {"name": "next", "lens": [{"use": "node"}]}}]},
     "lens": [{"use": "node"}]}
    """#

  private static let tree = #"""
    {"lenses": {"folder": [
       {"rename": {"source": "n", "destination": "name"}},
       {"in": {"name": "kids", "lens": [{"map": {"lens": [{"use": "folder"}]}}]}}]},
     "lens": [{"use": "folder"}]}
    """#

  private static let union = #"""
    [{"map": {"lens": [{"when": {"member": "type", "equals": "url",
       "lens": [{"rename": {"source": "u", "destination": "href"}}]}}]}}]
    """#

  private static func proved(
    _ name: String, _ source: String, _ target: String, _ lens: String
  ) -> [LensProofCase] {
    [
      LensProofCase(name: name, source: source, target: target, lens: lens),
      LensProofCase(
        name: name + ", backward", source: target, target: source, lens: lens,
        direction: .backward),
    ]
  }

  private static let proved: [LensProofCase] =
    proved(
      "nullable", object(#""n": {"type": ["integer", "null"]}"#, required: #"["n"]"#),
      object(#""n": \#(integer)"#), #"[{"nullable": {"name": "n", "null": "absent"}}]"#)
    + proved(
      "copy", object(#""a": \#(integer)"#, required: #"["a"]"#),
      object(#""a": \#(integer), "b": \#(integer)"#, required: #"["a", "b"]"#),
      #"[{"copy": {"source": "a", "destination": "b"}}]"#)
    + proved(
      "split", object(#""a": \#(string)"#), object(#""a": \#(list(string))"#),
      #"[{"split": {"name": "a", "separator": ","}}]"#)
    + proved(
      "nest", object(#""l": \#(list(string))"#),
      object(#""l": \#(list(object(#""n": \#(string)"#, required: #"["n"]"#)))"#),
      #"[{"in": {"name": "l", "lens": [{"map": {"lens": [{"nest": {"as": "n"}}]}}]}}]"#)
    + proved(
      "group", object(#""l": \#(list(item))"#), object(#""l": \#(dictionary)"#),
      #"[{"group": {"name": "l", "by": "id"}}]"#)
    + proved(
      "group of two lists",
      object(#""k": \#(list(string)), "v": \#(list(integer))"#, required: #"["k", "v"]"#),
      object(
        #""d": {"type": "object", "additionalProperties": \#(integer)}"#, required: #"["d"]"#),
      #"[{"group": {"keys": "k", "values": "v", "into": "d"}}]"#)
    + proved(
      "when",
      list(
        #"""
        {"anyOf": [\#(object(#""type": {"const": "url"}, "u": \#(string)"#, required: #"["type", "u"]"#)),
                   \#(object(#""type": {"const": "text"}, "t": \#(string)"#, required: #"["type"]"#))]}
        """#),
      list(
        #"""
        {"anyOf": [\#(object(#""type": {"const": "url"}, "href": \#(string)"#, required: #"["type", "href"]"#)),
                   \#(object(#""type": {"const": "text"}, "t": \#(string)"#, required: #"["type"]"#))]}
        """#), union)
    + proved(
      "a lens that uses itself", folder("n", "urn:one"), folder("name", "urn:two"), tree)
    + proved("a chain that ends in null", chain("n", "urn:one"), chain("name", "urn:two"), chained)
    + ["codable", "json"].map { envelope in
      LensProofCase(
        name: "a lens that uses itself, written as \(envelope)", source: folder("n", "urn:one"),
        target: folder("name", "urn:two"), lens: tree, envelopes: ("dictionariable", envelope))
    } + [
      LensProofCase(
        name: "default", source: object(#""n": {"type": ["integer", "null"]}"#),
        target: object(#""n": \#(integer)"#, required: #"["n"]"#),
        lens: #"[{"default": {"name": "n", "value": 0}}]"#),
      LensProofCase(
        name: "default, backward", source: object(#""n": \#(integer)"#, required: #"["n"]"#),
        target: object(#""n": {"type": ["integer", "null"]}"#),
        lens: #"[{"default": {"name": "n", "value": 0}}]"#, direction: .backward),
    ]

  private static let inapplicable: [LensProofCase] = [
    LensProofCase(
      name: "a default of another type", source: object(#""n": \#(integer)"#),
      target: object(#""n": \#(integer)"#, required: #"["n"]"#),
      lens: #"[{"default": {"name": "n", "value": "none"}}]"#,
      problems: [("$.n", "/lens/0", #"it may be "none", which is not allowed"#)]),
    LensProofCase(
      name: "group by what may be absent", source: object(#""l": \#(list(item))"#), target: "{}",
      lens: #"[{"group": {"name": "l", "by": "v"}}]"#,
      problems: [
        ("$.l[*]", "/lens/0", "it may have no member 'v'"),
        ("$.l[*].v", "/lens/0", "it may be integer, but text is required"),
      ]),
    LensProofCase(
      name: "ungroup of what has the key", source: object(#""l": \#(dictionary)"#), target: "{}",
      lens: #"[{"ungroup": {"name": "l", "by": "v"}}]"#,
      problems: [("$.l.*.v", "/lens/0", "there may be a member 'v' already")]),
    LensProofCase(
      name: "pluck of what may be absent", source: object(#""o": \#(entry)"#), target: "{}",
      lens: #"[{"pluck": {"name": "o", "as": "v"}}]"#,
      problems: [("$.o", "/lens/0", "it may have no member 'v'")]),
    LensProofCase(
      name: "split of numbers", source: object(#""a": \#(integer)"#), target: "{}",
      lens: #"[{"split": {"name": "a", "separator": ","}}]"#,
      problems: [("$.a", "/lens/0", "it may be integer, but text is required")]),
    LensProofCase(
      name: "join of numbers", source: object(#""a": \#(list(integer))"#), target: "{}",
      lens: #"[{"join": {"name": "a", "separator": ","}}]"#,
      problems: [("$.a[*]", "/lens/0", "it may be integer, but text is required")]),
    LensProofCase(
      name: "a condition that does not hold afterwards",
      source: object(#""t": {"enum": ["a", "b"]}"#, required: #"["t"]"#), target: "{}",
      lens: #"""
        [{"when": {"member": "t", "equals": "a",
          "lens": [{"convert": {"name": "t", "values": [["a", "c"]]}}]}}]
        """#,
      problems: [("$", "/lens/0", #"cannot be proved: that t is "a" afterwards"#)]),
    LensProofCase(
      name: "a condition that may hold of others as well",
      source: object(#""t": {"enum": ["a", "b"]}"#, required: #"["t"]"#), target: "{}",
      lens: #"""
        [{"when": {"member": "t", "equals": "a", "after": {"member": "t", "equals": "b"},
          "lens": [{"convert": {"name": "t", "values": [["a", "b"]]}}]}}]
        """#,
      problems: [("$", "/lens/0", "cannot be proved: that of what stays")]),
  ]

  private static let objects = ("nscoding", "nscoding")
  private static let toNumber =
    #"[{"convert": {"name": "a", "values": [["u", 0], ["s", 1]]}}]"#

  /// How objects store converted values.
  private static let stored: [LensProofCase] = [
    LensProofCase(
      name: "an enum of strings becomes an inline integer of an enum",
      source: object(#""a": {"enum": ["u", "s"]}"#),
      target: object(#""a": {"enum": [0, 1], "x-storage": "inline"}"#), lens: toNumber,
      envelopes: objects),
    LensProofCase(
      name: "an enum of strings becomes an inline integer between bounds",
      source: object(#""a": {"enum": ["u", "s"]}"#),
      target: object(
        #""a": {"type": "integer", "minimum": 0, "maximum": 1, "x-storage": "inline"}"#),
      lens: toNumber, envelopes: objects),
    LensProofCase(
      name: "an inline integer between bounds becomes an enum of strings",
      source: object(
        #""a": {"type": "integer", "minimum": 0, "maximum": 1, "x-storage": "inline"}"#),
      target: object(#""a": {"enum": ["u", "s"]}"#), lens: toNumber, direction: .backward,
      envelopes: objects),
    LensProofCase(
      name: "an enum of strings becomes no integer beyond the bounds",
      source: object(#""a": {"enum": ["u", "s"]}"#),
      target: object(#""a": {"type": "integer", "maximum": 0, "x-storage": "inline"}"#),
      lens: toNumber, envelopes: objects, problems: [("$.a", "/lens/0", "it may be 1")]),
    LensProofCase(
      name: "a number stays inline", source: object(#""a": {"enum": [0], "x-storage": "inline"}"#),
      target: object(#""a": {"const": 1, "x-storage": "inline"}"#),
      lens: #"[{"convert": {"name": "a", "values": [[0, 1]]}}]"#, envelopes: objects),
    LensProofCase(
      name: "a number stays boxed", source: object(#""a": {"enum": [0], "x-storage": "boxed"}"#),
      target: object(#""a": {"const": 1, "x-storage": "inline"}"#),
      lens: #"[{"convert": {"name": "a", "values": [[0, 1]]}}]"#, envelopes: objects,
      problems: [("$.a", "/lens/0", "")]),
  ]

  private static func convert(_ source: String, _ destination: String) -> String {
    #"[{"convert": {"name": "a", "sourceType": "\#(source)", "destinationType": "\#(destination)"}}]"#
  }

  private static let relative = object(#""relative": \#(string)"#, required: #"["relative"]"#)

  /// Conversions of frameworks' types, and of members by their names.
  private static let converted: [LensProofCase] = [
    LensProofCase(
      name: "a string becomes a URL of the class in the schema",
      source: object(#""a": \#(string)"#),
      target: object(#""a": {"type": "string", "x-class": "NSURL"}"#),
      lens: convert("string", "url"), envelopes: objects),
    LensProofCase(
      name: "a URL becomes a string",
      source: object(#""a": {"type": "string", "x-class": "NSURL"}"#),
      target: object(#""a": \#(string)"#), lens: convert("url", "string"), envelopes: objects),
    LensProofCase(
      name: "without a class, a URL is an object", source: object(#""a": \#(string)"#),
      target: object(#""a": \#(string)"#), lens: convert("string", "url"), envelopes: objects,
      problems: [("$.a", "/lens/0", "it may be object, where only string")]),
    LensProofCase(
      name: "a URL of Codable", source: object(#""a": \#(string)"#),
      target: object(#""a": \#(relative)"#), lens: convert("string", "url"),
      envelopes: ("codable", "codable")),
    LensProofCase(
      name: "a URL in JSON", source: object(#""a": \#(relative)"#),
      target: object(#""a": \#(relative)"#), lens: convert("string", "url"),
      direction: .backward, envelopes: ("json", "codable"),
      problems: [("$.a", "/lens/0", "it may be text")]),
    LensProofCase(
      name: "a decimal number in JSON", source: object(#""a": \#(string)"#),
      target: object(#""a": {"type": "number"}"#), lens: convert("string", "decimal"),
      envelopes: ("json", "json")),
    LensProofCase(
      name: "a list becomes no string", source: object(#""a": \#(list(#"{"type": "number"}"#))"#),
      target: "{}", lens: convert("uuid", "string"),
      problems: [("$.a", "/lens/0", "it may be array, but a UUID is required")]),
    LensProofCase(
      name: "members by their names",
      source: object(#""a1": \#(integer), "b": \#(integer)"#),
      target: object(#""a1": \#(list(integer)), "b": \#(integer)"#),
      lens: #"[{"map": {"names": "^a", "lens": [{"wrap": {}}]}}]"#),
    LensProofCase(
      name: "members by the pattern of a schema",
      source:
        #"{"type": "object", "patternProperties": {"^a": \#(integer)}, "additionalProperties": \#(string)}"#,
      target:
        #"{"type": "object", "patternProperties": {"^a": \#(list(integer))}, "additionalProperties": \#(string)}"#,
      lens: #"[{"map": {"names": "^a", "lens": [{"wrap": {}}]}}]"#),
    LensProofCase(
      name: "members whose names may match",
      source: #"{"type": "object", "additionalProperties": \#(integer)}"#,
      target: #"{"type": "object", "additionalProperties": \#(list(integer))}"#,
      lens: #"[{"map": {"names": "^a", "lens": [{"wrap": {}}]}}]"#,
      problems: [("$.*", "/lens/0/map/lens/0", "it may be integer")]),
    LensProofCase(
      name: "no member by the name", source: object(#""b": \#(integer)"#), target: "{}",
      lens: #"[{"map": {"names": "^a", "lens": [{"wrap": {}}]}}]"#,
      problems: [("$", "/lens/0", "no member whose name matches '^a'")]),
    LensProofCase(
      name: "keys and values in turn", source: object(#""l": \#(list(string))"#),
      target: object(#""l": {"type": "object", "additionalProperties": \#(string)}"#),
      lens: #"[{"group": {"name": "l", "alternating": "string"}}]"#),
    LensProofCase(
      name: "a dictionary to keys and values in turn",
      source: object(#""l": {"type": "object", "additionalProperties": \#(string)}"#),
      target: object(#""l": \#(list(#"{"type": ["string", "integer"]}"#))"#),
      lens: #"[{"ungroup": {"name": "l", "alternating": "integer"}}]"#),
  ]
}
