// Evaluates a query in a graph: one walk, in the order of RFC 9535, that can be stopped after any result.

import ArchiveBasics
import ArchiveGraph

/// The results of a query in one graph.
package struct QueryRun: ~Copyable {
  /// How often a `..` visits an object; in a tree all are the same.
  package enum Visits: Sendable {
    /// Once, by the shortest path from where the `..` begins.
    case shortestPaths
    /// Once, by any path: for results of which only the number counts, or whether there are any.
    case once
    /// Once for each path to it, but not again within itself.
    case allPaths
  }

  /// The containers that a `..` visits, by their shortest paths.
  private final class Descendants {
    private var walk: StoredWalk

    init(of start: Node, in graph: ObjectGraph, except closed: NodeSet) {
      walk = StoredWalk(from: start, in: graph, except: closed)
    }

    /// Visits them all, and leaves the set of values that are not visited as it was.
    func find(_ evaluator: QueryEvaluator) throws(ArchiveError) {
      while try walk.next() != nil { try evaluator.visit() }
      walk.forget()
    }

    var hasSharing: Bool { walk.hasSharing }
    func node(_ entry: Int) -> Node { walk.node(entry) }
    func position(_ entry: Int) -> Int { walk.position(entry) }
    func children(of entry: Int) -> Range<Int> { walk.children(of: entry) }
  }

  /// A value on the current path.
  private struct Level {
    /// The container that the segment's selectors apply to; nil for a result.
    let container: QueryContainer?
    let segment: Int
    /// The position of the value in the container of the previous level.
    let position: Int
    /// The current selector; after the last, `..` continues with all children.
    var selector = 0
    /// How many positions of the selector were tried.
    var tried = 0
    /// The number of the container in the walk of the segment, if it has one.
    var entry = 0
  }

  private let segments: [QuerySegment]
  private let graph: ObjectGraph
  private let evaluator: QueryEvaluator
  private var levels: [Level] = []
  /// For each segment, the containers that a `..` does not enter: those that it is in, or has visited.
  private var closed: [NodeSet]
  /// For each segment, what its `..` has visited since it began.
  private var visited: [[Node]]
  /// For each segment, the walk of its `..` along shortest paths; nil without one.
  private var walks: [Descendants?]
  private var visits: Visits
  /// The start value, until the run begins.
  private var start: Node?

  /// Whether an object appeared within itself, and was not entered again.
  package private(set) var hasCycles = false

  /// Starts at a value.
  ///
  /// - Parameters:
  ///   - start: the value of `$`; nil for the root of the input.
  ///   - visits: how often `..` visits an object, in filters, too.
  package init(
    _ query: JSONPath, in graph: ObjectGraph, from start: Node? = nil,
    visits: Visits = .shortestPaths
  ) {
    let start = start ?? graph.root
    let evaluator = QueryEvaluator(
      graph, root: start, visits: visits == .allPaths || graph.isShallowTree ? .allPaths : .once)
    self.init(
      query.segments, from: start, evaluator, visits: graph.isShallowTree ? .allPaths : visits)
  }

  init(_ segments: [QuerySegment], from start: Node, _ evaluator: QueryEvaluator, visits: Visits) {
    self.segments = segments
    self.evaluator = evaluator
    self.visits = visits
    self.start = start
    graph = evaluator.graph
    closed = segments.map { _ in NodeSet(in: evaluator.graph) }
    visited = segments.map { _ in [] }
    walks = segments.map { _ in nil }
  }

  /// The next value; nil at the end.
  ///
  /// - Throws: `ArchiveError` with code `limit` if more values were visited than the graph's limits allow, or if a
  ///   pattern takes too long.
  package mutating func next() throws(ArchiveError) -> Node? {
    if let node = start {
      start = nil
      if segments.isEmpty { return node }
      try enter(node, segment: 0, at: 0)
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
        try enter(child, segment: segment, at: position, below: levels[last])
      } else if segment + 1 < segments.count {
        try enter(child, segment: segment + 1, at: position)
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

  /// Enters a value with children.
  ///
  /// - Parameter holder: where the `..` of the segment came from; nil if it begins here.
  private mutating func enter(
    _ node: Node, segment: Int, at position: Int, below holder: Level? = nil
  ) throws(ArchiveError) {
    guard graph.isContainerOrData(node), let container = QueryContainer(node, in: graph) else {
      return
    }
    var level = Level(container: container, segment: segment, position: position)
    if segments[segment].isDescendant {
      if visits == .shortestPaths, holder == nil { try begin(segment, at: node) }
      if let walk = walks[segment] {
        if let holder {
          level.entry = walk.children(of: holder.entry).lowerBound + holder.tried - 1
        }
        while walk.node(level.entry) != container.node {
          guard let root = walk.children(of: level.entry).first else { return }
          level.entry = root
        }
      } else if !closed[segment].insert(container.node) {
        hasCycles = hasCycles || visits == .allPaths
        return
      } else if visits == .once {
        visited[segment].append(container.node)
      }
    }
    levels.append(level)
  }

  /// Finds the shortest paths from where a `..` begins; in a tree there are no others, and later ones need no walk.
  private mutating func begin(_ segment: Int, at node: Node) throws(ArchiveError) {
    let walk = Descendants(of: node, in: graph, except: closed[segment])
    try walk.find(evaluator)
    walks[segment] = walk
    guard levels.isEmpty, !walk.hasSharing else { return }
    visits = .allPaths
    evaluator.visits = .allPaths
  }

  private mutating func leave(_ container: QueryContainer) {
    guard let level = levels.popLast(), segments[level.segment].isDescendant else { return }
    if walks[level.segment] == nil, visits == .allPaths {
      return closed[level.segment].remove(container.node)
    }
    guard levels.last?.segment != level.segment else { return }
    for node in visited[level.segment] { closed[level.segment].remove(node) }
    visited[level.segment] = []
    walks[level.segment] = nil
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
    guard segment.isDescendant else { return nil }
    let tried = levels[last].tried
    var position = tried
    if let walk = walks[levels[last].segment] {
      let children = walk.children(of: levels[last].entry)
      guard tried < children.count else { return nil }
      position = walk.position(children.lowerBound + tried)
    } else if tried >= container.count {
      return nil
    }
    levels[last].selector = segment.selectors.count + 1
    levels[last].tried = tried + 1
    return position
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
      return tried == 0 ? container.position(of: .key(name), in: graph) : nil
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
