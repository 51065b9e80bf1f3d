// When two scalars are equal: the one table of answers, for every comparison and every digest.

import ArchiveBasics

/// A rule by which scalars are equal.
///
/// | equal | `stored` | `widened` | `exact` | `model` | `value` | `number` |
/// | --- | --- | --- | --- | --- | --- | --- |
/// | 1 and 1.0, 2^63 and its real | | | yes | yes | yes | yes |
/// | true and 1 | | | | yes | | yes |
/// | 0.5 in single and double precision | | yes | yes | yes | yes | yes |
/// | 0.1 in single and double precision | | | | | yes | yes |
/// | 0.1 in single precision and the double of its bits | | yes | yes | yes | | |
/// | NaN with other bits | | | yes | yes | yes | yes |
/// | -0.0 and 0.0, also as dates | | | | | yes | yes |
///
/// By each of them integers of all widths are equal by value, also those of 128 bits, text is equal code point by code
/// point whatever its encoding, data byte by byte, and a UID, a date and null equal only their like. Each rule puts a
/// scalar into one form, and compares the forms: what is equal has equal digests.
package struct ScalarEquality: Hashable, Sendable {
  /// What makes two numbers equal.
  package enum Numbers: Sendable {
    /// Their type and their bits.
    case stored
    /// The same, a real of single precision being the double of its value: XML has no others.
    case widened
    /// Their value, whatever their type; only -0.0 differs from 0, as the two differ.
    case exact
    /// The value that people see: 0.1 is 0.1 in either precision, and -0.0 is 0.
    case shown
  }

  /// A number, or a boolean, in the one form that all equal ones have.
  package enum Number: Hashable, Sendable {
    case boolean(Bool)
    case integer(Int128)
    /// The bits of a real of single precision.
    case single(UInt32)
    /// The bits of any other real.
    case real(UInt64)
  }

  private let numbers: Numbers
  private let hasNumericBooleans: Bool

  /// A rule.
  ///
  /// - Parameter hasNumericBooleans: whether booleans are 0 and 1, as NSNumber compares them.
  package init(_ numbers: Numbers, hasNumericBooleans: Bool = false) {
    self.numbers = numbers
    self.hasNumericBooleans = hasNumericBooleans
  }

  /// What is stored is the same: merges, and archives within files.
  package static let stored = ScalarEquality(.stored)
  /// What is stored is the same, as far as the encoding has it: copies in other encodings.
  package static let widened = ScalarEquality(.widened)
  /// A value is the one that it was, of a property list or under a lens.
  package static let exact = ScalarEquality(.exact)
  /// A model is the same in another envelope, where a boolean may be a number.
  package static let model = ScalarEquality(.exact, hasNumericBooleans: true)
  /// Values mean the same: queries (RFC 9535, 2.3.5.2.2), JSON Schema (Core 2020-12, 4.2.2), JSON Patch, differences.
  public static let value = ScalarEquality(.shown)
  /// The same as NSNumber compares: elements of sets.
  package static let number = ScalarEquality(.shown, hasNumericBooleans: true)

  // MARK: Forms

  /// The form of a number or a boolean; nil for other values.
  package func number(_ value: Value) -> Number? {
    switch value {
    case .boolean(let flag): hasNumericBooleans ? .integer(flag ? 1 : 0) : .boolean(flag)
    case .integer(let number): .integer(Int128(number))
    case .unsigned(let number): .integer(Int128(number))
    case .wide(let number): .integer(number.number)
    case .single(let number): self.number(number)
    case .real(let number): self.number(number)
    default: nil
    }
  }

  /// The form of a real of single precision.
  private func number(_ single: Float) -> Number {
    switch numbers {
    case .stored: .single(single.bitPattern)
    case .widened, .exact: number(Double(single))
    case .shown: number(single.shownValue)
    }
  }

  /// The form of a real.
  package func number(_ real: Double) -> Number {
    switch numbers {
    case .stored, .widened: return .real(real.bitPattern)
    case .exact where real == 0 && real.sign == .minus: return .real(real.bitPattern)
    case .exact, .shown:
      if let integer = Int128(exactly: real) { return .integer(integer) }
      return .real(Self.oneNaN(real).bitPattern)
    }
  }

  /// The form of a date, as its bits.
  public func date(_ seconds: Double) -> UInt64 {
    switch numbers {
    case .stored, .widened: seconds.bitPattern
    case .exact: Self.oneNaN(seconds).bitPattern
    case .shown: seconds == 0 ? 0 : Self.oneNaN(seconds).bitPattern
    }
  }

  private static func oneNaN(_ real: Double) -> Double { real.isNaN ? .nan : real }

  // MARK: Two scalars

  /// Whether two scalars are equal; containers equal nothing.
  package func areEqual(_ left: Value, _ right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): return true
    case (.string(let one), .string(let other)): return one.sameCharacters(as: other)
    case (.data(let one), .data(let other)): return haveSameBytes(one, other)
    case (.date(let one), .date(let other)): return date(one) == date(other)
    case (.uid(let one), .uid(let other)): return one == other
    default:
      guard let one = number(left) else { return false }
      return one == number(right)
    }
  }

  /// Whether two stored scalars are equal; no others are, whatever an archive makes of them.
  package func areSame(
    _ left: ValueTable, _ one: UInt32, _ right: ValueTable, _ other: UInt32
  ) -> Bool {
    // A container has no scalar, and counts as null.
    left.marker(of: one) >> 4 < Marker.array && right.marker(of: other) >> 4 < Marker.array
      && areEqual(left.scalar(at: one), right.scalar(at: other))
  }
}

// MARK: - The order of numbers

extension ScalarEquality.Number {
  /// The nearest real; nil for a boolean.
  private var real: Double? {
    switch self {
    case .boolean: nil
    case .integer(let number): Double(number)
    case .single(let bits): Double(Float(bitPattern: bits))
    case .real(let bits): Double(bitPattern: bits)
    }
  }

  /// How far two numbers are from each other, NaN if one of them is no number; nil for booleans.
  package func distance(to other: Self) -> Double? {
    if case .integer(let one) = self, case .integer(let two) = other {
      let (difference, isOver) = one.subtractingReportingOverflow(two)
      return isOver ? abs(Double(one) - Double(two)) : Double(difference.magnitude)
    }
    guard let one = real, let two = other.real else { return nil }
    return self == other ? 0 : abs(one - two)
  }

  /// Whether both are numbers, and this is the smaller one.
  package func isLess(than other: Self) -> Bool {
    guard let one = real, let two = other.real else { return false }
    switch (self, other) {
    case (.integer(let one), .integer(let two)): return one < two
    // A whole real is an integer, unless it is beyond them.
    case (.integer(let one), _): return Self.floor(two).map { one <= $0 } ?? (two > 0)
    case (_, .integer(let two)): return Self.floor(one).map { $0 < two } ?? (one < 0)
    default: return one < two
    }
  }

  private static func floor(_ real: Double) -> Int128? { Int128(exactly: real.rounded(.down)) }
}

extension Float {
  /// The number that its shortest digits represent in double precision: 0.1, not 0.10000000149011612.
  package var shownValue: Double { Double(description) ?? Double(self) }
}
