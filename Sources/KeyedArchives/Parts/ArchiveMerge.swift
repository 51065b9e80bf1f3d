// Several archives as one: the root of each under a top-level key of its own.

import Basics
import ObjectGraph
import PropertyLists

/// Merges archives.
public enum ArchiveMerge {
  /// Makes a keyed archive of the roots of several.
  ///
  /// Objects keep their classes, their storage and what they share within their archive; class records that are equal
  /// become one.
  ///
  /// - Parameters:
  ///   - parts: the archives with distinct keys; `failed` receives the one that an error is about.
  ///   - limits: the bounds that hold.
  /// - Throws: `ArchiveError` if a part cannot be read or is not a keyed archive with one root.
  public static func merge(
    _ parts: [(key: String, storage: ByteStorage)], limits: Limits = Limits(),
    failed: (Int) -> Void = { _ in }
  ) throws(ArchiveError) -> ByteStorage {
    var builder = GraphBuilder(capacity: 256)
    let null = builder.add("$null")
    let empty = builder.finish(archive: [null], tops: [])
    var merged = BinaryWriter.write(empty).intoStorage()
    for (number, part) in parts.enumerated() {
      do {
        merged = try ArchiveInsertion.insert(
          part.storage, under: part.key, into: merged, limits: limits)
      } catch {
        failed(number)
        throw error
      }
    }
    return merged
  }
}
