// The tables of conversions of frameworks' types, of null and absence, and of keys and values in turn.

extension LensTests {
  private static func convert(_ source: String, _ destination: String, _ more: String = "")
    -> String
  {
    #"[{"convert": {"name": "k", "sourceType": "\#(source)", "destinationType": "\#(destination)"\#(more)}}]"#
  }

  private static let orange = #"""
    {"hex": "#FF8000", "space": "RGB",
     "components": [{"$real": 1.0}, {"$real": 0.5019607843137255}, {"$real": 0.0}],
     "alpha": {"$real": 1.0}}
    """#

  private static func decimal(_ exponent: Int, _ word: Int) -> String {
    #"""
    {"exponent": \#(exponent), "length": 1, "isNegative": false, "isCompact": true,
     "mantissa": [\#(word), 0, 0, 0, 0, 0, 0, 0]}
    """#
  }

  static let frameworkCases: [Case] = [
    Case(
      name: "string to URL", lens: convert("string", "url"), source: #"{"k": "http://a/b?c#d"}"#,
      target: #"{"k": {"relative": "http://a/b?c#d"}}"#),
    Case(
      name: "URL with a base", lens: convert("url", "string"),
      source: #"{"k": {"base": {"relative": "http://a/b/"}, "relative": "c"}}"#,
      target: #"{"k": "http://a/b/c"}"#, forward: ["value $.k"]),
    Case(
      name: "string to UUID", lens: convert("string", "uuid"),
      source: #"{"k": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"}"#,
      target: #"{"k": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"}"#),
    Case(
      name: "lower-case string to UUID", lens: convert("string", "uuid"),
      source: #"{"k": "e621e1f8-c36c-495a-93fc-0c247a3e6e5f"}"#,
      target: #"{"k": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"}"#, forward: ["spelling $.k"]),
    Case(
      name: "string to decimal", lens: convert("string", "decimal"), source: #"{"k": "12.5"}"#,
      target: #"{"k": \#(decimal(-1, 125))}"#),
    Case(
      name: "string to decimal with a zero that is lost", lens: convert("string", "decimal"),
      source: #"{"k": "1.50"}"#, target: #"{"k": \#(decimal(-1, 15))}"#,
      forward: ["spelling $.k"]),
    Case(
      name: "decimal whose mantissa ends in a zero", lens: convert("decimal", "string"),
      source: #"{"k": \#(decimal(-2, 150))}"#, target: #"{"k": "1.5"}"#,
      forward: ["spelling $.k"]),
    Case(
      name: "hexadecimal text to color", lens: convert("string", "color"),
      source: ##"{"k": "#FF8000"}"##, target: #"{"k": \#(orange)}"#),
    Case(
      name: "lower-case text to color", lens: convert("string", "color"),
      source: #"{"k": "ff8000"}"#, target: #"{"k": \#(orange)}"#, forward: ["spelling $.k"]),
    Case(
      name: "color with alpha in another space to text", lens: convert("color", "string"),
      source: #"""
        {"k": {"space": "calibrated RGB", "alpha": {"$real": 0.5},
               "components": [{"$real": 1.0}, {"$real": 0.5}, {"$real": 0.0}]}}
        """#, target: ##"{"k": "#FF8000"}"##, forward: ["value $.k"]),
    Case(
      name: "location to list",
      lens: convert("location", "list"),
      source: #"{"k": {"latitude": {"$real": 47.5}, "longitude": {"$real": 8.25}}}"#,
      target: #"{"k": [{"$real": 47.5}, {"$real": 8.25}]}"#),
    Case(
      name: "location with an accuracy to list", lens: convert("location", "list"),
      source: #"""
        {"k": {"latitude": {"$real": 47.5}, "longitude": {"$real": 8.25},
               "timestamp": {"$date": "2019-04-06T03:50:00Z"}}}
        """#,
      target: #"{"k": [{"$real": 47.5}, {"$real": 8.25}]}"#, forward: ["value $.k"]),
    Case(
      name: "rectangle to list", lens: convert("rect", "list"),
      source: #"{"k": [[{"$real": 1.0}, {"$real": 2.5}], [{"$real": 3.0}, {"$real": 4.0}]]}"#,
      target: #"{"k": [{"$real": 1.0}, {"$real": 2.5}, {"$real": 3.0}, {"$real": 4.0}]}"#),
    Case(
      name: "object to point", lens: convert("object", "point"),
      source: #"{"k": {"x": {"$real": 1.0}, "y": {"$real": 2.5}}}"#,
      target: #"{"k": [{"$real": 1.0}, {"$real": 2.5}]}"#),
    Case(
      name: "list to size", lens: convert("list", "size"),
      source: #"{"k": [{"$real": 1.5}, {"$real": 2.5}]}"#,
      target: #"{"k": [{"$real": 1.5}, {"$real": 2.5}]}"#),
    Case(
      name: "range to object", lens: convert("range", "object"), source: #"{"k": [3, 5]}"#,
      target: #"{"k": {"location": 3, "length": 5}}"#),
    Case(
      name: "date with milliseconds",
      lens: convert("string", "date", #", "format": "iso8601""#),
      source: #"{"k": "2020-01-02T03:04:05.678Z"}"#,
      target: #"{"k": {"$date": "2020-01-02T03:04:05.678Z"}}"#),
    Case(
      name: "date with a zero that is lost",
      lens: convert("string", "date", #", "format": "iso8601""#),
      source: #"{"k": "2020-01-02T03:04:05.670Z"}"#,
      target: #"{"k": {"$date": "2020-01-02T03:04:05.67Z"}}"#, forward: ["spelling $.k"]),
    Case(
      name: "-0.0 to integer", lens: convert("real", "integer"),
      source: #"{"k": {"$real": -0.0}}"#, target: #"{"k": 0}"#, forward: ["value $.k"]),
  ]

  static let absenceCases: [Case] = [
    Case(
      name: "wrap of null", lens: #"[{"wrap": {"name": "n"}}]"#, source: #"{"n": null}"#,
      target: #"{"n": []}"#, forward: ["absent $.n"]),
    Case(
      name: "head of a list of null", lens: #"[{"head": {"name": "n"}}]"#,
      source: #"{"n": [null, 1]}"#, target: #"{"n": null}"#, forward: ["value $.n"]),
    Case(
      name: "plunge into null",
      lens: #"[{"plunge": {"host": "h", "name": "n", "create": true}}]"#,
      source: #"{"n": 1, "h": null}"#, target: #"{"h": {"n": 1}}"#, forward: ["absent $.h"]),
  ]

  static let namedCases: [Case] = [
    Case(
      name: "map of members by their names",
      lens: #"""
        [{"map": {"names": "^Ansi .* Color$", "lens": [{"add": {"name": "Alpha", "default": 1}}]}}]
        """#,
      source: #"{"Ansi 0 Color": {"Red": 0}, "Ansi Colors": {}, "Name": "x", "Ansi 1 Color": {}}"#,
      target: #"""
        {"Ansi 0 Color": {"Red": 0, "Alpha": 1}, "Ansi Colors": {}, "Name": "x",
         "Ansi 1 Color": {"Alpha": 1}}
        """#),
    Case(
      name: "losses of members by their names",
      lens: #"[{"map": {"names": "c$", "lens": [{"remove": {"name": "x"}}]}}]"#,
      source: #"{"ac": {"x": 1}, "bc": {"x": 2}, "d": {"x": 3}}"#,
      target: #"{"ac": {}, "bc": {}, "d": {"x": 3}}"#, forward: ["value $.ac.x", "value $.bc.x"]),
    Case(
      name: "keys and values in turn",
      lens: #"[{"group": {"name": "l", "alternating": "string"}}]"#,
      source: #"{"l": ["a", 1, "b", {"c": null}]}"#, target: #"{"l": {"a": 1, "b": {"c": null}}}"#),
    Case(
      name: "keys and values in turn whose order is lost",
      lens: #"[{"group": {"name": "l", "alternating": "string"}}]"#,
      source: #"{"l": ["b", 1, "a", 2]}"#, target: #"{"l": {"b": 1, "a": 2}}"#,
      forward: ["order $.l"]),
    Case(
      name: "numbers and values in turn",
      lens: #"[{"in": {"name": "l", "lens": [{"group": {"alternating": "integer"}}]}}]"#,
      source: #"{"l": [-1, "x", 20, "y"]}"#, target: #"{"l": {"-1": "x", "20": "y"}}"#),
    Case(
      name: "a dictionary to keys and values in turn",
      lens: #"[{"ungroup": {"name": "d", "alternating": "string"}}]"#,
      source: #"{"d": {"b": 1, "a": [2]}}"#, target: #"{"d": ["a", [2], "b", 1]}"#),
  ]

  /// Values that an operation refuses.
  static let refused: [(lens: String, value: String, reason: String)] = [
    (convert("string", "url"), #"{"k": "a b"}"#, "the text of a URL is wanted"),
    (convert("string", "url"), #"{"k": ""}"#, "the text of a URL is wanted"),
    (convert("string", "uuid"), #"{"k": "E621"}"#, "the text of a UUID is wanted"),
    (convert("string", "decimal"), #"{"k": "+1"}"#, "the text of a decimal number is wanted"),
    (convert("string", "color"), ##"{"k": "#+F8000"}"##, "the text of a color is wanted"),
    (convert("color", "string"), #"{"k": {"components": [2, 0, 0]}}"#, "a color is wanted"),
    (convert("rect", "list"), #"{"k": [1, 2, 3]}"#, "a rect is wanted"),
    (
      convert("rect", "object"), #"{"k": {"x": 1, "y": 2, "width": 3, "height": 4, "z": 5}}"#,
      "a rect is wanted"
    ),
    (convert("list", "range"), #"{"k": [1, 2.5]}"#, "a list of location, length is wanted"),
    (convert("list", "point"), #"{"k": "1"}"#, "a list of x, y is wanted"),
    (
      #"[{"group": {"name": "k", "alternating": "string"}}]"#, #"{"k": ["a", 1, "b"]}"#,
      "a list of 3"
    ),
    (
      #"[{"group": {"name": "k", "alternating": "string"}}]"#, #"{"k": ["a", 1, "a", 2]}"#,
      #"the key "a" twice"#
    ),
    (
      #"[{"group": {"name": "k", "alternating": "integer"}}]"#, #"{"k": ["1", 1]}"#,
      "needs an integer for the key at 0"
    ),
    (
      #"[{"ungroup": {"name": "k", "alternating": "integer"}}]"#, #"{"k": {"01": 1}}"#,
      #"needs an integer for a key, found "01""#
    ),
    (#"[{"map": {"names": "k", "lens": [{"head": {}}]}}]"#, #"{"k": 1}"#, "needs a list"),
    (#"[{"map": {"names": "k", "lens": []}}]"#, "[1]", "needs an object"),
  ]
}
