// JSON in the layout of an older text.

import ArchiveBasics
import Foundation
import Testing

@testable import ArchivePropertyLists

@Suite struct JSONLayoutTests {
  /// An old text, a new one as archtool writes it, and the new one in the layout of the old.
  static let cases: [(old: String, new: String, expected: String)] = [
    (#"{"a":1,"b":2}"#, "{\n  \"a\": 1,\n  \"b\": 3\n}\n", #"{"a":1,"b":3}"#),
    (#"{"a":1}"#, #"{"a": 1, "b": {"c": []}}"#, #"{"a":1,"b":{"c":[]}}"#),
    (#"{"a": 1, "b": 2}"#, #"{"a":1,"b":2,"c":[1,2]}"#, #"{"a": 1, "b": 2, "c": [1, 2]}"#),
    (
      "{\n    \"a\" : 1\n}\n", #"{"a":1,"b":[true]}"#,
      "{\n    \"a\" : 1,\n    \"b\" : [\n        true\n    ]\n}\n"
    ),
    ("{\r\n\t\"a\": 1\r\n}", #"{"a":2,"b":{}}"#, "{\r\n\t\"a\": 2,\r\n\t\"b\": {}\r\n}"),
    (
      "{\n  \"a\" : [\n\n  ]\n}", #"{"a":[],"b":[],"c":{}}"#,
      "{\n  \"a\" : [\n\n  ],\n  \"b\" : [\n\n  ],\n  \"c\" : {\n\n  }\n}"
    ),
    (#"{"u":"a\/b","v":"x"}"#, #"{"u":"a/b","v":"c/d"}"#, #"{"u":"a\/b","v":"c\/d"}"#),
    (
      #"{"u":"\u00e9","v":"x"}"#, #"{"u":"é","v":"ü😀"}"#,
      #"{"u":"\u00e9","v":"\u00fc\ud83d\ude00"}"#
    ),
    (#"{"u":"\u00E9","v":"x"}"#, #"{"u":"é","v":"ü"}"#, #"{"u":"\u00E9","v":"\u00FC"}"#),
    (#"{"a":1.50,"b":1e2,"c":1}"#, #"{"a":1.5,"b":100.0,"c":2}"#, #"{"a":1.50,"b":1e2,"c":2}"#),
    // A member that gets another name, or another place, keeps its text.
    (#"{"a":{"x" :1.50}, "b":2}"#, #"{"z":{"x":1.5},"b":2}"#, #"{"z":{"x" :1.50}, "b":2}"#),
    (#"{"a":1 , "b":2}"#, #"{"b":2,"a":1}"#, #"{"b":2 , "a":1}"#),
    ("[1, 2,\n3]", "[1,2,4]", "[1, 2,\n4]"), ("[1,2,3]", "[2,3]", "[2,3]"),
    (
      "[ {\"a\" :1}, {\"a\": 2} ]", #"[{"a":1},{"a":9},{"a":2}]"#,
      "[ {\"a\" :1}, {\"a\" :9}, {\"a\": 2} ]"
    ),
    (" \n[]\n", "[1]", " \n[1]\n"), ("{}", #"{"a":1}"#, #"{"a":1}"#), ("[[1]]", "{\n}", "{}"),
    // Names that occur twice.
    (#"{"a":1,"a":2}"#, #"{"a":1,"a":3}"#, #"{"a":1,"a":3}"#),
  ]

  @Test(arguments: cases.indices) func keepsTheLayout(_ index: Int) {
    let (old, new, expected) = Self.cases[index]
    let text = Self.text(new, like: old)
    #expect(text == expected)
  }

  private static func text(_ new: String, like old: String) -> String? {
    let (left, right) = (
      ByteStorage(copying: Array(new.utf8)), ByteStorage(copying: Array(old.utf8))
    )
    return JSONLayout.text(of: left.bytes, like: right.bytes).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  @Test(arguments: [
    "{", "[1", "[1,]x", "{\"a\"}", "{\"a\":}", "[1 2]", "[a]", "{a:1}", "\"x\"", "12", "", "[1]]",
    "[[1]", "{\"a\":1]", "[see below]", "{\"a\\", "[\"\\u12",
  ]) func isNoJSON(_ text: String) {
    let storage = ByteStorage(copying: Array(text.utf8))
    #expect(!JSONLayout.isJSON(storage.bytes), "\(text)")
  }

  @Test func isDeep() {
    let deep = String(repeating: "[", count: 200_000) + "1" + String(repeating: "]", count: 200_000)
    #expect(Self.text(deep.replacing("1", with: "2"), like: deep) == deep.replacing("1", with: "2"))
  }
}

@Suite struct Base64TextTests {
  static let forms: [(String, isReproducible: Bool)] = [
    ("AQIDBA==", true), ("AQID", true), ("-_-_AQ", true), ("AQIDBA", true), ("+/+/AQ==", true),
    ("AQID\nBAUG\nBw==\n", true), ("AQIDBAUG\r\nBw==", true), ("AQID\nBA\n==", false),
    ("AQ\nIDBAUG", false), ("data:text/plain;base64,AQIDBA==", true),
    ("-----BEGIN X-----\nAQIDBA==\n-----END X-----\n", true), ("  AQID \n", true),
  ]

  @Test(arguments: forms.indices) func keepsTheForm(_ index: Int) throws {
    let (form, isReproducible) = Self.forms[index]
    let storage = ByteStorage(copying: Array(form.utf8))
    let text = try #require(Base64Text(storage.bytes))
    #expect(text.isReproducible == isReproducible)
    if isReproducible {
      #expect(text.encoded(text.content.bytes).elementsEqual(form.utf8))
    }
    let other = ByteStorage(copying: (0..<100).map { UInt8($0) })
    let again = ByteStorage(copying: text.encoded(other.bytes))
    let copy = try #require(Base64Text(again.bytes))
    #expect(copy.content.bytes.elementsEqual(other.bytes))
  }

  @Test(arguments: ["", "A", "AB=C", "-_+/", "AQ ID!", "words with spaces."])
  func isNoBase64(_ text: String) {
    let storage = ByteStorage(copying: Array(text.utf8))
    #expect(Base64Text(storage.bytes) == nil)
  }
}
