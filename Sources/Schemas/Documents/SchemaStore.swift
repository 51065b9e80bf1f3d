// Every schema that a run knows, by URI. Nothing is ever fetched: what is not here is not found.

import Basics
import ObjectGraph
import PropertyLists

/// Schema documents, and the resources in them.
public final class SchemaStore {
  private(set) var resources: [SchemaResource] = []
  private var numbers: [String: Int] = [:]
  private var documentCount = 0
  private let library: SchemaLibrary
  /// Where the members of large objects are, by the place of the object.
  private var memberNumbers: [String: [ExactText: Int]] = [:]
  /// Objects of more members are looked up by name, not searched.
  private static let fewMembers = 32

  /// Makes a store.
  ///
  /// - Parameter library: where documents that are referred to are looked for.
  public init(library: SchemaLibrary = SchemaLibrary()) { self.library = library }

  // MARK: Adding

  /// Adds a document.
  ///
  /// - Parameters:
  ///   - tree: the schema.
  ///   - uri: the URI that it was found under; an `$id` is resolved against it.
  /// - Returns: the number of its root resource.
  /// - Throws: `ArchiveError` if an identifier in it is wrong or taken.
  @discardableResult
  func add(_ tree: JSONTree, uri: String) throws(ArchiveError) -> Int {
    let document = documentCount
    documentCount += 1
    let dialect = try dialect(of: tree, default: .standard)
    var base = uri
    if let id = tree["$id"]?.string { base = URLReference.resolve(id, against: uri) }
    let root = try open(tree, uri: withoutFragment(base), document, dialect, path: "$.$id")
    // The document is also what it was found as.
    let place = withoutFragment(uri)
    if numbers[place] == nil { numbers[place] = root }
    try index(tree, root, document, pointer: "", documentPointer: "")
    return root
  }

  private func open(
    _ tree: JSONTree, uri: String, _ document: Int, _ dialect: SchemaDialect, path: String
  ) throws(ArchiveError) -> Int {
    if !uri.isEmpty, let known = numbers[uri], resources[known].tree != tree {
      throw ArchiveError(
        .malformed, "the schema is wrong: the identifier \(uri) belongs to another schema",
        path: path)
    }
    resources.append(SchemaResource(uri: uri, document: document, tree: tree, dialect: dialect))
    let number = resources.count - 1
    if !uri.isEmpty { numbers[uri] = number }
    return number
  }

  /// Finds the identifiers and anchors below a schema; only where keywords hold schemas.
  private func index(
    _ tree: JSONTree, _ resource: Int, _ document: Int, pointer: String, documentPointer: String
  ) throws(ArchiveError) {
    guard let members = tree.members else { return }
    var resource = resource
    var pointer = pointer
    if !documentPointer.isEmpty, let id = tree["$id"]?.string {
      let uri = withoutFragment(URLReference.resolve(id, against: resources[resource].uri))
      let dialect = try dialect(of: tree, default: resources[resource].dialect)
      resource = try open(
        tree, uri: uri, document, dialect, path: path(of: documentPointer + "/$id"))
      pointer = ""
    }
    try addAnchors(of: tree, to: resource, pointer, documentPointer)
    for (name, value) in members {
      guard let keyword = SchemaKeyword.all[name] else { continue }
      let step = "/" + JSONPointer.escaped(name)
      for (suffix, part) in Self.parts(of: value, keyword.shape) {
        try index(
          part, resource, document, pointer: pointer + step + suffix,
          documentPointer: documentPointer + step + suffix)
      }
    }
  }

  private func addAnchors(
    of tree: JSONTree, to resource: Int, _ pointer: String, _ documentPointer: String
  ) throws(ArchiveError) {
    for keyword in ["$anchor", "$dynamicAnchor"] {
      guard let name = tree[keyword]?.string else { continue }
      let resource = resources[resource]
      if let known = resource.anchors[name], known != pointer {
        throw ArchiveError(
          .malformed, "the schema is wrong: the anchor '\(name)' stands twice",
          path: path(of: documentPointer + "/" + keyword))
      }
      resource.anchors[name] = pointer
      if keyword == "$dynamicAnchor" { resource.dynamicAnchors.insert(name) }
    }
  }

  /// The schemas in a keyword's value, with the pointers to them.
  static func parts(of value: JSONTree, _ shape: SchemaKeyword.Shape) -> [(String, JSONTree)] {
    switch shape {
    case .none: return []
    case .schema: return [("", value)]
    case .list:
      return (value.list ?? []).enumerated().map { ("/\($0.offset)", $0.element) }
    case .map:
      return (value.members ?? []).map { ("/" + JSONPointer.escaped($0.0), $0.1) }
    }
  }

  // MARK: Dialects

  private func dialect(
    of tree: JSONTree, default inherited: SchemaDialect
  ) throws(ArchiveError) -> SchemaDialect {
    guard let schema = tree["$schema"]?.string else { return inherited }
    let uri = withoutFragment(schema)
    if uri == SchemaDialect.standardURI || uri == MetaSchemas.archtoolURI { return .standard }
    if uri.contains("json-schema.org/draft") {
      throw ArchiveError(
        .unsupported, "the schema is written in \(uri); archtool reads JSON Schema 2020-12",
        path: "$['$schema']")
    }
    guard let number = try resource(uri) else {
      throw ArchiveError(
        .unsupported, "the meta-schema \(uri) is not known; put it into a folder of --schemas",
        path: "$['$schema']")
    }
    return try SchemaDialect(metaSchema: resources[number].tree, uri: uri)
  }

  // MARK: Finding

  /// The number of the resource of a URI without fragment; nil if there is none.
  private func resource(_ uri: String) throws(ArchiveError) -> Int? {
    if let known = numbers[uri] { return known }
    guard let tree = try library.document(uri) else {
      // What a family's version refers to lies beside that, whatever name led there.
      guard let found = try library.version(uri) else { return nil }
      if let known = numbers[withoutFragment(found.uri)] {
        numbers[uri] = known
        return known
      }
      let number = try add(found.tree, uri: found.uri)
      numbers[uri] = number
      return number
    }
    let number = try add(tree, uri: uri)
    numbers[uri] = number
    return number
  }

  /// The schema that a reference leads to.
  ///
  /// - Parameters:
  ///   - reference: `$ref` or `$dynamicRef`.
  ///   - base: the resource that it stands in.
  /// - Returns: the schema, and the anchor that names it if the reference did; nil if it leads nowhere.
  func find(
    _ reference: String, from base: Int
  ) throws(ArchiveError) -> (location: SchemaLocation, anchor: String?)? {
    let full = URLReference.resolve(reference, against: resources[base].uri)
    let uri = withoutFragment(full)
    let target = uri == resources[base].uri ? base : try resource(uri)
    guard let target else { return nil }
    guard let fragment = URLReference(full).fragment.flatMap(PercentEncoding.decoded),
      !fragment.isEmpty
    else {
      return (SchemaLocation(resource: target, pointer: "", tree: resources[target].tree), nil)
    }
    if fragment.hasPrefix("/") {
      return walk(fragment, from: target).map { ($0, nil) }
    }
    guard let pointer = resources[target].anchors[fragment] else { return nil }
    return walk(pointer, from: target).map { ($0, fragment) }
  }

  /// The schema that a pointer leads to, its resource being the innermost on the way.
  func walk(_ pointer: String, from start: Int) -> SchemaLocation? {
    guard let tokens = JSONPointer.tokens(of: pointer) else { return nil }
    var location = SchemaLocation(resource: start, pointer: "", tree: resources[start].tree)
    for token in tokens {
      guard let next = step(token, from: location) else { return nil }
      location = canonical(location.part(token, tree: next))
    }
    return location
  }

  /// A part of a schema; references into one object of many members would search it again and again.
  private func step(_ token: String, from location: SchemaLocation) -> JSONTree? {
    guard let members = location.tree.members, members.count > Self.fewMembers else {
      return location.tree.step(token)
    }
    let place = "\(location.resource) \(location.pointer)"
    if memberNumbers[place] == nil {
      var numbers: [ExactText: Int] = [:]
      for (number, member) in members.enumerated() { numbers[ExactText(member.0)] = number }
      memberNumbers[place] = numbers
    }
    return memberNumbers[place]?[ExactText(token)].map { members[$0].1 }
  }

  /// The same place counted from its own resource, where it is the root of one.
  func canonical(_ location: SchemaLocation) -> SchemaLocation {
    guard let identifier = step("$id", from: location), !location.pointer.isEmpty else {
      return location
    }
    let resource = resources[location.resource]
    let uri = identifier.string.map {
      withoutFragment(URLReference.resolve($0, against: resource.uri))
    }
    guard let uri, let number = numbers[uri], resources[number].document == resource.document else {
      return location
    }
    return SchemaLocation(resource: number, pointer: "", tree: location.tree)
  }

  /// A place as URI with fragment.
  func absolute(_ location: SchemaLocation) -> String {
    resources[location.resource].uri + "#" + PercentEncoding.encoded(location.pointer)
  }

  private func path(of pointer: String) -> String { GraphPath(pointer: pointer).description }

  /// The URI without a fragment, as all that are equivalent to it.
  private func withoutFragment(_ uri: String) -> String {
    PercentEncoding.normalized(String(uri.prefix { $0 != "#" }))
  }
}

extension GraphPath {
  /// The place in a schema document that a JSON Pointer leads to; numbers are taken for elements.
  package init(pointer: String) {
    self.init((JSONPointer.tokens(of: pointer) ?? []).map { Int($0).map(Step.index) ?? .key($0) })
  }
}

// MARK: - A schema resource: a schema with a URI of its own, within a document (JSON Schema Core 2020-12, section 4.3.5)

/// A schema that other schemas refer to by URI.
final class SchemaResource {
  /// Its absolute URI without a fragment; empty for a document that has none.
  let uri: String
  /// The number of the document.
  let document: Int
  /// The schema.
  let tree: JSONTree
  /// The vocabularies in force.
  let dialect: SchemaDialect
  /// The schemas that `$anchor` and `$dynamicAnchor` name, by their pointers.
  var anchors: [String: String] = [:]
  /// The names among them that `$dynamicAnchor` gave.
  var dynamicAnchors: Set<String> = []

  init(uri: String, document: Int, tree: JSONTree, dialect: SchemaDialect) {
    self.uri = uri
    self.document = document
    self.tree = tree
    self.dialect = dialect
  }
}

/// A schema's place: its resource, and the pointer from there.
struct SchemaLocation {
  /// The number of the resource.
  let resource: Int
  /// A JSON Pointer from the resource's root.
  let pointer: String
  /// The schema.
  let tree: JSONTree

  /// The place of a part.
  func part(_ tokens: String..., tree: JSONTree) -> SchemaLocation {
    let suffix = tokens.map { "/" + JSONPointer.escaped($0) }.joined()
    return SchemaLocation(resource: resource, pointer: pointer + suffix, tree: tree)
  }
}
