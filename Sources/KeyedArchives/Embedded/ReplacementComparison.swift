// Whether two files store the same values, but for some that were replaced.

import ObjectGraph

/// Compares stored values from the top, each pair once.
enum ReplacementComparison {
  private struct Pair: Hashable {
    let left: UInt32
    let right: UInt32
  }

  /// - Parameter isReplaced: whether a value may differ from the one beside it.
  static func areEqual(
    _ left: Document, _ right: Document, isReplaced: (UInt32, UInt32) -> Bool
  ) -> Bool {
    var known: Set<Pair> = []
    var waiting = [Pair(left: left.top, right: right.top)]
    while let pair = waiting.popLast() {
      guard known.insert(pair).inserted else { continue }
      let (a, b) = (pair.left, pair.right)
      let kind = left.table.marker(of: a) >> 4
      guard kind >= Marker.array else {
        if !ScalarEquality.widened.areSame(left.table, a, right.table, b), !isReplaced(a, b) {
          return false
        }
        continue
      }
      guard right.table.marker(of: b) >> 4 == kind else { return false }
      let (first, count) = left.table.counted(a)
      let (second, other) = right.table.counted(b)
      guard count == other else { return false }
      for position in 0..<(kind == Marker.dictionary ? count * 2 : count) {
        waiting.append(
          Pair(
            left: left.table.reference(first, position),
            right: right.table.reference(second, position)))
      }
    }
    return true
  }
}
