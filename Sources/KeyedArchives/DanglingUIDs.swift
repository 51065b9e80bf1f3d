// UIDs that lead to no object: marked as lost before anything follows them.

import Basics
import ObjectGraph
import PropertyLists

/// Takes UIDs without an object out of a damaged archive.
enum DanglingUIDs {
  /// The number that are reported one by one.
  private static let mostNamed = 100

  /// The document with the key `$lost` instead of each UID without an object in `$objects`.
  ///
  /// - Parameters:
  ///   - document: any document; one that is not a keyed archive, or has no such UID, is returned unchanged.
  ///   - limits: the depth that is allowed.
  ///   - losses: receives each UID.
  /// - Throws: `ArchiveError` with code `limit`.
  static func replaced(
    in document: Document, limits: Limits, losses: inout [ArchiveError]
  ) throws(ArchiveError) -> Document {
    guard let highest = document.highestUID, let count = objectCount(document),
      highest >= UInt64(count)
    else { return document }
    let table = document.table
    var found = 0
    for index in 0..<UInt32(truncatingIfNeeded: table.count)
    // A value that nothing reaches may be broken; its marker must not be looked at then.
    where table.fault(at: index) == nil && table.marker(of: index) >> 4 == Marker.uid
      && table.uid(at: index) >= UInt64(count)
    {
      found += 1
      // Each path is searched for from the top.
      guard found <= mostNamed else { continue }
      losses.append(
        ArchiveError(
          .dangling, KeyedArchiveParts.dangling(table.uid(at: index), objectCount: count),
          offset: document.fileOffset(of: index),
          path: StoredPath.find(index, from: document.top, in: table)))
    }
    if found > mostNamed {
      losses.append(
        ArchiveError(.dangling, "\(found - mostNamed) more UIDs refer to no object"))
    }
    return try TableCopy.canonical(document, limits: limits, losingUIDsFrom: UInt64(count))
  }

  private static func objectCount(_ document: Document) -> Int? {
    let table = document.table
    guard table.marker(of: document.top) >> 4 == Marker.dictionary,
      let objects = table.value("$objects", of: document.top),
      table.marker(of: objects) >> 4 == Marker.array
    else { return nil }
    return table.counted(objects).count
  }
}
