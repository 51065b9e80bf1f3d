// The values that a schema lists, found without comparing each with each.

import Basics
import PropertyLists

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
