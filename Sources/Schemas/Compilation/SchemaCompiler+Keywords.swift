// Checks the value of each keyword and stores it where validation looks for it.

import Basics
import KeyedArchives
import ObjectGraph
import PropertyLists
import RegularExpressions

extension SchemaCompiler {
  /// Processes one keyword; `location` is that of its schema.
  mutating func apply(
    _ name: String, _ value: JSONTree, _ location: SchemaLocation, to node: inout SchemaNode
  ) throws(ArchiveError) {
    let place = location.part(name, tree: value)
    switch name {
    case "type": node.types = try types(place, .json)
    case "x-plist-type": node.plistTypes = try types(place, .propertyList)
    case "x-class", "x-classes", "x-storage", "x-mutable", "x-key-class":
      try applyStructure(name, place, to: &node)
    case "x-archived": try applyArchived(place, to: &node)
    case "const": node.values.append(AllowedValues(keyword: name, [value]))
    case "enum": node.values.append(AllowedValues(keyword: name, try list(place)))
    case "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
      try applyNumber(name, place, to: &node)
    case "minLength", "maxLength", "pattern", "format": try applyString(name, place, to: &node)
    case "prefixItems", "items", "contains", "minContains", "maxContains", "minItems", "maxItems",
      "uniqueItems":
      try applyArray(name, place, to: &node)
    case "properties", "patternProperties", "additionalProperties", "propertyNames",
      "minProperties", "maxProperties", "dependentRequired", "dependencies":
      try applyObject(name, place, to: &node)
    case "$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "dependentSchemas":
      try applyInPlace(name, place, location, to: &node)
    case "unevaluatedItems": node.unevaluatedItems = try edge(to: place, "/" + name)
    case "unevaluatedProperties": node.unevaluatedProperties = try edge(to: place, "/" + name)
    default: try applyAnnotation(name, place, to: &node)
    }
  }

  // MARK: Scalars

  private mutating func applyNumber(
    _ name: String, _ place: SchemaLocation, to node: inout SchemaNode
  ) throws(ArchiveError) {
    guard let bound = NumberBound(place.tree) else {
      throw problem("a number is expected here", place)
    }
    let rules = node.numbers ?? storage.makeNumberRules()
    node.numbers = rules
    switch name {
    case "minimum": rules.pointee.minimum = bound
    case "maximum": rules.pointee.maximum = bound
    case "exclusiveMinimum": rules.pointee.exclusiveMinimum = bound
    case "exclusiveMaximum": rules.pointee.exclusiveMaximum = bound
    default:
      guard let number = ExactNumber(place.tree), number.isPositive else {
        throw problem("a number above 0 is expected here", place)
      }
      rules.pointee.multipleOf = (number, bound.text)
    }
  }

  private mutating func applyString(
    _ name: String, _ place: SchemaLocation, to node: inout SchemaNode
  ) throws(ArchiveError) {
    let rules = node.strings ?? storage.makeStringRules()
    node.strings = rules
    switch name {
    case "minLength": rules.pointee.minimumLength = try count(place)
    case "maxLength": rules.pointee.maximumLength = try count(place)
    case "pattern": rules.pointee.pattern = try pattern(try string(place), place)
    default:
      let format = try string(place)
      // Unknown formats are annotations (Validation section 7.2.3).
      let dialect = store.resources[place.resource].dialect
      if options.assertsFormats || dialect.assertsFormats {
        rules.pointee.format = StringFormat(rawValue: format)
        if let library = rules.pointee.format?.missingLibrary {
          throw ArchiveError(
            .unsupported, "the format \(format) needs \(library), which is not installed",
            path: GraphPath(pointer: place.pointer))
        }
      }
    }
  }

  private mutating func pattern(
    _ text: String, _ place: SchemaLocation
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
          path: GraphPath(pointer: place.pointer))
      }
      throw problem("the regular expression \(text) is wrong: \(error.reason)", place)
    }
  }

  // MARK: Arrays

  private mutating func applyArray(
    _ name: String, _ place: SchemaLocation, to node: inout SchemaNode
  ) throws(ArchiveError) {
    let pointer = node.arrays ?? storage.makeArrayRules()
    node.arrays = pointer
    var rules = pointer.pointee
    defer { pointer.pointee = rules }
    switch name {
    case "prefixItems": rules.prefix = try edges(place, name)
    case "items": rules.items = try edge(to: place, "/items")
    case "contains": rules.contains = try edge(to: place, "/contains")
    case "minContains": rules.minimumContains = try count(place)
    case "maxContains": rules.maximumContains = try count(place)
    case "minItems": rules.minimumCount = try count(place)
    case "maxItems": rules.maximumCount = try count(place)
    default: rules.isUnique = try boolean(place)
    }
  }

  // MARK: Objects

  private mutating func applyObject(
    _ name: String, _ place: SchemaLocation, to node: inout SchemaNode
  ) throws(ArchiveError) {
    let rules = node.objects ?? storage.makeObjectRules()
    node.objects = rules
    switch name {
    case "properties": try addProperties(place, to: rules)
    case "patternProperties":
      for (text, tree) in try members(place) {
        let part = place.part(text, tree: tree)
        let edge = try edge(to: part, "/patternProperties/" + JSONPointer.escaped(text))
        rules.pointee.patterns.append((try pattern(text, part), edge))
      }
    case "additionalProperties": rules.pointee.additional = try edge(to: place, "/" + name)
    case "propertyNames": rules.pointee.names = try edge(to: place, "/" + name)
    case "minProperties": rules.pointee.minimumCount = try count(place)
    case "maxProperties": rules.pointee.maximumCount = try count(place)
    default: try addDependents(name, place, to: &node, rules)
    }
  }

  /// `required` and `properties` share one table, whichever comes first.
  private mutating func addProperties(
    _ place: SchemaLocation, to rules: UnsafeMutablePointer<ObjectRules>
  ) throws(ArchiveError) {
    for (name, tree) in try members(place) {
      let edge = try edge(
        to: place.part(name, tree: tree), "/properties/" + JSONPointer.escaped(name))
      rules.pointee.properties.append(
        ObjectRules.Property(
          name: name, utf8: Array(name.utf8), edge: edge, isNamed: true, isRequired: false))
    }
  }

  mutating func addRequired(
    _ location: SchemaLocation, _ dialect: SchemaDialect, to node: inout SchemaNode
  ) throws(ArchiveError) {
    guard let tree = location.tree["required"], dialect.vocabularies.contains(.validation) else {
      return
    }
    let names = try strings(location.part("required", tree: tree))
    let rules = node.objects ?? storage.makeObjectRules()
    node.objects = rules
    var positions: [[UInt8]: Int] = [:]
    for (position, property) in rules.pointee.properties.enumerated() {
      positions[property.utf8] = position
    }
    for name in names {
      let utf8 = Array(name.utf8)
      let known = positions[utf8].map { rules.pointee.properties[$0] }
      let property = ObjectRules.Property(
        name: name, utf8: utf8, edge: known?.edge ?? Edge(place: 0, pointer: "/required"),
        isNamed: known != nil, isRequired: true)
      if let position = positions[utf8] {
        rules.pointee.properties[position] = property
      } else {
        positions[utf8] = rules.pointee.properties.count
        rules.pointee.properties.append(property)
      }
    }
  }

  /// `dependentRequired`, and `dependencies`, whose values may be names or schemas.
  private mutating func addDependents(
    _ keyword: String, _ place: SchemaLocation, to node: inout SchemaNode,
    _ rules: UnsafeMutablePointer<ObjectRules>
  ) throws(ArchiveError) {
    for (name, tree) in try members(place) {
      let part = place.part(name, tree: tree)
      if keyword == "dependentRequired" || tree.list != nil {
        rules.pointee.dependents.append((keyword, name, try strings(part)))
      } else {
        let edge = try edge(to: part, "/\(keyword)/" + JSONPointer.escaped(name))
        node.applicators.append(.dependent(name: name, edge))
      }
    }
  }

  // MARK: In place

  private mutating func applyInPlace(
    _ name: String, _ place: SchemaLocation, _ location: SchemaLocation, to node: inout SchemaNode
  ) throws(ArchiveError) {
    switch name {
    case "$ref":
      let target = try resolve(try string(place), location, name).location
      node.applicators.append(.reference(try edge(to: target, "/$ref")))
    case "$dynamicRef":
      let (target, anchor) = try resolve(try string(place), location, name)
      let edge = try edge(to: target, "/$dynamicRef")
      // Only a reference that finds a dynamic anchor first is dynamic (Core section 8.2.3.2).
      guard let anchor, store.resources[target.resource].dynamicAnchors.contains(anchor) else {
        node.applicators.append(.reference(edge))
        return
      }
      dynamicNames.insert(anchor)
      node.applicators.append(.dynamic(name: anchor, edge))
    case "allOf":
      for edge in try edges(place, name) { node.applicators.append(.reference(edge)) }
    case "anyOf": node.applicators.append(.any(try edges(place, name)))
    case "oneOf": node.applicators.append(.one(try edges(place, name)))
    case "not": node.applicators.append(.none(try edge(to: place, "/not")))
    default:
      for (member, tree) in try members(place) {
        let edge = try edge(
          to: place.part(member, tree: tree), "/\(name)/" + JSONPointer.escaped(member))
        node.applicators.append(.dependent(name: member, edge))
      }
    }
  }

  private mutating func edges(
    _ place: SchemaLocation, _ name: String
  ) throws(ArchiveError) -> [Edge] {
    let trees = try list(place)
    if trees.isEmpty { throw problem("a list of schemas is expected here", place) }
    var edges: [Edge] = []
    for (index, tree) in trees.enumerated() {
      edges.append(try edge(to: place.part("\(index)", tree: tree), "/\(name)/\(index)"))
    }
    return edges
  }

  // MARK: Annotations

  /// Keywords that assert nothing must still have valid values.
  mutating func applyAnnotation(
    _ name: String, _ place: SchemaLocation, to node: inout SchemaNode
  ) throws(ArchiveError) {
    switch name {
    case "deprecated": node.isDeprecated = try boolean(place)
    case "$defs", "definitions":
      // Unreferenced schemas are checked as well.
      for (member, tree) in try members(place) {
        _ = try edge(to: place.part(member, tree: tree), "/\(name)/" + JSONPointer.escaped(member))
      }
    case "contentSchema": _ = try edge(to: place, "/contentSchema")
    default: try checkAnnotation(name, place)
    }
  }
}

// MARK: - The keywords about classes and storage: `x-class`, `x-classes`, `x-storage`, `x-mutable`, `x-key-class`

extension SchemaCompiler {
  /// Processes a keyword about classes or storage.
  private func applyStructure(
    _ name: String, _ place: SchemaLocation, to node: inout SchemaNode
  ) throws(ArchiveError) {
    var rule = node.structure ?? StructureRule()
    switch name {
    case "x-class": rule.classes = try oneOrSeveral(place)
    case "x-classes": rule.chain = try names(place)
    case "x-storage":
      rule.storages = []
      for name in try oneOrSeveral(place) {
        guard let storage = FieldStorage(rawValue: name) else {
          throw problem("'x-storage' is inline or boxed", place)
        }
        rule.storages.append(storage)
      }
    case "x-key-class":
      guard let keyClass = place.tree.string.flatMap({ KeyClass(rawValue: $0) }) else {
        let known = KeyClass.allCases.map(\.rawValue).joined(separator: ", ")
        throw problem("'x-key-class' is one of \(known)", place)
      }
      rule.keyClass = keyClass
    default: rule.isMutable = try boolean(place)
    }
    node.structure = rule
  }

  private func oneOrSeveral(_ place: SchemaLocation) throws(ArchiveError) -> [String] {
    if let name = place.tree.string, !name.isEmpty { return [name] }
    return try names(place)
  }

  private func names(_ place: SchemaLocation) throws(ArchiveError) -> [String] {
    let names = (place.tree.list ?? []).compactMap(\.string).filter { !$0.isEmpty }
    guard !names.isEmpty, names.count == place.tree.list?.count,
      Set(names.map { Array($0.utf8) }).count == names.count
    else { throw problem("different names are expected", place) }
    return names
  }
}

// MARK: - Keywords that assert nothing must still conform to the meta-schema (JSON Schema Core 2020-12, sections 8, 9)

extension SchemaCompiler {
  /// Checks the value of a keyword that asserts nothing and holds no schema.
  private func checkAnnotation(_ name: String, _ place: SchemaLocation) throws(ArchiveError) {
    switch name {
    case "$schema", "$comment", "title", "description", "contentEncoding", "contentMediaType":
      _ = try string(place)
    case "$id":
      let identifier = try string(place)
      guard identifier.firstIndex(of: "#").map({ identifier[$0...] == "#" }) ?? true else {
        throw problem("an identifier has no fragment", place)
      }
    case "$anchor", "$dynamicAnchor":
      guard Self.isAnchor(try string(place)) else {
        throw problem(
          "an anchor is of letters, digits, '-', '.' and '_', the first a letter or '_'", place)
      }
    case "readOnly", "writeOnly": _ = try boolean(place)
    case "examples": _ = try list(place)
    case "$vocabulary":
      for (uri, value) in try members(place) { _ = try boolean(place.part(uri, tree: value)) }
    default: return
    }
  }

  private static func isAnchor(_ name: String) -> Bool {
    func isLetter(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }
    guard let first = name.utf8.first, isLetter(first) else { return false }
    return name.utf8.allSatisfy {
      isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "-.".utf8.contains($0)
    }
  }
}

// MARK: - `x-archived`: a schema for the model of the archive that a data value holds

/// The requirements for the archive in a data value.
final class ArchivedRule {
  /// The envelope and the other rules for the archive.
  let archive: ArchiveRule
  /// The schema of the model.
  let model: Edge
  /// The schema of a list of models, where the root may be one.
  let list: Edge?
  /// The name of the archive's schema: `Influence@v1`; empty for one without a name.
  let name: String

  init(archive: ArchiveRule, model: Edge, list: Edge?, name: String) {
    self.archive = archive
    self.model = model
    self.list = list
    self.name = name
  }
}

extension SchemaCompiler {
  /// Processes the schema of an archive in data.
  private mutating func applyArchived(
    _ place: SchemaLocation, to node: inout SchemaNode
  ) throws(ArchiveError) {
    let target = try archiveSchema(place)
    let archive = try ArchiveRule(target.tree["x-archive"], isNeeded: true)
    if archive.envelope == .json {
      throw problem("'x-archived' refers to a schema of JSON, which is not an archive", place)
    }
    let model = try edge(to: place, "/x-archived")
    var list: Edge?
    if archive.allowsList { list = Edge(place: addList(of: model, like: place), pointer: "") }
    node.applicators.append(
      .archived(
        ArchivedRule(
          archive: archive, model: model, list: list,
          name: SchemaLibrary.label(place.tree["$ref"]?.string ?? "") ?? "")))
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
