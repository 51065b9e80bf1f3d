// The path from the top to every stored value, found for all of them in one pass.

import ObjectGraph

/// The container of each stored value, by the shortest path from the top.
///
/// `StoredPath` searches for one value; of a thousand findings each would cost a walk.
struct StoredTree {
  /// The longest path that is shown.
  private static let mostSteps = 128

  private var parents: [UInt32]
  private var positions: [UInt32]
  private let top: UInt32
  /// Whether each container could be walked, so that values that were not reached are unreachable.
  private(set) var isComplete = true

  init(_ input: CheckedInput) {
    top = input.document.top
    parents = [UInt32](repeating: .max, count: input.table.count)
    positions = parents
    var queue = [top]
    var next = 0
    while next < queue.count {
      let index = queue[next]
      next += 1
      guard input.soundness.isWalkable(index) else {
        isComplete = false
        continue
      }
      guard let container = input.container(index) else { continue }
      for position in 0..<container.referenceCount {
        guard let child = input.reference(container, position), !contains(child) else { continue }
        parents[Int(child)] = index
        positions[Int(child)] = UInt32(truncatingIfNeeded: position)
        queue.append(child)
      }
    }
  }

  /// Whether a value can be reached from the top.
  func contains(_ index: UInt32) -> Bool { index == top || parents[Int(index)] != .max }

  /// The containers on the path to a value with the positions in them, outermost first; nil if it is not
  /// reached or too deep.
  func way(to index: UInt32) -> [(container: UInt32, position: Int)]? {
    guard contains(index) else { return nil }
    var way: [(container: UInt32, position: Int)] = []
    var current = index
    while current != top {
      guard way.count < Self.mostSteps else { return nil }
      let parent = parents[Int(current)]
      way.append((parent, Int(positions[Int(current)])))
      current = parent
    }
    return way.reversed()
  }
}
