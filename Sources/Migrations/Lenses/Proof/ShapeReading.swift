// Reads the keywords of one schema object as a shape; `SchemaExpansion` handles alternatives and references.

import Basics
import ObjectGraph
import PropertyLists
import Schemas

/// Reads shapes from schema objects.
enum ShapeReading {
  /// The shapes of a schema object's own keywords: one, or one for each object and list that it enumerates.
  static func shapes(of place: Subschema) -> [ValueShape] {
    var shape = ValueShape()
    for keyword in ["type", "x-plist-type"] {
      if let kinds = place[keyword].flatMap({ ValueKinds($0, keyword: keyword) }) {
        shape.kinds.formIntersection(kinds)
      }
    }
    let rules = (place.tree.members ?? []).filter { name, tree in
      // A rule is copied, so it must not refer to other parts of the document.
      name == "x-archived"
        ? SchemaLibrary.label(ofReference: tree) != nil || SchemaCopying.isSelfContained(tree)
        : SchemaKeyword.scalarRules.contains(name)
    }
    if !rules.isEmpty { shape.rules.append(rules) }
    shape.members = members(of: place)
    shape.elements = elements(of: place)
    shape.isUncertain = place["dependentSchemas"] != nil || place["dependencies"] != nil
    var result = [shape]
    let lists = [place["const"].map { [$0] }, place["enum"]?.list].compactMap { $0 }
    for values in lists {
      result = result.flatMap { shape in
        enumerated(values).map { shape.and($0) }
      }
    }
    return result.filter { !$0.isEmpty }
  }

  private static func members(of place: Subschema) -> MemberShape {
    var result = MemberShape()
    result.named = named(place.schemas("properties"))
    result.required = Set((place["required"]?.listOfStrings ?? []).map(CodePointString.init))
    result.patterns = named(place.schemas("patternProperties"))
    if let rest = place.schema("additionalProperties") {
      result.rest = .source(rest)
      result.hasRest = true
    }
    // The rule for names is copied, so it must not contain references.
    if let names = place["propertyNames"], SchemaCopying.isSelfContained(names) {
      result.names = [names]
    }
    result.least = count(place["minProperties"]) ?? 0
    result.most = count(place["maxProperties"])
    result.dependents = (place["dependentRequired"]?.members ?? []).compactMap { name, list in
      list.listOfStrings.map { (name, $0) }
    }
    return result
  }

  private static func named(_ schemas: [(name: String, place: Subschema)]) -> [NamedSchema] {
    schemas.map { NamedSchema(name: $0.name, schema: .source($0.place)) }
  }

  private static func elements(of place: Subschema) -> ElementShape {
    ElementShape(
      prefix: place.list("prefixItems").map { .source($0) },
      rest: place.schema("items").map { .source($0) } ?? .anything,
      least: count(place["minItems"]) ?? 0, most: count(place["maxItems"]),
      isUnique: place["uniqueItems"] == .boolean(true))
  }

  /// A count; one beyond `Int` is equivalent to the largest.
  private static func count(_ tree: JSONTree?) -> Int? {
    tree.flatMap { ExactNumber($0) }?.integer.map { max(Int(clamping: $0), 0) }
  }

  // MARK: Listed values

  /// One shape for the scalars, and one for each object and list.
  private static func enumerated(_ values: [JSONTree]) -> [ValueShape] {
    let scalars = values.filter { $0.list == nil && $0.members == nil }
    var result = values.filter { $0.list != nil || $0.members != nil }.map { shape(of: $0) }
    if !scalars.isEmpty {
      let kinds = scalars.reduce(into: ValueKinds()) {
        $0.formUnion(ValueKinds(of: $1, isExact: false))
      }
      let rule = scalars.count == 1 ? ("const", scalars[0]) : ("enum", JSONTree.list(scalars))
      result.append(ValueShape(kinds: kinds, rules: [[rule]]))
    }
    return result
  }

  /// The shape of one value in a schema; trees have a bounded depth.
  private static func shape(of value: JSONTree) -> ValueShape {
    if let items = value.list { return list(items.map { .any([shape(of: $0)]) }) }
    if let members = value.members {
      return object(members.map { ($0.0, .any([shape(of: $0.1)])) })
    }
    return .scalar(ValueKinds(of: value, isExact: false), ("const", value))
  }

  /// The shape of a list with exactly these elements.
  static func list(_ items: [LensSchema]) -> ValueShape {
    ValueShape(
      kinds: .array,
      elements: ElementShape(
        prefix: items, rest: .nothing, least: items.count, most: items.count))
  }

  /// The shape of an object with exactly these members.
  static func object(_ members: [(String, LensSchema)]) -> ValueShape {
    var shape = ValueShape(kinds: .dictionary)
    shape.members.named = members.map { NamedSchema(name: $0.0, schema: $0.1) }
    shape.members.required = Set(members.map { CodePointString($0.0) })
    shape.members.rest = .nothing
    shape.members.hasRest = true
    return shape
  }

  /// The shape of a value that a lens creates.
  static func newShape(of form: SyntheticValue) -> ValueShape {
    var shape = shape(of: form)
    shape.isNew = true
    return shape
  }

  /// The shape of a value written in a lens file: `{"$date": …}` is a date.
  static func shape(of form: SyntheticValue) -> ValueShape {
    switch form {
    case .null: .scalar(.null)
    case .boolean(let flag): .scalar(.boolean, ("const", .boolean(flag)))
    case .integer(let number): .scalar(.storedInteger, ("const", .integer(Int(number))))
    case .unsigned(let number): .scalar(.storedInteger, ("const", .unsigned(number)))
    case .real(let number): .scalar(.real, ("const", .real(number)))
    case .string(let text): .scalar(.text, ("const", .string(text)))
    case .date: .scalar(.date)
    case .data: .scalar(.data)
    case .list(let items): list(items.map { .any([shape(of: $0)]) })
    case .members(let members): object(members.map { ($0.name, .any([shape(of: $0.value)])) })
    case .node, .pairs, .changed: ValueShape()
    }
  }
}

extension ValueKinds {
  /// Numbers that are stored as reals.
  static let real: ValueKinds = [.wholeReal, .fraction]
}
