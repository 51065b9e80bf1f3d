// The containers of a graph that is compared, with their shortest paths.

import ArchiveBasics
import ArchiveGraph

/// The containers of a graph that is compared, each once, in the order of their shortest paths.
final class ComparedGraph {
  struct Entry {
    let value: ComparedValue
    /// The entry of the container on the shortest path, and the position in it; nil at the root.
    let origin: (holder: Int, position: Int)?
    /// How many references lead to the container.
    var references = 1
  }

  let digests: ValueDigests
  private(set) var entries: [Entry] = []
  private var numbers: [Node: Int] = [:]
  private var shown: Set<Node> = []
  private var graph: ObjectGraph { digests.graph }

  init(_ digests: ValueDigests) {
    self.digests = digests
    add(graph.root, nil)
    var next = 0
    while next < entries.count {
      let value = entries[next].value
      for position in 0..<(value.container?.childCount ?? 0) {
        guard let child = value.container?.child(position, in: graph),
          graph.isContainerOrData(child), !digests.isLeftOut(value, position)
        else { continue }
        add(child, (next, position))
      }
      next += 1
    }
  }

  private func add(_ node: Node, _ origin: (holder: Int, position: Int)?) {
    let value = opened(node)
    guard value.isContainer else { return }
    if let known = numbers[value.node] {
      entries[known].references += 1
      return
    }
    numbers[value.node] = entries.count
    entries.append(Entry(value: value, origin: origin))
  }

  /// The value of a node, or of the archive in it.
  func opened(_ node: Node) -> ComparedValue {
    ComparedValue(node, in: graph, rules: digests.rules)
  }

  /// How many references lead to an object besides the one on its shortest path.
  func otherReferences(to node: Node) -> Int {
    let value = opened(node)
    guard isSharedObject(value), let number = numbers[value.node] else { return 0 }
    return entries[number].references - 1
  }

  /// The shortest path of a container.
  func shortestPath(of node: Node) -> GraphPath {
    guard var number = numbers[opened(node).node] else { return GraphPath() }
    var steps: [GraphPath.Step] = []
    while let (holder, position) = entries[number].origin {
      if let container = entries[holder].value.container {
        steps.append(container.step(position, in: graph))
      }
      number = holder
    }
    return GraphPath(steps.reversed())
  }

  /// Whether several references lead to an object.
  func isSharedObject(_ value: ComparedValue) -> Bool {
    digests.isShared(value.node) && digests.hasIdentity(value)
  }

  /// Whether an object is shown here, with all its members: once, in the container on its shortest path.
  ///
  /// - Parameter holder: the container; nil if the object is in none that is shown.
  func isShownWhole(_ value: ComparedValue, in holder: Node?) -> Bool {
    guard isSharedObject(value) else { return true }
    if let holder, let number = numbers[value.node], let origin = entries[number].origin,
      entries[origin.holder].value.node != holder
    {
      return false
    }
    return shown.insert(value.node).inserted
  }

  /// The objects to which several references lead and that are not shown yet.
  func hiddenObjects() -> [Node] {
    entries.map(\.value).filter { isSharedObject($0) && !shown.contains($0.node) }.map(\.node)
  }
}
