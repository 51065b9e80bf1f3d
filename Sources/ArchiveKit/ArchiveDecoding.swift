// Decodable types from the content of an archive, written by Codable, NSCoding or as a dictionary.

import ArchiveGraph

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ArchiveNode {
  /// Makes a value of a type from the node.
  ///
  /// Members are the fields of an object or the values of a dictionary; lists come from arrays and sets. A data value
  /// that holds an archive stands for that, unless bytes are asked for. Numbers must fit, and no other kinds are taken for
  /// one another, but that in keyed archives 0 and 1 are truth values as well, and a whole real an integer: Foundation on
  /// Linux stores equal ones once.
  ///
  /// - Throws: `DecodingError` with the path of what does not fit, also where objects lead back to themselves.
  public func decode<Model: Decodable>(_ type: Model.Type = Model.self) throws -> Model {
    try NodeDecoder(node: self, codingPath: [], steps: DecodingSteps(graph)).value(of: type)
  }
}

/// The number of decoded values: shared ones are decoded at each reference, within a limit.
final class DecodingSteps {
  private let graph: ObjectGraph
  private var count = 0
  private var most = 0

  init(_ graph: ObjectGraph) { self.graph = graph }

  /// Whether one more value may be decoded; archives that were opened meanwhile raise the limit.
  func countOne() -> Bool {
    count += 1
    if count > most { most = (1 << 16) + 64 * graph.documents.reduce(0) { $0 + $1.table.count } }
    return count <= most
  }
}

extension ArchiveNode {
  /// Whether the value is one of a keyed archive, and not of a property list.
  var isArchived: Bool { graph.document(of: node).archive != nil }

  /// Whether a decoder treats the value as nil: in property lists PropertyListEncoder writes nil as the string "$null".
  var isNil: Bool { isNull || !isArchived && string == "$null" }
}

/// Decodes one node.
struct NodeDecoder: Decoder {
  /// Objects of an honest model do not nest so deep; those that lead back to themselves never end.
  private static let deepest = 200

  let node: ArchiveNode
  let codingPath: [any CodingKey]
  let steps: DecodingSteps
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// The decoder of a member or an element.
  func decoder(of node: ArchiveNode, at key: any CodingKey) -> NodeDecoder {
    NodeDecoder(node: node, codingPath: codingPath + [key], steps: steps)
  }

  /// The node, or the content of a data value.
  private var opened: ArchiveNode { node.contents ?? node }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let node = opened
    guard node.kind == .dictionary || node.kind == .object else {
      throw mismatch([String: Any].self, node)
    }
    return KeyedDecodingContainer(
      MemberContainer<Key>(
        NodeDecoder(
          node: node, codingPath: codingPath, steps: steps)))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let node = opened
    let nodes: [ArchiveNode]
    switch node.kind {
    case .array, .set, .orderedSet: nodes = Array(node.elements)
    // Dictionaries by neither strings nor integers encode themselves as keys and values by turns.
    case .dictionary where node.members.allSatisfy { $0.name == nil && $0.key.kind != .integer }:
      nodes = node.members.flatMap { [$0.key, $0.value] }
    default: throw mismatch([Any].self, node)
    }
    return ElementContainer(decoder: self, nodes: nodes)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  // MARK: Values

  /// A value of any type: those that archives have of their own as they are, others as they decode themselves.
  func value<Model: Decodable>(of type: Model.Type) throws -> Model {
    guard codingPath.count <= Self.deepest else {
      throw corrupted("values are nested more than \(Self.deepest) deep, or contain themselves")
    }
    guard steps.countOne() else {
      throw corrupted("too many values, as shared objects are repeated")
    }
    let own: Any? =
      switch type {
      case is Date.Type: node.date
      case is Data.Type: node.data
      case is URL.Type: node.string.flatMap { URL(string: $0) }
      case is UUID.Type: node.string.flatMap { UUID(uuidString: $0) }
      case is Decimal.Type: decimal
      default: nil
      }
    if let own, let value = own as? Model { return value }
    if type is Date.Type || type is Data.Type { throw mismatch(type, node) }
    return try Model(from: self)
  }

  private var decimal: Decimal? {
    if let integer = node.integer { return Decimal(integer) }
    return node.string.flatMap { Decimal(string: $0) } ?? node.double.map { Decimal($0) }
  }

  // MARK: Errors

  func mismatch(_ type: Any.Type, _ found: ArchiveNode) -> DecodingError {
    let context = DecodingError.Context(
      codingPath: codingPath, debugDescription: "found \(found.kind)\(location)")
    return found.isNil
      ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  func corrupted(_ reason: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: codingPath, debugDescription: reason + location))
  }

  private var location: String { node.offset.map { " at offset \($0)" } ?? "" }
}

extension NodeDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { node.isNil }

  func decode(_ type: Bool.Type) throws -> Bool {
    if node.isArchived, let number = node.double, number == 0 || number == 1 { return number == 1 }
    return try found(node.bool, type)
  }
  func decode(_ type: String.Type) throws -> String { try found(node.string, type) }
  func decode(_ type: Double.Type) throws -> Double {
    if node.isArchived, let flag = node.bool { return flag ? 1 : 0 }
    return try found(node.double, type)
  }
  func decode(_ type: Float.Type) throws -> Float {
    let wide = try decode(Double.self)
    let narrow = Float(wide)
    if wide.isFinite, !narrow.isFinite { throw corrupted("\(wide) does not fit into Float") }
    return narrow
  }

  func decode<Model: Decodable>(_ type: Model.Type) throws -> Model { try value(of: type) }

  private func found<Scalar>(_ scalar: Scalar?, _ type: Any.Type) throws -> Scalar {
    guard let scalar else { throw mismatch(type, node) }
    return scalar
  }

  /// The integer of each type for which the standard library has a requirement.
  func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type) throws -> Number {
    // On Linux keyed archives store 1, 1.0 and true as one object, whichever came first.
    if node.isArchived {
      if let flag = node.bool { return flag ? 1 : 0 }
      if node.kind == .real, let number = node.double.flatMap({ Number(exactly: $0) }) {
        return number
      }
    }
    guard node.kind == .integer else { throw mismatch(type, node) }
    guard let number = node.integer(as: type) else {
      throw corrupted("the integer does not fit into \(type)")
    }
    return number
  }
}

// MARK: - The members and the elements of a node as Decodable types request them

/// The key of an element, or of a member that a type requests by its number.
struct PositionKey: CodingKey {
  let intValue: Int?
  let stringValue: String

  init(_ position: Int) {
    intValue = position
    stringValue = "\(position)"
  }

  init?(intValue: Int) { self.init(intValue) }
  init?(stringValue: String) { nil }
}

/// The key under which a class keeps what its superclass encoded.
private struct SuperKey: CodingKey {
  let stringValue = "super"
  var intValue: Int? { nil }

  init() {}
  init?(stringValue: String) { nil }
  init?(intValue: Int) { nil }
}

/// The members of an object or a dictionary.
struct MemberContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let decoder: NodeDecoder
  private let members: [String: ArchiveNode]
  private let names: [String]

  init(_ decoder: NodeDecoder) {
    self.decoder = decoder
    var members: [String: ArchiveNode] = [:]
    var names: [String] = []
    for member in decoder.node.members {
      // Members of a dictionary by integers are found by the texts of its keys. Of repeated keys the first counts.
      guard let name = member.name ?? member.key.integer.map({ "\($0)" }), members[name] == nil
      else { continue }
      members[name] = member.value
      names.append(name)
    }
    self.members = members
    self.names = names
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { names.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try member(key).node.isNil }

  func decode<Model: Decodable>(_ type: Model.Type, forKey key: Key) throws -> Model {
    try member(key).value(of: type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> { try member(key).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try member(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try member(SuperKey()) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try member(key) }

  private func member(_ key: any CodingKey) throws -> NodeDecoder {
    guard let node = members[key.stringValue] else {
      throw DecodingError.keyNotFound(
        key, .init(codingPath: codingPath, debugDescription: "no member '\(key.stringValue)'"))
    }
    return decoder.decoder(of: node, at: key)
  }
}

/// The elements of a list, one after another.
struct ElementContainer: UnkeyedDecodingContainer {
  let decoder: NodeDecoder
  let nodes: [ArchiveNode]
  private(set) var currentIndex = 0

  init(decoder: NodeDecoder, nodes: [ArchiveNode]) {
    self.decoder = decoder
    self.nodes = nodes
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { nodes.count }
  var isAtEnd: Bool { currentIndex >= nodes.count }

  /// Passes over nil only.
  mutating func decodeNil() throws -> Bool {
    guard try current(Any?.self).node.isNil else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Model: Decodable>(_ type: Model.Type) throws -> Model {
    let value = try current(type).value(of: type)
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    let container = try current([String: Any].self).container(keyedBy: type)
    currentIndex += 1
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try current([Any].self).unkeyedContainer()
    currentIndex += 1
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = try current((any Decoder).self)
    currentIndex += 1
    return decoder
  }

  private func current(_ type: Any.Type) throws -> NodeDecoder {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type, .init(codingPath: codingPath, debugDescription: "there are \(nodes.count) elements"))
    }
    return decoder.decoder(of: nodes[currentIndex], at: PositionKey(currentIndex))
  }
}
