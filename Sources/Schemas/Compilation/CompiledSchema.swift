// A compiled schema: its subschemas by number, and what it states about a model's shape.

import Basics
import KeyedArchives
import ObjectGraph

/// A JSON Schema, compiled.
public final class CompiledSchema: TypeHints {
  /// The schemas; number 0 allows everything, number 1 nothing.
  let nodes: UnsafePointer<SchemaNode>
  /// What each schema accepts at sight.
  let quickRules: UnsafePointer<QuickRule>
  /// Whether values are accepted at sight; tests compare the reports without it.
  package var usesQuickRules = true
  private let storage: RuleStorage
  /// The edge to the whole schema.
  let start: Edge
  /// How the model is encoded in JSON.
  public let jsonCoding: JSONCoding
  /// The Foundation that reads archives of the model.
  public let foundation: FoundationKind
  /// How many schemas there are.
  var nodeCount: Int { storage.count }
  /// Whether the root may be a list of models as well.
  let allowsList: Bool
  /// Where the names of `$dynamicRef` lead, by resource.
  let dynamicPlaces: [String: [Int: Int]]
  /// The whole schema's URI with a fragment.
  public let location: String

  init(
    _ storage: RuleStorage, root: Edge, allowsList: Bool, dynamicPlaces: [String: [Int: Int]],
    location: String, jsonCoding: JSONCoding, foundation: FoundationKind
  ) {
    self.jsonCoding = jsonCoding
    self.foundation = foundation
    self.storage = storage
    nodes = UnsafePointer(storage.nodes)
    quickRules = UnsafePointer(storage.quickRules)
    start = root
    self.allowsList = allowsList
    self.dynamicPlaces = dynamicPlaces
    self.location = location
  }

  // MARK: The shape of models

  /// The number of the whole schema.
  public var root: Int { start.place }

  /// The schema number of a member; nil if the schema forbids it.
  public func member(_ place: Int, _ key: Text) -> Int? {
    if nodes[place].applicators.isEmpty, nodes[place].objects == nil { return 0 }
    var additional: Int? = 0
    for place in sameValue(place) {
      guard let rules = nodes[place].objects else { continue }
      if let position = ObjectRules.position(of: key, in: rules),
        rules.pointee.properties[position].isNamed
      {
        return rules.pointee.properties[position].edge.place
      }
      if let edge = rules.pointee.additional {
        additional = nodes[edge.place].isFalse ? nil : edge.place
      }
    }
    return additional
  }

  /// The members that a schema names.
  package func memberNames(_ place: Int) -> [String] {
    sameValue(place).flatMap {
      nodes[$0].objects?.pointee.properties.filter(\.isNamed).map(\.name) ?? []
    }
  }

  /// The number that `member` gives a name, or without one any name that is not listed; 0 if the schema forbids it.
  package func memberPlace(_ place: Int, _ name: String?) -> Int {
    var additional = 0
    for place in sameValue(place) {
      guard let rules = nodes[place].objects?.pointee else { continue }
      let named = name.flatMap { name in
        rules.properties.first { $0.isNamed && $0.name.utf8.elementsEqual(name.utf8) }
      }
      if let named { return named.edge.place }
      if let edge = rules.additional { additional = nodes[edge.place].isFalse ? 0 : edge.place }
    }
    return additional
  }

  /// The schema number of a list's elements.
  public func element(_ place: Int) -> Int {
    // Models are mostly of plain schemas; no list of places is made for those.
    if (nodes + place).pointee.applicators.isEmpty, place != root {
      return (nodes + place).pointee.arrays?.pointee.items?.place ?? 0
    }
    for place in sameValue(place) {
      if let items = nodes[place].arrays?.pointee.items { return items.place }
    }
    return place == root && allowsList ? root : 0
  }

  /// The type of a number: integers as Int, numbers as Double.
  public func number(_ place: Int) -> NumberShape {
    if (nodes + place).pointee.applicators.isEmpty { return (nodes + place).pointee.numberShape }
    for place in sameValue(place) where nodes[place].numberShape != .any {
      return nodes[place].numberShape
    }
    return .any
  }

  /// Whether the schema has rules about classes and storage.
  package private(set) lazy var hasStructure = (0..<nodeCount).contains {
    nodes[$0].structure != nil
  }

  /// The rule about classes and storage; if several schemas apply to a value, the first one that has a rule.
  public func structure(_ place: Int) -> StructureRule? {
    if nodes[place].applicators.isEmpty { return nodes[place].structure }
    var rule: StructureRule?
    for place in sameValue(place) {
      guard let found = nodes[place].structure else { continue }
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
  public func exactType(_ place: Int) -> ExactShape { exactType(place, depth: 0) ?? .any }

  /// Nil for a schema that allows only null.
  private func exactType(_ place: Int, depth: Int) -> ExactShape? {
    guard depth < 8 else { return .any }
    for place in sameValue(place) {
      if let types = nodes[place].plistTypes {
        switch types.subtracting(.null) {
        case .date: return .date
        case .data: return .data
        case []: return nil
        default: return .any
        }
      }
      if nodes[place].types == .null { return nil }
      for case .any(let edges) in nodes[place].applicators.map(Self.choice) {
        let found = edges.compactMap { exactType($0.place, depth: depth + 1) }
        if let first = found.first, found.allSatisfy({ $0 == first }) { return first }
      }
    }
    return .any
  }

  /// For the types of its branches, `oneOf` is equivalent to `anyOf`.
  private static func choice(_ applicator: Applicator) -> Applicator {
    if case .one(let edges) = applicator { .any(edges) } else { applicator }
  }

  /// Whether a schema names a member.
  public func names(_ name: String, in place: Int) -> Bool {
    sameValue(place).contains { place in
      nodes[place].objects?.pointee.properties.contains {
        $0.isNamed && $0.utf8.elementsEqual(name.utf8)
      } ?? false
    }
  }

  /// Whether the JSON form of any of the schema's values differs from the stored value.
  private(set) lazy var isRespelled: Bool =
    jsonCoding.hasSnakeCaseKeys
    || (0..<nodeCount).contains { !(nodes[$0].plistTypes ?? []).isDisjoint(with: [.date, .data]) }

  /// A schema and those that always apply to the same value, unless it is null.
  private func sameValue(_ place: Int) -> [Int] {
    guard !nodes[place].applicators.isEmpty else { return [place] }
    var places = [place]
    var next = 0
    while next < places.count, places.count < 256 {
      for edge in nodes[places[next]].applicators.compactMap(certain)
      where !places.contains(edge.place) {
        places.append(edge.place)
      }
      next += 1
    }
    return places
  }

  /// The schema that a value fits unless it is null; nil if there are several possible ones.
  private func certain(_ applicator: Applicator) -> Edge? {
    switch Self.choice(applicator) {
    case .reference(let edge): return edge
    case .any(let edges):
      let others = edges.filter { nodes[$0.place].types != .null }
      return others.count == 1 ? others.first : nil
    default: return nil
    }
  }

  // MARK: Null

  /// The members that may be null.
  ///
  /// - Parameter areRequired: whether only those that a value must have are meant.
  package func nullableMembers(_ place: Int, areRequired: Bool) -> [String] {
    sameValue(place).flatMap { place in
      nodes[place].objects?.pointee.properties.filter {
        ($0.isRequired || !areRequired) && $0.isNamed && allowsNull($0.edge.place)
      }.map(\.name) ?? []
    }
  }

  /// Whether a member may be null.
  public func allowsNull(_ name: String, in place: Int) -> Bool {
    hasNullableMembers && nullableMembers(place, areRequired: false).contains(name)
  }

  /// Whether any member may be null.
  package private(set) lazy var hasNullableMembers = (0..<nodeCount).contains { place in
    nodes[place].objects?.pointee.properties.contains { allowsNull($0.edge.place) } == true
  }

  /// Whether null is listed among the types; a schema that says nothing about types is not meant.
  private func allowsNull(_ place: Int, depth: Int = 0) -> Bool {
    if nodes[place].types?.contains(.null) == true { return true }
    guard nodes[place].types == nil, depth < 8 else { return false }
    return nodes[place].applicators.map(Self.choice).contains { applicator in
      switch applicator {
      case .reference(let edge): allowsNull(edge.place, depth: depth + 1)
      case .any(let edges): edges.contains { allowsNull($0.place, depth: depth + 1) }
      default: false
      }
    }
  }

  // MARK: Detection

  /// The members that a model must have.
  package private(set) lazy var requiredMembers: [String] = sameValue(root).flatMap {
    nodes[$0].objects?.pointee.properties.filter(\.isRequired).map(\.name) ?? []
  }

  /// All members that the schema names.
  package private(set) lazy var members: Set<String> = Set(
    sameValue(root).flatMap { nodes[$0].objects?.pointee.properties.map(\.name) ?? [] })
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
    var waiting = [(place: root, path: GraphPath(), isField: false)]
    var met: Set<Int> = []
    while let (place, path, isField) = waiting.popLast(), result.count < most {
      let types = types(place)
      let rule = structure(place)
      if isField, !types.isDisjoint(with: [.integer, .number, .real, .boolean]),
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
      if types.contains(.object), !path.steps.isEmpty, rule?.className == nil, !isDictionary {
        result.append(UnspecifiedStructure(path: path, keyword: "x-class"))
      }
      guard place != 0, met.insert(place).inserted else { continue }
      for name in memberNames(place).reversed() {
        let member = memberPlace(place, name)
        waiting.append((member, path.appending(.key(name)), !isDictionary))
      }
      let element = element(place)
      if element != 0 { waiting.append((element, path.appending(.anyElement), false)) }
    }
    return result
  }

  /// The types that a schema names; empty if it names all.
  private func types(_ place: Int) -> TypeMask {
    var result: TypeMask = []
    for place in sameValue(place) {
      if let types = nodes[place].plistTypes ?? nodes[place].types {
        result = result.isEmpty ? types : result.intersection(types)
      }
    }
    return result
  }
}
