// Objects whose value is kept when an archive is opened have the value that their interpreter gives.

import ArchiveBasics
import ArchiveGraph
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct ResolvedTableTests {
  /// A value with the nodes that it holds.
  private func text(_ node: Node, in graph: ObjectGraph) -> String {
    func list(_ elements: Elements) -> String {
      (0..<elements.count).map { "\(graph.node(elements, $0))" }.joined(separator: " ")
    }
    let value = graph.value(of: node)
    switch value {
    case .array(let elements), .set(let elements), .orderedSet(let elements):
      return "\(value.typeName) \(list(elements))"
    case .dictionary(let pairs):
      return "dictionary \(list(pairs.keys)) \(list(pairs.values)) \(pairs.owner)"
    case .object(let index, let pairs):
      return
        "\(graph.classes[index].name) \(list(pairs.keys)) \(list(pairs.values)) \(pairs.owner)"
    default: return value.typeName
    }
  }

  /// Recovery interprets each object again, since it may be faulty.
  @Test(arguments: TestArchives.all.filter(\.decodable))
  func valuesAreThoseOfTheInterpreter(_ entry: ManifestEntry) throws {
    let data = try Data(contentsOf: entry.url)
    let kept = try readGraph(data)
    let interpreted = try ArchiveReader(recovering: true).read(ByteStorage(copying: Array(data)))
    for document in kept.documents.indices where document < interpreted.documents.count {
      for index in 0..<UInt32(kept.documents[document].table.count) {
        let node = Node(document: UInt32(document), index: index)
        #expect(text(node, in: kept) == text(node, in: interpreted))
        #expect(
          kept.classIndex(of: node).map { kept.classes[$0].name }
            == interpreted.classIndex(of: node).map { interpreted.classes[$0].name })
      }
    }
  }
}
