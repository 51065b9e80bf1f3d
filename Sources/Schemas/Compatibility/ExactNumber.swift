// Numbers of schemas and values compared without rounding: 64-bit integers do not fit a Double.

import PropertyLists

/// A number as JSON writes it.
enum ExactNumber: Hashable {
  /// An integer, however it is spelt.
  case integer(Int128)
  /// A finite number that has a fraction, or is too large for `integer`.
  case real(Double)

  init?(_ tree: JSONTree) {
    switch tree {
    case .integer(let number): self = .integer(Int128(number))
    case .unsigned(let number): self = .integer(Int128(number))
    case .real(let number):
      guard number.isFinite else { return nil }
      // 2^120 leaves room for the arithmetic below.
      if number == number.rounded(), abs(number) < 0x1p120 {
        self = .integer(Int128(number))
      } else {
        self = .real(number)
      }
    default: return nil
    }
  }

  /// Whether the number has no fraction.
  var isIntegral: Bool {
    switch self {
    case .integer: true
    case .real(let number): number == number.rounded()
    }
  }

  var isPositive: Bool { self > .integer(0) }

  /// The number as JSON.
  var tree: JSONTree {
    switch self {
    case .real(let number): return .real(number)
    case .integer(let number):
      if let small = Int(exactly: number) { return .integer(small) }
      if let large = UInt64(exactly: number) { return .unsigned(large) }
      return .real(Double(number))
    }
  }

  var text: String {
    switch self {
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    }
  }

  /// Whether the number is a multiple of another; nil if binary fractions cannot say.
  func isMultiple(of divisor: ExactNumber) -> Bool? {
    if self == .integer(0) || self == divisor { return true }
    guard let (left, right) = Self.scaled(self, divisor), right > 0 else { return nil }
    return left % right == 0
  }

  /// Two numbers times one power of two, as integers: exact, so that a decimal such as 0.1, which no Double holds,
  /// has no answer.
  private static func scaled(
    _ left: ExactNumber, _ right: ExactNumber
  ) -> (Int128, Int128)? {
    if case .integer(let left) = left, case .integer(let right) = right { return (left, right) }
    func scale(_ number: ExactNumber) -> Int128? {
      switch number {
      case .integer(let number):
        let product = number.multipliedReportingOverflow(by: 1 << 20)
        return product.overflow ? nil : product.partialValue
      case .real(let number):
        let product = number * 0x1p20
        return product == product.rounded() && abs(product) < 0x1p100 ? Int128(product) : nil
      }
    }
    guard let left = scale(left), let right = scale(right) else { return nil }
    return (left, right)
  }
}

extension ExactNumber: Comparable {
  static func < (left: ExactNumber, right: ExactNumber) -> Bool {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): left < right
    case (.real(let left), .real(let right)): left < right
    case (.integer(let left), .real(let right)): compare(left, right) < 0
    case (.real(let left), .integer(let right)): compare(right, left) > 0
    }
  }

  /// The sign of an integer less a number that is no integer of this type.
  private static func compare(_ integer: Int128, _ real: Double) -> Int {
    if abs(real) >= 0x1p120 { return real > 0 ? -1 : 1 }
    return integer <= Int128(real.rounded(.down)) ? -1 : 1
  }
}
