// Whether two containers are equal: the same elements in order, the same members in any order (RFC 9535, 2.3.5.2.2).

import Basics
import ObjectGraph

/// Compares containers of one graph.
struct QueryEquality {
  private struct Pair: Hashable {
    let left: Node
    let right: Node
  }

  private let evaluator: QueryEvaluator
  /// Pairs that were or will be compared: objects may refer to one another in cycles.
  private var known: Set<Pair> = []
  private var waiting: [Pair] = []

  init(_ evaluator: QueryEvaluator) { self.evaluator = evaluator }

  /// Whether two containers are equal.
  mutating func areEqual(_ left: Node, _ right: Node) throws(ArchiveError) -> Bool {
    compareLater(left, right)
    while let pair = waiting.popLast() {
      try evaluator.visit()
      guard try haveEqualChildren(pair) else { return false }
    }
    return true
  }

  private mutating func compareLater(_ left: Node, _ right: Node) {
    let pair = Pair(left: left, right: right)
    if left != right, known.insert(pair).inserted { waiting.append(pair) }
  }

  private mutating func haveEqualChildren(_ pair: Pair) throws(ArchiveError) -> Bool {
    let graph = evaluator.graph
    guard let left = QueryContainer(pair.left, in: graph),
      let right = QueryContainer(pair.right, in: graph), left.count == right.count,
      left.isList == right.isList
    else { return false }
    let names = left.isList ? nil : right.positions(in: graph)
    for position in 0..<left.count {
      var other: Int? = position
      if let names {
        guard case .key(let name) = left.step(position, in: graph) else { return false }
        other = names[CodePointString(name)]
      }
      guard let other else { return false }
      try evaluator.visit()
      let (one, two) = (left.child(position, in: graph), right.child(other, in: graph))
      switch (QueryValue(one, in: graph), QueryValue(two, in: graph)) {
      case (.container(let one), .container(let two)): compareLater(one, two)
      case (let one, let two): if !one.equals(two) { return false }
      }
    }
    return true
  }
}
