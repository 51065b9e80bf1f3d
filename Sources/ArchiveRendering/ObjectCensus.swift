// How many objects of each class an input stores.

import ArchiveGraph
import ArchivePropertyLists

/// Counts the stored objects of a graph's input, and those of the keyed archives in data values that were opened.
struct ObjectCensus {
  /// Names with counts, the most frequent first.
  let counts: [(name: String, count: Int)]
  /// The kinds of data among them, the most frequent first.
  let dataKinds: [(name: String, count: Int)]

  init(_ graph: ObjectGraph) {
    var byClass = [Int](repeating: 0, count: graph.classes.count)
    var byType: [String: Int] = [:]
    var byKind: [String: Int] = [:]
    Self.forEachObject(of: graph) { node in
      if graph.isContainerOrData(node), case .data(let bytes) = graph.value(of: node),
        graph.content(of: node) == nil, graph.contentError(of: node) == nil,
        let data = RecognizedData(bytes)
      {
        byKind[data.kind, default: 0] += 1
      }
      if graph.isContainerOrData(node), let index = graph.classIndex(of: node) {
        while byClass.count <= index { byClass.append(0) }
        byClass[index] += 1
      } else {
        byType[Self.typeName(node, graph), default: 0] += 1
      }
    }
    for (index, count) in byClass.enumerated() where count > 0 {
      byType[graph.classes[index].displayName, default: 0] += count
    }
    counts = Self.ordered(byType)
    dataKinds = Self.ordered(byKind)
  }

  private static func ordered(_ counts: [String: Int]) -> [(name: String, count: Int)] {
    counts.map { (name: $0.key, count: $0.value) }.sorted {
      $0.count != $1.count ? $0.count > $1.count : $0.name < $1.name
    }
  }

  /// The objects of `$objects` in a keyed archive, elsewhere all values that the root reaches.
  ///
  /// What nothing reaches may be broken, and cannot be looked at.
  private static func forEachObject(of graph: ObjectGraph, _ count: (Node) -> Void) {
    defer {
      for number in graph.documents.indices.dropFirst() where graph.documents[number].archive != nil
      {
        graph.objects(of: UInt32(truncatingIfNeeded: number)).forEach(count)
      }
    }
    if graph.documents[0].archive != nil { return graph.objects(of: 0).forEach(count) }
    var known = NodeSet(in: graph)
    var walk = GraphWalk<GraphContainer>(in: graph)
    func look(at node: Node, _ walk: inout GraphWalk<GraphContainer>) {
      guard known.insert(node) else { return }
      count(node)
      if let container = GraphContainer(graph.storedValue(of: node), keys: true) {
        walk.enter(container)
      }
    }
    look(at: graph.root, &walk)
    while let event = walk.next() {
      if case .child(let node, _, _) = event { look(at: node, &walk) }
    }
  }

  private static func typeName(_ node: Node, _ graph: ObjectGraph) -> String {
    let value = graph.storedValue(of: node)
    if case .dictionary = value, isClassRecord(node, graph) { return "class record" }
    return value.typeName
  }

  private static func isClassRecord(_ node: Node, _ graph: ObjectGraph) -> Bool {
    let pairs = graph.storedPairs(of: node)
    return pairs.count <= 8
      && (0..<pairs.count).contains {
        graph.text(of: graph.key(pairs, $0))?.equals("$classname") == true
      }
  }
}
