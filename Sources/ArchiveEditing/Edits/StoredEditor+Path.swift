// The containers on the way to an edited value, and what becomes of those that others refer to as well.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import KeyedArchives

/// Where a step leads in a document that is being edited.
package enum EditedChild {
  /// To the child that was at a position of the container before the edits.
  case stored(Int)
  /// Nowhere.
  case missing
  /// To a child that an edit has made, moved or replaced.
  case changed
}

extension StoredEditor {
  /// Begins an edit at a location whose innermost document is this one.
  mutating func begin(at location: EditLocation) {
    nodes = Array(location.nodes[location.start...])
    steps = Array(location.steps[location.start...])
    start = GraphPath(Array(location.steps[..<location.start]))
  }

  /// Follows the steps, and makes sure that what is edited is not changed for others unasked.
  mutating func link() throws(ArchiveError) -> [Link] {
    let links = try links(nodes, steps)
    if let first = sharedIndex(links) {
      // What becomes of shared objects is decided by the references before any edit.
      guard entered.isEmpty else { throw Self.touched }
      isFull = true
      switch sharing {
      case .refused: throw refusal(links[first].node, first)
      case .changed: break
      case .copied: try copy(links, from: first)
      }
    }
    try requireOnePath(links)
    // What a list within an object leads to would change for another object that has the same stored list.
    let mayChange = sharing == .changed ? links.suffix(1) : links[...]
    for link in mayChange { try requireOwnStorage(link.members) }
    return links
  }

  /// Lets no other edit be made with one to a container that several paths lead to, such as those of a cycle: what they
  /// lead to would not be known to be edited.
  mutating func requireOnePath(_ links: [Link]) throws(ArchiveError) {
    for (position, link) in links.enumerated() where !isTop(link.node.index) {
      let slot = position == 0 ? rootSlot : links[position - 1].slot
      guard references.count(of: link.node.index) > (slot == nil ? 0 : 1) else { continue }
      guard entered.isEmpty else { throw Self.touched }
      isFull = true
    }
  }

  /// Only the outermost dictionary refers to the top-level values.
  private func isTop(_ index: UInt32) -> Bool {
    index == host.document.top || index == host.parts?.top
  }

  /// The containers that steps lead through.
  mutating func links(
    _ nodes: [Node], _ steps: [GraphPath.Step]
  ) throws(ArchiveError) -> [Link] {
    var links: [Link] = []
    for (position, node) in nodes.enumerated() {
      let members: StoredMembers
      do throws(ArchiveError) {
        members = try StoredMembers(of: node, in: host)
      } catch {
        throw located(error, upTo: position)
      }
      if members.isSet { sets.insert(node.index) }
      var slot: Slot?
      if position < nodes.count - 1 {
        guard let index = index(of: steps[position], in: node) else {
          throw located(StoredMembers.derived, upTo: position)
        }
        slot = try members.value(index)
      }
      links.append(Link(node: node, members: members, slot: slot))
    }
    return links
  }

  func located(_ error: ArchiveError, upTo position: Int) -> ArchiveError {
    error.moved(to: GraphPath(start.steps + steps[..<position]))
  }

  /// The position that a child had before any edit; nil if there is none, or it is no longer what it was.
  func index(of step: GraphPath.Step, in node: Node) -> Int? {
    if case .stored(let position) = find(step, in: node) { position } else { nil }
  }

  /// Where a step leads after the edits so far.
  func find(_ step: GraphPath.Step, in node: Node) -> EditedChild {
    let container = GraphContainer(host.graph.value(of: node))
    guard node.document == host.number, let members = edited[node.index] else {
      return container?.position(of: step, in: host.graph).map { .stored($0) } ?? .missing
    }
    if opaque.contains(node.index) { return .changed }
    var position = container?.position(of: step, in: host.graph)
    switch step {
    case .index(let index):
      guard case .list(let holder) = members.layout, let list = containers[holder] else { break }
      guard list.indices.contains(index) else { return .missing }
      guard let origin = list[index].origin else { return .changed }
      position = origin
    case .key(let key):
      if addedKeys[node.index]?.contains(CodePointString(key)) == true { return .changed }
    case .content, .anyMember, .anyElement: break
    }
    guard let position else { return .missing }
    return isAsStored(position, of: members) ? .stored(position) : .changed
  }

  /// Whether a child and its key are what they were.
  private func isAsStored(_ position: Int, of members: StoredMembers) -> Bool {
    let child: UInt32
    do throws(ArchiveError) {
      guard let value = self.child(in: try members.value(position)) else { return false }
      if let key = try members.key(position), self.child(in: key) == nil { return false }
      child = value
    } catch {
      return false
    }
    return !isKeyed || patch.kind(of: child) != Marker.uid
      || !replaced.contains(patch.uid(at: child))
  }

  /// How many elements an edited list has now; nil for any other value.
  func count(of node: Node) -> Int? {
    guard node.document == host.number, let members = edited[node.index],
      case .list(let holder) = members.layout
    else { return nil }
    return containers[holder]?.count
  }

  /// Never shown: the document is written and read before such an edit.
  static let touched = ArchiveError(.mismatch, "an earlier edit has changed the value")

  /// The slot of the root of the document in `$top`; nil in a property list.
  var rootSlot: Slot? {
    guard let parts = host.parts, let root = nodes.first, root.index != parts.top else {
      return nil
    }
    let (_, count) = host.table.counted(parts.top)
    // The one top-level key `root`.
    return count == 1 ? Slot(holder: parts.top, position: 1) : nil
  }

  func sharedIndex(_ links: [Link]) -> Int? {
    for (position, link) in links.enumerated() {
      let slot = position == 0 ? rootSlot : links[position - 1].slot
      if isTop(link.node.index) { continue }
      if references.hasOther(to: link.node.index, than: slot) { return position }
    }
    return nil
  }

  func refusal(_ node: Node, _ position: Int) -> ArchiveError {
    let path = GraphPath(start.steps + steps[..<position])
    let others = OtherPaths.find(
      to: node, besides: path, from: host.graph.root(of: host.number), at: start, in: host.graph)
    let list = others.isEmpty ? "another value" : others.joined(separator: ", ")
    return ArchiveError(
      .mismatch,
      "\(list) \(others.count > 1 ? "refer" : "refers") to the same object, which would change there too; --shared changes it for all, --copy changes a copy for this path alone",
      path: path)
  }

  /// Copies the containers of the way from one on.
  mutating func copy(_ links: [Link], from first: Int) throws(ArchiveError) {
    guard Set(links.map(\.node)).count == links.count else {
      throw ArchiveError(
        .mismatch,
        "the path passes through the same object twice; use the shorter path with --shared",
        path: location)
    }
    for position in first..<links.count {
      let link = links[position]
      let slot = position == 0 ? rootSlot : links[position - 1].slot
      guard let slot, let old = child(in: slot) else { throw StoredMembers.derived }
      let copy = patch.addCopy(of: link.node.index)
      for holder in link.members.holders where holder != link.node.index {
        let list = patch.addCopy(of: holder)
        copies[holder] = list
        for (index, child) in patch.children(of: copy).enumerated() where child == holder {
          patch.setChild(of: copy, at: index, to: list)
        }
      }
      copies[link.node.index] = copy
      if position == first { copyStart = slot }
      let child = patch.kind(of: old) == Marker.uid && isKeyed ? try addObject(copy) : copy
      // The original stays where it was, so that only the copy of its content is compared.
      set(slot, to: child, kept: position == first ? nil : old)
    }
  }

  /// Adds an object.
  ///
  /// - Returns: a UID that leads to it.
  mutating func addObject(_ value: UInt32) throws(ArchiveError) -> UInt32 {
    guard let parts = host.parts, patch.uses(of: parts.objects) == 1 else {
      throw Self.sharedStorage
    }
    let number = patch.childCount(of: parts.objects)
    patch.append(value, to: parts.objects)
    return patch.add(encoded: TablePatch.encoded(uid: UInt64(number)))
  }

  static let sharedStorage = ArchiveError(
    .mismatch, "another value shares the storage of a container, which archivers never write")

  /// Lists within objects, and the objects themselves, are stored once.
  func requireOwnStorage(_ members: StoredMembers) throws(ArchiveError) {
    for holder in members.holders where copies[holder] == nil {
      let isOwner = holder == members.owner
      if isOwner, !isKeyed || holder == host.document.top { continue }
      guard patch.uses(of: holder) == 1 else { throw Self.sharedStorage }
    }
  }
}
