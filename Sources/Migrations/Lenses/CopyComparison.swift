// Checks whether a copy still equals its original.

import ObjectGraph

/// Compares two values of one graph: numbers by value; a boolean is not a number.
///
/// Values that are too deep or too large to compare count as different, so that they are not lost silently.
struct CopyComparison {
  private static let depthLimit = 200

  let graph: ObjectGraph
  private var visited = 0

  init(graph: ObjectGraph) { self.graph = graph }

  /// Whether two values are equal.
  mutating func areSame(_ left: LensValue, _ right: LensValue, depth: Int = 0) -> Bool {
    if case .node(let one) = left.content, case .node(let other) = right.content, one == other {
      return true
    }
    visited += 1
    guard depth < Self.depthLimit, visited < graph.expansionLimit else { return false }
    if let one = left.scalar(in: graph) {
      return right.scalar(in: graph)?.isSameScalar(as: one) == true
    }
    if let items = left.openList(in: graph) {
      guard let others = right.openList(in: graph), items.count == others.count else {
        return false
      }
      for (one, other) in zip(items, others) where !areSame(one, other, depth: depth + 1) {
        return false
      }
      return true
    }
    guard let members = left.open(in: graph), let others = right.open(in: graph),
      members.count == others.count
    else { return false }
    var found: [[UInt8]: LensValue] = [:]
    for other in others { found[Array(other.name.utf8)] = other.value }
    for member in members {
      guard let other = found[Array(member.name.utf8)],
        areSame(member.value, other, depth: depth + 1)
      else { return false }
    }
    return true
  }
}
