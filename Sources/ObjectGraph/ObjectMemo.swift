// What is known of the objects of a large archive: those that others share are met again long after.
//
// It is public since only public functions are inlined into the modules with these loops.

import Basics

/// Remembers a number for each object of one large archive, by the object's number in `$objects`.
///
/// `NodeMemo` forgets what was met long ago, and to find that anew takes several looks at memory that no cache has.
public struct ObjectMemo: ~Copyable {
  @usableFromInline let values: UnsafeMutablePointer<UInt32>?
  @usableFromInline let count: Int
  @usableFromInline let document: UInt32

  /// Makes an empty memo; it stays empty for documents whose objects `DocumentReader.objectNumber` does not number.
  public init(for graph: ObjectGraph, _ document: UInt32) {
    let view = graph.views[Int(document)]
    self.document = document
    count = view.markers == nil ? 0 : view.objectCount
    values = count == 0 ? nil : .allocateTable(capacity: count)
    values?.initialize(repeating: .max, count: count)
  }

  @inlinable
  deinit { values?.deallocate() }

  /// Whether it remembers the objects of a document.
  @inlinable @inline(__always)
  public func isOf(_ document: UInt32) -> Bool { values != nil && document == self.document }

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
