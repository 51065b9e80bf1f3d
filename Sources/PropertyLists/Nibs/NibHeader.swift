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

// MARK: - The bytes of a NIBArchive, read number by number
//
// Format facts: nibsqueeze, "NibArchive.md"; nib-archive, "lib.rs".

/// Reads the numbers of a NIBArchive; offsets count from its first byte.
struct NibCursor {
  let bytes: UnsafeRawBufferPointer
  private(set) var position: Int

  init(_ bytes: UnsafeRawBufferPointer, at position: Int) {
    self.bytes = bytes
    self.position = position
  }

  /// Takes the next bytes.
  ///
  /// - Throws: `ArchiveError` at the current offset if the input has fewer.
  mutating func take(_ count: Int, _ what: String) throws(ArchiveError) -> UnsafeRawBufferPointer {
    guard position <= bytes.count, count <= bytes.count - position else {
      throw ArchiveError(
        .truncated,
        "\(what) of \(Counted.text(count, "byte")) extends beyond the NIBArchive's \(bytes.count)",
        offset: min(position, bytes.count))
    }
    defer { position += count }
    return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
  }

  /// Takes a number of fixed width, least significant byte first.
  mutating func little(_ width: Int, _ what: String) throws(ArchiveError) -> UInt64 {
    try take(width, what).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Takes a number of seven bits per byte, least significant first; the last byte has its high bit set.
  mutating func variable(_ what: String) throws(ArchiveError) -> Int {
    let start = position
    var number = 0
    for shift in stride(from: 0, to: 35, by: 7) {
      let byte = try take(1, what)[0]
      number |= Int(byte & 0x7F) << shift
      if byte & 0x80 != 0 {
        guard number <= Int(Int32.max) else { break }
        return number
      }
    }
    throw ArchiveError(.malformed, "\(what) is above 2147483647", offset: start)
  }
}
