// `archtool schema check`: a valid family, and each kind of fault.

import Foundation
import TestSupport
import Testing

@Suite struct SchemaCheckTests {
  /// A sound family: `a` in the first version, `b` in the second.
  private static func sound() throws -> Workbench {
    try Workbench([
      "F/family.json": #"{"family": "F", "versions": ["v1", "v2"]}"#,
      "F/v1.schema.json": """
      {"type": "object", "x-archive": {"envelope": "json"}, "required": ["a"],
      "properties": {"a": {"type": "integer"}}, "additionalProperties": false}
      """,
      "F/v2.schema.json": """
      {"type": "object", "x-archive": {"envelope": "json"}, "required": ["b"],
      "properties": {"b": {"format": "date"}}, "additionalProperties": false}
      """,
      "F/samples/v1/one": #"{"a": 1}"#, "F/samples/v2/two": #"{"b": "2019-04-06"}"#,
      "F/samples/v1/invalid/text": #"{"a": "1"}"#, "F/samples/v1/invalid/unreadable": "{",
      "F/samples/v1/.DS_Store": "",
    ])
  }

  @Test func aSoundFamilyIsSound() throws {
    let bench = try Self.sound()
    try bench.write(Self.lens, to: "F/v1-v2.lens.json")
    let result = try bench.run("schema", "check", ".")
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.text
        == "./F: sound, F with 2 versions and 1 lens, checked with 1,000 values and 4 samples\n")
    #expect(result.errors.isEmpty)
    #expect(try bench.run("schema", "check", "-q", "F").text.isEmpty)
  }

  private static let lens = #"""
    {"lens": [{"remove": {"name": "a", "default": 1}},
      {"add": {"name": "b", "default": "2019-04-06"}}]}
    """#

  /// Each of forty lenses uses the next one twice.
  @Test(.timeLimit(.minutes(1))) func lensesThatDoubleAreRefused() throws {
    let bench = try Self.sound()
    let lenses = (0..<40).map { #""f\#($0)": [{"use": "f\#($0 + 1)"}, {"use": "f\#($0 + 1)"}]"# }
    let text = (lenses + [#""f40": []"#]).joined(separator: ", ")
    try bench.write(#"{"lens": [{"use": "f0"}], "lenses": {\#(text)}}"#, to: "F/v1-v2.lens.json")
    try bench.write(#"{"a": 1}"#, to: "one")
    let migration = ["migrate", "--schemas", "F", "--from", "v1", "--to", "v2", "one", "-o", "-"]
    for arguments in [["schema", "check", "F"], migration] {
      let result = try bench.run(arguments)
      #expect(result.status == 65, "\(result.errors)")
      #expect(result.errors.hasPrefix("F/v1-v2.lens.json:1:"), "\(result.errors)")
      #expect(result.errors.contains(": error: the lens is wrong: with 'f"))
      #expect(result.errors.contains("over 10000 lenses would be applied to one value"))
      #expect(result.errors.split(separator: "\n").count == 1)
    }
  }

  /// A lens that uses itself twice within a member, and a value that is forty deep.
  @Test(.timeLimit(.minutes(2))) func aLensThatDoublesWithinMembersStops() throws {
    let bench = try Self.sound()
    let schema = #"""
      {"x-archive": {"envelope": "json"}, "type": "object", "properties": {"n": {"type": "object"}}}
      """#
    for version in ["v1", "v2"] { try bench.write(schema, to: "F/\(version).schema.json") }
    let again = #"{"in": {"name": "n", "lens": [{"use": "f"}]}}"#
    try bench.write(
      #"{"lens": [{"use": "f"}], "lenses": {"f": [\#(again), \#(again)]}}"#,
      to: "F/v1-v2.lens.json")
    let deep = String(repeating: #"{"n": "#, count: 40) + "{}" + String(repeating: "}", count: 40)
    try bench.write(deep, to: "deep")
    let result = try bench.run(
      "migrate", "--schemas", "F", "--from", "v1", "--to", "v2", "deep", "-o", "-")
    #expect(result.status == 65, "\(result.errors)")
    #expect(result.errors.contains("visits more than "), "\(result.errors)")
  }

  /// A table of so many pairs is looked up, not searched.
  @Test(.timeLimit(.minutes(2))) func aLongTableIsTried() throws {
    let bench = try Self.sound()
    let pairs = (0..<20_000).map { #"[\#($0), "s\#($0)"]"# }.joined(separator: ", ")
    let head = #"{"x-archive": {"envelope": "json"}, "type": "object", "properties": {"a": "#
    try bench.write(head + #"{"type": "integer"}}, "required": ["a"]}"#, to: "F/v1.schema.json")
    try bench.write(head + #"{"type": "string"}}, "required": ["a"]}"#, to: "F/v2.schema.json")
    try bench.write(
      #"{"lens": [{"convert": {"name": "a", "values": [\#(pairs)], "else": "x", "elseBackward": 0}}]}"#,
      to: "F/v1-v2.lens.json")
    try FileManager.default.removeItem(at: bench.url("F/samples"))
    let result = try bench.run("schema", "check", "F")
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test func aLensThatIsWrongShowsASmallValue() throws {
    let bench = try Self.sound()
    let lens = Self.lens.replacingOccurrences(of: #""default": 1"#, with: #""default": "x""#)
    try bench.write(lens, to: "F/v1-v2.lens.json")
    let result = try bench.run("schema", "check", "F")
    #expect(result.status == 1)
    #expect(
      result.errors.hasPrefix(
        "F/v1-v2.lens.json: error: backward: the new value does not fit F@v1: expected integer, "))
    #expect(result.errors.contains(#"found string "x", such as {"b":"#))
    #expect(result.errors.hasSuffix("(at $.a)\n"))
    #expect(
      result.text
        == "F: not sound, F with 2 versions and 1 lens, checked with 1,000 values and 4 samples\n")
    let json = try bench.run("schema", "check", "--format", "json", "F")
    #expect(json.text.contains(#""lenses": 1"#))
    #expect(json.text.contains(#""values": 1000"#))
  }

  @Test func triesAndSeedChooseTheValues() throws {
    let bench = try Self.sound()
    try bench.write(Self.lens, to: "F/v1-v2.lens.json")
    let few = try bench.run("schema", "check", "--tries", "7", "--seed", "3", "F")
    #expect(few.text.hasSuffix("checked with 7 values and 4 samples\n"))
    #expect(try bench.run("schema", "check", "--tries", "0", "F").status == 0)
    #expect(try bench.run("schema", "check", "--tries", "x", "F").status == 64)
  }

  @Test func aNameThatNoValueHasIsAnError() throws {
    let bench = try Self.sound()
    try bench.write(
      #"{"lens": [{"remove": {"name": "x"}}, {"remove": {"name": "a", "default": 1}}, {"add": {"name": "b", "default": "2019-04-06"}}]}"#,
      to: "F/v1-v2.lens.json")
    let result = try bench.run("schema", "check", "--tries", "50", "F")
    #expect(result.status == 1)
    #expect(
      result.errors
        == "F/v1-v2.lens.json: error: no member 'x' in v1 (operation /lens/0, remove x)\n")
  }

  @Test(arguments: [
    (#"{"lens": [{"rename": {"source": "a"}}]}"#, "v1-v2", "'destination' is missing"),
    (#"{"lens": []}"#, "v1-v9", "a lens file is called FROM-TO.lens.json"),
  ]) func aWrongLensIsAnError(_ lens: String, _ name: String, _ message: String) throws {
    let bench = try Self.sound()
    try bench.write(lens, to: "F/\(name).lens.json")
    let result = try bench.run("schema", "check", "F")
    #expect(result.status == 65)
    // With the line, if something in the file is wrong.
    #expect(result.errors.hasPrefix("F/\(name).lens.json:"))
    #expect(result.errors.contains(" error: ") && result.errors.contains(message))
  }

  @Test func versionsWithoutLensesThatDifferAreAWarning() throws {
    let result = try Self.sound().run("schema", "check", "F")
    #expect(result.status == 0)
    #expect(
      result.errors.hasPrefix("F/v2.schema.json: warning: a v1 need not fit v2 as it is, and "))
  }

  struct Change: Sendable, CustomTestStringConvertible {
    let file: String
    let text: String
    var status: Int32 = 1
    /// The line that is said, from the file on.
    let line: String
    var arguments: [String] = []
    var testDescription: String { line }
  }

  @Test(arguments: [
    Change(
      file: "F/samples/v1/wrong", text: #"{"a": "x"}"#,
      line: "F/samples/v1/wrong:1:7: error: does not fit F@v1: expected integer, found string \"x\""
        + " (at $.a)"),
    Change(
      file: "F/v2.schema.json", text: #"{"x-archive": {"envelope": "json"}}"#,
      line: "F/samples/v1/one: error: fits F@v2 as well, so the two cannot be distinguished"),
    Change(
      file: "F/samples/v1/invalid/right", text: #"{"a": 5}"#,
      line: "F/samples/v1/invalid/right: error: fits F@v1, and must not"),
    Change(
      file: "F/samples/v3/x", text: "{}", line: "F/samples/v3: error: F has no version v3"),
    Change(
      file: "F/samples/v1/broken", text: "{\"a\": ", status: 65,
      line: "F/samples/v1/broken:1:7: error: not JSON: "),
    Change(
      file: "F/v1.schema.json", text: #"{"x-archive": {"envelope": "json"}, "items": 5}"#,
      status: 65,
      line: "F/v1.schema.json: error: the schema is wrong: a schema must be an object, true or"
        + " false (at $.items)"),
    Change(
      file: "F/v1.schema.json", text: #"{"type": "object"}"#, status: 65,
      line: "F/v1.schema.json: error: the schema is wrong: 'x-archive' must name an envelope"),
    Change(
      file: "F/family.json", text: #"{"family": "F", "versions": ["v1", "v9"]}"#, status: 66,
      line: "F/v9.schema.json: error: cannot open the file"),
    // Formats count where they are asserted.
    Change(
      file: "F/samples/v2/day", text: #"{"b": "tomorrow"}"#,
      line: "F/samples/v2/day:1:7: error: does not fit F@v2: expected a string of the format date",
      arguments: ["--assert-formats"]),
  ]) func whatIsWrongIsSaid(_ change: Change) throws {
    let bench = try Self.sound()
    try bench.write(change.text, to: change.file)
    let result = try bench.run(["schema", "check", "F"] + change.arguments)
    #expect(result.status == change.status)
    #expect(
      result.errors.split(separator: "\n").contains { $0.hasPrefix(change.line) },
      "\(result.errors)")
    #expect(result.text.isEmpty || result.text.hasPrefix("F: not sound, F with 2 versions"))
    let quiet = try bench.run(["schema", "check", "-q", "F"] + change.arguments)
    #expect(quiet.errors.contains(change.line))
    #expect(quiet.text.isEmpty)
  }

  @Test(arguments: [
    ("additionalPropertie", "; did you mean 'additionalProperties'?"),
    ("requierd", ""), ("Required", "; did you mean 'required'?"),
    ("minlength", "; did you mean 'minLength'?"), ("propertes", "; did you mean 'properties'?"),
    ("itemz", "; did you mean 'items'?"), ("colour", ""),
  ]) func unknownKeywordsAreWarnings(_ name: String, _ hint: String) throws {
    let bench = try Self.sound()
    try bench.write(
      """
      {"x-archive": {"envelope": "json"}, "required": ["a"], "x-ours": 1, "properties":
      {"\(name)": {"not": {"const": {"\(name)": 1}}, "\(name)": false}, "a": {"type": "integer"}},
      "additionalProperties": false}
      """, to: "F/v1.schema.json")
    let result = try bench.run("schema", "check", "F")
    #expect(result.status == 0)
    #expect(
      result.errors.hasPrefix(
        """
        F/v1.schema.json: warning: the keyword '\(name)' is unknown and has no effect\(hint) \
        (at $.properties.\(name).\(name))

        """))
    #expect(result.text.hasPrefix("F: sound"))
  }

  @Test func severalFoldersAreChecked() throws {
    let bench = try Self.sound()
    try bench.write(#"{"family": "G", "versions": ["v1"]}"#, to: "all/G/family.json")
    try bench.write(#"{"x-archive": {"envelope": "json"}}"#, to: "all/G/v1.schema.json")
    try bench.write("5", to: "all/G/samples/v1/invalid/five")
    try bench.write("", to: "empty/.keep")
    let result = try bench.run("schema", "check", "F", "all", "empty", "absent")
    #expect(result.status == 66)
    #expect(
      result.text == """
        F: sound, F with 2 versions, checked with 1,000 values and 4 samples
        all/G: not sound, G with 1 version, checked with 1 sample

        """)
    #expect(result.errors.contains("empty: error: the folder is not a family"))
    #expect(result.errors.contains("absent: error: cannot list the folder"))
    let json = try bench.run("schema", "check", "--format", "json", "F", "all").output
    let list = try #require(try JSONSerialization.jsonObject(with: json) as? [[String: Any]])
    #expect(list.map { $0["isSound"] as? Bool } == [true, false])
    let findings = try #require(list[1]["findings"] as? [[String: Any]])
    #expect(findings.map { $0["file"] as? String } == ["all/G/samples/v1/invalid/five"])
  }

  /// What `validate --schemas DIR` finds below DIR, `schema check DIR` finds as well.
  @Test func schemasBesideTheFamilyAreFound() throws {
    let bench = try Workbench([
      "all/T/family.json": #"{"family": "T", "versions": ["v1"]}"#,
      "all/T/v1.schema.json": """
      {"$id": "https://example.com/t.json", "x-archive": {"envelope": "json"},
      "required": ["leg"], "properties": {"leg": {"$ref": "parts/leg.json"}}}
      """,
      "all/parts/leg.json": #"{"type": "integer"}"#,
      "all/T/samples/v1/trip": #"{"leg": 5}"#, "trip.json": #"{"leg": "5"}"#,
    ])
    #expect(try bench.run("validate", "--schemas", "all", "trip.json").status == 1)
    let result = try bench.run("schema", "check", "all")
    #expect(result.status == 0, "\(result.errors)")
    #expect(try bench.run("schema", "check", "all/T").status == 65)
    #expect(try bench.run("schema", "check", "all/T", "--schemas", "all").status == 0)
  }
}
