// What numbers and booleans become where the target's schema tells their type, as `PlainModel` writes them.

import KeyedArchives
import PropertyLists
import Schemas

/// Makes the schemas of numbers that were written as their target has them.
enum NumberImage {
  private static let bits = JSONTree.list([.integer(0), .integer(1)])

  /// Whether values of some kinds may change where a type is wanted.
  static func changes(_ kinds: ValueKinds, _ wanted: NumberShape) -> Bool {
    switch wanted {
    case .any: false
    case .boolean: !kinds.isDisjoint(with: .number)
    case .integer:
      kinds.contains(.boolean) || kinds.contains(.wholeReal) && !kinds.contains(.storedInteger)
    case .real:
      kinds.contains(.boolean) || kinds.contains(.storedInteger) && !kinds.isSuperset(of: .real)
    }
  }

  /// What the numbers and booleans of a shape become.
  static func image(of shape: ValueShape, _ wanted: NumberShape) -> [ValueShape] {
    let booleans = shape.limited(to: .boolean)
    var numbers = shape.limited(to: .number)
    var result: [ValueShape] = []
    switch wanted {
    case .any: return [shape.limited(to: [.number, .boolean])]
    case .boolean:
      if numbers.isEmpty { return [booleans] }
      result.append(.scalar(.boolean))
      if areBits(numbers) { return result }
    case .integer:
      result = Self.numbers(of: booleans, .storedInteger)
      if numbers.kinds.contains(.wholeReal) { numbers.kinds.formUnion(.storedInteger) }
    case .real:
      result = Self.numbers(of: booleans, .wholeReal)
      // An integer that no real holds stays what it is.
      if numbers.kinds.contains(.storedInteger) { numbers.kinds.formUnion(.real) }
      if isNear(numbers) { numbers.kinds.subtract(.storedInteger) }
    }
    return numbers.isEmpty ? result : result + [numbers]
  }

  /// The numbers that booleans stand for.
  private static func numbers(of booleans: ValueShape, _ kinds: ValueKinds) -> [ValueShape] {
    if booleans.isEmpty { return [] }
    let numbers = (booleans.listed ?? []).compactMap(\.boolean).map { JSONTree.integer($0 ? 1 : 0) }
    return numbers.isEmpty ? [] : [.scalar(kinds, ("enum", .list(numbers)))]
  }

  /// Whether all numbers of a shape are 0 or 1.
  private static func areBits(_ numbers: ValueShape) -> Bool {
    isProved(numbers, .members([("enum", bits)]))
  }

  /// Whether a real holds every number of a shape.
  private static func isNear(_ numbers: ValueShape) -> Bool {
    isProved(
      numbers,
      .members([("minimum", .integer(-(1 << 53))), ("maximum", .integer(1 << 53))]))
  }

  private static func isProved(_ numbers: ValueShape, _ outer: JSONTree) -> Bool {
    if numbers.isEmpty { return true }
    var copying = SchemaCopying()
    return SchemaContainment.proof(that: copying.tree(of: .any([numbers])), isWithin: outer)
      .isProved
  }
}
