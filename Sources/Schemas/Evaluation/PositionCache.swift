// Remembers which property of a schema a key matches, by the key's node: archives store each key once.

import ObjectGraph

/// Caches the positions of properties for the keys of one validation.
final class PositionCache {
  private static let size = 1024

  private struct Entry {
    var key = Node(document: .max, index: .max)
    var place: Int32 = -1
    var position: Int32 = -1
    var isField = false
  }

  private let schema: CompiledSchema
  private let entries: UnsafeMutablePointer<Entry>

  init(_ schema: CompiledSchema) {
    self.schema = schema
    entries = .allocate(capacity: Self.size)
    entries.initialize(repeating: Entry(), count: Self.size)
  }

  deinit { entries.deallocate() }

  /// The position of a key's property; -1 if the schema does not name it.
  @inline(__always)
  func position(
    of key: Node, _ isField: Bool, _ place: Int, _ rules: UnsafeMutablePointer<ObjectRules>,
    _ graph: ObjectGraph
  ) -> Int {
    // Keys of one dictionary are stored side by side, so neighbors must not collide.
    let entry = entries + ((Int(key.index) &+ place &* 67) & (Self.size &- 1))
    if entry.pointee.key == key, entry.pointee.place == place, entry.pointee.isField == isField {
      return Int(entry.pointee.position)
    }
    return find(key, isField, place, rules, graph, entry)
  }

  @inline(never)
  private func find(
    _ key: Node, _ isField: Bool, _ place: Int, _ rules: UnsafeMutablePointer<ObjectRules>,
    _ graph: ObjectGraph,
    _ entry: UnsafeMutablePointer<Entry>
  ) -> Int {
    var position = -1
    if let name = graph.keyText(of: key) {
      position = ObjectRules.position(of: isField ? name.unmangledKey : name, in: rules) ?? -1
    }
    entry.pointee = Entry(
      key: key, place: Int32(place), position: Int32(position), isField: isField)
    return position
  }
}
