// The schema of a location as the search for a lens sees it: references followed, null set apart.

import ArchiveBasics
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting

/// The schema of a version, whose references are followed.
struct ShapeDocument {
  let tree: JSONTree
  let envelope: Envelope

  private static let referenceLimit = 64
  private static let signatureLimit = 20_000

  init(_ version: SchemaVersion) {
    self.init(tree: version.tree, envelope: version.envelope ?? .plist)
  }

  init(tree: JSONTree, envelope: Envelope) { (self.tree, self.envelope) = (tree, envelope) }

  /// The shape of the root, which references name `#`.
  var root: SchemaShape { shape(tree, reference: "#") }

  /// The shape of a schema of the document.
  func shape(_ schema: JSONTree, reference: String? = nil) -> SchemaShape {
    var (schema, reference) = (schema, reference)
    var isNullable = false
    for _ in 0..<Self.referenceLimit {
      if let next = schema["$ref"]?.string {
        guard let target = target(of: next) else { break }
        schema = Self.joined(schema.removing("$ref"), target)
        reference = next
      } else if let word = ["anyOf", "oneOf"].first(where: { schema[$0]?.list != nil }),
        let list = schema[word]?.list
      {
        let values = list.filter { $0["type"] != .string("null") }
        isNullable = isNullable || values.count < list.count
        guard values.count == 1 else { break }
        schema = Self.joined(schema.removing(word), values[0])
      } else if let all = schema["allOf"]?.list, all.count == 1 {
        schema = Self.joined(schema.removing("allOf"), all[0])
      } else {
        break
      }
    }
    return SchemaShape(
      document: self, tree: schema, reference: reference, isNullable: isNullable)
  }

  /// The schema that a reference within the document leads to; nil for any other.
  private func target(of reference: String) -> JSONTree? {
    guard reference.hasPrefix("#") else { return nil }
    return tree.value(at: String(reference.dropFirst()))
  }

  /// A schema with the keywords of another that it does not have itself.
  private static func joined(_ schema: JSONTree, _ other: JSONTree) -> JSONTree {
    guard let members = schema.members, !members.isEmpty, let others = other.members else {
      return other
    }
    return .members(members + others.filter { schema[$0.0] == nil })
  }

  // MARK: Signatures

  /// Keywords that signatures leave out: they say nothing of values, or are described otherwise.
  private static let unsigned: Set<String> = [
    "title", "description", "$comment", "$id", "$schema", "$defs", "definitions", "examples",
    "default", "x-default", "x-archive", "type", "x-plist-type", "properties", "required",
    "additionalProperties", "items", "anyOf", "oneOf", "format",
  ]

  /// A text that equal schemas share, whatever their references are called.
  func signature(of schema: JSONTree) -> String {
    var budget = Self.signatureLimit
    return signature(schema, open: [], &budget)
  }

  private func signature(_ schema: JSONTree, open: [String], _ budget: inout Int) -> String {
    budget -= 1
    guard budget > 0 else { return "…" }
    let shape = shape(schema)
    var open = open
    if let reference = shape.reference {
      if let index = open.lastIndex(of: reference) { return "#\(open.count - index)" }
      open.append(reference)
    }
    var parts = ["\(shape.kind)", shape.isNullable ? "null" : ""]
    for (name, value) in (shape.tree.members ?? []).sorted(by: { $0.0 < $1.0 })
    where !Self.unsigned.contains(name) && !SchemaKeyword.structure.contains(name) {
      parts.append("\(name)=\(value.compactText)")
    }
    for member in shape.members.sorted(by: { $0.name < $1.name }) {
      let inner = signature(member.schema, open: open, &budget)
      parts.append("\(member.name)\(member.isRequired ? "" : "?"):\(inner)")
    }
    for inner in [shape.tree["items"], shape.mapValue].compactMap({ $0 }) + shape.alternatives {
      parts.append("[\(signature(inner, open: open, &budget))]")
    }
    return "{\(parts.joined(separator: ";"))}"
  }
}

/// What the values of a location are.
enum ShapeKind: String {
  case record, map, list, text, date, data, url, uuid, decimal, color, location, structure
  case integer, number, boolean
  /// Values of several types, or of any.
  case mixed

  /// Whether values are texts in JSON.
  var isScalar: Bool { ![.record, .map, .list, .mixed].contains(self) }
}

/// The schema of a location.
struct SchemaShape {
  /// A member of the objects at a location.
  struct Member {
    let name: String
    let schema: JSONTree
    let isRequired: Bool
  }

  let document: ShapeDocument
  /// The schema, without references of its own.
  private(set) var tree: JSONTree
  /// The reference that leads to it; nil if it is written in place.
  let reference: String?
  let isNullable: Bool
  /// The types of its values, without null.
  let types: [String]

  init(document: ShapeDocument, tree: JSONTree, reference: String?, isNullable: Bool) {
    (self.document, self.tree, self.reference) = (document, tree, reference)
    let all = Self.types(of: tree)
    types = all.filter { $0 != "null" }
    self.isNullable = isNullable || all.contains("null")
  }

  private static func types(of tree: JSONTree) -> [String] {
    if let types = tree["type"]?.strings, !types.isEmpty { return types }
    if let values = tree["enum"]?.list ?? tree["const"].map({ [$0] }) {
      return values.map(\.schemaType).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
    if ["properties", "additionalProperties"].contains(where: { tree[$0] != nil }) {
      return ["object"]
    }
    if tree["items"] != nil { return ["array"] }
    switch tree["x-plist-type"]?.string {
    case "date"?, "data"?, "string"?: return ["string"]
    case "real"?: return ["number"]
    case let name?: return [name]
    case nil: return []
    }
  }

  // MARK: Facts

  /// Whether null is its only value.
  var isNothing: Bool { tree["type"]?.strings == ["null"] }

  /// The schemas of values of several kinds.
  var alternatives: [JSONTree] {
    ((tree["anyOf"] ?? tree["oneOf"])?.list ?? []).filter { $0["type"] != .string("null") }
  }

  /// The members that the schema names, except for those that it forbids.
  var members: [Member] {
    let required = Set(tree["required"]?.strings ?? [])
    return (tree["properties"]?.members ?? []).filter { $0.1.boolean != false }.map {
      Member(name: $0.0, schema: $0.1, isRequired: required.contains($0.0))
    }
  }

  func member(_ name: String) -> Member? { members.first { $0.name == name } }

  /// The schema of the values of a dictionary; nil if none is given.
  var mapValue: JSONTree? { tree["additionalProperties"].flatMap { $0.members == nil ? nil : $0 } }

  /// The only values that it allows; nil if others may occur.
  var values: [JSONTree]? {
    if let list = tree["enum"]?.list { return list.filter { $0 != .null } }
    if let only = tree["const"] { return [only] }
    if kind == .boolean { return [.boolean(false), .boolean(true)] }
    if kind == .integer, case .integer(let least)? = tree["minimum"],
      case .integer(let most)? = tree["maximum"], most >= least, most - least < 32
    {
      return (least...most).map { .integer($0) }
    }
    return nil
  }

  /// The value for a member that is missing: what the schema says itself; nil if it says none.
  var standard: JSONTree? {
    if let value = tree["x-default"] ?? tree["default"] ?? tree["const"] { return value }
    return tree["enum"].flatMap { $0.list?.count == 1 ? $0.list?.first : nil }
  }

  /// The first class that is no pattern; nil if there is none.
  var className: String? { tree["x-class"]?.strings.first { !$0.contains("*") } }

  /// The only storage in an object; nil if none or both are allowed.
  var storage: String? { tree["x-storage"]?.string }

  /// What its values are.
  var kind: ShapeKind {
    guard alternatives.isEmpty else { return .mixed }
    if let kind = classKind { return kind }
    switch Set(types) {
    case ["object"]: return objectKind
    case ["array"]: return .list
    case ["string"]: return textKind
    case ["integer"]: return .integer
    case ["number"], ["number", "integer"]: return .number
    case ["boolean"]: return .boolean
    default: return .mixed
    }
  }

  private var classKind: ShapeKind? {
    guard document.envelope.isOfObjects else { return nil }
    switch className {
    case "NSURL"?: return .url
    case "NSUUID"?: return .uuid
    case "NSDecimalNumber"?: return .decimal
    case "UIColor"?, "NSColor"?: return .color
    case "CLLocation"?: return .location
    case "NSValue"?: return .structure
    default: return nil
    }
  }

  private var textKind: ShapeKind {
    let exact = Set(tree["x-plist-type"]?.strings ?? []).subtracting(["null"])
    if exact == ["date"] { return .date }
    if exact == ["data"] { return .data }
    switch tree["format"]?.string {
    case "uuid"? where !document.envelope.isOfObjects: return .uuid
    case "uri"? where document.envelope == .json: return .url
    case "uri-reference"? where document.envelope == .json: return .url
    default: return .text
    }
  }

  /// The kind of an object: Codable writes URLs and decimal numbers as such.
  private var objectKind: ShapeKind {
    let names = Set((tree["properties"]?.members ?? []).map(\.0))
    if document.envelope == .codable || document.envelope == .plist,
      tree["additionalProperties"] == .boolean(false)
    {
      if names == ["relative"] || names == ["relative", "base"] { return .url }
      if names == ["exponent", "isCompact", "isNegative", "length", "mantissa"] { return .decimal }
    }
    return names.isEmpty && tree["additionalProperties"] != .boolean(false) ? .map : .record
  }

  /// The schemas of its values: its own, or those of several kinds.
  var variants: [SchemaShape] {
    alternatives.isEmpty ? [self] : alternatives.map { document.shape($0) }
  }

  /// The names of the members that its values may have.
  var names: Set<String> { Set(variants.flatMap(\.members).map(\.name)) }

  /// The members that all its values have, and that may be texts.
  var keyNames: [String] {
    let required = variants.map { $0.tree["required"]?.strings ?? [] }
    return (required.first ?? []).filter { name in
      required.allSatisfy { $0.contains(name) }
        && variants.allSatisfy { variant in
          variant.member(name).map { document.shape($0.schema).kind == .text } ?? true
        }
    }
  }

  /// The same without a member.
  func without(_ name: String) -> SchemaShape {
    var shape = self
    shape.remove(name)
    for word in ["anyOf", "oneOf"] where tree[word] != nil {
      let rest = variants.map { $0.without(name).tree }
      shape.tree = shape.tree.setting(word, .list(rest)).removing("properties", "required")
    }
    return shape
  }

  // MARK: Changes that operations make

  /// Adds a member, or replaces the one of its name; without a schema, removes it.
  mutating func set(_ name: String, _ schema: JSONTree?, isRequired: Bool = false) {
    let others = (tree["properties"]?.members ?? []).filter { $0.0 != name }
    tree = tree.setting("properties", .members(others + (schema.map { [(name, $0)] } ?? [])))
    let required = (tree["required"]?.strings ?? []).filter { $0 != name }
    let names = required + (isRequired ? [name] : [])
    tree = tree.setting("required", .list(names.map { .string($0) }))
  }

  mutating func remove(_ name: String) { set(name, nil) }

  static func empty(in document: ShapeDocument) -> SchemaShape {
    SchemaShape(
      document: document,
      tree: .members([
        ("type", .string("object")), ("properties", .members([])),
        ("additionalProperties", .boolean(false)),
      ]), reference: nil, isNullable: false)
  }
}

extension JSONTree {
  /// The object with another value for a member, in its position.
  func setting(_ name: String, _ value: JSONTree) -> JSONTree {
    var members = members ?? []
    if let index = members.lastIndex(where: { $0.0 == name }) {
      members[index].1 = value
    } else {
      members.append((name, value))
    }
    return .members(members)
  }

  func removing(_ names: String...) -> JSONTree {
    .members((members ?? []).filter { !names.contains($0.0) })
  }
}
