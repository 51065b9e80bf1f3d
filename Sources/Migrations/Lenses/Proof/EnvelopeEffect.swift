// The effect on a schema of writing a model in an envelope.
//
// Numbers take the types of the target's schema where that is exact. Property lists omit null members that the schema
// names. JSON represents dates and data as text. URLs and decimal numbers are objects only in archives of objects.

import Basics
import KeyedArchives
import ObjectGraph
import PropertyLists
import Schemas

/// Derives the schema of values that `CodableCopy` has copied.
struct EnvelopeEffect {
  private struct Pair: Hashable {
    let subject: Subject
    let shape: Int
  }

  /// A schema that other schemas may refer to.
  private enum Subject: Hashable {
    case source(Subschema)
    case defined(String)

    init?(_ schema: LensSchema) {
      switch schema {
      case .source(let place): self = .source(place)
      case .defined(let name): self = .defined(name)
      default: return nil
      }
    }
  }

  /// Schemas nested deeper than this are left out, so that everything is allowed there.
  private static let depthLimit = 100
  private static let sizeLimit = 20_000

  private let target: CompiledSchema
  private let isJSON: Bool
  /// Whether the target's schema turns values into objects of Foundation.
  private let makesObjects: Bool
  /// Whether values were read from an archive of objects.
  private let readsObjects: Bool
  /// Whether null may have been read from its marker "$null", which is used again when members are written.
  private let mayMarkNull: Bool
  private var expansion: SchemaExpansion
  private(set) var definitions: [(name: String, schema: LensSchema)] = []
  private var names: [Pair: String] = [:]
  private var unchanged: Set<Pair> = []
  private var depth = 0
  private var size = 0

  /// - Parameter source: the envelope that values were read from.
  /// - Returns: nil if the envelope keeps values unchanged.
  init?(_ target: SchemaVersion, from source: Envelope?, _ expansion: SchemaExpansion) {
    let objects: [Envelope] = [.nscoding, .dictionariable]
    readsObjects = source.map { objects.contains($0) } ?? false
    makesObjects = target.envelope.map { objects.contains($0) } ?? false
    if makesObjects {
      guard target.schema.hasStructure else { return nil }
    } else if target.envelope == .sequential {
      return nil
    }
    self.target = target.schema
    isJSON = target.envelope == .json
    mayMarkNull = [.codable, .plist].contains(source ?? .plist)
    self.expansion = expansion
  }

  /// The schema of the written form of a schema's values.
  mutating func image(_ schema: LensSchema) -> LensSchema { image(schema, target.root) }

  private mutating func image(_ schema: LensSchema, _ place: Int) -> LensSchema {
    size += 1
    guard size < Self.sizeLimit, depth < Self.depthLimit else { return .anything }
    depth += 1
    defer { depth -= 1 }
    guard let subject = Subject(schema) else {
      if schema.isAnything, place == 0 { return schema }
      return .any(expansion.shapes(schema).flatMap { image($0, place) })
    }
    let pair = Pair(subject: subject, shape: place)
    if let name = names[pair] { return .defined(name) }
    guard changes(schema, place) else { return schema }
    let name = "written\(definitions.count)"
    names[pair] = name
    definitions.append((name, .anything))
    let index = definitions.count - 1
    definitions[index].schema = .any(expansion.shapes(schema).flatMap { image($0, place) })
    return .defined(name)
  }

  private mutating func image(_ shape: ValueShape, _ place: Int) -> [ValueShape] {
    var rest = shape
    var result: [ValueShape] = []
    let number = target.number(place)
    if !makesObjects, NumberEffect.changes(shape.kinds, number) {
      result = NumberEffect.image(of: shape, number)
      rest = shape.limited(to: .all.subtracting([.number, .boolean]))
    }
    if let rules = newStructure(shape, place) {
      rest.rules.append(rules)
      rest.isNew = false
    }
    if let (kind, object) = objectImage(shape, place) {
      result.append(object)
      rest = rest.limited(to: .all.subtracting(kind))
    }
    if isJSON {
      let exact = target.exactType(place)
      rest.kinds = Self.read(rest.kinds, exact)
      for index in result.indices {
        result[index].kinds = Self.read(result[index].kinds, exact)
      }
    }
    if !rest.kinds.isDisjoint(with: .object) { image(&rest.members, place) }
    if rest.kinds.contains(.array) {
      let element = target.element(place)
      rest.elements.prefix = rest.elements.prefix.map { image($0, element) }
      if !rest.elements.rest.isNothing {
        rest.elements.rest = image(rest.elements.rest, element)
      }
    }
    return rest.isEmpty ? result : result + [rest]
  }

  /// The written form of objects of Foundation, and the kinds of values that it replaces; nil if there are none.
  private mutating func objectImage(
    _ shape: ValueShape, _ place: Int
  ) -> (kind: ValueKinds, object: ValueShape)? {
    guard let form = form(shape, place) else { return nil }
    // No object of the class is a date, data or a UID.
    if makesObjects { return (form.spelled.union(.object), form.object) }
    if isJSON { return (.string, form.json) }
    if !definitions.contains(where: { $0.name == form.name }) {
      definitions.append((form.name, .any([form.codable])))
    }
    return (.string, form.codable)
  }

  private func form(_ shape: ValueShape, _ place: Int) -> ObjectImage? {
    if makesObjects {
      guard !readsObjects || shape.isNew, let form = ObjectImage(target.structure(place)) else {
        return nil
      }
      return shape.kinds.isDisjoint(with: form.spelled) ? nil : form
    }
    return readsObjects && shape.kinds.contains(.text) ? ObjectImage(shape) : nil
  }

  /// The class and the storage of a value that a lens creates; nil if the target's schema does not specify them.
  private func newStructure(_ shape: ValueShape, _ place: Int) -> [(String, JSONTree)]? {
    guard makesObjects, readsObjects, shape.isNew, let rule = target.structure(place) else {
      return nil
    }
    var rules: [(String, JSONTree)] = []
    if let storage = rule.storage, shape.values(of: "x-storage").isEmpty {
      rules.append(("x-storage", .string(storage.rawValue)))
    }
    if let name = rule.className, shape.values(of: "x-class").isEmpty {
      rules.append(("x-class", .string(name)))
      if let chain = rule.newChain {
        rules.append(("x-classes", .list(chain.map { .string($0) })))
      }
    }
    if let isMutable = rule.isMutable { rules.append(("x-mutable", .boolean(isMutable))) }
    return rules
  }

  private mutating func image(_ members: inout MemberShape, _ place: Int) {
    for name in Self.names(members, target.memberNames(place)) {
      let schema = members.schema(of: name)
      if schema.isNothing { continue }
      let (written, mayVanish) = member(
        schema, target.memberPlace(place, name), isNamed: target.names(name, in: place))
      // An unchanged member still matches the pattern that applies to it.
      if members.names(name) || !written.isAnything { members.replace(name, written) }
      if mayVanish { members.makeOptional(name) }
    }
    let other = target.memberPlace(place, nil)
    for index in members.patterns.indices {
      let (written, mayVanish) = member(members.patterns[index].schema, other, isNamed: false)
      members.patterns[index].schema = written
      if mayVanish { members.least = 0 }
    }
    if members.rest.isNothing { return }
    let (written, mayVanish) = member(members.rest, other, isNamed: false)
    if mayVanish { members.least = 0 }
    if !members.rest.isAnything || other != 0 { members.rest = written }
  }

  /// The written form of a member, and whether it may be omitted.
  ///
  /// - Parameter isNamed: whether the target's schema names it; otherwise it may be the key of a dictionary, whose null
  ///   is written as a marker.
  private mutating func member(
    _ schema: LensSchema, _ place: Int, isNamed: Bool
  ) -> (written: LensSchema, mayVanish: Bool) {
    if isJSON || makesObjects { return (image(schema, place), false) }
    let (present, allowsNull) = split(schema)
    return (image(mayMarkNull || !isNamed ? schema : present, place), allowsNull)
  }

  /// The kinds that values of some kinds have when they are read from JSON.
  ///
  /// A date or data becomes one again where the target's schema specifies it; elsewhere it is refused.
  private static func read(_ kinds: ValueKinds, _ exact: ExactShape) -> ValueKinds {
    var result = kinds
    let kept: ValueKinds = exact == .date ? .date : exact == .data ? .data : []
    let others = ValueKinds([.date, .data]).subtracting(kept)
    if !kinds.isDisjoint(with: others) {
      result.subtract(others)
      result.formUnion(.text)
    }
    // A real without a fraction may be written as an integer.
    if kinds.contains(.wholeReal) { result.formUnion(.storedInteger) }
    return result
  }

  /// The members that one of two schemas names.
  private static func names(_ members: MemberShape, _ others: [String]) -> [String] {
    let isOpen = !members.rest.isNothing || !members.patterns.isEmpty
    var met: Set<CodePointString> = []
    let required = members.required.sorted().map(\.text)
    return (members.named.map(\.name) + required + (isOpen ? others : []))
      .filter { met.insert(CodePointString($0)).inserted }
  }

  /// Splits a schema into a schema without null, and whether it allows null.
  private mutating func split(_ schema: LensSchema) -> (present: LensSchema, allowsNull: Bool) {
    let shapes = expansion.shapes(schema)
    guard shapes.contains(where: { $0.kinds.contains(.null) }) else { return (schema, false) }
    if schema.isAnything { return (schema, true) }
    return (.any(shapes.map { $0.limited(to: .all.subtracting(.null)) }), true)
  }

  // MARK: Unchanged values

  /// Whether writing changes a value of a schema, or a part of it; also true if the full check would cost too much.
  private mutating func changes(_ schema: LensSchema, _ place: Int) -> Bool {
    var waiting: [(LensSchema, Int)] = [(schema, place)]
    var met: Set<Pair> = []
    while let (schema, place) = waiting.popLast() {
      if case .all(let parts) = schema {
        waiting += parts.map { ($0, place) }
        continue
      }
      if let subject = Subject(schema) {
        let pair = Pair(subject: subject, shape: place)
        if unchanged.contains(pair) || !met.insert(pair).inserted { continue }
      }
      size += 1
      guard size < Self.sizeLimit else { return true }
      if schema.isAnything, place == 0 { continue }
      for shape in expansion.shapes(schema) {
        if expansion.objection != nil || changes(shape, place) { return true }
        waiting += parts(shape, place)
      }
    }
    unchanged.formUnion(met)
    return false
  }

  /// Whether a value changes, or loses a null member.
  private mutating func changes(_ shape: ValueShape, _ place: Int) -> Bool {
    if newStructure(shape, place) != nil || form(shape, place) != nil { return true }
    if makesObjects { return false }
    if NumberEffect.changes(shape.kinds, target.number(place)) { return true }
    if isJSON, !shape.kinds.isSuperset(of: Self.read(shape.kinds, target.exactType(place))) {
      return true
    }
    guard !isJSON, !shape.kinds.isDisjoint(with: .object) else { return false }
    let members = shape.members
    let required = members.required.map { members.schema(of: $0.text) }
    let others = members.named.map(\.schema) + members.patterns.map(\.schema)
    let rest = members.rest.isAnything ? [] : [members.rest]
    return (required + others + rest).contains { split($0).allowsNull }
  }

  /// The parts of a shape's values, with their numbers in the target's schema.
  private func parts(_ shape: ValueShape, _ place: Int) -> [(LensSchema, Int)] {
    var result: [(LensSchema, Int)] = []
    if !shape.kinds.isDisjoint(with: .object) {
      let members = shape.members
      result += Self.names(members, target.memberNames(place)).map {
        (members.schema(of: $0), target.memberPlace(place, $0))
      }
      let other = target.memberPlace(place, nil)
      result += members.patterns.map { ($0.schema, other) } + [(members.rest, other)]
    }
    if shape.kinds.contains(.array) {
      let element = target.element(place)
      result += (shape.elements.prefix + [shape.elements.rest]).map { ($0, element) }
    }
    return result
  }
}

// MARK: - Foundation objects that are text in an archive of objects but have other forms in Codable and JSON
//
// Source: swift-corelibs-foundation, URL.swift (relative, base) and Decimal.swift (exponent to mantissa);
// JSONEncoder writes a URL as a string and a decimal as a number.

/// The forms of URLs and decimal numbers.
enum ObjectImage: String {
  case url = "NSURL"
  case decimal = "NSDecimalNumber"

  /// The form of a shape's objects, by their class; nil for all others.
  init?(_ shape: ValueShape) {
    let names = shape.values(of: "x-class").flatMap { $0.string.map { [$0] } ?? $0.strings }
    guard Set(names).count == 1, let name = names.first else { return nil }
    self.init(rawValue: name)
  }

  /// The form that a schema's rule requires; nil if it names no such class.
  init?(_ rule: StructureRule?) {
    guard let name = rule?.className else { return nil }
    self.init(rawValue: name)
  }

  /// The name of the form's definition.
  fileprivate var name: String { "form" + rawValue }

  /// The form of PropertyListEncoder.
  var codable: ValueShape {
    switch self {
    case .url:
      var shape = ShapeReading.object([
        ("relative", .any([.scalar(.text)])), ("base", .defined(name)),
      ])
      shape.members.required = [CodePointString("relative")]
      return shape
    case .decimal:
      let word = LensSchema.any([.scalar(.storedInteger)])
      let flag = LensSchema.any([.scalar(.boolean)])
      return ShapeReading.object([
        ("exponent", word), ("length", word), ("isNegative", flag), ("isCompact", flag),
        ("mantissa", .any([ShapeReading.list(Array(repeating: word, count: 8))])),
      ])
    }
  }

  /// The form of JSONEncoder.
  fileprivate var json: ValueShape { .scalar(self == .url ? .text : .number) }

  /// The kinds of the written forms that become objects.
  fileprivate var spelled: ValueKinds { self == .url ? .dictionary : [.dictionary, .number] }

  /// The form in an archive of objects.
  fileprivate var object: ValueShape { .scalar(.text, ("x-class", .string(rawValue))) }
}
