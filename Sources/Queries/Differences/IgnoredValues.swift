// The members and elements that a comparison leaves out.

import Basics
import ObjectGraph

/// Members and elements by their container and position.
struct IgnoredValues {
  private struct Place: Hashable {
    let container: Node
    let position: Int
  }

  private var places: Set<Place> = []
  /// Whether the whole input is ignored.
  private(set) var isRootIgnored = false

  /// No values.
  init() {}

  /// The results of queries in a graph.
  ///
  /// - Throws: `ArchiveError` with code `limit` if a query visits too many values.
  init(_ queries: [JSONPath], in graph: ObjectGraph) throws(ArchiveError) {
    for query in queries {
      var run = QueryRun(query, in: graph)
      while try run.next() != nil {
        if let (container, position) = run.location {
          places.insert(Place(container: container, position: position))
        } else {
          isRootIgnored = true
        }
      }
    }
  }

  /// Whether the child at a position is ignored.
  func contains(_ container: Node, _ position: Int) -> Bool {
    !places.isEmpty && places.contains(Place(container: container, position: position))
  }
}
