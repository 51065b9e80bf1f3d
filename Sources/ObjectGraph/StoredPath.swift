// The path of a stored value, for error messages: from the top through stored containers.

import Basics

/// Searches a table for the location of one of its values.
public enum StoredPath {
  /// The path of a stored value from the top; nil if it is not reachable.
  ///
  /// For tables without faults.
  public static func find(_ target: UInt32, from top: UInt32, in table: ValueTable) -> GraphPath? {
    if top == target { return GraphPath() }
    var visited = [Bool](repeating: false, count: table.count)
    var walk = GraphWalk<TableContainer>(in: table)
    enter(top, &visited, &walk)
    while let event = walk.next() {
      guard case .child(let child, _, _) = event else { continue }
      if child == target { return walk.path }
      enter(child, &visited, &walk)
    }
    return nil
  }

  private static func enter(
    _ index: UInt32, _ visited: inout [Bool], _ walk: inout GraphWalk<TableContainer>
  ) {
    guard !visited[Int(index)], walk.context.fault(at: index) == nil else { return }
    visited[Int(index)] = true
    if let container = TableContainer(index, in: walk.context) { walk.enter(container) }
  }
}
