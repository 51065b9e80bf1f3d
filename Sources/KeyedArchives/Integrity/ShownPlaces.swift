// The paths at which the values of a typedstream are shown: its stored form is a translation that nobody sees.

import Basics
import ObjectGraph

/// The shortest path to each value of an archive as it is shown, by the value's stored index.
struct ShownPlaces {
  /// The longest path that is shown.
  private static let mostSteps = 128

  private var holders: [Node: (node: Node, step: GraphPath.Step)] = [:]
  private var root: Node?

  /// Walks an archive once; one that cannot be read has no paths.
  init(_ document: Document, limits: Limits) {
    let graph = ObjectGraph(limits: limits)
    let number = graph.add(document)
    do throws(ArchiveError) {
      try KeyedArchive.resolve(document: number, in: graph)
    } catch {
      return
    }
    let root = graph.root(of: number)
    self.root = root
    var queue = [root]
    var next = 0
    while next < queue.count {
      let node = queue[next]
      next += 1
      for (child, step) in Self.children(of: node, in: graph)
      where child != root && holders[child] == nil {
        holders[child] = (node, step)
        queue.append(child)
      }
    }
  }

  /// The steps to a value; nil if it is not shown as it is, or too deep.
  func steps(to index: UInt32) -> [GraphPath.Step]? {
    guard let root else { return nil }
    var steps: [GraphPath.Step] = []
    var node = Node(document: root.document, index: index)
    while node != root {
      guard steps.count < Self.mostSteps, let holder = holders[node] else { return nil }
      steps.append(holder.step)
      node = holder.node
    }
    return steps.reversed()
  }

  private static func children(
    of node: Node, in graph: ObjectGraph
  ) -> [(node: Node, step: GraphPath.Step)] {
    switch graph.value(of: node) {
    case .array(let elements), .set(let elements), .orderedSet(let elements):
      return (0..<elements.count).map { (graph.node(elements, $0), .index($0)) }
    case .dictionary(let pairs), .object(_, let pairs):
      return (0..<pairs.count).map { position in
        let name = graph.memberName(pairs, position)?.string
        let key = name ?? graph.label(of: graph.key(pairs, position))
        return (graph.value(pairs, position), .key(key))
      }
    default: return []
    }
  }
}
