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

  private static func names(in folder: URL) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }

  @Test func everyLensIsSound() throws {
    let result = try Workbench().run("schema", "check", Self.root.path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(Self.families.count == 12 && Self.samples.count == 17)
  }

  @Test(arguments: samples)
  func leadsThereAndBack(_ sample: Sample) throws {
    let bench = try Workbench()
    func migrate(_ input: String, to version: String, _ output: String) throws {
      let result = try bench.run(
        "migrate", "--schemas", Self.root.path, "--schema", sample.family, "--from",
        version == "v2" ? "v1" : "v2", "--to", version, "--keep-lost", "-o", output, input)
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
    try migrate("new", to: "v1", "back")
    // An old file of the cache does not have what means the same if it is false.
    if sample.testDescription != "RelayCache old" { try compare("back", "v1") }
    if Self.lossy.contains(sample.family) { return }
    try migrate(sample.url("v2").path, to: "v1", "old")
    if sample.testDescription != "RelayCache old" { try compare("old", "v1") }
  }
}
