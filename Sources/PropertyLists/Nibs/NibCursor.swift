// The bytes of a NIBArchive, read number by number.
//
// Format facts: nibsqueeze, "NibArchive.md"; nib-archive, "lib.rs".

import Basics

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
