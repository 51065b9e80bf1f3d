// Elements of ASN.1 in the basic encoding rules (X.690), of which the distinguished ones are a part.

import Basics

/// The header of an element.
struct BERElement {
  /// The first byte: class, form and number.
  let tag: UInt8
  /// Where the content begins.
  let start: Int
  /// Where the content ends; nil if an end-of-contents marker ends it.
  let end: Int?

  static let octets: UInt8 = 0x04
  static let constructedOctets: UInt8 = 0x24
  static let identifier: UInt8 = 0x06
  static let sequence: UInt8 = 0x30
  /// The explicit tag 0.
  static let tagged: UInt8 = 0xA0

  /// Whether this is the marker that ends an element of unknown length.
  var isEnd: Bool { tag == 0 && end == start }

  /// Whether it holds elements.
  var isConstructed: Bool { tag & 0x20 != 0 }

  /// Reads the header of the element at an offset.
  ///
  /// - Parameter limit: where the element that holds it ends.
  /// - Throws: `ArchiveError` if it is not whole, or ends beyond the limit.
  init(_ bytes: UnsafeRawBufferPointer, at offset: Int, limit: Int) throws(ArchiveError) {
    func truncated() -> ArchiveError {
      ArchiveError(
        .truncated, "an element of the CMS message extends beyond \(limit)", offset: offset)
    }
    guard offset <= limit - 2 else { throw truncated() }
    tag = bytes[offset]
    guard tag & 0x1F != 0x1F else {
      throw ArchiveError(
        .malformed, "CMS messages have no element with the tag 0x1f", offset: offset)
    }
    let first = bytes[offset + 1]
    var (position, length) = (offset + 2, Int(first))
    if first == 0x80, tag & 0x20 != 0 {
      (start, end) = (position, nil)
      return
    }
    if first >= 0x80 {
      let width = Int(first & 0x7F)
      guard (1...7).contains(width) else {
        throw ArchiveError(
          .malformed, "the length of an element of the CMS message has \(width) bytes",
          offset: offset + 1)
      }
      guard width <= limit - position else { throw truncated() }
      length = bytes[position..<position + width].reduce(0) { $0 << 8 | Int($1) }
      position += width
    }
    guard length <= limit - position else { throw truncated() }
    (start, end) = (position, position + length)
  }

  /// Where the element ends, its end marker included.
  func finish(_ bytes: UnsafeRawBufferPointer, limit: Int) throws(ArchiveError) -> Int {
    if let end { return end }
    // Elements of unknown length may hold others of this kind.
    var (position, depth) = (start, 1)
    while depth > 0 {
      let element = try BERElement(bytes, at: position, limit: limit)
      if element.isEnd { depth -= 1 } else if element.end == nil { depth += 1 }
      position = element.end ?? element.start
    }
    return position
  }
}
