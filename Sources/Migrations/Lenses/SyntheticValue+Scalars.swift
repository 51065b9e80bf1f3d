// Creates scalars from graphs and JSON, and compares them.

import Basics
import ObjectGraph
import PropertyLists
import Schemas

extension SyntheticValue {
  /// The scalar at a node; nil for a container.
  init?(scalar node: Node, of graph: ObjectGraph) {
    switch graph.value(of: node) {
    case .null: self = .null
    case .boolean(let flag): self = .boolean(flag)
    case .integer(let number): self = .integer(number)
    case .real(let number): self = .real(number)
    case .single(let number): self = .real(Double(number))
    case .date(let seconds): self = .date(seconds)
    case .string(let text): self = .string(text.string)
    case .data(let bytes): self = .data(Array(bytes))
    case .unsigned(let number): self = .unsigned(number)
    case .uid, .wide: self = .node(node)
    case .array, .set, .orderedSet, .dictionary, .object: return nil
    }
  }

  /// The value of JSON in a lens file.
  ///
  /// `{"$date": …}`, `{"$data": …}` and `{"$real": …}` have the meaning of typed JSON.
  init(_ tree: JSONTree) { self.init(sample: tree, tagged: Self.tagged) }

  /// The tags for values that JSON has no type for.
  static let tags: Set<String> = ["$date", "$data", "$real"]

  /// The scalar that a tag represents; nil if it is not a tag, or its value is invalid.
  static func tagged(_ tag: String, _ value: JSONTree) -> SyntheticValue? {
    switch (tag, value) {
    case ("$date", .string(let text)):
      return Timestamp(text: text).map { .date($0.secondsFromReference) }
    case ("$data", .string(let text)): return bytes(ofBase64: text).map { .data($0) }
    case ("$real", .integer(let number)): return .real(Double(number))
    case ("$real", .real(let number)): return .real(number)
    default: return nil
    }
  }

  /// The bytes in a Base64 text; nil if it is invalid.
  static func bytes(ofBase64 text: String) -> [UInt8]? {
    var buffer = ByteBuffer()
    var text = text
    let isWellFormed = text.withUTF8 { utf8 in
      let bytes = UnsafeRawBufferPointer(utf8)
      guard Base64.isWellFormed(bytes) else { return false }
      Base64.decode(bytes, to: &buffer)
      return true
    }
    return isWellFormed ? buffer.array : nil
  }

  /// Its kind as one word, for messages.
  var kind: String {
    switch self {
    case .node: "a value"
    case .string: "a string"
    case .integer, .unsigned: "an integer"
    case .real: "a real"
    case .boolean: "a boolean"
    case .date: "a date"
    case .data: "data"
    case .null: "null"
    case .list: "a list"
    case .members, .pairs: "an object"
    case .changed(let form, _): form.kind
    }
  }

  /// Whether two scalars are equal by a rule.
  func isSameScalar(as other: SyntheticValue, _ rule: ScalarEquality = .exact) -> Bool {
    ScalarKey(self, rule).map { $0 == ScalarKey(other, rule) } ?? false
  }

  /// The form of a number or boolean by a rule; nil for other values.
  fileprivate func number(_ rule: ScalarEquality) -> ScalarEquality.Number? {
    switch self {
    case .boolean(let flag): rule.number(.boolean(flag))
    case .integer(let number): rule.number(.integer(number))
    case .unsigned(let number): rule.number(.unsigned(number))
    case .real(let number): rule.number(number)
    default: nil
    }
  }

  /// Whether two scalars, or values of a few parts, are the same; members in any order.
  func isSame(as other: SyntheticValue, _ rule: ScalarEquality = .exact) -> Bool {
    switch (self, other) {
    case (.list(let items), .list(let others)):
      items.count == others.count && zip(items, others).allSatisfy { $0.isSame(as: $1, rule) }
    case (.members(let members), .members(let others)):
      members.count == others.count
        && members.allSatisfy { member in
          others.contains {
            $0.name.utf8.elementsEqual(member.name.utf8) && $0.value.isSame(as: member.value, rule)
          }
        }
    default: isSameScalar(as: other, rule)
    }
  }

  /// The integer value of a number or boolean; nil if there is none.
  var wholeNumber: Int128? {
    switch self {
    case .boolean(let flag): flag ? 1 : 0
    case .integer(let number): Int128(number)
    case .unsigned(let number): Int128(number)
    case .real(let number): Int128(exactly: number)
    default: nil
    }
  }

  /// An integer; nil beyond 64 bits.
  init?(whole number: Int128) {
    if let signed = Int64(exactly: number) {
      self = .integer(signed)
    } else if let unsigned = UInt64(exactly: number) {
      self = .unsigned(unsigned)
    } else {
      return nil
    }
  }
}

// MARK: - Scalars as keys of dictionaries

/// A scalar in the form that all equal ones have, and its type if that matters.
enum ScalarKey: Hashable, Sendable {
  case null
  case string(CodePointString)
  case date(UInt64)
  case data([UInt8])
  case number(ScalarEquality.Number)
  indirect case typed(NumberType, ScalarKey)

  /// The types of numbers that may be equal.
  enum NumberType { case integer, unsigned, real }

  /// The key that is equal for all equal scalars; nil for a value that is not a scalar.
  init?(_ form: SyntheticValue, _ rule: ScalarEquality = .value) {
    switch form {
    case .null: self = .null
    case .string(let text): self = .string(CodePointString(text))
    case .date(let seconds): self = .date(rule.date(seconds))
    case .data(let bytes): self = .data(bytes)
    default:
      guard let number = form.number(rule) else { return nil }
      self = .number(number)
    }
  }

  /// The key that is equal for equal scalars of one type; -0.0 has its own.
  init?(identical form: SyntheticValue) {
    guard let key = ScalarKey(form, .exact) else { return nil }
    switch form {
    case .integer: self = .typed(.integer, key)
    case .unsigned: self = .typed(.unsigned, key)
    case .real: self = .typed(.real, key)
    default: self = key
    }
  }
}
