// What archtool writes beside archives is no input of any command that reads the folder.

import Foundation
import TestSupport
import Testing

@Suite struct SideFileTests {
  private static let schemas = ["--schemas", TestArchives.root.path + "/Families"]

  /// A folder with an archive that was migrated in place: its lost values, a journal and the old file are there.
  private static func bench() throws -> Workbench {
    let bench = try Workbench()
    try bench.copy("Families/Itinerary/samples/v3/two-cities", to: "Data/trip")
    let result = try bench.run(
      ["migrate", "--to", "v4", "--keep-lost", "--in-place", "--journal", "Data/run.journal"]
        + schemas + ["-r", "Data"])
    #expect(result.status == 0, "\(result.errors)")
    for name in ["trip.lost.json", "run.journal", "run.journal.backup"] {
      #expect(FileManager.default.fileExists(atPath: bench.url("Data/" + name).path), "\(name)")
    }
    return bench
  }

  @Test(arguments: [
    ["validate"] + schemas, ["info"], ["dump"], ["schema", "infer"], ["convert", "--to", "json"],
    ["rename-class", "-c", "A=B", "-n"], ["migrate", "--to", "v3", "-n"] + schemas,
  ])
  func noCommandReadsThem(_ words: [String]) throws {
    let bench = try Self.bench()
    let result = try bench.run(words + ["-r", "Data"])
    #expect(result.status == 0, "\(result.errors)")
    for text in [result.text, result.errors] {
      #expect(!text.contains("lost.json"))
      #expect(!text.contains("sha256"))
      #expect(!text.contains("error"))
    }
    #expect(!result.text.contains("journal"))
    #expect(result.errors.contains("Data/run.journal: is a journal of archtool"))
    #expect(try bench.run(words + ["-q", "-r", "Data"]).errors.isEmpty)
  }

  @Test func aFileThatOnlyHasTheNameIsAnInput() throws {
    let bench = try Self.bench()
    try bench.write("[1]", to: "Data/mine.lost.json")
    #expect(try bench.run("info", "-r", "Data").text.contains("file: Data/mine.lost.json"))
    let named = try bench.run("info", "Data/trip.lost.json", "Data/run.journal")
    #expect(named.text.contains("file: Data/trip.lost.json"))
  }
}
