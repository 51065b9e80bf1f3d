// The members of objects by name: the properties of a schema that they are, and all names of one object.

import ArchiveBasics
import ArchiveGraph

/// The names of the members of the object that was last asked about.
struct MemberNames {
  private let graph: ObjectGraph
  private var last: (node: Node, names: Set<[UInt8]>)?

  init(_ graph: ObjectGraph) { self.graph = graph }

  /// The names of an object's members, in UTF-8; they are gathered once for all look-ups.
  mutating func of(_ node: Node, _ pairs: Pairs) -> Set<[UInt8]> {
    if let last, last.node == node { return last.names }
    let names = Set(
      (0..<pairs.count).compactMap { position in
        graph.memberName(pairs, position).map { Array($0.string.utf8) }
      })
    last = (node, names)
    return names
  }
}

// MARK: - Remembers which property of a schema a key matches, by the key's node

/// Caches the positions of properties for the keys of one validation.
final class PositionCache {
  private let graph: ObjectGraph
  private let cache = NodeMemo(for: 1024)

  init(_ graph: ObjectGraph) { self.graph = graph }

  /// The position of a key's property; -1 if the schema does not name it.
  @inline(__always)
  func position(
    of key: Node, isField: Bool, _ schemaIndex: Int, _ rules: UnsafeMutablePointer<ObjectRules>
  ) -> Int {
    let tag = UInt32(truncatingIfNeeded: schemaIndex &* 2 &+ (isField ? 1 : 0))
    return cache.find(key, tag).map { Int(Int32(bitPattern: $0)) } ?? find(key, isField, tag, rules)
  }

  @inline(never)
  private func find(
    _ key: Node, _ isField: Bool, _ tag: UInt32, _ rules: UnsafeMutablePointer<ObjectRules>
  ) -> Int {
    let name = graph.keyText(of: key).map { isField ? $0.unmangledKey : $0 }
    let position = name.flatMap { ObjectRules.position(of: $0, in: rules) } ?? -1
    cache.set(key, tag, UInt32(bitPattern: Int32(position)))
    return position
  }
}
