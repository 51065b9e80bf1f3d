// Evaluates a query in a graph: one walk, in the order of RFC 9535, that can be stopped after any result.

import ArchiveBasics
import ArchiveGraph

/// The results of a query in one graph.
///
/// `..` visits an object once for each path to it. It does not enter an object again within itself, so that a query
/// ends even if objects refer to one another in cycles.
package struct QueryRun: ~Copyable {
  /// A value on the current path.
  private struct Level {
    /// The container that the segment's selectors apply to; nil for a result.
    let container: QueryContainer?
    /// The number of the segment.
    let segment: Int
    /// The position of the value in the container of the previous level.
    let position: Int
    /// The current selector; after the last, `..` continues with all children.
    var selector = 0
    /// How many positions of the selector were tried.
    var tried = 0
  }

  private let segments: [QuerySegment]
  private let graph: ObjectGraph
  private let evaluator: QueryEvaluator
  private var levels: [Level] = []
  /// For each segment, the containers that a `..` is currently in.
  private var open: [NodeSet]
  /// The start value, until it was returned.
  private var pending: Node?

  /// Whether an object appeared within itself, and was not entered again.
  package private(set) var hasCycles = false

  /// Starts at a value.
  ///
  /// - Parameter start: the value of `$`; nil for the root of the input.
  package init(_ query: JSONPath, in graph: ObjectGraph, from start: Node? = nil) {
    let start = start ?? graph.root
    self.init(query.segments, from: start, QueryEvaluator(graph, root: start))
  }

  init(_ segments: [QuerySegment], from start: Node, _ evaluator: QueryEvaluator) {
    self.segments = segments
    self.evaluator = evaluator
    graph = evaluator.graph
    open = segments.map { _ in NodeSet(in: evaluator.graph) }
    if segments.isEmpty {
      pending = start
    } else {
      enter(start, segment: 0, at: 0)
    }
  }

  /// The next value; nil at the end.
  ///
  /// - Throws: `ArchiveError` with code `limit` if more values were visited than the graph's limits allow, or if a
  ///   pattern takes too long.
  package mutating func next() throws(ArchiveError) -> Node? {
    if let node = pending {
      pending = nil
      return node
    }
    while let last = levels.indices.last {
      guard let container = levels[last].container else {
        // A result that was already returned.
        levels.removeLast()
        continue
      }
      guard let position = try advance(last, container) else {
        leave(container)
        continue
      }
      try evaluator.visit()
      let child = container.child(position, in: graph)
      let segment = levels[last].segment
      if levels[last].selector > segments[segment].selectors.count {
        enter(child, segment: segment, at: position)
      } else if segment + 1 < segments.count {
        enter(child, segment: segment + 1, at: position)
      } else {
        levels.append(Level(container: nil, segment: segment, position: position))
        return child
      }
    }
    return nil
  }

  /// The path to the last value.
  ///
  /// An archive in a data value is entered without a step of its own.
  package var path: GraphPath {
    GraphPath(
      levels.indices.dropFirst().compactMap { index in
        levels[index - 1].container?.step(levels[index].position, in: graph)
      })
  }

  /// The container of the last value and its position there; nil for the start value.
  var location: (container: Node, position: Int)? {
    guard levels.count > 1, let holder = levels[levels.count - 2].container else { return nil }
    return (holder.node, levels[levels.count - 1].position)
  }

  // MARK: The walk

  private mutating func enter(_ node: Node, segment: Int, at position: Int) {
    guard let container = QueryContainer(node, in: graph) else { return }
    if segments[segment].isDescendant, !open[segment].insert(container.node) {
      hasCycles = true
      return
    }
    levels.append(Level(container: container, segment: segment, position: position))
  }

  private mutating func leave(_ container: QueryContainer) {
    guard let level = levels.popLast(), segments[level.segment].isDescendant else { return }
    open[level.segment].remove(container.node)
  }

  /// The position of the next child of a level: those chosen by its selectors, then, for `..`, each child in turn.
  private mutating func advance(
    _ last: Int, _ container: QueryContainer
  ) throws(ArchiveError) -> Int? {
    let segment = segments[levels[last].segment]
    while levels[last].selector < segment.selectors.count {
      let selector = segment.selectors[levels[last].selector]
      var tried = levels[last].tried
      let position = try choose(selector, &tried, container)
      levels[last].tried = tried
      if let position { return position }
      levels[last].selector += 1
      levels[last].tried = 0
    }
    guard segment.isDescendant, levels[last].tried < container.count else { return nil }
    levels[last].selector = segment.selectors.count + 1
    levels[last].tried += 1
    return levels[last].tried - 1
  }

  /// The next position that a selector chooses.
  ///
  /// - Parameter tried: how many positions were tried, as the selector counts them.
  private func choose(
    _ selector: QuerySelector, _ tried: inout Int, _ container: QueryContainer
  ) throws(ArchiveError) -> Int? {
    defer { tried += 1 }
    switch selector {
    case .name(let name):
      return tried == 0 ? container.position(of: name, in: graph) : nil
    case .index(let index):
      return tried == 0 ? container.position(of: index) : nil
    case .wildcard: return tried < container.count ? tried : nil
    case .slice(let slice):
      return container.isList ? slice.position(tried, count: container.count) : nil
    case .filter(let condition):
      while tried < container.count {
        try evaluator.visit()
        if try evaluator.holds(condition, for: container.child(tried, in: graph)) { return tried }
        tried += 1
      }
      return nil
    }
  }
}
