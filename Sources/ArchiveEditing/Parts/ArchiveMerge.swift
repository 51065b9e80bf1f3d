// Several archives as one: the root of each under a top-level key of its own.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import KeyedArchives

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
    guard let parts = part.parts else {
      throw ArchiveError(
        .mismatch, "the part is not a keyed archive; convert --to keyed-archive makes one from it")
    }
    return try part.rootValue(parts)
  }

  private static let difference = ArchiveError(
    .unrepresentable, "the archive would not contain both its own values and the part")
}
