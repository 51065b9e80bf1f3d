// `archtool schema diff`: the exit status, and the description of a change.

import Foundation
import TestSupport
import Testing

@Suite struct SchemaDiffTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let old: String
    let new: String
    /// backward, forward, full or none; nil if nothing changed.
    let verdict: String?
    /// The kinds of the changes.
    let kinds: [String]
    var testDescription: String { "\(old) to \(new)" }
  }

  static let cases = [
    Case(old: #"{"type": "string"}"#, new: #"{"type": "string"}"#, verdict: nil, kinds: []),
    Case(
      old: #"{"type": "integer"}"#, new: #"{"type": "number"}"#, verdict: "backward",
      kinds: ["type-widened"]),
    Case(
      old: #"{"type": "number"}"#, new: #"{"type": "integer"}"#, verdict: "forward",
      kinds: ["type-narrowed"]),
    Case(
      old: #"{"type": "integer"}"#, new: #"{"type": "string"}"#, verdict: "none",
      kinds: ["type-changed"]),
    Case(
      old: #"{"properties": {"a": {}}, "required": ["a"]}"#, new: #"{"properties": {"a": {}}}"#,
      verdict: "backward", kinds: ["became-optional"]),
    Case(
      old: #"{"properties": {"a": {}}}"#, new: #"{"properties": {"a": {}}, "required": ["a"]}"#,
      verdict: "forward", kinds: ["became-required"]),
    Case(
      old: #"{"type": "array", "maxItems": 3}"#, new: #"{"type": "array", "maxItems": 2}"#,
      verdict: "forward", kinds: ["length-narrowed"]),
    // The same values, told otherwise.
    Case(
      old: #"{"enum": [1, 2]}"#, new: #"{"enum": [2, 1.0]}"#, verdict: nil, kinds: []),
  ]

  struct Report: Decodable {
    struct Change: Decodable {
      let kind: String
      let path: String
    }

    let compatibility: String
    let changes: [Change]
  }

  @Test(arguments: cases)
  func theStatusIsTheAnswer(_ item: Case) throws {
    let bench = try Workbench(["old.json": item.old, "new.json": item.new])
    let json = try bench.run("schema", "diff", "--format", "json", "old.json", "new.json")
    let report = try JSONDecoder().decode(Report.self, from: json.output)
    #expect(report.compatibility == item.verdict ?? "full")
    #expect(report.changes.map(\.kind) == item.kinds)
    #expect(json.status == (item.verdict == nil ? 0 : 1))
    for wanted in ["backward", "forward", "full"] {
      let result = try bench.run(
        "schema", "diff", "--compatibility", wanted, "old.json", "new.json")
      let isWanted = item.verdict.map { $0 == wanted || $0 == "full" } ?? true
      #expect(result.status == (isWanted ? 0 : 1), "\(wanted)")
    }
    // The other way round, backward is forward.
    let turned = try bench.run("schema", "diff", "--format", "json", "new.json", "old.json")
    let opposite = ["backward": "forward", "forward": "backward"]
    let verdict = item.verdict ?? "full"
    #expect(
      try JSONDecoder().decode(Report.self, from: turned.output).compatibility
        == opposite[verdict] ?? verdict)
  }

  @Test func envelopesCountUnlessModelsAreCompared() throws {
    let schema = #""type": "object", "properties": {"a": {"type": "string"}}"#
    let bench = try Workbench([
      "F/family.json": #"{"family": "F", "versions": ["v1", "v2"]}"#,
      "F/v1.schema.json": #"{"x-archive": {"envelope": "dictionariable"}, \#(schema)}"#,
      "F/v2.schema.json": #"{"x-archive": {"envelope": "codable"}, \#(schema)}"#,
    ])
    let family = ["schema", "diff", "--schemas", "F", "--family", "F", "v1", "v2"]
    let envelopes = try bench.run(family)
    #expect(envelopes.status == 1)
    #expect(envelopes.text.contains("[envelope-changed]"))
    #expect(try bench.run(family + ["--compatibility", "backward"]).status == 1)
    let models = try bench.run(family + ["--models"])
    #expect(models.status == 0, "\(models.text)")
    #expect(!models.text.contains("envelope"))
    // Operands name versions with their families, or files, as well.
    for operands in [["F@v1", "F@v2"], ["F/v1.schema.json", "F/v2.schema.json"]] {
      let result = try bench.run(["schema", "diff", "--schemas", "F"] + operands)
      #expect(result.status == 1)
      #expect(result.text.contains("[envelope-changed]"))
    }
  }

  @Test func notesAreChangesOnRequest() throws {
    let bench = try Workbench([
      "old.json": #"{"title": "a", "type": "string"}"#,
      "new.json": #"{"title": "b", "type": "string"}"#,
    ])
    #expect(try bench.run("schema", "diff", "old.json", "new.json").status == 0)
    let noted = try bench.run("schema", "diff", "--notes", "old.json", "new.json")
    #expect(noted.text.contains("title"), "\(noted.text)")
    #expect(
      try bench.run("schema", "diff", "--notes", "--compatibility", "full", "old.json", "new.json")
        .status == 0)
  }

  /// A counterexample is a value that fits one schema and not the other, as validation has it.
  @Test(arguments: cases.filter { $0.verdict != nil })
  func counterexamplesAreSuch(_ item: Case) throws {
    let bench = try Workbench(["old.json": item.old, "new.json": item.new])
    let json = try bench.run("schema", "diff", "--format", "json", "old.json", "new.json").output
    let report = try JSONSerialization.jsonObject(with: json) as? [String: Any]
    let changes = try #require(report?["changes"] as? [[String: Any]])
    var checked = 0
    for each in changes.flatMap({ $0["breaks"] as? [[String: Any]] ?? [] }) {
      guard let example = each["counterexample"], !(example is NSNull) else { continue }
      let data = try JSONSerialization.data(
        withJSONObject: example, options: [.fragmentsAllowed])
      try bench.write(data, to: "example.json")
      let fits = try ["old.json", "new.json"].map {
        try bench.run("validate", "--schema-file", $0, "example.json").status == 0
      }
      #expect(
        fits == (each["direction"] as? String == "backward" ? [true, false] : [false, true]))
      checked += 1
    }
    #expect(checked > 0)
  }

  @Test(
    arguments: [
      (["Movie@v1", "Movie@v9"], 64, "v9"), (["Movie@v1", "none.json"], 66, "none.json"),
      (["Movie@v1", "wrong.json"], 65, "wrong.json: error: the schema is wrong"),
      (["Movie", "Movie@v1"], 64, "Movie@v1"), (["--family", "Movi", "v1", "v2"], 64, "'Movie'"),
      (["Movie@v1"], 64, "operand"),
    ] as [([String], Int32, String)])
  func whatCannotBeComparedIsSaid(_ operands: [String], _ status: Int32, _ part: String) throws {
    let bench = try Workbench(["wrong.json": #"{"type": 1}"#])
    let result = try bench.run(["schema", "diff"] + operands)
    #expect(result.status == status)
    #expect(result.errors.contains(part), "\(result.errors)")
  }
}
