// Scalars out of graphs and JSON, and whether two are the same.

import Basics
import ObjectGraph
import PropertyLists

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
    case .uid: self = .node(node)
    case .array, .set, .orderedSet, .dictionary, .object: return nil
    }
  }

  /// What JSON in a lens file tells; `{"$date": …}`, `{"$data": …}` and `{"$real": …}` as in typed JSON.
  ///
  /// JSON trees are of bounded depth.
  init(_ tree: JSONTree) {
    switch tree {
    case .null: self = .null
    case .boolean(let flag): self = .boolean(flag)
    case .integer(let number): self = .integer(Int64(number))
    case .unsigned(let number): self = .unsigned(number)
    case .wide(let number): self = .real(Double(number))
    case .real(let number): self = .real(number)
    case .string(let text): self = .string(text)
    case .list(let items): self = .list(items.map { SyntheticValue($0) })
    case .members(let members):
      if members.count == 1, let member = members.first,
        let tagged = Self.tagged(member.0, member.1)
      {
        self = tagged
      } else {
        self = .members(members.map { ($0.0, SyntheticValue($0.1)) })
      }
    }
  }

  /// The tags that spell what JSON has no type for.
  static let tags: Set<String> = ["$date", "$data", "$real"]

  /// The scalar that a tag spells; nil if it is no tag, or its value is wrong.
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

  /// The bytes that Base64 spells; nil for anything else.
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

  /// What it is, in a word, for messages.
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

  /// Whether two scalars are the same; numbers by value, of which a boolean is none.
  func isSameScalar(as other: SyntheticValue) -> Bool {
    switch (self, other) {
    case (.null, .null): return true
    case (.boolean(let left), .boolean(let right)): return left == right
    case (.boolean, _), (_, .boolean): return false
    case (.string(let left), .string(let right)): return left.utf8.elementsEqual(right.utf8)
    case (.date(let left), .date(let right)): return left.bitPattern == right.bitPattern
    case (.data(let left), .data(let right)): return left == right
    default:
      if let left = wholeNumber, let right = other.wholeNumber { return left == right }
      guard case .real(let left) = self, case .real(let right) = other else { return false }
      return left == right || (left.isNaN && right.isNaN)
    }
  }

  /// Whether two scalars are the same, booleans as 0 and 1: as a schema that tells the type has them written.
  func isSameNumber(as other: SyntheticValue) -> Bool {
    if let left = wholeNumber, let right = other.wholeNumber { return left == right }
    return isSameScalar(as: other)
  }

  /// Whether two scalars are the same and of one type.
  func isIdenticalScalar(to other: SyntheticValue) -> Bool {
    switch (self, other) {
    case (.boolean, .boolean), (.real, .real), (.integer, .integer), (.unsigned, .unsigned),
      (.string, .string), (.date, .date), (.data, .data), (.null, .null):
      isSameScalar(as: other)
    default: false
    }
  }

  /// The integer that a number or boolean is; nil if it is none.
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

// MARK: - Scalars as keys of dictionaries: equal where `isSameScalar` or `isIdenticalScalar` says so

/// A scalar by its value, and by its type where that counts.
enum ScalarKey: Hashable, Sendable {
  case null
  case boolean(Bool)
  case string(CodePointString)
  case date(UInt64)
  case data([UInt8])
  case whole(Int128)
  case real(UInt64)
  indirect case typed(NumberType, ScalarKey)

  /// The types of numbers that may be equal.
  enum NumberType { case integer, unsigned, real }

  /// What is equal for all scalars that are the same, numbers by value; nil for what is none.
  init?(_ form: SyntheticValue) {
    switch form {
    case .null: self = .null
    case .boolean(let flag): self = .boolean(flag)
    case .string(let text): self = .string(CodePointString(text))
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
  init?(identical form: SyntheticValue) {
    guard let key = ScalarKey(form) else { return nil }
    switch form {
    case .integer: self = .typed(.integer, key)
    case .unsigned: self = .typed(.unsigned, key)
    case .real: self = .typed(.real, key)
    default: self = key
    }
  }
}
