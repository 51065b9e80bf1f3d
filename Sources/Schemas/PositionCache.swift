// Which property of a schema a key is, remembered by the key's node: archives store each key once.

import ObjectGraph

/// Remembers positions of properties for the keys of one validation.
final class PositionCache {
  private static let size = 64
  private let schema: CompiledSchema
  private let keys: UnsafeMutablePointer<Node>
  private let fields: UnsafeMutablePointer<Bool>
  private let positions: UnsafeMutablePointer<Int32>
  private let requiredMasks: [UInt64]

  init(_ schema: CompiledSchema) {
    self.schema = schema
    let count = schema.nodes.count * Self.size
    keys = .allocate(capacity: count)
    keys.initialize(repeating: Node(document: .max, index: .max), count: count)
    fields = .allocate(capacity: count)
    fields.initialize(repeating: false, count: count)
    positions = .allocate(capacity: count)
    positions.initialize(repeating: -1, count: count)
    requiredMasks = schema.nodes.map { node in
      node.properties.enumerated().reduce(0) { mask, property in
        property.element.isRequired && property.offset < 64
          ? mask | 1 << UInt64(property.offset) : mask
      }
    }
  }

  deinit {
    keys.deallocate()
    fields.deallocate()
    positions.deallocate()
  }

  /// The bits of the properties that must be there.
  func required(_ place: Int) -> UInt64 { requiredMasks[place] }

  /// The position of a key's property, -1 if the schema does not name it.
  @inline(__always)
  func position(
    of key: Node, _ isField: Bool, _ place: Int, _ graph: ObjectGraph
  ) -> Int {
    let slot = place &* Self.size &+ (Int(key.index) & (Self.size &- 1))
    if keys[slot] == key, fields[slot] == isField { return Int(positions[slot]) }
    return find(key, isField, place, graph, slot)
  }

  @inline(never)
  private func find(
    _ key: Node, _ isField: Bool, _ place: Int, _ graph: ObjectGraph, _ slot: Int
  ) -> Int {
    let position =
      graph.keyText(of: key).flatMap {
        schema.nodes[place].position(of: isField ? $0.unmangledKey : $0)
      } ?? -1
    keys[slot] = key
    fields[slot] = isField
    positions[slot] = Int32(position)
    return position
  }
}
