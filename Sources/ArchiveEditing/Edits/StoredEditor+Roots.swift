// Edits to the root of a document, and to the data values that contain archives.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import KeyedArchives

extension StoredEditor {
  mutating func applyToRoot(_ action: EditAction) throws(ArchiveError) {
    switch action {
    case .add(let value), .replace(let value):
      guard let slot = rootSlotOfDocument else {
        guard !isKeyed else {
          throw ArchiveError(
            .mismatch,
            "the archive has no root but several top-level keys; the path must name one")
        }
        whole = try replaceTop(by: value)
        return
      }
      try replace(in: slot, isElement: false, by: value)
    case .remove, .renameKey, .move:
      throw ArchiveError(.mismatch, "the root cannot be removed, renamed or replaced by a part")
    }
  }

  var rootSlotOfDocument: Slot? {
    guard let parts = host.parts else { return nil }
    let (_, count) = host.table.counted(parts.top)
    let isRoot = host.graph.root(of: host.number).index != parts.top
    return count == 1 && isRoot ? Slot(holder: parts.top, position: 1) : nil
  }

  // MARK: Data

  /// Replaces the bytes of the data value at a location.
  ///
  /// - Returns: the new bytes of the document.
  mutating func replaceData(
    at location: EditLocation, with bytes: ByteStorage
  ) throws(ArchiveError) -> ByteStorage {
    begin(at: location)
    let new = patch.add(encoded: TablePatch.encoded(data: bytes.bytes))
    guard let last = steps.last else {
      // The data is the root.
      guard let slot = rootSlotOfDocument, let old = child(in: slot) else {
        guard !isKeyed else { throw StoredMembers.derived }
        var builder = GraphBuilder(capacity: bytes.bytes.count + 64)
        let top = builder.add(data: bytes.bytes)
        return try host.encoding.faithful(
          BinaryWriter.write(builder.finish(top: top)).intoStorage(), limits: limits)
      }
      try replaceData(in: slot, old, with: new, isShared: false)
      return try finish().storage
    }
    let links = try link()
    guard let link = links.last, let index = index(of: last, in: link.node) else {
      throw StoredMembers.derived
    }
    let slot = try link.members.value(index)
    guard let old = child(in: slot) else { throw StoredMembers.derived }
    let node = host.graph.follow(old, in: host.number)
    let isShared =
      patch.kind(of: old) == Marker.uid && references.hasOther(to: node.index, than: slot)
    if isShared, case .refused = sharing { throw refusal(node, nodes.count) }
    try replaceData(in: slot, old, with: new, isShared: isShared)
    return try finish().storage
  }

  mutating func replaceData(
    in slot: Slot, _ old: UInt32, with new: UInt32, isShared: Bool
  ) throws(ArchiveError) {
    guard isKeyed, patch.kind(of: old) == Marker.uid else { return set(slot, to: new) }
    let node = host.graph.follow(old, in: host.number)
    var value = new
    if host.table.marker(of: node.index) >> 4 == Marker.dictionary {
      // An object of NSMutableData keeps its class.
      var positions =
        host.table.counted(node.index).count..<host.table.counted(node.index).count * 2
      let children = patch.children(of: node.index)
      positions = positions.lowerBound..<min(positions.upperBound, children.count)
      guard
        let position = positions.first(where: {
          host.table.marker(of: children[$0]) >> 4 == Marker.data
        })
      else { throw StoredMembers.derived }
      value = patch.addCopy(of: node.index)
      patch.setChild(of: value, at: position, to: new)
    }
    if isShared, case .copied = sharing { return set(slot, to: try addObject(value)) }
    guard let parts = host.parts, patch.uses(of: parts.objects) == 1 else {
      throw Self.sharedStorage
    }
    let number = patch.uid(at: old)
    patch.setChild(of: parts.objects, at: Int(number), to: value)
    replaced.insert(number)
  }
}
