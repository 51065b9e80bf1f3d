// The bytes of a format read front to back: numbers of either byte order, within bounds.

/// Reads numbers and bytes one after the other; offsets count from the first byte.
package struct ByteCursor {
  /// All bytes.
  package let bytes: ByteView
  /// The name of what must not be exceeded, for messages: `NIBArchive`.
  package let noun: String
  /// Whether the most significant byte of a number is first.
  package var isBigEndian: Bool
  /// The offset of the next byte.
  package var position: Int
  /// The offset that nothing may extend beyond: the end of the bytes, or of an inner part.
  package var limit: Int {
    didSet { limit = min(limit, bytes.count) }
  }

  /// Begins at an offset.
  package init(
    _ bytes: ByteView, at position: Int, of noun: String, isBigEndian: Bool = false
  ) {
    self.bytes = bytes
    self.noun = noun
    self.isBigEndian = isBigEndian
    self.position = position
    limit = bytes.count
  }

  /// Takes the next bytes.
  ///
  /// - Throws: `ArchiveError` at the current offset if there are fewer.
  package mutating func read(_ count: Int, _ what: String) throws(ArchiveError) -> ByteView {
    guard position >= 0, position <= limit, count >= 0, count <= limit - position else {
      throw ArchiveError(
        .truncated,
        "\(what) of \(Counted.text(count, "byte")) extends beyond the end of the \(noun) at \(limit)",
        offset: min(max(position, 0), bytes.count))
    }
    defer { position += count }
    return bytes.part(position..<position + count)
  }

  /// Takes a number of up to eight bytes.
  package mutating func number(_ width: Int, _ what: String) throws(ArchiveError) -> UInt64 {
    let digits = try read(width, what)
    return isBigEndian
      ? digits.reduce(0) { $0 << 8 | UInt64($1) }
      : digits.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Takes a count or an offset, which is below 2^63.
  package mutating func count(_ width: Int, _ what: String) throws(ArchiveError) -> Int {
    let start = position
    let number = try number(width, what)
    guard let count = Int(exactly: number) else {
      throw ArchiveError(.malformed, "\(what) is \(number), which is too large", offset: start)
    }
    return count
  }
}
