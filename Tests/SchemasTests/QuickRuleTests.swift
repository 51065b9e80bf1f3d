// Values that are accepted at sight: the reports are those of a validation in full.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct QuickRuleTests {
  /// All that a validation tells, or the error that ends it.
  static func report(_ version: SchemaVersion, _ graph: ObjectGraph, isQuick: Bool) -> String {
    version.schema.usesQuickRules = isQuick
    defer { version.schema.usesQuickRules = true }
    do {
      let outcome = try version.examine(graph.unwrapModel(), in: graph)
      return "\(outcome.violations) \(outcome.violationCount) \(outcome.warnings)"
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func randomValuesHaveTheSameReports(seed: UInt64) {
    var random = RandomSchemas(numbers: SeededNumbers(seed: seed))
    var fits = 0
    var misfits = 0
    for _ in 0..<150 {
      let tree = random.document()
      guard
        let version = try? SchemaVersion(family: "", name: "random", tree: tree, uri: "")
      else { continue }
      for _ in 0..<20 {
        let graph = random.value().makeGraph()
        let full = Self.report(version, graph, isQuick: false)
        #expect(Self.report(version, graph, isQuick: true) == full, "seed \(seed): \(tree.line)")
        if full == "[] 0 []" { fits += 1 } else { misfits += 1 }
      }
    }
    #expect(fits > 300 && misfits > 300)
  }

  @Test(arguments: TestArchives.all.filter(\.decodable))
  func archivesHaveTheSameReports(_ entry: ManifestEntry) throws {
    let graph = try readGraph(Data(contentsOf: entry.url))
    for version in try SchemaCatalog(folders: []).versions {
      #expect(
        Self.report(version, graph, isQuick: true) == Self.report(version, graph, isQuick: false),
        "\(version.label)")
    }
  }
}
