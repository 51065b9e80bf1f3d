// A schema while lenses are applied to it: a subschema of its document, until an operation examines it.

import Basics
import ObjectGraph
import PropertyLists
import Schemas

/// A schema whose values a lens may partly change.
indirect enum LensSchema {
  /// Any value.
  case anything
  /// No value.
  case nothing
  /// An unchanged schema of the document.
  case source(Subschema)
  /// Schemas that all apply.
  case all([LensSchema])
  /// Shapes, at least one of which fits.
  case any([ValueShape])
  /// A definition of the new document.
  case defined(String)

  /// Whether no value is known to fit.
  var isNothing: Bool {
    switch self {
    case .nothing: true
    case .source(let place): place.tree == .boolean(false)
    case .all(let parts): parts.contains { $0.isNothing }
    case .any(let shapes): shapes.isEmpty
    case .anything, .defined: false
    }
  }

  /// Whether every value is known to fit.
  var isAnything: Bool {
    switch self {
    case .anything: true
    case .source(let place): place.tree == .boolean(true)
    case .all(let parts): parts.allSatisfy(\.isAnything)
    case .nothing, .any, .defined: false
    }
  }

  /// The conjunction of both schemas.
  func and(_ other: LensSchema) -> LensSchema {
    if isAnything { return other }
    return other.isAnything ? self : .all([self, other])
  }
}

/// One shape of values: the requirements of JSON Schema, without any alternatives.
///
/// It may allow more than the schemas that it was derived from, never less.
struct ValueShape {
  /// The kinds of value.
  var kinds: ValueKinds = .all
  /// Keywords of scalars; all groups apply.
  var rules: [[(String, JSONTree)]] = []
  /// The rules for objects.
  var members: MemberShape = MemberShape()
  /// The rules for lists.
  var elements: ElementShape = ElementShape()
  /// Whether a schema may evaluate members that are not among `members`.
  var isUncertain = false
  /// Whether a lens creates its values, so that they get the class and the storage in the target's schema.
  var isNew = false

  /// A shape of scalars.
  static func scalar(_ kinds: ValueKinds, _ rules: (String, JSONTree)...) -> ValueShape {
    ValueShape(kinds: kinds, rules: rules.isEmpty ? [] : [rules])
  }

  /// The shape for values of some kinds only.
  func limited(to kinds: ValueKinds) -> ValueShape {
    var result = self
    result.kinds.formIntersection(kinds)
    return result
  }

  /// Whether it is known that no value fits.
  var isEmpty: Bool { kinds.isEmpty }

  /// The values of a keyword in all groups.
  func values(of keyword: String) -> [JSONTree] {
    rules.flatMap { group in group.filter { $0.0 == keyword }.map(\.1) }
  }

  /// The only scalars, where the rules list them.
  var listed: [JSONTree]? {
    var result: [JSONTree]?
    let lists = values(of: "const").map { [$0] } + values(of: "enum").compactMap(\.list)
    for values in lists {
      result = result.map { known in known.filter { one in values.contains { $0.isSame(as: one) } }
      }
      if result == nil { result = values }
    }
    if result == nil, kinds == .boolean { return [.boolean(false), .boolean(true)] }
    return result?.filter { !ValueKinds(of: $0, isExact: false).isDisjoint(with: kinds) }
  }
}

/// The rules for the elements of lists.
struct ElementShape {
  var prefix: [LensSchema] = []
  var rest: LensSchema = .anything
  var least = 0
  var most: Int?
  var isUnique = false

  func schema(_ index: Int) -> LensSchema { index < prefix.count ? prefix[index] : rest }

  /// The conjunction of both.
  func and(_ other: ElementShape) -> ElementShape {
    let count = max(prefix.count, other.prefix.count)
    return ElementShape(
      prefix: (0..<count).map { schema($0).and(other.schema($0)) }, rest: rest.and(other.rest),
      least: max(least, other.least),
      most: [most, other.most].compactMap { $0 }.min(),
      isUnique: isUnique || other.isUnique)
  }
}

// MARK: - The integers within bounds

extension ValueShape {
  /// The limit on listed integers.
  private static let listLimit: Int128 = 1000

  /// The booleans and integers within the bounds, if they are few and no other values are allowed.
  var bounded: [JSONTree]? {
    guard !kinds.isDisjoint(with: .integer),
      kinds.isSubset(of: [.boolean, .storedInteger, .wholeReal]),
      let (lower, upper) = bounds, let lower, let upper
    else { return nil }
    let (count, isOver) = upper.subtractingReportingOverflow(lower)
    guard !isOver, count < Self.listLimit else { return nil }
    var result: [JSONTree] = kinds.contains(.boolean) ? [.boolean(false), .boolean(true)] : []
    var next = lower
    while next <= upper {
      guard let number = Int(exactly: next) else { return nil }
      result.append(.integer(number))
      next += 1
    }
    return result
  }

  /// Some consecutive integers within the bounds, from 0 if that is allowed.
  func firstIntegers(_ count: Int) -> [Int] {
    guard !kinds.isEmpty, let (lower, upper) = bounds else { return [] }
    var next: Int128 = 0
    if let lower, lower > 0 { next = lower }
    if let upper, upper < 0 { next = lower ?? upper - Int128(count) + 1 }
    var result: [Int] = []
    while result.count < count, next <= upper ?? next, let number = Int(exactly: next) {
      result.append(number)
      next += 1
    }
    return result
  }

  /// The least and the greatest integer; nil if there are other rules for values than bounds.
  private var bounds: (lower: Int128?, upper: Int128?)? {
    var (lower, upper): (Int128?, Int128?) = (nil, nil)
    for (keyword, value) in rules.joined() where !SchemaKeyword.structure.contains(keyword) {
      guard let number = ExactNumber(value) else { return nil }
      let isLower = keyword.lowercased().hasSuffix("minimum")
      let isUpper = keyword.lowercased().hasSuffix("maximum")
      guard isLower || isUpper, var bound = Self.whole(value, number, isLower) else { return nil }
      if keyword.hasPrefix("exclusive"), number == .integer(bound) { bound += isLower ? 1 : -1 }
      if isLower { lower = max(lower ?? bound, bound) }
      if isUpper { upper = min(upper ?? bound, bound) }
    }
    return (lower, upper)
  }

  /// The nearest integer within the bound; nil for large numbers.
  private static func whole(
    _ value: JSONTree, _ number: ExactNumber, _ isLower: Bool
  ) -> Int128? {
    guard number < .integer(1 << 100), .integer(-(1 << 100)) < number else { return nil }
    if let integer = number.integer { return integer }
    guard case .real(let real) = value else { return nil }
    return Int128(exactly: real.rounded(isLower ? .up : .down))
  }
}

// MARK: - The keywords of classes and storage in schemas that lenses are applied to

extension ValueShape {
  /// The shape of objects of another class.
  func ofClass(_ name: String) -> ValueShape {
    var result = replacing(["x-class", "x-classes"], with: nil)
    if !values(of: "x-class").isEmpty { result.rules.append([("x-class", .string(name))]) }
    // The superclasses are unchanged.
    for chain in values(of: "x-classes").compactMap(\.list) {
      result.rules.append([("x-classes", .list([.string(name)] + chain.dropFirst()))])
    }
    return result
  }

  /// The shape of values that objects store in another form.
  func stored(_ storage: FieldStorage) -> ValueShape {
    replacing(["x-storage"], with: ("x-storage", .string(storage.rawValue)))
  }

  /// The shape of data that contains an archive of another version: `Influence@v2`.
  func holding(_ label: String) -> ValueShape {
    replacing(["x-archived"], with: ("x-archived", .members([("$ref", .string(label))])))
  }

  /// The rules about classes and storage.
  var structureRules: [[(String, JSONTree)]] {
    rules.map { group in group.filter { SchemaKeyword.structure.contains($0.0) } }
      .filter { !$0.isEmpty }
  }

  private func replacing(_ names: Set<String>, with rule: (String, JSONTree)?) -> ValueShape {
    var result = self
    result.rules = rules.map { group in group.filter { !names.contains($0.0) } }
      .filter { !$0.isEmpty }
    if let rule { result.rules.append([rule]) }
    return result
  }
}
