// Equality of JSON values as JSON Schema means it: 1 equals 1.0, strings equal code point by code point, and
// members have no order (JSON Schema Core 2020-12, section 4.2.2).

import Basics
import PropertyLists

extension JSONTree {
  /// Whether two values are equal to JSON Schema.
  package func isSame(as other: JSONTree, depth: Int = 0) -> Bool {
    guard depth <= Self.depthLimit else { return false }
    switch (self, other) {
    case (.null, .null): return true
    case (.boolean(let left), .boolean(let right)): return left == right
    case (.string(let left), .string(let right)): return ExactText(left) == ExactText(right)
    case (.list(let left), .list(let right)):
      return left.count == right.count
        && zip(left, right).allSatisfy { $0.isSame(as: $1, depth: depth + 1) }
    case (.members(let left), .members(let right)):
      let names = Set(left.map { ExactText($0.0) })
      return names == Set(right.map { ExactText($0.0) })
        && names.allSatisfy { name in
          guard let left = self[name.text], let right = other[name.text] else {
            return false
          }
          return left.isSame(as: right, depth: depth + 1)
        }
    default:
      guard let left = ExactNumber(self), let right = ExactNumber(other) else { return false }
      return left == right
    }
  }

  /// The value on one line, shortened, for a sentence.
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
