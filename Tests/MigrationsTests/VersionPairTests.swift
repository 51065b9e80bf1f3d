// Every version of a family to every other and back: the same model, except for the losses in the plan.

import ArchiveBasics
import ArchiveGraph
import ArchiveMigrations
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct VersionPairTests {
  /// An archive and the version that it shall be taken to.
  struct Pair: CustomTestStringConvertible, Sendable {
    let file: URL
    let schemas: [String]
    let target: String
    var testDescription: String {
      "\(file.lastPathComponent) of \(file.deletingLastPathComponent().lastPathComponent) to \(target)"
    }
  }

  static let builtIn: [Pair] = TestArchives.all
    .filter { $0.family != nil && $0.decodable && $0.valid == true }
    .flatMap { entry in
      ["v0", "v1", "v2"].filter {
        $0 != entry.version && ($0 != "v0" || ["Movie", "Person"].contains(entry.family))
      }
      .map { Pair(file: entry.url, schemas: [], target: $0) }
    }

  static let families = TestArchives.root.appendingPathComponent("Families")

  static let itinerary: [Pair] = ["v1", "v2", "v3", "v4", "v5"].flatMap { source in
    ["v1", "v2", "v3", "v4", "v5"].filter { $0 != source }.map { target in
      Pair(
        file: families.appendingPathComponent("Itinerary/samples/\(source)/two-cities"),
        schemas: [families.path], target: target)
    }
  }

  private static func model(_ data: Data) throws -> (root: Node, graph: ObjectGraph) {
    let graph = try readGraph(data)
    return (try #require(graph.unwrapModel()).root, graph)
  }

  private static func rewrite(
    _ data: Data, lost: Data? = nil, to target: String, _ schemas: [String],
    _ losses: LossPolicy, className: String? = nil
  ) throws -> RewrittenArchive? {
    var migration = Migration(
      catalog: try SchemaCatalog(folders: schemas),
      Migration.Request(
        to: target, className: target == "v0" ? className : nil, losses: losses))
    let rewritten = try migration.rewrite(
      RewriteInput(
        storage: ByteStorage(copying: Array(data)), name: "test", path: nil,
        lost: lost.map { ByteStorage(copying: Array($0)) }))
    guard case .changed(let archive) = rewritten else { return nil }
    return archive
  }

  private static func isLossless(_ archive: RewrittenArchive) -> Bool {
    archive.details.migration?.isLossless == true
  }

  /// Whether values are lost, not only classes and storage.
  private static func losesValues(_ archive: RewrittenArchive) -> Bool {
    (archive.details.migration?.losses ?? []).contains {
      ![.class, .storage, .mutability].contains($0.kind)
    }
  }

  /// The class of a new root object.
  private static func className(of pair: Pair) -> String? {
    guard pair.target == "v0" else { return nil }
    let family = pair.file.deletingLastPathComponent().lastPathComponent
    return family == "Person" ? "App.Person.HelperClass" : "App.\(family)Class"
  }

  /// There and back, without what was kept and with it.
  private static func check(_ pair: Pair) throws {
    let source = try Data(contentsOf: pair.file)
    let (root, graph) = try model(source)
    let version = try #require(
      try graph.unwrapModel().flatMap {
        try SchemaCatalog(folders: pair.schemas).detect($0, in: graph)?.version.name
      })
    let there = try #require(
      try rewrite(
        source, to: pair.target, pair.schemas, .keepBeside, className: className(of: pair)))
    let bytes = Data(there.storage.bytes)
    var kept: Data?
    if case .written(let storage) = there.lost { kept = Data(storage.bytes) }
    #expect(isLossless(there) == (kept == nil))
    let back = try #require(
      try rewrite(bytes, lost: kept, to: version, pair.schemas, .keepBeside))
    let (again, copy) = try model(Data(back.storage.bytes))
    #expect(ModelComparison.firstDifference(root, of: graph, again, of: copy) == nil)
    guard kept != nil, losesValues(there) else { return }
    // Without what was kept something is another: else it was no loss.
    if let bare = try rewrite(bytes, to: version, pair.schemas, .allowAll) {
      let (other, graphOfOther) = try model(Data(bare.storage.bytes))
      #expect(ModelComparison.firstDifference(root, of: graph, other, of: graphOfOther) != nil)
    }
  }

  @Test(arguments: builtIn)
  func builtInVersionsGoThereAndBack(_ pair: Pair) throws {
    try Self.check(pair)
  }

  @Test(arguments: itinerary)
  func versionsJoinedByLensesGoThereAndBack(_ pair: Pair) throws {
    try Self.check(pair)
  }
}
