// Checks the value of each keyword and stores it where validation looks for it.

import ArchiveBasics
import ArchiveGraph
import ArchivePatterns
import ArchivePropertyLists
import ArchiveWriting

extension SchemaCompiler {
  /// Processes one keyword; `location` is that of its schema.
  ///
  /// Keywords that assert nothing must still conform to the meta-schema (JSON Schema Core 2020-12, sections 8, 9).
  mutating func apply(
    _ name: String, _ value: JSONTree, _ location: SchemaLocation, to node: inout SchemaNode
  ) throws(ArchiveError) {
    let part = location.part(name, tree: value)
    switch name {
    case "type": node.types = try types(part, ValueKinds.types)
    case "x-plist-type": node.plistTypes = try types(part, ValueKinds.propertyListTypes)
    case "x-class", "x-classes", "x-storage", "x-mutable", "x-key-class":
      try applyStructure(name, part, to: &node)
    case "x-archived": try applyArchived(part, try layers(location), to: &node)
    case "x-encoded":
      guard location.tree["x-archived"] != nil else {
        throw problem("'x-encoded' says what is around the archive of 'x-archived'", part)
      }
    case "const": node.values.append(AllowedValues(keyword: name, [value]))
    case "enum": node.values.append(AllowedValues(keyword: name, try list(part)))
    case "minimum": storage.rules(&node.numbers).pointee.minimum = try bound(part)
    case "maximum": storage.rules(&node.numbers).pointee.maximum = try bound(part)
    case "exclusiveMinimum": storage.rules(&node.numbers).pointee.exclusiveMinimum = try bound(part)
    case "exclusiveMaximum": storage.rules(&node.numbers).pointee.exclusiveMaximum = try bound(part)
    case "multipleOf":
      let divisor = try bound(part)
      guard divisor.exact.isPositive else {
        throw problem("a number above 0 is expected here", part)
      }
      storage.rules(&node.numbers).pointee.multipleOf = divisor
    case "minLength": storage.rules(&node.strings).pointee.length.minimum = try count(part)
    case "maxLength": storage.rules(&node.strings).pointee.length.maximum = try count(part)
    case "pattern":
      storage.rules(&node.strings).pointee.pattern = try pattern(try string(part), part)
    case "format": storage.rules(&node.strings).pointee.format = try format(part)
    case "prefixItems": storage.rules(&node.arrays).pointee.prefix = try edges(part, name)
    case "items": storage.rules(&node.arrays).pointee.items = try edge(to: part, "/items")
    case "contains": storage.rules(&node.arrays).pointee.contains = try edge(to: part, "/contains")
    case "minContains": storage.rules(&node.arrays).pointee.minimumContains = try count(part)
    case "maxContains": storage.rules(&node.arrays).pointee.maximumContains = try count(part)
    case "minItems": storage.rules(&node.arrays).pointee.count.minimum = try count(part)
    case "maxItems": storage.rules(&node.arrays).pointee.count.maximum = try count(part)
    case "uniqueItems": storage.rules(&node.arrays).pointee.isUnique = try boolean(part)
    case "unevaluatedItems": node.unevaluatedItems = try edge(to: part, "/" + name)
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
      storage.rules(&node.objects).pointee.additional = try edge(to: part, "/" + name)
    case "propertyNames":
      storage.rules(&node.objects).pointee.names = try edge(to: part, "/" + name)
    case "minProperties": storage.rules(&node.objects).pointee.count.minimum = try count(part)
    case "maxProperties": storage.rules(&node.objects).pointee.count.maximum = try count(part)
    case "unevaluatedProperties": node.unevaluatedProperties = try edge(to: part, "/" + name)
    case "dependentRequired", "dependencies", "dependentSchemas":
      for (member, tree) in try members(part) {
        let inner = part.part(member, tree: tree)
        // The values of `dependencies` may be names or schemas.
        if name == "dependentRequired" || name == "dependencies" && tree.list != nil {
          storage.rules(&node.objects).pointee.dependents.append((name, member, try strings(inner)))
        } else {
          let edge = try edge(to: inner, "/\(name)/" + JSONPointer.escaped(member))
          node.applicators.append(.dependent(name: member, edge))
        }
      }
    case "$ref":
      let target = try resolve(try string(part), location, name).location
      node.applicators.append(.reference(try edge(to: target, "/$ref")))
    case "$dynamicRef":
      let (target, anchor) = try resolve(try string(part), location, name)
      let edge = try edge(to: target, "/$dynamicRef")
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
    case "not": node.applicators.append(.none(try edge(to: part, "/not")))
    case "deprecated": node.isDeprecated = try boolean(part)
    // Unreferenced schemas are checked as well.
    case "$defs", "definitions": _ = try edges(ofMembers: part, name)
    case "contentSchema": _ = try edge(to: part, "/contentSchema")
    case "$schema", "$comment", "title", "description", "contentEncoding", "contentMediaType":
      _ = try string(part)
    case "$id":
      let identifier = try string(part)
      guard identifier.firstIndex(of: "#").map({ identifier[$0...] == "#" }) ?? true else {
        throw problem("an identifier has no fragment", part)
      }
    case "$anchor", "$dynamicAnchor":
      guard Self.anchor.accepts(try string(part)) else {
        throw problem(
          "an anchor is of letters, digits, '-', '.' and '_', the first a letter or '_'", part)
      }
    case "readOnly", "writeOnly": _ = try boolean(part)
    case "examples": _ = try list(part)
    case "$vocabulary":
      for (uri, value) in try members(part) { _ = try boolean(part.part(uri, tree: value)) }
    default: return
    }
  }

  private static let anchor = TextGrammar("[A-Za-z_][A-Za-z0-9._-]*")

  private func bound(_ location: SchemaLocation) throws(ArchiveError) -> NumberLimit {
    try required(NumberLimit(location.tree), "a number", location)
  }

  /// The format that strings must have; nil if it is only an annotation.
  private func format(_ location: SchemaLocation) throws(ArchiveError) -> StringFormat? {
    let name = try string(location)
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
      throw problem("the regular expression \(text) is wrong: \(error.reason)", location)
    }
  }

  mutating func addRequired(
    _ location: SchemaLocation, _ dialect: SchemaDialect, to node: inout SchemaNode
  ) throws(ArchiveError) {
    guard let tree = location.tree["required"], dialect.vocabularies.contains(.validation) else {
      return
    }
    let names = try strings(location.part("required", tree: tree))
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

  /// The schemas that are the members of a keyword's value.
  private mutating func edges(
    ofMembers location: SchemaLocation, _ keyword: String
  ) throws(ArchiveError) -> [(name: String, edge: Edge)] {
    var edges: [(name: String, edge: Edge)] = []
    for (name, tree) in try members(location) {
      let pointer = "/\(keyword)/" + JSONPointer.escaped(name)
      edges.append((name, try edge(to: location.part(name, tree: tree), pointer)))
    }
    return edges
  }

  private mutating func edges(
    _ location: SchemaLocation, _ keyword: String
  ) throws(ArchiveError) -> [Edge] {
    let trees = try list(location)
    if trees.isEmpty { throw problem("a list of schemas is expected here", location) }
    var edges: [Edge] = []
    for (index, tree) in trees.enumerated() {
      edges.append(try edge(to: location.part("\(index)", tree: tree), "/\(keyword)/\(index)"))
    }
    return edges
  }
}

// MARK: - The keywords about classes and storage: `x-class`, `x-classes`, `x-storage`, `x-mutable`, `x-key-class`

extension SchemaCompiler {
  /// Processes a keyword about classes or storage.
  private func applyStructure(
    _ name: String, _ location: SchemaLocation, to node: inout SchemaNode
  ) throws(ArchiveError) {
    var rule = node.structure ?? StructureRule()
    switch name {
    case "x-class": rule.classes = try oneOrSeveral(location)
    case "x-classes": rule.chain = try names(location)
    case "x-storage":
      rule.storages = []
      for name in try oneOrSeveral(location) {
        guard let storage = FieldStorage(rawValue: name) else {
          throw problem("'x-storage' is inline or boxed", location)
        }
        rule.storages.append(storage)
      }
    case "x-key-class":
      guard let keyClass = location.tree.string.flatMap({ KeyClass(rawValue: $0) }) else {
        let known = KeyClass.allCases.map(\.rawValue).joined(separator: ", ")
        throw problem("'x-key-class' is one of \(known)", location)
      }
      rule.keyClass = keyClass
    default: rule.isMutable = try boolean(location)
    }
    node.structure = rule
  }

  private func oneOrSeveral(_ location: SchemaLocation) throws(ArchiveError) -> [String] {
    if let name = location.tree.string, !name.isEmpty { return [name] }
    return try names(location)
  }

  private func names(_ location: SchemaLocation) throws(ArchiveError) -> [String] {
    guard let names = location.tree.differentNames else {
      throw problem("different names are expected", location)
    }
    return names
  }
}

// MARK: - `x-archived`: a schema for the model of the archive that a value holds; `x-encoded`: the layers around it

/// The requirements for the archive or the JSON in a value.
struct ArchivedRule {
  /// The envelope and the other rules for the archive.
  let archive: ArchiveRule
  /// How dates, data and names are written, if it is JSON.
  let coding: JSONCoding
  /// The layers around it, from the outermost on; nil for an archive in data without any.
  let layers: [DataLayer]?
  /// The schema of the model.
  let model: Edge
  /// The schema of a list of models, where the root may be one.
  let list: Edge?
  /// The name of the archive's schema: `Influence@v1`; empty for one without a name.
  let name: String
}

extension SchemaCompiler {
  /// Processes the schema of an archive in data, or of JSON in data or a string.
  private mutating func applyArchived(
    _ location: SchemaLocation, _ layers: [DataLayer]?, to node: inout SchemaNode
  ) throws(ArchiveError) {
    let target = try archiveSchema(location)
    let archive = try ArchiveRule(target.tree["x-archive"], isNeeded: true)
    let model = try edge(to: location, "/x-archived")
    var list: Edge?
    if archive.allowsList {
      list = Edge(schemaIndex: addList(of: model, like: location), pointer: "")
    }
    node.applicators.append(
      .archived(
        ArchivedRule(
          archive: archive, coding: try JSONCoding(archive: target.tree["x-archive"]),
          layers: layers ?? (archive.envelope == .json ? [] : nil), model: model, list: list,
          name: SchemaLibrary.label(location.tree["$ref"]?.string ?? "") ?? "")))
  }

  /// The layers that `x-encoded` names; nil without it.
  private func layers(_ location: SchemaLocation) throws(ArchiveError) -> [DataLayer]? {
    guard let tree = location.tree["x-encoded"] else { return nil }
    let part = location.part("x-encoded", tree: tree)
    let items = tree.list ?? [tree]
    guard !items.isEmpty, items.allSatisfy({ $0.string != nil }) else {
      throw problem("a layer or a list of layers is expected", part)
    }
    var layers: [DataLayer] = []
    for item in items.compactMap(\.string) {
      guard let layer = DataLayer(rawValue: item) else {
        let known = DataLayer.allCases.map(\.rawValue).joined(separator: ", ")
        throw problem("'\(item)' is not a layer (\(known))", part)
      }
      layers.append(layer)
    }
    return layers
  }

  /// The schema that specifies the envelope: the keyword's own, or the one that it refers to.
  private func archiveSchema(_ start: SchemaLocation) throws(ArchiveError) -> SchemaLocation {
    var location = start
    for _ in 0..<64 {
      guard location.tree.members != nil else { break }
      if location.tree["x-archive"] != nil { return location }
      guard let reference = location.tree["$ref"]?.string else { break }
      location = try resolve(reference, location).location
    }
    throw problem(
      "'x-archived' takes a schema with 'x-archive', or a reference to one such as {\"$ref\": \"NAME@VERSION\"}",
      start)
  }
}
