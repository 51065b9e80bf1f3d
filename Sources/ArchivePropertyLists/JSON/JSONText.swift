// The texts of JSON scalars: strings with their escapes, numbers, dates.

import ArchiveBasics
import ArchiveGraph

/// Appends JSON scalars to a buffer.
package enum JSONText {
  /// Appends a string in quotes.
  ///
  /// Control characters, marks of direction, separators of lines and lone surrogates are escaped, all else is UTF-8.
  package static func append(_ text: Text, to output: inout ByteBuffer) {
    if text.form != .utf16, text.bytes.haveNone(of: { $0.bytesSpecialToJSON }) {
      let pointer = output.reserve(text.byteCount &+ 2)
      pointer.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
      (pointer + 1).copyMemory(from: text.base, byteCount: text.byteCount)
      pointer.storeBytes(of: UInt8(ascii: "\""), toByteOffset: text.byteCount &+ 1, as: UInt8.self)
      return output.filled(text.byteCount &+ 2)
    }
    output.append(UInt8(ascii: "\""))
    switch text.form {
    case .utf16: appendUTF16(text, to: &output)
    case .ascii where !text.isSevenBit: append(utf8: text.string, to: &output)
    default: appendBytes(text.bytes, to: &output)
    }
    output.append(UInt8(ascii: "\""))
  }

  /// Appends a string in quotes.
  package static func append(_ string: String, to output: inout ByteBuffer) {
    output.append(UInt8(ascii: "\""))
    append(utf8: string, to: &output)
    output.append(UInt8(ascii: "\""))
  }

  private static func append(utf8 string: String, to output: inout ByteBuffer) {
    var string = string
    string.withByteView { appendBytes($0, to: &output) }
  }

  /// Copies runs that need no escape whole.
  private static func appendBytes(_ bytes: ByteView, to output: inout ByteBuffer) {
    var start = 0
    var position = 0
    while position < bytes.count {
      if position &+ 8 <= bytes.count,
        bytes.unchecked.loadUnaligned(fromByteOffset: position, as: UInt64.self)
          .bytesSpecialToJSON == 0
      {
        position &+= 8
        continue
      }
      let byte = bytes[position]
      if byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") && byte != 0x7F {
        guard byte >= 0xC2, let scalar = obeyed(bytes, at: position) else {
          position &+= 1
          continue
        }
        output.append(bytes.part(start..<position))
        appendEscape(scalar, to: &output)
        position &+= scalar.value < 0x800 ? 2 : scalar.value < 0x10000 ? 3 : 4
        start = position
        continue
      }
      output.append(bytes.part(start..<position))
      appendEscape(UInt16(byte), to: &output)
      position &+= 1
      start = position
    }
    output.append(bytes.part(start..<position))
  }

  /// The character at a position of UTF-8, if terminals obey it; those have two or three bytes, or four as tags.
  @inline(__always)
  private static func obeyed(_ bytes: ByteView, at position: Int) -> Unicode.Scalar? {
    switch bytes[position] {
    case 0xC2, 0xD8, 0xE2, 0xF3:
      let length = bytes.characterLength(at: position)
      let character = length == 0 ? 0xFFFD : bytes.character(at: position, length)
      return Unicode.Scalar(character).flatMap { $0.isObeyed ? $0 : nil }
    default: return nil
    }
  }

  private static func appendEscape(_ scalar: Unicode.Scalar, to output: inout ByteBuffer) {
    for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
      appendEscape(unit, to: &output)
    }
  }

  private static func appendUTF16(_ text: Text, to output: inout ByteBuffer) {
    var position = 0
    while let unit = text.unit(at: position) {
      position += 1
      if unit < 0x80 {
        if unit < 0x20 || unit == 0x22 || unit == 0x5C || unit == 0x7F {
          appendEscape(unit, to: &output)
        } else {
          output.append(UInt8(unit))
        }
        continue
      }
      var character = Unicode.Scalar(unit)
      if UTF16.isLeadSurrogate(unit), let second = text.unit(at: position),
        UTF16.isTrailSurrogate(second)
      {
        position += 1
        character = joined(unit, second)
      }
      guard let character else {
        appendEscape(unit, to: &output)
        continue
      }
      if character.isObeyed {
        appendEscape(character, to: &output)
        continue
      }
      output.append(utf8: character)
    }
  }

  private static func appendEscape(_ unit: UInt16, to output: inout ByteBuffer) {
    output.append(UInt8(ascii: "\\"))
    switch unit {
    case 0x22, 0x5C: output.append(UInt8(unit))
    case 0x08: output.append(UInt8(ascii: "b"))
    case 0x09: output.append(UInt8(ascii: "t"))
    case 0x0A: output.append(UInt8(ascii: "n"))
    case 0x0C: output.append(UInt8(ascii: "f"))
    case 0x0D: output.append(UInt8(ascii: "r"))
    default:
      output.append(UInt8(ascii: "u"))
      output.append(hexadecimal(UInt8(unit >> 8)))
      output.append(hexadecimal(UInt8(unit & 0xFF)))
    }
  }

  /// Appends an integer.
  package static func append(_ number: Int64, to output: inout ByteBuffer) {
    if number < 0 { output.append(UInt8(ascii: "-")) }
    append(number.magnitude, to: &output)
  }

  /// Appends an unsigned integer.
  package static func append(_ number: UInt64, to output: inout ByteBuffer) {
    var rest = number
    var digits = 1
    while rest >= 10 {
      rest /= 10
      digits &+= 1
    }
    let pointer = output.reserve(digits)
    rest = number
    for position in stride(from: digits &- 1, through: 0, by: -1) {
      pointer.storeBytes(
        of: UInt8(ascii: "0") &+ UInt8(rest % 10), toByteOffset: position, as: UInt8.self)
      rest /= 10
    }
    output.filled(digits)
  }

  /// Appends a real in its shortest notation that reads back the same; NaN and infinities as strings.
  package static func append(_ number: Double, to output: inout ByteBuffer) {
    if number.isFinite {
      output.append(number.description)
    } else {
      output.append(UInt8(ascii: "\""))
      output.append(name(ofNonFinite: number))
      output.append(UInt8(ascii: "\""))
    }
  }

  /// The text of a date: ISO 8601, or the name of a value that is not a date.
  package static func date(_ seconds: Double, in zone: DateZone = .utc) -> String {
    zone.text(of: seconds)
      ?? (seconds.isFinite
        ? "\(seconds) seconds from 2001-01-01T00:00:00Z" : name(ofNonFinite: seconds))
  }

  /// `NaN`, `Infinity` or `-Infinity`.
  package static func name(ofNonFinite number: Double) -> String {
    number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity"
  }
}

extension ByteView {
  /// Whether none of the bytes is special, as almost no text has any.
  ///
  /// - Parameter special: not zero if one of eight bytes is; spaces are not.
  @inline(__always)
  func haveNone(of special: (UInt64) -> UInt64) -> Bool {
    if count >= 8 {
      // The last word overlaps the one before it, so all loads are within the bytes.
      let bytes = unchecked
      var found = special(bytes.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self))
      var position = 0
      while position < count &- 8 {
        found |= special(bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
        position &+= 8
      }
      return found == 0
    }
    var word: UInt64 = 0x2020_2020_2020_2020
    for byte in self { word = word << 8 | UInt64(byte) }
    return special(word) == 0
  }
}

extension UInt64 {
  /// Not zero if one of eight bytes is a quote, a backslash, a control character, or above 0x7E.
  @inline(__always)
  fileprivate var bytesSpecialToJSON: UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = self ^ (ones &* 0x22)
    let backslashes = self ^ (ones &* 0x5C)
    let deletes = self ^ (ones &* 0x7F)
    let zeros =
      ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes)
      | ((deletes &- ones) & ~deletes)
    return (zeros | ((self &- ones &* 0x20) & ~self) | self) & (ones &* 0x80)
  }
}
