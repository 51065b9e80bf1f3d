// The schema of a model in another envelope.
//
// What Codable writes for Foundation's types: swift-foundation, the `encode(to:)` of URL, UUID and Decimal; a property
// that is nil is left out by the code that the compiler synthesizes.

import ArchiveBasics
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting

/// Derives the schema of a version in another envelope, with the same model.
package struct SchemaDerivation {
  /// What an archive of objects has in addition to values, and no other envelope tells.
  package struct Structure {
    /// The class of the root.
    package var rootClass: String?
    /// The classes of objects, by their paths.
    package var classes: [(path: GraphPath, name: String)] = []
    /// The storage of numbers and booleans.
    package var storage: String?
    /// The schema of an example, whose classes and storage are taken; nil without an example.
    package var example: JSONTree?

    /// Says nothing.
    package init() {}
  }

  /// What changes at a location.
  package struct Change: Sendable {
    /// The location.
    package let path: GraphPath
    /// The values before and after, in words.
    package let old: String
    package let new: String
  }

  /// A location, and the same one in the example.
  struct Position {
    var path = GraphPath()
    var example: SchemaShape?
    /// Whether null is left out there.
    var dropsNull = false
    /// Whether it is that of a definition, to which references lead.
    var isDefinition = false
    /// Whether it is one of several kinds of objects.
    var isVariant = false

    func inner(_ step: GraphPath.Step, _ example: JSONTree?) -> Position {
      let shape = example.flatMap { schema in self.example.map { $0.document.shape(schema) } }
      return Position(path: path.appending(step), example: shape)
    }
  }

  let source: ShapeDocument
  let envelope: Envelope
  let structure: Structure
  private let version: SchemaVersion
  private let name: String
  /// The definitions that were derived or are being derived.
  private var definitions: [(name: String, tree: JSONTree)] = []
  private var known: Set<String> = []
  private var changes: [Change] = []
  /// The name of the definition of URLs with a base; nil if there are none.
  private var urlDefinition: String?

  /// Specifies a derivation.
  ///
  /// - Parameters:
  ///   - version: the version whose model it is.
  ///   - envelope: the envelope of the new version.
  ///   - name: its name.
  ///   - structure: the classes and the storage of a new version of objects.
  package init(
    of version: SchemaVersion, in envelope: Envelope, named name: String,
    structure: Structure = Structure()
  ) {
    (self.version, self.envelope, self.name) = (version, envelope, name)
    (source, self.structure) = (ShapeDocument(version), structure)
  }

  /// Derives the schema.
  ///
  /// - Returns: the schema, and what differs from that of the version, outermost first.
  /// - Throws: `ArchiveError` with code `unsupported` and the path of what the envelope cannot hold or the schema leaves
  ///   open.
  package mutating func run() throws(ArchiveError) -> (schema: JSONTree, changes: [Change]) {
    guard version.envelope != .sequential, envelope != .sequential else {
      throw problem("typedstreams are not derived", Position())
    }
    let archive = try archive()
    let example = structure.example.map { ShapeDocument(tree: $0, envelope: envelope).root }
    let root = try derived(source.tree, Position(example: example))
    var members = (root.members ?? []).filter { !Self.rootKeywords.contains($0.0) }
    members.insert(
      contentsOf: [
        ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
        ("$id", .string("urn:archtool:\(version.family):\(name)")),
        ("title", .string("\(version.family) \(name)")), ("x-archive", archive),
      ], at: 0)
    if let urlDefinition { definitions.append((urlDefinition, urlForm())) }
    if !definitions.isEmpty {
      members.append(("$defs", .members(definitions.map { ($0.name, $0.tree) })))
    }
    let schema = JSONTree.members(members)
    describe(schema)
    return (schema, changes)
  }

  private static let rootKeywords: Set<String> = [
    "$schema", "$id", "title", "description", "x-archive", "$defs", "definitions",
  ]

  var isOfObjects: Bool { envelope == .nscoding }

  func problem(_ message: String, _ position: Position) -> ArchiveError {
    ArchiveError(.unsupported, message, path: position.path)
  }

  // MARK: The archive

  private func archive() throws(ArchiveError) -> JSONTree {
    let old = source.tree["x-archive"]
    let isKeyed = ![.json, .plist].contains(envelope)
    if isOfObjects, rootClass == nil {
      throw problem("the class of the root is open: --class NAME or --like FILE", Position())
    }
    let hasKeys = isKeyed && source.envelope != .json && old?["keys"]?.boolean == true
    if hasKeys, !isOfObjects {
      throw problem("its members are top-level keys, which only objects have", Position())
    }
    let hasClasses = isOfObjects || envelope == .dictionariable
    let before = envelope == .json && source.envelope == .json ? old : nil
    return .members(present: [
      "envelope": .string(envelope.rawValue),
      "classes": isOfObjects ? rootClass.map { [.string($0)] } : nil,
      "keys": hasKeys ? true : nil, "key": isKeyed ? old?["key"] : nil, "list": old?["list"],
      "foundation": hasClasses ? old?["foundation"] : nil,
      "dates": envelope == .json ? before?["dates"] ?? Self.dates : nil, "keys": before?["keys"],
    ])
  }

  /// How JSONEncoder writes dates by default.
  private static let dates = JSONTree.string("reference")

  var rootClass: String? {
    structure.rootClass
      ?? structure.example?["x-archive"]?["classes"]?.strings.first { !$0.contains("*") }
      ?? (source.envelope == .nscoding ? version.classPatterns.first { !$0.contains("*") } : nil)
  }

  // MARK: Schemas

  /// The schema of a location, with everything in it.
  mutating func derived(_ schema: JSONTree, _ position: Position) throws(ArchiveError) -> JSONTree {
    guard let members = schema.members, !members.isEmpty, schema["type"] != .string("null") else {
      return schema
    }
    if let reference = schema["$ref"]?.string { return try follow(reference, position) }
    let shape = source.shape(schema)
    if shape.tree["x-plist-type"]?.strings.contains("uid") == true {
      throw problem("a UID is a value of keyed archives alone", position)
    }
    try check(shape, position)
    if let form = try foundationForm(of: shape, position) { return form }
    var result: [(String, JSONTree)] = []
    for (keyword, value) in members {
      if let value = try derived(keyword, value, shape, position) {
        result.append((keyword, value))
      }
    }
    return try withStructure(.members(result), shape, position)
  }

  /// The definition that a reference names, derived once.
  private mutating func follow(
    _ reference: String, _ position: Position
  ) throws(ArchiveError) -> JSONTree {
    guard
      reference == "#" || reference.hasPrefix("#/$defs/")
        || reference.hasPrefix("#/definitions/"),
      let target = source.tree.value(at: String(reference.dropFirst()))
    else { throw problem("the reference '\(reference)' leaves the schema", position) }
    let result = { (name: String) in JSONTree.members([("$ref", .string(name))]) }
    if reference == "#" { return result(reference) }
    let name = reference.split(separator: "/").last.map(String.init) ?? ""
    if known.insert(name).inserted {
      var position = position
      (position.dropsNull, position.isDefinition) = (!isOfObjects, true)
      definitions.append((name, try derived(target, position)))
    }
    return result("#/$defs/\(name)")
  }

  /// The value of a keyword; nil if the new schema does not have it.
  private mutating func derived(
    _ keyword: String, _ value: JSONTree, _ shape: SchemaShape, _ position: Position
  ) throws(ArchiveError) -> JSONTree? {
    switch keyword {
    case "x-archive", "$defs", "definitions": return nil
    case "type", "x-plist-type", "enum", "anyOf", "oneOf":
      let alternatives = ["anyOf", "oneOf"].contains(keyword) ? value.list ?? [] : []
      let rest = position.dropsNull ? Self.withoutNull(value) : value
      guard !alternatives.isEmpty else { return rest }
      var variant = position
      // The class is that of the whole.
      variant.isVariant = shape.isOfRecords
      return try derived(list: rest, variant)
    case "allOf", "prefixItems": return try derived(list: value, position)
    case "properties", "patternProperties":
      return .members(try properties(value.members ?? [], shape, position))
    case "required": return .list(required(shape).map { .string($0) })
    case "items":
      let example = position.example?.tree["items"]
      return try derived(value, position.inner(.anyElement, example))
    case "additionalProperties":
      return try derived(value, position.inner(.anyMember, position.example?.mapValue))
    case "not", "if", "then", "else", "contains", "propertyNames":
      return try derived(value, position)
    case _ where SchemaKeyword.structure.contains(keyword): return kept(keyword, value, shape)
    default: return value
    }
  }

  private mutating func derived(
    list schemas: JSONTree, _ position: Position
  ) throws(ArchiveError) -> JSONTree {
    var all: [JSONTree] = []
    for schema in schemas.list ?? [] { all.append(try derived(schema, position)) }
    return .list(all)
  }

  private static func withoutNull(_ value: JSONTree) -> JSONTree {
    guard let list = value.list else { return value }
    let rest = list.filter {
      $0 != .null && $0 != .string("null") && $0["type"] != .string("null")
    }
    return rest.count == 1 && list.allSatisfy({ $0.string != nil }) && rest.count < list.count
      ? rest[0] : .list(rest)
  }

  private mutating func properties(
    _ members: [(String, JSONTree)], _ shape: SchemaShape, _ position: Position
  ) throws(ArchiveError) -> [(String, JSONTree)] {
    var result: [(String, JSONTree)] = []
    for (name, schema) in members {
      // What is only ever nil is in no other envelope.
      if !isOfObjects, shape.member(name)?.isRequired == true,
        source.shape(schema).isNothing
      {
        continue
      }
      var inner = position.inner(.key(name), position.example?.member(name)?.schema)
      let isRequired = shape.member(name)?.isRequired == true
      inner.dropsNull = !isOfObjects
      var tree = try derived(schema, inner)
      if isOfObjects, source.envelope != .nscoding, !isRequired, mayBeNil(schema) {
        tree = Self.withNull(tree)
      }
      result.append((name, tree))
    }
    return result
  }

  /// The members that an object must have: what may be nil is left out, except in objects.
  private func required(_ shape: SchemaShape) -> [String] {
    let members = shape.members
    let undescribed = (shape.tree["required"]?.strings ?? []).filter { name in
      !members.contains { $0.name == name }
    }
    let required = members.filter { member in
      if !isOfObjects { return member.isRequired && !source.shape(member.schema).isNullable }
      return member.isRequired || source.envelope != .nscoding && mayBeNil(member.schema)
    }
    return required.map(\.name) + undescribed
  }

  /// Whether an object stores nil for a member that is absent: not for one that it stores inline.
  private func mayBeNil(_ schema: JSONTree) -> Bool {
    ![.integer, .number, .boolean].contains(source.shape(schema).kind)
  }

  /// The schema that also allows null.
  private static func withNull(_ schema: JSONTree) -> JSONTree {
    guard schema["$ref"] == nil, let types = schema["type"]?.strings, !types.isEmpty else {
      return .members([("anyOf", .list([schema, .members([("type", .string("null"))])]))])
    }
    if types.contains("null") { return schema }
    func adding(_ names: [String]) -> JSONTree {
      .list(names.map { .string($0) } + [.string("null")])
    }
    var result = schema.setting("type", adding(types))
    if let exact = schema["x-plist-type"]?.strings {
      result = result.setting("x-plist-type", adding(exact))
    }
    if let values = schema["enum"]?.list {
      result = result.setting("enum", .list(values + [.null]))
    }
    return result
  }

  // MARK: Names of definitions

  /// The reference to the definition of URLs that may have a base.
  mutating func urlReference() -> JSONTree {
    let taken = Set((source.tree["$defs"]?.members ?? []).map(\.0))
    let name = urlDefinition ?? (taken.contains("URL") ? "FoundationURL" : "URL")
    urlDefinition = name
    return .members([("$ref", .string("#/$defs/\(name)"))])
  }

  private func urlForm() -> JSONTree {
    FoundationForm.url(
      base: .members([("$ref", .string("#/$defs/\(urlDefinition ?? "URL")"))]))
  }

  // MARK: What changes

  private mutating func describe(_ schema: JSONTree) {
    let target = ShapeDocument(tree: schema, envelope: envelope)
    var described: Set<String> = []
    var waiting = [(source.root, target.root, GraphPath(), true, true)]
    while let (old, new, path, wasRequired, isRequired) = waiting.popLast() {
      let pair = (old.words(isRequired: wasRequired), new.words(isRequired: isRequired))
      if pair.0 != pair.1 { changes.append(Change(path: path, old: pair.0, new: pair.1)) }
      guard old.kind == new.kind, [.record, .list, .map].contains(old.kind) else { continue }
      if let reference = old.reference, !described.insert(reference).inserted { continue }
      let parts: [(GraphPath.Step, JSONTree?, JSONTree?)] = [
        (.anyElement, old.tree["items"], new.tree["items"]),
        (.anyMember, old.mapValue, new.mapValue),
      ]
      for case (let step, let one?, let other?) in parts {
        waiting.append((source.shape(one), target.shape(other), path.appending(step), true, true))
      }
      for member in old.members.reversed() {
        let (path, shape) = (path.appending(.key(member.name)), source.shape(member.schema))
        guard let other = new.member(member.name) else {
          let words = shape.words(isRequired: member.isRequired)
          changes.append(Change(path: path, old: words, new: "absent"))
          continue
        }
        waiting.append(
          (shape, target.shape(other.schema), path, member.isRequired, other.isRequired))
      }
    }
  }
}
