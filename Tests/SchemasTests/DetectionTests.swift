// The detected version of an archive, and whether it fits: every archive of TestArchives, according to its manifest.

import ArchiveGraph
import ArchiveSchemas
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct DetectionTests {
  static let known = TestArchives.all.filter { $0.decodable && $0.family != nil }

  @Test(arguments: known)
  func findsFamilyAndVersion(_ entry: ManifestEntry) throws {
    let graph = try readGraph(Data(contentsOf: entry.url))
    let catalog = try SchemaCatalog(folders: [])
    let result = try Validation(catalog: catalog, family: nil, version: nil).run(graph)
    #expect(result.version?.label == "\(entry.family ?? "")@\(entry.version ?? "")")
    #expect(result.violations.isEmpty == (entry.valid == true), "\(result.violations)")
  }

  @Test(arguments: TestArchives.all.filter { $0.decodable && $0.family == nil })
  func claimsNothingForOtherArchives(_ entry: ManifestEntry) throws {
    let graph = try readGraph(Data(contentsOf: entry.url))
    let catalog = try SchemaCatalog(folders: [])
    let result = try Validation(catalog: catalog, family: nil, version: nil).run(graph)
    #expect(result.version == nil)
    #expect(result.reason != nil)
  }

  @Test(arguments: known.filter { $0.valid == true })
  func noOtherVersionFits(_ entry: ManifestEntry) throws {
    let graph = try readGraph(Data(contentsOf: entry.url))
    for family in try SchemaCatalog(folders: []).families {
      for version in family.versions {
        let fits = try version.validate(graph, family: family).isEmpty
        let isIt = family.name == entry.family && version.name == entry.version
        #expect(fits == isIt, "\(version.label)")
      }
    }
  }

  /// One catalog sees all files of a run, whatever came before.
  @Test func eachArchiveIsDetectedAsIfItWereAlone() throws {
    let graphs = try TestArchives.all.filter(\.decodable).map {
      try readGraph(Data(contentsOf: $0.url))
    }
    let folders = ["Outcomes", "StoredUser"].map {
      TestArchives.root.appendingPathComponent("Families/\($0)").path
    }
    func words(_ catalog: SchemaCatalog, _ graph: ObjectGraph, _ family: String?) -> String? {
      let family = family.flatMap(catalog.family)
      let model = graph.unwrapModel()
      return model.flatMap { catalog.detect($0, in: graph, family: family) }.map {
        "\($0.version.label) \($0.candidate.reason) \($0.candidate.missing) \($0.candidate.unknown)"
      }
    }
    let shared = try SchemaCatalog(folders: folders)
    for family in [nil, "Movie"] {
      let alone = try graphs.map { try words(SchemaCatalog(folders: folders), $0, family) }
      #expect(Set(alone.compactMap(\.self)).count > 4)
      // Each archive comes after several others.
      for step in 1...5 {
        for place in 0..<graphs.count {
          let index = (place * step) % graphs.count
          #expect(words(shared, graphs[index], family) == alone[index])
        }
      }
    }
  }
}
