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

// MARK: - The lists of strings of a JSON document

extension JSONTree {
  /// The strings of an array that holds nothing else; nil for anything else.
  package var listOfStrings: [String]? {
    guard let list else { return nil }
    let strings = list.compactMap(\.string)
    return strings.count == list.count ? strings : nil
  }
}

// MARK: - The values that a schema lists, found without comparing each with each

/// A set of JSON values that are the same as JSON Schema has it: 1 is 1.0.
struct ListedValues {
  private var texts: Set<ExactText> = []
  /// Numbers by what a real makes of them.
  private var numbers: [Double: [JSONTree]] = [:]
  private var others: [JSONTree] = []

  init(_ values: [JSONTree]) {
    for value in values {
      if let text = value.string {
        texts.insert(ExactText(text))
      } else if let key = Self.key(value) {
        numbers[key, default: []].append(value)
      } else {
        others.append(value)
      }
    }
  }

  /// Whether a value is among them.
  func contains(_ value: JSONTree) -> Bool {
    if let text = value.string { return texts.contains(ExactText(text)) }
    if let key = Self.key(value) {
      return numbers[key]?.contains { $0.isSame(as: value) } ?? false
    }
    return others.contains { $0.isSame(as: value) }
  }

  private static func key(_ value: JSONTree) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .unsigned(let number): Double(number)
    case .real(let number): number.isNaN ? nil : number
    default: nil
    }
  }
}

/// The lists of a comparison that were made ready.
final class ListedValuesCache {
  private var known: [SchemaPlace: ListedValues] = [:]

  /// The values of a schema's `enum`.
  func values(of place: SchemaPlace, _ list: [JSONTree]) -> ListedValues {
    if let found = known[place] { return found }
    let values = ListedValues(list)
    known[place] = values
    return values
  }
}
