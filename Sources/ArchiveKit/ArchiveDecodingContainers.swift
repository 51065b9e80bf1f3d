// The members and the elements of a node as Decodable types request them.

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
