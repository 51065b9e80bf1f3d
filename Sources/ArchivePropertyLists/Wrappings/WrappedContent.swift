// What a wrapping holds.

import ArchiveBasics
import ArchiveGraph

/// The bytes that a wrapping holds.
package struct WrappedContent {
  /// The bytes.
  package let bytes: ByteView
  /// What keeps them alive, if they are not a part of the input.
  package let storage: ByteStorage?
  /// Where they begin in the bytes with the wrapping; nil if they are not stored there as they are.
  package let offset: Int?

  /// A part of the input.
  init(part bytes: ByteView, at offset: Int) {
    self.bytes = bytes
    storage = nil
    self.offset = offset
  }

  /// Where they begin in the bytes that offsets refer to from now on; `base` is where the bytes with the wrapping begin.
  package func fileOffset(from base: Int?) -> Int? {
    guard let offset else { return 0 }
    return base.map { $0 + offset }
  }

  /// Bytes that were decoded.
  package init(decoded storage: ByteStorage) {
    bytes = storage.bytes
    self.storage = storage
    offset = nil
  }
}

// MARK: - How each wrapping is read

extension Wrapping {
  /// The content of bytes with this wrapping, other than compressed ones, whose content has a limit of its own.
  ///
  /// - Throws: `ArchiveError` if they are damaged; its offset counts from the first of the bytes.
  package func content(of bytes: ByteView) throws(ArchiveError) -> WrappedContent {
    switch self {
    case .signature: try SignedContent.read(bytes)
    case .base64, .hexadecimal: try TextualContent.read(bytes, as: self)
    case .program: try ProgramContent.read(bytes)
    case .gzip: WrappedContent(part: bytes, at: 0)
    }
  }
}

// MARK: - The content of signed CMS messages (RFC 5652): provisioning and configuration profiles

/// Finds the content in a message of the type signedData.
enum SignedContent {
  /// 1.2.840.113549.1.7.2.
  private static let signedData: [UInt8] = [
    0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02,
  ]
  /// How deep the parts of a content may be nested.
  private static let deepest = 16

  /// Whether bytes begin as such a message does: a sequence, then the type.
  static func recognizes(_ bytes: ByteView) -> Bool {
    guard bytes.count > 2, bytes[0] == BERElement.sequence else { return false }
    let width = bytes[1] > 0x80 ? Int(bytes[1] & 0x7F) : 0
    return width <= 7 && bytes.dropFirst(2 + width).starts(with: signedData)
  }

  /// The content.
  ///
  /// - Throws: `ArchiveError` if the message is damaged, or signs a content that it does not hold.
  static func read(_ bytes: ByteView) throws(ArchiveError) -> WrappedContent {
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
    _ bytes: ByteView, _ position: inout Int, _ tag: UInt8, limit: Int
  ) throws(ArchiveError) -> Int {
    let element = try BERElement(bytes, at: position, limit: limit)
    guard element.tag == tag else { throw unexpected(element.tag, tag, at: position) }
    position = element.start
    return element.end ?? limit
  }

  private static func skip(
    _ bytes: ByteView, _ position: inout Int, limit: Int
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
    _ bytes: ByteView, at offset: Int, limit: Int
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
        part: bytes.part(part), at: part.lowerBound)
    }
    var joined = ByteBuffer(capacity: whole.reduce(0) { $0 + $1.count })
    for part in whole { joined.append(bytes.part(part)) }
    return WrappedContent(decoded: joined.intoStorage())
  }
}

// MARK: - Elements of ASN.1 in the basic encoding rules (X.690)

private struct BERElement {
  /// The first byte: class, form and number.
  let tag: UInt8
  /// Where the content begins.
  let start: Int
  /// Where the content ends; nil if an end-of-contents marker ends it.
  let end: Int?

  static let octets: UInt8 = 0x04
  static let constructedOctets: UInt8 = 0x24
  static let sequence: UInt8 = 0x30
  /// The explicit tag 0.
  static let tagged: UInt8 = 0xA0

  /// Whether this is the marker that ends an element of unknown length.
  var isEnd: Bool { tag == 0 && end == start }

  /// Reads the header of the element at an offset.
  ///
  /// - Parameter limit: where the element that holds it ends.
  /// - Throws: `ArchiveError` if it is not whole, or ends beyond the limit.
  init(_ bytes: ByteView, at offset: Int, limit: Int) throws(ArchiveError) {
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
  func finish(_ bytes: ByteView, limit: Int) throws(ArchiveError) -> Int {
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

// MARK: - Archives as text: Base64, also in a data URL or between PEM's lines, and hexadecimal digits
//
// Only text whose first bytes are those of a known format is treated so: words of other formats are Base64 as well.

/// Finds and decodes bytes that are written as text.
enum TextualContent {
  /// How much of a text determines whether it is one of these.
  private static let reach = 2048

  /// The wrapping of a text that begins as Base64 or as digits; `isKnown` examines the first bytes that it represents.
  static func wrapping(of bytes: ByteView, isKnown: (ByteView) -> Bool) -> Wrapping? {
    let isWhole = bytes.count <= reach
    let beginning = ByteView(rebasing: bytes.prefix(reach))
    if let content = hexadecimal(beginning, isWhole: isWhole), isKnown(content.bytes) {
      return .hexadecimal
    }
    let text = base64(beginning)
    guard let first = text.first(where: { !isSpace($0) }), Base64.isDigit(first),
      firstForeign(in: text) == nil
    else { return nil }
    var decoded = ByteBuffer(capacity: reach)
    Base64.decode(ByteView(rebasing: text), to: &decoded)
    return isKnown(decoded.bytes) ? .base64 : nil
  }

  /// Decodes a text.
  ///
  /// - Throws: `ArchiveError` with the offset of what is not a digit.
  static func read(
    _ bytes: ByteView, as wrapping: Wrapping
  ) throws(ArchiveError) -> WrappedContent {
    if wrapping == .hexadecimal {
      guard let content = hexadecimal(bytes, isWhole: true) else {
        throw ArchiveError(
          .malformed, "hexadecimal digits are in pairs, without other characters between them",
          offset: digits(of: bytes).firstIndex { hexadecimalDigit($0) == nil && !isSpace($0) }
            ?? bytes.endIndex)
      }
      return WrappedContent(decoded: content)
    }
    let text = base64(bytes)
    if let foreign = firstForeign(in: text) {
      throw ArchiveError(.malformed, "a character that is not one of Base64", offset: foreign)
    }
    let content = ByteView(rebasing: text)
    guard Base64.isWellFormed(content) else {
      throw ArchiveError(
        .truncated, "the last group of the Base64 is not whole", offset: text.endIndex)
    }
    var decoded = ByteBuffer(capacity: content.count / 4 * 3 + 3)
    Base64.decode(content, to: &decoded)
    return WrappedContent(decoded: decoded.intoStorage())
  }

  // MARK: Base64

  /// The part of a text that is Base64: without the beginning of a data URL, or PEM's first and last line.
  private static func base64(_ bytes: ByteView) -> Slice<ByteView> {
    var text = bytes[(bytes.firstIndex { !isSpace($0) } ?? bytes.endIndex)...]
    if text.starts(with: "data:".utf8) {
      guard let comma = text.prefix(256).firstIndex(of: UInt8(ascii: ",")),
        text[..<comma].reversed().starts(with: ";base64".utf8.reversed())
      else { return bytes[bytes.endIndex...] }
      return text[(comma + 1)...]
    }
    guard text.starts(with: "-----BEGIN ".utf8) else { return text }
    guard let line = text.firstIndex(of: 0x0A) else { return bytes[bytes.endIndex...] }
    text = text[(line + 1)...]
    return text[..<(text.firstIndex(of: UInt8(ascii: "-")) ?? text.endIndex)]
  }

  private static func firstForeign(in text: Slice<ByteView>) -> Int? {
    text.firstIndex { !Base64.isDigit($0) && !isSpace($0) && $0 != UInt8(ascii: "=") }
  }

  // MARK: Hexadecimal digits

  /// The bytes of digits in pairs, white space between them, after `0x` or without it; nil for other text.
  private static func hexadecimal(_ bytes: ByteView, isWhole: Bool) -> ByteStorage? {
    let text = digits(of: bytes)
    guard let first = text.first, hexadecimalDigit(first) != nil else { return nil }
    var content = ByteBuffer(capacity: text.count / 2)
    var half: UInt8?
    for byte in text where !isSpace(byte) {
      guard let digit = hexadecimalDigit(byte) else { return nil }
      if let high = half {
        content.append(high << 4 | digit)
        half = nil
      } else {
        half = digit
      }
    }
    return half == nil || !isWhole ? content.intoStorage() : nil
  }

  private static func digits(of bytes: ByteView) -> Slice<ByteView> {
    let text = bytes[(bytes.firstIndex { !isSpace($0) } ?? bytes.endIndex)...]
    return text.starts(with: "0x".utf8) || text.starts(with: "0X".utf8) ? text.dropFirst(2) : text
  }
}
