// What nothing reaches left out of a keyed archive: all else keeps its bytes and its order, and objects get the
// numbers that follow from that.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import KeyedArchives

/// Removes what nothing reaches from the stored values of a document, with the edits that were made to them.
///
/// In a keyed archive those objects stay that a UID leads to from outside `$objects`, and those that they lead to. The
/// archiver, `$version`, the top-level keys, class records, sharing, and inline or boxed storage
/// are unchanged. In a plain property list the values below its top stay.
package struct ArchivePruning {
  /// How many objects of `$objects` are removed.
  package private(set) var removedObjects = 0
  /// The number of bytes of a binary input that are no longer written, in values or between them.
  ///
  /// UIDs are not counted: Foundation itself leaves unused ones, and they carry no information.
  package private(set) var removedBytes = 0

  private let document: Document
  private let parts: KeyedArchiveParts?
  private var patch: TablePatch
  /// The stored values of `$objects` as they are edited.
  private let objects: [UInt32]
  /// For each stored value whether it is reached.
  private var reached: [Bool]
  private var isObjectReached: [Bool]
  /// The new number of each object; empty if no object is removed.
  private var numbers: [UInt64] = []
  private var pending: [UInt32] = []

  /// Finds the objects to remove.
  ///
  /// - Parameters:
  ///   - document: the stored values, whose table was checked.
  ///   - parts: those of a keyed archive.
  ///   - edits: the edits, or nil.
  ///   - before: what was reached before the edits; values that were not stay. Nil if they are removed, too.
  /// - Throws: `ArchiveError` with code `dangling`, or `unsupported` if another value shares the array `$objects`.
  package init(
    of document: Document, _ parts: KeyedArchiveParts?, with edits: TablePatch? = nil,
    keepingUnreachedBy before: Reached? = nil
  ) throws(ArchiveError) {
    self.document = document
    self.parts = parts
    patch = edits ?? TablePatch(document)
    objects = parts.map { [patch] in patch.children(of: $0.objects) } ?? []
    reached = [Bool](repeating: false, count: patch.count)
    isObjectReached = [Bool](repeating: false, count: objects.count)
    try parts?.requireOwnObjects(in: patch, of: document)
    if let before { keepUnreached(before) }
    try walk()
    if let before { keepUnusedUIDs(before) }
    renumber()
    countBytes()
  }

  /// What is reached in a document.
  package struct Reached {
    let values: [Bool]
    let objects: [Bool]
  }

  /// What is reached now.
  var found: Reached { Reached(values: reached, objects: isObjectReached) }

  /// Keeps values and objects that were not reached before the edits either.
  private mutating func keepUnreached(_ before: Reached) {
    for (index, wasReached) in before.values.enumerated() where !wasReached {
      let index = UInt32(truncatingIfNeeded: index)
      guard document.table.fault(at: index) == nil else { continue }
      if parts == nil || patch.kind(of: index) != Marker.uid { reach(index) }
    }
    for (number, wasReached) in before.objects.enumerated() where !wasReached {
      guard Int(objects[number]) < document.table.count,
        document.table.fault(at: objects[number]) == nil
      else { continue }
      isObjectReached[number] = true
      reach(objects[number])
    }
  }

  /// Keeps UIDs that nothing uses, as Foundation leaves them; but not the objects that only those lead to.
  private mutating func keepUnusedUIDs(_ before: Reached) {
    guard parts != nil else { return }
    for (index, wasReached) in before.values.enumerated() where !wasReached && !reached[index] {
      let value = UInt32(truncatingIfNeeded: index)
      guard document.table.fault(at: value) == nil, patch.kind(of: value) == Marker.uid,
        let number = Int(exactly: patch.uid(at: value)), isObjectReached.indices.contains(number)
      else { continue }
      reached[index] = isObjectReached[number]
    }
  }

  /// Whether anything is removed.
  package var removesAnything: Bool { removedObjects > 0 || removedBytes > 0 }

  /// The number of an object after the removal; nil if it is removed.
  package func number(of old: UInt64) -> UInt64? {
    guard let old = Int(exactly: old), old < objects.count, isObjectReached[old] else { return nil }
    return numbers.isEmpty ? UInt64(old) : numbers[old]
  }

  /// Writes the remaining values as a binary property list.
  ///
  /// - Throws: `ArchiveError` with code `limit` if so many stored values overlap that writing each of them
  ///   would make a short file long.
  package func write() throws(ArchiveError) -> ByteBuffer { try patch.write(keeping: reached) }

  // MARK: Reaching

  private mutating func walk() throws(ArchiveError) {
    if let null = objects.first {
      isObjectReached[0] = true
      reach(null)
    }
    reach(document.top)
    while let index = pending.popLast() {
      if patch.kind(of: index) == Marker.uid {
        try reachObject(patch.uid(at: index))
      } else if index != parts?.objects {
        // The objects themselves are reached by their UIDs.
        for child in patch.children(of: index) { reach(child) }
      }
    }
  }

  private mutating func reach(_ index: UInt32) {
    guard !reached[Int(index)] else { return }
    reached[Int(index)] = true
    let kind = patch.kind(of: index)
    if kind >= Marker.array || kind == Marker.uid && parts != nil { pending.append(index) }
  }

  private mutating func reachObject(_ number: UInt64) throws(ArchiveError) {
    guard let index = Int(exactly: number), index < objects.count else {
      throw ArchiveError(
        .dangling, KeyedArchiveParts.dangling(number, objectCount: objects.count))
    }
    isObjectReached[index] = true
    reach(objects[index])
  }

  // MARK: Removing

  private mutating func renumber() {
    guard let parts, isObjectReached.contains(false) else { return }
    var next: UInt64 = 0
    for isReached in isObjectReached {
      numbers.append(next)
      if isReached { next += 1 }
    }
    removedObjects = objects.count - Int(next)
    for index in 0..<UInt32(truncatingIfNeeded: patch.count)
    where reached[Int(index)] && patch.kind(of: index) == Marker.uid {
      let old = patch.uid(at: index)
      guard let new = number(of: old), new != old else { continue }
      patch.replace(index, with: TablePatch.encoded(uid: new))
    }
    let left = objects.indices.filter { isObjectReached[$0] }.map { objects[$0] }
    patch.setChildren(of: parts.objects, to: left)
  }

  /// Counts the bytes of a binary input that are written; the rest is removed.
  private mutating func countBytes() {
    guard document.encoding.isTable, document.fileOffset != nil else { return }
    let table = document.table
    var seen: Set<Int> = []
    var kept = BinaryReader.headerSize
    for index in 0..<UInt32(truncatingIfNeeded: table.count) where table.fault(at: index) == nil {
      guard reached[Int(index)] || table.marker(of: index) >> 4 == Marker.uid,
        seen.insert(table.offset(of: index)).inserted
      else { continue }
      kept += table.bytes(of: index).count
    }
    removedBytes = max(0, table.byteCount - kept)
  }
}

// MARK: - The objects of a keyed archive that nothing reachable from `$top` refers to

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
    let side = StoredComparison.Side(document, parts)
    let list = side.objects ?? []
    var walk = ReferenceWalk(side, mayBeDamaged: true)
    walk.visit(parts.top)
    let numbers = list.indices.dropFirst().filter { !walk.known[Int(list[$0])] }
    // First what none of the others refers to, then what only refers to itself.
    var inner = [Bool](repeating: false, count: document.table.count)
    // The last object that holds each list, and the lists of two objects: a third one finds nothing new in them.
    var holders: [UInt32: UInt32] = [:]
    var shared: Set<UInt32> = []
    for holder in numbers.map({ list[$0] }) {
      for child in walk.children(of: holder) {
        let object = walk.object(child)
        let found = object ?? child
        if found != holder { inner[Int(found)] = true }
        guard object == nil, !shared.contains(child), holders[child] != holder else { continue }
        if holders.updateValue(holder, forKey: child) != nil { shared.insert(child) }
        for found in walk.children(of: child).compactMap(walk.object) where found != holder {
          inner[Int(found)] = true
        }
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

extension KeyedArchiveParts {
  /// Throws if `$objects` cannot be changed without another value.
  func requireOwnObjects(in patch: TablePatch, of document: Document) throws(ArchiveError) {
    guard patch.uses(of: objects) == 1 else {
      throw document.error(
        .unsupported, "another value shares the array $objects, which archivers never write",
        at: objects)
    }
  }
}
