// Which containers were followed in which places: four bytes a stored value, more only where values are shared.

import ObjectGraph

/// Pairs of a container and the place that it was met in.
struct VisitedPlaces {
  private struct Visit: Hashable {
    let node: Node
    let place: Int
  }

  private static let none = UInt32.max

  private let graph: ObjectGraph
  /// The first place of each stored value, by document.
  private var first: [[UInt32]] = []
  private var further: Set<Visit> = []

  init(in graph: ObjectGraph) { self.graph = graph }

  /// Notes a visit.
  ///
  /// - Returns: whether it is the first of the container in the place.
  mutating func insert(_ node: Node, _ place: Int) -> Bool {
    let document = Int(node.document)
    while first.count <= document { first.append([]) }
    if first[document].isEmpty {
      first[document] = Array(
        repeating: Self.none, count: graph.documents[document].table.count)
    }
    let index = Int(node.index)
    // Tables of derived values grow.
    guard index < first[document].count else {
      return further.insert(Visit(node: node, place: place)).inserted
    }
    if first[document][index] == Self.none {
      first[document][index] = UInt32(truncatingIfNeeded: place)
      return true
    }
    if first[document][index] == UInt32(truncatingIfNeeded: place) { return false }
    return further.insert(Visit(node: node, place: place)).inserted
  }
}
