// Compiles the JSON of schemas to a CompiledSchema: every schema that can be reached becomes a numbered node.
//
// Keywords are those of JSON Schema 2020-12; unknown ones are annotations (Core section 6.5).

import ArchiveBasics
import ArchivePatterns
import ArchivePropertyLists
import ArchiveWriting

/// Compiles schemas.
struct SchemaCompiler {
  let store: SchemaStore
  /// Whether `format` is an assertion regardless of the dialect.
  let assertsFormats: Bool
  private var nodes: [SchemaNode]
  let storage = RuleStorage()
  private var schemaIndexes: [CodePointString: Int] = [:]
  private var waiting: [(location: SchemaLocation, schemaIndex: Int)] = []
  /// The locations of references without other keywords that were already checked.
  private var checked: Set<CodePointString> = []
  /// The names that `$dynamicRef` uses.
  var dynamicNames: Set<String> = []
  /// Regular expressions by their text.
  var patterns: [CodePointString: ECMAPattern] = [:]

  /// Compiles the schema that is a resource's root.
  ///
  /// - Parameters:
  ///   - archive: the rules for the archive around the model.
  ///   - jsonCoding: how the model is encoded in JSON.
  ///   - assertsFormats: whether `format` is an assertion regardless of the dialect.
  /// - Throws: `ArchiveError` with the path of the fault in the schema.
  static func compile(
    resource: Int, of store: SchemaStore, in archive: ArchiveRule, jsonCoding: JSONCoding,
    assertsFormats: Bool
  ) throws(ArchiveError) -> CompiledSchema {
    var compiler = SchemaCompiler(store: store, assertsFormats: assertsFormats)
    let location = SchemaLocation(
      resource: resource, pointer: "", tree: store.resources[resource].tree)
    let root = try compiler.edge(to: location, "")
    var dynamicSchemas: [String: [Int: Int]] = [:]
    repeat {
      try compiler.work()
      dynamicSchemas = try compiler.dynamicSchemas()
    } while !compiler.waiting.isEmpty
    try SchemaLoops.check(compiler.nodes)
    compiler.storage.keep(compiler.nodes)
    return CompiledSchema(
      compiler.storage, root: root, allowsList: archive.allowsList,
      dynamicSchemas: dynamicSchemas, location: store.absolute(location), jsonCoding: jsonCoding,
      foundation: archive.foundation)
  }

  private init(store: SchemaStore, assertsFormats: Bool) {
    self.store = store
    self.assertsFormats = assertsFormats
    let everything = SchemaNode(resource: -1, location: "true")
    var nothing = SchemaNode(resource: -1, location: "false")
    nothing.isFalse = true
    nodes = [everything, nothing]
  }

  private mutating func work() throws(ArchiveError) {
    while let work = waiting.popLast() {
      var node = nodes[work.schemaIndex]
      try fill(&node, from: work.location)
      nodes[work.schemaIndex] = node
    }
  }

  /// Where each name of the dynamic scope leads, by resource, for the resources in use.
  private mutating func dynamicSchemas() throws(ArchiveError) -> [String: [Int: Int]] {
    var result: [String: [Int: Int]] = [:]
    let used = Set(nodes.map(\.resource))
    for name in dynamicNames {
      for number in used.sorted() where number >= 0 {
        let resource = store.resources[number]
        guard resource.dynamicAnchors.contains(name), let pointer = resource.anchors[name],
          let location = store.walk(pointer, from: number)
        else { continue }
        result[name, default: [:]][number] = try edge(to: location, "").schemaIndex
      }
    }
    return result
  }

  // MARK: Locations

  private var followed = 0
  /// How many references may lead to one another; schemas written by people chain only a few.
  private static let longestChain = 512
  /// How many references without other keywords are followed in total.
  private static let mostFollowed = 500_000

  /// The edge to a schema; references without other keywords are followed at once.
  mutating func edge(
    to start: SchemaLocation, _ pointer: String
  ) throws(ArchiveError) -> Edge {
    var location = store.canonical(start)
    var pointer = pointer
    var passed: Set<CodePointString> = []
    while let target = try soleReference(location) {
      guard passed.insert(CodePointString(location.pointer)).inserted else {
        throw problem("references form a circle", location)
      }
      followed += 1
      guard passed.count <= Self.longestChain, followed <= Self.mostFollowed else {
        throw problem("over \(Self.longestChain) references follow one another", location)
      }
      try checkAnnotations(of: location)
      location = target
      pointer += "/$ref"
    }
    if let flag = location.tree.boolean { return Edge(schemaIndex: flag ? 0 : 1, pointer: pointer) }
    let key = CodePointString("\(location.resource) \(location.pointer)")
    if let known = schemaIndexes[key] { return Edge(schemaIndex: known, pointer: pointer) }
    guard location.tree.members != nil else {
      throw problem("a schema must be an object, true or false", location)
    }
    nodes.append(
      SchemaNode(resource: location.resource, location: store.absolute(location)))
    schemaIndexes[key] = nodes.count - 1
    waiting.append((location, nodes.count - 1))
    return Edge(schemaIndex: nodes.count - 1, pointer: pointer)
  }

  /// The target of a schema that is only a reference within its resource.
  private func soleReference(_ location: SchemaLocation) throws(ArchiveError) -> SchemaLocation? {
    guard let reference = location.tree["$ref"]?.string, let members = location.tree.members,
      members.allSatisfy({ $0.0 == "$ref" || isAnnotation($0.0) })
    else { return nil }
    let target = try resolve(reference, location).location
    return target.resource == location.resource ? target : nil
  }

  /// Checks the keywords beside a reference: they assert nothing, but must have valid values.
  private mutating func checkAnnotations(of location: SchemaLocation) throws(ArchiveError) {
    guard checked.insert(CodePointString("\(location.resource) \(location.pointer)")).inserted
    else {
      return
    }
    var nothing = SchemaNode(resource: location.resource, location: "")
    for (name, value) in location.tree.members ?? [] where name != "$ref" {
      try apply(name, value, location, to: &nothing)
    }
  }

  private func isAnnotation(_ name: String) -> Bool {
    guard let keyword = SchemaKeyword.all[name] else { return true }
    return keyword.vocabulary == .metaData && name != "deprecated" || name == "$comment"
  }

  /// The schema that a reference leads to.
  func resolve(
    _ reference: String, _ location: SchemaLocation, _ keyword: String = "$ref"
  ) throws(ArchiveError) -> (location: SchemaLocation, anchor: String?) {
    guard let found = try store.find(reference, from: location.resource) else {
      throw problem(
        "'\(keyword)' cannot be resolved: \(reference)", location.part(keyword, tree: .null))
    }
    return found
  }

  /// Adds the schema of a list whose elements fit another.
  mutating func addList(of element: Edge, like location: SchemaLocation) -> Int {
    var node = SchemaNode(resource: location.resource, location: store.absolute(location))
    storage.rules(&node.arrays).pointee.items = element
    nodes.append(node)
    return nodes.count - 1
  }

  // MARK: Filling

  private mutating func fill(
    _ node: inout SchemaNode, from location: SchemaLocation
  ) throws(ArchiveError) {
    let dialect = store.resources[location.resource].dialect
    for (name, value) in location.tree.members ?? [] {
      guard let keyword = SchemaKeyword.all[name], dialect.knows(keyword) else { continue }
      try apply(name, value, location, to: &node)
    }
    try applyConditional(location, dialect, to: &node)
    try addRequired(location, dialect, to: &node)
    node.objects?.pointee.seal()
    node.numberShape = numberShape(of: node, location.tree)
  }

  /// The shape of numbers where the schema names one type: `integer` beside `number` leaves it open.
  private func numberShape(of node: SchemaNode, _ tree: JSONTree) -> NumberShape {
    guard node.plistTypes != nil || node.types != nil,
      let types = tree[node.plistTypes == nil ? "type" : "x-plist-type"]
    else { return .any }
    switch types.string.map({ [$0] }) ?? Set(types.strings) {
    case ["integer"]: return .integer
    case ["number"], ["real"]: return .real
    case ["boolean"]: return .boolean
    default: return .any
    }
  }

  /// `if`, `then` and `else` are one applicator; without `if` the others mean nothing.
  private mutating func applyConditional(
    _ location: SchemaLocation, _ dialect: SchemaDialect, to node: inout SchemaNode
  ) throws(ArchiveError) {
    guard dialect.vocabularies.contains(.applicator) else { return }
    var edges: [Edge?] = []
    for name in ["if", "then", "else"] {
      guard let tree = location.tree[name] else {
        edges.append(nil)
        continue
      }
      edges.append(try edge(to: location.part(name, tree: tree), "/" + name))
    }
    // Without the others it still evaluates members (Core section 10.2.2.1).
    guard let condition = edges[0] else { return }
    node.applicators.append(.conditional(condition, then: edges[1], otherwise: edges[2]))
  }

  // MARK: Errors

  /// An error about a schema, with its location.
  func problem(_ message: String, _ location: SchemaLocation) -> ArchiveError {
    let resource = store.resources[location.resource]
    let document = location.resource == 0 || resource.uri.isEmpty ? "" : " (in \(resource.uri))"
    return ArchiveError(
      .malformed, "the schema is wrong: \(message)\(document)",
      path: GraphPath(pointer: location.pointer))
  }
}

// MARK: - The types of keyword values

extension SchemaCompiler {
  func types(
    _ location: SchemaLocation, _ known: [(name: String, kinds: ValueKinds)]
  ) throws(ArchiveError) -> ValueKinds {
    var kinds: ValueKinds = []
    for name in location.tree.string == nil ? try strings(location) : location.tree.strings {
      guard let type = known.first(where: { $0.name == name }) else {
        throw problem("unknown type '\(name)', only \(known.map(\.name).alternatives)", location)
      }
      kinds.formUnion(type.kinds)
    }
    if kinds.isEmpty { throw problem("a type or a list of types is expected here", location) }
    return kinds
  }

  func count(_ location: SchemaLocation) throws(ArchiveError) -> Int {
    switch location.tree {
    case .integer(let count) where count >= 0: return count
    case .unsigned: return Int.max
    case .wide(let count) where count > 0: return Int.max
    // JSON Schema treats 2.0 as an integer.
    case .real(let number) where number >= 0 && number == number.rounded():
      // No count comes close to this limit.
      return Int(min(number, 0x1p53))
    default: throw problem("a non-negative integer is expected here", location)
    }
  }

  func string(_ location: SchemaLocation) throws(ArchiveError) -> String {
    try required(location.tree.string, "a string", location)
  }

  func boolean(_ location: SchemaLocation) throws(ArchiveError) -> Bool {
    try required(location.tree.boolean, "true or false", location)
  }

  func list(_ location: SchemaLocation) throws(ArchiveError) -> [JSONTree] {
    try required(location.tree.list, "a list", location)
  }

  func members(_ location: SchemaLocation) throws(ArchiveError) -> [(String, JSONTree)] {
    try required(location.tree.members, "an object", location)
  }

  func required<Content>(
    _ content: Content?, _ what: String, _ location: SchemaLocation
  ) throws(ArchiveError) -> Content {
    guard let content else { throw problem("\(what) is expected here", location) }
    return content
  }

  /// A list of different strings.
  func strings(_ location: SchemaLocation) throws(ArchiveError) -> [String] {
    var seen: Set<[UInt8]> = []
    var strings: [String] = []
    for item in try list(location) {
      guard let text = item.string else {
        throw problem("a list of strings is expected here", location)
      }
      guard seen.insert(Array(text.utf8)).inserted else {
        throw problem("'\(text)' is repeated", location)
      }
      strings.append(text)
    }
    return strings
  }
}

// MARK: - Detects schemas that apply themselves to the same value forever

/// Looks for cycles of keywords that apply to the same value.
enum SchemaLoops {
  /// Checks compiled schemas.
  ///
  /// - Throws: `ArchiveError` that names a schema of the cycle.
  static func check(_ nodes: [SchemaNode]) throws(ArchiveError) {
    if let index = DirectedGraph.cyclicNodes(nodes.map(targets)).min() {
      throw error(nodes[index].location)
    }
  }

  /// An error about a schema in a cycle.
  ///
  /// - Parameter location: its URI with a fragment.
  static func error(_ location: String) -> ArchiveError {
    let pointer = PercentEncoding.decoded(String(location.drop { $0 != "#" }.dropFirst())) ?? ""
    let uri = String(location.prefix { $0 != "#" })
    return ArchiveError(
      .malformed, "the schema is wrong: it applies itself to the same value without end",
      path: GraphPath(pointer: pointer), file: uri.isEmpty ? nil : uri)
  }

  /// The schemas that apply to the same value; the target of `$dynamicRef` is known only later.
  private static func targets(of node: SchemaNode) -> [Int] {
    node.applicators.flatMap { applicator -> [Int] in
      switch applicator {
      case .reference(let edge), .none(let edge), .dependent(_, let edge): [edge.schemaIndex]
      // An archive in a data value is another value.
      case .dynamic, .archived: []
      case .choice(let edges, _): edges.map(\.schemaIndex)
      case .conditional(let condition, let then, let otherwise):
        [condition.schemaIndex] + [then, otherwise].compactMap { $0?.schemaIndex }
      }
    }
  }
}

// MARK: - Nodes that lead back to themselves

/// A graph of numbered nodes, each with the nodes that it leads to.
package enum DirectedGraph {
  /// The nodes on a path from one cycle to another.
  package static func cyclicNodes(_ next: [[Int]]) -> Set<Int> {
    var previous = [[Int]](repeating: [], count: next.count)
    for (number, others) in next.enumerated() {
      for other in others { previous[other].append(number) }
    }
    return remaining(next, previous).intersection(remaining(previous, next))
  }

  /// The nodes that have a path of any length onward.
  private static func remaining(_ next: [[Int]], _ previous: [[Int]]) -> Set<Int> {
    var counts = next.map(\.count)
    var ended = counts.indices.filter { counts[$0] == 0 }
    var left = Set(counts.indices).subtracting(ended)
    while let node = ended.popLast() {
      for other in previous[node] {
        counts[other] -= 1
        if counts[other] == 0 {
          left.remove(other)
          ended.append(other)
        }
      }
    }
    return left
  }
}
