// The family with trees, conditions and groups: each sample from plistlib becomes the sample of the next version.

import ArchiveBasics
import ArchiveGraph
import ArchiveSchemas
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

@testable import ArchiveMigrations

@Suite struct BookmarksTests {
  private static let folder = TestArchives.root.appendingPathComponent("Families/Bookmarks").path

  private static func family() throws -> SchemaFamily {
    try FamilyFolder(path: folder, library: SchemaLibrary()).read()
  }

  private static func sample(_ version: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: folder + "/samples/\(version)/reading"))
  }

  private static func model(_ data: Data) throws -> NSObject {
    let graph = try readGraph(data)
    return graph.foundationObject(try #require(graph.unwrapModel()).root)
  }

  private static func migrate(
    _ data: Data, _ from: String, _ to: String, _ losses: LossPolicy = .standard
  ) throws -> Rewritten {
    var migration = Migration(
      catalog: try SchemaCatalog(folders: [folder]),
      Migration.Request(from: from, to: to, losses: losses))
    return try migration.rewrite(
      RewriteInput(storage: ByteStorage(copying: Array(data)), name: "test", path: nil))
  }

  @Test func everyLensHolds() throws {
    let family = try FamilyCheck(folder: Self.folder, library: SchemaLibrary()).run()
    let result = try LensCheck(family, folder: Self.folder, tries: 300).run()
    #expect(result.lensCount == 2)
    #expect(result.valueCount == 300)
    #expect(result.oneWay == ["v2-v3"])
    #expect(result.findings.isEmpty, "\(result.findings.map(\.error.message))")
  }

  /// With those of the family Itinerary they are all that change a model.
  @Test func itHasTheOperationsThatChangeShapes() throws {
    func words(_ lens: Lens) -> [String] {
      lens.operations.flatMap { [$0.word] + ($0.inner.map(words) ?? []) }
        + lens.named.values.flatMap(words)
    }
    let found = Set(try FamilyLenses(of: Self.family()).files.flatMap { words($0.lens) })
    #expect(
      found.isSuperset(of: [
        "default", "nullable", "copy", "split", "join", "nest", "pluck", "group", "ungroup",
        "when", "use",
      ]))
  }

  @Test(arguments: [
    ("v1", "v2", LossPolicy.standard), ("v2", "v1", .standard), ("v2", "v3", .allowAll),
    ("v1", "v3", .allowAll),
  ])
  func aSampleBecomesTheOtherSample(
    _ from: String, _ to: String, _ losses: LossPolicy
  ) throws {
    let archive = try #require(
      try Self.migrate(Self.sample(from), from, to, losses).archive)
    #expect(
      try Self.model(Data(archive.storage.bytes)) == Self.model(Self.sample(to)))
  }

  @Test func nothingComesBackFromTheLastVersion() throws {
    guard case .refused(let reason, _, _) = try Self.migrate(Self.sample("v3"), "v3", "v1") else {
      Issue.record("not refused")
      return
    }
    #expect(reason.contains("is one-way"))
  }

  /// What a default fills in is a loss, since it would stay: kept, it comes back as absent.
  @Test func anAbsentMemberIsKept() throws {
    var model = try #require(try Self.model(Self.sample("v1")) as? [String: Any])
    model["stars"] = nil
    let source = try NSKeyedArchiver.archivedData(
      withRootObject: model as NSDictionary, requiringSecureCoding: false)
    guard case .refused(let reason, _, _) = try Self.migrate(source, "v1", "v2") else {
      Issue.record("not refused")
      return
    }
    #expect(reason.hasPrefix("would lose the absence of $.stars (v1-v2#/lens/7, default stars)"))
    let there = try #require(try Self.migrate(source, "v1", "v2", .keepInside).data)
    let back = try #require(try Self.migrate(there, "v2", "v1").data)
    #expect(try Self.model(back) == model as NSDictionary)
  }
}
