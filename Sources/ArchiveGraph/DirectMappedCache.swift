// What is known of values that a walk meets again and again: archives store equal scalars and keys once.
//
// It is public since only public functions are inlined into the modules with these loops.

import ArchiveBasics

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
  package init(for nodeCount: Int) {
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
  public func set(_ node: Node, _ tag: UInt32, _ value: UInt32) {
    let key = NodeRespect(node, tag)
    slot(key.hash).pointee = (key, value)
  }
}

// MARK: - What is known of the objects of a large archive
//
// It is public since only public functions are inlined into the modules with these loops.

/// Remembers a number for objects of one large archive, by the object's number in `$objects`.
///
/// `NodeMemo` forgets what was met long ago, and to find that anew takes several looks at memory that no cache has.
public struct ObjectMemo: ~Copyable {
  /// One number for each object; nil until many objects were met.
  ///
  /// Raw memory, as an array would count its references in each step of a walk; numbers are below `count`.
  @usableFromInline var values: UnsafeMutablePointer<UInt32>?
  /// How many objects the document has; 0 if `DocumentReader.objectNumber` does not number them.
  @usableFromInline let count: Int
  @usableFromInline let document: UInt32

  /// Makes an empty memo for the objects of a document of a graph.
  package init(for graph: ObjectGraph, _ document: UInt32) {
    let view = graph.views[Int(document)]
    self.init(document, count: view.markers == nil ? 0 : view.objectCount)
  }

  init(_ document: UInt32, count: Int) {
    self.document = document
    self.count = count
  }

  @inlinable
  deinit { values?.deallocate() }

  /// Whether it remembers the objects of a document.
  ///
  /// - Parameter visited: how many values were met: a walk through few of them makes no room for all.
  @inlinable @inline(__always)
  public mutating func remembers(_ document: UInt32, after visited: Int) -> Bool {
    guard document == self.document, visited &* 64 >= count, count > 0 else { return false }
    if values == nil { makeRoom() }
    return true
  }

  @usableFromInline @inline(never)
  mutating func makeRoom() {
    let values = UnsafeMutablePointer<UInt32>.allocateTable(capacity: count)
    values.initialize(repeating: .max, count: count)
    self.values = values
  }

  /// What is remembered of an object; nil if nothing is.
  @inlinable @inline(__always)
  public func find(_ number: Int) -> UInt32? {
    guard let values, number < count, values[number] != .max else { return nil }
    return values[number]
  }

  /// Remembers a number of an object; the highest is not remembered.
  @inlinable @inline(__always)
  public mutating func set(_ number: Int, _ value: UInt32) {
    if let values, number < count { values[number] = value }
  }
}
