// A model value as bytes that are the same in every envelope: the source of a value's hash.

import ArchiveBasics
import ArchiveGraph
import KeyedArchives

/// Encodes model values canonically.
///
/// Members are sorted by name, null members are left out, numbers are encoded by value, sets are sorted, and objects are
/// their fields, so that a value and what another envelope makes of it give the same bytes.
package struct ModelDigest: ~Copyable {
  private let graph: ObjectGraph
  private var visited = 0

  /// The bytes of a value; nil if it contains itself or is too large.
  package static func bytes(of node: Node, in graph: ObjectGraph) -> [UInt8]? {
    var digest = ModelDigest(graph: graph)
    return digest.encode(node, depth: 0)
  }

  /// The bytes of each of a container's elements; empty for those that hold themselves, and from where it becomes too much.
  static func bytes(ofEach elements: Elements, in graph: ObjectGraph) -> [[UInt8]] {
    var digest = ModelDigest(graph: graph)
    var all: [[UInt8]] = []
    for index in 0..<elements.count {
      all.append(digest.encode(graph.node(elements, index), depth: 0) ?? [])
    }
    return all
  }

  // MARK: Values without nodes

  /// The bytes of a scalar; nil for anything else.
  package static func bytes(of scalar: SyntheticValue) -> [UInt8]? {
    switch scalar {
    case .null: Array("n".utf8)
    case .boolean(let flag): number(.boolean(flag))
    case .integer(let number): Self.number(.integer(number))
    case .unsigned(let number): Self.number(.unsigned(number))
    case .real(let number): Self.number(.real(number))
    case .date(let seconds): date(seconds)
    case .data(let bytes): tagged("b", bytes)
    case .string(let text): tagged("s", Array(text.utf8))
    case .node, .list, .members, .pairs, .changed: nil
    }
  }

  /// The bytes of a list of values.
  package static func bytes(ofList items: [[UInt8]]) -> [UInt8] {
    tagged("a", Array(items.joined()))
  }

  /// The bytes of an object; null members are left out.
  package static func bytes(ofMembers members: [(name: String, value: [UInt8])]) -> [UInt8] {
    Self.members(
      members.filter { $0.value != Array("n".utf8) }.map {
        (tagged("s", Array($0.name.utf8)), $0.value)
      })
  }

  // MARK: Nodes

  /// Depth is bounded by the limits, and work by that of expansions.
  private mutating func encode(_ node: Node, depth: Int) -> [UInt8]? {
    visited &+= 1
    guard depth < min(graph.limits.depth, 512), visited <= graph.expansionLimit else { return nil }
    let value = graph.value(of: node)
    switch value {
    case .null: return Array("n".utf8)
    case .boolean, .integer, .unsigned, .wide, .real, .single:
      return Self.bytes(ScalarEquality.model.number(value))
    case .date(let seconds): return Self.date(seconds)
    case .data(let bytes): return Self.tagged("b", Array(bytes))
    case .string(let text):
      if graph.isContainerOrData(node), let form = CodableForms.form(of: node, in: graph) {
        return encode(form, depth: depth + 1)
      }
      return text.withCharacterBytes { Self.tagged("s", Array($0)) }
    case .uid(let number): return Array("u\(number)".utf8)
    case .array(let elements), .orderedSet(let elements):
      return list("a", elements, depth, isSorted: false)
    case .set(let elements): return list("a", elements, depth, isSorted: true)
    case .dictionary(let pairs):
      if case .inTurn = DictionaryKeys(of: pairs, in: graph) { return inTurn(pairs, depth) }
      return members(pairs, depth)
    case .object(_, let pairs):
      if graph.isContainerOrData(node), let form = CodableForms.form(of: node, in: graph) {
        return encode(form, depth: depth + 1)
      }
      return members(pairs, depth)
    }
  }

  private static func number(_ value: Value) -> [UInt8]? {
    bytes(ScalarEquality.model.number(value))
  }

  private static func bytes(_ number: ScalarEquality.Number?) -> [UInt8]? {
    switch number {
    case .boolean(let flag): Array("t\(flag)".utf8)
    case .integer(let number): Array("i\(number)".utf8)
    case .single(let bits): Array("f\(bits)".utf8)
    case .real(let bits): Array("r\(bits)".utf8)
    case nil: nil
    }
  }

  private static func date(_ seconds: Double) -> [UInt8] {
    Array("d\(ScalarEquality.model.date(seconds))".utf8)
  }

  private static func tagged(_ tag: String, _ bytes: [UInt8]) -> [UInt8] {
    Array("\(tag)\(bytes.count):".utf8) + bytes
  }

  private mutating func list(
    _ tag: String, _ elements: Elements, _ depth: Int, isSorted: Bool
  ) -> [UInt8]? {
    var items: [[UInt8]] = []
    for index in 0..<elements.count {
      guard let item = encode(graph.node(elements, index), depth: depth + 1) else { return nil }
      items.append(item)
    }
    if isSorted { items.sort { $0.lexicographicallyPrecedes($1) } }
    return Self.tagged(tag, Array(items.joined()))
  }

  /// A dictionary as the list that Codable makes of it.
  private mutating func inTurn(_ pairs: Pairs, _ depth: Int) -> [UInt8]? {
    var items: [UInt8] = []
    for position in 0..<pairs.count {
      guard let key = encode(graph.key(pairs, position), depth: depth + 1),
        let value = encode(graph.value(pairs, position), depth: depth + 1)
      else { return nil }
      items += key + value
    }
    return Self.tagged("a", items)
  }

  private mutating func members(_ pairs: Pairs, _ depth: Int) -> [UInt8]? {
    var all: [(name: [UInt8], value: [UInt8])] = []
    for position in 0..<pairs.count {
      let value = graph.value(pairs, position)
      if case .null = graph.value(of: value) { continue }
      guard let bytes = encode(value, depth: depth + 1) else { return nil }
      if let name = graph.memberName(pairs, position)?.string {
        all.append((Self.tagged("s", Array(name.utf8)), bytes))
      } else if let key = encode(graph.key(pairs, position), depth: depth + 1) {
        all.append((key, bytes))
      } else {
        return nil
      }
    }
    return Self.members(all)
  }

  private static func members(_ all: [(name: [UInt8], value: [UInt8])]) -> [UInt8] {
    // A URL is its text, or a member of this name, as envelopes have it.
    if all.count == 1, let only = all.first, only.name == tagged("s", Array("relative".utf8)) {
      return only.value
    }
    let sorted = all.sorted { $0.name.lexicographicallyPrecedes($1.name) }
    return tagged("m", sorted.flatMap { $0.name + $0.value })
  }

  private mutating func encode(_ form: SyntheticValue, depth: Int) -> [UInt8]? {
    switch form {
    case .node(let node): return encode(node, depth: depth + 1)
    case .list(let items):
      var all: [[UInt8]] = []
      for item in items {
        guard let item = encode(item, depth: depth + 1) else { return nil }
        all.append(item)
      }
      return Self.bytes(ofList: all)
    case .members(let members):
      var all: [(name: String, value: [UInt8])] = []
      for (name, value) in members {
        guard let value = encode(value, depth: depth + 1) else { return nil }
        all.append((name, value))
      }
      return Self.bytes(ofMembers: all)
    default: return Self.bytes(of: form)
    }
  }
}
