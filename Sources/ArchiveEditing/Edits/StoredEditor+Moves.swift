// Values moved within a document.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import KeyedArchives

extension StoredEditor {
  mutating func move(
    _ source: EditLocation, to step: GraphPath.Step, _ link: Link
  ) throws(ArchiveError) {
    guard let from = source.nodes.last, let last = source.steps.last,
      from.document == link.node.document, let index = index(of: last, in: from)
    else { throw ArchiveError(.mismatch, "the value cannot be moved there", path: location) }
    let members = try StoredMembers(of: from, in: host)
    for layout in [members.layout, link.members.layout] {
      if case .numbered = layout {
        throw ArchiveError(
          .mismatch,
          "values of a collection whose keys have numbers are not moved; copy and remove them",
          path: location)
      }
    }
    let slot = try members.value(index)
    guard let old = child(in: slot) else { throw StoredMembers.derived }
    let isShared = try isShared(source)
    guard copies.isEmpty, !isShared || sharing != .copied else {
      throw ArchiveError(
        .mismatch, "a value is not moved out of or into a shared object; copy and remove it",
        path: location)
    }
    try members.requireKnownLayout(className(of: from))
    try link.members.requireKnownLayout(className(of: link.node))
    try put(moved: old, from: from, members.isFields, at: step, link)
    if let key = try members.key(index) { remove(key) }
    remove(slot)
    edited[from.index] = members
    entered.formUnion(source.nodes)
  }

  /// Whether others refer to the containers on the way to a value that is removed: an edit of its own.
  private mutating func isShared(_ source: EditLocation) throws(ArchiveError) -> Bool {
    let target = (nodes, steps, start)
    begin(at: source)
    let links = try links(nodes, steps)
    let shared = sharedIndex(links)
    if let shared {
      guard entered.isEmpty else { throw Self.touched }
      isFull = true
      if sharing == .refused { throw refusal(links[shared].node, shared) }
    }
    try requireOnePath(links)
    for link in links.suffix(1) { try requireOwnStorage(link.members) }
    (nodes, steps, start) = target
    return shared != nil
  }

  private mutating func put(
    moved old: UInt32, from: Node, _ wasField: Bool, at step: GraphPath.Step, _ link: Link
  ) throws(ArchiveError) {
    let isInline = isKeyed && patch.kind(of: old) != Marker.uid
    let isField = link.members.isFields
    if isInline, !isField {
      throw ArchiveError(
        .mismatch, "the value is stored inline in its object, and a collection refers to objects",
        path: location)
    }
    if isKeyed, !isField, !isInline, patch.uid(at: old) == 0 {
      throw ArchiveError(
        .mismatch, "the value is nil, which no collection can contain", path: location)
    }
    if case .key(let key) = step { addKey(key, to: link.node) }
    let child = Child(value: old, origin: nil, kept: old)
    switch (step, link.members.layout) {
    case (.key(let key), _) where index(of: step, in: link.node) != nil:
      set(try link.members.value(index(of: .key(key), in: link.node) ?? 0), to: child)
    case (.key(let key), .members(let holder, _)):
      addMember(patch.add(isField ? KeyRename.stored(key) : key), old, to: holder)
      mark(old, in: holder)
    case (.key(let key), .pairs(let keys, let values)):
      let name = try addObject(patch.add(encoded: TablePatch.encoded(key)))
      insert(name, into: keys, before: .max)
      insert(old, into: values, before: .max)
      mark(old, in: values)
    case (.index(let index), .list(let holder))
    where index <= count(of: link.node) ?? link.members.count:
      insert(old, into: holder, before: index)
      mark(old, in: holder)
    default: throw missing(step, link.node)
    }
  }

  /// Says of a child that was inserted that it must be what it was.
  mutating func mark(_ value: UInt32, in holder: UInt32) {
    let holder = actual(holder)
    containers[holder] = children(of: holder).map {
      $0.value == value && $0.origin == nil ? Child(value: value, origin: nil, kept: value) : $0
    }
  }
}
