// SARIF for code scanning: validated against the standard by archtool itself, its locations checked in the bytes.

import Foundation
import TestSupport
import Testing

@Suite struct SARIFTests {
  static let schema = Workbench.fixture("sarif-2.1.0-subset.schema.json")

  /// Faults in several encodings, under names that a URI spells otherwise.
  private static func bench() throws -> Workbench {
    let bench = try Workbench([
      "schema.json": #"{"properties": {"n": {"type": "integer"}, "d": {"minItems": 1}}}"#,
      "wrong.json": "{\n  \"d\": [],\n  \"n\": \"<&>\"\n}\n",
      "wrong.plist":
        "<plist>\n<dict>\n<key>n</key>\n<string>x</string>\n<key>d</key><array/>\n</dict></plist>",
      "right.json": "{\"n\": 1}",
      "unended.json": "{\n\"n\": 1,\n",
      "empty": "",
    ])
    for name in ["a b", "100%", "Zürich:雨", "q?x#y", "folder name/[x]"] {
      try bench.copy("Broken/wrong-types-v2", to: name)
    }
    return bench
  }

  private static func log(_ bench: Workbench, _ arguments: [String]) throws -> SARIFLog.Run {
    let result = try bench.run(["validate", "--format", "sarif"] + arguments)
    let log = try JSONDecoder().decode(SARIFLog.self, from: result.output)
    return try #require(log.runs.first)
  }

  private static func inArchives(_ path: String) -> String {
    TestArchives.root.appendingPathComponent(path).path
  }

  // MARK: The standard

  @Test func everyReportFitsTheStandard() throws {
    let bench = try Self.bench()
    let broken = TestArchives.all.filter { $0.path.hasPrefix("Broken/") }.map(\.url.path)
    let commands: [[String]] = [
      [Self.inArchives("Movie/v2")],
      broken + ["no-such-file"],
      ["--max-errors", "1", "a b", "100%", "Zürich:雨", "q?x#y", "folder name/[x]"],
      ["--schema-file", "schema.json", "wrong.json", "wrong.plist", "right.json", "unended.json"],
      ["--lint", Self.inArchives("Graphs/conditional"), Self.inArchives("WeatherFeed/v1-1-city")],
      ["--format-only", "--lint", Self.inArchives("Graphs/conditional"), "empty"],
      [Self.inArchives("WeatherFeed/json-1-city.json"), Self.inArchives("TypedStreams/colors")],
      ["--schema-file", "schema.json", Self.inArchives("WeatherFeed/v1-1-city-xml")],
    ]
    var names: [String] = []
    for (number, command) in commands.enumerated() {
      let result = try bench.run(["validate", "--format", "sarif"] + command)
      #expect([0, 1, 65, 66].contains(result.status), "\(result.errors)")
      names.append("report-\(number).sarif")
      try bench.write(result.output, to: "report-\(number).sarif")
    }
    let verdict = try bench.run(
      ["validate", "--schema-file", Self.schema, "--assert-formats"] + names)
    #expect(verdict.status == 0, "\(verdict.errors)")
  }

  /// The fixture is no rubber stamp: what the standard forbids does not fit.
  @Test func wrongReportsDoNotFit() throws {
    let bench = try Self.bench()
    let report = try bench.run("validate", "--format", "sarif", "a b").text
    let changes = [
      ("\"version\": \"2.1.0\",\n", ""), ("\"version\": \"2.1.0\"", "\"version\": \"2.0.0\""),
      ("\"level\": \"error\"", "\"level\": \"fatal\""), ("\"level\": \"error\",\n", ""),
      ("\"byteOffset\": 448", "\"byteOffset\": -1"),
      ("\"byteOffset\": 448", "\"byteOffset\": 1.5"),
      ("\"byteLength\": 5", "\"byteLength\": \"5\""),
      ("\"startLine\": 1", "\"startLine\": 0"), ("\"startLine\": 1,\n", ""),
      ("\"uri\": \"a%20b\"", "\"uri\": \"a b\""), ("\"uri\": \"a%20b\"", "\"uri\": \"100%\""),
      ("\"name\": \"archtool\",\n", ""), ("\"ruleIndex\": 0", "\"ruleIndex\": -1"),
      ("\"id\": \"type\",\n", ""), ("\"executionSuccessful\": true", ""),
      ("\"semanticVersion\": \"", "\"semanticVersion\": \"v"),
      ("\"locations\": [", "\"places\": ["), ("\"text\": \"expected", "\"txt\": \"expected"),
    ]
    var names = ["unchanged"]
    try bench.write(report, to: "unchanged")
    for (number, (old, new)) in changes.enumerated() {
      try #require(report.contains(old), "\(old)")
      try bench.write(report.replacingOccurrences(of: old, with: new), to: "changed-\(number)")
      names.append("changed-\(number)")
    }
    let units = try bench.validate(["--schema-file", Self.schema, "--assert-formats"] + names)
    try #require(units.count == names.count)
    #expect(units[0].verdict == "valid")
    for (unit, (old, new)) in zip(units.dropFirst(), changes) {
      #expect(unit.verdict == "invalid", "\(old) -> \(new)")
    }
  }

  // MARK: Places

  @Test func indicesLeadToTheRules() throws {
    let bench = try Self.bench()
    let broken = TestArchives.all.filter { $0.path.hasPrefix("Broken/") }.map(\.url.path)
    let run = try Self.log(bench, broken + ["--lint"])
    let rules = run.tool.driver.rules.map(\.id)
    #expect(Set(rules).count == rules.count)
    #expect(Set(run.results.map(\.ruleId)) == Set(rules))
    #expect(rules.count > 10)
    for result in run.results {
      try #require(rules.indices.contains(result.ruleIndex))
      #expect(rules[result.ruleIndex] == result.ruleId)
    }
  }

  @Test func namesAreRelativeURIsOfTheFiles() throws {
    let bench = try Self.bench()
    let names = ["a b", "100%", "Zürich:雨", "q?x#y", "folder name/[x]"]
    let run = try Self.log(bench, ["--max-errors", "1"] + names)
    try #require(run.results.count == names.count)
    for (result, name) in zip(run.results, names) {
      let components = try #require(URLComponents(string: result.uri), "\(result.uri)")
      #expect(components.path == name)
      #expect(components.scheme == nil && components.query == nil && components.fragment == nil)
    }
    let absolute = try Self.log(bench, [bench.url("a b").path])
    #expect(URL(string: absolute.results[0].uri)?.path == bench.url("a b").path)
  }

  /// The stored values, by the format of binary property lists: a marker, then the value.
  @Test func bytesAreThoseOfTheStoredValue() throws {
    let bench = try Self.bench()
    let bytes = try Workbench.archive("Broken/wrong-types-v2")
    let expected: [String: [UInt8]] = [
      "Key": [0x12, 0x00, 0x03, 0x74, 0x5C], "WeatherIcon": [0x51] + "4".utf8,
      "IsDayTime": [0x10, 0x02], "Temperature.Metric.Value": [0x54] + "18.5".utf8,
    ]
    let results = try Self.log(bench, ["a b"]).results
    #expect(results.count == 5)
    for (name, value) in expected {
      let result = try #require(results.first { $0.path == "$.topCityWeathers[1].\(name)" })
      let start = try #require(result.region.byteOffset)
      let length = try #require(result.region.byteLength)
      #expect(Array(bytes[start..<start + length]) == value, "\(name)")
      #expect(result.region.startLine == 1)
    }
    // An array of one: the marker and a reference.
    let array = try #require(results.first { $0.path?.hasSuffix(".Country") == true }).region
    #expect(bytes[try #require(array.byteOffset)] == 0xA1)
    #expect(array.byteLength == 2)
  }

  @Test func linesOfTextsAreCountedAndTheirValuesStandThere() throws {
    let bench = try Self.bench()
    let names = ["wrong.json", "wrong.plist", "unended.json"]
    let run = try Self.log(bench, ["--schema-file", "schema.json"] + names)
    let values = [
      "wrong.json $.d": "[]", "wrong.json $.n": "\"<&>\"",
      "wrong.plist $.n": "<string>x</string>",
      "wrong.plist $.d": "<array/>",
    ]
    var seen: Set<String> = []
    for result in run.results {
      let bytes = try Data(contentsOf: bench.url(result.uri))
      let offset = try #require(result.region.byteOffset)
      let before = bytes.prefix(offset).count { $0 == UInt8(ascii: "\n") }
      #expect(result.region.startLine == before + 1, "\(result)")
      let place = "\(result.uri) \(result.path ?? "")"
      guard let value = values[place] else { continue }
      seen.insert(place)
      let length = try #require(result.region.byteLength)
      #expect(Array(bytes[offset..<offset + length]) == Array(value.utf8), "\(place)")
    }
    #expect(seen == Set(values.keys))
    #expect(run.results.contains { $0.uri == "unended.json" && $0.region.startLine > 1 })
    #expect(run.invocations.map(\.executionSuccessful) == [false])
  }

  @Test func noRegionLeavesItsFile() throws {
    let bench = try Self.bench()
    let broken = TestArchives.all.filter { $0.path.hasPrefix("Broken/") }
    let run = try Self.log(bench, broken.map(\.url.path) + ["--lint"])
    for result in run.results {
      let file = try #require(URL(string: result.uri))
      let bytes = try Data(contentsOf: file)
      guard let offset = result.region.byteOffset else { continue }
      #expect(offset + (result.region.byteLength ?? 0) <= bytes.count, "\(result)")
      if bytes.starts(with: "<?xml".utf8) {
        let before = bytes.prefix(offset).count { $0 == UInt8(ascii: "\n") }
        #expect(result.region.startLine == before + 1, "\(result)")
      }
    }
  }

  /// Equal scalars are one value to most readers; reports must not point to the first of them.
  @Test func equalScalarsOfTextsHavePlacesOfTheirOwn() throws {
    let bench = try Workbench([
      "schema.json": #"{"properties": {"b": {"type": "null"}}}"#,
      "data.json": "{\n\"a\": 1,\n\"b\": 1\n}",
    ])
    let run = try Self.log(bench, ["--schema-file", "schema.json", "data.json"])
    try #require(run.results.count == 1)
    #expect(run.results[0].region.startLine == 3)
  }

  @Test func lintsHaveTheirSeverities() throws {
    let bench = try Self.bench()
    let file = Self.inArchives("Graphs/conditional")
    let run = try Self.log(bench, ["--format-only", "--lint", file])
    #expect(run.results.map(\.level) == ["note"])
    #expect(run.results.map(\.ruleId) == ["ambiguous-null"])
    let severe = try Self.log(
      bench, ["--format-only", "--rule", "ambiguous-null=warning", file])
    #expect(severe.results.map(\.level) == ["warning"])
    #expect(run.invocations.map(\.executionSuccessful) == [true])
  }
}
