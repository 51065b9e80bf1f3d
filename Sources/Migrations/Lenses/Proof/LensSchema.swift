// A schema while lenses are applied to it: as it stands in its document, until an operation looks into it.

import Basics
import ObjectGraph
import PropertyLists
import Schemas

/// A schema whose values a lens may change in part.
indirect enum LensSchema {
  /// Whatever there is.
  case anything
  /// No value.
  case nothing
  /// A schema of the document, as it stands there.
  case source(Subschema)
  /// Schemas that hold together.
  case all([LensSchema])
  /// Shapes of which a value has one at least.
  case any([ValueShape])
  /// A definition of the document that is being made.
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

  /// Both schemas at once.
  func and(_ other: LensSchema) -> LensSchema {
    if isAnything { return other }
    return other.isAnything ? self : .all([self, other])
  }
}

/// One shape of values: what JSON Schema says of them, without any choice in it.
///
/// It may allow more than the schemas that it was made of, never less.
struct ValueShape {
  /// The kinds of value.
  var kinds: ValueKinds = .all
  /// Keywords of scalars; all groups hold.
  var rules: [[(String, JSONTree)]] = []
  /// What holds for objects.
  var members: MemberShape = MemberShape()
  /// What holds for lists.
  var elements: ElementShape = ElementShape()
  /// Whether a schema may look at members that are not among `members`.
  var isUncertain = false
  /// Whether its values come from a lens, so that they get the class and the storage that the target's schema tells.
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

  /// Whether no value is known to have it.
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

/// What holds for the elements of lists.
struct ElementShape {
  var prefix: [LensSchema] = []
  var rest: LensSchema = .anything
  var least = 0
  var most: Int?
  var isUnique = false

  func schema(_ index: Int) -> LensSchema { index < prefix.count ? prefix[index] : rest }

  /// Both at once.
  func and(_ other: ElementShape) -> ElementShape {
    let count = max(prefix.count, other.prefix.count)
    return ElementShape(
      prefix: (0..<count).map { schema($0).and(other.schema($0)) }, rest: rest.and(other.rest),
      least: max(least, other.least),
      most: [most, other.most].compactMap { $0 }.min(),
      isUnique: isUnique || other.isUnique)
  }
}

// MARK: - The integers that bounds leave

extension ValueShape {
  /// More integers are not listed.
  private static let listLimit: Int128 = 1000

  /// The booleans and integers that bounds allow, where they are few and nothing else is allowed.
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

  /// Some integers that bounds allow, one after the other, from 0 if that is allowed.
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

  /// The least and the greatest integer; nil if rules say more than bounds do.
  private var bounds: (lower: Int128?, upper: Int128?)? {
    var (lower, upper): (Int128?, Int128?) = (nil, nil)
    for (keyword, value) in rules.joined() {
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

  /// The integer that is nearest on the side of the values that are allowed; nil for large numbers.
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
    // The superclasses stay.
    for chain in values(of: "x-classes").compactMap(\.list) {
      result.rules.append([("x-classes", .list([.string(name)] + chain.dropFirst()))])
    }
    return result
  }

  /// The shape of values that objects hold in another way.
  func stored(_ storage: FieldStorage) -> ValueShape {
    replacing(["x-storage"], with: ("x-storage", .string(storage.rawValue)))
  }

  /// The shape of data that holds an archive of another version: `Influence@v2`.
  func holding(_ label: String) -> ValueShape {
    replacing(["x-archived"], with: ("x-archived", .members([("$ref", .string(label))])))
  }

  /// What the rules say of classes and storage.
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
