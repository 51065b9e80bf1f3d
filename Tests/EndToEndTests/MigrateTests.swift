// `archtool migrate`; its outputs are opened by Foundation in a separate process.

import Foundation
import TestSupport
import Testing

@Suite struct MigrateTests {
  /// What Foundation alone reads from an archive, as the app that wrote it would.
  private static func judged(_ arguments: [String]) throws -> NSObject? {
    let result = try Program.run("FoundationJudge", arguments)
    #expect(result.status == 0, "\(result.errors)")
    return try TestArchives.json(result.output)
  }

  @Test(arguments: TestArchives.valid(version: "v1") + TestArchives.valid(version: "v0"))
  func foundationDecodesTheMigratedArchiveIntoTheAppsStructs(_ entry: ManifestEntry) throws {
    let folder = try TemporaryFolder()
    let output = folder.file("migrated").path
    let result = try Program.run(arguments: [
      "migrate", "--from", entry.version ?? "", "--to", "v2", entry.path, "-o", output,
      "--allow-loss",
    ])
    #expect(result.status == 0, "\(result.errors)")
    let expected = try TestArchives.expectedCodableModel(entry.path)
    #expect(expected != nil)
    #expect(try Self.judged(["codable", entry.family ?? "", output]) == expected)
  }

  @Test(arguments: TestArchives.valid(version: "v2") + TestArchives.valid(version: "v0"))
  func foundationReadsTheMigratedArchiveAsADictionary(_ entry: ManifestEntry) throws {
    let folder = try TemporaryFolder()
    let output = folder.file("migrated").path
    let result = try Program.run(arguments: [
      "migrate", "--from", entry.version ?? "", "--to", "v1", entry.path, "-o", output,
      "--allow-loss",
    ])
    #expect(result.status == 0, "\(result.errors)")
    let expected = try TestArchives.expectedModel(entry.path)
    #expect(expected != nil)
    #expect(try Self.judged(["dictionary", output]) == expected)
  }

  @Test(arguments: TestArchives.all.filter { $0.path.hasPrefix("Broken/") })
  func brokenArchivesStayAsTheyAre(_ entry: ManifestEntry) throws {
    let folder = try TemporaryFolder()
    let file = folder.file("archive")
    let bytes = try Data(contentsOf: entry.url)
    try bytes.write(to: file)
    let result = try Program.run(arguments: [
      "migrate", "--from", entry.version ?? "v1", "--to", entry.version == "v2" ? "v1" : "v2",
      "--in-place", "--backup", ".old", file.path,
    ])
    #expect(result.status == (entry.decodable ? 1 : 65), "\(result.errors)")
    #expect(try Data(contentsOf: file) == bytes)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["archive"])
    #expect(!result.errors.isEmpty)
  }

  @Test func inPlaceKeepsModeAndBackup() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("WeatherFeed")
    let bytes = try Data(
      contentsOf: TestArchives.root.appendingPathComponent("WeatherFeed/v1-1-city"))
    try bytes.write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
    let arguments = ["migrate", "--from", "v1", "--to", "v2", "--in-place", "--backup", ".old"]
    let result = try Program.run(arguments: arguments + [file.path])
    #expect(result.status == 0, "\(result.errors)")
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o640)
    #expect(try Data(contentsOf: folder.file("WeatherFeed.old")) == bytes)
    let again = try Program.run(arguments: arguments + [file.path])
    #expect(again.status == 0)
    #expect(again.errors.contains("is WeatherFeed@v2 already; left alone"))
  }

  @Test func aBackupThatExistsIsNotOverwritten() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("Movie")
    let bytes = try Data(contentsOf: TestArchives.root.appendingPathComponent("Movie/v1"))
    try bytes.write(to: file)
    try Data("precious".utf8).write(to: folder.file("Movie.old"))
    let result = try Program.run(arguments: [
      "migrate", "--from", "v1", "--to", "v2", "--in-place", "--backup", ".old", file.path,
    ])
    #expect(result.status == 73)
    #expect(try Data(contentsOf: file) == bytes)
    #expect(try Data(contentsOf: folder.file("Movie.old")) == Data("precious".utf8))
  }

  @Test func anExistingOutputIsReplacedOnlyByForce() throws {
    let folder = try TemporaryFolder()
    let output = folder.file("out")
    try Data("precious".utf8).write(to: output)
    let arguments = ["migrate", "--from", "v1", "--to", "v2", "Movie/v1", "-o", output.path]
    #expect(try Program.run(arguments: arguments).status == 73)
    #expect(try Data(contentsOf: output) == Data("precious".utf8))
    #expect(try Program.run(arguments: arguments + ["--force"]).status == 0)
    #expect(try Data(contentsOf: output).starts(with: Data("bplist00".utf8)))
  }

  @Test func aFolderIsMigratedIntoAnotherWithItsStructure() throws {
    let folder = try TemporaryFolder()
    let source = folder.file("in/deep")
    try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
    for name in ["Movie/v1", "Person/v1", "Actor/v1"] {
      let copy = source.appendingPathComponent(name.replacingOccurrences(of: "/", with: "-"))
      try FileManager.default.copyItem(
        at: TestArchives.root.appendingPathComponent(name), to: copy)
    }
    let result = try Program.run(arguments: [
      "migrate", "--from", "v1", "--to", "v2", "-r", folder.file("in").path, "--output-dir",
      folder.file("out").path,
    ])
    #expect(result.status == 0, "\(result.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("out/deep").path)
    #expect(names.sorted() == ["Actor-v1", "Movie-v1", "Person-v1"])
  }

  @Test func dryRunChangesNothing() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("Movie")
    let bytes = try Data(contentsOf: TestArchives.root.appendingPathComponent("Movie/v1"))
    try bytes.write(to: file)
    let result = try Program.run(arguments: [
      "migrate", "--from", "v1", "--to", "v2", "--in-place", "--dry-run", file.path,
    ])
    #expect(result.status == 0)
    #expect(result.text.contains("would migrate Movie@v1 to v2"))
    #expect(try Data(contentsOf: file) == bytes)
  }
}

/// A value that the new version does not take is an answer, and no fault of the file.
@Suite struct MisfitTests {
  @Test(arguments: [(1, Int32(0)), (9, 1)]) func isRefused(_ number: Int, _ status: Int32) throws {
    let schema = { (version: String, most: Int) in
      """
      {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "urn:f:\(version)",
       "x-archive": {"envelope": "\(version == "v1" ? "json" : "codable")"}, "type": "object", "required": ["n"],
       "properties": {"n": {"type": "integer", "maximum": \(most)}}}
      """
    }
    let bench = try Workbench([
      "S/F/family.json": #"{"family": "F", "versions": ["v1", "v2"]}"#,
      "S/F/v1.schema.json": schema("v1", 10), "S/F/v2.schema.json": schema("v2", 5),
      "value": "{\"n\": \(number)}",
    ])
    let result = try bench.run("migrate", "--schemas", "S", "--to", "v2", "value", "-o", "new")
    #expect(result.status == status, "\(result.errors)")
    #expect(result.errors.contains("the new value does not fit F@v2") == (status == 1))
  }
}
