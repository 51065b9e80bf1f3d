// What a conversion makes of schemas of scalars.

import Basics
import KeyedArchives
import ObjectGraph
import PropertyLists
import Schemas

/// The schemas of converted values.
struct ConversionEffect {
  private let conversion: ScalarConversion
  private let direction: LensDirection
  private let source: ScalarConversion.ScalarType?
  private let destination: ScalarConversion.ScalarType?

  init(_ conversion: ScalarConversion, _ direction: LensDirection) {
    self.conversion = conversion
    self.direction = direction
    switch (conversion, direction) {
    case (.table, _): (source, destination) = (nil, nil)
    case (.types(let from, let to), .forward): (source, destination) = (from, to)
    case (.types(let from, let to), .backward): (source, destination) = (to, from)
    }
  }

  // MARK: What it takes

  /// The kinds of value that it takes.
  var kinds: ValueKinds {
    switch source {
    case nil: [.boolean, .number, .string]
    case .integer, .real, .boolean, .dateNumber: [.boolean, .number]
    case .string, .dateText, .base64: .text
    case .date: .date
    case .data: .data
    }
  }

  /// What it takes, for a sentence.
  var wanted: String {
    switch source {
    case nil: "a scalar"
    case .integer, .real, .dateNumber: "a number"
    case .boolean: "a boolean"
    case .string, .dateText, .base64: "text"
    case .date: "a date"
    case .data: "data"
    }
  }

  // MARK: What it gives

  /// What becomes of the values of a shape.
  struct Outcome {
    var values: [ValueShape]
    /// Those that are known to be refused.
    var refused: [JSONTree] = []
    /// Kinds of value of which the conversion has nothing for some.
    var open: ValueKinds = []
  }

  /// What becomes of a shape's values, and which of them are refused.
  func outcome(of shape: ValueShape) -> Outcome {
    let listed = finite(shape)
    if case .table(let table) = conversion { return outcome(table, shape, listed) }
    guard let listed else { return Outcome(values: [result(of: shape)]) }
    var forms: [SyntheticValue] = []
    var refused: [JSONTree] = []
    for value in listed {
      if let form = conversion.convert(SyntheticValue(value), direction) {
        forms.append(form)
      } else {
        refused.append(value)
      }
    }
    let isPlain = [source, destination].allSatisfy { type in
      [.integer, .real, .boolean, .string].contains(type)
    }
    // A large real has another text than the integer that it is equal to.
    guard isPlain, listed.allSatisfy(Self.isNear) else {
      return Outcome(values: [result(of: shape)], refused: refused)
    }
    return Outcome(values: Self.shapes(of: forms), refused: refused)
  }

  private static func isNear(_ value: JSONTree) -> Bool {
    guard let number = ExactNumber(value) else { return true }
    return number < .integer(1 << 53) && .integer(-(1 << 53)) < number
  }

  /// The values that a schema lists or bounds; nil if it does not, or only in the spelling of dates and data.
  private func finite(_ shape: ValueShape) -> [JSONTree]? {
    let isSpelt = !shape.kinds.isDisjoint(with: [.date, .data]) && !shape.kinds.contains(.text)
    return isSpelt ? nil : shape.listed ?? shape.bounded
  }

  private func outcome(
    _ table: ConversionTable, _ shape: ValueShape, _ listed: [JSONTree]?
  ) -> Outcome {
    var forms: [SyntheticValue] = []
    var refused: [JSONTree] = []
    var open: ValueKinds = []
    let all = table.forms(direction)
    if let listed {
      for value in listed {
        if let form = conversion.convert(SyntheticValue(value), direction) {
          forms.append(form)
        } else {
          refused.append(value)
        }
      }
      // A date or data may be spelt like a listed string.
      if !shape.kinds.isDisjoint(with: [.date, .data]) {
        forms += all.filter { Self.isSpelt($0.from) }.map(\.to)
      }
    } else {
      forms = all.map(\.to)
      if let other = table.other(direction) {
        forms.append(other)
      } else {
        (refused, open) = gaps(shape, among: all.count)
      }
    }
    return Outcome(values: Self.shapes(of: forms), refused: refused, open: open)
  }

  /// What a table without `else` lacks of a shape whose values nothing lists: an example, or the kinds.
  private func gaps(
    _ shape: ValueShape, among count: Int
  ) -> (refused: [JSONTree], open: ValueKinds) {
    var refused: [JSONTree] = []
    var open = shape.kinds
    if open.contains(.boolean) {
      refused = [JSONTree.boolean(false), .boolean(true)].filter {
        conversion.convert(SyntheticValue($0), direction) == nil
      }
      open.subtract(.boolean)
    }
    // One more integer than the table has pairs.
    for number in shape.limited(to: .integer).firstIntegers(count + 1)
    where conversion.convert(.integer(Int64(number)), direction) == nil {
      refused.append(.integer(number))
      open.subtract(.number)
      break
    }
    return (refused, open)
  }

  /// Scalars as shapes, one for each kind.
  private static func shapes(of forms: [SyntheticValue]) -> [ValueShape] {
    var scalars: [ValueKinds: [JSONTree]] = [:]
    var order: [ValueKinds] = []
    var met: [ValueKinds: Set<ScalarKey>] = [:]
    for form in forms {
      let made = ShapeReading.shape(of: form)
      if scalars[made.kinds] == nil { order.append(made.kinds) }
      guard let value = made.values(of: "const").first else {
        scalars[made.kinds, default: []] += []
        continue
      }
      // Tables are long: what was met is not looked for value by value.
      let isNew =
        if let key = ScalarKey(SyntheticValue(value)) {
          met[made.kinds, default: []].insert(key).inserted
        } else {
          scalars[made.kinds]?.contains { $0.isSame(as: value) } != true
        }
      if isNew { scalars[made.kinds, default: []].append(value) }
    }
    return order.map { listed($0, scalars[$0] ?? []) }
  }

  /// Whether a schema sees a string where there is none.
  private static func isSpelt(_ form: SyntheticValue) -> Bool {
    switch form {
    case .date, .data: true
    default: false
    }
  }

  private static func listed(_ kinds: ValueKinds, _ values: [JSONTree]) -> ValueShape {
    switch values.count {
    case 0: .scalar(kinds)
    case 1: .scalar(kinds, ("const", values[0]))
    default: .scalar(kinds, ("enum", .list(values)))
    }
  }

  private func result(of shape: ValueShape) -> ValueShape {
    let isNumber = [.integer, .real].contains(source)
    switch destination {
    case .integer, .dateNumber(_, isInteger: true):
      return numbers(.storedInteger, shape, isNumber && destination == .integer, isRounded: true)
    case .real:
      // An integer becomes the real without a fraction that is the same number.
      let isWhole = isNumber && shape.kinds.isSubset(of: .integer)
      return numbers(isWhole ? .wholeReal : .real, shape, isNumber, isRounded: false)
    case .dateNumber(_, isInteger: false): return .scalar(.real)
    case .boolean: return .scalar(.boolean)
    case .string: return text(of: shape)
    case .dateText: return .scalar(.text, ("minLength", .integer(1)))
    case .base64:
      // The text is what a schema sees of the data.
      return ValueShape(kinds: .text, rules: shape.rules)
    case .date: return .scalar(.date)
    case .data: return .scalar(.data)
    case nil: return ValueShape()
    }
  }

  // MARK: Numbers

  /// Numbers between the bounds of those that they were made of.
  private func numbers(
    _ kinds: ValueKinds, _ shape: ValueShape, _ isNumber: Bool, isRounded: Bool
  ) -> ValueShape {
    if source == .boolean {
      return .scalar(kinds, ("enum", .list([.integer(0), .integer(1)])))
    }
    // A boolean is a number without bounds to a schema.
    guard isNumber, shape.kinds.isDisjoint(with: .boolean) else { return .scalar(kinds) }
    var rules: [[(String, JSONTree)]] = []
    for group in shape.rules {
      let kept = group.compactMap { Self.bound($0.0, $0.1, isRounded) }
      if !kept.isEmpty { rules.append(kept) }
    }
    return ValueShape(kinds: kinds, rules: rules)
  }

  /// A bound of the numbers as one of what they become.
  private static func bound(
    _ keyword: String, _ value: JSONTree, _ isRounded: Bool
  ) -> (String, JSONTree)? {
    if keyword == "multipleOf" {
      // The multiples of an integer have no fraction to be rounded.
      return isRounded && ExactNumber(value)?.integer == nil ? nil : (keyword, value)
    }
    let isLower = keyword == "minimum" || keyword == "exclusiveMinimum"
    guard isLower || keyword == "maximum" || keyword == "exclusiveMaximum" else { return nil }
    // An integer that no real holds becomes the nearest.
    guard let number = ExactNumber(value), number < .integer(1 << 53),
      .integer(-(1 << 53)) < number
    else { return nil }
    guard isRounded else { return (keyword, value) }
    let name = isLower ? "minimum" : "maximum"
    if case .real(let real) = value {
      return (name, .integer(Int(real.rounded(isLower ? .down : .up))))
    }
    return (name, value)
  }

  // MARK: Text

  /// The decimal text of numbers.
  private func text(of shape: ValueShape) -> ValueShape {
    if source == .boolean {
      return .scalar(.text, ("enum", .list([.string("true"), .string("false")])))
    }
    // A large real has an exponent in its text.
    guard shape.kinds.isSubset(of: [.storedInteger, .boolean]) else {
      return .scalar(.text, ("minLength", .integer(1)))
    }
    return .scalar(.text, ("minLength", .integer(1)), ("pattern", .string("^-?[0-9]+$")))
  }
}

// MARK: - What numbers and booleans become where the target's schema tells their type, as `CodableCopy` writes them

/// Makes the schemas of numbers that were written as their target has them.
enum NumberEffect {
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
