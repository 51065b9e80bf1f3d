// Tags that are too long: libxml2 compares each attribute of a tag with all before it.

import Basics

/// Looks for tags that no property list has, without looking at every byte.
enum LongTags {
  /// The tags of property lists have one attribute at most.
  private static let limit = 64 * 1024

  /// Refuses a document with a tag of over 64 KiB.
  ///
  /// A tag contains no `<` except its first character, so if each 64 KiB contain one, no tag is long. Documents in
  /// encodings of
  /// several bytes a character have these bytes as well.
  ///
  /// - Throws: `ArchiveError` with code `limit`.
  static func refuse(
    in bytes: UnsafeRawBufferPointer, fileOffset: Int?
  ) throws(ArchiveError) {
    var start = 0
    while bytes.count - start > limit {
      guard let last = bytes[start..<start + limit].lastIndex(of: UInt8(ascii: "<")) else {
        start += limit
        continue
      }
      // The next window begins with this one, unless it is the only one: then what follows it is long.
      if last > start {
        start = last
        continue
      }
      if isTag(bytes, last), !ends(bytes[last..<last + limit]) {
        throw ArchiveError(
          .limit, "the tag is over \(limit) bytes long", offset: fileOffset.map { $0 + last })
      }
      start = last + 1
    }
  }

  /// Whether an element begins, not a comment, a declaration or an instruction.
  private static func isTag(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> Bool {
    let next = bytes[(place + 1)...].first { $0 != 0 } ?? 0
    return next != UInt8(ascii: "!") && next != UInt8(ascii: "?") && next != UInt8(ascii: "/")
  }

  /// Whether the tag at the beginning of some bytes ends within them; `>` may occur in the value of an attribute.
  private static func ends(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
    var quote: UInt8?
    for byte in bytes {
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return true
      }
    }
    return false
  }
}
