// Tables of `convert`: which scalar becomes which.

import ObjectGraph
import PropertyLists

/// A table of pairs: the left value forward, the right one backward.
///
/// The first pair that matches counts, one of the same type before one that is equal as a number; a boolean is no number.
public struct ConversionTable: Sendable, Equatable {
  /// Two values that stand for one another.
  public struct Pair: Sendable, Equatable {
    /// The value in the source version.
    public let source: JSONTree
    /// The value in the destination version.
    public let destination: JSONTree

    /// Makes a pair.
    public init(source: JSONTree, destination: JSONTree) {
      self.source = source
      self.destination = destination
    }
  }

  /// The pairs.
  public let pairs: [Pair]
  /// What any other value becomes forward; nil if it is refused.
  public let forwardElse: JSONTree?
  /// What any other value becomes backward; nil if it is refused.
  public let backwardElse: JSONTree?

  /// The first pair for each value, however many there are, in each direction.
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

  /// Where each value is first, by itself and by its type.
  private static func first(_ values: [JSONTree]) -> [ScalarKey: Int] {
    var first: [ScalarKey: Int] = [:]
    for (index, value) in values.enumerated() {
      let form = SyntheticValue(value)
      for case let key? in [ScalarKey(form), ScalarKey(identical: form)]
      where first[key] == nil { first[key] = index }
    }
    return first
  }

  /// What other values become in a direction.
  func other(_ direction: LensDirection) -> SyntheticValue? {
    (direction == .forward ? forwardElse : backwardElse).map { SyntheticValue($0) }
  }

  /// The pairs as they are looked at in a direction.
  func forms(_ direction: LensDirection) -> [(from: SyntheticValue, to: SyntheticValue)] {
    pairs.map { pair in
      let (from, to) =
        direction == .forward
        ? (pair.source, pair.destination) : (pair.destination, pair.source)
      return (from: SyntheticValue(from), to: SyntheticValue(to))
    }
  }

  /// What a scalar becomes; nil if the table has nothing for it.
  func convert(_ scalar: SyntheticValue, _ direction: LensDirection) -> SyntheticValue? {
    let first = direction == .forward ? forward : backward
    for case let key? in [ScalarKey(identical: scalar), ScalarKey(scalar)] {
      guard let index = first[key] else { continue }
      return SyntheticValue(direction == .forward ? pairs[index].destination : pairs[index].source)
    }
    return other(direction)
  }
}
