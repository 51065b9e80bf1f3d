// Containers that hold themselves: legal to spell in a binary property list, impossible to mean.

import Basics
import ObjectGraph

/// Walks the stored containers from the top, one visit each, with a stack of its own.
enum CircularContainers {
  private struct Frame {
    let index: UInt32
    let start: UnsafeRawPointer
    let count: Int
    var next = 0
  }

  /// Throws if a container reachable from `top` holds itself.
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
    var stack: [Frame] = []
    try enter(top, table, &state, &stack, check)
    while let frame = stack.last {
      guard frame.next < frame.count else {
        state[Int(frame.index)] = 2
        stack.removeLast()
        continue
      }
      stack[stack.count - 1].next += 1
      try enter(table.reference(frame.start, frame.next), table, &state, &stack, check)
    }
  }

  private static func enter(
    _ index: UInt32, _ table: ValueTable, _ state: inout [UInt8], _ stack: inout [Frame],
    _ check: (UInt32) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    switch state[Int(index)] {
    case 2: return
    case 1:
      throw .circularContainer(offset: table.offset(of: index))
    default: break
    }
    try check(index)
    let kind = table.marker(of: index) >> 4
    guard
      kind == Marker.array || kind == Marker.set || kind == Marker.orderedSet
        || kind == Marker.dictionary
    else {
      state[Int(index)] = 2
      return
    }
    let (start, count) = table.counted(index)
    state[Int(index)] = 1
    stack.append(
      Frame(index: index, start: start, count: kind == Marker.dictionary ? count * 2 : count))
  }
}

extension ArchiveError {
  /// The error of a stored container that holds itself.
  public static func circularContainer(offset: Int?) -> ArchiveError {
    ArchiveError(
      .cycle, "the container holds itself, which no property list can mean", offset: offset)
  }
}
