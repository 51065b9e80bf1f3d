// `archtool schema lens`: it finds the lenses that people wrote, or asks what cannot be known.

import Foundation
import TestSupport
import Testing

@Suite struct SchemaLensTests {
  /// A lens of TestArchives, which the command is to write without having seen it.
  struct Known: CustomTestStringConvertible {
    let family: String
    let from: String
    let to: String
    /// What is asked; empty if the lens is found.
    var asked: [String] = []
    /// Where the samples of the two versions do not have the same values.
    var differences: [String] = []

    var testDescription: String { "\(family) \(from) \(to)" }
  }

  static let known = [
    Known(
      family: "AnalyticsDefaults", from: "v1", to: "v2",
      // A lens renames classes, and not those that they inherit from.
      differences: [
        "class $.MSAppCenterPastDevices⟨archive⟩[0]", "class $.MSAppCenterPastDevices⟨archive⟩[1]",
        "class $.MSAppCenterPastDevices⟨archive⟩[1].deviceKey",
        "class $.MSAppCenterSessionIdHistory⟨archive⟩[0]",
      ]),
    Known(
      family: "Bookmarks", from: "v1", to: "v2",
      asked: ["what is 'stars' where it is missing or null?"]),
    Known(
      family: "Bookmarks", from: "v2", to: "v3",
      asked: [#"what becomes of 0, 1, 2, 4, 5 ("none" or "some" or "best")?"#]),
    Known(family: "BrowserTabs", from: "v1", to: "v2"),
    // Some objects of the first version have the member under another name, which only its condition says.
    Known(
      family: "Calls", from: "v1", to: "v2",
      asked: ["what is 'initiatorID' where it is missing or null?"]),
    Known(family: "Clock", from: "v1", to: "v2"),
    Known(family: "Clock", from: "v2", to: "v3"),
    Known(family: "Clock", from: "v3", to: "v4"),
    Known(family: "ContactRow", from: "v1", to: "v2"),
    Known(family: "Credentials", from: "v1", to: "v2"),
    Known(family: "Credentials", from: "v2", to: "v3"),
    Known(family: "Itinerary", from: "v1", to: "v2"),
    // The journey got a second traveller.
    Known(
      family: "Itinerary", from: "v2", to: "v3", differences: ["value $.travellers"]),
    Known(family: "Itinerary", from: "v3", to: "v4"),
    Known(
      family: "Itinerary", from: "v4", to: "v5",
      asked: [#"what becomes of "planned", "done" ("open" or "closed")?"#]),
    Known(family: "OutcomeDefaults", from: "v1", to: "v2"),
    Known(family: "Outcomes", from: "v1", to: "v2"),
    Known(family: "ServiceDiscovery", from: "v1", to: "v2"),
    Known(family: "Shelf", from: "v1", to: "v2"),
    Known(family: "Shelf", from: "v2", to: "v3"),
    Known(family: "Shelf", from: "v3", to: "v4"),
    Known(family: "SignIn", from: "v1", to: "v2"),
    Known(family: "StoredUser", from: "v1", to: "v2"),
    Known(family: "TransitTrip", from: "v1", to: "v2"),
  ]

  private static let families = TestArchives.root.appendingPathComponent("Families")

  /// A copy of a family, without the lens in question.
  private static func bench(_ known: Known) throws -> Workbench {
    let bench = try Workbench()
    // Archives of the other are in it.
    for name in [known.family] + (known.family == "OutcomeDefaults" ? ["Outcomes"] : []) {
      try FileManager.default.copyItem(
        at: families.appendingPathComponent(name), to: bench.url(name))
    }
    try FileManager.default.removeItem(
      at: bench.url("\(known.family)/\(known.from)-\(known.to).lens.json"))
    return bench
  }

  @Test(arguments: known)
  func findsWhatPeopleWrote(_ known: Known) throws {
    let bench = try Self.bench(known)
    let result = try bench.run(
      "schema", "lens", "--schemas", ".", "--tries", "200", known.family, known.from, known.to)
    let asked = result.errors.split(separator: "\n").filter { $0.contains("a choice is open: ") }
      .map { String($0.split(separator: "open: ", maxSplits: 1)[1]) }
    #expect(asked == known.asked, "\(result.errors)")
    guard asked.isEmpty else { return #expect(result.status == 1) }
    #expect(result.status == 0, "\(result.errors)")
    var samples = bench.url("\(known.family)/samples/\(known.from)")
    if !FileManager.default.fileExists(atPath: samples.path) {
      samples = bench.url("generated")
      let label = "\(known.family)@\(known.from)"
      try bench.run("schema", "sample", "--schemas", ".", label, "--output-dir", "generated")
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: samples.path).sorted()
    where name != "invalid" {
      let sample = samples.appendingPathComponent(name).path
      let found = try Self.migrated(sample, known, bench, schemas: ".", to: "found")
      let written = try Self.migrated(
        sample, known, bench, schemas: Self.families.path, to: "written")
      #expect(found == written, "\(name)")
      let other = bench.url("\(known.family)/samples/\(known.to)/\(name)")
      guard FileManager.default.fileExists(atPath: other.path) else { continue }
      // The maker wrote the same values in the other version, with code of its own.
      let differences = try ArchiveJudge.differences(
        bench.url("found"), other,
        envelope: ArchiveJudge.envelope(of: bench.url("\(known.family)/\(known.to).schema.json")))
      #expect(differences == known.differences, "\(name)")
    }
  }

  /// A folder below a hidden one is read as any other; hidden files in it are not.
  @Test func readsSamplesBelowAHiddenFolder() throws {
    let bench = try Workbench([
      ".old/v1/a.json": #"{"title": "Alien"}"#, ".old/v1/.hidden": "no JSON",
      ".old/v2/a.json": #"{"name": "Alien", "stars": 3}"#,
    ])
    for version in ["v1", "v2"] {
      try bench.run(
        "schema", "infer", "--family", "Disc", "--version", version, "--output-dir", "S",
        ".old/\(version)/a.json")
    }
    let result = try bench.run(
      "schema", "lens", "--schemas", "S", "--samples", ".old/v1", "--samples", ".old/v2", "Disc",
      "v1", "v2")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("'stars' is 3 in 1 of 1 sample"), "\(result.errors)")
  }

  /// The values of a sample after the migration.
  private static func migrated(
    _ sample: String, _ known: Known, _ bench: Workbench, schemas: String, to output: String
  ) throws -> NSObject? {
    let result = try bench.run(
      "migrate", "--schemas", schemas, "--schema", known.family, "--from", known.from, "--to",
      known.to, "--allow-loss", "--force", "-o", output, sample)
    guard result.status == 0 else {
      Issue.record("\(result.errors)")
      return nil
    }
    let dump = try bench.run("dump", "--format", "json", output)
    return try JSONSerialization.jsonObject(with: dump.output, options: [.fragmentsAllowed])
      as? NSObject
  }
}
