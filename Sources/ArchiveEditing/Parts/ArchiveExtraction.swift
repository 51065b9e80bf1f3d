// A part of an archive as a separate archive: the value at a path, with its classes, storage and sharing.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import KeyedArchives

/// Takes parts out of archives and property lists.
package enum ArchiveExtraction {
  /// Extracts the value at a path.
  ///
  /// Of a keyed archive a keyed archive comes, whose only top-level key is `root`; of a plain property list one with the
  /// value at its top. The encoding stays, and the result is read again and compared with the extracted value.
  ///
  /// - Throws: `ArchiveError` if the input cannot be read, the path does not exist, or its value cannot be a root.
  package static func extract(
    _ path: GraphPath, from storage: ByteStorage, limits: Limits = Limits()
  ) throws(ArchiveError) -> ByteStorage {
    let graph = try ArchiveReader(limits: limits).read(storage)
    let node = try graph.node(at: path, from: graph.root)
    let source = try OpenedArchive(graph, document: node.document)
    do {
      guard let parts = source.parts else { return try value(node, of: source, limits) }
      return try object(node, of: source, parts, limits)
    } catch {
      throw ArchiveError(
        error.code, error.message, offset: graph.fileOffset(of: node), path: path)
    }
  }

  // MARK: Property lists

  private static func value(
    _ node: Node, of source: OpenedArchive, _ limits: Limits
  ) throws(ArchiveError) -> ByteStorage {
    let bytes = try source.encoding.write(
      try ArchivePruning(of: source.document.withTop(node.index), nil).write().intoStorage(),
      limits: limits)
    let written = try OpenedArchive(bytes, limits: limits)
    try verify(source, node.index, written, written.document.top)
    return bytes
  }

  // MARK: Keyed archives

  private static func object(
    _ node: Node, of source: OpenedArchive, _ parts: KeyedArchiveParts, _ limits: Limits
  ) throws(ArchiveError) -> ByteStorage {
    var patch = TablePatch(source.document)
    guard patch.uses(of: parts.top) == 1, patch.uses(of: parts.objects) == 1 else {
      throw ArchiveError(
        .unsupported, "another value shares $top or $objects, which archivers never write")
    }
    let number = try number(of: node, in: source, parts, &patch)
    let key = patch.add("root")
    let uid = patch.add(encoded: TablePatch.encoded(uid: number))
    patch.setChildren(of: parts.top, to: [key, uid])
    let pruned = try ArchivePruning(of: source.document, parts, with: patch)
    let bytes = try source.encoding.write(pruned.write().intoStorage(), limits: limits)
    let written = try OpenedArchive(bytes, limits: limits)
    try verify(source, node.index, written, written.graph.root.index)
    return bytes
  }

  /// The number of the object that becomes the root; a scalar that stood in an object becomes one of its own.
  private static func number(
    of node: Node, in source: OpenedArchive, _ parts: KeyedArchiveParts, _ patch: inout TablePatch
  ) throws(ArchiveError) -> UInt64 {
    if source.graph.objectNumber(of: node) == 0 {
      throw ArchiveError(.mismatch, "nil cannot be the root of an archive")
    }
    if let number = source.graph.objectNumber(of: node) { return UInt64(number) }
    if node.index == parts.top {
      throw ArchiveError(
        .mismatch, "the path names the whole archive; its objects are under its top-level keys")
    }
    guard source.table.marker(of: node.index) >> 4 < Marker.array else {
      throw ArchiveError(
        .mismatch, "a container that is stored inline in an object cannot be a root")
    }
    let objects = patch.children(of: parts.objects)
    patch.setChildren(of: parts.objects, to: objects + [node.index])
    return UInt64(objects.count)
  }

  /// Checks that the result equals the extracted value.
  private static func verify(
    _ source: OpenedArchive, _ old: UInt32, _ written: OpenedArchive, _ new: UInt32
  ) throws(ArchiveError) {
    var comparison = StoredComparison(source.side, written.side)
    guard comparison.isSame(old, new) else {
      throw ArchiveError(.unrepresentable, "the part would differ from the archive's content")
    }
  }
}
