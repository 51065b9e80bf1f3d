// `archtool schema sample`: fixtures of each envelope, which validate accepts and the judges read.

import Foundation
import TestSupport
import Testing

@Suite struct SchemaSampleTests {
  private static let families = TestArchives.root.appendingPathComponent("Families").path

  @Test(arguments: [
    ("Shelf@v1", ".plist"), ("Shelf@v4", ".plist"), ("BrowserTabs@v1", ".plist"),
    ("Credentials@v2", ".json"), ("Itinerary@v1", ".plist"), ("WeatherFeed@v2", ".plist"),
    ("AnalyticsDefaults@v1", ".plist"), ("ServiceDiscovery@v1", ".plist"),
  ])
  func samplesAreValidAndTheSameForASeed(_ version: String, _ suffix: String) throws {
    let bench = try Workbench()
    func sample(_ folder: String, _ more: String...) throws -> ProgramResult {
      try bench.run(
        ["schema", "sample", "--schemas", Self.families, version, "--output-dir", folder] + more)
    }
    let made = try sample("one", "--number", "12", "--seed", "5")
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.errors == "one: wrote 12 archives of \(version)\n")
    let names = (1...12).map { ($0 < 10 ? "00" : "0") + "\($0)" + suffix }
    let files = try FileManager.default.contentsOfDirectory(atPath: bench.url("one").path)
    #expect(files.sorted() == names)
    let check = try bench.run(
      "validate", "--schemas", Self.families, "--schema", version, "-q", "-r", "one")
    #expect(check.status == 0, "\(check.text) \(check.errors)")
    #expect(try sample("again", "--number", "4", "--seed", "5").status == 0)
    #expect(try sample("other", "--number", "4", "--seed", "6").status == 0)
    func bytes(_ folder: String) throws -> [Data] {
      try names.prefix(4).map { try Data(contentsOf: bench.url("\(folder)/\($0)")) }
    }
    #expect(try bytes("one") == bytes("again"))
    #expect(try bytes("one") != bytes("other"))
  }

  /// Codable decodes no text that is not a URL, and resolves one that has no need of its base.
  @Test func urlsOfCodableAreWhatFoundationWrites() throws {
    struct Link: Codable, Equatable { let address: URL }
    let bench = try Workbench([
      "link.schema.json": """
      {"x-archive": {"envelope": "plist"}, "type": "object", "required": ["address"],
       "properties": {"address": {"$ref": "#/$defs/URL"}}, "additionalProperties": false,
       "$defs": {"URL": {"type": "object", "required": ["relative"], "additionalProperties": false,
         "properties": {"relative": {"type": "string"}, "base": {"$ref": "#/$defs/URL"}}}}}
      """
    ])
    try bench.run("schema", "sample", "link.schema.json", "--output-dir", "out", "--number", "20")
    var hasBase: Set<Bool> = []
    for file in try FileManager.default.contentsOfDirectory(atPath: bench.url("out").path) {
      let data = try Data(contentsOf: bench.url("out/\(file)"))
      let link = try PropertyListDecoder().decode(Link.self, from: data)
      let again = try PropertyListEncoder().encode(link)
      let lists = try [data, again].map {
        try PropertyListSerialization.propertyList(from: $0, format: nil) as? NSDictionary
      }
      #expect(lists[0] == lists[1] && lists[0] != nil, "\(file)")
      hasBase.insert(link.address.baseURL != nil)
    }
    #expect(hasBase == [false, true])
  }

  @Test func anExistingFileIsReplacedOnRequest() throws {
    let bench = try Workbench(["out/001.plist": "taken"])
    let arguments = ["schema", "sample", "Movie@v2", "--output-dir", "out", "--number", "1"]
    let refused = try bench.run(arguments)
    #expect(refused.status == 73)
    #expect(refused.errors.contains("--force replaces it"))
    #expect(try bench.run(arguments + ["--force"]).status == 0)
    #expect(try bench.run("validate", "-q", "--schema", "Movie@v2", "out/001.plist").status == 0)
  }

  @Test func aSchemaThatNothingFitsIsAnError() throws {
    let bench = try Workbench([
      "none.schema.json": #"{"type": "object", "required": ["a"], "properties": {"a": false}}"#
    ])
    let result = try bench.run("schema", "sample", "none.schema.json", "--output-dir", "out")
    #expect(result.status == 1)
    #expect(result.errors.contains("no value that fits none.schema.json could be generated"))
  }
}
