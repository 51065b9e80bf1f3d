// JSON and NDJSON: the output structures of JSON Schema, queried by jq, with locations resolved by Foundation.

import Foundation
import TestSupport
import Testing

@Suite struct JSONReportTests {
  static let jq = Program.find("jq")
  static let data = """
    {"name": 5, "list": [1, "two", {"deep/key~": "x"}], "either": "neither", "one": 4, "extra": 1}
    """
  static let schema = """
    {
      "properties": {
        "absent": true,
        "name": {"$ref": "parts/text.json#/$defs/name"},
        "list": {"items": {"$ref": "#/$defs/item"}},
        "either": {"anyOf": [{"type": "integer"}, {"minLength": 9}, {"const": "x"}]},
        "one": {"oneOf": [{"type": "integer"}, {"multipleOf": 2}, {"type": "null"}]}
      },
      "required": ["absent"],
      "additionalProperties": {"not": {}},
      "$defs": {
        "item": {
          "type": ["integer", "object"],
          "patternProperties": {"^deep/": {"allOf": [{"type": "boolean"}]}}
        }
      }
    }
    """

  private static func bench() throws -> Workbench {
    try Workbench([
      "the schema é.json": schema, "data.json": data,
      "good.json": #"{"absent": 1, "list": []}"#,
      "parts/text.json":
        ##"{"$defs": {"name": {"$ref": "#/$defs/text"}, "text": {"type": "string"}}}"##,
    ])
  }

  /// Whether jq says true to a question about standard input.
  private static func expectTrue(_ question: String, _ json: Data) throws {
    let program = try #require(jq)
    let result = try Program.run(at: program, ["-c", question], input: json)
    #expect(result.text == "true\n", "\(question): \(result.text)\(result.errors)")
  }

  // MARK: Structures

  @Test(.enabled(if: jq != nil, "jq is not installed"))
  func basicIsAFlatList() throws {
    let bench = try Self.bench()
    let result = try bench.run(
      "validate", "--format", "json", "--schema-file", "the schema é.json", "data.json", "good.json"
    )
    #expect(result.status == 1)
    try Self.expectTrue("map(.valid) == [false, true]", result.output)
    try Self.expectTrue("map(.file) == [\"data.json\", \"good.json\"]", result.output)
    try Self.expectTrue("[.[].errors[] | has(\"errors\")] | any | not", result.output)
    try Self.expectTrue(
      "all(.[].errors[]; (.valid | not) and has(\"keywordLocation\") and has(\"error\")"
        + " and has(\"absoluteKeywordLocation\") and has(\"instanceLocation\"))",
      result.output)
    // What failed below anyOf stands in the same list.
    try Self.expectTrue(
      "[.[0].errors[].keywordLocation | select(startswith(\"/properties/either\"))] | sort"
        + " == ([\"\", \"/0/type\", \"/1/minLength\", \"/2/const\"]"
        + " | map(\"/properties/either/anyOf\" + .))", result.output)
  }

  @Test(.enabled(if: jq != nil, "jq is not installed"))
  func detailedNestsWhatFailedBelow() throws {
    let bench = try Self.bench()
    let result = try bench.run(
      "validate", "--format", "json", "--structure", "detailed", "--schema-file",
      "the schema é.json",
      "data.json")
    try Self.expectTrue(
      ".[0].errors | map(select(.instanceLocation == \"/either\")) | length == 1"
        + " and (.[0].errors | map(.rule)) == [\"type\", \"minLength\", \"const\"]",
      result.output)
    try Self.expectTrue(
      "all(.[0].errors[]; . as $outer | all(.errors[]?;"
        + " .keywordLocation | startswith($outer.keywordLocation + \"/\")))", result.output)
  }

  @Test func bothFitTheStandardsOutput() throws {
    let bench = try Self.bench()
    let broken = TestArchives.all.filter { $0.path.hasPrefix("Broken/") }.map(\.url.path)
    for structure in ["basic", "detailed"] {
      let inputs = [
        ["--schema-file", "the schema é.json", "data.json", "good.json"], broken, ["none"],
      ]
      for (number, arguments) in inputs.enumerated() {
        let format = ["validate", "--format", "json", "--structure", structure]
        try bench.write(
          try bench.run(format + arguments).output, to: "\(structure)-\(number).json")
      }
    }
    let fixture = Workbench.fixture("output-2020-12.schema.json")
    let names = ["basic", "detailed"].flatMap { name in (0..<3).map { "\(name)-\($0).json" } }
    let result = try bench.run(
      ["validate", "--assert-formats", "--schema-file", fixture] + names)
    #expect(result.status == 0, "\(result.errors)")
    // What is none of it does not fit.
    let right = try String(contentsOf: bench.url("basic-0.json"), encoding: .utf8)
    let changes = [
      ("\"instanceLocation\": \"/name\"", "\"instanceLocation\": \"name\""),
      ("\"keywordLocation\"", "\"keyword\""), ("\"valid\": true", "\"valid\": \"yes\""),
      ("\"valid\": false", "\"valid\": true"), ("#/", "/"), ("\"error\": \"", "\"why\": \""),
    ]
    let wrong = changes.indices.map { "wrong-\($0).json" }
    for (name, (old, new)) in zip(wrong, changes) {
      try #require(right.contains(old))
      try bench.write(right.replacingOccurrences(of: old, with: new), to: name)
    }
    let units = try bench.validate(["--assert-formats", "--schema-file", fixture] + wrong)
    #expect(units.map(\.valid) == wrong.map { _ in false })
  }

  @Test(.enabled(if: jq != nil, "jq is not installed"))
  func linesAreOfOneFileEach() throws {
    let bench = try Self.bench()
    let arguments = [
      "--schema-file", "the schema é.json", "data.json", "good.json", "none", "data.json",
    ]
    let lines = try bench.run(["validate", "--format", "ndjson"] + arguments).output
    #expect(lines.count { $0 == UInt8(ascii: "\n") } == 4)
    let program = try #require(Self.jq)
    let names = try Program.run(at: program, ["-r", ".file"], input: lines).text
    #expect(names == "data.json\ngood.json\nnone\ndata.json\n")
    // The lines are the units of the one document.
    let document = try bench.run(["validate", "--format", "json"] + arguments).output
    let slurped = try Program.run(at: program, ["-s", "-S", "."], input: lines).text
    #expect(try Program.run(at: program, ["-S", "."], input: document).text == slurped)
  }

  // MARK: Places

  /// What a JSON Pointer leads to (RFC 6901).
  private static func follow(_ pointer: String, in document: Any) -> Any? {
    pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      .reduce(Optional(document)) { value, token in
        let key = token.replacingOccurrences(of: "~1", with: "/")
          .replacingOccurrences(of: "~0", with: "~")
        if let list = value as? [Any] {
          return Int(key).flatMap { list.indices.contains($0) ? list[$0] : nil }
        }
        return (value as? [String: Any])?[key]
      }
  }

  @Test func placesLeadToKeywordsAndValues() throws {
    let bench = try Self.bench()
    let unit = try #require(
      try bench.validate(["--schema-file", "the schema é.json", "data.json"]).first)
    let data = try JSONSerialization.jsonObject(with: Data(Self.data.utf8))
    let errors = try #require(unit.errors)
    for error in errors {
      let location = try #require(error.absoluteKeywordLocation)
      let parts = location.components(separatedBy: "#")
      try #require(parts.count == 2, "\(location)")
      let file = try #require(URL(string: parts[0]))
      let schema = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
      let pointer = try #require(parts[1].removingPercentEncoding)
      #expect(Self.follow(pointer, in: schema) != nil, "\(location)")
      let rule = try #require(error.rule)
      #expect(pointer.hasSuffix("/\(rule)"), "\(location)")
      #expect(error.keywordLocation.hasSuffix("/\(rule)"), "\(error.keywordLocation)")
      #expect(Self.follow(error.instanceLocation, in: data) != nil, "\(error.instanceLocation)")
    }
    let places = Set(errors.map { "\($0.keywordLocation) \($0.instanceLocation)" })
    let expected: Set = [
      "/properties/name/$ref/$ref/type /name", "/properties/list/items/$ref/type /list/1",
      "/properties/list/items/$ref/patternProperties/^deep~1/allOf/0/type /list/2/deep~1key~0",
      "/properties/either/anyOf /either", "/properties/one/oneOf /one", "/required ",
      "/additionalProperties/not /extra",
    ]
    #expect(expected.subtracting(places).isEmpty, "\(places)")
  }
}
