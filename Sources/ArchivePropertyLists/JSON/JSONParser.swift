// The grammar of JSON, into the same table as property lists, with a stack of its own.

import ArchiveBasics
import ArchiveGraph

struct JSONParser: BracketedParser, ~Copyable {
  static let encoding = Encoding.json

  let bytes: ByteView
  /// Whether equal values keep their own positions, and integers all their digits; keys are compared by content.
  let keepsPositions: Bool
  /// Whether integers of more than 64 bits are distinguished from reals.
  let marksWide: Bool
  let allowsJSON5: Bool
  var position = 0
  var builder = GraphBuilder()
  var state: ParserState
  var units = ByteBuffer()

  init(
    _ text: DecodedText, fileOffset: Int?, depth: Int, allowsJSON5: Bool,
    keepsPositions: Bool = false, marksWide: Bool = false, recovering: Bool = false
  ) {
    state = ParserState(text, fileOffset: fileOffset, depth: depth, recovering: recovering)
    self.marksWide = marksWide
    self.keepsPositions = keepsPositions
    self.allowsJSON5 = allowsJSON5
    bytes = text.utf8
    builder.isUniquing = !keepsPositions
  }

  var messagePrefix: String { allowsJSON5 ? "not JSON5: " : "not JSON: " }
  var surplusMessage: String {
    let isLine = position > 0 && bytes[position - 1] == 0x0A && (peek() == 0x7B || peek() == 0x5B)
    return "nothing may follow the value" + (isLine ? "; 'jq -s .' makes one of JSON lines" : "")
  }

  func marks(of container: TextContainer) -> TextRecovery.Container {
    .init(separator: UInt8(ascii: ","), end: Self.end(of: container))
  }

  private static func end(of container: TextContainer) -> UInt8 {
    container == .array ? UInt8(ascii: "]") : UInt8(ascii: "}")
  }

  // MARK: Values and containers

  mutating func root() throws(ArchiveError) -> UInt32 { try values(after: nil) }

  mutating func skipEnd() throws(ArchiveError) { try skipSpace() }

  mutating func beginValue() throws(ArchiveError) -> UInt32? {
    try skipSpace()
    mark()
    guard let first = peek() else { throw problem("a JSON value is expected here") }
    switch first {
    case UInt8(ascii: "{"): return try open(.dictionary)
    case UInt8(ascii: "["): return try open(.array)
    case UInt8(ascii: "\""): return try string()
    case UInt8(ascii: "t"): return try word("true") { $0.add(true) }
    case UInt8(ascii: "f"): return try word("false") { $0.add(false) }
    case UInt8(ascii: "n"): return try word("null") { $0.addNull() }
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    case UInt8(ascii: "'") where allowsJSON5: return try string()
    case UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "I"), UInt8(ascii: "N"):
      if allowsJSON5 { return try number() }
      throw problem("a JSON value is expected here")
    default: throw problem("a JSON value is expected here")
    }
  }

  private mutating func open(_ container: TextContainer) throws(ArchiveError) -> UInt32? {
    let start = position
    position += 1
    try skipSpace()
    try open(container, at: start)
    if peek() == Self.end(of: container) {
      position += 1
      return closeInnermost(container)
    }
    if container == .dictionary { try key() }
    return nil
  }

  mutating func hasNext(of container: TextContainer) throws(ArchiveError) -> Bool {
    try skipSpace()
    let end = Self.end(of: container)
    if peek() == UInt8(ascii: ",") {
      position += 1
      try skipSpace()
      if !allowsJSON5 || peek() != end {
        if container == .dictionary { try key() }
        return true
      }
    }
    guard peek() == end else {
      state.endsBadly = peek() != nil
      throw problem("',' or '\(Unicode.Scalar(end))' is expected here")
    }
    position += 1
    return false
  }

  mutating func nextPair(of container: TextContainer) throws(ArchiveError) -> Bool {
    try skipSpace()
    try key()
    return true
  }

  /// The last value of a repeated key wins, as in Foundation.
  mutating func close(_ container: TextContainer) -> UInt32 {
    if container == .array { return builder.close() }
    state.repeatedKeys.end(&builder)
    return builder.closeDictionary()
  }

  private mutating func key() throws(ArchiveError) {
    mark()
    let start = position
    builder.isUniquing = true
    if let first = peek(), isJSONQuote(first) {
      builder.append(try string())
    } else if allowsJSON5 {
      builder.append(try identifier())
    } else {
      throw problem("a key in quotes is expected here")
    }
    state.repeatedKeys.add(start)
    try skipSpace()
    guard peek() == UInt8(ascii: ":") else { throw problem("':' must follow the key") }
    position += 1
    builder.isUniquing = !keepsPositions
  }

  // MARK: Bytes

  @inline(__always)
  func isJSONQuote(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || (allowsJSON5 && byte == UInt8(ascii: "'"))
  }

  @inline(__always)
  private mutating func skipSpace() throws(ArchiveError) {
    while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position &+= 1
    }
    if allowsJSON5 { try skipMoreSpace() }
  }
}

// MARK: - The scalars of JSON: words, numbers and strings

extension JSONParser {
  mutating func word(
    _ word: StaticString, _ add: (inout GraphBuilder) -> UInt32
  ) throws(ArchiveError) -> UInt32 {
    guard skips(word) else { throw problem("a JSON value is expected here") }
    return add(&builder)
  }

  /// Skips a word at the position, if it is there.
  mutating func skips(_ word: StaticString) -> Bool {
    guard bytes.part(from: position).starts(with: word) else { return false }
    position += word.utf8CodeUnitCount
    return true
  }

  // MARK: Numbers

  /// The grammar of RFC 8259 section 6; JSON5 adds signs, hexadecimal, lone points and names.
  ///
  /// Integers that 64 bits hold stay integers, all else is a real.
  mutating func number() throws(ArchiveError) -> UInt32 {
    var start = position
    let isNegative = peek() == UInt8(ascii: "-")
    if isNegative {
      position += 1
    } else if allowsJSON5, peek() == UInt8(ascii: "+") {
      position += 1
      start = position
    }
    if allowsJSON5, let special = try special(isNegative: isNegative) { return special }
    let isInteger = try decimal()
    if !isInteger, let real = ShortDecimal.real(bytes.part(start..<position)) {
      return builder.add(real)
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger {
      if let signed = Int64(text) { return builder.add(signed) }
      if let unsigned = UInt64(text) { return builder.add(unsigned: unsigned) }
      // If equal values stay distinct, numbers are kept exactly; otherwise as a real, which every format has.
      if keepsPositions || marksWide, let wide = Int128(text) { return builder.add(wide: wide) }
      // Of one that even 128 bits do not hold it is enough to know that it is one.
      if marksWide { return builder.add(wide: isNegative ? .min : .max) }
    }
    guard let real = Double(text), real.isFinite else {
      throw problem("the number is too large for a real", at: start)
    }
    if isInteger, Int128(exactly: real) == nil || Int128(exactly: real) != Int128(text) {
      warn("the integer has more than 64 bits; it is read as \(real)", at: start)
    }
    return builder.add(real)
  }

  /// Skips a decimal number without its sign.
  ///
  /// - Returns: whether it is an integer.
  private mutating func decimal() throws(ArchiveError) -> Bool {
    var isInteger = true
    let hasWhole = peek() != UInt8(ascii: ".")
    if peek() == UInt8(ascii: "0") {
      position += 1
    } else if hasWhole || !allowsJSON5 {
      try digits()
    }
    if peek() == UInt8(ascii: ".") {
      isInteger = false
      position += 1
      if let next = peek(), isDigit(next) {
        try digits()
      } else if !allowsJSON5 || !hasWhole {
        throw problem("a digit is expected here")
      }
    }
    if let mark = peek(), mark | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      position += 1
      if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") { position += 1 }
      try digits()
    }
    return isInteger
  }

  private mutating func digits() throws(ArchiveError) {
    let start = position
    while let byte = peek(), isDigit(byte) { position &+= 1 }
    guard position > start else { throw problem("a digit is expected here") }
  }

  // MARK: Strings

  mutating func string() throws(ArchiveError) -> UInt32 {
    guard let quote = peek() else { throw problem("a string is expected here") }
    position += 1
    let start = position
    while true {
      skipPlainCharacters(quote)
      guard let byte = peek() else { throw endlessString(from: start) }
      if byte == quote {
        let run = bytes.part(start..<position)
        if run.isASCII {
          position += 1
          return builder.add(ascii: run)
        }
        guard let text = String(validating: run, as: UTF8.self) else {
          throw problem("the string is not valid UTF-8", at: start)
        }
        position += 1
        return builder.add(text)
      }
      if byte == UInt8(ascii: "\\") { return try escapedString(from: start, quote) }
      try check(byte)
      position &+= 1
    }
  }

  /// Steps over characters that need no look, eight at a time: none is a quote, a backslash or a control character.
  @inline(__always)
  private mutating func skipPlainCharacters(_ quote: UInt8) {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = ones &* UInt64(quote)
    let backslashes = ones &* 0x5C
    // The loads are within the text: eight bytes are left.
    while position &+ 8 <= bytes.count {
      let word = bytes.unchecked.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      // The high bit of a byte that is zero, zero or below 32; bytes above such a one may be marked as well.
      let quoted = ((word ^ quotes) &- ones) & ~(word ^ quotes)
      let escaped = ((word ^ backslashes) &- ones) & ~(word ^ backslashes)
      let control = (word &- ones &* 0x20) & ~word
      guard (quoted | escaped | control) & (ones &* 0x80) == 0 else { return }
      position &+= 8
    }
  }

  /// JSON wants control characters escaped, JSON5 only the ends of lines.
  @inline(__always)
  mutating func check(_ byte: UInt8) throws(ArchiveError) {
    guard byte < 0x20 else { return }
    if !allowsJSON5 { throw problem("control characters must be escaped in strings") }
    if byte == 0x0A || byte == 0x0D { throw problem("the string does not end on its line") }
  }

  func endlessString(from start: Int) -> ArchiveError { problem("the string has no end") }

  mutating func escape() throws(ArchiveError) -> UInt16? {
    guard let byte = peek() else { throw problem("the string has no end") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UInt16(byte)
    case UInt8(ascii: "b"): return 0x08
    case UInt8(ascii: "f"): return 0x0C
    case UInt8(ascii: "n"): return 0x0A
    case UInt8(ascii: "r"): return 0x0D
    case UInt8(ascii: "t"): return 0x09
    case UInt8(ascii: "u"): return try hexadecimal(4)
    default:
      if allowsJSON5 { return try tolerantEscape(byte) }
      position -= 1
      throw problem("no such escape")
    }
  }

  /// The code unit of this many hexadecimal digits.
  mutating func hexadecimal(_ count: Int) throws(ArchiveError) -> UInt16 {
    var unit: UInt16 = 0
    for offset in 0..<count {
      guard position + offset < bytes.count, let digit = hexadecimalDigit(bytes[position + offset])
      else {
        throw problem(
          count == 4
            ? "four hexadecimal digits must follow '\\u'"
            : "two hexadecimal digits must follow '\\x'")
      }
      unit = unit << 4 | UInt16(digit)
    }
    position += count
    return unit
  }
}

// MARK: - JSON5: comments, bare keys, more numbers, more escapes, more white space
//
// Facts: the JSON5 specification 1.0.0 (json5.org), and the ECMAScript 5.1 grammar that it refers to.

extension JSONParser {
  // MARK: White space

  /// Skips comments, and the white space that JSON has not.
  mutating func skipMoreSpace() throws(ArchiveError) {
    while let byte = peek() {
      switch byte {
      case 0x20, 0x09...0x0D: position += 1
      case UInt8(ascii: "/"):
        guard try skipComment("the comment has no end") else {
          throw problem("a value or a comment is expected here")
        }
      case 0x80...:
        guard let (character, width) = character(), isSpace(character) else { return }
        position += width
      default: return
      }
    }
  }

  private func isSpace(_ character: Unicode.Scalar) -> Bool {
    switch character.value {
    case 0xA0, 0x2028, 0x2029, 0xFEFF: return true
    default: return character.properties.generalCategory == .spaceSeparator
    }
  }

  /// The character at the position and its number of bytes; nil if it is malformed.
  private func character() -> (Unicode.Scalar, Int)? {
    let width = position < bytes.count ? bytes.characterLength(at: position) : 0
    if width == 0 { return nil }
    return Unicode.Scalar(bytes.character(at: position, width)).map { ($0, width) }
  }

  // MARK: Keys

  /// Reads a key without quotes: an identifier of ECMAScript 5.1, reserved words among them.
  mutating func identifier() throws(ArchiveError) -> UInt32 {
    units.truncate(to: 0)
    while let byte = peek() {
      let start = position
      var width = 1
      var character = Unicode.Scalar(byte)
      if byte == UInt8(ascii: "\\") {
        position += 1
        guard peek() == UInt8(ascii: "u") else { throw problem("'u' must follow '\\' in a key") }
        position += 1
        let unit = try hexadecimal(4)
        guard let escaped = Unicode.Scalar(unit) else {
          throw problem("the escape is not a character of a key without quotes", at: start)
        }
        (character, width) = (escaped, position - start)
        position = start
      } else if byte >= 0x80 {
        guard let (wide, length) = self.character() else {
          throw problem("the key is not valid UTF-8")
        }
        (character, width) = (wide, length)
      }
      guard units.count == 0 ? isStart(character) : isStart(character) || isPart(character) else {
        break
      }
      for unit in UTF16.encode(character) ?? UTF16.encodedReplacementCharacter {
        units.append(bigEndian: UInt64(unit), width: 2)
      }
      position += width
    }
    guard units.count > 0 else { throw problem("a key is expected here") }
    return addUnits()
  }

  private func isStart(_ character: Unicode.Scalar) -> Bool {
    switch character {
    case "a"..."z", "A"..."Z", "$", "_": return true
    default: break
    }
    guard character.value >= 0x80 else { return false }
    switch character.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .letterNumber:
      return true
    default: return false
    }
  }

  /// What may follow the first character beside its like.
  private func isPart(_ character: Unicode.Scalar) -> Bool {
    if character.value == 0x200C || character.value == 0x200D { return true }
    switch character.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation: return true
    default: return false
    }
  }

  // MARK: Numbers

  /// Reads `Infinity`, `NaN` or a hexadecimal integer after a sign; nil if a decimal number follows.
  mutating func special(isNegative: Bool) throws(ArchiveError) -> UInt32? {
    switch peek() {
    case UInt8(ascii: "I") where skips("Infinity"):
      return builder.add(isNegative ? -Double.infinity : Double.infinity)
    case UInt8(ascii: "N") where skips("NaN"): return builder.add(Double.nan)
    case UInt8(ascii: "0"):
      guard position + 1 < bytes.count, bytes[position + 1] | 0x20 == UInt8(ascii: "x") else {
        return nil
      }
      position += 2
      return try hexadecimalInteger(isNegative: isNegative)
    default: return nil
    }
  }

  private mutating func hexadecimalInteger(isNegative: Bool) throws(ArchiveError) -> UInt32 {
    let start = position
    while let byte = peek(), hexadecimalDigit(byte) != nil { position &+= 1 }
    guard position > start else { throw problem("a hexadecimal digit is expected here") }
    let digits = String(decoding: bytes[start..<position], as: UTF8.self)
    let signed = (isNegative ? "-" : "") + digits
    if let number = Int64(signed, radix: 16) { return builder.add(number) }
    if !isNegative, let number = UInt64(digits, radix: 16) { return builder.add(unsigned: number) }
    guard let real = Double("0x\(digits)p0"), real.isFinite else {
      throw problem("the number is too large for a real", at: start)
    }
    return builder.add(isNegative ? -real : real)
  }

  // MARK: Strings

  /// Reads the rest of an escape that JSON does not have.
  private mutating func tolerantEscape(_ byte: UInt8) throws(ArchiveError) -> UInt16? {
    switch byte {
    case UInt8(ascii: "v"): return 0x0B
    case UInt8(ascii: "x"): return try hexadecimal(2)
    case UInt8(ascii: "0"):
      guard let next = peek(), isDigit(next) else { return 0 }
      throw problem("no digit may follow '\\0'")
    case UInt8(ascii: "1")...UInt8(ascii: "9"):
      throw problem("no such escape", at: position - 1)
    case 0x0A: return nil
    case 0x0D:
      if peek() == 0x0A { position += 1 }
      return nil
    case 0x80...:
      // The character itself, as part of the run that follows, but for the ends of lines.
      position -= 1
      if let (character, width) = character(), [0x2028, 0x2029].contains(character.value) {
        position += width
      }
      return nil
    default: return UInt16(byte)
    }
  }
}
