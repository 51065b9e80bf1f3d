// The families of TestArchives/Migrations: steps that applications take, each checked, migrated there and back.

import Foundation
import TestSupport
import Testing

@Suite struct MigrationCaseTests {
  /// A sample in both versions, which the maker writes independently of each other.
  struct Sample: CustomTestStringConvertible {
    let family: String
    let name: String

    var testDescription: String { "\(family) \(name)" }

    func url(_ version: String) -> URL {
      MigrationCaseTests.root.appendingPathComponent("\(family)/samples/\(version)/\(name)")
    }
  }

  static let root = TestArchives.root.appendingPathComponent("Migrations")
  static let families = names(in: root)
  static let samples = families.flatMap { family in
    names(in: root.appendingPathComponent("\(family)/samples/v1")).map {
      Sample(family: family, name: $0)
    }
  }
  /// What a list or a text of the newest version does not have is lost, unless it is kept.
  static let lossy = ["MapPins"]
  /// Typedstreams of colors are not written, and a plain text has no attributes.
  static let oneWay = ["PanelLayout", "PlayerDefaults", "SubtitleColor"]

  private static func names(in folder: URL) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }

  @Test func everyLensIsSound() throws {
    let result = try Workbench().run("schema", "check", Self.root.path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(Self.families.count == 22 && Self.samples.count == 31)
  }

  @Test(arguments: samples)
  func leadsThereAndBack(_ sample: Sample) throws {
    let bench = try Workbench()
    let losses = Self.oneWay.contains(sample.family) ? "--allow-loss" : "--keep-lost"
    func migrate(_ input: String, to version: String, _ output: String) throws {
      let result = try bench.run(
        "migrate", "--schemas", Self.root.path, "--schema", sample.family, "--from",
        version == "v2" ? "v1" : "v2", "--to", version, "-o", output, input, losses)
      #expect(result.status == 0, "\(result.errors)")
    }
    func compare(_ output: String, _ version: String) throws {
      let schema = Self.root.appendingPathComponent("\(sample.family)/\(version).schema.json")
      let differences = try ArchiveJudge.differences(
        bench.url(output), sample.url(version), envelope: ArchiveJudge.envelope(of: schema))
      // UIKit's reals of single precision are none that plistlib writes.
      #expect(differences.allSatisfy { $0.hasPrefix("storage value $.tint.UI") }, "\(differences)")
    }
    try migrate(sample.url("v1").path, to: "v2", "new")
    try compare("new", "v2")
    if Self.oneWay.contains(sample.family) { return }
    try migrate("new", to: "v1", "back")
    // An old file of the cache does not have what means the same if it is false.
    if sample.testDescription != "RelayCache old" { try compare("back", "v1") }
    if Self.lossy.contains(sample.family) { return }
    try migrate(sample.url("v2").path, to: "v1", "old")
    if sample.testDescription != "RelayCache old" { try compare("old", "v1") }
  }

  /// Reads or writes the rows of a table: files in a folder, whose names are another column.
  private static let rows = """
    import pathlib, sqlite3, sys
    mode, database, folder = sys.argv[1:]
    connection = sqlite3.connect(database)
    if mode == "write":
        connection.execute("create table marks (id integer primary key, name text, body blob)")
        for file in sorted(pathlib.Path(folder).iterdir()):
            connection.execute("insert into marks (name, body) values (?, ?)", (file.name, file.read_bytes()))
        connection.execute("insert into marks (name, body) values ('none', null)")
        connection.commit()
    else:
        pathlib.Path(folder).mkdir()
        for name, body in connection.execute("select name, body from marks where body is not null"):
            (pathlib.Path(folder) / name).write_bytes(body)
    """

  @Test func rowsOfADatabaseLeadThereAndBack() throws {
    let bench = try Workbench()
    let python = try #require(Program.find("python3"))
    let family = Self.root.appendingPathComponent("MarkRow")
    func rows(_ mode: String, _ database: String, _ folder: URL) throws {
      let result = try Program.run(
        at: python, ["-c", Self.rows, mode, bench.url(database).path, folder.path])
      try #require(result.status == 0, "\(result.errors)")
    }
    try rows("write", "v1.db", family.appendingPathComponent("samples/v1"))
    for (old, new) in [("v1", "v2"), ("v2", "back")] {
      let version = new == "back" ? "v1" : new
      let result = try bench.run(
        "migrate", "--schemas", Self.root.path, "--schema", "MarkRow", "--to", version,
        "--output-database", new + ".db", old + ".db#marks.body")
      #expect(result.status == 0, "\(result.errors)")
      try rows("read", new + ".db", bench.url(new))
      let names = Self.names(in: bench.url(new))
      #expect(names == Self.names(in: family.appendingPathComponent("samples/v1")))
      for name in names {
        let differences = try ArchiveJudge.differences(
          bench.url("\(new)/\(name)"),
          family.appendingPathComponent("samples/\(version)/\(name)"), envelope: "nscoding")
        #expect(differences.isEmpty, "\(name) \(differences)")
      }
    }
  }
}
