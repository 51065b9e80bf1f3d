// Character data of XML 1.0: the allowed characters, and those that must be escaped.

import Basics
import ObjectGraph

/// Appends strings as XML character data.
enum XMLText {
  /// The meaning of a byte of UTF-8 for the writer.
  private enum Meaning {
    static let plain: UInt8 = 0
    static let escaped: UInt8 = 1
    static let forbidden: UInt8 = 2
    /// The first byte of U+FFFE and U+FFFF, among others.
    static let suspicious: UInt8 = 3
  }

  private static let meanings: [UInt8] = {
    var meanings = [UInt8](repeating: Meaning.plain, count: 256)
    for control in 0..<0x20 { meanings[control] = Meaning.forbidden }
    meanings[0x09] = Meaning.plain
    meanings[0x0A] = Meaning.plain
    for character in "\r<>&".utf8 { meanings[Int(character)] = Meaning.escaped }
    meanings[0xEF] = Meaning.suspicious
    return meanings
  }()

  /// Appends a string.
  ///
  /// - Parameter keeping: whether characters that XML 1.0 forbids are appended as they are.
  /// - Throws: `ArchiveError` with code `unrepresentable` if XML 1.0 has not one of its characters.
  static func append(
    _ text: Text, keeping: Bool, to output: inout ByteBuffer
  ) throws(ArchiveError) {
    switch text.form {
    case .utf16: try appendUTF16(text, keeping, to: &output)
    case .ascii where isPlain(text.bytes): output.append(text.bytes)
    case .ascii where !text.isSevenBit:
      var string = text.string
      try withBytes(of: &string) { (bytes) throws(ArchiveError) in
        try appendUTF8(bytes, keeping, to: &output)
      }
    default: try appendUTF8(text.bytes, keeping, to: &output)
    }
  }

  /// Whether all bytes are below 0x80 and none is escaped or forbidden; false also for some texts with tabs or newlines.
  @inline(__always)
  private static func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var position = 0
    while position &+ 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      if word.bytesSpecialToXML != 0 { return false }
      position &+= 8
    }
    // What is left, behind bytes that mean nothing.
    var word: UInt64 = 0x2020_2020_2020_2020
    while position < bytes.count {
      word = word << 8 | UInt64(bytes[position])
      position &+= 1
    }
    return word.bytesSpecialToXML == 0
  }

  private static func withBytes(
    of string: inout String, _ body: (UnsafeRawBufferPointer) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    let result: Result<Void, ArchiveError> = string.withUTF8 { utf8 in
      do throws(ArchiveError) {
        return .success(try body(UnsafeRawBufferPointer(utf8)))
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  /// Copies runs that need no escape whole.
  private static func appendUTF8(
    _ bytes: UnsafeRawBufferPointer, _ keeping: Bool, to output: inout ByteBuffer
  ) throws(ArchiveError) {
    let problem = meanings.withUnsafeBufferPointer { meanings -> Int? in
      var start = 0
      var position = 0
      while position < bytes.count {
        if position &+ 8 <= bytes.count,
          bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self).bytesSpecialToXML == 0
        {
          position &+= 8
          continue
        }
        let meaning = meanings[Int(bytes[position])]
        if meaning == Meaning.plain
          || meaning == Meaning.suspicious && !isNoncharacter(bytes, position)
          || keeping && meaning != Meaning.escaped
        {
          position &+= 1
          continue
        }
        guard meaning == Meaning.escaped else { return position }
        output.append(UnsafeRawBufferPointer(rebasing: bytes[start..<position]))
        appendEscape(bytes[position], to: &output)
        position &+= 1
        start = position
      }
      output.append(UnsafeRawBufferPointer(rebasing: bytes[start...]))
      return nil
    }
    if let problem {
      throw forbidden(bytes[problem] == 0xEF ? 0xFFFE : UInt16(bytes[problem]))
    }
  }

  private static func isNoncharacter(_ bytes: UnsafeRawBufferPointer, _ position: Int) -> Bool {
    position + 2 < bytes.count && bytes[position + 1] == 0xBF && bytes[position + 2] >= 0xBE
  }

  private static func appendUTF16(
    _ text: Text, _ keeping: Bool, to output: inout ByteBuffer
  ) throws(ArchiveError) {
    var position = 0
    while let unit = text.unit(at: position) {
      position &+= 1
      switch unit {
      case 0x09, 0x0A: output.append(UInt8(unit))
      case 0x0D, 0x26, 0x3C, 0x3E: appendEscape(UInt8(unit), to: &output)
      case 0..<0x20 where !keeping, 0xFFFE where !keeping, 0xFFFF where !keeping:
        throw forbidden(unit)
      case 0..<0x80: output.append(UInt8(unit))
      case 0x80..<0x800:
        output.append(UInt8(0xC0 | unit >> 6))
        output.append(UInt8(0x80 | unit & 0x3F))
      case 0xD800..<0xE000:
        guard UTF16.isLeadSurrogate(unit), let second = text.unit(at: position),
          UTF16.isTrailSurrogate(second)
        else { throw forbidden(unit) }
        position &+= 1
        let scalar = 0x10000 + (UInt32(unit) & 0x3FF) << 10 + UInt32(second) & 0x3FF
        output.append(UInt8(0xF0 | scalar >> 18))
        output.append(UInt8(0x80 | scalar >> 12 & 0x3F))
        output.append(UInt8(0x80 | scalar >> 6 & 0x3F))
        output.append(UInt8(0x80 | scalar & 0x3F))
      default:
        output.append(UInt8(0xE0 | unit >> 12))
        output.append(UInt8(0x80 | unit >> 6 & 0x3F))
        output.append(UInt8(0x80 | unit & 0x3F))
      }
    }
  }

  /// The predefined entities; a carriage return by its number, since XML readers make newlines of them.
  private static func appendEscape(_ byte: UInt8, to output: inout ByteBuffer) {
    switch byte {
    case UInt8(ascii: "<"): output.append(contentsOf: "&lt;")
    case UInt8(ascii: ">"): output.append(contentsOf: "&gt;")
    case UInt8(ascii: "&"): output.append(contentsOf: "&amp;")
    default: output.append(contentsOf: "&#13;")
    }
  }

  @inline(never)
  private static func forbidden(_ unit: UInt16) -> ArchiveError {
    let digits = String(unit, radix: 16, width: 4, uppercase: true)
    return ArchiveError(
      .unrepresentable, "XML 1.0 has no character U+\(digits), which the string contains")
  }
}

// MARK: - Eight bytes of XML text looked at together

extension UInt64 {
  /// A high bit in the lowest byte that is `<`, `>`, `&`, below 0x20 or above 0x7F; zero if none is.
  ///
  /// Bytes above the lowest may have one by the borrow of a subtraction.
  @inline(__always)
  var bytesSpecialToXML: UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    // `<` and `>` differ in one bit.
    let angles = (self | ones &* 0x02) ^ (ones &* 0x3E)
    let ampersands = self ^ (ones &* 0x26)
    let zeros = ((angles &- ones) & ~angles) | ((ampersands &- ones) & ~ampersands)
    return (zeros | ((self &- ones &* 0x20) & ~self) | self) & (ones &* 0x80)
  }
}
