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
  /// - Parameter skipped: how many bytes of the input are before its archive or property list.
  /// - Throws: `ArchiveError` if the input cannot be read, the path does not exist, or its value cannot be a root.
  package static func extract(
    _ path: GraphPath, from storage: ByteStorage, skipping skipped: Int = 0,
    limits: Limits = Limits()
  ) throws(ArchiveError) -> ByteStorage {
    let graph = try ArchiveReader(limits: limits, skipping: skipped).read(storage)
    let node = try graph.node(at: path, from: graph.root)
    let source = try OpenedArchive(graph, document: node.document)
    do {
      guard let parts = source.parts else {
        let pruned = try ArchivePruning(of: source.document.withTop(node.index), nil)
        return try write(pruned, node, of: source, limits)
      }
      return try object(node, of: source, parts, limits)
    } catch {
      throw ArchiveError(
        error.code, error.message, offset: graph.fileOffset(of: node), path: path)
    }
  }

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
    return try write(
      try ArchivePruning(of: source.document, parts, with: patch), node, of: source, limits)
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

  /// Writes what remains, and checks that its root equals the extracted value.
  private static func write(
    _ pruned: ArchivePruning, _ node: Node, of source: OpenedArchive, _ limits: Limits
  ) throws(ArchiveError) -> ByteStorage {
    let bytes = try source.encoding.write(pruned.write().intoStorage(), limits: limits)
    let written = try OpenedArchive(bytes, limits: limits)
    var comparison = StoredComparison(source.side, written.side)
    guard comparison.isSame(node.index, written.graph.root.index) else {
      throw ArchiveError(.unrepresentable, "the part would differ from the archive's content")
    }
    return bytes
  }
}

// MARK: - Several archives as one: the root of each under a top-level key of its own

/// Merges archives.
package enum ArchiveMerge {
  /// Makes a keyed archive of the roots of several.
  ///
  /// Objects keep their classes, their storage and what they share within their archive; class records that are equal
  /// become one. The result is read again and compared with each.
  ///
  /// - Parameters:
  ///   - parts: the archives with distinct keys; `failed` receives the one that an error is about.
  ///   - limits: the bounds that hold.
  /// - Throws: `ArchiveError` if a part cannot be read or is not a keyed archive with one root.
  package static func merge(
    _ parts: [(key: String, storage: ByteStorage)], limits: Limits = Limits(),
    failed: (Int) -> Void = { _ in }
  ) throws(ArchiveError) -> ByteStorage {
    var builder = GraphBuilder(capacity: 256)
    let null = builder.add("$null")
    let empty = BinaryWriter.write(builder.finish(archive: [null], tops: [])).intoStorage()
    let host = try OpenedArchive(empty, limits: limits)
    guard let hostParts = host.parts else { throw difference }
    var patch = TablePatch(host.document)
    var records = ClassRecords(of: host.side)
    var roots: [(archive: OpenedArchive, root: UInt32)] = []
    for (number, part) in parts.enumerated() {
      do {
        let archive = try OpenedArchive(part.storage, limits: limits)
        let root = try root(of: archive)
        let copy = try PartCopy.copy(
          root, of: archive, into: hostParts.objects, &records, &patch)
        let key = patch.add(storedKey(part.key))
        let children = patch.children(of: hostParts.top)
        let (keys, values) = (children[..<number], children[number...])
        patch.setChildren(of: hostParts.top, to: keys + [key] + values + [copy])
        roots.append((archive, root))
      } catch {
        failed(number)
        throw error
      }
    }
    let pruning = try ArchivePruning(of: host.document, hostParts, with: patch)
    let bytes = try host.encoding.write(pruning.write().intoStorage(), limits: limits)
    let merged = try OpenedArchive(bytes, limits: limits)
    let tops = merged.document.archive?.tops ?? []
    for (number, (archive, root)) in roots.enumerated() {
      let source = archive.graph.follow(root, in: archive.number).index
      var comparison = StoredComparison(archive.side, merged.side)
      guard tops.indices.contains(number),
        tops[number].key.utf8.elementsEqual(parts[number].key.utf8),
        comparison.isSame(source, tops[number].node.index)
      else {
        failed(number)
        throw difference
      }
    }
    return bytes
  }

  /// What the archive has at its root.
  private static func root(of part: OpenedArchive) throws(ArchiveError) -> UInt32 {
    if let archiver = part.document.archive?.archiver, archiver != "NSKeyedArchiver" {
      throw ArchiveError(
        .mismatch,
        "the archiver is \(archiver), which the merged archive cannot keep; rename-class --set-archiver changes it"
      )
    }
    guard part.isKeyed else {
      throw ArchiveError(
        .mismatch, "the part is not a keyed archive; convert --to keyed-archive makes one from it")
    }
    return try part.rootValue()
  }

  private static let difference = ArchiveError(
    .unrepresentable, "the archive would not contain both its own values and the part")
}
