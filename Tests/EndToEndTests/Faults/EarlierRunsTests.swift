// Runs in a folder with files from earlier runs: journals and backups.

import Foundation
import TestSupport
import Testing

@Suite struct EarlierRunsTests {
  static let migration = ["migrate", "--to", "v2", "--in-place"]
  let bench: Workbench

  init() throws {
    bench = try Workbench()
    try bench.copy("WeatherFeed/v1-1-city", to: "Feeds/first")
  }

  private func migrate(_ more: String..., operands: [String]) throws -> ProgramResult {
    try bench.run(Self.migration + more + operands)
  }

  @Test(arguments: [["-r", "Feeds"], ["-r", ".", "--exclude", "home"]])
  func aLaterRunLeavesThemAlone(_ operands: [String]) throws {
    #expect(try migrate("--journal", "Feeds/j", operands: operands).status == 0)
    let journal = try Data(contentsOf: bench.url("Feeds/j"))
    let later = try migrate("--journal", "Feeds/j2", operands: operands)
    #expect(later.status == 0)
    #expect(later.errors.contains("Feeds/j: is a journal of archtool; passed over"))
    #expect(!later.errors.contains("sha256"), "\(later.errors)")
    #expect(try Data(contentsOf: bench.url("Feeds/j")) == journal)
    #expect(try bench.run("undo", "Feeds/j").status == 0)
    #expect(
      try Data(contentsOf: bench.url("Feeds/first"))
        == Workbench.archive("WeatherFeed/v1-1-city"))
  }

  @Test func commandsThatReadPassOverBackups() throws {
    #expect(try migrate("--journal", "Feeds/j", operands: ["-r", "Feeds"]).status == 0)
    let seen = try bench.validate(["-r", "--exclude", "j", "Feeds"]).compactMap(\.schema)
    #expect(seen == ["WeatherFeed@v2"])
  }

  @Test func backupsThatAreNamedAreNotRewritten() throws {
    #expect(try migrate("--journal", "j", operands: ["-r", "Feeds"]).status == 0)
    let result = try migrate("--no-journal", operands: ["-r", "j.backup/sha256"])
    #expect(result.status == 66)
    #expect(result.errors.contains("j.backup/sha256: error: is a folder of backups"))
    #expect(try bench.run("undo", "j").status == 0)
  }

  @Test func aRunThatWasUndoneDoesNotGoOn() throws {
    #expect(try migrate("--journal", "j", operands: ["-r", "Feeds"]).status == 0)
    #expect(try bench.run("undo", "j").status == 0)
    let resumed = try bench.run("migrate", "--resume", "j")
    #expect(resumed.status == 73)
    #expect(resumed.errors.contains("was undone and cannot be resumed"))
  }

  @Test func aRefusedJournalLeavesNothingBehind() throws {
    try bench.write("precious", to: "j")
    #expect(try migrate("--journal", "j", operands: ["-r", "Feeds"]).status == 73)
    #expect(!FileManager.default.fileExists(atPath: bench.url("j.backup").path))
    #expect(try Data(contentsOf: bench.url("j")) == Data("precious".utf8))
  }

  @Test func aRunThatReplacedNothingLeavesNoStore() throws {
    let result = try bench.run([
      "migrate", "--to", "v1", "--in-place", "--backup-dir", "old", "-r", "Feeds",
    ])
    #expect(result.status == 0)
    #expect(!FileManager.default.fileExists(atPath: bench.url("old").path))
  }

  @Test(arguments: [
    ["Feeds/first", "Feeds/first"], ["Feeds/first", "./Feeds/../Feeds/first"],
    ["-r", "Feeds", "Feeds/first"], ["-r", "Feeds", "Feeds"], ["Feeds/first", "link"],
  ])
  func aFileThatIsNamedTwiceIsMigratedOnce(_ operands: [String]) throws {
    try FileManager.default.createSymbolicLink(
      atPath: bench.url("link").path, withDestinationPath: "Feeds/first")
    let result = try migrate(operands: operands)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("was named twice"), "\(result.errors)")
    #expect(try bench.validate(["Feeds/first"]).compactMap(\.schema) == ["WeatherFeed@v2"])
  }
}
