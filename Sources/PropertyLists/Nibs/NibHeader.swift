// The header of a NIBArchive: two version numbers, then where each of its four lists is.

import Basics

/// The header, checked against the size of the input.
struct NibHeader {
  /// A list: how many entries it has, and where the first begins.
  struct List {
    let count: Int
    let offset: Int
  }

  let version: UInt32
  /// The version of the encoder: 9, or 10 in newer files.
  let coderVersion: UInt32
  let objects: List
  let keys: List
  let values: List
  let classes: List

  init(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
    var cursor = NibCursor(bytes, at: 10)
    version = UInt32(truncatingIfNeeded: try cursor.little(4, "the version"))
    coderVersion = UInt32(truncatingIfNeeded: try cursor.little(4, "the version"))
    objects = try Self.list(&cursor, "objects", smallest: 3)
    keys = try Self.list(&cursor, "keys", smallest: 1)
    values = try Self.list(&cursor, "values", smallest: 2)
    classes = try Self.list(&cursor, "class names", smallest: 2)
    guard objects.count > 0 else {
      throw ArchiveError(.malformed, "the NIBArchive has no objects", offset: 18)
    }
  }

  /// Reads the location of a list whose entries have a smallest size.
  private static func list(
    _ cursor: inout NibCursor, _ name: String, smallest: Int
  ) throws(ArchiveError) -> List {
    let start = cursor.position
    let count = Int(try cursor.little(4, "the number of \(name)"))
    let offset = Int(try cursor.little(4, "the offset of the \(name)"))
    let size = cursor.bytes.count
    guard offset <= size, count <= (size - offset) / smallest else {
      throw ArchiveError(
        .truncated,
        "\(count) \(name) from byte \(offset) on do not fit into the NIBArchive's \(size) bytes",
        offset: start)
    }
    return List(count: count, offset: offset)
  }
}
