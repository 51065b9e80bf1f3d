// Base64 in a text, with what is around it: other bytes are written in the same form.

import ArchiveBasics

/// A text that is Base64, and its form: the alphabet, the padding, the lines, and what is before and after.
package struct Base64Text {
  /// The bytes that it encodes.
  package let content: ByteStorage
  private let prefix: [UInt8]
  private let suffix: [UInt8]
  private var isURLSafe = false
  private var isPadded = true
  /// How many characters a line has, and what ends it; nil for one line.
  private var lines: (length: Int, end: [UInt8])?
  /// Whether the text can be written again as it is.
  package private(set) var isReproducible = false

  private static let newline = UInt8(ascii: "\n")

  /// Reads a text.
  ///
  /// - Returns: nil if it is not Base64 in one of its two alphabets (RFC 4648), alone, in a data URL or between PEM's lines.
  package init?(_ text: ByteView) {
    let range = Self.body(of: text)
    (prefix, suffix) = (Array(text[..<range.lowerBound]), Array(text[range.upperBound...]))
    let body = text.part(range)
    // Most bytes are something else, which their beginning shows.
    let mayBeText = body.prefix(256).allSatisfy {
      Base64.isDigit($0) || isSpace($0) || "=-_".utf8.contains($0)
    }
    guard !body.isEmpty, mayBeText else { return nil }
    isURLSafe = body.contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    var standard = ByteBuffer(capacity: body.count)
    for byte in body { standard.append(isURLSafe ? Self.counterpart(of: byte) : byte) }
    let isStandard = body.contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }
    var decoded = ByteBuffer(capacity: body.count / 4 * 3 + 3)
    guard !isURLSafe || !isStandard, Base64.decodeWellFormed(standard.bytes, to: &decoded) else {
      return nil
    }
    content = decoded.intoStorage()
    let digits = body.count { !isSpace($0) && $0 != UInt8(ascii: "=") }
    // Texts for URLs have no padding, which a whole last group does not show.
    if digits % 4 == 0 {
      isPadded = !isURLSafe
    } else if body.last != UInt8(ascii: "=") {
      (isPadded, isURLSafe) = (false, !isStandard)
    }
    lines = Self.lines(of: body)
    isReproducible = encoded(content.bytes).elementsEqual(text)
  }

  /// Other bytes in the form of the text.
  package func encoded(_ bytes: ByteView) -> [UInt8] {
    var buffer = ByteBuffer(capacity: bytes.count / 3 * 4 + 4)
    Base64.encode(bytes, to: &buffer)
    var digits = Array(buffer.bytes)
    if isURLSafe { digits = digits.map(Self.counterpart) }
    if !isPadded { while digits.last == UInt8(ascii: "=") { digits.removeLast() } }
    guard let lines else { return prefix + digits + suffix }
    var text = prefix
    for start in stride(from: 0, to: digits.count, by: lines.length) {
      if start > 0 { text += lines.end }
      text += digits[start..<min(start + lines.length, digits.count)]
    }
    return text + suffix
  }

  // MARK: The form

  /// The part of a text that is Base64: without white space around it, the beginning of a data URL, or PEM's lines.
  private static func body(of text: ByteView) -> Range<Int> {
    var start = text.firstIndex { !isSpace($0) } ?? text.endIndex
    var end = text.endIndex
    let beginning = text[start...].prefix(256)
    if beginning.starts(with: "data:".utf8) {
      if let comma = beginning.firstIndex(of: UInt8(ascii: ",")) { start = comma + 1 }
    } else if beginning.starts(with: "-----BEGIN ".utf8) {
      if let line = beginning.firstIndex(of: newline) { start = line + 1 }
      end = text[start...].firstIndex(of: UInt8(ascii: "-")) ?? end
    }
    while end > start, isSpace(text[end - 1]) { end -= 1 }
    return start..<max(start, end)
  }

  /// The length of the first line, and what ends it; nil for one line, and if the first is empty.
  private static func lines(of body: ByteView) -> (Int, [UInt8])? {
    guard let first = body.firstIndex(where: { isSpace($0) }), first > 0 else { return nil }
    let next = body[first...].firstIndex { !isSpace($0) } ?? body.endIndex
    return (first, Array(body[first..<next]))
  }

  /// The digit of the other alphabet.
  private static func counterpart(of byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "+"): UInt8(ascii: "-")
    case UInt8(ascii: "/"): UInt8(ascii: "_")
    case UInt8(ascii: "-"): UInt8(ascii: "+")
    case UInt8(ascii: "_"): UInt8(ascii: "/")
    default: byte
    }
  }
}
