// Compares a graph with the one read back from its output, value by value, for any formats.

import ArchiveBasics
import ArchiveGraph

/// Compares stored values with those that were read back from another format.
struct FuzzSameness {
  /// What a format may change, as its writer says.
  struct Allowance {
    /// Dates lose their fractions, which the writer reports.
    var wholeSeconds = false
    /// Reals of 4 bytes become reals of 8 bytes of the same text.
    var singlesAreReals = false
  }

  private struct Pair: Hashable {
    let left: Node
    let right: Node
  }

  private let source: ObjectGraph
  private let target: ObjectGraph
  private let allowance: Allowance

  /// What differs first; nil if nothing does.
  static func difference(
    _ source: ObjectGraph, _ target: ObjectGraph, _ allowance: Allowance
  ) -> String? {
    let sameness = FuzzSameness(source: source, target: target, allowance: allowance)
    var known: Set<Pair> = []
    var waiting = [Pair(left: source.root, right: target.root)]
    while let pair = waiting.popLast() {
      guard known.insert(pair).inserted else { continue }
      guard sameness.isSame(pair, &waiting) else {
        return "\(source.value(of: pair.left)) became \(target.value(of: pair.right))"
      }
    }
    return nil
  }

  private func isSame(_ pair: Pair, _ waiting: inout [Pair]) -> Bool {
    switch (source.value(of: pair.left), target.value(of: pair.right)) {
    case (.array(let left), .array(let right)), (.set(let left), .set(let right)),
      (.orderedSet(let left), .orderedSet(let right)):
      return elements(left, right, &waiting)
    case (.dictionary(let left), .dictionary(let right)):
      return elements(left.keys, right.keys, &waiting)
        && elements(left.values, right.values, &waiting)
    case (let left, let right): return isSameScalar(left, right)
    }
  }

  private func elements(_ left: Elements, _ right: Elements, _ waiting: inout [Pair]) -> Bool {
    guard left.count == right.count else { return false }
    for index in 0..<left.count {
      waiting.append(Pair(left: source.node(left, index), right: target.node(right, index)))
    }
    return true
  }

  private func isSameScalar(_ left: Value, _ right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.boolean(let a), .boolean(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.unsigned(let a), .unsigned(let b)): a == b
    case (.wide(let a), .wide(let b)): a == b
    case (.real(let a), .real(let b)): isSame(a, b)
    case (.single(let a), .single(let b)): isSame(Double(a), Double(b))
    case (.single(let a), .real(let b)) where allowance.singlesAreReals:
      isSame(Double(a), Double(Float(b)))
    case (.date(let a), .date(let b)):
      isSame(a, b) || allowance.wholeSeconds && a.rounded(.down) == b
    case (.data(let a), .data(let b)): a.elementsEqual(b)
    case (.string(let a), .string(let b)): a.sameCharacters(as: b)
    case (.uid(let a), .uid(let b)): a == b
    default: false
    }
  }

  private func isSame(_ left: Double, _ right: Double) -> Bool {
    left == right || left.isNaN && right.isNaN
  }
}
