// Scalars as keys of dictionaries: equal where `isSameScalar` or `isIdenticalScalar` says so.

import Basics
import ObjectGraph

/// A scalar by its value, and by its type where that counts.
enum ScalarKey: Hashable, Sendable {
  case null
  case boolean(Bool)
  case string(ExactText)
  case date(UInt64)
  case data([UInt8])
  case whole(Int128)
  case real(UInt64)
  indirect case typed(NumberType, ScalarKey)

  /// The types of numbers that may be equal.
  enum NumberType { case integer, unsigned, real }

  /// What is equal for all scalars that are the same, numbers by value; nil for what is none.
  init?(_ form: DerivedForm) {
    switch form {
    case .null: self = .null
    case .boolean(let flag): self = .boolean(flag)
    case .string(let text): self = .string(ExactText(text))
    case .date(let seconds): self = .date(seconds.bitPattern)
    case .data(let bytes): self = .data(bytes)
    case .integer, .unsigned, .real:
      if let number = form.wholeNumber {
        self = .whole(number)
      } else {
        guard case .real(let number) = form else { return nil }
        // Nothing else has two spellings: zero is whole.
        self = .real(number.isNaN ? Double.nan.bitPattern : number.bitPattern)
      }
    default: return nil
    }
  }

  /// What is equal for the same scalars of one type.
  init?(identical form: DerivedForm) {
    guard let key = ScalarKey(form) else { return nil }
    switch form {
    case .integer: self = .typed(.integer, key)
    case .unsigned: self = .typed(.unsigned, key)
    case .real: self = .typed(.real, key)
    default: self = key
    }
  }
}
