// What is known of the objects of a large archive: those that others share are met again long after.
//
// It is public since only public functions are inlined into the modules with these loops.

import Basics

/// Remembers a number for each scalar of one large archive, by the object's number in `$objects`.
///
/// `NodeMemo` forgets what was met long ago, and to find that anew takes several looks at memory that no cache has.
public struct ObjectMemo: ~Copyable {
  /// The room for what is remembered.
  @usableFromInline
  struct Room {
    /// The objects that are scalars: most are containers, and room for these would leave less of the cache.
    @usableFromInline let scalars: RankedSet
    /// One number for each scalar.
    ///
    /// Raw memory, as an array would count its references in each step of a walk; ranks in `scalars` are below its count.
    @usableFromInline let values: UnsafeMutablePointer<UInt32>

    @usableFromInline
    func deallocate() {
      scalars.deallocate()
      values.deallocate()
    }
  }

  /// Nil until many objects were met.
  @usableFromInline var room: Room?
  /// How many objects the document has; 0 if `DocumentReader.objectNumber` does not number them.
  @usableFromInline let count: Int
  @usableFromInline let document: UInt32
  /// The marker of each object; the graph keeps them, and outlives the memo.
  private let markers: UnsafePointer<UInt8>?

  /// Makes an empty memo for the objects of a document of a graph that outlives it.
  public init(for graph: ObjectGraph, _ document: UInt32) {
    let view = graph.views[Int(document)]
    self.document = document
    markers = view.markers
    count = markers == nil ? 0 : view.objectCount
  }

  @inlinable
  deinit { room?.deallocate() }

  /// Whether it remembers the objects of a document.
  ///
  /// - Parameter visited: how many values were met: a walk through few of them makes no room for all.
  @inlinable @inline(__always)
  public mutating func remembers(_ document: UInt32, after visited: Int) -> Bool {
    guard document == self.document, visited &* 64 >= count, count > 0 else { return false }
    if room == nil { makeRoom() }
    return true
  }

  @usableFromInline @inline(never)
  mutating func makeRoom() {
    guard let markers else { return }
    let scalars = RankedSet(bound: count)
    for number in 0..<count where markers[number] >> 4 < Marker.array { scalars.insert(number) }
    let scalarCount = scalars.seal()
    let values = UnsafeMutablePointer<UInt32>.allocateTable(capacity: scalarCount)
    values.initialize(repeating: .max, count: scalarCount)
    room = Room(scalars: scalars, values: values)
  }

  /// What is remembered of an object; nil if nothing is.
  @inlinable @inline(__always)
  public func find(_ number: Int) -> UInt32? {
    guard let room, number < count, let rank = room.scalars.rank(of: number),
      room.values[rank] != .max
    else { return nil }
    return room.values[rank]
  }

  /// Remembers a number of a scalar; the highest is not remembered, nor is one of a container.
  @inlinable @inline(__always)
  public mutating func set(_ number: Int, _ value: UInt32) {
    if let room, number < count, let rank = room.scalars.rank(of: number) {
      room.values[rank] = value
    }
  }
}
