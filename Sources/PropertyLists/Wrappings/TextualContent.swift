// Archives as text: Base64, also in a data URL or between PEM's lines, and hexadecimal digits.
//
// Only text whose first bytes are those of a known format is treated so: words of other formats are Base64 as well.

import Basics
import ObjectGraph

/// Finds and decodes bytes that are written as text.
enum TextualContent {
  /// How much of a text determines whether it is one of these.
  private static let reach = 2048

  /// The wrapping of a text that begins as Base64 or as digits; `isKnown` examines the first bytes that it represents.
  static func wrapping(
    of bytes: UnsafeRawBufferPointer, isKnown: (UnsafeRawBufferPointer) -> Bool
  ) -> Wrapping? {
    let isWhole = bytes.count <= reach
    let beginning = UnsafeRawBufferPointer(rebasing: bytes.prefix(reach))
    if let content = hexadecimal(beginning, isWhole: isWhole), isKnown(content.bytes) {
      return .hexadecimal
    }
    let text = base64(beginning)
    guard let first = text.first(where: { !isSpace($0) }), Base64.isDigit(first),
      firstForeign(in: text) == nil
    else { return nil }
    var decoded = ByteBuffer(capacity: reach)
    Base64.decode(UnsafeRawBufferPointer(rebasing: text), to: &decoded)
    return isKnown(decoded.bytes) ? .base64 : nil
  }

  /// Decodes a text.
  ///
  /// - Throws: `ArchiveError` with the offset of what is not a digit.
  static func read(
    _ bytes: UnsafeRawBufferPointer, as wrapping: Wrapping
  ) throws(ArchiveError) -> WrappedContent {
    if wrapping == .hexadecimal {
      guard let content = hexadecimal(bytes, isWhole: true) else {
        throw ArchiveError(
          .malformed, "hexadecimal digits are in pairs, without other characters between them",
          offset: firstNonDigit(in: bytes))
      }
      return WrappedContent(decoded: content)
    }
    let text = base64(bytes)
    if let foreign = firstForeign(in: text) {
      throw ArchiveError(.malformed, "a character that is not one of Base64", offset: foreign)
    }
    let content = UnsafeRawBufferPointer(rebasing: text)
    guard Base64.isWellFormed(content) else {
      throw ArchiveError(
        .truncated, "the last group of the Base64 is not whole", offset: text.endIndex)
    }
    var decoded = ByteBuffer(capacity: content.count / 4 * 3 + 3)
    Base64.decode(content, to: &decoded)
    return WrappedContent(decoded: decoded.intoStorage())
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte &- 0x09 < 5 }

  // MARK: Base64

  /// The part of a text that is Base64: without the beginning of a data URL, or PEM's first and last line.
  private static func base64(_ bytes: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer> {
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

  private static func firstForeign(in text: Slice<UnsafeRawBufferPointer>) -> Int? {
    text.firstIndex { !Base64.isDigit($0) && !isSpace($0) && $0 != UInt8(ascii: "=") }
  }

  // MARK: Hexadecimal digits

  /// The bytes of digits in pairs, white space between them, after `0x` or without it; nil for other text.
  private static func hexadecimal(
    _ bytes: UnsafeRawBufferPointer, isWhole: Bool
  ) -> ByteStorage? {
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

  private static func digits(of bytes: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer> {
    let text = bytes[(bytes.firstIndex { !isSpace($0) } ?? bytes.endIndex)...]
    return text.starts(with: "0x".utf8) || text.starts(with: "0X".utf8) ? text.dropFirst(2) : text
  }

  private static func firstNonDigit(in bytes: UnsafeRawBufferPointer) -> Int {
    let text = digits(of: bytes)
    return text.firstIndex { hexadecimalDigit($0) == nil && !isSpace($0) } ?? bytes.endIndex
  }
}
