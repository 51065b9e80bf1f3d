// `archtool validate` on files of strangers: no known schema is for them, and nothing is wrong with that.

import Foundation
import TestSupport
import Testing

@Suite struct WithoutSchemaTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let verdict: String
    var make: @Sendable () throws -> Data
    var testDescription: String { name }

    init(_ name: String, _ verdict: String, _ make: @escaping @Sendable () throws -> Data) {
      (self.name, self.verdict, self.make) = (name, verdict, make)
    }
  }

  private static func keyed(_ value: [String: String]) throws -> Data {
    try NSKeyedArchiver.archivedData(
      withRootObject: value as NSDictionary, requiringSecureCoding: false)
  }

  private static func codable(_ value: [String: String]) throws -> Data {
    try NSKeyedArchiver.archivedData(
      withRootObject: try PropertyListEncoder().encode(value) as NSData,
      requiringSecureCoding: false)
  }

  private static let person = ["firstName": "Zoë", "lastName": "S", "email": "z@example.com"]
  private static let film = ["name": "a", "rating": "b", "producer": "c"]

  /// Members that other people's models have as well make no archive a Person or a Movie.
  @Test(arguments: [
    Case("keyed person", "no schema (well-formed keyed archive)") { try keyed(person) },
    Case("codable person", "no schema (well-formed keyed archive)") { try codable(person) },
    Case("keyed film", "no schema (well-formed keyed archive)") { try keyed(film) },
    Case("codable film", "no schema (well-formed keyed archive)") { try codable(film) },
    Case("one name", "no schema (well-formed keyed archive)") { try keyed(["name": "a"]) },
    Case("preferences", "no schema (well-formed XML property list)") {
      Data("<plist><dict><key>name</key><string>x</string></dict></plist>".utf8)
    },
    Case("error of a service", "no schema (well-formed JSON)") {
      Data(#"{"Code": "Unauthorized", "Message": "no"}"#.utf8)
    },
    Case("strings", "no schema (well-formed OpenStep property list)") {
      Data("{ name = x; }".utf8)
    },
    Case("scalar", "no schema (well-formed JSON)") { Data("5".utf8) },
  ]) func strangersAreCalledNothingElse(_ item: Case) throws {
    let bench = try Workbench()
    try bench.write(try item.make(), to: "f")
    let result = try bench.run("validate", "f")
    #expect(result.text == "f: \(item.verdict)\n")
    #expect(result.errors.hasPrefix("archtool: --schemas DIR "), "\(result.errors)")
    #expect(result.errors.contains("; --format-only "))
    #expect(result.errors.split(separator: "\n").count == 1)
    #expect(result.status == 0)
    let info = try bench.run("info", "f")
    #expect(info.text.contains("schema: none\n"), "\(info.text)")
    let quiet = try bench.run("validate", "-q", "f")
    #expect(quiet.text + quiet.errors == "")
    #expect(quiet.status == 0)
    let required = try bench.run("validate", "--require-schema", "f")
    #expect(required.status == 1)
    #expect(required.text.hasPrefix("f: no known schema fits ("), "\(required.text)")
  }

  /// One that has exactly the members of a built-in family, in another envelope, may be of it after all.
  @Test func theNearestIsNamedIfItIsNear() throws {
    let bench = try Workbench(["f": #"{"name": "a", "director": "b", "releaseYear": 1}"#])
    let result = try bench.run("validate", "f")
    #expect(result.text.hasPrefix("f: no schema (well-formed JSON); the nearest is Movie@v"))
    #expect(result.status == 0)
  }

  /// What cannot be decoded is not well formed, at any depth.
  @Test func damageIsStillDamage() throws {
    let bench = try Workbench()
    try bench.copy("Broken/v2-broken-inner", to: "inner")
    try bench.copy("Broken/truncated", to: "truncated")
    for name in ["inner", "truncated"] {
      #expect(try bench.run("validate", name).status == 65)
    }
    try bench.write("Allowed\n", to: "list")
    try bench.copy("Apps/calls-v1", to: "calls")
    let result = try bench.run("validate", "--allow-classes", "list", "calls")
    #expect(result.status == 1)
    #expect(result.text.hasPrefix("calls: invalid, no schema (keyed archive), "))
  }

  // MARK: Reports

  private static func bench() throws -> Workbench {
    let bench = try Workbench()
    try bench.copy("Apps/calls-v1", to: "calls")
    try bench.copy("Movie/v1", to: "movie")
    return bench
  }

  @Test(arguments: ["text", "json", "ndjson", "sarif", "junit", "github"])
  func reportsAgreeWithTheStatus(_ format: String) throws {
    let bench = try Self.bench()
    let result = try bench.run("validate", "--format", format, "--fail-fast", "calls", "movie")
    #expect(result.status == 0)
    #expect(result.errors.contains("2 files: 1 valid, 0 invalid, 0 unreadable, 1 without a schema"))
    let required = try bench.run(
      "validate", "--format", format, "--require-schema", "--fail-fast", "calls", "movie")
    #expect(required.status == 1)
    #expect(required.errors.contains("1 file") == false, "\(required.errors)")
  }

  @Test func unitsHaveAVerdictOfTheirOwn() throws {
    let bench = try Self.bench()
    let units = try bench.validate(["calls", "movie"])
    #expect(units.map(\.verdict) == ["noSchema", "valid"])
    #expect(units.map(\.valid) == [true, true])
    #expect(units.first?.schema == nil)
    let required = try bench.validate(["--require-schema", "calls", "movie"])
    #expect(required.map(\.verdict) == ["invalid", "valid"])
    #expect(required.first?.violations == ["schema "])
  }

  @Test func noResultIsMadeForCodeScanning() throws {
    let result = try Self.bench().run("validate", "--format", "sarif", "calls", "movie")
    let run = try #require(try JSONDecoder().decode(SARIFLog.self, from: result.output).runs.first)
    #expect(run.results.isEmpty)
    let notes = try #require(run.invocations.first?.toolExecutionNotifications)
    #expect(notes.map(\.message.text) == ["no schema (well-formed keyed archive)"])
    #expect(notes.first?.locations.first?.physicalLocation.artifactLocation.uri == "calls")
  }

  @Test func workflowsGetANotice() throws {
    let result = try Self.bench().run("validate", "--format", "github", "calls", "movie")
    #expect(
      result.text
        == "::notice file=calls,title=schema::calls: no schema (well-formed keyed archive)\n")
  }

  @Test func theReportOfARunCountsThem() throws {
    let bench = try Self.bench()
    try bench.run("validate", "--report", "r", "calls", "movie")
    let lines = try String(contentsOf: bench.url("r"), encoding: .utf8).split(separator: "\n")
    #expect(lines.first?.contains(#""outcome":"noSchema""#) == true, "\(lines)")
    #expect(lines.last?.contains(#""noSchema":1"#) == true)
  }

  @Test func recordsAreAnsweredAlike() throws {
    let data = try Workbench.archive("Apps/calls-v1").base64EncodedString()
    let line = Data(#"{"id": 1, "data": "\#(data)"}"#.utf8)
    for (options, outcome, status) in [([], "noSchema", 0), (["--require-schema"], "invalid", 1)]
      as [([String], String, Int32)]
    {
      let result = try Workbench().run(["validate", "--records"] + options, input: line)
      #expect(result.text.contains(#""outcome":"\#(outcome)""#), "\(result.text)")
      #expect(result.status == status)
    }
  }
}
