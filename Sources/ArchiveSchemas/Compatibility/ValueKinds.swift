// The kinds of value that schemas distinguish: JSON's types, refined by the exact types of property lists.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists

/// A set of kinds; each value has exactly one.
struct ValueKinds: OptionSet, Hashable, Sendable {
  let rawValue: UInt16

  static let null = ValueKinds(rawValue: 1)
  static let boolean = ValueKinds(rawValue: 2)
  /// A number that is stored as an integer.
  static let storedInteger = ValueKinds(rawValue: 4)
  /// A number that is stored as a real and has no fraction: JSON Schema treats it as an integer.
  static let wholeReal = ValueKinds(rawValue: 8)
  static let fraction = ValueKinds(rawValue: 16)
  static let text = ValueKinds(rawValue: 32)
  static let date = ValueKinds(rawValue: 64)
  static let data = ValueKinds(rawValue: 128)
  static let array = ValueKinds(rawValue: 256)
  static let dictionary = ValueKinds(rawValue: 512)
  static let uid = ValueKinds(rawValue: 1024)

  static let all = ValueKinds(rawValue: 2047)
  static let real: ValueKinds = [.wholeReal, .fraction]
  static let integer: ValueKinds = [.storedInteger, .wholeReal]
  static let number: ValueKinds = [.storedInteger, .wholeReal, .fraction]
  static let string: ValueKinds = [.text, .date, .data]
  static let object: ValueKinds = [.dictionary, .uid]

  static let single: [(ValueKinds, String)] = [
    (.null, "null"), (.boolean, "boolean"), (.storedInteger, "stored integer"),
    (.wholeReal, "real without a fraction"), (.fraction, "number with a fraction"),
    (.text, "text"), (.date, "date"), (.data, "data"), (.array, "array"),
    (.dictionary, "dictionary"), (.uid, "UID"),
  ]

  private static let joined: [(ValueKinds, String)] = [
    (.number, "number"), (.integer, "integer"), (.real, "real"),
    (.string, "string"), (.object, "object"),
  ]

  /// The types that `type` may name, with their kinds.
  static let types: [(name: String, kinds: ValueKinds)] = [
    ("null", .null), ("boolean", .boolean), ("integer", .integer), ("number", .number),
    ("string", .string), ("array", .array), ("object", .object),
  ]

  /// The types that `x-plist-type` may name, with their kinds.
  static let propertyListTypes: [(name: String, kinds: ValueKinds)] = [
    ("null", .null), ("boolean", .boolean), ("integer", .storedInteger), ("string", .text),
    ("array", .array), ("object", .dictionary), ("data", .data), ("date", .date), ("uid", .uid),
    ("real", .real),
  ]

  init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The kinds that the value of `type` or `x-plist-type` allows; nil if it is invalid.
  init?(_ tree: JSONTree, keyword: String) {
    let types = keyword == "type" ? Self.types : Self.propertyListTypes
    guard let names = tree.string.map({ [$0] }) ?? tree.listOfStrings, !names.isEmpty else {
      return nil
    }
    let kinds = names.compactMap { name in types.first { $0.name == name }?.kinds }
    guard kinds.count == names.count else { return nil }
    self.init(kinds)
  }

  @inline(__always)
  init(_ value: Value) {
    switch value {
    case .null: self = .null
    case .boolean: self = .boolean
    case .integer, .unsigned, .wide: self = .storedInteger
    case .real(let number):
      self = number.isFinite && number == number.rounded() ? .wholeReal : .fraction
    case .single(let number):
      self = number.isFinite && number == number.rounded() ? .wholeReal : .fraction
    case .string: self = .text
    case .date: self = .date
    case .data: self = .data
    case .array, .set, .orderedSet: self = .array
    case .dictionary, .object: self = .dictionary
    case .uid: self = .uid
    }
  }

  /// The kinds that a JSON value may represent: a string may be a date, and 1 a real.
  init(of value: JSONTree) {
    switch value {
    case .null: self = .null
    case .boolean: self = .boolean
    case .integer, .unsigned, .wide: self = .integer
    case .real(let number): self = number == number.rounded() ? .integer : .fraction
    case .string: self = .string
    case .list: self = .array
    case .members: self = .object
    }
  }

  /// The kinds as text for people: `integer or null`.
  var description: String {
    if self == .all { return "any type" }
    var names: [String] = []
    var rest = self
    for (kinds, name) in Self.joined + Self.single
    where !kinds.isEmpty && rest.isSuperset(of: kinds) {
      names.append(name)
      rest.subtract(kinds)
    }
    return names.alternatives
  }

  /// The types of a table that they consist of, as text for people.
  func text(of types: [(name: String, kinds: ValueKinds)]) -> String {
    let known = types.filter { isSuperset(of: $0.kinds) }
    return known.filter { type in !known.contains { $0.kinds.isStrictSuperset(of: type.kinds) } }
      .map(\.name).alternatives
  }
}

extension [String] {
  /// `a, b or c`.
  var alternatives: String {
    guard let last, count > 1 else { return first ?? "nothing" }
    return dropLast().joined(separator: ", ") + " or " + last
  }
}

// MARK: - Equality of JSON values as JSON Schema means it
//
// 1 equals 1.0, strings equal code point by code point, and members have no order (Core 2020-12, section 4.2.2).

/// A JSON value with the equality of JSON Schema.
struct SchemaValue: Hashable {
  let tree: JSONTree

  init(_ tree: JSONTree) { self.tree = tree }

  static func == (left: SchemaValue, right: SchemaValue) -> Bool {
    left.tree.isSame(as: right.tree)
  }

  func hash(into hasher: inout Hasher) {
    switch tree {
    case .null: break
    case .boolean(let flag): hasher.combine(flag)
    case .string(let text): hasher.combine(CodePointString(text))
    case .list(let items): hasher.combine(items.map(SchemaValue.init))
    case .members(let members):
      hasher.combine(Dictionary(members.map { (CodePointString($0.0), SchemaValue($0.1)) }) { $1 })
    case .integer, .unsigned, .wide, .real: hasher.combine(tree.number(.value))
    }
  }
}

extension JSONTree {
  /// Whether two values are equal in JSON Schema.
  package func isSame(as other: JSONTree) -> Bool { isEqual(to: other, .value) }

  /// The value of the keyword `type` that fits it.
  package var schemaType: String {
    switch self {
    case .null: "null"
    case .boolean: "boolean"
    case .integer, .unsigned, .wide: "integer"
    case .real: "number"
    case .string: "string"
    case .list: "array"
    case .members: "object"
    }
  }

  /// The value on one line, shortened, for use in a sentence.
  package var summary: String {
    switch self {
    case .real(let number): "\(number)"
    case .string(let text): "\"\(text.shortened(to: 40))\""
    case .list(let items) where !items.isEmpty: "an array of \(items.count)"
    case .members(let members) where !members.isEmpty: "an object of \(members.count)"
    default: compactText
    }
  }
}

// MARK: - The lists of strings of a JSON document

extension JSONTree {
  /// The strings of an array that contains only strings; nil for any other value.
  package var listOfStrings: [String]? {
    guard let list else { return nil }
    let strings = list.compactMap(\.string)
    return strings.count == list.count ? strings : nil
  }

  /// The strings of an array of some that all differ and none of which is empty; nil for any other value.
  var differentNames: [String]? {
    guard let names = listOfStrings, !names.isEmpty, names.allSatisfy({ !$0.isEmpty }),
      Set(names.map(CodePointString.init)).count == names.count
    else { return nil }
    return names
  }
}
