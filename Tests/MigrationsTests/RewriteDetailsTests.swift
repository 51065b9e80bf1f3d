// The details of a rewriting, as reports, plans and journals write them.

import ArchiveBasics
import ArchivePropertyLists
import ArchiveWriting
import KeyedArchives
import Testing

@testable import ArchiveMigrations

@Suite struct RewriteDetailsTests {
  @Test(arguments: [
    (RewriteDetails(), []),
    (RewriteDetails(format: ConversionTarget(rawValue: "xml1")), ["format"]),
    (RewriteDetails(rename: []), ["rules"]),
    (
      RewriteDetails(
        embedded: [
          .init(
            path: GraphPath([.key("a")]),
            details: RewriteDetails(format: ConversionTarget(rawValue: "json")))
        ]), ["at"]
    ),
  ])
  func tellsWhatThereIs(_ details: RewriteDetails, _ names: [String]) {
    #expect(details.members.map(\.0) == names)
  }

  /// The versions that an archive in data goes through and the path of that data are two members.
  @Test func aPathInTheGraphAndOneThroughVersionsHaveTwoNames() throws {
    var migration = MigrationDetails(family: "Door", source: "v1", target: "v3")
    migration.path = [("v1", "v2"), ("v2", "v3")].map { source, target in
      LensStep(
        file: LensFile(source: source, target: target, lens: Lens(operations: [])),
        direction: .forward)
    }
    migration.losses = []
    let inner = RewriteDetails(migration: migration)
    let outer = RewriteDetails(embedded: [.init(path: GraphPath([.key("door")]), details: inner)])
    let tree = JSONTree.members(outer.members)
    let versions = JSONTree.list(["v1", "v2", "v3"].map { .string($0) })
    let entry = try #require(tree["at"]?.list?.first)
    #expect(entry["path"] == .string("$.door"))
    #expect(entry["versions"] == versions)
    #expect(JSONTree.members(inner.members)["path"] == versions)
    let names = entry.members?.map(\.0) ?? []
    #expect(Set(names).count == names.count)
  }
}
