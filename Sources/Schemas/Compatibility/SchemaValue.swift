// Equality of JSON values as JSON Schema means it: 1 equals 1.0, strings equal code point by code point, and
// members have no order (JSON Schema Core 2020-12, section 4.2.2).

import Basics
import ObjectGraph
import PropertyLists

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
