// The files that archtool writes beside archives are not inputs of commands that read the folder.

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
    ["validate"] + schemas, ["schema", "infer"],
    ["convert", "--to", "json", "--compact"],
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
    #expect(try !bench.run(words + ["-q", "-r", "Data"]).errors.contains("journal"))
  }

  /// A copy is known by its record, whatever it is called, and is no input of a later run that knows nothing of it.
  @Test(arguments: [".bak", "~", ".old.plist"], ["migrate", "rename-class", "convert", "set"])
  func backupsAreNoInputs(_ suffix: String, _ command: String) throws {
    let bench = try Workbench()
    try bench.copy("Movie/v1", to: "Data/movie")
    try bench.copy("Movie/v1", to: "part")
    let old = try Workbench.archive("Movie/v1")
    let first =
      switch command {
      case "migrate": ["migrate", "--to", "v2", "-r", "Data"]
      case "rename-class": ["rename-class", "--set-archiver", "NSOtherArchiver", "-r", "Data"]
      case "convert": ["convert", "--to", "xml1", "-r", "Data"]
      default: ["set", "Data/movie", "$.director", "--from", "part"]
      }
    let made = try bench.run(first + ["--in-place", "--backup", suffix])
    #expect(made.status == 0, "\(made.errors)")
    let backup = "Data/movie\(suffix)"
    #expect(try Data(contentsOf: bench.url(backup)) == old)
    let commands = [
      ["migrate", "--to", "v2", "--in-place", "--allow-loss"],
      ["convert", "--to", "xml1", "--in-place"],
      ["rename-class", "-c", "NSDictionary=Dictionary", "--in-place"], ["dump"], ["info"],
      ["validate"], ["validate", "--format-only"],
      ["convert", "--to", "xml1", "--output-dir", "out"],
    ]
    for command in commands {
      let result = try bench.run(command + ["-r", "Data"])
      #expect(!(result.text + result.errors).contains(backup), "\(command) \(result.errors)")
    }
    #expect(try Data(contentsOf: bench.url(backup)) == old)
    // Named itself it is shown, and not replaced.
    #expect(try bench.run("info", backup).text.contains("schema: Movie@v1"))
    for command in commands where command.contains("--in-place") {
      let result = try bench.run(command + [backup])
      #expect(result.errors.contains("\(backup): is a backup that archtool made; left alone"))
    }
    #expect(try Data(contentsOf: bench.url(backup)) == old)
    // Moved back it is an archive again.
    try FileManager.default.removeItem(at: bench.url("Data/movie"))
    try FileManager.default.moveItem(at: bench.url(backup), to: bench.url("Data/movie"))
    #expect(try bench.run("info", "-r", "Data").text.contains("file: Data/movie\n"))
  }

  /// A name that ends like a backup's makes no backup.
  @Test func aUsersFileWithTheSuffixIsAnInput() throws {
    let bench = try Workbench()
    try bench.copy("Movie/v1", to: "Data/mine.bak")
    let result = try bench.run(
      "migrate", "--to", "v2", "--in-place", "--backup", ".bak", "-r", "Data")
    #expect(result.status == 0, "\(result.errors)")
    #expect(try bench.run("info", "-r", "Data").text.contains("schema: Movie@v2"))
    #expect(FileManager.default.fileExists(atPath: bench.url("Data/mine.bak.bak").path))
  }

  @Test func plansAreNoInputs() throws {
    let bench = try Workbench()
    try bench.copy("Movie/v1", to: "Data/movie")
    let plan = try bench.run("migrate", "--to", "v2", "--plan", "--format", "json", "-r", "Data")
    try bench.write(plan.output, to: "Data/plan")
    let result = try bench.run("validate", "-r", "Data")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors == "Data/plan: is a plan of archtool; passed over\n")
  }

  @Test func aFileThatOnlyHasTheNameIsAnInput() throws {
    let bench = try Self.bench()
    try bench.write("[1]", to: "Data/mine.lost.json")
    #expect(try bench.run("validate", "-r", "Data").text.contains("Data/mine.lost.json: "))
    let named = try bench.run("info", "Data/trip.lost.json", "Data/run.journal")
    #expect(named.text.contains("file: Data/trip.lost.json"))
  }

  /// Whatever it is called: a report of an earlier run, lost values that were renamed.
  @Test(arguments: [
    ["validate"] + schemas, ["schema", "infer"],
    ["convert", "--to", "json", "--compact"], ["rename-class", "-c", "A=B", "-n"],
    ["migrate", "--to", "v3", "-n"] + schemas,
  ])
  func areKnownByTheirContent(_ words: [String]) throws {
    let bench = try Self.bench()
    let report = try bench.run(
      "rename-class", "-c", "A=B", "-n", "--report", "Data/told.txt", "-r", "Data")
    #expect(report.status == 0, "\(report.errors)")
    let told = try String(contentsOf: bench.url("Data/told.txt"), encoding: .utf8)
    // Nor does a run report on what it passed over.
    #expect(told.split(separator: "\n").count == 2, "\(told)")
    #expect(told.contains(#"{"file":"Data/trip","outcome":"unchanged""#))
    try FileManager.default.moveItem(
      at: bench.url("Data/trip.lost.json"), to: bench.url("Data/values"))
    let result = try bench.run(words + ["-r", "Data"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("Data/told.txt: is a report of archtool; passed over\n"))
    #expect(
      result.errors.contains(
        "Data/values: is a file of lost values that archtool made; passed over\n"))
    #expect(!result.text.contains("told.txt") && !result.text.contains("Data/values"))
    #expect(!result.errors.contains("2 files"), "\(result.errors)")
  }

  /// A folder is read, whatever it is called.
  @Test(arguments: ["mine.lost.json", "mine.bak", "told.ndjson"])
  func foldersWithSuchNamesAreRead(_ name: String) throws {
    let bench = try Workbench()
    try bench.copy("Movie/v1", to: "Data/\(name)/movie")
    for command in [
      ["info"], ["validate"], ["migrate", "--to", "v2", "-n"],
      ["migrate", "--to", "v2", "--in-place", "--backup", ".bak"],
    ] {
      let result = try bench.run(command + ["-r", "Data"])
      #expect(result.status == 0, "\(result.errors)")
      #expect((result.text + result.errors).contains("Data/\(name)/movie"))
    }
  }

  /// A report of no files is a line of JSON by itself.
  @Test func aReportOfNothingIsNoInput() throws {
    let bench = try Workbench()
    try FileManager.default.createDirectory(
      at: bench.url("Data"), withIntermediateDirectories: true)
    let made = try bench.run(
      "rename-class", "-c", "A=B", "-n", "--allow-empty", "--report", "Data/told", "-r", "Data")
    #expect(made.status == 0, "\(made.errors)")
    #expect(try bench.run("validate", "-r", "Data").status == 66)
    // Lines of a user's that look nearly so are inputs.
    try bench.write(#"{"file": "x", "outcome": "mine"}"#, to: "Data/mine")
    #expect(try bench.run("validate", "-r", "Data").text.contains("Data/mine: "))
  }
}
