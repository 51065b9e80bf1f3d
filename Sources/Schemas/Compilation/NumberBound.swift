// A number of a schema that values are compared with.

import Basics
import PropertyLists

/// A limit of `minimum`, `maximum` and their like.
struct NumberBound {
  private let exact: ExactNumber
  private let real: Double
  /// Whether `real` is the limit itself.
  private let isReal: Bool
  /// The limit as it is written in messages.
  let text: String

  /// Reads a limit; nil if the value is no number.
  init?(_ tree: JSONTree) {
    guard let exact = ExactNumber(tree) else { return nil }
    self.exact = exact
    switch tree {
    case .integer(let number):
      (real, text) = (Double(number), "\(number)")
      isReal = number.magnitude < 1 << 53
    case .unsigned(let number): (real, isReal, text) = (Double(number), false, "\(number)")
    case .wide(let number): (real, isReal, text) = (Double(number), false, "\(number)")
    case .real(let number):
      (real, isReal) = (number, true)
      text = Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    default: return nil
    }
  }

  /// How a number lies to the limit; nil for what is not a number.
  enum Order { case below, equal, above }

  /// Compares a real.
  func order(of number: Double) -> Order? {
    if number.isNaN { return nil }
    if !isReal, let number = ExactNumber(number) { return order(of: number) }
    return number < real ? .below : number > real ? .above : .equal
  }

  /// Compares an integer.
  @inline(__always)
  func order(of number: Int64) -> Order {
    // Integers of 53 bits are reals without loss.
    if number.magnitude < 1 << 53, isReal {
      let value = Double(number)
      return value < real ? .below : value > real ? .above : .equal
    }
    return order(of: ExactNumber(Int128(number)))
  }

  /// Compares any number.
  func order(of number: ExactNumber) -> Order {
    number < exact ? .below : exact < number ? .above : .equal
  }
}
