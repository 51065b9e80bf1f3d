// Who refers to a stored value: each reference from what the top of a document reaches, UIDs followed.

import ArchiveBasics
import ArchiveGraph
import ArchiveWriting
import KeyedArchives

/// The references of a document.
struct StoredReferences {
  private let table: ValueTable
  private let top: UInt32
  private let list: UInt32?
  private let objects: [UInt32]
  /// How many references reachable containers have to each value.
  private var counts: [UInt32]

  init(of side: StoredComparison.Side) {
    table = side.document.table
    top = side.document.top
    list = side.list
    objects = side.objects ?? []
    counts = []
    var counts = [UInt32](repeating: 0, count: table.count)
    walk(avoiding: nil) { child, _ in counts[Int(child)] &+= 1 }
    self.counts = counts
  }

  /// How many references lead to a value.
  func count(of index: UInt32) -> Int { Int(counts[Int(index)]) }

  /// Whether a reference leads to a value on a path that does not pass through it, beside one.
  ///
  /// References back, from what the value itself contains, do not count.
  func hasOther(to index: UInt32, than slot: StoredMembers.Slot?) -> Bool {
    guard count(of: index) > (slot == nil ? 0 : 1) else { return false }
    var isFound = false
    walk(avoiding: index) { child, holder in
      if child == index, holder != slot { isFound = true }
    }
    return isFound
  }

  /// Visits each reachable container once.
  private func walk(avoiding: UInt32?, _ visit: (UInt32, StoredMembers.Slot) -> Void) {
    var known = [Bool](repeating: false, count: table.count)
    var pending = [top]
    known[Int(top)] = true
    while let index = pending.popLast() {
      guard index != avoiding, index != list, let container = TableContainer(index, in: table)
      else { continue }
      for position in 0..<container.childCount {
        var child = container.child(position, in: table)
        if table.marker(of: child) >> 4 == Marker.uid, list != nil {
          let number = table.uid(at: child)
          guard number < UInt64(objects.count) else { continue }
          child = objects[Int(number)]
        }
        visit(child, StoredMembers.Slot(holder: index, position: position))
        if !known[Int(child)] {
          known[Int(child)] = true
          pending.append(child)
        }
      }
    }
  }
}

/// Paths to a value beside one, for messages.
enum OtherPaths {
  private static let most = 3

  /// Up to three paths from a root to a value, but for one; each container is entered once.
  static func find(
    to node: Node, besides path: GraphPath, from root: Node, at start: GraphPath,
    in graph: ObjectGraph
  ) -> [String] {
    var found: [String] = []
    var known = NodeSet(in: graph)
    var walk = GraphWalk<GraphContainer>(in: graph, limit: graph.limits.depth)
    guard let first = GraphContainer(graph.value(of: root)) else { return [] }
    known.insert(root)
    if root != node { walk.enter(first) }
    while let event = walk.next() {
      guard case .child(let child, _, _) = event else { continue }
      if child == node {
        let other = GraphPath(start.steps + walk.path.steps)
        if other != path { found.append(other.description) }
        if found.count == most { return found }
        continue
      }
      guard graph.isContainerOrData(child), known.insert(child), !walk.isAtLimit,
        let container = GraphContainer(graph.value(of: child))
      else { continue }
      walk.enter(container)
    }
    return found
  }
}
