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
  private struct Member: Equatable {
    var key = Node(document: .max, index: .max)
    var schemaIndex: Int32 = -1
    var isField = false
  }

  private let schema: CompiledSchema
  private let cache = DirectMappedCache<Member, Int32>(slots: 1024, empty: (Member(), -1))

  init(_ schema: CompiledSchema) { self.schema = schema }

  /// The position of a key's property; -1 if the schema does not name it.
  @inline(__always)
  func position(
    of key: Node, _ isField: Bool, _ schemaIndex: Int, _ rules: UnsafeMutablePointer<ObjectRules>,
    _ graph: ObjectGraph
  ) -> Int {
    // Keys of one dictionary are stored side by side, so neighbors must not collide.
    let hash = Int(key.index) &+ schemaIndex &* 67
    let member = Member(
      key: key, schemaIndex: Int32(truncatingIfNeeded: schemaIndex), isField: isField)
    return cache.find(member, hash: hash).map { Int($0) } ?? find(member, hash, rules, graph)
  }

  @inline(never)
  private func find(
    _ member: Member, _ hash: Int, _ rules: UnsafeMutablePointer<ObjectRules>, _ graph: ObjectGraph
  ) -> Int {
    var position = -1
    if let name = graph.keyText(of: member.key) {
      position =
        ObjectRules.position(of: member.isField ? name.unmangledKey : name, in: rules) ?? -1
    }
    cache.slot(hash).pointee = (member, Int32(position))
    return position
  }
}
