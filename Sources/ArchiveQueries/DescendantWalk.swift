// All values below one, in the order in which `..*` gives them.

import ArchiveBasics
import ArchiveGraph

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

  /// The next value that is wanted; nil at the end.
  ///
  /// - Throws: `ArchiveError` with code `limit` if more values were visited than the graph's limits allow; what
  ///   `isWanted` throws.
  @inline(__always)
  mutating func next(
    where isWanted: (Node) throws(ArchiveError) -> Bool
  ) throws(ArchiveError) -> Node? {
    while let level = levels.last {
      if level.pointee.isEntering {
        enterNext(level)
      } else if let found = try nextChild(level, isWanted) {
        return found
      } else {
        try visit(level.pointee.container.count)
        level.pointee.isEntering = true
        level.pointee.position = level.pointee.firstLeading &- 1
      }
    }
    return nil
  }

  /// The next wanted child of a container; nil after the last.
  @inline(__always)
  private mutating func nextChild(
    _ level: UnsafeMutablePointer<Level>, _ isWanted: (Node) throws(ArchiveError) -> Bool
  ) throws(ArchiveError) -> Node? {
    let container = level.pointee.container
    let count = container.count
    var position = level.pointee.position
    while true {
      position &+= 1
      level.pointee.position = position
      guard position < count else { return nil }
      try visit(1)
      let child = container.child(position, in: graph)
      if graph.isContainerOrData(child) {
        if level.pointee.lastLeading < 0 { level.pointee.firstLeading = position }
        level.pointee.lastLeading = position
      }
      if try isWanted(child) { return child }
    }
  }

  /// Enters the next child that has children, or leaves the container.
  private mutating func enterNext(_ level: UnsafeMutablePointer<Level>) {
    let container = level.pointee.container
    while level.pointee.position < level.pointee.lastLeading {
      level.pointee.position &+= 1
      let child = container.child(level.pointee.position, in: graph)
      if graph.isContainerOrData(child), enter(child) { return }
    }
    leave(level)
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

  /// Enters a value with children.
  ///
  /// - Returns: false for one that has none or is entered already.
  @discardableResult
  private mutating func enter(_ node: Node) -> Bool {
    guard let container = QueryContainer(node, in: graph), open.insert(container.node) else {
      return false
    }
    levels.push(Level(container: container))
    return true
  }

  @inline(__always)
  private mutating func visit(_ count: Int) throws(ArchiveError) {
    visited &+= count
    if visited > limit { try raiseLimit() }
  }

  @inline(never)
  private mutating func raiseLimit() throws(ArchiveError) {
    // Archives in data values that were opened since raise the limit.
    limit = graph.expansionLimit
    guard visited <= limit else {
      throw ArchiveError(.limit, "the query looks at over \(limit) values")
    }
  }
}
