// The content of signed CMS messages (RFC 5652): provisioning and configuration profiles.

import Basics
import ObjectGraph

/// Finds the content in a message of the type signedData.
enum SignedContent {
  /// 1.2.840.113549.1.7.2.
  private static let signedData: [UInt8] = [
    0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02,
  ]
  /// How deep the parts of a content may be nested.
  private static let deepest = 16

  /// Whether bytes begin as such a message does: a sequence, then the type.
  static func recognizes(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count > 2, bytes[0] == BERElement.sequence else { return false }
    let width = bytes[1] > 0x80 ? Int(bytes[1] & 0x7F) : 0
    return width <= 7 && bytes.dropFirst(2 + width).starts(with: signedData)
  }

  /// The content.
  ///
  /// - Throws: `ArchiveError` if the message is damaged, or signs a content that it does not hold.
  static func read(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) -> WrappedContent {
    var position = 0
    let message = try enter(bytes, &position, BERElement.sequence, limit: bytes.count)
    try skip(bytes, &position, limit: message)
    let tagged = try enter(bytes, &position, BERElement.tagged, limit: message)
    let signed = try enter(bytes, &position, BERElement.sequence, limit: tagged)
    // The version, and the algorithms.
    try skip(bytes, &position, limit: signed)
    try skip(bytes, &position, limit: signed)
    let content = try enter(bytes, &position, BERElement.sequence, limit: signed)
    try skip(bytes, &position, limit: content)
    guard position < content, bytes[position] == BERElement.tagged else {
      throw ArchiveError(
        .unsupported, "a CMS signature without the content that it signs", offset: position)
    }
    let explicit = try enter(bytes, &position, BERElement.tagged, limit: content)
    return try octets(bytes, at: position, limit: explicit)
  }

  /// Goes into an element with a tag.
  ///
  /// - Returns: where it ends at the latest.
  private static func enter(
    _ bytes: UnsafeRawBufferPointer, _ position: inout Int, _ tag: UInt8, limit: Int
  ) throws(ArchiveError) -> Int {
    let element = try BERElement(bytes, at: position, limit: limit)
    guard element.tag == tag else { throw unexpected(element.tag, tag, at: position) }
    position = element.start
    return element.end ?? limit
  }

  private static func skip(
    _ bytes: UnsafeRawBufferPointer, _ position: inout Int, limit: Int
  ) throws(ArchiveError) {
    position = try BERElement(bytes, at: position, limit: limit).finish(bytes, limit: limit)
  }

  private static func unexpected(_ tag: UInt8, _ wanted: UInt8, at offset: Int) -> ArchiveError {
    ArchiveError(
      .malformed,
      "a signed CMS message has the tag 0x\(String(wanted, radix: 16, width: 2)) here, found 0x\(String(tag, radix: 16, width: 2))",
      offset: offset)
  }

  // MARK: The octets

  /// The bytes of a string of octets, which may be in parts.
  private static func octets(
    _ bytes: UnsafeRawBufferPointer, at offset: Int, limit: Int
  ) throws(ArchiveError) -> WrappedContent {
    var parts: [Range<Int>] = []
    var position = offset
    // Where the constructed strings end that are open; nil for those with an end marker.
    var open: [Int?] = []
    repeat {
      let bound = open.lazy.compactMap { $0 }.last ?? limit
      if let last = open.last, last == position {
        open.removeLast()
        continue
      }
      let element = try BERElement(bytes, at: position, limit: bound)
      switch element.tag {
      case 0 where element.isEnd && open.last == .some(nil):
        open.removeLast()
        position = element.start
      case BERElement.octets:
        let end = element.end ?? element.start
        parts.append(element.start..<end)
        position = end
      case BERElement.constructedOctets:
        guard open.count < deepest else {
          throw ArchiveError(
            .limit, "parts of the signed content are nested more than \(deepest) levels deep",
            offset: position)
        }
        open.append(element.end)
        position = element.start
      default: throw unexpected(element.tag, BERElement.octets, at: position)
      }
    } while !open.isEmpty
    let whole = parts.filter { !$0.isEmpty }
    if whole.count < 2 {
      let part = whole.first ?? offset..<offset
      return WrappedContent(
        part: UnsafeRawBufferPointer(rebasing: bytes[part]), at: part.lowerBound)
    }
    var joined = ByteBuffer(capacity: whole.reduce(0) { $0 + $1.count })
    for part in whole { joined.append(UnsafeRawBufferPointer(rebasing: bytes[part])) }
    return WrappedContent(decoded: joined.intoStorage())
  }
}

// MARK: - Elements of ASN.1 in the basic encoding rules (X.690)

/// The header of an element.
private struct BERElement {
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
