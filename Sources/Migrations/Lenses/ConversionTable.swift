// Tables of `convert`, which map scalars to scalars.

import ObjectGraph
import PropertyLists

/// A table of pairs: the left value is the input forward, the right one backward.
///
/// The first match wins, and a pair of the same type precedes one that is equal as a number; a boolean is not a number.
public struct ConversionTable: Sendable, Equatable {
  /// Two values that are converted to each other.
  public struct Pair: Sendable, Equatable {
    /// The value in the source version.
    public let source: JSONTree
    /// The value in the destination version.
    public let destination: JSONTree
  }

  /// The pairs.
  public let pairs: [Pair]
  /// The result for any other value forward; nil if it is refused.
  public let forwardElse: JSONTree?
  /// The result for any other value backward; nil if it is refused.
  public let backwardElse: JSONTree?

  /// The index of the first pair for each value, in each direction, for fast lookup.
  private let forward: [ScalarKey: Int]
  private let backward: [ScalarKey: Int]

  /// Makes a table.
  public init(_ pairs: [Pair], forwardElse: JSONTree? = nil, backwardElse: JSONTree? = nil) {
    self.pairs = pairs
    self.forwardElse = forwardElse
    self.backwardElse = backwardElse
    forward = Self.first(pairs.map(\.source))
    backward = Self.first(pairs.map(\.destination))
  }

  /// The first index of each value, by the value alone and by value and type.
  private static func first(_ values: [JSONTree]) -> [ScalarKey: Int] {
    var first: [ScalarKey: Int] = [:]
    for (index, value) in values.enumerated() {
      let form = SyntheticValue(value)
      for case let key? in [ScalarKey(form), ScalarKey(identical: form)]
      where first[key] == nil { first[key] = index }
    }
    return first
  }

  /// The result for other values in a direction.
  func other(_ direction: LensDirection) -> SyntheticValue? {
    (direction == .forward ? forwardElse : backwardElse).map { SyntheticValue($0) }
  }

  /// The result for a scalar; nil if the table has none.
  func convert(_ scalar: SyntheticValue, _ direction: LensDirection) -> SyntheticValue? {
    let first = direction == .forward ? forward : backward
    for case let key? in [ScalarKey(identical: scalar), ScalarKey(scalar)] {
      guard let index = first[key] else { continue }
      return SyntheticValue(direction == .forward ? pairs[index].destination : pairs[index].source)
    }
    return other(direction)
  }
}
