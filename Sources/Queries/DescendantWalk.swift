// All values below one, in the order in which `..*` gives them.

import Basics
import ObjectGraph

/// The children of a container, then in turn what is below each of them (RFC 9535, 2.5.2.2).
///
/// Like a query it visits an object once for each path to it, does not enter one again within itself, and counts a
/// value when it comes and when it may be entered.
struct DescendantWalk: ~Copyable {
  /// A container on the current path.
  struct Level {
    let container: QueryContainer
    /// The position of the current child.
    var position = -1
    /// Whether the children have come and are now entered.
    var isEntering = false
    /// The positions of the first and the last of them that may lead to further values.
    var firstLeading = Int.max
    var lastLeading = -1
  }

  private let graph: ObjectGraph
  private var levels = RawStack<Level>()
  /// The containers on the current path.
  private var open: NodeSet
  private var visited = 0
  private var limit = 0

  /// Begins before the first value below a node.
  init(from start: Node, in graph: ObjectGraph) {
    self.graph = graph
    open = NodeSet(in: graph)
    enter(start)
  }

  /// The next value; nil at the end.
  ///
  /// - Throws: `ArchiveError` with code `limit` if more values were visited than the graph's limits allow.
  mutating func next() throws(ArchiveError) -> Node? {
    while let level = levels.last {
      level.pointee.position &+= 1
      let position = level.pointee.position
      if level.pointee.isEntering {
        if position > level.pointee.lastLeading {
          leave(level)
          continue
        }
        let child = level.pointee.container.child(position, in: graph)
        if graph.mayHold(child) { enter(child) }
      } else if position < level.pointee.container.count {
        try visit(1)
        let child = level.pointee.container.child(position, in: graph)
        if graph.mayHold(child) {
          level.pointee.firstLeading = min(level.pointee.firstLeading, position)
          level.pointee.lastLeading = position
        }
        return child
      } else {
        try visit(position)
        level.pointee.isEntering = true
        level.pointee.position = level.pointee.firstLeading &- 1
        if level.pointee.lastLeading < 0 { leave(level) }
      }
    }
    return nil
  }

  private mutating func leave(_ level: UnsafeMutablePointer<Level>) {
    open.remove(level.pointee.container.node)
    levels.drop()
  }

  /// The path to the value that came last; that of the start before the first.
  ///
  /// An archive in a data value is entered without a step of its own.
  var path: GraphPath {
    GraphPath(
      (0..<levels.count).compactMap { index in
        let level = levels[index].pointee
        return level.position < 0 ? nil : level.container.step(level.position, in: graph)
      })
  }

  /// The key under which the value that came last is; nil for an element.
  var key: String? {
    guard let level = levels.last?.pointee, level.position >= 0,
      case .key(let key) = level.container.step(level.position, in: graph)
    else { return nil }
    return key
  }

  private mutating func enter(_ node: Node) {
    guard let container = QueryContainer(node, in: graph), open.insert(container.node) else {
      return
    }
    levels.push(Level(container: container))
  }

  private mutating func visit(_ count: Int) throws(ArchiveError) {
    visited &+= count
    guard visited > limit else { return }
    // Archives in data values that were opened since raise the limit.
    limit = graph.expansionLimit
    guard visited <= limit else {
      throw ArchiveError(.limit, "the query looks at over \(limit) values")
    }
  }
}
