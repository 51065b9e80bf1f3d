// What is known of the objects of a large archive: those that others share are met again long after.
//
// It is public since only public functions are inlined into the modules with these loops.

import Basics

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
  public init(for graph: ObjectGraph, _ document: UInt32) {
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
