// The fields of an archived object, decoded by the rules that NSKeyedUnarchiver has for types and missing keys.
//
// Format facts: Apple's reference of NSKeyedUnarchiver, "Overview"; its Archives and Serializations Programming
// Guide, "Encoding and Decoding Objects" and "Type Coercions".

import Basics
import ObjectGraph

/// Decodes the fields of one object of a keyed archive, or the archive's top-level values.
///
/// A key that is not there decodes to `false`, 0 or nil. Any integer decodes as any type of integer that it fits,
/// else the error's code is `outOfRange`; `Float` and `Double` decode as one another with the same bound. No other
/// types are never confused: an integer is not a real, a boolean not an integer, a boxed object not an inline
/// (`NSNumber`) no scalar. The error's code is `mismatch` then, where NSKeyedUnarchiver raises an
/// `NSInvalidUnarchiveOperationException`.
public struct KeyedDecoder {
  private let graph: ObjectGraph
  private let fields: [CodePointString: UInt32]
  private let document: UInt32
  /// The class of the object; nil for top-level values.
  public let objectClass: ClassDescription?

  /// Decodes the top-level values of an archive.
  ///
  /// - Parameters:
  ///   - graph: the graph that was read.
  ///   - number: which of its documents is meant.
  /// - Throws: `ArchiveError` with code `mismatch` if the document is not a keyed archive.
  public init(_ graph: ObjectGraph, document number: UInt32 = 0) throws(ArchiveError) {
    guard number < UInt32(graph.documents.count),
      let archive = graph.documents[Int(number)].archive
    else { throw ArchiveError(.mismatch, "only keyed archives have top-level values") }
    self.init(graph, Node(document: number, index: archive.topDictionary), nil)
  }

  /// Decodes the fields of an object.
  ///
  /// - Throws: `ArchiveError` with code `mismatch` if the node is not an object with a class.
  public init(_ graph: ObjectGraph, object node: Node) throws(ArchiveError) {
    guard let index = graph.classIndex(of: node) else {
      throw ArchiveError(
        .mismatch, "only objects that have a class have fields to decode",
        offset: graph.fileOffset(of: node))
    }
    self.init(graph, node, graph.classes[Int(index)])
  }

  private init(_ graph: ObjectGraph, _ node: Node, _ objectClass: ClassDescription?) {
    self.graph = graph
    self.objectClass = objectClass
    document = node.document
    let pairs = graph.storedPairs(of: node)
    let table = graph.document(of: node).table
    var fields: [CodePointString: UInt32] = [:]
    for position in 0..<pairs.count {
      guard let key = graph.text(of: graph.key(pairs, position))?.string else { continue }
      // Of keys that come twice the first is taken, as everywhere.
      if fields[CodePointString(key)] == nil {
        fields[CodePointString(key)] = table.reference(pairs.values.start, position)
      }
    }
    fields[CodePointString("$class")] = nil
    self.fields = fields
  }

  // MARK: Keys

  /// The keys that values can be decoded for, sorted: named ones first.
  public var keys: [KeyedDecoderKey] {
    fields.keys.map { KeyedDecoderKey(stored: $0.text) }.sorted()
  }

  /// Whether a key has a value, be it nil.
  public func containsValue(forKey key: KeyedDecoderKey) -> Bool {
    fields[CodePointString(key.stored)] != nil
  }

  // MARK: Scalars

  /// The boolean of a key, `false` if the key is not there.
  ///
  /// - Throws: `ArchiveError` with code `mismatch` if the value is not a boolean.
  public func decodeBool(forKey key: KeyedDecoderKey) throws(ArchiveError) -> Bool {
    guard let node = field(key) else { return false }
    guard case .boolean(let flag) = graph.storedValue(of: node) else {
      throw mismatch(key, node, "a boolean")
    }
    return flag
  }

  /// The integer of a key, 0 if the key is not there.
  ///
  /// - Throws: `ArchiveError` with code `outOfRange` if it does not fit, `mismatch` if the value is not an integer.
  public func decodeInteger<Number: FixedWidthInteger>(
    forKey key: KeyedDecoderKey, as type: Number.Type = Number.self
  ) throws(ArchiveError) -> Number {
    guard let node = field(key) else { return 0 }
    let number: Number?
    let text: String
    switch graph.storedValue(of: node) {
    case .integer(let stored): (number, text) = (Number(exactly: stored), "\(stored)")
    case .unsigned(let stored): (number, text) = (Number(exactly: stored), "\(stored)")
    case .wide(let stored): (number, text) = (Number(exactly: stored.number), "\(stored)")
    default: throw mismatch(key, node, "an integer")
    }
    guard let number else { throw outOfRange(key, node, "\(text) does not fit into \(type)") }
    return number
  }

  /// The integer of a key as 32 bits, 0 if the key is not there.
  ///
  /// - Throws: as `decodeInteger(forKey:as:)`.
  public func decodeInt32(forKey key: KeyedDecoderKey) throws(ArchiveError) -> Int32 {
    try decodeInteger(forKey: key)
  }

  /// The integer of a key as 64 bits, 0 if the key is not there.
  ///
  /// - Throws: as `decodeInteger(forKey:as:)`.
  public func decodeInt64(forKey key: KeyedDecoderKey) throws(ArchiveError) -> Int64 {
    try decodeInteger(forKey: key)
  }

  /// The integer of a key, 0 if the key is not there.
  ///
  /// - Throws: as `decodeInteger(forKey:as:)`.
  public func decodeInteger(forKey key: KeyedDecoderKey) throws(ArchiveError) -> Int {
    try decodeInteger(forKey: key, as: Int.self)
  }

  /// The real of a key in 8 bytes, 0 if the key is not there.
  ///
  /// - Throws: `ArchiveError` with code `mismatch` if the value is not a real.
  public func decodeDouble(forKey key: KeyedDecoderKey) throws(ArchiveError) -> Double {
    guard let node = field(key) else { return 0 }
    switch graph.storedValue(of: node) {
    case .real(let number): return number
    case .single(let number): return Double(number)
    default: throw mismatch(key, node, "a real")
    }
  }

  /// The real of a key in 4 bytes, 0 if the key is not there.
  ///
  /// - Throws: `ArchiveError` with code `outOfRange` if a finite real is too large, `mismatch` for other values.
  public func decodeFloat(forKey key: KeyedDecoderKey) throws(ArchiveError) -> Float {
    let wide = try decodeDouble(forKey: key)
    let narrow = Float(wide)
    if let node = field(key), wide.isFinite, !narrow.isFinite {
      throw outOfRange(key, node, "\(wide) does not fit into Float")
    }
    return narrow
  }

  /// The bytes that are stored inline in the object, nil if the key is missing.
  ///
  /// - Throws: `ArchiveError` with code `mismatch` if the value is not data, or data in a separate object.
  public func decodeBytes(forKey key: KeyedDecoderKey) throws(ArchiveError) -> [UInt8]? {
    guard let node = field(key) else { return nil }
    guard case .data(let bytes) = graph.storedValue(of: node) else {
      throw mismatch(key, node, "bytes")
    }
    return Array(bytes)
  }

  // MARK: Objects

  /// The object of a key; nil if the key is not there, or leads to nil.
  ///
  /// Conditional objects that nothing else needed when they were archived are nil.
  ///
  /// - Throws: `ArchiveError` with code `mismatch` if the value is an inline scalar.
  public func decodeObject(forKey key: KeyedDecoderKey) throws(ArchiveError) -> Node? {
    guard let index = fields[CodePointString(key.stored)] else { return nil }
    let stored = Node(document: document, index: index)
    guard case .uid = graph.storedValue(of: stored) else {
      throw mismatch(key, stored, "a reference to an object")
    }
    let node = graph.follow(index, in: document)
    if case .null = graph.value(of: node) { return nil }
    return node
  }

  /// The objects that an array in the object itself refers to, nil if the key is not there.
  ///
  /// Elements that lead to nil are nil.
  ///
  /// - Throws: `ArchiveError` with code `mismatch` if the value is not such an array.
  public func decodeObjects(forKey key: KeyedDecoderKey) throws(ArchiveError) -> [Node?]? {
    guard let node = field(key) else { return nil }
    guard case .array(let elements) = graph.storedValue(of: node) else {
      throw mismatch(key, node, "an array of references")
    }
    return (0..<elements.count).map { position in
      let element = graph.node(elements, position)
      if case .null = graph.value(of: element) { return nil }
      return element
    }
  }

  // MARK: Errors

  /// The stored value of a key, before any reference is followed.
  private func field(_ key: KeyedDecoderKey) -> Node? {
    fields[CodePointString(key.stored)].map { Node(document: document, index: $0) }
  }

  private func mismatch(
    _ key: KeyedDecoderKey, _ node: Node, _ wanted: String
  ) -> ArchiveError {
    let found = StoredKind.phrase(of: graph.storedValue(of: node))
    return ArchiveError(
      .mismatch, "the value of key '\(key)' must be \(wanted), found \(found)",
      offset: graph.fileOffset(of: node))
  }

  private func outOfRange(
    _ key: KeyedDecoderKey, _ node: Node, _ problem: String
  ) -> ArchiveError {
    ArchiveError(
      .outOfRange, "the value of key '\(key)' is out of range: \(problem)",
      offset: graph.fileOffset(of: node))
  }
}
