// Containers that contain themselves: possible in a binary property list, but meaningless.

import Basics
import ObjectGraph

/// Walks the stored containers from the top, one visit each.
enum CircularContainers {
  /// Throws if a container reachable from `top` contains itself.
  static func refuse(in table: ValueTable, top: UInt32) throws(ArchiveError) {
    try walk(table, top) { _ throws(ArchiveError) in }
  }

  /// Throws the fault of the first value reachable from `top` that has one.
  static func refuseFaults(in table: ValueTable, top: UInt32) throws(ArchiveError) {
    try walk(table, top) { index throws(ArchiveError) in
      if let fault = table.fault(at: index) { throw fault }
    }
  }

  private static func walk(
    _ table: ValueTable, _ top: UInt32, check: (UInt32) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    var state = [UInt8](repeating: 0, count: table.count)  // 1: on the way down, 2: done
    var walk = GraphWalk<TableContainer>(in: table)
    try enter(top, &state, &walk, check)
    while let event = walk.next() {
      switch event {
      case .leave(let container): state[Int(container.index)] = 2
      case .child(let child, _, _): try enter(child, &state, &walk, check)
      }
    }
  }

  private static func enter(
    _ index: UInt32, _ state: inout [UInt8], _ walk: inout GraphWalk<TableContainer>,
    _ check: (UInt32) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    switch state[Int(index)] {
    case 2: return
    case 1: throw .circularContainer(offset: walk.context.offset(of: index))
    default: break
    }
    try check(index)
    guard let container = TableContainer(index, in: walk.context) else {
      state[Int(index)] = 2
      return
    }
    state[Int(index)] = 1
    walk.enter(container)
  }
}

extension ArchiveError {
  /// The error of a stored container that contains itself.
  public static func circularContainer(offset: Int?) -> ArchiveError {
    ArchiveError(
      .cycle, "the container contains itself, which no property list can express", offset: offset)
  }
}
