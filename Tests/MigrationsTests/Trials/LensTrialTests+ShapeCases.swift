// The table of lenses between versions whose values have other shapes.

import ArchiveMigrations

extension LensTrialTests {
  static let shapeCases = holding + inapplicable + stored + converted

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

  private static func holding(
    _ name: String, _ source: String, _ target: String, _ lens: String
  ) -> [LensTrialCase] {
    [
      LensTrialCase(name: name, source: source, target: target, lens: lens),
      LensTrialCase(
        name: name + ", backward", source: target, target: source, lens: lens,
        direction: .backward),
    ]
  }

  private static let holding: [LensTrialCase] =
    holding(
      "nullable", object(#""n": {"type": ["integer", "null"]}"#, required: #"["n"]"#),
      object(#""n": \#(integer)"#), #"[{"nullable": {"name": "n", "null": "absent"}}]"#)
    + holding(
      "copy", object(#""a": \#(integer)"#, required: #"["a"]"#),
      object(#""a": \#(integer), "b": \#(integer)"#, required: #"["a", "b"]"#),
      #"[{"copy": {"source": "a", "destination": "b"}}]"#)
    + holding(
      "split", object(#""a": \#(string)"#), object(#""a": \#(list(string))"#),
      #"[{"split": {"name": "a", "separator": ","}}]"#)
    + holding(
      "nest", object(#""l": \#(list(string))"#),
      object(#""l": \#(list(object(#""n": \#(string)"#, required: #"["n"]"#)))"#),
      #"[{"in": {"name": "l", "lens": [{"map": {"lens": [{"nest": {"as": "n"}}]}}]}}]"#)
    + holding(
      "group", object(#""l": \#(list(item))"#), object(#""l": \#(dictionary)"#),
      #"[{"group": {"name": "l", "by": "id"}}]"#)
    + holding(
      "group of two lists",
      object(#""k": \#(list(string)), "v": \#(list(integer))"#, required: #"["k", "v"]"#),
      object(
        #""d": {"type": "object", "additionalProperties": \#(integer)}"#, required: #"["d"]"#),
      #"[{"group": {"keys": "k", "values": "v", "into": "d"}}]"#)
    + holding(
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
    + holding(
      "a lens that uses itself", folder("n", "urn:one"), folder("name", "urn:two"), tree)
    + holding("a chain that ends in null", chain("n", "urn:one"), chain("name", "urn:two"), chained)
    + ["codable", "json"].map { envelope in
      LensTrialCase(
        name: "a lens that uses itself, written as \(envelope)", source: folder("n", "urn:one"),
        target: folder("name", "urn:two"), lens: tree, envelopes: ("dictionariable", envelope))
    } + [
      LensTrialCase(
        name: "default", source: object(#""n": {"type": ["integer", "null"]}"#),
        target: object(#""n": \#(integer)"#, required: #"["n"]"#),
        lens: #"[{"default": {"name": "n", "value": 0}}]"#),
      LensTrialCase(
        name: "default, backward", source: object(#""n": \#(integer)"#, required: #"["n"]"#),
        target: object(#""n": {"type": ["integer", "null"]}"#),
        lens: #"[{"default": {"name": "n", "value": 0}}]"#, direction: .backward),
    ]

  private static let inapplicable: [LensTrialCase] = [
    LensTrialCase(
      name: "a default of another type", source: object(#""n": \#(integer)"#),
      target: object(#""n": \#(integer)"#, required: #"["n"]"#),
      lens: #"[{"default": {"name": "n", "value": "none"}}]"#,
      finds: #"the new value does not fit Test@new: expected integer, found string "none""#),
    LensTrialCase(
      name: "group by what may be absent", source: object(#""l": \#(list(item))"#), target: "{}",
      lens: #"[{"group": {"name": "l", "by": "v"}}]"#,
      finds: "the operation /lens/0 of the lens old-new (group l by v) needs a string in 'v'"),
    LensTrialCase(
      name: "ungroup of what has the key", source: object(#""l": \#(dictionary)"#), target: "{}",
      lens: #"[{"ungroup": {"name": "l", "by": "v"}}]"#,
      finds: "the operation /lens/0 of the lens old-new (ungroup l by v) finds 'v' there already"),
    LensTrialCase(
      name: "pluck of what may be absent", source: object(#""o": \#(entry)"#), target: "{}",
      lens: #"[{"pluck": {"name": "o", "as": "v"}}]"#,
      finds: "the operation /lens/0 of the lens old-new (pluck v of o) finds no 'v' in the object"),
    LensTrialCase(
      name: "split of numbers", source: object(#""a": \#(integer)"#), target: "{}",
      lens: #"[{"split": {"name": "a", "separator": ","}}]"#,
      finds:
        #"the operation /lens/0 of the lens old-new (split a at ",") needs a string, found an integer"#
    ),
    LensTrialCase(
      name: "join of numbers", source: object(#""a": \#(list(integer))"#), target: "{}",
      lens: #"[{"join": {"name": "a", "separator": ","}}]"#,
      finds:
        #"the operation /lens/0 of the lens old-new (join a at ",") needs a list of strings, found a list"#
    ),
    LensTrialCase(
      name: "a condition that does not hold afterwards",
      source: object(#""t": {"enum": ["a", "b"]}"#, required: #"["t"]"#), target: "{}",
      lens: #"""
        [{"when": {"member": "t", "equals": "a",
          "lens": [{"convert": {"name": "t", "values": [["a", "c"]]}}]}}]
        """#,
      finds:
        #"the operation /lens/0 of the lens old-new (when t is "a") makes an object that does not satisfy 't is "a"', so migrating back would skip it"#
    ),
    LensTrialCase(
      name: "a condition that may hold of others as well",
      source: object(#""t": {"enum": ["a", "b"]}"#, required: #"["t"]"#), target: "{}",
      lens: #"""
        [{"when": {"member": "t", "equals": "a", "after": {"member": "t", "equals": "b"},
          "lens": [{"convert": {"name": "t", "values": [["a", "b"]]}}]}}]
        """#,
      finds:
        #"the operation /lens/0 of the lens old-new (when t is "a") skips an object that satisfies 't is "b"', so migrating back would change it"#
    ),
  ]

  private static let objects = ("nscoding", "nscoding")
  private static let toNumber =
    #"[{"convert": {"name": "a", "values": [["u", 0], ["s", 1]]}}]"#

  /// How objects store converted values.
  private static let stored: [LensTrialCase] = [
    LensTrialCase(
      name: "an enum of strings becomes an inline integer of an enum",
      source: object(#""a": {"enum": ["u", "s"]}"#),
      target: object(#""a": {"enum": [0, 1], "x-storage": "inline"}"#), lens: toNumber,
      envelopes: objects),
    LensTrialCase(
      name: "an enum of strings becomes an inline integer between bounds",
      source: object(#""a": {"enum": ["u", "s"]}"#),
      target: object(
        #""a": {"type": "integer", "minimum": 0, "maximum": 1, "x-storage": "inline"}"#),
      lens: toNumber, envelopes: objects),
    LensTrialCase(
      name: "an inline integer between bounds becomes an enum of strings",
      source: object(
        #""a": {"type": "integer", "minimum": 0, "maximum": 1, "x-storage": "inline"}"#),
      target: object(#""a": {"enum": ["u", "s"]}"#), lens: toNumber, direction: .backward,
      envelopes: objects),
    LensTrialCase(
      name: "an enum of strings becomes no integer beyond the bounds",
      source: object(#""a": {"enum": ["u", "s"]}"#),
      target: object(#""a": {"type": "integer", "maximum": 0, "x-storage": "inline"}"#),
      lens: toNumber, envelopes: objects,
      finds: "the new value does not fit Test@new: expected at most 0, found integer 1"),
    LensTrialCase(
      name: "a number stays inline", source: object(#""a": {"enum": [0], "x-storage": "inline"}"#),
      target: object(#""a": {"const": 1, "x-storage": "inline"}"#),
      lens: #"[{"convert": {"name": "a", "values": [[0, 1]]}}]"#, envelopes: objects),
    LensTrialCase(
      name: "a number stays boxed", source: object(#""a": {"enum": [0], "x-storage": "boxed"}"#),
      target: object(#""a": {"const": 1, "x-storage": "inline"}"#),
      lens: #"[{"convert": {"name": "a", "values": [[0, 1]]}}]"#, envelopes: objects,
      finds:
        "the new value does not fit Test@new: expected a value stored inline, found integer 1 stored boxed"
    ),
  ]

  private static func convert(_ source: String, _ destination: String) -> String {
    #"[{"convert": {"name": "a", "sourceType": "\#(source)", "destinationType": "\#(destination)"}}]"#
  }

  private static let relative = object(#""relative": \#(string)"#, required: #"["relative"]"#)

  /// Conversions of frameworks' types, and of members by their names.
  private static let converted: [LensTrialCase] = [
    LensTrialCase(
      name: "a string becomes a URL of the class in the schema",
      source: object(#""a": \#(string)"#),
      target: object(#""a": {"type": "string", "x-class": "NSURL"}"#),
      lens: convert("string", "url"), envelopes: objects),
    LensTrialCase(
      name: "a URL becomes a string",
      source: object(#""a": {"type": "string", "x-class": "NSURL"}"#),
      target: object(#""a": \#(string)"#), lens: convert("url", "string"), envelopes: objects),
    LensTrialCase(
      name: "without a class, a URL is an object", source: object(#""a": \#(string)"#),
      target: object(#""a": \#(string)"#), lens: convert("string", "url"), envelopes: objects,
      finds:
        "the class of the object is not known: name it in the schema by x-class (NSDictionary for a dictionary), or with --class-of, or have a dictionary for each such object with --plain-containers"
    ),
    LensTrialCase(
      name: "a URL of Codable", source: object(#""a": \#(string)"#),
      target: object(#""a": \#(relative)"#), lens: convert("string", "url"),
      envelopes: ("codable", "codable")),
    LensTrialCase(
      name: "a URL in JSON", source: object(#""a": \#(relative)"#),
      target: object(#""a": \#(relative)"#), lens: convert("string", "url"),
      direction: .backward, envelopes: ("json", "codable"),
      finds: #"the new value does not fit Test@new: expected object, found string """#),
    LensTrialCase(
      name: "a decimal number in JSON", source: object(#""a": \#(string)"#),
      target: object(#""a": {"type": "number"}"#), lens: convert("string", "decimal"),
      envelopes: ("json", "json")),
    LensTrialCase(
      name: "a list becomes no string", source: object(#""a": \#(list(#"{"type": "number"}"#))"#),
      target: "{}", lens: convert("uuid", "string"),
      finds: "the operation /lens/0 of the lens old-new (convert a) cannot convert a list"),
    LensTrialCase(
      name: "members by their names",
      source: object(#""a1": \#(integer), "b": \#(integer)"#),
      target: object(#""a1": \#(list(integer)), "b": \#(integer)"#),
      lens: #"[{"map": {"names": "^a", "lens": [{"wrap": {}}]}}]"#),
    LensTrialCase(
      name: "members by the pattern of a schema",
      source:
        #"{"type": "object", "patternProperties": {"^a": \#(integer)}, "additionalProperties": \#(string)}"#,
      target:
        #"{"type": "object", "patternProperties": {"^a": \#(list(integer))}, "additionalProperties": \#(string)}"#,
      lens: #"[{"map": {"names": "^a", "lens": [{"wrap": {}}]}}]"#),
    LensTrialCase(
      name: "members whose names may match",
      source: #"{"type": "object", "additionalProperties": \#(integer)}"#,
      target: #"{"type": "object", "additionalProperties": \#(list(integer))}"#,
      lens: #"[{"map": {"names": "^a", "lens": [{"wrap": {}}]}}]"#,
      finds: "the new value does not fit Test@new: expected array, found integer 0"),
    LensTrialCase(
      name: "keys and values in turn", source: object(#""l": \#(list(string))"#),
      target: object(#""l": {"type": "object", "additionalProperties": \#(string)}"#),
      lens: #"[{"group": {"name": "l", "alternating": "string"}}]"#),
    LensTrialCase(
      name: "a dictionary to keys and values in turn",
      source: object(#""l": {"type": "object", "additionalProperties": \#(string)}"#),
      target: object(#""l": \#(list(#"{"type": ["string", "integer"]}"#))"#),
      lens: #"[{"ungroup": {"name": "l", "alternating": "integer"}}]"#),
  ]
}
