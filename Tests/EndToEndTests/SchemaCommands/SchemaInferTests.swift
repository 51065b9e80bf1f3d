// `archtool schema infer`: a family from archives that Foundation wrote; it accepts those and no broken ones.

import Foundation
import TestSupport
import Testing

@Suite struct SchemaInferTests {
  /// Fifty archives of each version, in the folders v1 and v2.
  private static func bench() throws -> Workbench {
    let bench = try Workbench()
    for number in 0..<50 {
      try bench.write(try FeedArchives.dictionariable(number), to: "v1/feed-\(number)")
      try bench.write(try FeedArchives.codable(number), to: "v2/feed-\(number)")
    }
    return bench
  }

  @Test func aFamilyTakesItsExamplesAndNoBrokenOnes() throws {
    let bench = try Self.bench()
    for version in ["v1", "v2"] {
      let result = try bench.run(
        "schema", "infer", "--family", "WeatherFeed", "--version", version, "--output-dir", "own",
        "-r", version)
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.errors.contains("WeatherFeed@\(version) from 50 examples"))
    }
    #expect(try bench.run("schema", "check", "own").status == 0)
    let units = try bench.validate(["--schemas", "own", "-r", "v1", "v2"])
    #expect(units.count == 100)
    for unit in units {
      let version = String(unit.file?.prefix(2) ?? "")
      #expect(unit.valid && unit.schema == "WeatherFeed@\(version)", "\(unit)")
    }
    // The built-in family of the name would refuse these for reasons of its own.
    let bad = TestArchives.all.filter { $0.family == "WeatherFeed" && $0.valid == false }
    let broken = bad.filter { $0.path.hasPrefix("Broken/") }
    #expect(broken.count == 6)
    let refused = try bench.validate(
      ["--schemas", "own", "--require-schema"] + bad.map(\.url.path))
    #expect(refused.map(\.verdict) == bad.map { _ in "invalid" })
    for (unit, entry) in zip(refused, bad) where entry.path.hasPrefix("Broken/") {
      #expect(unit.schema == "WeatherFeed@\(entry.version ?? "")")
    }
  }

  @Test func aVersionIsReplacedOnlyByForce() throws {
    let bench = try Workbench(["a.json": #"{"a": 1}"#, "b.json": #"{"b": 1}"#])
    let arguments = ["schema", "infer", "--family", "F", "--version", "v1"]
    #expect(try bench.run(arguments + ["a.json"]).status == 0)
    let first = try Data(contentsOf: bench.url("F/v1.schema.json"))
    let refused = try bench.run(arguments + ["b.json"])
    #expect(refused.status == 73)
    #expect(refused.errors.contains("F/v1.schema.json exists; --force replaces it"))
    #expect(try Data(contentsOf: bench.url("F/v1.schema.json")) == first)
    #expect(try bench.run(arguments + ["--force", "b.json"]).status == 0)
    #expect(try Data(contentsOf: bench.url("F/v1.schema.json")) != first)
    #expect(
      try bench.validate(["--schemas", ".", "--require-schema", "a.json", "b.json"]).map(\.valid)
        == [false, true])
  }

  @Test func examplesOfTwoEnvelopesAreRefused() throws {
    let bench = try Workbench()
    try bench.write(try FeedArchives.dictionariable(1), to: "v1")
    try bench.write(try FeedArchives.codable(1), to: "v2")
    let result = try bench.run(
      "schema", "infer", "--family", "F", "--version", "v1", "v1", "v2")
    #expect(result.status == 1)
    #expect(result.errors.hasPrefix("v2: error: the envelope is codable, that of the examples"))
    #expect(!FileManager.default.fileExists(atPath: bench.url("F").path))
  }

  @Test func anExampleThatCannotBeReadEndsIt() throws {
    let bench = try Workbench(["good.json": "{}", "bad.json": "{"])
    let result = try bench.run("schema", "infer", "-o", "out.json", "good.json", "bad.json")
    #expect(result.status == 65)
    #expect(!FileManager.default.fileExists(atPath: bench.url("out.json").path))
    #expect(try bench.run("schema", "infer", "good.json", "absent").status == 66)
  }

  /// What the options leave in or out, seen in what the schema takes.
  @Test(
    arguments: [
      ([], [true, false, false, true, false]), (["--open"], [true, true, false, true, false]),
      (["--no-enums"], [true, false, true, true, false]),
      (["--ranges"], [true, false, false, false, false]),
      (["--no-formats"], [true, false, false, true, true]),
    ] as [([String], [Bool])]) func optionsDecideWhatIsTaken(
      _ options: [String], _ verdicts: [Bool]
    ) throws
  {
    let rows = (0..<24).map { number in
      """
      {"size": "\(["S", "M", "L"][number % 3])", "count": \(number), \
      "at": "2019-04-\(number + 1 < 10 ? "0" : "")\(number + 1)"}
      """
    }
    func file(_ row: String) -> String { "[\((rows.dropLast() + [row]).joined(separator: ","))]" }
    let bench = try Workbench([
      "data.json": file(rows[23]),
      "more.json": file(#"{"size": "S", "count": 1, "at": "2019-04-01", "more": 1}"#),
      "size.json": file(#"{"size": "XXL", "count": 1, "at": "2019-04-01"}"#),
      "count.json": file(#"{"size": "S", "count": 1000, "at": "2019-04-01"}"#),
      "at.json": file(#"{"size": "S", "count": 1, "at": "soon"}"#),
    ])
    let inferred = try bench.run(["schema", "infer", "-o", "s.json", "data.json"] + options)
    #expect(inferred.status == 0, "\(inferred.errors)")
    let units = try bench.validate([
      "--assert-formats", "--schema-file", "s.json", "data.json", "more.json", "size.json",
      "count.json", "at.json",
    ])
    #expect(units.map(\.valid) == verdicts, "\(units.map(\.violations))")
  }

  @Test func aTitleIsKept() throws {
    let bench = try Workbench(["a.json": #"{"a": 1}"#])
    try bench.run(
      "schema", "infer", "--family", "F", "--version", "v1", "--title", "Our model", "a.json")
    let list = try bench.run("schema", "list", "--schemas", "F", "F").text
    #expect(list == "F: Our model, F\n  F@v1  json\n")
  }
}
