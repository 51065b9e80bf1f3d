// Whether two stored scalars are the same to an unarchiver.

import Basics
import ObjectGraph

/// Compares scalars as they are stored.
enum StoredScalars {
  enum Answer: Equatable {
    case equal
    /// The same number in another precision, with the words for it.
    case precision(String)
    case different
  }

  /// - Parameter isPlain: whether a boolean is not a number, as in property lists and JSON; NSNumber has both.
  static func compare(_ one: Value, _ other: Value, isPlain: Bool) -> Answer {
    switch (one, other) {
    case (.null, .null): return .equal
    case (.string(let a), .string(let b)): return a.sameCharacters(as: b) ? .equal : .different
    case (.data(let a), .data(let b)): return a.elementsEqual(b) ? .equal : .different
    case (.date(let a), .date(let b)): return a.bitPattern == b.bitPattern ? .equal : .different
    case (.uid(let a), .uid(let b)): return a == b ? .equal : .different
    case (.single(let a), .real(let b)):
      guard isSame(Double(a), b) else { return .different }
      return .precision("of single precision, which becomes double")
    case (.real(let a), .single(let b)):
      guard isSame(a, Double(b)) else { return .different }
      return .precision("of double precision, which becomes single")
    case (.boolean(let a), .boolean(let b)): return a == b ? .equal : .different
    default:
      guard let a = number(one, isPlain), let b = number(other, isPlain) else { return .different }
      return a == b ? .equal : .different
    }
  }

  /// The same number: -0.0 is not 0.0, and NaN is NaN.
  private static func isSame(_ a: Double, _ b: Double) -> Bool {
    a.bitPattern == b.bitPattern || a.isNaN && b.isNaN
  }

  private enum Number: Equatable {
    case integer(Int128)
    case real(UInt64)
  }

  private static func number(_ value: Value, _ isPlain: Bool) -> Number? {
    switch value {
    case .boolean(let flag): return isPlain ? nil : .integer(flag ? 1 : 0)
    case .integer(let number): return .integer(Int128(number))
    case .unsigned(let number): return .integer(Int128(number))
    case .real(let number): return real(number)
    case .single(let number): return real(Double(number))
    default: return nil
    }
  }

  private static func real(_ number: Double) -> Number {
    if let whole = Int128(exactly: number), number != 0 || number.sign == .plus {
      return .integer(whole)
    }
    return .real(number.isNaN ? Double.nan.bitPattern : number.bitPattern)
  }

  /// A scalar in words.
  static func text(_ value: Value) -> String {
    switch value {
    case .boolean(let flag): "\(flag)"
    case .integer(let number): "\(number)"
    case .unsigned(let number): "\(number)"
    case .real(let number): "\(number)"
    case .single(let number): "\(number)"
    case .string(let text): "\"\(text.string.prefix(60))\""
    case .null: "null"
    case .date(let seconds): Timestamp(secondsFromReference: seconds)?.text ?? "a date"
    case .data(let bytes): "\(bytes.count) bytes of data"
    case .uid(let number): "UID \(number)"
    case .array, .orderedSet: "a list"
    case .set: "a set"
    case .dictionary: "a dictionary"
    case .object: "an object"
    }
  }
}

extension FoundationClass {
  /// The class of a bare string in an archive.
  static let string = description("NSString")
  /// The class of bare bytes in an archive.
  static let data = description("NSData")
  /// The class of a bare number or boolean in an archive.
  static let number = description("NSNumber")

  private static func description(_ name: String) -> ClassDescription {
    ClassDescription(name: name, displayName: name, chain: chain(of: name))
  }

  private static let valueClasses: Set<String> = [
    "NSDictionary", "NSArray", "NSString", "NSNumber", "NSData", "NSDate", "NSNull",
  ]

  /// Whether a class is one that every writer chooses for immutable values.
  static func isChosenForValues(_ description: ClassDescription) -> Bool {
    valueClasses.contains(description.name)
      && description.chain.haveSameScalars(as: chain(of: description.name))
  }
}
