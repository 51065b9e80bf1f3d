// What JSON5 has and JSON has not: comments, bare keys, more numbers, more escapes, more white space.
//
// Facts: the JSON5 specification 1.0.0 (json5.org), and the ECMAScript 5.1 grammar that it refers to.

import Basics
import ObjectGraph

extension JSONParser {
  // MARK: White space

  /// Skips comments, and the white space that JSON has not.
  mutating func skipMoreSpace() throws(ArchiveError) {
    while let byte = peek() {
      switch byte {
      case 0x20, 0x09...0x0D: position += 1
      case UInt8(ascii: "/"): try skipComment()
      case 0x80...:
        guard let (character, width) = character(), isSpace(character) else { return }
        position += width
      default: return
      }
    }
  }

  private mutating func skipComment() throws(ArchiveError) {
    let start = position
    switch position + 1 < bytes.count ? bytes[position + 1] : 0 {
    case UInt8(ascii: "/"):
      while let byte = peek(), byte != 0x0A, byte != 0x0D {
        if byte == 0xE2, let (character, _) = character(), isLineEnd(character) { return }
        position += 1
      }
    case UInt8(ascii: "*"):
      position += 2
      while position + 1 < bytes.count {
        if bytes[position] == UInt8(ascii: "*"), bytes[position + 1] == UInt8(ascii: "/") {
          position += 2
          return
        }
        position += 1
      }
      position = bytes.count
      throw problem("the comment has no end", at: start)
    default: throw problem("a value or a comment is expected here")
    }
  }

  private func isSpace(_ character: Unicode.Scalar) -> Bool {
    switch character.value {
    case 0xA0, 0x2028, 0x2029, 0xFEFF: return true
    default: return character.properties.generalCategory == .spaceSeparator
    }
  }

  private func isLineEnd(_ character: Unicode.Scalar) -> Bool {
    character.value == 0x2028 || character.value == 0x2029
  }

  /// The character at the position and its number of bytes; nil if it is malformed.
  private func character() -> (Unicode.Scalar, Int)? {
    guard let first = peek() else { return nil }
    let width = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    guard position + width <= bytes.count,
      let text = String(validating: bytes[position..<(position + width)], as: UTF8.self),
      let character = text.unicodeScalars.first
    else { return nil }
    return (character, width)
  }

  // MARK: Keys

  /// Reads a key without quotes: an identifier of ECMAScript 5.1, reserved words among them.
  mutating func identifier() throws(ArchiveError) -> UInt32 {
    var units: [UInt16] = []
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
      guard units.isEmpty ? isStart(character) : isStart(character) || isPart(character) else {
        break
      }
      units.append(contentsOf: UTF16.encode(character) ?? UTF16.encodedReplacementCharacter)
      position += width
    }
    guard !units.isEmpty else { throw problem("a key is expected here") }
    return add(units)
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

  /// Reads the rest of an escape; nil for the end of a line, after which the string continues.
  mutating func tolerantEscape() throws(ArchiveError) -> UInt16? {
    guard let byte = peek() else { throw problem("the string has no end") }
    position += 1
    switch byte {
    case UInt8(ascii: "b"): return 0x08
    case UInt8(ascii: "t"): return 0x09
    case UInt8(ascii: "n"): return 0x0A
    case UInt8(ascii: "v"): return 0x0B
    case UInt8(ascii: "f"): return 0x0C
    case UInt8(ascii: "r"): return 0x0D
    case UInt8(ascii: "u"): return try hexadecimal(4)
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
      if let (character, width) = character(), isLineEnd(character) { position += width }
      return nil
    default: return UInt16(byte)
    }
  }
}
