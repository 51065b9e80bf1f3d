// Remembers which property of a schema a key matches, by the key's node: archives store each key once.

import ObjectGraph

/// Caches the positions of properties for the keys of one validation.
final class PositionCache {
  private struct Member: Equatable {
    var key = Node(document: .max, index: .max)
    var place: Int32 = -1
    var isField = false
  }

  private let schema: CompiledSchema
  private let cache = DirectMappedCache<Member, Int32>(slots: 1024, empty: (Member(), -1))

  init(_ schema: CompiledSchema) { self.schema = schema }

  /// The position of a key's property; -1 if the schema does not name it.
  @inline(__always)
  func position(
    of key: Node, _ isField: Bool, _ place: Int, _ rules: UnsafeMutablePointer<ObjectRules>,
    _ graph: ObjectGraph
  ) -> Int {
    // Keys of one dictionary are stored side by side, so neighbors must not collide.
    let hash = Int(key.index) &+ place &* 67
    let member = Member(
      key: key, place: Int32(truncatingIfNeeded: place), isField: isField)
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
