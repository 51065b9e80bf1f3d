// `--schema-file`: one verdict for every encoding of the data, and the conditions that make `format` an assertion.

import Foundation
import TestSupport
import Testing

@Suite struct SchemaFileTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let schema: String
    let data: String
    /// The rules and places that are violated.
    let violations: [String]
    var testDescription: String { schema }
  }

  static let cases = [
    Case(schema: "true", data: #"{"a": 1}"#, violations: []),
    Case(schema: "false", data: #"{"a": 1}"#, violations: ["false $"]),
    Case(
      schema: #"{"properties": {"n": {"type": "integer"}}, "required": ["m"]}"#,
      data: #"{"n": "x"}"#, violations: ["required $.m", "type $.n"]),
    Case(
      schema: #"{"properties": {"l": {"items": {"maximum": 3}, "uniqueItems": true}}}"#,
      data: #"{"l": [1, 9, 2, 2.5, 9]}"#,
      violations: ["maximum $.l[1]", "maximum $.l[4]", "uniqueItems $.l"]),
    Case(
      schema: #"{"properties": {"b": {"const": true}, "s": {"pattern": "^.{2}$"}}}"#,
      data: #"{"b": false, "s": "é💡", "i": -7}"#, violations: ["const $.b"]),
    Case(
      schema:
        ##"{"$defs": {"t": {"properties": {"t": {"$ref": "#/$defs/t"}, "v": {"minLength": 2}}}}, "$ref": "#/$defs/t"}"##,
      data: #"{"t": {"t": {"v": "a"}, "v": "ab"}, "v": ""}"#,
      violations: ["minLength $.t.t.v", "minLength $.v"]),
    Case(
      schema: #"{"additionalProperties": {"type": ["string", "array"]}, "maxProperties": 2}"#,
      data: #"{"a": "x", "b": [], "c": {"d": 0.5}}"#,
      violations: ["maxProperties $", "type $.c"]),
  ]

  @Test(arguments: cases)
  func verdictsDoNotDependOnTheEncoding(_ item: Case) throws {
    let bench = try Workbench(["schema.json": item.schema, "data.json": item.data])
    let encodings = ["binary1", "xml1", "keyed-archive", "typedstream"]
    for encoding in encodings {
      let result = try bench.run("convert", "--to", encoding, "data.json", "-o", encoding)
      try #require(result.status == 0, "\(result.errors)")
    }
    let units = try bench.validate(["--schema-file", "schema.json", "data.json"] + encodings)
    try #require(units.count == encodings.count + 1)
    for unit in units {
      #expect(unit.violations == item.violations, "\(unit.file ?? "")")
      #expect(unit.valid == item.violations.isEmpty)
    }
  }

  /// The typed values that JSON has not: dates and data are told from strings by `x-plist-type`.
  @Test func typesOfPropertyListsAreDistinguished() throws {
    let bench = try Workbench([
      "data.plist": """
      <plist><dict><key>d</key><date>2019-04-06T12:50:00Z</date><key>b</key><data>AQI=</data>
      <key>s</key><string>2019-04-06T12:50:00Z</string></dict></plist>
      """,
      "right.json": """
      {"properties": {"d": {"x-plist-type": "date"}, "b": {"x-plist-type": "data"}}}
      """,
      "wrong.json": """
      {"properties": {"s": {"x-plist-type": "date"}, "d": {"x-plist-type": "data"}}}
      """,
    ])
    for to in ["binary1", "keyed-archive"] {
      try bench.run("convert", "--to", to, "data.plist", "-o", to)
    }
    let files = ["data.plist", "binary1", "keyed-archive"]
    let right = try bench.validate(["--schema-file", "right.json"] + files)
    #expect(right.map(\.violations) == [[], [], []])
    let wrong = try bench.validate(["--schema-file", "wrong.json"] + files)
    #expect(wrong.map(\.violations) == files.map { _ in ["x-plist-type $.d", "x-plist-type $.s"] })
  }

  // MARK: Formats

  @Test(arguments: [
    ("date-time", "2019-04-06T12:50:00Z", "6 April 2019"), ("uuid", UUID().uuidString, "123"),
    ("email", "ada@example.com", "ada"), ("ipv4", "127.0.0.1", "127.0.0.256"),
    ("uri", "https://example.com/a?b#c", "/a b"), ("json-pointer", "/a~1b", "a~2"),
    ("regex", "^a+$", "("), ("duration", "P1DT2H", "1 day"),
  ]) func formatsAreAssertedOnRequest(_ format: String, _ right: String, _ wrong: String) throws {
    let bench = try Workbench([
      "schema.json": #"{"items": {"format": "\#(format)"}}"#,
      "data.json": "[\"\(right)\", \"\(wrong)\", 5]",
    ])
    let arguments = ["--schema-file", "schema.json", "data.json"]
    #expect(try bench.validate(arguments).map(\.violations) == [[]])
    let asserted = try bench.validate(["--assert-formats"] + arguments)
    #expect(asserted.map(\.violations) == [["format $[1]"]])
  }

  /// Families are held against their formats as well; unknown ones assert nothing.
  @Test func formatsOfFamiliesAreAssertedOnRequest() throws {
    let bench = try Workbench([
      "Mails/family.json": #"{"family": "Mail", "versions": ["v1"]}"#,
      "Mails/v1.schema.json": """
      {"x-archive": {"envelope": "json"}, "required": ["to"],
      "properties": {"to": {"format": "email"}, "mood": {"format": "mood"}}}
      """,
      "mail.json": #"{"to": "nobody", "mood": "bad"}"#,
    ])
    let arguments = ["--schemas", "Mails", "mail.json"]
    #expect(try bench.validate(arguments).map(\.verdict) == ["valid"])
    let asserted = try bench.validate(["--assert-formats"] + arguments)
    #expect(asserted.map(\.violations) == [["format $.to"]])
  }

  @Test func dialectsMayAssertFormats() throws {
    let bench = try Workbench([
      "meta/strict.json": """
      {"$id": "https://example.com/strict", "$vocabulary": {
      "https://json-schema.org/draft/2020-12/vocab/core": true,
      "https://json-schema.org/draft/2020-12/vocab/format-assertion": true}}
      """,
      "schema.json": #"{"$schema": "https://example.com/strict", "format": "ipv4"}"#,
      "data.json": "\"nowhere\"",
    ])
    let units = try bench.validate(
      ["--schemas", "meta", "--schema-file", "schema.json", "data.json"])
    #expect(units.map(\.violations) == [["format $"]])
  }
}
