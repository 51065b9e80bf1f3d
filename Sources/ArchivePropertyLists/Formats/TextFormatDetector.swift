// Distinguishes XML, JSON and OpenStep property lists by the first tokens of a text.
//
// A text that could be none of them has an unknown format: it must not be refused with the syntax error of a
// format that nobody meant.

import ArchiveBasics
import ArchiveGraph

struct TextFormatDetector {
  /// The number of bytes to examine: after a long comment the result is unknown.
  static let reach = 64 * 1024

  private let bytes: ByteView
  private let isWhole: Bool
  private var position = 0

  static func detect(_ bytes: ByteView) -> Encoding? {
    let text = DecodedText(prefixOf: bytes, count: reach)
    var detector = TextFormatDetector(bytes: text.utf8, isWhole: bytes.count < reach)
    return withExtendedLifetime(text) { detector.kind() }
  }

  private init(bytes: ByteView, isWhole: Bool) {
    self.bytes = bytes
    self.isWhole = isWhole
  }

  private mutating func kind() -> Encoding? {
    skipSpace()
    let start = position
    skip()
    let hasComment = position > start
    guard let first = peek() else {
      // A .strings file may hold nothing but its comment, or begin with a very long one, or be blank.
      return hasComment || start > 0 && isWhole ? .openStepPropertyList : nil
    }
    switch first {
    case UInt8(ascii: "<"): return angle(hasComment: hasComment)
    case UInt8(ascii: "{"): return brace()
    case UInt8(ascii: "["): return bracket()
    case UInt8(ascii: "("): return parenthesis()
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return quoted()
    default: return word()
    }
  }

  // MARK: The kinds of beginnings

  /// XML, or data.
  private mutating func angle(hasComment: Bool) -> Encoding? {
    position += 1
    guard let second = peek() else { return nil }
    if second == UInt8(ascii: "*") || second == UInt8(ascii: "[") { return .openStepPropertyList }
    if isHexadecimalData() { return .openStepPropertyList }
    let isMarkup = second == UInt8(ascii: "?") || second == UInt8(ascii: "!") || isLetter(second)
    return isMarkup && !hasComment ? .xmlPropertyList : nil
  }

  /// Whether pairs of digits follow, then `>`, then nothing: `<a>` and `<dd>text` are XML.
  private mutating func isHexadecimalData() -> Bool {
    // No name of XML begins with a digit.
    let startsWithDigit = peek().map { isDigit($0) } ?? false
    var digits = 0
    while let byte = peek() {
      if hexadecimalDigit(byte) != nil { digits += 1 } else if !isSpace(byte) { break }
      position += 1
    }
    guard peek() == UInt8(ascii: ">") else {
      return peek() == nil && !isWhole
    }
    position += 1
    skip()
    return peek() == nil && (digits % 2 == 0 || startsWithDigit)
  }

  /// In JSON a key is followed by `:`, in OpenStep by `=` or `;`.
  private mutating func brace() -> Encoding? {
    position += 1
    skipSpace()
    let start = position
    skip()
    guard let next = peek() else { return .json }
    // An empty dictionary may be either; comments are OpenStep's.
    if next == UInt8(ascii: "}"), position > start { return .openStepPropertyList }
    if isQuote(next) {
      _ = string()
      skip()
      return isPairMark(peek()) ? .openStepPropertyList : .json
    }
    // RTF begins with a brace and `\rtf`; a key in JSON5 may begin with `\u`.
    if next == UInt8(ascii: "\\") { return isUnicodeEscape() ? .json : nil }
    guard isBare(next) else { return .json }
    let key = bareWord()
    skip()
    guard let mark = peek() else { return .openStepPropertyList }
    if isPairMark(mark) { return .openStepPropertyList }
    // The colon belongs to OpenStep's bare words, as in `setName:`.
    if mark == UInt8(ascii: ":") || key.contains(UInt8(ascii: ":")) { return .json }
    // A key in JSON5 may continue with a letter or an escape that no bare word has.
    return mark >= 0x80 || isUnicodeEscape() ? .json : nil
  }

  private func isUnicodeEscape() -> Bool {
    let escape = bytes[position...].prefix(2)
    return escape.elementsEqual("\\u".utf8)
      || (escape.count == 1 && escape.first == UInt8(ascii: "\\"))
  }

  /// An array of JSON: after the bracket a value or the end may follow.
  private mutating func bracket() -> Encoding? {
    position += 1
    skip()
    guard let next = peek() else { return .json }
    if "[]{\"'-+.".utf8.contains(next) || isDigit(next) { return .json }
    let word = bareWord()
    return ["true", "false", "null", "Infinity", "NaN"].contains { word.elementsEqual($0.utf8) }
      || (peek() == nil && !word.isEmpty) ? .json : nil
  }

  /// An array of OpenStep: after the first string `,` or `)` follows.
  private mutating func parenthesis() -> Encoding? {
    position += 1
    skip()
    guard let next = peek() else { return .openStepPropertyList }
    if "({<)".utf8.contains(next) { return .openStepPropertyList }
    guard isQuote(next) || isBareOrPlus(next) else { return nil }
    skipWord()
    skip()
    guard let mark = peek() else { return .openStepPropertyList }
    return mark == UInt8(ascii: ",") || mark == UInt8(ascii: ")") ? .openStepPropertyList : nil
  }

  /// A string: of a .strings file if it begins a pair, else of JSON.
  private mutating func quoted() -> Encoding? {
    let quote = peek()
    let isOpenStep = string()
    skip()
    if isPairMark(peek()) { return .openStepPropertyList }
    if isOpenStep, peek() == nil { return .openStepPropertyList }
    return quote == UInt8(ascii: "\"") || (peek() == nil && isWhole) ? .json : nil
  }

  /// Pairs without braces, or a lone scalar of JSON.
  private mutating func word() -> Encoding? {
    let start = position
    if isPairs() { return .openStepPropertyList }
    position = start
    return isScalar() ? .json : nil
  }

  /// Whether the text begins with `key = value;`, possibly after keys without a value.
  private mutating func isPairs() -> Bool {
    while let next = peek() {
      guard isQuote(next) || isBare(next) else { return false }
      skipWord()
      skip()
      switch peek() {
      case UInt8(ascii: ";"):
        position += 1
        skip()
      case UInt8(ascii: "="):
        position += 1
        skip()
        return isPairValue()
      default: return false
      }
    }
    return isWhole
  }

  private mutating func isPairValue() -> Bool {
    guard let next = peek() else { return true }
    if "({<".utf8.contains(next) { return true }
    guard isQuote(next) || isBareOrPlus(next) else { return false }
    skipWord()
    skip()
    return peek() == nil || peek() == UInt8(ascii: ";")
  }

  /// Whether the text is one number or word of JSON, or of JSON5.
  private mutating func isScalar() -> Bool {
    if peek() == UInt8(ascii: "-") || peek() == UInt8(ascii: "+") { position += 1 }
    let start = position
    var previous: UInt8 = 0
    while let byte = peek(), !isSpace(byte) {
      let isSign = byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
      guard isBare(byte) || isSign, !isSign || previous | 0x20 == UInt8(ascii: "e") else {
        return false
      }
      previous = byte
      position += 1
    }
    let word = bytes[start..<position]
    skip()
    guard peek() == nil, isWhole, let first = word.first else { return false }
    if ["true", "false", "null", "Infinity", "NaN"].contains(where: { word.elementsEqual($0.utf8) })
    {
      return true
    }
    let isHexadecimal = word.count > 2 && word.dropFirst().first.map { $0 | 0x20 } == 0x78
    return (isDigit(first) || (first == UInt8(ascii: ".") && word.count > 1))
      && word.allSatisfy {
        isDigit($0) || (isHexadecimal && hexadecimalDigit($0) != nil) || ".eExX+-".utf8.contains($0)
      }
  }

  // MARK: Tokens

  private func peek() -> UInt8? { bytes.byte(at: position) }

  private func isPairMark(_ byte: UInt8?) -> Bool {
    byte == UInt8(ascii: "=") || byte == UInt8(ascii: ";")
  }

  /// Whether a byte may occur in a string without quotes, also of lenient writers.
  private func isBareOrPlus(_ byte: UInt8) -> Bool { isBare(byte) || byte == UInt8(ascii: "+") }

  private func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

  private mutating func skipSpace() {
    while let byte = peek(), isSpace(byte) { position += 1 }
  }

  /// Skips white space and comments.
  private mutating func skip() {
    while let byte = peek() {
      if isSpace(byte) {
        position += 1
      } else if byte >= 0xC2, let width = wideSpace() {
        position += width
      } else if byte == UInt8(ascii: "/"), position + 1 < bytes.count {
        let second = bytes[position + 1]
        if second == UInt8(ascii: "/") {
          while let byte = peek(), byte != 0x0A, byte != 0x0D { position += 1 }
        } else if second == UInt8(ascii: "*") {
          skipLongComment()
        } else {
          return
        }
      } else {
        return
      }
    }
  }

  private mutating func skipLongComment() {
    position += 2
    while position + 1 < bytes.count,
      bytes[position] != UInt8(ascii: "*") || bytes[position + 1] != UInt8(ascii: "/")
    {
      position += 1
    }
    position = min(position + 2, bytes.count)
  }

  /// The number of bytes of non-ASCII white space at this position; nil if there is none.
  private func wideSpace() -> Int? {
    let rest = bytes[position...].prefix(3)
    if rest.starts(with: [0xC2, 0xA0]) { return 2 }
    let wide: [[UInt8]] = [[0xE2, 0x80, 0xA8], [0xE2, 0x80, 0xA9], [0xEF, 0xBB, 0xBF]]
    return wide.contains { rest.elementsEqual($0) } ? 3 : nil
  }

  private mutating func bareWord() -> Slice<ByteView> {
    let start = position
    while let byte = peek(), isBareOrPlus(byte) { position += 1 }
    return bytes[start..<position]
  }

  /// Skips a string, in quotes or without.
  private mutating func skipWord() {
    if peek().map({ isQuote($0) }) == true { _ = string() } else { _ = bareWord() }
  }

  /// Skips a string in quotes.
  ///
  /// - Returns: whether it has an escape that only OpenStep knows: `\U` or octal digits.
  private mutating func string() -> Bool {
    guard let quote = peek() else { return false }
    position += 1
    var isOpenStep = false
    while let byte = peek(), byte != quote {
      position += 1
      guard byte == UInt8(ascii: "\\"), let escaped = peek() else { continue }
      isOpenStep = isOpenStep || escaped == UInt8(ascii: "U") || (0x30...0x37).contains(escaped)
      position += 1
    }
    position = min(position + 1, bytes.count)
    return isOpenStep
  }
}

// MARK: - The beginning of an input, from which formats recognize their own

/// Examines the first bytes of an input; results that several formats need are computed once.
package struct InputBeginning {
  /// The bytes, from the first on.
  package let bytes: ByteView
  private var textLook: Encoding??

  init(_ bytes: ByteView) { self.bytes = bytes }

  /// Whether the bytes begin with those of a text.
  package func starts(with text: StaticString) -> Bool { bytes.starts(with: text) }

  /// As which of XML, JSON and OpenStep property lists a text begins, or nil.
  mutating func textEncoding() -> Encoding? {
    if let textLook { return textLook }
    let found = TextFormatDetector.detect(bytes)
    textLook = .some(found)
    return found
  }
}

extension ByteView {
  /// Whether the bytes begin with those of a text.
  package func starts(with text: StaticString) -> Bool {
    starts(with: ByteView(text))
  }
}
