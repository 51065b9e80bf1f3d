// The document after its edits, compared with the document before and with the edits.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import KeyedArchives

/// What a document must be after its edits.
struct EditVerification {
  /// A value that must be at a position after the edits.
  enum Value {
    /// A value of another document with everything that it refers to.
    case stored(StoredComparison.Side, UInt32)
    /// A value in typed JSON, in the class that the old value had.
    case meaning(TypedValue, ClassDescription?)
  }

  /// A value and its position.
  struct Expectation {
    let slot: StoredMembers.Slot
    /// The child that is there before numbers change; nil if it is that of the slot.
    let child: UInt32?
    let value: Value
  }

  /// A document after its edits.
  struct Result {
    /// The bytes, in the document's own encoding.
    let storage: ByteStorage
    /// The document as it was read again.
    let graph: ObjectGraph
    /// For each expectation the value that meets it.
    let nodes: [Node]
  }

  let host: OpenedArchive
  let changes: ChangedContainers
  let expectations: [Expectation]
  /// The sets on the way, whose elements must stay different.
  let sets: Set<UInt32>
  /// The path of the last edit.
  let location: GraphPath

  private static let difference = NewValues.difference

  /// Reads the document again, and compares it with the old one and the edits.
  func verify(_ bytes: ByteStorage) throws(ArchiveError) -> Result {
    let graph = try ArchiveReader(limits: host.graph.limits, forEditing: true).read(
      bytes, nested: false)
    let written = try OpenedArchive(editing: graph, document: 0, source: bytes)
    let edits = edits
    var comparison = StoredComparison(
      host.side, written.side, replaced: changes.replaced,
      expecting: { value, _ in edits[value] ?? .same })
    guard comparison.isSame(host.document.top, written.document.top) else { throw Self.difference }
    let holders =
      changes.lists.keys.filter { isStored($0) } + sets
      + expectations.map { changes.actual($0.slot.holder) }
    var partners = comparison.partners(of: Set(holders))
    try verifyCopies(written, &comparison, &partners)
    var nodes: [Node] = []
    for expectation in expectations { nodes.append(try verify(expectation, written, partners)) }
    for set in sets {
      guard let found = partners[changes.actual(set)] ?? partners[set],
        case .elements(let elements)? = GraphContainer(
          graph.value(of: Node(document: 0, index: found)))
      else { continue }
      guard try DistinctElements.areDistinct(elements, in: graph) else {
        throw ArchiveError(
          .mismatch, "an element of the set would equal another element", path: location)
      }
    }
    return Result(storage: bytes, graph: graph, nodes: nodes)
  }

  private func isStored(_ holder: UInt32) -> Bool { Int(holder) < host.table.count }

  /// What became of containers, for the comparison: children that must be there, and how many there are.
  private var edits: [UInt32: StoredComparison.Expectation] {
    var edits: [UInt32: StoredComparison.Expectation] = [:]
    for (holder, list) in changes.lists where isStored(holder) {
      let parts = list.enumerated().compactMap { position, child -> StoredComparison.Part? in
        guard let value = child.kept, isStored(value) else { return nil }
        return .value(value, 0, at: position)
      }
      let kind = host.table.marker(of: holder) >> 4
      edits[holder] = .parts(parts, kind: kind, count: list.count)
    }
    return edits
  }

  /// Compares copied containers with the originals: what they refer to must be the same objects.
  private func verifyCopies(
    _ written: OpenedArchive, _ comparison: inout StoredComparison,
    _ partners: inout [UInt32: UInt32]
  ) throws(ArchiveError) {
    guard let start = changes.copyStart else { return }
    let original = host.graph.follow(
      host.table.children(of: start.holder)[start.position], in: host.number)
    guard let holder = partners[changes.actual(start.holder)],
      let position = changes.children(of: start.holder).firstIndex(where: { $0.kept == nil })
    else { throw Self.difference }
    let child = written.table.children(of: holder)[position]
    var waiting = [
      (old: original.index, new: written.graph.follow(child, in: written.number).index)
    ]
    while let (old, new) = waiting.popLast() {
      guard let copy = changes.copies[old],
        written.table.marker(of: new) >> 4 == changes.patch.kind(of: copy)
      else { throw Self.difference }
      partners[copy] = new
      let list = changes.children(of: copy)
      let found = written.table.children(of: new)
      guard list.count == found.count else { throw Self.difference }
      for (child, other) in zip(list, found) {
        guard let kept = child.kept else { continue }
        if child.value != kept {
          // A copy as well: a list of the object, or the next object.
          let next = host.graph.follow(kept, in: host.number).index
          waiting.append((next, written.graph.follow(other, in: written.number).index))
        } else if !comparison.isSame(kept, other) {
          throw Self.difference
        }
      }
    }
  }

  private func verify(
    _ expectation: Expectation, _ written: OpenedArchive, _ partners: [UInt32: UInt32]
  ) throws(ArchiveError) -> Node {
    let holder = changes.actual(expectation.slot.holder)
    var position = expectation.slot.position
    if let list = changes.lists[holder] {
      let found = list.firstIndex {
        expectation.child == nil
          ? $0.origin == expectation.slot.position
          : $0.value == expectation.child && $0.origin == nil
      }
      guard let found else { throw Self.difference }
      position = found
    }
    guard let side = partners[holder], position >= 0,
      let child = TableContainer(side, in: written.table), position < child.childCount
    else { throw Self.difference }
    let node = written.graph.follow(
      child.child(position, in: written.table), in: written.number)
    switch expectation.value {
    case .stored(let source, let index):
      var comparison = StoredComparison(source, written.side)
      guard comparison.isSame(index, node.index) else { throw Self.difference }
    case .meaning(let value, let type):
      guard try written.graph.equals(value, at: node) else { throw Self.difference }
      if let type {
        let found = written.graph.classDescription(of: node)
        guard found?.name == type.name, found?.chain == type.chain else { throw Self.difference }
      }
    }
    return node
  }
}
