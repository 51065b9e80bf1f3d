// The objects of a keyed archive that nothing reachable from `$top` refers to.

import ArchiveBasics
import ArchiveGraph
import ArchiveWriting
import KeyedArchives

/// Finds objects that no reader of an archive meets.
package enum UnreachableObjects {
  /// An object.
  package struct Found: Sendable {
    /// Its number in `$objects`.
    package let number: Int
    /// The object; nil if something in it is damaged.
    package let node: Node?
  }

  /// The objects of the outermost document that cannot be reached, in their order; none if it is no keyed archive.
  ///
  /// Objects to which others of them refer are left out: they are in the values of those.
  ///
  /// - Throws: `ArchiveError` if the parts of the archive are malformed.
  package static func find(in graph: ObjectGraph) throws(ArchiveError) -> [Found] {
    guard let document = graph.documents.first, document.archive != nil,
      let parts = try KeyedArchiveParts(document: 0, in: graph)
    else { return [] }
    let list = document.table.children(of: parts.objects)
    var walk = StoredWalk(document.table, list: parts.objects, objects: list)
    _ = walk.visit(parts.top)
    let numbers = list.indices.dropFirst().filter { !walk.known[Int(list[$0])] }
    // First what none of the others refers to, then what only refers to itself.
    var inner = [Bool](repeating: false, count: document.table.count)
    for number in numbers {
      for child in walk.children(of: list[number]) where child != list[number] {
        inner[Int(child)] = true
      }
    }
    var found: [Found] = []
    for isInner in [false, true] {
      for number in numbers
      where inner[Int(list[number])] == isInner && !walk.known[Int(list[number])] {
        let isSound = walk.visit(list[number])
        found.append(
          Found(number: number, node: isSound ? Node(document: 0, index: list[number]) : nil))
      }
    }
    return found.sorted { $0.number < $1.number }
  }
}

/// A walk over stored values that follows UIDs and enters each container once.
private struct StoredWalk {
  private let table: ValueTable
  private let list: UInt32
  private let objects: [UInt32]
  /// The values that were reached.
  private(set) var known: [Bool]

  init(_ table: ValueTable, list: UInt32, objects: [UInt32]) {
    self.table = table
    self.list = list
    self.objects = objects
    known = [Bool](repeating: false, count: table.count)
  }

  /// The values that a container refers to, UIDs followed, with those in its own lists; none for a damaged one.
  func children(of index: UInt32) -> [UInt32] {
    guard index != list, table.fault(at: index) == nil,
      let container = TableContainer(index, in: table)
    else { return [] }
    return (0..<container.childCount).flatMap { position -> [UInt32] in
      let child = container.child(position, in: table)
      if let object = object(child) { return [object] }
      guard table.fault(at: child) == nil else { return [child] }
      return [child] + table.children(of: child).compactMap { object($0) }
    }
  }

  /// The object that a UID leads to; nil for other values.
  private func object(_ uid: UInt32) -> UInt32? {
    guard table.fault(at: uid) == nil, table.marker(of: uid) >> 4 == Marker.uid else { return nil }
    let number = Int(truncatingIfNeeded: table.uid(at: uid))
    return objects.indices.contains(number) ? objects[number] : nil
  }

  /// Marks a value and all that it leads to.
  ///
  /// - Returns: whether nothing of that is damaged.
  mutating func visit(_ start: UInt32) -> Bool {
    var pending = [start]
    var isSound = true
    known[Int(start)] = true
    while let index = pending.popLast() {
      if table.fault(at: index) != nil { isSound = false }
      for child in children(of: index) where !known[Int(child)] {
        known[Int(child)] = true
        pending.append(child)
      }
    }
    return isSound
  }
}
