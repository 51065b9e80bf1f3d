// Compiles the JSON of schemas to a CompiledSchema: every schema that can be reached becomes a numbered node.
//
// Keywords are those of JSON Schema 2020-12; unknown ones are annotations (Core section 6.5).

import ArchiveBasics
import ArchiveGraph
import ArchivePatterns
import ArchivePropertyLists
import ArchiveWriting

struct SchemaCompiler {
  private let store: SchemaStore
  private let read: KeywordReader
  /// Whether `format` is an assertion regardless of the dialect.
  private let assertsFormats: Bool
  private var table: SchemaTable
  private let storage = RuleStorage()
  private var dynamicNames: Set<String> = []
  private var patterns: [CodePointString: ECMAPattern] = [:]

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
    var compiler = SchemaCompiler(
      store: store, read: KeywordReader(store: store), assertsFormats: assertsFormats,
      table: SchemaTable(store))
    let location = SchemaLocation(
      resource: resource, pointer: "", tree: store.resources[resource].tree)
    let root = try compiler.table.edge(to: location, "")
    var dynamicSchemas: [String: [Int: Int]] = [:]
    while try compiler.fillTable() { dynamicSchemas = try compiler.dynamicSchemas() }
    try SchemaLoops.check(compiler.table.nodes)
    compiler.storage.keep(compiler.table.nodes)
    return CompiledSchema(
      compiler.storage, root: root, allowsList: archive.allowsList,
      dynamicSchemas: dynamicSchemas, location: store.absolute(location), jsonCoding: jsonCoding,
      foundation: archive.foundation)
  }

  /// Fills the schemas that were reached, and those that these reach; false if there were none.
  private mutating func fillTable() throws(ArchiveError) -> Bool {
    var isChanged = false
    while let (location, schemaIndex) = table.next() {
      var node = table.nodes[schemaIndex]
      try fill(&node, from: location)
      table.set(node, at: schemaIndex)
      isChanged = true
    }
    return isChanged
  }

  /// Where each name of the dynamic scope leads, by resource, for the resources in use.
  private mutating func dynamicSchemas() throws(ArchiveError) -> [String: [Int: Int]] {
    var result: [String: [Int: Int]] = [:]
    let used = Set(table.nodes.map(\.resource))
    for name in dynamicNames {
      for number in used.sorted() where number >= 0 {
        let resource = store.resources[number]
        guard resource.dynamicAnchors.contains(name), let pointer = resource.anchors[name],
          let location = store.walk(pointer, from: number)
        else { continue }
        result[name, default: [:]][number] = try table.edge(to: location, "").schemaIndex
      }
    }
    return result
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
      edges.append(try table.edge(to: location.part(name, tree: tree), "/" + name))
    }
    // Without the others it still evaluates members (Core section 10.2.2.1).
    guard let condition = edges[0] else { return }
    node.applicators.append(.conditional(condition, then: edges[1], otherwise: edges[2]))
  }

  // MARK: Keywords

  /// Processes one keyword; `location` is that of its schema.
  private mutating func apply(
    _ name: String, _ value: JSONTree, _ location: SchemaLocation, to node: inout SchemaNode
  ) throws(ArchiveError) {
    let part = location.part(name, tree: value)
    switch name {
    case "type": node.types = try read.types(part, ValueKinds.types)
    case "x-plist-type": node.plistTypes = try read.types(part, ValueKinds.propertyListTypes)
    case "x-class": node.structureRule.classes = try read.oneOrSeveral(part)
    case "x-classes": node.structureRule.chain = try read.names(part)
    case "x-storage":
      node.structureRule.storages = []
      for name in try read.oneOrSeveral(part) {
        guard let storage = FieldStorage(rawValue: name) else {
          throw read.problem("'x-storage' is inline or boxed", part)
        }
        node.structureRule.storages.append(storage)
      }
    case "x-mutable": node.structureRule.isMutable = try read.boolean(part)
    case "x-key-class":
      guard let keyClass = part.tree.string.flatMap({ KeyClass(rawValue: $0) }) else {
        let known = KeyClass.allCases.map(\.rawValue).joined(separator: ", ")
        throw read.problem("'x-key-class' is one of \(known)", part)
      }
      node.structureRule.keyClass = keyClass
    case "x-archived": try applyArchived(part, try read.layers(location), to: &node)
    case "x-encoded":
      guard location.tree["x-archived"] != nil else {
        throw read.problem("'x-encoded' says what is around the archive of 'x-archived'", part)
      }
    case "const": node.values.append(AllowedValues(keyword: name, [value]))
    case "enum": node.values.append(AllowedValues(keyword: name, try read.list(part)))
    case "minimum": storage.rules(&node.numbers).pointee.minimum = try read.bound(part)
    case "maximum": storage.rules(&node.numbers).pointee.maximum = try read.bound(part)
    case "exclusiveMinimum":
      storage.rules(&node.numbers).pointee.exclusiveMinimum = try read.bound(part)
    case "exclusiveMaximum":
      storage.rules(&node.numbers).pointee.exclusiveMaximum = try read.bound(part)
    case "multipleOf":
      let divisor = try read.bound(part)
      guard divisor.exact.isPositive else {
        throw read.problem("a number above 0 is expected here", part)
      }
      storage.rules(&node.numbers).pointee.multipleOf = divisor
    case "minLength": storage.rules(&node.strings).pointee.length.minimum = try read.count(part)
    case "maxLength": storage.rules(&node.strings).pointee.length.maximum = try read.count(part)
    case "pattern":
      storage.rules(&node.strings).pointee.pattern = try pattern(try read.string(part), part)
    case "format": storage.rules(&node.strings).pointee.format = try format(part)
    case "prefixItems": storage.rules(&node.arrays).pointee.prefix = try edges(part, name)
    case "items": storage.rules(&node.arrays).pointee.items = try table.edge(to: part, "/items")
    case "contains":
      storage.rules(&node.arrays).pointee.contains = try table.edge(to: part, "/contains")
    case "minContains": storage.rules(&node.arrays).pointee.minimumContains = try read.count(part)
    case "maxContains": storage.rules(&node.arrays).pointee.maximumContains = try read.count(part)
    case "minItems": storage.rules(&node.arrays).pointee.count.minimum = try read.count(part)
    case "maxItems": storage.rules(&node.arrays).pointee.count.maximum = try read.count(part)
    case "uniqueItems": storage.rules(&node.arrays).pointee.isUnique = try read.boolean(part)
    case "unevaluatedItems": node.unevaluatedItems = try table.edge(to: part, "/" + name)
    case "properties":
      // `required` and `properties` share one table, whichever comes first.
      storage.rules(&node.objects).pointee.properties += try edges(ofMembers: part, name).map {
        ObjectRules.Property(
          name: $0.name, utf8: Array($0.name.utf8), edge: $0.edge, isNamed: true, isRequired: false)
      }
    case "patternProperties":
      for (text, edge) in try edges(ofMembers: part, name) {
        let pattern = try pattern(text, part.part(text, tree: .null))
        storage.rules(&node.objects).pointee.patterns.append((pattern, edge))
      }
    case "additionalProperties":
      storage.rules(&node.objects).pointee.additional = try table.edge(to: part, "/" + name)
    case "propertyNames":
      storage.rules(&node.objects).pointee.names = try table.edge(to: part, "/" + name)
    case "minProperties": storage.rules(&node.objects).pointee.count.minimum = try read.count(part)
    case "maxProperties": storage.rules(&node.objects).pointee.count.maximum = try read.count(part)
    case "unevaluatedProperties": node.unevaluatedProperties = try table.edge(to: part, "/" + name)
    case "dependentRequired", "dependencies", "dependentSchemas":
      for (member, tree) in try read.members(part) {
        let inner = part.part(member, tree: tree)
        // The values of `dependencies` may be names or schemas.
        if name == "dependentRequired" || name == "dependencies" && tree.list != nil {
          storage.rules(&node.objects).pointee.dependents.append(
            (name, member, try read.strings(inner)))
        } else {
          let edge = try table.edge(to: inner, "/\(name)/" + JSONPointer.escaped(member))
          node.applicators.append(.dependent(name: member, edge))
        }
      }
    case "$ref":
      let target = try table.resolve(try read.string(part), location, name).location
      node.applicators.append(.reference(try table.edge(to: target, "/$ref")))
    case "$dynamicRef":
      let (target, anchor) = try table.resolve(try read.string(part), location, name)
      let edge = try table.edge(to: target, "/$dynamicRef")
      // Only a reference that finds a dynamic anchor first is dynamic (Core section 8.2.3.2).
      guard let anchor, store.resources[target.resource].dynamicAnchors.contains(anchor) else {
        node.applicators.append(.reference(edge))
        return
      }
      dynamicNames.insert(anchor)
      node.applicators.append(.dynamic(name: anchor, edge))
    case "allOf": node.applicators += try edges(part, name).map { .reference($0) }
    case "anyOf", "oneOf":
      node.applicators.append(.choice(try edges(part, name), isExclusive: name == "oneOf"))
    case "not": node.applicators.append(.none(try table.edge(to: part, "/not")))
    case "deprecated": node.isDeprecated = try read.boolean(part)
    // Unreferenced schemas are checked as well.
    case "$defs", "definitions": _ = try edges(ofMembers: part, name)
    case "contentSchema": _ = try table.edge(to: part, "/contentSchema")
    default: try read.annotation(name, part)
    }
  }

  /// The format that strings must have; nil if it is only an annotation.
  private func format(_ location: SchemaLocation) throws(ArchiveError) -> StringFormat? {
    let name = try read.string(location)
    // Unknown formats are annotations (Validation section 7.2.3).
    guard assertsFormats || store.resources[location.resource].dialect.assertsFormats,
      let format = StringFormat(rawValue: name)
    else { return nil }
    if let library = format.missingLibrary {
      throw ArchiveError(
        .unsupported, "the format \(name) needs \(library), which is not installed",
        path: GraphPath(pointer: location.pointer))
    }
    return format
  }

  private mutating func pattern(
    _ text: String, _ location: SchemaLocation
  ) throws(ArchiveError) -> ECMAPattern {
    if let known = patterns[CodePointString(text)] { return known }
    do {
      let pattern = try ECMAPattern(text)
      patterns[CodePointString(text)] = pattern
      return pattern
    } catch {
      guard error.code == .syntax else {
        throw ArchiveError(
          .unsupported, "the regular expression \(text) cannot be used: \(error.reason)",
          path: GraphPath(pointer: location.pointer))
      }
      throw read.problem("the regular expression \(text) is wrong: \(error.reason)", location)
    }
  }

  private mutating func addRequired(
    _ location: SchemaLocation, _ dialect: SchemaDialect, to node: inout SchemaNode
  ) throws(ArchiveError) {
    guard let tree = location.tree["required"], dialect.vocabularies.contains(.validation) else {
      return
    }
    let names = try read.strings(location.part("required", tree: tree))
    let rules = storage.rules(&node.objects)
    var positions: [[UInt8]: Int] = [:]
    for (position, property) in rules.pointee.properties.enumerated() {
      positions[property.utf8] = position
    }
    for name in names {
      let utf8 = Array(name.utf8)
      let known = positions[utf8].map { rules.pointee.properties[$0] }
      let property = ObjectRules.Property(
        name: name, utf8: utf8, edge: known?.edge ?? Edge(schemaIndex: 0, pointer: "/required"),
        isNamed: known != nil, isRequired: true)
      if let position = positions[utf8] {
        rules.pointee.properties[position] = property
      } else {
        positions[utf8] = rules.pointee.properties.count
        rules.pointee.properties.append(property)
      }
    }
  }

  private mutating func edges(
    ofMembers location: SchemaLocation, _ keyword: String
  ) throws(ArchiveError) -> [(name: String, edge: Edge)] {
    var edges: [(name: String, edge: Edge)] = []
    for (name, tree) in try read.members(location) {
      let pointer = "/\(keyword)/" + JSONPointer.escaped(name)
      edges.append((name, try table.edge(to: location.part(name, tree: tree), pointer)))
    }
    return edges
  }

  private mutating func edges(
    _ location: SchemaLocation, _ keyword: String
  ) throws(ArchiveError) -> [Edge] {
    let trees = try read.list(location)
    if trees.isEmpty { throw read.problem("a list of schemas is expected here", location) }
    var edges: [Edge] = []
    for (index, tree) in trees.enumerated() {
      edges.append(
        try table.edge(to: location.part("\(index)", tree: tree), "/\(keyword)/\(index)"))
    }
    return edges
  }

  // MARK: Archives in values

  /// Processes the schema of an archive in data, or of JSON in data or a string.
  private mutating func applyArchived(
    _ location: SchemaLocation, _ layers: [DataLayer]?, to node: inout SchemaNode
  ) throws(ArchiveError) {
    let target = try archiveSchema(location)
    let archive = try ArchiveRule(target.tree["x-archive"], isNeeded: true)
    let model = try table.edge(to: location, "/x-archived")
    var list: Edge?
    if archive.allowsList {
      var node = SchemaNode(resource: location.resource, location: store.absolute(location))
      storage.rules(&node.arrays).pointee.items = model
      list = Edge(schemaIndex: table.add(node), pointer: "")
    }
    node.applicators.append(
      .archived(
        ArchivedRule(
          archive: archive, coding: try JSONCoding(archive: target.tree["x-archive"]),
          layers: layers ?? (archive.envelope == .json ? [] : nil), model: model, list: list,
          name: SchemaLibrary.label(location.tree["$ref"]?.string ?? "") ?? "")))
  }

  /// The schema that specifies the envelope: the keyword's own, or the one that it refers to.
  private func archiveSchema(_ start: SchemaLocation) throws(ArchiveError) -> SchemaLocation {
    var location = start
    for _ in 0..<64 {
      guard location.tree.members != nil else { break }
      if location.tree["x-archive"] != nil { return location }
      guard let reference = location.tree["$ref"]?.string else { break }
      location = try table.resolve(reference, location).location
    }
    throw read.problem(
      "'x-archived' takes a schema with 'x-archive', or a reference to one such as {\"$ref\": \"NAME@VERSION\"}",
      start)
  }
}

extension SchemaNode {
  /// The rule about classes and storage, made when it is first needed.
  fileprivate var structureRule: StructureRule {
    get { structure ?? StructureRule() }
    set { structure = newValue }
  }
}

/// The requirements for the archive or the JSON in a value.
struct ArchivedRule {
  /// The envelope and the other rules for the archive.
  let archive: ArchiveRule
  /// How dates, data and names are written, if it is JSON.
  let coding: JSONCoding
  /// The layers around it, from the outermost on; nil for an archive in data without any.
  let layers: [DataLayer]?
  let model: Edge
  /// The schema of a list of models, where the root may be one.
  let list: Edge?
  /// The name of the archive's schema: `Influence@v1`; empty for one without a name.
  let name: String
}
