// Expands schemas: follows references, and turns each alternative into a separate shape.
//
// Rules that shapes cannot express are left out, so that the shapes allow more values, never less.

import PropertyLists
import Schemas

/// Expands schemas.
struct SchemaExpansion {
  private static let shapeLimit = 64
  /// How many schemas may refer to one another, or contain one another for the same value.
  private static let depthLimit = 150
  /// The limit on examined schemas, after which expansion stops.
  private static let placeLimit = 50_000

  let document: SchemaDocument
  /// Why the last result may allow too much; nil if there was no obstacle.
  private(set) var objection: String?
  private var visited = 0
  /// The schemas behind `defined`.
  private var definitions: [String: LensSchema] = [:]

  init(_ document: SchemaDocument) { self.document = document }

  mutating func define(_ name: String, _ schema: LensSchema) { definitions[name] = schema }

  /// The shapes of a schema's values; each value fits at least one.
  mutating func shapes(_ schema: LensSchema) -> [ValueShape] {
    objection = nil
    return expand(schema, [])
  }

  private mutating func expand(_ schema: LensSchema, _ open: Set<Subschema>) -> [ValueShape] {
    switch schema {
    case .anything: return [ValueShape()]
    case .nothing: return []
    case .any(let shapes):
      if shapes.count <= Self.shapeLimit { return shapes.filter { !$0.isEmpty } }
      objection = "the schemas are too large"
      return [unknown]
    case .defined(let name):
      if let schema = definitions[name] { return expand(schema, open) }
      objection = "a lens reads its own result"
      return [unknown]
    case .source(let place): return expand(place, open)
    case .all(let parts):
      var result = [ValueShape()]
      for part in parts { result = product(result, expand(part, open)) }
      return result
    }
  }

  private mutating func expand(_ place: Subschema, _ open: Set<Subschema>) -> [ValueShape] {
    if place.tree == .boolean(false) { return [] }
    guard place.tree.members != nil else { return [ValueShape()] }
    visited += 1
    // A schema within itself adds no rule for the same value.
    if open.contains(place) { return [unknown] }
    guard visited <= Self.placeLimit, open.count < Self.depthLimit else {
      objection = "the schemas are too large"
      return [unknown]
    }
    var open = open
    open.insert(place)
    var result = ShapeReading.shapes(of: place)
    if let reference = place["$ref"] {
      if let target = reference.string.flatMap({ document.target(of: $0, from: place) }) {
        result = product(result, expand(target, open))
      } else {
        objection = "'$ref' leaves the document, to \(reference.summary)"
        result = product(result, [unknown])
      }
    }
    for keyword in ["$dynamicRef", "$recursiveRef"] where place[keyword] != nil {
      objection = "'\(keyword)' is not followed"
      result = product(result, [unknown])
    }
    for branch in place.list("allOf") { result = product(result, expand(branch, open)) }
    return spread(result, over: choices(place, open), place)
  }

  /// Splits `anyOf`, `oneOf` and `if` into shapes, and applies the rule for unevaluated members.
  private mutating func spread(
    _ shapes: [ValueShape], over choices: [[ValueShape]], _ place: Subschema
  ) -> [ValueShape] {
    var result = shapes
    for choice in choices { result = product(result, choice) }
    guard let rest = place.schema("unevaluatedProperties") else { return result }
    return result.map { shape in
      guard !shape.isUncertain, !shape.members.hasRest else { return shape }
      var shape = shape
      shape.members.rest = .source(rest)
      shape.members.hasRest = true
      return shape
    }
  }

  private mutating func choices(
    _ place: Subschema, _ open: Set<Subschema>
  ) -> [[ValueShape]] {
    var result: [[ValueShape]] = []
    for keyword in ["anyOf", "oneOf"] where place[keyword]?.list?.isEmpty == false {
      var branches: [ValueShape] = []
      for branch in place.list(keyword) { branches += expand(branch, open) }
      // A value may fit several branches of `anyOf`, which may all evaluate its members.
      if keyword == "anyOf" { branches = branches.map(Self.uncertain) }
      result.append(branches)
    }
    if let condition = place.schema("if") {
      var then = expand(condition, open)
      if let branch = place.schema("then") { then = product(then, expand(branch, open)) }
      let otherwise = place.schema("else").map { expand($0, open) } ?? [ValueShape()]
      result.append((then + otherwise).map(Self.uncertain))
    }
    return result
  }

  private var unknown: ValueShape { Self.uncertain(ValueShape()) }

  private static func uncertain(_ shape: ValueShape) -> ValueShape {
    var shape = shape
    shape.isUncertain = true
    return shape
  }

  /// Combines every shape of one side with every one of the other, up to a limit.
  private func product(_ left: [ValueShape], _ right: [ValueShape]) -> [ValueShape] {
    guard left.count * right.count <= Self.shapeLimit else {
      return (left.count <= right.count ? left : right).map(Self.uncertain)
    }
    return left.flatMap { one in right.map { one.and($0) } }.filter { !$0.isEmpty }
  }
}

extension ValueShape {
  /// The conjunction of both.
  func and(_ other: ValueShape) -> ValueShape {
    ValueShape(
      kinds: kinds.intersection(other.kinds), rules: rules + other.rules,
      members: members.and(other.members), elements: elements.and(other.elements),
      isUncertain: isUncertain || other.isUncertain, isNew: isNew || other.isNew)
  }
}
