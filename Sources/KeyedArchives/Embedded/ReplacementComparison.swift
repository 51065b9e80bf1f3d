// Whether two files store the same values, but for some that were replaced.

import ObjectGraph

/// Compares stored values from the top, each pair once.
package enum ReplacementComparison {
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
        if !areSame(left.table, a, right.table, b), !isReplaced(a, b) { return false }
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

  /// Whether two stored scalars are the same: by type and value, not by the number of their bytes.
  package static func areSame(
    _ left: ValueTable, _ a: UInt32, _ right: ValueTable, _ b: UInt32
  ) -> Bool {
    if let text = left.text(at: a), let other = right.text(at: b) {
      return text.sameCharacters(as: other)
    }
    switch (left.scalar(at: a), right.scalar(at: b)) {
    case (.null, .null): return true
    case (.boolean(let x), .boolean(let y)): return x == y
    case (.integer(let x), .integer(let y)): return x == y
    case (.unsigned(let x), .unsigned(let y)): return x == y
    case (.real(let x), .real(let y)): return x.bitPattern == y.bitPattern
    case (.single(let x), .single(let y)): return x.bitPattern == y.bitPattern
    // XML has no reals of 4 bytes; the value is the same.
    case (.single(let x), .real(let y)): return Double(x).bitPattern == y.bitPattern
    case (.date(let x), .date(let y)): return x.bitPattern == y.bitPattern
    case (.data(let x), .data(let y)): return x.elementsEqual(y)
    case (.uid(let x), .uid(let y)): return x == y
    default: return false
    }
  }
}
