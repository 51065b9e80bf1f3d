// From the JSON of a schema to a CompiledSchema.
//
// Keywords are those of JSON Schema 2020-12, core and validation vocabularies. One that this version does not
// know is refused by name: a schema must never hold because a part of it was not looked at.

import KeyedArchives
import ObjectGraph

/// Compiles schemas.
struct SchemaCompiler {
  private static let annotations: Set<String> = [
    "$schema", "$id", "$comment", "$defs", "title", "description", "default", "examples",
    "deprecated", "readOnly", "writeOnly", "x-archive",
  ]

  private let graph: ObjectGraph
  private var nodes: [SchemaNode] = [SchemaNode()]
  private var places: [Node: Int] = [:]
  private var waiting: [(node: Node, place: Int, path: GraphPath)] = []

  /// Compiles the schema that is a graph's root.
  ///
  /// - Throws: `ArchiveError` with the path of what is wrong in the schema.
  static func compile(
    _ graph: ObjectGraph, allowsList: Bool
  ) throws(ArchiveError) -> CompiledSchema {
    var compiler = SchemaCompiler(graph: graph)
    let root = try compiler.place(of: graph.root, GraphPath())
    while let (node, place, path) = compiler.waiting.popLast() {
      try compiler.fill(place, from: node, path)
    }
    return CompiledSchema(nodes: compiler.nodes, root: root, allowsList: allowsList)
  }

  private init(graph: ObjectGraph) { self.graph = graph }

  /// The place of a schema object, following references that stand alone.
  private mutating func place(of node: Node, _ path: GraphPath) throws(ArchiveError) -> Int {
    var node = node
    var steps = 0
    while let reference = try soleReference(node, path) {
      node = try resolve(reference, path)
      steps += 1
      if steps > 64 { throw problem("references lead round in a circle", path) }
    }
    if let known = places[node] { return known }
    if case .boolean(true) = graph.value(of: node) { return 0 }
    let place = nodes.count
    nodes.append(SchemaNode())
    places[node] = place
    waiting.append((node, place, path))
    return place
  }

  /// The text of `$ref` if the schema is a reference; one with other keywords beside it is not supported.
  private func soleReference(_ node: Node, _ path: GraphPath) throws(ArchiveError) -> String? {
    let members = JSONMembers(of: node, in: graph)
    guard let reference = members.string("$ref") else { return nil }
    let others = members.names.filter { $0 != "$ref" && !Self.annotations.contains($0) }
    if let other = others.first {
      throw problem("'\(other)' beside '$ref' is not supported by this version", path)
    }
    return reference
  }

  /// The schema object that a JSON Pointer in the same document leads to (RFC 6901).
  private func resolve(_ reference: String, _ path: GraphPath) throws(ArchiveError) -> Node {
    guard reference.hasPrefix("#") else {
      throw problem("'$ref' to another document is not supported by this version", path)
    }
    var node = graph.root
    for token in reference.dropFirst().split(separator: "/") {
      let name = JSONMembers.unescaped(String(token))
      guard let next = JSONMembers(of: node, in: graph)[name] else {
        throw problem("'$ref' leads nowhere: \(reference)", path)
      }
      node = next
    }
    return node
  }

  private mutating func fill(_ place: Int, from node: Node, _ path: GraphPath) throws(ArchiveError)
  {
    guard case .dictionary = graph.value(of: node) else {
      throw problem("a schema must be an object or true", path)
    }
    let members = JSONMembers(of: node, in: graph)
    for (name, value) in members.all where !Self.annotations.contains(name) {
      try apply(name, value, members, to: place, path.appending(.key(name)))
    }
    let schema = nodes[place]
    let types = schema.plistType ?? schema.types ?? []
    if types == .integer { schema.numberShape = .integer }
    if types == .number || types == .real { schema.numberShape = .real }
    if types == .boolean { schema.numberShape = .boolean }
  }

  private mutating func apply(
    _ name: String, _ value: Node, _ members: JSONMembers, to place: Int, _ path: GraphPath
  ) throws(ArchiveError) {
    let schema = nodes[place]
    switch name {
    case "type": schema.types = try types(value, path)
    case "x-plist-type": schema.plistType = try types(value, path)
    case "properties":
      let required = Set(members["required"].map { JSONMembers.strings($0, in: graph) } ?? [])
      schema.properties = try properties(value, required, path)
    case "required":
      let named = members["properties"].map { JSONMembers(of: $0, in: graph).names } ?? []
      for missing in JSONMembers.strings(value, in: graph) where !named.contains(missing) {
        throw problem("'\(missing)' is required, but not among 'properties'", path)
      }
    case "additionalProperties":
      if case .boolean(let flag) = graph.value(of: value) {
        schema.additional = flag ? .allowed : .forbidden
      } else {
        schema.additional = .schema(try self.place(of: value, path))
      }
    case "items": schema.items = try self.place(of: value, path)
    case "minItems": schema.minimumItems = try count(value, path)
    case "maxItems": schema.maximumItems = try count(value, path)
    case "minLength": schema.minimumLength = try count(value, path)
    case "maxLength": schema.maximumLength = try count(value, path)
    case "minimum": schema.minimum = try number(value, path)
    case "maximum": schema.maximum = try number(value, path)
    case "enum": schema.allowedStrings = JSONMembers.strings(value, in: graph)
    default: throw problem("the keyword '\(name)' is not supported by this version", path)
    }
  }

  private mutating func properties(
    _ value: Node, _ required: Set<String>, _ path: GraphPath
  ) throws(ArchiveError) -> [SchemaNode.Property] {
    var properties: [SchemaNode.Property] = []
    for (name, node) in JSONMembers(of: value, in: graph).all {
      let place = try self.place(of: node, path.appending(.key(name)))
      properties.append(
        SchemaNode.Property(
          name: name, utf8: Array(name.utf8), place: place, isRequired: required.contains(name)))
    }
    return properties
  }

  private func types(_ value: Node, _ path: GraphPath) throws(ArchiveError) -> TypeMask {
    var mask: TypeMask = []
    for name in JSONMembers.strings(value, in: graph) {
      guard let type = TypeMask(name: name) else { throw problem("unknown type '\(name)'", path) }
      mask.insert(type)
    }
    if mask.isEmpty { throw problem("a type or a list of types must stand here", path) }
    return mask
  }

  private func count(_ value: Node, _ path: GraphPath) throws(ArchiveError) -> Int {
    guard case .integer(let count) = graph.value(of: value), count >= 0 else {
      throw problem("a non-negative integer must stand here", path)
    }
    return Int(count)
  }

  private func number(_ value: Node, _ path: GraphPath) throws(ArchiveError) -> Double {
    switch graph.value(of: value) {
    case .integer(let number): return Double(number)
    case .real(let number): return number
    default: throw problem("a number must stand here", path)
    }
  }

  private func problem(_ message: String, _ path: GraphPath) -> ArchiveError {
    ArchiveError(.malformed, "the schema is wrong: \(message)", path: path.description)
  }
}
