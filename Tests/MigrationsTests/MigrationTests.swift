// Migrations in both directions: the same values, in the layouts that the apps read.

import ArchiveBasics
import ArchiveGraph
import ArchiveMigrations
import ArchiveSchemas
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct MigrationTests {
  /// The bytes in another version; nil if the migration refused.
  private static func migrate(
    _ data: Data, _ from: String, _ to: String, losses: LossPolicy = .standard,
    family: String? = nil
  ) throws -> Data? {
    let catalog = try SchemaCatalog(folders: [])
    var migration = Migration(
      catalog: catalog, family: family.flatMap { catalog.family($0) },
      Migration.Request(from: from, to: to, losses: losses))
    let input = RewriteInput(storage: ByteStorage(copying: Array(data)), name: "test", path: nil)
    switch try migration.rewrite(input) {
    case .changed(let archive): return Data(archive.storage.bytes)
    case .unchanged: return nil
    case .refused: return nil
    }
  }

  private static func model(_ data: Data) throws -> NSObject {
    let graph = try readGraph(data)
    let model = try #require(graph.unwrapModel())
    return graph.foundationObject(model.root)
  }

  @Test(arguments: TestArchives.valid(version: "v1"))
  func v1ToV2AndBackIsTheSameModel(_ entry: ManifestEntry) throws {
    let source = try Data(contentsOf: entry.url)
    // That containers are mutable is a loss, which is refused only on request.
    let isMutable = entry.path.contains("mutable")
    let strict = LossPolicy(isStrict: true)
    #expect(try (Self.migrate(source, "v1", "v2", losses: strict) == nil) == isMutable)
    let v2 = try #require(try Self.migrate(source, "v1", "v2"))
    // What NSKeyedArchiver on Linux blurred, a boolean that is the number 1, is a boolean again.
    #expect(try Self.model(v2) == TestArchives.expectedCodableModel(entry.path))
    let v1 = try #require(try Self.migrate(v2, "v2", "v1"))
    #expect(try Self.model(v1) == Self.model(v2))
    #expect(try Self.migrate(v1, "v1", "v2") == v2)
  }

  @Test(arguments: TestArchives.valid(version: "v2"))
  func v2ToV1AndBackIsTheSameModel(_ entry: ManifestEntry) throws {
    let source = try Data(contentsOf: entry.url)
    let v1 = try #require(try Self.migrate(source, "v2", "v1"))
    #expect(try Self.model(v1) == Self.model(source))
    let v2 = try #require(try Self.migrate(v1, "v1", "v2"))
    #expect(try Self.model(v2) == Self.model(source))
  }

  @Test(arguments: TestArchives.valid(version: "v0"), ["v1", "v2"])
  func helperClassesBecomeDictionariesAndCodable(_ entry: ManifestEntry, _ to: String) throws {
    let source = try Data(contentsOf: entry.url)
    // The class of the root is one of several that the schema allows.
    #expect(try Self.migrate(source, "v0", to, losses: LossPolicy(isStrict: true)) == nil)
    let migrated = try #require(try Self.migrate(source, "v0", to))
    #expect(try Self.model(migrated) == Self.model(source))
  }

  @Test(
    arguments: TestArchives.all.filter { $0.family != nil && $0.decodable && $0.valid == false })
  func whatDoesNotFitIsRefused(_ entry: ManifestEntry) throws {
    let to = entry.version == "v2" ? "v1" : "v2"
    #expect(
      try Self.migrate(Data(contentsOf: entry.url), entry.version ?? "", to) == nil)
  }

  /// A list of no objects is one of any class.
  @Test(arguments: ["v0", "v2"])
  func aListWithoutModelsGoesToEveryVersion(_ to: String) throws {
    let empty = ArchivedSample.array([]).archive
    let there = try #require(try Self.migrate(empty, "v1", to, family: "Movie"))
    #expect(try Self.model(there) == NSArray())
  }

  @Test func numbersTakeTheTypesOfTheModel() throws {
    let movie: NSDictionary = [
      "name": "Avatar", "director": "James Cameron", "releaseYear": 2009.0,
    ]
    let archive = try NSKeyedArchiver.archivedData(
      withRootObject: movie, requiringSecureCoding: false)
    let v2 = try #require(try Self.migrate(archive, "v1", "v2"))
    let graph = try readGraph(v2)
    let model = try #require(graph.unwrapModel())
    guard case .dictionary(let pairs) = graph.value(of: model.root) else {
      Issue.record("no dictionary")
      return
    }
    for position in 0..<pairs.count
    where graph.memberName(pairs, position)?.string == "releaseYear" {
      guard case .integer(2009) = graph.value(of: graph.value(pairs, position)) else {
        Issue.record("releaseYear is no integer")
        return
      }
    }
  }
}
