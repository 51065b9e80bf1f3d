// Random schemas, lenses and values with few names, so that operations often find their members.

import Migrations
import PropertyLists
import TestSupport

/// Makes schemas, lenses and values.
struct RandomLenses {
  private var numbers: SeededNumbers

  init(seed: UInt64) { numbers = SeededNumbers(seed: seed) }

  private static let names = ["a", "b", "c"]

  private mutating func number(below bound: Int) -> Int { numbers.below(bound) }

  private mutating func chance(_ percent: Int) -> Bool { number(below: 100) < percent }

  private mutating func pick<Element>(_ items: [Element]) -> Element {
    items[number(below: items.count)]
  }

  // MARK: Schemas

  /// A document whose definitions may lead back to it.
  mutating func document() -> JSONTree {
    guard case .members(let members) = object(depth: 3) else { return .boolean(true) }
    let definition = ("$defs", JSONTree.members([("one", object(depth: 1))]))
    return .members(members + [definition])
  }

  private mutating func object(depth: Int) -> JSONTree {
    var result: [(String, JSONTree)] = chance(90) ? [("type", .string("object"))] : []
    let named = Self.names.filter { _ in chance(70) }
    result.append(("properties", .members(named.map { ($0, schema(depth: depth - 1)) })))
    let required = Self.names.filter { _ in chance(30) }
    if !required.isEmpty { result.append(("required", .list(required.map { .string($0) }))) }
    if chance(50) { result.append((pick(["additional", "unevaluated"]) + "Properties", rest())) }
    if chance(15) {
      result.append(
        ("patternProperties", .members([(pick(["^a", "b$", "[cd]"]), schema(depth: 0))])))
    }
    if chance(10) { result.append(("minProperties", .integer(pick([1, 2])))) }
    if chance(10) { result.append(("maxProperties", .integer(pick([1, 2, 3])))) }
    if chance(10) { result.append(("propertyNames", name())) }
    if chance(10) {
      let names = JSONTree.members([(pick(Self.names), .list([.string(pick(Self.names))]))])
      result.append(("dependentRequired", names))
    }
    if depth > 1, chance(30) {
      let keyword = pick(["anyOf", "oneOf", "allOf"])
      result.append((keyword, .list([object(depth: depth - 1), object(depth: depth - 1)])))
    }
    if depth > 1, chance(10) {
      result += ["if", "then", "else"].filter { $0 == "if" || chance(70) }
        .map { ($0, object(depth: depth - 1)) }
    }
    if depth > 1, chance(10) { result.append(("not", object(depth: 1))) }
    return .members(result)
  }

  private mutating func rest() -> JSONTree { chance(70) ? .boolean(false) : schema(depth: 0) }

  private mutating func name() -> JSONTree {
    pick([
      .members([("maxLength", .integer(1))]),
      .members([("enum", .list([.string("a"), .string("b")]))]),
    ])
  }

  private mutating func schema(depth: Int) -> JSONTree {
    if depth > 0, chance(30) { return object(depth: depth) }
    if depth > 0, chance(30) { return list(depth: depth) }
    if chance(10) { return .members([("$ref", .string(pick(["#/$defs/one", "#"])))]) }
    if chance(8) { return .boolean(chance(70)) }
    var result: [(String, JSONTree)] = []
    let types = ["integer", "number", "string", "boolean", "null"].filter { _ in chance(30) }
    if !types.isEmpty { result.append(("type", .list(types.map { .string($0) }))) }
    if chance(15) { result.append(("x-plist-type", .string(pick(["integer", "real"])))) }
    if chance(20) { result.append((pick(["minimum", "exclusiveMinimum"]), bound())) }
    if chance(20) { result.append((pick(["maximum", "exclusiveMaximum"]), bound())) }
    if chance(15) { result.append(("enum", .list((0..<3).map { _ in scalar() }))) }
    if chance(10) { result.append(("minLength", .integer(1))) }
    return .members(result)
  }

  private mutating func bound() -> JSONTree {
    pick([.integer(0), .integer(1), .real(0.5), .real(1.5)])
  }

  private mutating func list(depth: Int) -> JSONTree {
    var result: [(String, JSONTree)] = [("type", .string("array"))]
    if chance(70) { result.append(("items", schema(depth: depth - 1))) }
    if chance(20) { result.append(("prefixItems", .list([schema(depth: depth - 1)]))) }
    if chance(40) { result.append(("minItems", .integer(1))) }
    if chance(20) { result.append(("maxItems", .integer(2))) }
    if chance(10) { result.append(("uniqueItems", .boolean(true))) }
    return .members(result)
  }

  /// The schema with one type of several in some places, as another version may have it.
  mutating func retyped(_ tree: JSONTree) -> JSONTree {
    switch tree {
    case .list(let items): return .list(items.map { retyped($0) })
    case .members(let members):
      return .members(
        members.map { name, value in
          if name == "type", let types = value.list, chance(60) { return (name, pick(types)) }
          return (name, retyped(value))
        })
    default: return tree
    }
  }

  // MARK: Values

  private mutating func scalar() -> JSONTree {
    pick([
      .integer(0), .integer(1), .integer(2), .real(1), .real(0.5), .boolean(true), .boolean(false),
      .string(""), .string("x"), .string("2"), .null,
    ])
  }

  private mutating func filled() -> JSONTree {
    let value = scalar()
    return value == .null ? .integer(3) : value
  }

  /// A value, an object on the outside.
  mutating func value(depth: Int = 3) -> JSONTree {
    if depth == 3 || depth > 0 && chance(35) {
      let names = (Self.names + ["d"]).filter { _ in chance(50) }
      return .members(names.map { ($0, value(depth: depth - 1)) })
    }
    if depth > 0, chance(30) {
      return .list((0..<number(below: 3)).map { _ in value(depth: depth - 1) })
    }
    return scalar()
  }

  // MARK: Lenses

  /// The operations of a lens file.
  mutating func lens(depth: Int = 2) -> JSONTree {
    .list((0..<(1 + number(below: 3))).map { _ in operation(depth) })
  }

  private mutating func operation(_ depth: Int) -> JSONTree {
    let word = pick([
      "rename", "add", "remove", "hoist", "plunge", "wrap", "head", "convert", "in", "in", "map",
      "default", "nullable", "copy", "split", "join", "nest", "pluck", "group", "ungroup", "when",
    ])
    var (first, second) = (pick(Self.names + ["d"]), pick(Self.names + ["d"]))
    if ["rename", "hoist", "plunge", "copy"].contains(word), first == second {
      (first, second) = ("a", "d")
    }
    let name: [(String, JSONTree)] = [("name", .string(first))]
    let body: [(String, JSONTree)]
    switch word {
    case "rename", "copy": body = [("source", .string(first)), ("destination", .string(second))]
    case "add", "remove":
      let absent: [(String, JSONTree)] = chance(20) ? [("absent", .string("same"))] : []
      body = name + (chance(60) ? [("default", scalar())] : []) + absent
    case "hoist", "plunge":
      let flag = (word == "hoist" ? "prune" : "create", JSONTree.boolean(chance(50)))
      body = name + [("host", .string(second)), flag]
    case "wrap", "head": body = chance(80) ? name : []
    case "default": body = name + [("value", filled())]
    case "nullable": body = name + [("null", .string(chance(50) ? "absent" : "present"))]
    case "split", "join": body = (chance(80) ? name : []) + [("separator", .string("x"))]
    case "nest", "pluck": body = (chance(80) ? name : []) + [("as", .string(second))]
    case "group", "ungroup":
      body =
        chance(20)
        ? name + [("alternating", .string(chance(50) ? "string" : "integer"))]
        : chance(60)
          ? (chance(80) ? name : []) + [("by", .string(second))]
          : [("keys", .string("a")), ("values", .string("b")), ("into", .string("d"))]
    case "when":
      body =
        [("member", .string(first))]
        + (chance(50) ? [("equals", filled())] : [("present", .boolean(chance(50)))])
        + (chance(30)
          ? [("after", .members([("member", .string(second)), ("present", .boolean(chance(50)))]))]
          : []) + [("lens", depth > 0 ? lens(depth: depth - 1) : .list([]))]
    case "convert": body = (chance(80) ? name : []) + conversion()
    default:
      let inner = depth > 0 ? lens(depth: depth - 1) : .list([])
      let names: [(String, JSONTree)] =
        word == "map" && chance(30) ? [("names", .string(pick(["^a", "b$", "[cd]"])))] : []
      body = (word == "in" ? name : []) + names + [("lens", inner)]
    }
    return .members([(word, .members(body))])
  }

  private mutating func conversion() -> [(String, JSONTree)] {
    if chance(30) {
      let pairs: [JSONTree] = (0..<4).map { _ in .list([scalar(), scalar()]) }
      let other = chance(40) ? [("else", filled())] : []
      return [("values", .list(pairs))] + other
    }
    if chance(25) {
      let (type, form) = pick([
        ("url", "string"), ("uuid", "string"), ("decimal", "string"), ("color", "string"),
        ("location", "list"), ("point", "object"), ("rect", "list"), ("range", "list"),
      ])
      let isForward = chance(50)
      return [
        ("sourceType", .string(isForward ? type : form)),
        ("destinationType", .string(isForward ? form : type)),
      ]
    }
    let types = ["integer", "real", "boolean", "string"]
    let first = pick(types)
    let second = pick(types.filter { $0 != first })
    return [("sourceType", .string(first)), ("destinationType", .string(second))]
  }
}
