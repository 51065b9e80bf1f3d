// Tests for generated source, which hold it to the answers of `archtool migrate`.

import ArchiveBasics
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting
import KeyedArchives

/// The tests of generated source in an application: archives of every version, with those that migrate makes of them.
package struct MigratingTests {
  /// An archive, and what it becomes.
  package struct Fixture {
    /// The version and the name of the file: `v1/001.plist`.
    package let name: String
    /// The archive.
    package let archive: ByteStorage
    /// The archive of the newest version that migrate makes of it.
    package let expected: ByteStorage
    /// The permissions of the file that it came from.
    package let permissions: FilePermissions
  }

  private static let generatedCount = 8

  private let family: SchemaFamily
  private let catalog: SchemaCatalog
  private let typeName: String
  private let module: String

  /// Makes tests.
  ///
  /// - Parameters:
  ///   - family: the family.
  ///   - catalog: the families whose archives a lens may enter.
  ///   - typeName: the model's type.
  ///   - module: the module of the generated source.
  package init(
    of family: SchemaFamily, in catalog: SchemaCatalog, typeName: String, module: String
  ) {
    self.family = family
    self.catalog = catalog
    self.module = module
    var names = SwiftNames(reserved: [])
    self.typeName = names.upper(typeName, fallback: "Model")
  }

  // MARK: Archives

  /// The family's samples that fit, and generated archives, of each version.
  ///
  /// - Throws: `ArchiveError` if a sample cannot be read.
  package func fixtures() throws(ArchiveError) -> [Fixture] {
    guard let newest = family.versions.last else { return [] }
    var fixtures: [Fixture] = []
    for (position, version) in family.versions.enumerated() {
      let request = Migration.Request(from: version.name, to: newest.name, losses: .allowAll)
      var migration = Migration(catalog: catalog, family: family, request)
      let later = family.versions[(position + 1)...]
      for (name, archive, permissions) in try archives(of: version) {
        let isNewest = version.name == newest.name
        // What fits two versions is taken as the later one.
        guard !later.contains(where: { Self.fits(archive, $0, family) }),
          let expected = isNewest ? archive : Self.migrated(archive, name, &migration)
        else { continue }
        fixtures.append(
          Fixture(
            name: "\(version.name)/\(name)", archive: archive, expected: expected,
            permissions: permissions))
      }
    }
    return fixtures
  }

  /// What migrate makes of an archive; nil if it does not fit, or cannot be migrated.
  private static func migrated(
    _ archive: ByteStorage, _ name: String, _ migration: inout Migration
  ) -> ByteStorage? {
    let input = RewriteInput(storage: archive, name: name, path: nil)
    guard case .changed(let result)? = try? migration.rewrite(input) else { return nil }
    return result.storage
  }

  private static func fits(
    _ archive: ByteStorage, _ version: SchemaVersion, _ family: SchemaFamily
  ) -> Bool {
    guard let graph = try? ArchiveReader().read(archive) else { return false }
    return (try? version.validate(graph, family: family))?.isEmpty == true
  }

  private func archives(
    of version: SchemaVersion
  ) throws(ArchiveError) -> [(name: String, ByteStorage, FilePermissions)] {
    var archives: [(String, ByteStorage, FilePermissions)] = []
    for (name, path) in try family.sampleFiles(of: version).sorted(by: { $0.name < $1.name }) {
      archives.append((name, try ByteStorage.open(path: path), FilePermissions(of: path)))
    }
    // Generated texts are no URLs, which Codable does not decode.
    let hasURLs = version.schemaParts.contains { part in
      let names = Set((part["properties"]?.members ?? []).map(\.0))
      return names == ["relative"] || names == ["relative", "base"]
    }
    guard !hasURLs else { return archives }
    var generator = SampleGenerator(version)
    for index in 0..<Self.generatedCount {
      guard let sample = try generator.sample(index), let bytes = try generator.archive(of: sample)
      else { continue }
      let suffix = version.envelope == .json ? "json" : "plist"
      let name = "generated-\(index + 1).\(suffix)"
      archives.append((name, bytes, version.permissions))
    }
    return archives
  }

  // MARK: Source

  /// The name of the file with the tests.
  package var fileName: String { "\(typeName)MigrationTests.swift" }

  /// The source of the tests.
  package func source(of fixtures: [Fixture]) -> String {
    let hasLists = family.versions.contains(where: \.allowsList)
    let writesLists = family.versions.last?.allowsList == true
    var writer = SwiftWriter()
    writer.line("// Holds \(typeName).load(from:) to what 'archtool migrate' makes of archives.")
    writer.line("//")
    writer.line("// 'archtool schema swift --migrating --tests' has written it, and the fixtures.")
    writer.line()
    writer.line("import Foundation")
    writer.line("import Testing")
    writer.line()
    writer.line("@testable import \(module)")
    writer.line()
    writer.block("@Suite struct \(typeName)MigrationTests") { writer in
      writer.line("private static let names = [")
      for fixture in fixtures { writer.line("  \(SwiftWriter.literal(fixture.name)),") }
      writer.line("]")
      writer.line()
      writer.block("private func fixture(_ folder: String, _ name: String) throws -> Data") {
        $0.line("let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()")
        $0.line("let path = \"Fixtures/\\(folder)/\\(name)\"")
        $0.line("return try Data(contentsOf: tests.appendingPathComponent(path))")
      }
      writer.line()
      let load = hasLists ? "loadList" : "load"
      writer.line("@Test(arguments: names)")
      writer.block("func becomesWhatArchtoolMakesOfIt(_ name: String) throws") {
        $0.line("let loaded = try \(typeName).\(load)(from: fixture(\"Archives\", name))")
        $0.line("let expected = try \(typeName).\(load)(from: fixture(\"Expected\", name))")
        $0.line("#expect(loaded == expected)")
      }
      writer.line()
      writer.line("@Test(arguments: names)")
      writer.block("func comesBackFromItsArchive(_ name: String) throws") {
        $0.line("let loaded = try \(typeName).\(load)(from: fixture(\"Archives\", name))")
        if hasLists, writesLists {
          $0.line("let archive = try \(typeName).archive(loaded)")
          $0.line("#expect(try \(typeName).loadList(from: archive) == loaded)")
        } else if hasLists {
          $0.block("for model in loaded") {
            $0.line("#expect(try \(typeName).load(from: model.archive()) == model)")
          }
        } else {
          $0.line("#expect(try \(typeName).load(from: loaded.archive()) == loaded)")
        }
      }
    }
    return writer.text
  }
}
