// The tables of operations: their results, and their losses.

extension LensTests {
  static let cases =
    plainCases + shapeCases + frameworkCases + absenceCases + namedCases

  /// A conversion of a text to a date.
  static func pattern(_ format: String, _ zone: String) -> String {
    #"""
    [{"convert": {"name": "k", "sourceType": "string", "destinationType": "date",
      "format": "\#(format)"\#(zone)}}]
    """#
  }

  static let plainCases: [Case] = [
    Case(
      name: "rename", lens: #"[{"rename": {"source": "a", "destination": "b"}}]"#,
      source: #"{"a": 1, "c": 2}"#, target: #"{"b": 1, "c": 2}"#),
    Case(
      name: "rename of nothing", lens: #"[{"rename": {"source": "a", "destination": "b"}}]"#,
      source: #"{"c": 2}"#, target: #"{"c": 2}"#),
    Case(
      name: "add", lens: #"[{"add": {"name": "n", "default": 4}}]"#,
      source: "{}", target: #"{"n": 4}"#),
    Case(
      name: "add of a date",
      lens: #"[{"add": {"name": "n", "default": {"$date": "2019-04-06T03:50:00Z"}}}]"#,
      source: "{}", target: #"{"n": {"$date": "2019-04-06T03:50:00Z"}}"#),
    Case(
      name: "add without default", lens: #"[{"add": {"name": "n"}}]"#, source: "{}",
      target: "{}"),
    Case(
      name: "remove", lens: #"[{"remove": {"name": "n"}}]"#,
      source: #"{"n": [1, {"$data": "AAE="}], "m": 1}"#, target: #"{"m": 1}"#,
      forward: ["value $.n"]),
    Case(
      name: "remove of the default", lens: #"[{"remove": {"name": "n", "default": {"a": [1]}}}]"#,
      source: #"{"n": {"a": [1]}}"#, target: "{}"),
    Case(
      name: "remove of what is absent", lens: #"[{"remove": {"name": "n", "default": 1}}]"#,
      source: "{}", target: "{}", forward: ["absent $.n"]),
    Case(
      name: "hoist", lens: #"[{"hoist": {"host": "h", "name": "n"}}]"#,
      source: #"{"h": {"n": 1, "m": 2}, "z": 3}"#, target: #"{"h": {"m": 2}, "n": 1, "z": 3}"#),
    Case(
      name: "hoist of the last member", lens: #"[{"hoist": {"host": "h", "name": "n"}}]"#,
      source: #"{"h": {"n": 1}}"#, target: #"{"h": {}, "n": 1}"#),
    Case(
      name: "hoist that prunes", lens: #"[{"hoist": {"host": "h", "name": "n", "prune": true}}]"#,
      source: #"{"h": {"n": 1}}"#, target: #"{"n": 1}"#),
    Case(
      name: "hoist that prunes what is empty",
      lens: #"[{"hoist": {"host": "h", "name": "n", "prune": true}}]"#,
      source: #"{"h": {}}"#, target: "{}", forward: ["empty $.h"]),
    Case(
      name: "plunge that creates",
      lens: #"[{"plunge": {"host": "h", "name": "n", "create": true}}]"#,
      source: #"{"n": 1, "m": 2}"#, target: #"{"h": {"n": 1}, "m": 2}"#),
    Case(
      name: "plunge into an absent host", lens: #"[{"plunge": {"host": "h", "name": "n"}}]"#,
      source: #"{"n": 1}"#, target: #"{"h": {"n": 1}}"#, forward: ["absent $.h"]),
    Case(
      name: "two plunges into one host",
      lens: #"""
        [{"add": {"name": "h", "default": {}}}, {"plunge": {"host": "h", "name": "n"}},
         {"plunge": {"host": "h", "name": "m"}}]
        """#,
      source: #"{"n": 1, "m": 2}"#, target: #"{"h": {"n": 1, "m": 2}}"#),
    Case(
      name: "wrap", lens: #"[{"wrap": {"name": "n"}}]"#, source: #"{"n": 1}"#,
      target: #"{"n": [1]}"#),
    Case(
      name: "wrap of nothing", lens: #"[{"wrap": {"name": "n"}}]"#, source: "{}",
      target: #"{"n": []}"#),
    Case(
      name: "head", lens: #"[{"head": {"name": "n"}}]"#, source: #"{"n": [1, 2, [3]]}"#,
      target: #"{"n": 1}"#, forward: ["rest $.n"]),
    Case(
      name: "head of an empty list", lens: #"[{"head": {"name": "n"}}]"#, source: #"{"n": []}"#,
      target: "{}"),
    Case(
      name: "head of nothing", lens: #"[{"head": {"name": "n"}}]"#, source: "{}", target: "{}",
      forward: ["absent $.n"]),
    Case(
      name: "in and map",
      lens: #"[{"in": {"name": "l", "lens": [{"map": {"lens": [{"remove": {"name": "x"}}]}}]}}]"#,
      source: #"{"l": [{"x": 1, "y": 2}, {"y": 3}, {"x": 4}]}"#,
      target: #"{"l": [{"y": 2}, {"y": 3}, {}]}"#, forward: ["value $.l[0].x", "value $.l[2].x"]),
    Case(
      name: "map of a dictionary",
      lens: #"[{"in": {"name": "d", "lens": [{"map": {"lens": [{"wrap": {}}]}}]}}]"#,
      source: #"{"d": {"p": 1, "q": {"r": 2}}}"#, target: #"{"d": {"p": [1], "q": [{"r": 2}]}}"#),
    Case(
      name: "convert by a table of one to one",
      lens: #"[{"convert": {"name": "k", "values": [[0, "low"], [1, "high"]]}}]"#,
      source: #"{"k": 1}"#, target: #"{"k": "high"}"#),
    Case(
      name: "convert by a table of many to one",
      lens: #"[{"convert": {"name": "k", "values": [[0, "low"], [1, "high"], [2, "high"]]}}]"#,
      source: #"{"k": 2}"#, target: #"{"k": "high"}"#, forward: ["value $.k"]),
    Case(
      name: "convert by a mapping",
      lens: #"[{"convert": {"name": "k", "mapping": [{"a": true}, {}]}}]"#,
      source: #"{"k": "a"}"#, target: #"{"k": true}"#),
    Case(
      name: "integer to real",
      lens: #"[{"convert": {"name": "k", "sourceType": "integer", "destinationType": "real"}}]"#,
      source: #"{"k": 64}"#, target: #"{"k": {"$real": 64.0}}"#),
    Case(
      name: "real to integer",
      lens: #"[{"convert": {"name": "k", "sourceType": "real", "destinationType": "integer"}}]"#,
      source: #"{"k": 64.5}"#, target: #"{"k": 65}"#, forward: ["value $.k"]),
    Case(
      name: "number to string",
      lens: #"[{"convert": {"name": "k", "sourceType": "real", "destinationType": "string"}}]"#,
      source: #"{"k": 12.5}"#, target: #"{"k": "12.5"}"#),
    Case(
      name: "string to integer with a sign that is lost",
      lens: #"[{"convert": {"name": "k", "sourceType": "string", "destinationType": "integer"}}]"#,
      source: #"{"k": "+7"}"#, target: #"{"k": 7}"#, forward: ["spelling $.k"]),
    Case(
      name: "boolean to string",
      lens: #"[{"convert": {"name": "k", "sourceType": "boolean", "destinationType": "string"}}]"#,
      source: #"{"k": true}"#, target: #"{"k": "true"}"#),
    Case(
      name: "date in ISO 8601",
      lens:
        #"[{"convert": {"name": "k", "sourceType": "string", "destinationType": "date", "format": "iso8601"}}]"#,
      source: #"{"k": "2019-04-06T03:50:00Z"}"#,
      target: #"{"k": {"$date": "2019-04-06T03:50:00Z"}}"#),
    Case(
      name: "date with an offset",
      lens:
        #"[{"convert": {"name": "k", "sourceType": "string", "destinationType": "date", "format": "iso8601"}}]"#,
      source: #"{"k": "2019-04-06T12:50:00+09:00"}"#,
      target: #"{"k": {"$date": "2019-04-06T03:50:00Z"}}"#, forward: ["spelling $.k"]),
    Case(
      name: "date of RFC 5322",
      lens:
        #"[{"convert": {"name": "k", "sourceType": "date", "destinationType": "string", "format": "rfc5322"}}]"#,
      source: #"{"k": {"$date": "2019-04-06T03:50:00Z"}}"#,
      target: #"{"k": "Sat, 06 Apr 2019 03:50:00 +0000"}"#),
    Case(
      name: "date in the medium style",
      lens:
        #"[{"convert": {"name": "k", "sourceType": "string", "destinationType": "date", "format": "medium", "zone": "+09:00"}}]"#,
      source: #"{"k": "Apr 6, 2019 at 12:50:00 PM"}"#,
      target: #"{"k": {"$date": "2019-04-06T03:50:00Z"}}"#),
    Case(
      name: "date as seconds",
      lens:
        #"[{"convert": {"name": "k", "sourceType": "date", "destinationType": "integer", "format": "unix"}}]"#,
      source: #"{"k": {"$date": "2001-01-01T00:00:10Z"}}"#, target: #"{"k": 978307210}"#),
    Case(
      name: "data to Base64",
      lens: #"[{"convert": {"name": "k", "sourceType": "data", "destinationType": "string"}}]"#,
      source: #"{"k": {"$data": "AAEC"}}"#, target: #"{"k": "AAEC"}"#),
    Case(
      name: "a whole number to a string",
      lens: #"[{"convert": {"name": "k", "sourceType": "number", "destinationType": "string"}}]"#,
      source: #"{"k": 5}"#, target: #"{"k": "5"}"#),
    Case(
      name: "a string of a whole number to a real",
      lens: #"[{"convert": {"name": "k", "sourceType": "string", "destinationType": "real"}}]"#,
      source: #"{"k": "5"}"#, target: #"{"k": {"$real": 5.0}}"#),
    Case(
      name: "an integer of 64 bits to a string",
      lens: #"[{"convert": {"name": "k", "sourceType": "integer", "destinationType": "string"}}]"#,
      source: #"{"k": 18446744073709551615}"#, target: #"{"k": "18446744073709551615"}"#),
    Case(
      name: "a table tells true from 1",
      lens: #"[{"convert": {"name": "k", "values": [[1, "one"], [true, "t"]]}}]"#,
      source: #"{"k": true}"#, target: #"{"k": "t"}"#),
    Case(
      name: "classes and storage are no part of a model",
      lens:
        #"[{"class": {"name": "k", "from": "A", "to": "B"}}, {"store": {"name": "l", "as": "boxed"}}]"#,
      source: #"{"k": {"l": 1}, "l": 2}"#, target: #"{"k": {"l": 1}, "l": 2}"#),
    Case(
      name: "plunge that creates into an empty host",
      lens: #"[{"plunge": {"host": "h", "name": "n", "create": true}}]"#,
      source: #"{"n": 1, "h": {}}"#, target: #"{"h": {"n": 1}}"#, forward: ["empty $.h"]),
    Case(
      name: "what a table lacks, by its else",
      lens: #"[{"convert": {"name": "k", "values": [[0, "low"], [9, "odd"]], "else": "odd"}}]"#,
      source: #"{"k": 7}"#, target: #"{"k": "odd"}"#, forward: ["value $.k"]),
    Case(
      name: "what a table lacks backward, by its else",
      lens: #"""
        [{"convert": {"name": "k", "values": [["odd", 9], ["low", 0]], "elseBackward": "odd"}}]
        """#,
      source: #"{"k": "low"}"#, target: #"{"k": 0}"#),
    Case(
      name: "a table that gives null",
      lens: #"[{"convert": {"name": "k", "values": [[0, null], [1, "x"]]}}]"#,
      source: #"{"k": 0}"#, target: #"{"k": null}"#, forward: ["value $.k"]),
    Case(
      name: "date by a pattern",
      lens: pattern("yyyy-MM-dd HH:mm", #", "zone": "+09:00""#),
      source: #"{"k": "2019-04-06 12:50"}"#,
      target: #"{"k": {"$date": "2019-04-06T03:50:00Z"}}"#),
    Case(
      name: "date by a pattern with its own offset",
      lens: pattern("yyyy-MM-dd'T'HH:mm:ss.SSSXXX", ""),
      source: #"{"k": "2019-04-06T03:50:00.125Z"}"#,
      target: #"{"k": {"$date": "2019-04-06T03:50:00.125Z"}}"#),
    Case(
      name: "date by a pattern whose offset is lost",
      lens: pattern("yyyy-MM-dd'T'HH:mm:ssXXX", ""),
      source: #"{"k": "2019-04-06T05:50:00+02:00"}"#,
      target: #"{"k": {"$date": "2019-04-06T03:50:00Z"}}"#, forward: ["spelling $.k"]),
    Case(
      name: "date as the text of its seconds", lens: pattern("unix", ""),
      source: #"{"k": "1546300800"}"#, target: #"{"k": {"$date": "2019-01-01T00:00:00Z"}}"#),
    Case(
      name: "date as the text of its milliseconds", lens: pattern("unix-milliseconds", ""),
      source: #"{"k": "1546300800500"}"#,
      target: #"{"k": {"$date": "2019-01-01T00:00:00.5Z"}}"#),
    Case(
      name: "date as a text of seconds with zeros before", lens: pattern("unix", ""),
      source: #"{"k": "0001546300800"}"#, target: #"{"k": {"$date": "2019-01-01T00:00:00Z"}}"#,
      forward: ["spelling $.k"]),
    Case(
      name: "date whose fraction a pattern has no field for",
      lens: #"""
        [{"convert": {"name": "k", "sourceType": "date", "destinationType": "string", "format": "yyyy/MM/dd", "zone": "UTC"}}]
        """#,
      source: #"{"k": {"$date": "2019-04-06T03:50:00Z"}}"#, target: #"{"k": "2019/04/06"}"#,
      forward: ["value $.k"]),
    Case(
      name: "true is no 1 in a table",
      lens: #"[{"convert": {"name": "k", "values": [[true, 1], [1, true]]}}]"#,
      source: #"{"k": true}"#, target: #"{"k": 1}"#),
    Case(
      name: "true is not the default 1",
      lens: #"[{"remove": {"name": "k", "default": 1}}]"#,
      source: #"{"k": true}"#, target: "{}", forward: ["value $.k"]),
    Case(
      name: "true in a default is not 1",
      lens: #"[{"remove": {"name": "k", "default": {"a": [1]}}}]"#,
      source: #"{"k": {"a": [true]}}"#, target: "{}", forward: ["value $.k"]),
    Case(
      name: "true that an integer takes for 1 is lost",
      lens:
        #"[{"convert": {"name": "k", "sourceType": "integer", "destinationType": "string"}}]"#,
      source: #"{"k": true}"#, target: #"{"k": "1"}"#, forward: ["value $.k"]),
    Case(
      name: "1 that a boolean takes for true is lost",
      lens:
        #"[{"convert": {"name": "k", "sourceType": "boolean", "destinationType": "string"}}]"#,
      source: #"{"k": 1}"#, target: #"{"k": "true"}"#, forward: ["value $.k"]),
    Case(
      name: "names in two spellings are two names",
      lens: #"[{"rename": {"source": "\u00e9", "destination": "e"}}]"#,
      source: #"{"e\u0301": 1, "\u00e9": 2}"#, target: #"{"e\u0301": 1, "e": 2}"#),
  ]

  private static let tree = #"""
    {"lenses": {"folder": [
       {"rename": {"source": "n", "destination": "name"}},
       {"in": {"name": "kids", "lens": [{"map": {"lens": [{"use": "folder"}]}}]}}]},
     "lens": [{"use": "folder"}]}
    """#

  private static let pair = #"""
    {"lenses": {"node": [
       {"remove": {"name": "x"}},
       {"in": {"name": "left", "lens": [{"use": "node"}]}},
       {"in": {"name": "right", "lens": [{"use": {"name": "node"}}]}}]},
     "lens": [{"use": "node"}]}
    """#

  private static let union = #"""
    [{"map": {"lens": [
       {"when": {"member": "type", "equals": "url", "after": {"member": "kind", "equals": "link"},
         "lens": [{"rename": {"source": "type", "destination": "kind"}},
                  {"convert": {"name": "kind", "values": [["url", "link"]]}},
                  {"rename": {"source": "u", "destination": "href"}}]}}]}}]
    """#

  static let shapeCases: [Case] = [
    Case(
      name: "default of what is absent",
      lens: #"[{"default": {"name": "n", "value": {"a": [0]}}}]"#,
      source: #"{"m": 1}"#, target: #"{"m": 1, "n": {"a": [0]}}"#, forward: ["absent $.n"]),
    Case(
      name: "default of what is null", lens: #"[{"default": {"name": "n", "value": 0}}]"#,
      source: #"{"n": null}"#, target: #"{"n": 0}"#, forward: ["value $.n"]),
    Case(
      name: "default of what is there", lens: #"[{"default": {"name": "n", "value": 0}}]"#,
      source: #"{"n": 5}"#, target: #"{"n": 5}"#),
    Case(
      name: "null made absent", lens: #"[{"nullable": {"name": "n", "null": "absent"}}]"#,
      source: #"{"n": null, "m": null}"#, target: #"{"m": null}"#),
    Case(
      name: "absent beside null made absent",
      lens: #"[{"nullable": {"name": "n", "null": "absent"}}]"#,
      source: "{}", target: "{}", forward: ["absent $.n"]),
    Case(
      name: "absent made null", lens: #"[{"nullable": {"name": "n", "null": "present"}}]"#,
      source: "{}", target: #"{"n": null}"#),
    Case(
      name: "null beside absent made null",
      lens: #"[{"nullable": {"name": "n", "null": "present"}}]"#,
      source: #"{"n": null}"#, target: #"{"n": null}"#, forward: ["value $.n"]),
    Case(
      name: "copy", lens: #"[{"copy": {"source": "a", "destination": "b"}}]"#,
      source: #"{"a": [1, {"x": true}]}"#,
      target: #"{"a": [1, {"x": true}], "b": [1, {"x": true}]}"#),
    Case(
      name: "copy whose true became 1",
      lens: #"[{"remove": {"name": "b"}}, {"copy": {"source": "a", "destination": "b"}}]"#,
      source: #"{"a": [true], "b": [1]}"#, target: #"{"a": [true], "b": [true]}"#,
      forward: ["value $.b"]),
    Case(
      name: "copy of nothing", lens: #"[{"copy": {"source": "a", "destination": "b"}}]"#,
      source: #"{"c": 1}"#, target: #"{"c": 1}"#),
    Case(
      name: "copy that is changed afterwards",
      lens: #"""
        [{"copy": {"source": "a", "destination": "b"}},
         {"convert": {"name": "b", "sourceType": "integer", "destinationType": "string"}}]
        """#,
      source: #"{"a": 7}"#, target: #"{"a": 7, "b": "7"}"#),
    Case(
      name: "split", lens: #"[{"split": {"name": "s", "separator": ", "}}]"#,
      source: #"{"s": "a, b,c, "}"#, target: #"{"s": ["a", "b,c", ""]}"#),
    Case(
      name: "split of the empty text", lens: #"[{"split": {"name": "s", "separator": ","}}]"#,
      source: #"{"s": ""}"#, target: #"{"s": []}"#),
    Case(
      name: "join", lens: #"[{"join": {"name": "s", "separator": "/"}}]"#,
      source: #"{"s": ["a", "", "b"]}"#, target: #"{"s": "a//b"}"#),
    Case(
      name: "join of what has the separator", lens: #"[{"join": {"name": "s", "separator": "/"}}]"#,
      source: #"{"s": ["a/b", "c"]}"#, target: #"{"s": "a/b/c"}"#, forward: ["value $.s"]),
    Case(
      name: "join of one empty text", lens: #"[{"join": {"name": "s", "separator": "/"}}]"#,
      source: #"{"s": [""]}"#, target: #"{"s": ""}"#, forward: ["value $.s"]),
    Case(
      name: "nest",
      lens: #"[{"in": {"name": "l", "lens": [{"map": {"lens": [{"nest": {"as": "n"}}]}}]}}]"#,
      source: #"{"l": ["a", 1, [2], null]}"#,
      target: #"{"l": [{"n": "a"}, {"n": 1}, {"n": [2]}, null]}"#),
    Case(
      name: "pluck", lens: #"[{"pluck": {"name": "o", "as": "n"}}]"#,
      source: #"{"o": {"n": "a"}, "p": 1}"#, target: #"{"o": "a", "p": 1}"#),
    Case(
      name: "pluck of one among others", lens: #"[{"pluck": {"name": "o", "as": "n"}}]"#,
      source: #"{"o": {"n": "a", "m": [1]}}"#, target: #"{"o": "a"}"#, forward: ["others $.o"]),
    Case(
      name: "pluck of null", lens: #"[{"pluck": {"name": "o", "as": "n"}}]"#,
      source: #"{"o": {"n": null, "m": 1}}"#, target: #"{"o": null}"#, forward: ["value $.o"]),
    Case(
      name: "group", lens: #"[{"group": {"name": "l", "by": "id"}}]"#,
      source: #"{"l": [{"id": "a", "v": 1}, {"v": 2, "id": "b"}]}"#,
      target: #"{"l": {"a": {"v": 1}, "b": {"v": 2}}}"#),
    Case(
      name: "group whose order is lost", lens: #"[{"group": {"name": "l", "by": "id"}}]"#,
      source: #"{"l": [{"id": "b"}, {"id": "c"}, {"id": "a"}]}"#,
      target: #"{"l": {"b": {}, "c": {}, "a": {}}}"#, forward: ["order $.l"]),
    Case(
      name: "ungroup", lens: #"[{"in": {"name": "d", "lens": [{"ungroup": {"by": "id"}}]}}]"#,
      source: #"{"d": {"b": {"v": 1}, "a": {}}}"#,
      target: #"{"d": [{"id": "a"}, {"id": "b", "v": 1}]}"#),
    Case(
      name: "group of two lists",
      lens: #"[{"group": {"keys": "k", "values": "v", "into": "d"}}]"#,
      source: #"{"k": ["a", "b"], "v": [1, {"x": 2}], "m": 0}"#,
      target: #"{"d": {"a": 1, "b": {"x": 2}}, "m": 0}"#),
    Case(
      name: "group of two lists whose order is lost",
      lens: #"[{"group": {"keys": "k", "values": "v", "into": "d"}}]"#,
      source: #"{"k": ["b", "a"], "v": [1, 2]}"#, target: #"{"d": {"b": 1, "a": 2}}"#,
      forward: ["order $.k"]),
    Case(
      name: "group of no lists", lens: #"[{"group": {"keys": "k", "values": "v", "into": "d"}}]"#,
      source: #"{"m": 0}"#, target: #"{"m": 0}"#),
    Case(
      name: "ungroup into two lists",
      lens: #"[{"ungroup": {"keys": "k", "values": "v", "into": "d"}}]"#,
      source: #"{"d": {"b": 1, "a": null}}"#, target: #"{"k": ["a", "b"], "v": [null, 1]}"#),
    Case(
      name: "when", lens: union,
      source: #"[{"type": "url", "u": "x"}, {"type": "text", "u": "y"}, {"u": "z"}]"#,
      target: #"[{"kind": "link", "href": "x"}, {"type": "text", "u": "y"}, {"u": "z"}]"#),
    Case(
      name: "when a member is there",
      lens: #"""
        [{"when": {"member": "old", "present": true, "after": {"member": "new", "present": true},
           "lens": [{"rename": {"source": "old", "destination": "new"}}]}}]
        """#,
      source: #"{"old": 1}"#, target: #"{"new": 1}"#),
    Case(
      name: "a lens that uses itself", lens: tree,
      source: #"{"n": "r", "kids": [{"n": "a", "kids": []}, {"n": "b", "kids": [{"n": "c"}]}]}"#,
      target:
        #"{"name": "r", "kids": [{"name": "a", "kids": []}, {"name": "b", "kids": [{"name": "c"}]}]}"#
    ),
    Case(
      name: "losses of a lens that uses itself", lens: pair,
      source:
        #"{"x": 1, "left": {"x": 2, "right": {"x": 3}}, "right": {"x": 4, "left": {"x": 5}}}"#,
      target: #"{"left": {"right": {}}, "right": {"left": {}}}"#,
      forward: [
        "value $.x", "value $.left.x", "value $.left.right.x", "value $.right.x",
        "value $.right.left.x",
      ]),
  ]
}
