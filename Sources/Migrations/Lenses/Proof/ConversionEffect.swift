// The effect of a conversion on schemas of scalars.

import Basics
import KeyedArchives
import ObjectGraph
import PropertyLists
import Schemas

/// Derives the schemas of converted values.
struct ConversionEffect {
  private let conversion: ScalarConversion
  private let direction: LensDirection
  private let source: ScalarConversion.ScalarType?
  private let destination: ScalarConversion.ScalarType?
  /// The envelope of the results.
  private let envelope: Envelope?

  init(_ conversion: ScalarConversion, _ direction: LensDirection, in envelope: Envelope? = nil) {
    self.envelope = envelope
    self.conversion = conversion
    self.direction = direction
    switch (conversion, direction) {
    case (.table, _): (source, destination) = (nil, nil)
    case (.types(let from, let to), .forward): (source, destination) = (from, to)
    case (.types(let from, let to), .backward): (source, destination) = (to, from)
    }
  }

  // MARK: Input

  /// The kinds of value that it accepts.
  var kinds: ValueKinds {
    switch source {
    case nil: [.boolean, .number, .string]
    case .integer, .real, .boolean, .dateNumber: [.boolean, .number]
    case .string, .dateText, .base64, .frameworkText: .text
    case .date: .date
    case .data: .data
    case .framework(let type): FrameworkEffect(type).kinds
    case .frameworkList: .array
    case .frameworkObject: .object
    }
  }

  /// The accepted values as text for a sentence.
  var wanted: String {
    switch source {
    case nil: "a scalar"
    case .integer, .real, .dateNumber: "a number"
    case .boolean: "a boolean"
    case .string, .dateText, .base64: "text"
    case .date: "a date"
    case .data: "data"
    case .framework(let type): type.wording
    case .frameworkText: "text"
    case .frameworkList: "a list"
    case .frameworkObject: "an object"
    }
  }

  // MARK: Output

  /// The result for the values of a shape.
  struct Outcome {
    var values: [ValueShape]
    /// Values that are known to be refused.
    var refused: [JSONTree] = []
    /// Kinds of value, of which the conversion may refuse some.
    var open: ValueKinds = []
  }

  /// The result for a shape's values, and which of them are refused.
  ///
  /// A number that takes the place of one, or data that of data, is stored as that was; any other value is new.
  func outcome(of shape: ValueShape) -> Outcome {
    var outcome = outcomeOfValues(of: shape)
    let stored: ValueKinds = takesData ? [.number, .boolean, .data] : [.number, .boolean]
    if shape.kinds.isDisjoint(with: stored) {
      for index in outcome.values.indices { outcome.values[index].isNew = true }
    } else if shape.kinds.isSubset(of: stored) {
      let storage = shape.rules.map { $0.filter { $0.0 == "x-storage" } }.filter { !$0.isEmpty }
      for index in outcome.values.indices
      where outcome.values[index].kinds.isSubset(of: [.number, .boolean, .data])
        && outcome.values[index].values(of: "x-storage").isEmpty
      {
        outcome.values[index].rules += storage
      }
    }
    return outcome
  }

  /// Whether it converts data, whose text a schema may list as well.
  private var takesData: Bool {
    guard case .table(let table) = conversion else { return source == .data }
    return table.forms(direction).contains { if case .data = $0.from { true } else { false } }
  }

  private func outcomeOfValues(of shape: ValueShape) -> Outcome {
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
    // The text of a large real differs from that of an equal integer.
    guard isPlain, listed.allSatisfy(Self.isNear) else {
      return Outcome(values: [result(of: shape)], refused: refused)
    }
    return Outcome(values: Self.shapes(of: forms), refused: refused)
  }

  private static func isNear(_ value: JSONTree) -> Bool {
    guard let number = ExactNumber(value) else { return true }
    return number < .integer(1 << 53) && .integer(-(1 << 53)) < number
  }

  /// The values that a shape lists or bounds; nil if it does not, or only as the text of dates and data.
  private func finite(_ shape: ValueShape) -> [JSONTree]? {
    let isWrittenAsText =
      !shape.kinds.isDisjoint(with: [.date, .data]) && !shape.kinds.contains(.text)
    return isWrittenAsText ? nil : shape.listed ?? shape.bounded
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
      // The text of a date or data may equal a listed string.
      if !shape.kinds.isDisjoint(with: [.date, .data]) {
        forms += all.filter { Self.isWrittenAsText($0.from) }.map(\.to)
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

  /// The values that a table without `else` lacks for a shape with unlisted values: an example, or the kinds.
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
    // One more integer than there are pairs in the table.
    for number in shape.limited(to: .integer).firstIntegers(count + 1)
    where conversion.convert(.integer(Int64(number)), direction) == nil {
      refused.append(.integer(number))
      open.subtract(.number)
      break
    }
    return (refused, open)
  }

  /// Scalars as shapes, one per kind.
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
      // Tables are long, so earlier values are not searched one by one.
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

  /// Whether a schema treats a value as a string although it is not one.
  private static func isWrittenAsText(_ form: SyntheticValue) -> Bool {
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
      // An integer becomes the equal real without a fraction.
      let isWhole = isNumber && shape.kinds.isSubset(of: .integer)
      return numbers(isWhole ? .wholeReal : .real, shape, isNumber, isRounded: false)
    case .dateNumber(_, isInteger: false): return .scalar(.real)
    case .boolean: return .scalar(.boolean)
    case .string: return text(of: shape)
    case .dateText: return .scalar(.text, ("minLength", .integer(1)))
    case .base64:
      // To a schema, data is its text.
      return ValueShape(kinds: .text, rules: shape.rules)
    case .date: return .scalar(.date)
    case .data: return .scalar(.data)
    case .framework(let type): return FrameworkEffect(type).value(in: envelope)
    case .frameworkText(let type): return FrameworkEffect(type).text
    case .frameworkList(let type): return FrameworkEffect(type).list
    case .frameworkObject(let type): return FrameworkEffect(type).object
    case nil: return ValueShape()
    }
  }

  // MARK: Numbers

  /// Numbers between the bounds of the original numbers.
  private func numbers(
    _ kinds: ValueKinds, _ shape: ValueShape, _ isNumber: Bool, isRounded: Bool
  ) -> ValueShape {
    if source == .boolean {
      return .scalar(kinds, ("enum", .list([.integer(0), .integer(1)])))
    }
    // To a schema, a boolean is a number without bounds.
    guard isNumber, shape.kinds.isDisjoint(with: .boolean) else { return .scalar(kinds) }
    var rules: [[(String, JSONTree)]] = []
    for group in shape.rules {
      let kept = group.compactMap { Self.bound($0.0, $0.1, isRounded) }
      if !kept.isEmpty { rules.append(kept) }
    }
    return ValueShape(kinds: kinds, rules: rules)
  }

  /// A bound of the original numbers as a bound of the converted ones.
  private static func bound(
    _ keyword: String, _ value: JSONTree, _ isRounded: Bool
  ) -> (String, JSONTree)? {
    if keyword == "multipleOf" {
      // Multiples of an integer have no fraction to round.
      return isRounded && ExactNumber(value)?.integer == nil ? nil : (keyword, value)
    }
    let isLower = keyword == "minimum" || keyword == "exclusiveMinimum"
    guard isLower || keyword == "maximum" || keyword == "exclusiveMaximum" else { return nil }
    // An integer without an exact real becomes the nearest one.
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
    // The text of a large real has an exponent.
    guard shape.kinds.isSubset(of: [.storedInteger, .boolean]) else {
      return .scalar(.text, ("minLength", .integer(1)))
    }
    return .scalar(.text, ("minLength", .integer(1)), ("pattern", .string("^-?[0-9]+$")))
  }
}

// MARK: - Numbers and booleans with a type specified in the target's schema, as `CodableCopy` writes them

/// Derives the schemas of numbers that were written in the target's types.
enum NumberEffect {
  private static let bits = JSONTree.list([.integer(0), .integer(1)])

  /// Whether values of some kinds may change when a type is required.
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

  /// The results for the numbers and booleans of a shape.
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
      // An integer without an exact real is unchanged.
      if numbers.kinds.contains(.storedInteger) { numbers.kinds.formUnion(.real) }
      if isNear(numbers) { numbers.kinds.subtract(.storedInteger) }
    }
    return numbers.isEmpty ? result : result + [numbers]
  }

  /// The numbers that are equivalent to booleans.
  private static func numbers(of booleans: ValueShape, _ kinds: ValueKinds) -> [ValueShape] {
    if booleans.isEmpty { return [] }
    let numbers = (booleans.listed ?? []).compactMap(\.boolean).map { JSONTree.integer($0 ? 1 : 0) }
    return numbers.isEmpty ? [] : [.scalar(kinds, ("enum", .list(numbers)))]
  }

  /// Whether all numbers of a shape are 0 or 1.
  private static func areBits(_ numbers: ValueShape) -> Bool {
    isProved(numbers, .members([("enum", bits)]))
  }

  /// Whether every number of a shape can be represented exactly as a real.
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

// MARK: - Values of frameworks' types, as `FrameworkType` writes them

/// Derives the schemas of values of a framework's type.
struct FrameworkEffect {
  private let type: FrameworkType

  init(_ type: FrameworkType) { self.type = type }

  /// The kinds of value that its forms are.
  var kinds: ValueKinds {
    switch type {
    case .url: [.text, .object]
    case .uuid: .text
    case .decimal: [.text, .number, .object]
    case .color, .location: .object
    case .structure: [.array, .object]
    }
  }

  private var number: LensSchema {
    .any([.scalar(type == .structure(.range) ? .storedInteger : .real)])
  }

  /// The list of its numbers.
  var list: ValueShape { ShapeReading.list(type.listedNames.map { _ in number }) }

  /// The object of its numbers.
  var object: ValueShape { ShapeReading.object(type.listedNames.map { ($0, number) }) }

  /// Its text.
  var text: ValueShape {
    switch type {
    case .uuid:
      .scalar(
        .text, ("format", .string("uuid")), ("minLength", .integer(36)),
        ("maxLength", .integer(36)))
    case .color: .scalar(.text, ("pattern", .string("^#[0-9A-F]{6}$")))
    default: .scalar(.text, ("minLength", .integer(1)))
    }
  }

  /// Its form in an envelope.
  func value(in envelope: Envelope?) -> ValueShape {
    switch (type, envelope) {
    case (.url, .json?), (.uuid, _): return text
    case (.decimal, .json?): return .scalar(.number)
    case (.url, _): return ShapeReading.object([("relative", .any([text]))])
    case (.decimal, _): return ObjectImage.decimal.codable
    case (.color, _):
      return ShapeReading.object([
        ("hex", .any([text])), ("space", .any([.scalar(.text)])),
        ("components", .any([ShapeReading.list([number, number, number])])), ("alpha", number),
      ])
    case (.location, _), (.structure, .nscoding?), (.structure, .dictionariable?),
      (.structure, .sequential?):
      return object
    case (.structure(.rect), _):
      let pair = LensSchema.any([ShapeReading.list([number, number])])
      return ShapeReading.list([pair, pair])
    case (.structure, _): return list
    }
  }
}
