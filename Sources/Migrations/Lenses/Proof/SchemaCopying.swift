// Writes schemas as JSON. Schemas that no operation examined are referred to in the original document: it is included,
// unchanged, in the definitions of the new one, so that its references still work.

import Basics
import PropertyLists
import Schemas

/// Writes schemas after lenses were applied to them.
struct SchemaCopying {
  /// The address that the document gets if it has none.
  private static let ownAddress = "urn:archtool:lens:source"

  /// The limit on written schemas; the remaining ones are left out.
  private static let sizeLimit = 100_000

  private let address: String
  private(set) var refersToSource = false
  private var size = 0

  /// - Parameter document: the document of the schemas that are referred to.
  init(_ document: SchemaDocument? = nil) {
    address = document?.root["$id"]?.string ?? Self.ownAddress
  }

  /// A document for a schema.
  ///
  /// - Parameter definitions: the named schemas that it refers to.
  static func tree(
    of schema: LensSchema, from document: SchemaDocument,
    definitions: [(name: String, schema: LensSchema)] = []
  ) -> JSONTree {
    var copying = SchemaCopying(document)
    let tree = copying.tree(of: schema)
    var defined = definitions.map { ($0.name, copying.tree(of: $0.schema)) }
    if copying.refersToSource { defined.append(("source", copying.source(document))) }
    guard !defined.isEmpty else { return tree }
    let members = tree.members ?? [("allOf", .list([tree]))]
    return .members(members + [("$defs", .members(defined))])
  }

  private func source(_ document: SchemaDocument) -> JSONTree {
    guard let members = document.root.members, document.root["$id"]?.string == nil else {
      return document.root
    }
    return .members([("$id", .string(address))] + members)
  }

  // MARK: Schemas

  mutating func tree(of schema: LensSchema) -> JSONTree {
    size += 1
    // The absence of rules allows everything.
    if size > Self.sizeLimit { return .boolean(true) }
    switch schema {
    case .anything: return .boolean(true)
    case .nothing: return .boolean(false)
    case .source(let place): return copy(place)
    case .defined(let name): return .members([("$ref", .string("#/$defs/" + name))])
    case .all(let parts): return .members([("allOf", .list(parts.map { tree(of: $0) }))])
    case .any(let shapes):
      let trees = shapes.flatMap { shape in Self.typed(shape.kinds).map { tree(of: shape, $0) } }
      if trees.isEmpty { return .boolean(false) }
      return trees.count == 1 ? trees[0] : .members([("anyOf", .list(trees))])
    }
  }

  private mutating func copy(_ place: Subschema) -> JSONTree {
    if Self.isSelfContained(place.tree) { return place.tree }
    refersToSource = true
    let pointer = place.pointer.unicodeScalars.map { $0 == "%" ? "%25" : String($0) }.joined()
    return .members([("$ref", .string("\(address)#\(pointer)"))])
  }

  /// Whether a schema means the same in any document.
  static func isSelfContained(_ tree: JSONTree) -> Bool {
    if let items = tree.list { return items.allSatisfy(isSelfContained) }
    return tree.members?.allSatisfy { name, value in
      !name.hasPrefix("$") && isSelfContained(value)
    } ?? true
  }

  private mutating func tree(
    of shape: ValueShape, _ type: (kinds: ValueKinds, members: [(String, JSONTree)])
  ) -> JSONTree {
    var result = type.members
    var more: [JSONTree] = []
    for group in shape.rules {
      let isNew = group.allSatisfy { rule in !result.contains { $0.0 == rule.0 } }
      if isNew { result += group } else { more.append(.members(group)) }
    }
    if !type.kinds.isDisjoint(with: .object) { result += members(shape.members) }
    if type.kinds.contains(.array) { result += elements(shape.elements) }
    if !more.isEmpty { result.append(("allOf", .list(more))) }
    return .members(result)
  }

  private mutating func members(_ shape: MemberShape) -> [(String, JSONTree)] {
    var result: [(String, JSONTree)] = []
    if !shape.named.isEmpty {
      result.append(("properties", .members(shape.named.map { ($0.name, tree(of: $0.schema)) })))
    }
    if !shape.required.isEmpty {
      result.append(("required", .list(shape.required.sorted().map { .string($0.text) })))
    }
    var patterns: [(String, JSONTree)] = []
    for pattern in shape.patterns {
      let tree = tree(of: pattern.schema)
      if let known = patterns.firstIndex(where: { $0.0 == pattern.name }) {
        patterns[known].1 = .members([("allOf", .list([patterns[known].1, tree]))])
      } else {
        patterns.append((pattern.name, tree))
      }
    }
    if !patterns.isEmpty { result.append(("patternProperties", .members(patterns))) }
    if !shape.rest.isAnything { result.append(("additionalProperties", tree(of: shape.rest))) }
    if !shape.names.isEmpty { result.append(("propertyNames", names(shape))) }
    if shape.least > 0 { result.append(("minProperties", .integer(shape.least))) }
    if let most = shape.most { result.append(("maxProperties", .integer(most))) }
    let dependents = shape.dependents.filter { !$0.required.isEmpty }
    if Set(dependents.map { CodePointString($0.name) }).count == dependents.count,
      !dependents.isEmpty
    {
      let lists = dependents.map { ($0.name, JSONTree.list($0.required.map { .string($0) })) }
      result.append(("dependentRequired", .members(lists)))
    }
    return result
  }

  private func names(_ shape: MemberShape) -> JSONTree {
    let rule = shape.names.count == 1 ? shape.names[0] : .members([("allOf", .list(shape.names))])
    if shape.broughtNames.isEmpty { return rule }
    let brought = shape.broughtNames.map { JSONTree.string($0) }
    return .members([("anyOf", .list([rule, .members([("enum", .list(brought))])]))])
  }

  private mutating func elements(_ shape: ElementShape) -> [(String, JSONTree)] {
    var result: [(String, JSONTree)] = []
    if !shape.prefix.isEmpty {
      result.append(("prefixItems", .list(shape.prefix.map { tree(of: $0) })))
    }
    if !shape.rest.isAnything { result.append(("items", tree(of: shape.rest))) }
    if shape.least > 0 { result.append(("minItems", .integer(shape.least))) }
    if let most = shape.most { result.append(("maxItems", .integer(most))) }
    if shape.isUnique { result.append(("uniqueItems", .boolean(true))) }
    return result
  }
}

// MARK: - Kinds of value as `type` and `x-plist-type`

extension SchemaCopying {
  /// The keywords that allow values of some kinds, or a few more kinds where no keyword distinguishes them.
  ///
  /// There are several if kinds that `x-plist-type` distinguishes are combined with others, none of which it allows.
  private static func typed(
    _ kinds: ValueKinds
  ) -> [(kinds: ValueKinds, members: [(String, JSONTree)])] {
    if kinds.isEmpty { return [] }
    if kinds == .all { return [(kinds, [])] }
    var names: [JSONTree] = []
    var plain: ValueKinds = []
    for (name, group) in types where !kinds.isDisjoint(with: group) {
      // An integer is also a number.
      if name == "integer", names.contains(.string("number")) { continue }
      guard kinds.isSuperset(of: group) || exactTypes(kinds.intersection(group)) == nil else {
        continue
      }
      plain.formUnion(group.intersection(kinds))
      names.append(.string(name))
    }
    var result: [(kinds: ValueKinds, members: [(String, JSONTree)])] = []
    if !names.isEmpty {
      result.append((plain, [("type", names.count == 1 ? names[0] : .list(names))]))
    }
    let rest = kinds.subtracting(plain)
    for (name, group) in types where name != "number" && !rest.isDisjoint(with: group) {
      // A whole real is combined with the fractions, if there are any.
      let part = rest.intersection(group)
        .subtracting(rest.contains(.fraction) ? .wholeReal : [])
      guard let exact = exactTypes(part) else { continue }
      result.append((part, [("type", .string(name)), ("x-plist-type", exact)]))
    }
    if rest.contains(.fraction) {
      result.append(
        (
          rest.intersection(.real),
          [("type", .string("number")), ("x-plist-type", .string("real"))]
        ))
    }
    return result
  }

  private static let types: [(String, ValueKinds)] = [
    ("null", .null), ("boolean", .boolean), ("number", .number), ("integer", .integer),
    ("string", .string), ("array", .array), ("object", .object),
  ]

  private static let exact: [(String, ValueKinds)] = [
    ("integer", .storedInteger), ("real", .real), ("string", .text), ("date", .date),
    ("data", .data),
    ("uid", .uid),
  ]

  /// The exact types that allow exactly some kinds; nil if there are none.
  private static func exactTypes(_ kinds: ValueKinds) -> JSONTree? {
    var names: [JSONTree] = []
    var rest = kinds
    for (name, group) in exact where !kinds.isDisjoint(with: group) {
      names.append(.string(name))
      rest.subtract(group)
    }
    guard rest.isEmpty, !names.isEmpty else { return nil }
    return names.count == 1 ? names[0] : .list(names)
  }
}
