// Keyed archives that macOS wrote, compared with what the toolchain's Foundation unarchives from them.

import ArchiveGraph
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct KeyedCorpusTests {
  private static func present(_ names: [String]) -> [String] {
    names.map { "keyed/\($0)" }.filter { Corpus.file($0) != nil }
  }

  private func judged(_ file: String) throws -> (graph: ObjectGraph, object: NSObject) {
    let data = try Data(contentsOf: try #require(Corpus.file(file)))
    let object = try NSKeyedUnarchiver.unarchiveTopLevelObjectWithData(data) as? NSObject
    return (try readGraph(data), try #require(object))
  }

  @Test(
    arguments: present([
      "corelibs/NSKeyedUnarchiver-ArrayTest.plist", "corelibs/NSKeyedUnarchiver-ComplexTest.plist",
      "corelibs/NSKeyedUnarchiver-URLTest.plist", "fq/recentapps.sfl2", "fq/recentdocs.sfl2",
    ]))
  func holdsWhatFoundationUnarchives(_ file: String) throws {
    let (graph, object) = try judged(file)
    #expect(SampleValue(of: graph.root, in: graph).canonical == plain(object).canonical)
  }

  @Test(arguments: present(["corelibs/NSKeyedUnarchiver-OrderedSetTest.plist"]))
  func keepsTheOrderOfASet(_ file: String) throws {
    let (graph, object) = try judged(file)
    let set = try #require(object as? NSOrderedSet)
    #expect(graph.foundationObject(graph.root) as? NSArray == set.array as NSArray)
  }

  /// The values that Foundation's own tests have for these files; comparing an NSValue ends the process on Linux.
  @Test(
    .enabled(if: Corpus.isPresent, "the corpus is not there"),
    arguments: [
      ("RectTest", "rectangle {{400, 300}, {200, 300}}"), ("RangeTest", "range {97345, 98345}"),
      ("ConcreteValueTest", "[3i] {1, 2, 3}"),
    ])
  func tellsValuesInALine(_ name: String, _ line: String) throws {
    let url = try #require(Corpus.file("keyed/corelibs/NSKeyedUnarchiver-\(name).plist"))
    let graph = try readGraph(Data(contentsOf: url))
    #expect(graph.summary(of: graph.root) == line)
  }

  /// URLs and UUIDs as the texts that archtool has for them.
  private func plain(_ object: Any) -> SampleValue {
    switch object {
    case let url as URL: .string(url.absoluteString)
    case let identifier as UUID: .string(identifier.uuidString)
    case let array as NSArray: .array(array.map { plain($0) })
    case let dictionary as NSDictionary:
      .dictionary(dictionary.map { ($0.key as? String ?? "?", plain($0.value)) })
    default: SampleValue(foundation: object)
    }
  }
}
