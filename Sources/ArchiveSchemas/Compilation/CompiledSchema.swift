// A compiled schema: its subschemas by number, and what it states about a model's shape.

import ArchiveBasics
import ArchiveGraph
import ArchiveWriting
import KeyedArchives

/// A JSON Schema, compiled.
package final class CompiledSchema: TypeHints {
  /// The schemas; number 0 allows everything, number 1 nothing.
  let nodes: UnsafePointer<SchemaNode>
  /// What each schema accepts by the fast path.
  let quickRules: UnsafePointer<QuickRule>
  /// Whether values are accepted by the fast path; tests compare the reports without it.
  package var usesQuickRules = true
  private let storage: RuleStorage
  /// The edge to the whole schema.
  let start: Edge
  /// How the model is encoded in JSON.
  package let jsonCoding: JSONCoding
  /// The Foundation that reads archives of the model.
  package let foundation: FoundationKind
  var nodeCount: Int { storage.count }
  /// Whether the root may be a list of models as well.
  let allowsList: Bool
  /// Where the names of `$dynamicRef` lead, by resource.
  let dynamicSchemas: [String: [Int: Int]]
  /// The whole schema's URI with a fragment.
  package let location: String

  init(
    _ storage: RuleStorage, root: Edge, allowsList: Bool, dynamicSchemas: [String: [Int: Int]],
    location: String, jsonCoding: JSONCoding, foundation: FoundationKind
  ) {
    self.jsonCoding = jsonCoding
    self.foundation = foundation
    self.storage = storage
    nodes = UnsafePointer(storage.nodes)
    quickRules = UnsafePointer(storage.quickRules)
    start = root
    self.allowsList = allowsList
    self.dynamicSchemas = dynamicSchemas
    self.location = location
  }

  // MARK: The shape of models

  /// The number of the whole schema.
  package var root: Int { start.schemaIndex }

  /// The schema number of a member; nil if the schema forbids it.
  package func member(_ index: Int, _ key: Text) -> Int? {
    if nodes[index].applicators.isEmpty, nodes[index].objects == nil { return 0 }
    var additional: Int? = 0
    for index in sameValue(index) {
      guard let rules = nodes[index].objects else { continue }
      if let position = ObjectRules.position(of: key, in: rules),
        rules.pointee.properties[position].isNamed
      {
        return rules.pointee.properties[position].edge.schemaIndex
      }
      if let edge = rules.pointee.additional {
        additional = nodes[edge.schemaIndex].isFalse ? nil : edge.schemaIndex
      }
    }
    return additional
  }

  /// The members that a schema names.
  package func memberNames(_ index: Int) -> [String] {
    properties(index).filter(\.isNamed).map(\.name)
  }

  /// The members that a schema names or requires.
  private func properties(_ index: Int) -> [ObjectRules.Property] {
    sameValue(index).flatMap { nodes[$0].objects?.pointee.properties ?? [] }
  }

  /// The schema number of a list's elements.
  package func element(_ index: Int) -> Int {
    // Models are mostly of plain schemas; no list is made for those.
    if (nodes + index).pointee.applicators.isEmpty, index != root {
      return (nodes + index).pointee.arrays?.pointee.items?.schemaIndex ?? 0
    }
    for index in sameValue(index) {
      if let items = nodes[index].arrays?.pointee.items { return items.schemaIndex }
    }
    return index == root && allowsList ? root : 0
  }

  /// The type of a number: integers as Int, numbers as Double.
  package func number(_ index: Int) -> NumberShape {
    if (nodes + index).pointee.applicators.isEmpty { return (nodes + index).pointee.numberShape }
    for index in sameValue(index) where nodes[index].numberShape != .any {
      return nodes[index].numberShape
    }
    return .any
  }

  /// Whether the schema has rules about classes and storage.
  package private(set) lazy var hasStructure = (0..<nodeCount).contains {
    nodes[$0].structure != nil
  }

  /// The rule about classes and storage; if several schemas apply to a value, the first one that has a rule.
  package func structure(_ index: Int) -> StructureRule? {
    if nodes[index].applicators.isEmpty { return nodes[index].structure }
    var rule: StructureRule?
    for index in sameValue(index) {
      guard let found = nodes[index].structure else { continue }
      guard var known = rule else {
        rule = found
        continue
      }
      if known.classes.isEmpty { known.classes = found.classes }
      if known.chain.isEmpty { known.chain = found.chain }
      if known.storages.isEmpty { known.storages = found.storages }
      known.isMutable = known.isMutable ?? found.isMutable
      known.keyClass = known.keyClass ?? found.keyClass
      rule = known
    }
    return rule
  }

  /// Whether a value is a date or data, apart from null.
  package func exactType(_ index: Int) -> ExactShape { exactType(index, depth: 0) ?? .any }

  /// Nil for a schema that allows only null.
  private func exactType(_ index: Int, depth: Int) -> ExactShape? {
    guard depth < 8 else { return .any }
    for index in sameValue(index) {
      if let types = nodes[index].plistTypes {
        switch types.subtracting(.null) {
        case .date: return .date
        case .data: return .data
        case []: return nil
        default: return .any
        }
      }
      if nodes[index].types == .null { return nil }
      for case .choice(let edges, _) in nodes[index].applicators {
        let found = edges.compactMap { exactType($0.schemaIndex, depth: depth + 1) }
        if let first = found.first, found.allSatisfy({ $0 == first }) { return first }
      }
    }
    return .any
  }

  /// Whether a schema names a member.
  package func names(_ name: String, in index: Int) -> Bool {
    sameValue(index).contains { index in
      nodes[index].objects?.pointee.properties.contains {
        $0.isNamed && $0.utf8.elementsEqual(name.utf8)
      } ?? false
    }
  }

  /// Whether the JSON form of any of the schema's values differs from the stored value.
  private(set) lazy var hasOwnJSONForm: Bool =
    jsonCoding.hasSnakeCaseKeys
    || (0..<nodeCount).contains { !(nodes[$0].plistTypes ?? []).isDisjoint(with: [.date, .data]) }

  /// A schema and those that always apply to the same value, unless it is null.
  private func sameValue(_ index: Int) -> [Int] {
    guard !nodes[index].applicators.isEmpty else { return [index] }
    var indexes = [index]
    var next = 0
    while next < indexes.count, indexes.count < 256 {
      for edge in nodes[indexes[next]].applicators.compactMap(certain)
      where !indexes.contains(edge.schemaIndex) {
        indexes.append(edge.schemaIndex)
      }
      next += 1
    }
    return indexes
  }

  /// The schema that a value fits unless it is null; nil if there are several possible ones.
  private func certain(_ applicator: Applicator) -> Edge? {
    switch applicator {
    case .reference(let edge): return edge
    case .choice(let edges, _):
      let others = edges.filter { nodes[$0.schemaIndex].types != .null }
      return others.count == 1 ? others.first : nil
    default: return nil
    }
  }

  // MARK: Null

  /// The members that may be null.
  ///
  /// - Parameter areRequired: whether only those that a value must have are meant.
  package func nullableMembers(_ index: Int, areRequired: Bool) -> [String] {
    properties(index).filter {
      ($0.isRequired || !areRequired) && $0.isNamed && allowsNull($0.edge.schemaIndex)
    }.map(\.name)
  }

  /// Whether a member may be null.
  package func allowsNull(_ name: String, in index: Int) -> Bool {
    hasNullableMembers && nullableMembers(index, areRequired: false).contains(name)
  }

  /// Whether any member may be null.
  package private(set) lazy var hasNullableMembers = (0..<nodeCount).contains { index in
    nodes[index].objects?.pointee.properties.contains { allowsNull($0.edge.schemaIndex) } == true
  }

  /// Whether null is listed among the types; a schema that says nothing about types is not meant.
  private func allowsNull(_ index: Int, depth: Int = 0) -> Bool {
    if nodes[index].types?.contains(.null) == true { return true }
    guard nodes[index].types == nil, depth < 8 else { return false }
    return nodes[index].applicators.contains { applicator in
      switch applicator {
      case .reference(let edge): allowsNull(edge.schemaIndex, depth: depth + 1)
      case .choice(let edges, _): edges.contains { allowsNull($0.schemaIndex, depth: depth + 1) }
      default: false
      }
    }
  }

  // MARK: Detection

  /// The members that a model must have.
  package private(set) lazy var requiredMembers = properties(root).filter(\.isRequired).map(\.name)

  /// All members that the schema names.
  package private(set) lazy var members = Set(properties(root).map(\.name))
}

// MARK: - Missing rules about the classes and the storage that an archive of objects needs for each value

/// A location in a model whose class or storage the schema does not specify.
package struct UnspecifiedStructure {
  /// The path: `$.owner`.
  package let path: GraphPath
  /// The keyword that would specify it.
  package let keyword: String
  /// The class of a framework whose objects cannot be made, and why.
  package var unmakable: (name: String, reason: String)?
}

extension CompiledSchema {
  /// Finds objects without a class and numbers in objects without storage; the root's class is specified elsewhere.
  ///
  /// - Parameter most: the most results to find.
  package func unspecifiedStructure(most: Int) -> [UnspecifiedStructure] {
    var result: [UnspecifiedStructure] = []
    var waiting = [(index: root, path: GraphPath(), isField: false)]
    var met: Set<Int> = []
    while let (index, path, isField) = waiting.popLast(), result.count < most {
      let types = types(index)
      let rule = structure(index)
      if isField, !types.isDisjoint(with: [.number, .boolean]),
        rule?.storage == nil, rule?.className == nil
      {
        result.append(UnspecifiedStructure(path: path, keyword: "x-storage"))
      }
      let isDictionary =
        rule?.keyClass != nil || rule?.className?.hasSuffix("Dictionary") ?? false
      // What is shown of an object of a framework has neither classes nor storage of its own.
      if let name = rule?.className {
        if ClassRegistry.makesObjects(of: name) { continue }
        if let reason = ClassRegistry.reasonNotToMake(objectsOf: name) {
          result.append(
            UnspecifiedStructure(path: path, keyword: "x-class", unmakable: (name, reason)))
          continue
        }
      }
      if types.contains(.dictionary), !path.steps.isEmpty, rule?.className == nil, !isDictionary {
        result.append(UnspecifiedStructure(path: path, keyword: "x-class"))
      }
      guard index != 0, met.insert(index).inserted else { continue }
      for name in memberNames(index).reversed() {
        let member = schemaIndex(of: name, in: index)
        waiting.append((member, path.appending(.key(name)), !isDictionary))
      }
      let element = element(index)
      if element != 0 { waiting.append((element, path.appending(.anyElement), false)) }
    }
    return result
  }

  /// The types that a schema names; empty if it names all.
  private func types(_ index: Int) -> ValueKinds {
    var result: ValueKinds = []
    for index in sameValue(index) {
      if let types = nodes[index].plistTypes ?? nodes[index].types {
        result = result.isEmpty ? types : result.intersection(types)
      }
    }
    return result
  }
}
