// UIDs that lead to no object: marked as lost before anything follows them.

import ObjectGraph
import PropertyLists

/// Takes UIDs without an object out of a damaged archive.
enum DanglingUIDs {
  /// The document with the key `$lost` in the place of each UID that `$objects` has no object for.
  ///
  /// - Parameters:
  ///   - document: any document; one that is no keyed archive, or has no such UID, is returned as it is.
  ///   - limits: the depth that is allowed.
  ///   - losses: is told of each UID.
  /// - Throws: `ArchiveError` with code `limit`.
  static func replaced(
    in document: Document, limits: Limits, losses: inout [ArchiveError]
  ) throws(ArchiveError) -> Document {
    guard let highest = document.highestUID, let count = objectCount(document),
      highest >= UInt64(count)
    else { return document }
    let table = document.table
    for index in 0..<UInt32(truncatingIfNeeded: table.count)
    where table.marker(of: index) >> 4 == Marker.uid && table.uid(at: index) >= UInt64(count) {
      losses.append(
        ArchiveError(
          .dangling, "UID \(table.uid(at: index)) leads to no object: $objects holds \(count)",
          offset: document.fileOffset(of: index),
          path: StoredPath.find(index, from: document.top, in: table)?.description))
    }
    return try TableCopy.canonical(document, limits: limits, losingUIDsFrom: UInt64(count))
  }

  private static func objectCount(_ document: Document) -> Int? {
    let table = document.table
    guard table.marker(of: document.top) >> 4 == Marker.dictionary,
      let objects = TypedTag.value("$objects", document.top, table),
      table.marker(of: objects) >> 4 == Marker.array
    else { return nil }
    return table.counted(objects).count
  }
}
