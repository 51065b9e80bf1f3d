// Databases, backups and folders are read as Python's sqlite3, plistlib and csv read them, and nothing changes.

import Foundation
import TestSupport
import Testing

@Suite struct DatabaseJudgeTests {
  /// A scenario of `Tests/Judges/databases.py`, and how many rows, files or attempts it has.
  struct Scenario: CustomTestStringConvertible {
    let name: String
    let count: Int
    let testDescription: String

    init(_ name: String, _ count: Int, _ meaning: String) {
      (self.name, self.count) = (name, count)
      testDescription = meaning
    }
  }

  static let scenarios = [
    Scenario("column", 10_000, "each row of a column is an input"),
    Scenario("log", 10_000, "rows in a write-ahead log are found"),
    Scenario("journal", 1, "a transaction that is not committed is not found"),
    Scenario("names", 1, "tables and columns of every name and kind"),
    Scenario("schema", 1, "schemas that lie run nothing"),
    Scenario("damage", 25, "damaged databases are errors"),
    Scenario("backup", 1, "the files of backups have the names of the device"),
    Scenario("tree", 500, "files of a tree are listed, or counted by kind"),
    Scenario("extraction", 1, "archives are written under harmless names"),
    Scenario("refusal", 1, "commands that write refuse databases"),
    Scenario("migration", 10_000, "columns are migrated in a copy"),
    Scenario("interruption", 1, "a signal leaves no copy"),
  ]

  @Test(arguments: scenarios) func agreesWithPython(_ scenario: Scenario) throws {
    let script = TestArchives.root.deletingLastPathComponent()
      .appendingPathComponent("Tests/Judges/databases.py").path
    let result = try Program.run(
      at: URL(fileURLWithPath: "/usr/bin/env"),
      ["python3", script, Program.folder + "/archtool", "\(scenario.count)", "1", scenario.name],
      environment: ["PYTHONDONTWRITEBYTECODE": "1"])
    #expect(result.status == 0, "\(result.text) \(result.errors)")
  }
}
