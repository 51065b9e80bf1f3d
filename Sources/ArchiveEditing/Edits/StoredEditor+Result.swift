// The document after its edits, compared with the document before and with the edits.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import KeyedArchives

extension StoredEditor {
  /// A document after its edits.
  struct Result {
    /// The bytes, in the document's own encoding.
    let storage: ByteStorage
    /// The document as it was read again.
    let graph: ObjectGraph
    /// For each expectation the value that meets it.
    let nodes: [Node]
  }

  /// Writes the document, and compares it with the old one and the edits.
  mutating func finish() throws(ArchiveError) -> Result {
    if let whole {
      return Result(
        storage: whole, graph: try ArchiveReader(limits: limits).read(whole, nested: false),
        nodes: [])
    }
    for (holder, list) in containers { patch.setChildren(of: holder, to: list.map(\.value)) }
    let before = try ArchivePruning(of: host.document, host.parts, with: nil).found
    let pruning = try ArchivePruning(
      of: host.document, host.parts, with: patch, keepingUnreachedBy: before)
    let bytes = try host.encoding.faithful(pruning.write().intoStorage(), limits: limits)
    return try verify(bytes)
  }

  private func verify(_ bytes: ByteStorage) throws(ArchiveError) -> Result {
    let graph = try ArchiveReader(limits: limits).read(bytes, nested: false)
    let written = try OpenedArchive(editing: graph, document: 0, source: bytes)
    let edits = edits
    var comparison = StoredComparison(
      host.side, written.side, replaced: replaced, expecting: { value, _ in edits[value] ?? .same })
    guard comparison.isSame(host.document.top, written.document.top) else { throw Self.difference }
    let holders =
      containers.keys.filter { isStored($0) } + sets
      + expectations.map { actual($0.slot.holder) }
    var partners = comparison.partners(of: Set(holders))
    try verifyCopies(written, &comparison, &partners)
    var nodes: [Node] = []
    for expectation in expectations {
      nodes.append(try verify(expectation, written, partners))
    }
    for set in sets {
      guard let found = partners[actual(set)] ?? partners[set] else { continue }
      try requireDifferentElements(Node(document: 0, index: found), in: graph)
    }
    return Result(storage: bytes, graph: graph, nodes: nodes)
  }

  private func isStored(_ holder: UInt32) -> Bool { Int(holder) < host.table.count }

  /// What became of containers, for the comparison: children that must be there, and how many there are.
  private var edits: [UInt32: StoredComparison.Expectation] {
    var edits: [UInt32: StoredComparison.Expectation] = [:]
    for (holder, list) in containers where isStored(holder) {
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
    if copies.isEmpty { return }
    guard let copyStart, let holder = partners[actual(copyStart.holder)],
      let original = copies.keys.first(where: { isFirstCopy($0, copyStart) }),
      let position = containers[actual(copyStart.holder)]?.firstIndex(where: { $0.kept == nil })
    else { throw Self.difference }
    let children = written.table.children(of: holder)
    let node = written.graph.follow(children[position], in: written.number)
    var waiting = [(old: original, new: node.index)]
    while let (old, new) = waiting.popLast() {
      guard let copy = copies[old], written.table.marker(of: new) >> 4 == patch.kind(of: copy)
      else {
        throw Self.difference
      }
      partners[copy] = new
      let list = self.children(of: copy)
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

  private func isFirstCopy(_ original: UInt32, _ slot: Slot) -> Bool {
    let stored = host.table.children(of: slot.holder)[slot.position]
    return host.graph.follow(stored, in: host.number).index == original
  }

  private func verify(
    _ expectation: Expectation, _ written: OpenedArchive, _ partners: [UInt32: UInt32]
  ) throws(ArchiveError) -> Node {
    let holder = actual(expectation.slot.holder)
    var position = expectation.slot.position
    if let list = containers[holder] {
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
        guard let index = written.graph.classIndex(of: node),
          written.graph.classes[index].name == type.name,
          written.graph.classes[index].chain == type.chain
        else { throw Self.difference }
      }
    }
    return node
  }

  private func requireDifferentElements(
    _ node: Node, in graph: ObjectGraph
  ) throws(ArchiveError) {
    guard case .elements(let elements)? = GraphContainer(graph.value(of: node)) else { return }
    guard try DistinctElements.areDistinct(elements, in: graph) else {
      throw ArchiveError(
        .mismatch, "an element of the set would equal another element", path: location)
    }
  }

  /// The encoding holds the new value only as another one, or would change others.
  static let difference = ArchiveError(
    .mismatch,
    "not edited: in the encoding of the file the result would differ in more than the edit")
}
