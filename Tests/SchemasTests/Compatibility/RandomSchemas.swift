// Small schemas and values from a seed, over a small vocabulary, so that fits and violations are both frequent.

import ArchivePropertyLists
import TestSupport

/// Makes schemas and values.
struct RandomSchemas {
  var numbers: SeededNumbers

  private static let names = ["a", "b", "ab", "c"]
  private static let patterns = ["^a", "b$", "[cd]"]
  private static let types = [
    "null", "boolean", "integer", "number", "string", "array", "object",
  ]
  private static let scalars: [JSONTree] = [
    .null, .boolean(true), .boolean(false), .integer(0), .integer(1), .integer(2), .real(2),
    .integer(3), .real(0.5), .real(1.5), .integer(-1), .string(""), .string("a"), .string("ab"),
    .string("abc"),
  ]
  private static let keywords = [
    "type", "type", "type", "properties", "properties", "required", "additionalProperties",
    "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
    "minLength", "maxLength", "items", "prefixItems", "minItems", "maxItems", "uniqueItems",
    "contains", "patternProperties", "propertyNames", "minProperties", "maxProperties", "anyOf",
    "oneOf", "allOf", "not", "if", "dependentRequired", "dependentSchemas", "$ref",
    "unevaluatedProperties", "x-plist-type",
  ]

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &numbers) < percent
  }

  private mutating func pick<Element>(_ items: [Element]) -> Element {
    items[Int.random(in: 0..<items.count, using: &numbers)]
  }

  private mutating func some<Element>(_ items: [Element], _ count: Int) -> [Element] {
    Array(items.shuffled(using: &numbers).prefix(count))
  }

  // MARK: Schemas

  /// A document; its `$defs` may lead back to it.
  mutating func document() -> JSONTree {
    guard case .members(let members) = schema(depth: 3, isRoot: true) else { return .boolean(true) }
    let definition = ("$defs", JSONTree.members([("one", schema(depth: 2, isRoot: true))]))
    return .members(members + [definition])
  }

  /// A document near another one.
  mutating func mutation(of tree: JSONTree) -> JSONTree {
    guard case .members(var members) = tree, !members.isEmpty else { return tree }
    let index = Int.random(in: 0..<members.count, using: &numbers)
    let (name, value) = members[index]
    if name != "$defs", chance(30) {
      members.remove(at: index)
    } else if name != "$defs", chance(40), Self.keywords.contains(name) {
      members[index].1 = rule(name, depth: 2)
    } else if chance(40) {
      // A reference more might lead to itself at once.
      let keyword = pick(Self.keywords.filter { $0 != "$ref" })
      members.removeAll { $0.0 == keyword }
      members.append((keyword, rule(keyword, depth: 2)))
    } else {
      members[index].1 = mutation(of: value)
    }
    return .members(members)
  }

  private mutating func schema(depth: Int, isRoot: Bool) -> JSONTree {
    if !isRoot, chance(10) { return .boolean(chance(60)) }
    var members: [(String, JSONTree)] = []
    for _ in 0..<Int.random(in: 1...(depth > 1 ? 4 : 2), using: &numbers) {
      let keyword = pick(Self.keywords)
      // A reference at the root might lead to itself at once.
      if keyword == "$ref", isRoot || !chance(50) { continue }
      if members.contains(where: { $0.0 == keyword }) { continue }
      members.append((keyword, rule(keyword, depth: depth)))
      if keyword == "if" {
        members += ["then", "else"].map { ($0, schema(depth: depth - 1, isRoot: true)) }
      }
    }
    return .members(members)
  }

  private mutating func part(_ depth: Int) -> JSONTree {
    depth <= 1
      ? .members([("type", rule("type", depth: 0))]) : schema(depth: depth - 1, isRoot: false)
  }

  /// A part of the same value: without references, which might lead round.
  private mutating func branch(_ depth: Int) -> JSONTree {
    guard case .members(let members) = part(min(depth, 2)) else { return .boolean(true) }
    return .members(members.filter { $0.0 != "$ref" })
  }

  private mutating func rule(_ keyword: String, depth: Int) -> JSONTree {
    switch keyword {
    case "type":
      let types = some(Self.types, Int.random(in: 1...3, using: &numbers))
      return types.count == 1 ? .string(types[0]) : .list(types.map(JSONTree.string))
    case "x-plist-type": return .string(pick(["integer", "real", "string", "object", "null"]))
    case "const": return value(depth: 1)
    case "enum": return .list(some(Self.scalars, Int.random(in: 1...4, using: &numbers)))
    case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
      return pick([.integer(0), .integer(1), .integer(2), .real(0.5), .real(2)])
    case "multipleOf": return pick([.integer(1), .integer(2), .real(0.5), .real(1.5)])
    case "required":
      return .list(some(Self.names, Int.random(in: 1...2, using: &numbers)).map(JSONTree.string))
    case "uniqueItems": return .boolean(chance(80))
    case "properties", "dependentSchemas":
      let names = some(Self.names, Int.random(in: 1...3, using: &numbers))
      return .members(
        names.map { ($0, keyword == "properties" ? part(depth) : branch(depth)) })
    case "patternProperties":
      let patterns = some(Self.patterns, Int.random(in: 1...2, using: &numbers))
      return .members(patterns.map { ($0, part(depth)) })
    case "dependentRequired":
      return .members([(pick(Self.names), .list([.string(pick(Self.names))]))])
    case "propertyNames":
      return pick([
        .members([("enum", .list([.string("a"), .string("ab")]))]),
        .members([("maxLength", .integer(1))]), .members([("const", .string("a"))]),
      ])
    case "prefixItems": return .list([part(depth)])
    case "anyOf", "oneOf", "allOf": return .list([branch(depth), branch(depth)])
    case "not", "if": return branch(depth)
    case "$ref": return .string("#/$defs/one")
    case _ where keyword.hasPrefix("min") || keyword.hasPrefix("max"):
      return .integer(Int.random(in: 0...2, using: &numbers))
    default: return part(depth)
    }
  }

  // MARK: Values

  /// A value of few members and elements.
  mutating func value(depth: Int = 3) -> JSONTree {
    if depth > 0, chance(35) {
      let names = some(Self.names + ["cb", "x"], Int.random(in: 0...3, using: &numbers))
      return .members(names.map { ($0, value(depth: depth - 1)) })
    }
    if depth > 0, chance(25) {
      let count = Int.random(in: 0...3, using: &numbers)
      return .list((0..<count).map { _ in value(depth: depth - 1) })
    }
    return pick(Self.scalars)
  }
}

extension JSONTree {
  /// The value as JSON on one line.
  var line: String {
    switch self {
    case .null: "null"
    case .boolean(let flag): "\(flag)"
    case .integer(let number): "\(number)"
    case .unsigned(let number): "\(number)"
    case .wide(let number): "\(number)"
    case .real(let number): "\(number)"
    case .string(let text): "\"\(text)\""
    case .list(let items): "[\(items.map(\.line).joined(separator: ","))]"
    case .members(let members):
      "{\(members.map { "\"\($0)\":\($1.line)" }.joined(separator: ","))}"
    }
  }
}
