// The detected version of an archive, and whether it fits: every archive of TestArchives, according to its manifest.

import Foundation
import KeyedArchives
import ObjectGraph
import Schemas
import TestSupport
import Testing

@Suite struct DetectionTests {
  static let known = TestArchives.all.filter { $0.decodable && $0.family != nil }

  @Test(arguments: known)
  func findsFamilyAndVersion(_ entry: ManifestEntry) throws {
    let graph = try readGraph(Data(contentsOf: entry.url))
    let catalog = try SchemaCatalog.builtIn()
    let result = try Validation(catalog: catalog, family: nil, version: nil).run(graph)
    #expect(result.version?.label == "\(entry.family ?? "")@\(entry.version ?? "")")
    #expect(result.violations.isEmpty == (entry.valid == true), "\(result.violations)")
  }

  @Test(arguments: TestArchives.all.filter { $0.decodable && $0.family == nil })
  func claimsNothingForOtherArchives(_ entry: ManifestEntry) throws {
    let graph = try readGraph(Data(contentsOf: entry.url))
    let catalog = try SchemaCatalog.builtIn()
    let result = try Validation(catalog: catalog, family: nil, version: nil).run(graph)
    #expect(result.version == nil)
    #expect(result.reason != nil)
  }

  @Test(arguments: known.filter { $0.valid == true })
  func noOtherVersionFits(_ entry: ManifestEntry) throws {
    let graph = try readGraph(Data(contentsOf: entry.url))
    for family in try SchemaCatalog.builtIn().families {
      for version in family.versions {
        let fits = try version.validate(graph, family: family).isEmpty
        let isIt = family.name == entry.family && version.name == entry.version
        #expect(fits == isIt, "\(version.label)")
      }
    }
  }
}
