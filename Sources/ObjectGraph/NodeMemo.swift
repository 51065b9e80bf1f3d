// What is known of nodes that a walk meets again and again: archives store equal scalars and keys once.
//
// It is public since only public functions are inlined into the modules with these loops.

/// Remembers a number for some nodes: a node may take the place of an earlier one, which is then forgotten.
public struct NodeMemo: ~Copyable {
  @usableFromInline
  struct Slot {
    @usableFromInline var document: UInt32
    /// One more than the index; 0 in a free slot.
    @usableFromInline var place: UInt32
    @usableFromInline var tag: UInt32
    @usableFromInline var value: UInt32

    @usableFromInline
    init(document: UInt32, place: UInt32, tag: UInt32, value: UInt32) {
      self.document = document
      self.place = place
      self.tag = tag
      self.value = value
    }
  }

  /// More would be slower: what it remembers would leave the cache before it is asked for.
  private static let mostSlots = 4096

  @usableFromInline let slots: UnsafeMutablePointer<Slot>
  @usableFromInline let mask: Int

  /// Makes an empty memo.
  ///
  /// - Parameter nodeCount: how many nodes may be met; at most 4096 are remembered, in 64 KiB.
  public init(for nodeCount: Int) {
    var size = 64
    while size < nodeCount, size < Self.mostSlots { size *= 2 }
    mask = size - 1
    let byteCount = size * MemoryLayout<Slot>.stride
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: byteCount, alignment: MemoryLayout<Slot>.alignment)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
    slots = memory.bindMemory(to: Slot.self, capacity: size)
  }

  @inlinable
  deinit { slots.deallocate() }

  /// Neighbors are met together, so they must not collide.
  @inlinable @inline(__always)
  func slot(_ node: Node, _ tag: UInt32) -> UnsafeMutablePointer<Slot> {
    slots + ((Int(node.index) &+ Int(tag) &* 61) & mask)
  }

  /// What is remembered of a node; nil if nothing is.
  ///
  /// - Parameter tag: in which respect; a node may be remembered in several.
  @inlinable @inline(__always)
  public func find(_ node: Node, _ tag: UInt32) -> UInt32? {
    let slot = slot(node, tag)
    guard slot.pointee.place == node.index &+ 1, slot.pointee.tag == tag,
      slot.pointee.document == node.document
    else { return nil }
    return slot.pointee.value
  }

  /// Remembers a number of a node.
  @inlinable @inline(__always)
  public mutating func set(_ node: Node, _ tag: UInt32, _ value: UInt32) {
    slot(node, tag).pointee = Slot(
      document: node.document, place: node.index &+ 1, tag: tag, value: value)
  }
}
