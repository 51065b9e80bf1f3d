// `archtool schema swift`: its output is compiled and decodes an archive.

import FileTransactions
import Foundation
import TestSupport
import Testing

@Suite struct SchemaSwiftTests {
  static let compiler = Program.find("swiftc")

  /// The property list in the data that a keyed archive of the second version has at its root, by Foundation.
  private static func payload(_ path: String) throws -> Data {
    let outer = try PropertyListSerialization.propertyList(
      from: Workbench.archive(path), format: nil)
    let objects = (outer as? [String: Any])?["$objects"] as? [Any]
    return try #require(objects?.compactMap { $0 as? Data }.first)
  }

  @Test(.enabled(if: compiler != nil, "swiftc is not on the path"))
  func itsTypesDecodeAnArchiveToEqualValues() throws {
    let bench = try Workbench([
      "main.swift": """
      import Foundation
      let data = try Data(contentsOf: URL(fileURLWithPath: CommandLine.arguments[1]))
      let feed = try PropertyListDecoder().decode(LastFeed.self, from: data)
      let encoder = PropertyListEncoder()
      encoder.outputFormat = .xml
      FileHandle.standardOutput.write(try encoder.encode(feed))
      """
    ])
    let written = try bench.run(
      "schema", "swift", "--type", "LastFeed", "-o", "Feed.swift", "WeatherFeed@v2")
    #expect(written.status == 0, "\(written.errors)")
    #expect(written.output.isEmpty)
    let program = bench.url("program")
    let arguments = ["-swift-version", "6", "-warnings-as-errors", "-Onone"]
    let files = ["Feed.swift", "main.swift"].map { bench.url($0).path }
    let compiled = try Program.run(
      at: try #require(Self.compiler), arguments + files + ["-o", program.path])
    try #require(compiled.status == 0, "\(compiled.errors)")
    let payload = try Self.payload("WeatherFeed/v2-50-cities")
    try bench.write(payload, to: "payload")
    let result = try Program.run(at: program, [bench.url("payload").path])
    #expect(result.status == 0, "\(result.errors)")
    let values = try [payload, result.output].map {
      try PropertyListSerialization.propertyList(from: $0, format: nil) as? NSDictionary
    }
    #expect((values[0]?["topCityWeathers"] as? [Any])?.count == 50)
    #expect(values[0] == values[1])
  }

  @Test func theTypeIsNamedAsTheFamilyOrTheFile() throws {
    let bench = try Workbench(["tea.v1.schema.json": #"{"properties": {"a": {"type": "string"}}}"#])
    for (arguments, name) in [
      (["Movie@v2"], "Movie"), (["--type", "Film", "Movie@v2"], "Film"),
      (["tea.v1.schema.json"], "Tea"),
    ] {
      let result = try bench.run(["schema", "swift"] + arguments)
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.text.contains("\nstruct \(name): Codable, Equatable, Sendable {\n"))
    }
  }

  @Test func anOutputIsReplacedOnlyByForce() throws {
    let bench = try Workbench(["Movie.swift": "precious"])
    let arguments = ["schema", "swift", "-o", "Movie.swift", "Movie@v2"]
    #expect(try bench.run(arguments).status == 73)
    #expect(try String(contentsOf: bench.url("Movie.swift"), encoding: .utf8) == "precious")
    #expect(try bench.run(arguments + ["--force"]).status == 0)
    let shown = try bench.run("schema", "swift", "Movie@v2").output
    #expect(try Data(contentsOf: bench.url("Movie.swift")) == shown)
  }

  @Test(arguments: [
    (#"{"items": {"allOf": [{"minimum": 1}, {"maximum": 2}]}}"#, "$.items)"),
    (#"{"properties": {"u": {"type": "object", "x-plist-type": "uid"}}}"#, "$.properties.u"),
  ]) func whatHasNoTypeIsRefusedWithItsPath(_ schema: String, _ path: String) throws {
    let bench = try Workbench(["schema.json": schema])
    let result = try bench.run("schema", "swift", "-o", "out.swift", "schema.json")
    #expect(result.status == 65)
    #expect(
      result.errors.contains("(at \(path)") && result.errors.hasPrefix("schema.json: error: "),
      "\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: bench.url("out.swift").path))
  }

  @Test(
    arguments: [
      (["Movie"], 64, "Movie@v1"), (["Movie@v9"], 64, "v9"), (["none.json"], 66, "none.json"),
    ] as [([String], Int32, String)])
  func whatIsNoSchemaIsSaid(_ operands: [String], _ status: Int32, _ part: String) throws {
    let result = try Workbench().run(["schema", "swift"] + operands)
    #expect(result.status == status)
    #expect(result.errors.contains(part), "\(result.errors)")
  }
}
