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
