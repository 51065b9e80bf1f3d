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
  static let integer: ValueKinds = [.storedInteger, .wholeReal]
  static let number: ValueKinds = [.storedInteger, .wholeReal, .fraction]
  static let string: ValueKinds = [.text, .date, .data]
  static let object: ValueKinds = [.dictionary, .uid]

  private static let single: [(ValueKinds, String)] = [
    (.null, "null"), (.boolean, "boolean"), (.storedInteger, "stored integer"),
    (.wholeReal, "real without a fraction"), (.fraction, "number with a fraction"),
    (.text, "text"), (.date, "date"), (.data, "data"), (.array, "array"),
    (.dictionary, "dictionary"), (.uid, "UID"),
  ]

  private static let joined: [(ValueKinds, String)] = [
    (.number, "number"), (.integer, "integer"), ([.wholeReal, .fraction], "real"),
    (.string, "string"), (.object, "object"),
  ]

  /// The kinds of the types that `type` names.
  private static let types: [String: ValueKinds] = [
    "null": .null, "boolean": .boolean, "integer": .integer, "number": .number, "string": .string,
    "array": .array, "object": .object,
  ]

  /// The kinds of the types that `x-plist-type` names.
  private static let propertyListTypes: [String: ValueKinds] = [
    "null": .null, "boolean": .boolean, "integer": .storedInteger, "real": [.wholeReal, .fraction],
    "string": .text, "date": .date, "data": .data, "array": .array, "object": .dictionary,
    "uid": .uid,
  ]

  init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The kinds that the value of `type` or `x-plist-type` allows; nil if it is invalid.
  init?(_ tree: JSONTree, keyword: String) {
    guard let names = tree.string.map({ [$0] }) ?? tree.listOfStrings, !names.isEmpty else {
      return nil
    }
    var kinds: ValueKinds = []
    for name in names {
      guard let kind = (keyword == "type" ? Self.types : Self.propertyListTypes)[name] else {
        return nil
      }
      kinds.formUnion(kind)
    }
    self = kinds
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

  /// Each kind separately.
  var each: [ValueKinds] { Self.single.map(\.0).filter { contains($0) } }

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
    guard let last = names.last, names.count > 1 else { return names.first ?? "nothing" }
    return names.dropLast().joined(separator: ", ") + " or " + last
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

  /// The value on one line, shortened, for use in a sentence.
  package var summary: String {
    switch self {
    case .null: return "null"
    case .boolean(let flag): return "\(flag)"
    case .integer(let number): return "\(number)"
    case .unsigned(let number): return "\(number)"
    case .wide(let number): return "\(number)"
    case .real(let number): return "\(number)"
    case .string(let text): return text.count > 40 ? "\"\(text.prefix(40))…\"" : "\"\(text)\""
    case .list(let items): return items.isEmpty ? "[]" : "an array of \(items.count)"
    case .members(let members): return members.isEmpty ? "{}" : "an object of \(members.count)"
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
}
