// The schemas that a run knows, by URI. Nothing is ever downloaded.

import ArchiveBasics
import ArchivePropertyLists

final class SchemaStore {
  private(set) var resources: [SchemaResource] = []
  private var numbers: [CodePointString: Int] = [:]
  private var documentCount = 0
  /// The numbers of resources by their documents and the pointers in those.
  private var numbersByPointer: [CodePointString: Int] = [:]
  private let library: SchemaLibrary?
  /// Whether faults in documents are errors.
  private let isChecked: Bool
  /// The positions of the members of large objects, by the object's location.
  private var memberNumbers: [CodePointString: [CodePointString: Int]] = [:]
  /// Objects with more members than this are indexed by name, not searched.
  private static let fewMembers = 32
  /// The target of an anchor that two schemas of a resource share.
  private static let nowhere = "#"

  /// Makes a store.
  ///
  /// - Parameter library: where to find documents that are referred to.
  init(library: SchemaLibrary = SchemaLibrary()) {
    self.library = library
    isChecked = true
  }

  /// Makes a store of one document whose faults are ignored.
  ///
  /// It finds nothing outside the document, and no repeated anchor.
  init(of tree: JSONTree) {
    library = nil
    isChecked = false
    // Only checks throw errors.
    _ = try? add(tree, uri: "")
  }

  // MARK: Adding

  /// Adds a document.
  ///
  /// - Parameters:
  ///   - tree: the schema.
  ///   - uri: the URI of the document; its `$id` is resolved against it.
  /// - Returns: the number of its root resource.
  /// - Throws: `ArchiveError` if an identifier in it is invalid or already in use.
  @discardableResult
  func add(_ tree: JSONTree, uri: String) throws(ArchiveError) -> Int {
    let document = documentCount
    documentCount += 1
    let dialect = try dialect(of: tree, default: .standard)
    var base = uri
    if let id = tree["$id"]?.string { base = URLReference.resolve(id, against: uri) }
    let root = try open(tree, uri: withoutFragment(base), document, dialect, "")
    // The document can also be found by the URI that it was loaded from.
    let key = withoutFragment(uri)
    if numbers[CodePointString(key)] == nil { numbers[CodePointString(key)] = root }
    try index(tree, root, document, pointer: "", documentPointer: "", depth: 0)
    return root
  }

  private func open(
    _ tree: JSONTree, uri: String, _ document: Int, _ dialect: SchemaDialect, _ pointer: String
  ) throws(ArchiveError) -> Int {
    if isChecked, !uri.isEmpty, let known = numbers[CodePointString(uri)],
      resources[known].tree != tree
    {
      throw ArchiveError(
        .malformed, "the schema is wrong: the identifier \(uri) belongs to another schema",
        path: GraphPath(pointer: pointer + "/$id"))
    }
    resources.append(
      SchemaResource(
        uri: uri, document: document, pointer: pointer, tree: tree, dialect: dialect))
    let number = resources.count - 1
    numbersByPointer[CodePointString("\(document) \(pointer)")] = number
    if !uri.isEmpty { numbers[CodePointString(uri)] = number }
    return number
  }

  /// Finds the identifiers and anchors below a schema, only in keywords that contain schemas.
  private func index(
    _ tree: JSONTree, _ resource: Int, _ document: Int, pointer: String, documentPointer: String,
    depth: Int
  ) throws(ArchiveError) {
    guard let members = tree.members, depth <= JSONTree.depthLimit else { return }
    var resource = resource
    var pointer = pointer
    if !documentPointer.isEmpty, let id = tree["$id"]?.string {
      let uri = withoutFragment(URLReference.resolve(id, against: resources[resource].uri))
      let dialect = try dialect(of: tree, default: resources[resource].dialect)
      resource = try open(tree, uri: uri, document, dialect, documentPointer)
      pointer = ""
    }
    try addAnchors(of: tree, to: resource, pointer, documentPointer)
    for (name, value) in members {
      guard let keyword = SchemaKeyword.all[name] else { continue }
      let step = "/" + JSONPointer.escaped(name)
      for (suffix, part) in Self.parts(of: value, keyword.shape) {
        try index(
          part, resource, document, pointer: pointer + step + suffix,
          documentPointer: documentPointer + step + suffix, depth: depth + 1)
      }
    }
  }

  private func addAnchors(
    of tree: JSONTree, to resource: Int, _ pointer: String, _ documentPointer: String
  ) throws(ArchiveError) {
    for keyword in ["$anchor", "$dynamicAnchor"] {
      guard let name = tree[keyword]?.string else { continue }
      if let known = resources[resource].anchors[name], known != pointer {
        guard isChecked else {
          resources[resource].anchors[name] = Self.nowhere
          continue
        }
        throw ArchiveError(
          .malformed, "the schema is wrong: the anchor '\(name)' is repeated",
          path: GraphPath(pointer: documentPointer + "/" + keyword))
      }
      resources[resource].anchors[name] = pointer
      if keyword == "$dynamicAnchor" { resources[resource].dynamicAnchors.insert(name) }
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
    guard isChecked, let schema = tree["$schema"]?.string else { return inherited }
    let uri = withoutFragment(schema)
    if uri == SchemaDialect.standardURI || uri == MetaSchemas.archtoolURI { return .standard }
    if uri.includes("json-schema.org/draft") {
      throw ArchiveError(
        .unsupported, "the schema is written in \(uri); archtool reads JSON Schema 2020-12",
        path: GraphPath([.key("$schema")]))
    }
    guard let number = try resource(uri) else {
      throw ArchiveError(
        .unsupported, "the meta-schema \(uri) is not known; put it into a folder of --schemas",
        path: GraphPath([.key("$schema")]))
    }
    return try SchemaDialect(metaSchema: resources[number].tree, uri: uri)
  }

  // MARK: Finding

  /// A schema of the first document with the others in its `$defs`, each under the URI that leads to it.
  func joined(_ tree: JSONTree) -> JSONTree {
    let others = numbers.filter {
      resources[$0.value].document > 0 && resources[$0.value].pointer.isEmpty
    }
    .sorted { $0.key < $1.key }
    guard !others.isEmpty, var members = tree.members else { return tree }
    let parts = others.map { uri, number in
      let document = resources[number].tree.members ?? []
      return (
        uri.text, JSONTree.members(document.filter { $0.0 != "$id" } + [("$id", .string(uri.text))])
      )
    }
    let known = tree["$defs"]?.members ?? []
    members.removeAll { $0.0 == "$defs" || $0.0 == "$id" }
    return .members(
      members + [("$id", .string(resources[0].uri)), ("$defs", .members(known + parts))])
  }

  /// The number of the resource of a URI without fragment; nil if there is none.
  private func resource(_ uri: String) throws(ArchiveError) -> Int? {
    if let known = numbers[CodePointString(uri)] { return known }
    guard let library else { return nil }
    let number: Int
    if let tree = try library.document(uri) {
      number = try add(tree, uri: uri)
    } else if let found = try library.version(uri) {
      // The schemas that a family's version refers to are beside it, whichever name led to it.
      let known = numbers[CodePointString(withoutFragment(found.uri))]
      number = if let known { known } else { try add(found.tree, uri: found.uri) }
    } else {
      return nil
    }
    numbers[CodePointString(uri)] = number
    return number
  }

  /// The schema that a reference leads to.
  ///
  /// - Parameters:
  ///   - reference: `$ref` or `$dynamicRef`.
  ///   - base: the resource that contains the reference.
  /// - Returns: the schema, and its anchor if the reference used one; nil if there is no such schema.
  func find(
    _ reference: String, from base: Int
  ) throws(ArchiveError) -> (location: SchemaLocation, anchor: String?)? {
    let full = URLReference.resolve(reference, against: resources[base].uri)
    let uri = withoutFragment(full)
    let target = uri == resources[base].uri ? base : try resource(uri)
    guard let target else { return nil }
    guard let fragment = PercentEncoding.decoded(URLReference(full).fragment ?? "") else {
      return nil
    }
    if fragment.isEmpty {
      return (SchemaLocation(resource: target, pointer: "", tree: resources[target].tree), nil)
    }
    if fragment.hasPrefix("/") {
      return walk(fragment, from: target).map { ($0, nil) }
    }
    guard let pointer = resources[target].anchors[fragment] else { return nil }
    return walk(pointer, from: target).map { ($0, fragment) }
  }

  /// The schema at a pointer; its resource is the innermost one along the path.
  func walk(_ pointer: String, from start: Int) -> SchemaLocation? {
    guard let tokens = JSONPointer.tokens(of: pointer) else { return nil }
    var location = SchemaLocation(resource: start, pointer: "", tree: resources[start].tree)
    for token in tokens {
      guard let next = step(token, from: location) else { return nil }
      location = canonical(location.part(token, tree: next))
    }
    return location
  }

  /// A part of a schema; indexed, since references into an object of many members would search it again and again.
  private func step(_ token: String, from location: SchemaLocation) -> JSONTree? {
    guard let members = location.tree.members, members.count > Self.fewMembers else {
      return location.tree.step(token)
    }
    let key = CodePointString("\(location.resource) \(location.pointer)")
    if memberNumbers[key] == nil {
      var numbers: [CodePointString: Int] = [:]
      for (number, member) in members.enumerated() { numbers[CodePointString(member.0)] = number }
      memberNumbers[key] = numbers
    }
    return memberNumbers[key]?[CodePointString(token)].map { members[$0].1 }
  }

  /// The same location relative to its own resource, if it is the root of one.
  func canonical(_ location: SchemaLocation) -> SchemaLocation {
    guard !location.pointer.isEmpty, step("$id", from: location)?.string != nil else {
      return location
    }
    let resource = resources[location.resource]
    let key = "\(resource.document) \(resource.pointer)\(location.pointer)"
    guard let number = numbersByPointer[CodePointString(key)] else { return location }
    return SchemaLocation(resource: number, pointer: "", tree: location.tree)
  }

  /// The resource of a schema with an identifier; the one that contains it if the identifier is unknown.
  func resource(identified id: String, in base: Int) -> Int {
    let uri = withoutFragment(URLReference.resolve(id, against: resources[base].uri))
    return numbers[CodePointString(uri)] ?? base
  }

  func knowsDocument(of reference: String, from base: Int) -> Bool {
    let uri = withoutFragment(URLReference.resolve(reference, against: resources[base].uri))
    return uri == resources[base].uri || numbers[CodePointString(uri)] != nil
  }

  func documentPointer(of location: SchemaLocation) -> String {
    resources[location.resource].pointer + location.pointer
  }

  /// A location as a URI with a fragment.
  func absolute(_ location: SchemaLocation) -> String {
    resources[location.resource].uri + "#" + PercentEncoding.encoded(location.pointer)
  }

  /// The URI without a fragment, normalized so that equivalent URIs are equal.
  private func withoutFragment(_ uri: String) -> String {
    PercentEncoding.normalized(String(uri.prefix { $0 != "#" }))
  }
}

extension GraphPath {
  /// The path to a part of a schema document that a JSON Pointer leads to; numbers are treated as elements.
  package init(pointer: String) {
    self.init((JSONPointer.tokens(of: pointer) ?? []).map { Int($0).map(Step.index) ?? .key($0) })
  }
}

// MARK: - A schema resource: a schema with its own URI within a document (JSON Schema Core 2020-12, section 4.3.5)

/// A schema that other schemas refer to by URI.
struct SchemaResource {
  /// Its absolute URI without a fragment; empty for a document without a URI.
  let uri: String
  fileprivate let document: Int
  /// Its location in the document, a JSON Pointer.
  let pointer: String
  let tree: JSONTree
  /// The vocabularies in force.
  let dialect: SchemaDialect
  /// The schemas that `$anchor` and `$dynamicAnchor` name, by their pointers.
  var anchors: [String: String] = [:]
  /// The names among them that come from `$dynamicAnchor`.
  var dynamicAnchors: Set<String> = []
}

/// A schema's location: its resource, and the pointer from there.
struct SchemaLocation {
  let resource: Int
  /// A JSON Pointer from the resource's root.
  let pointer: String
  let tree: JSONTree

  func part(_ tokens: String..., tree: JSONTree) -> SchemaLocation {
    var pointer = pointer
    for token in tokens {
      pointer += "/"
      pointer += JSONPointer.escaped(token)
    }
    return SchemaLocation(resource: resource, pointer: pointer, tree: tree)
  }
}
