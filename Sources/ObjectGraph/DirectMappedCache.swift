// What is known of values that a walk meets again and again: archives store equal scalars and keys once.
//
// It is public since only public functions are inlined into the modules with these loops.

/// A cache in which a key has one slot: it takes the place of an earlier one there, which is then forgotten.
@frozen
public struct DirectMappedCache<Key: Equatable, Value>: ~Copyable {
  @usableFromInline let slots: UnsafeMutablePointer<(key: Key, value: Value)>
  @usableFromInline let mask: Int

  /// Makes an empty cache.
  ///
  /// - Parameters:
  ///   - count: the number of slots, a power of two.
  ///   - empty: what is in a slot without a key: a key that nobody looks for, and any value.
  @inlinable
  public init(slots count: Int, empty: (key: Key, value: Value)) {
    slots = .allocate(capacity: count)
    slots.initialize(repeating: empty, count: count)
    mask = count - 1
  }

  @inlinable
  deinit {
    slots.deinitialize(count: mask + 1)
    slots.deallocate()
  }

  /// The slot of the keys with a hash: keys that are met together should have different ones.
  @inlinable @inline(__always)
  public func slot(_ hash: Int) -> UnsafeMutablePointer<(key: Key, value: Value)> {
    slots + (hash & mask)
  }

  /// What is remembered of a key; nil if nothing is.
  @inlinable @inline(__always)
  public func find(_ key: Key, hash: Int) -> Value? {
    let slot = slot(hash)
    return slot.pointee.key == key ? slot.pointee.value : nil
  }
}

/// Remembers a number for some nodes, each in one respect or in several.
public typealias NodeMemo = DirectMappedCache<NodeRespect, UInt32>

/// A node, and in which respect something is remembered of it.
@frozen
public struct NodeRespect: Equatable {
  @usableFromInline let node: Node
  @usableFromInline let tag: UInt32

  @inlinable @inline(__always)
  init(_ node: Node, _ tag: UInt32) {
    self.node = node
    self.tag = tag
  }

  /// Neighbors are met together, so they must not collide.
  @inlinable @inline(__always)
  var hash: Int { Int(node.index) &+ Int(tag) &* 61 }
}

extension DirectMappedCache where Key == NodeRespect, Value == UInt32 {
  /// Makes an empty memo.
  ///
  /// - Parameter nodeCount: how many nodes may be met; at most 4096 are remembered, in 64 KiB: more would be slower, as
  ///   what it remembers would leave the processor's cache before it is asked for.
  public init(for nodeCount: Int) {
    var size = 64
    while size < nodeCount, size < 4096 { size *= 2 }
    let none = NodeRespect(Node(document: .max, index: .max), .max)
    self.init(slots: size, empty: (none, 0))
  }

  /// What is remembered of a node; nil if nothing is.
  @inlinable @inline(__always)
  public func find(_ node: Node, _ tag: UInt32) -> UInt32? {
    let key = NodeRespect(node, tag)
    return find(key, hash: key.hash)
  }

  /// Remembers a number of a node.
  @inlinable @inline(__always)
  public mutating func set(_ node: Node, _ tag: UInt32, _ value: UInt32) {
    let key = NodeRespect(node, tag)
    slot(key.hash).pointee = (key, value)
  }
}
