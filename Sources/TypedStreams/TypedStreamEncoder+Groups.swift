// Graphs of typedstreams written again: objects whose values are told in groups, as their types say.

import Basics
import ObjectGraph

extension TypedStreamEncoder {
  // MARK: Groups

  /// The groups of an object that was read from a typedstream, and the nodes of its values.
  func groups(of pairs: Pairs) -> ([TypedGroup], [Node])? {
    var encodings: String?
    var nodes: [Int: Node] = [:]
    for position in 0..<pairs.count {
      guard let key = graph.memberName(pairs, position)?.string else { return nil }
      let value = graph.value(pairs, position)
      if key == "$types" {
        encodings = graph.text(of: value)?.string
      } else if key.hasPrefix("$"), let number = Int(key.dropFirst()) {
        nodes[number] = value
      } else {
        return nil
      }
    }
    guard let encodings else { return nil }
    var groups: [TypedGroup] = []
    for text in encodings.split(separator: " ") {
      do throws(ArchiveError) {
        groups.append(TypedGroup(types: try EncodedType.parse(Array(text.utf8), offset: 0)))
      } catch {
        return nil
      }
    }
    let ordered = (0..<nodes.count).compactMap { nodes[$0] }
    guard ordered.count == nodes.count, ordered.count == groups.reduce(0, { $0 + $1.types.count })
    else { return nil }
    return (groups, ordered)
  }

  static func type(at position: Int, of groups: [TypedGroup]) -> EncodedType? {
    var rest = position
    for group in groups {
      if rest < group.types.count { return group.types[rest] }
      rest -= group.types.count
    }
    return nil
  }

  /// The class of an object with the versions that its record tells; 0 where it tells none.
  func versionedChain(of node: Node, _ description: ClassDescription) -> [String] {
    let pairs = graph.storedPairs(of: node)
    for position in 0..<pairs.count
    where graph.text(of: graph.key(pairs, position))?.equals("$class") == true {
      let chain = versionedChain(ofRecord: graph.value(pairs, position))
      if !chain.isEmpty { return chain }
    }
    return (description.chain.isEmpty ? [description.name] : description.chain).map { $0 + ":0" }
  }

  func versionedChain(ofRecord record: Node) -> [String] {
    guard case .dictionary(let pairs) = graph.storedValue(of: record) else { return [] }
    var names: [String] = []
    var versions: [Int64] = []
    for position in 0..<pairs.count {
      guard let key = graph.text(of: graph.key(pairs, position)),
        case .array(let list) = graph.storedValue(of: graph.value(pairs, position))
      else { continue }
      for index in 0..<list.count {
        switch graph.storedValue(of: graph.node(list, index)) {
        case .string(let text) where key.equals("$classes"): names.append(text.string)
        case .integer(let version) where key.equals("$versions"): versions.append(version)
        default: break
        }
      }
    }
    return names.enumerated().map { "\($1):\($0 < versions.count ? versions[$0] : 0)" }
  }

  /// A value that stands in its holder, as its type wants it.
  mutating func inline(_ node: Node, _ type: EncodedType) throws(ArchiveError) -> TypedValue {
    switch (type, graph.storedValue(of: node)) {
    case (.scalar(UInt8(ascii: "@")), _): return try beginObject(node)
    case (.array, .data(let bytes)): return .data(bytes)
    case (.array(_, let element), .array(let elements)):
      var values: [TypedValue] = []
      for position in 0..<elements.count {
        values.append(try inline(graph.node(elements, position), element))
      }
      return .array(values)
    case (.structure(_, let fields), .array(let elements)) where fields.count == elements.count:
      var values: [TypedValue] = []
      for (position, field) in fields.enumerated() {
        values.append(try inline(graph.node(elements, position), field))
      }
      return .structure(values)
    case (.scalar(UInt8(ascii: "#")), _): return try classValue(node)
    case (.scalar, let value):
      if let scalar = scalar(value, node) { return scalar }
    default: break
    }
    throw ArchiveError(
      .unrepresentable, "the value does not fit its type '\(type.text)'",
      offset: graph.fileOffset(of: node))
  }

  mutating func scalar(_ value: Value, _ node: Node) -> TypedValue? {
    switch value {
    case .boolean(let flag): return .boolean(flag)
    case .integer(let number): return .integer(number)
    case .unsigned(let number): return .unsigned(number)
    case .real(let number): return .real(number)
    case .single(let number): return .single(number)
    case .string(let text):
      // The UID 0 in the place of a name.
      if text.equals("$null"), graph.objectNumber(of: node) == 0 { return .null }
      return .text(keep(Array(text.string.utf8)))
    case .null: return .null
    default: return nil
    }
  }

  mutating func classValue(_ node: Node) throws(ArchiveError) -> TypedValue {
    if case .null = graph.value(of: node) { return .null }
    let names = versionedChain(ofRecord: node)
    guard let number = type(names) else { return .null }
    return .type(number)
  }
}
