// XML property lists as Apple's own writer lays them out: tabs, a line an element, Base64 in short lines.
//
// Layout facts: CoreFoundation, CFPropertyList.c (_CFAppendXML0); the document type is PropertyList-1.0.dtd.

import ArchiveBasics
import ArchiveGraph

struct XMLSyntax: TreeSyntax {
  private static let lineLength = 76
  private static let tabWidth = 8

  /// Whether characters that XML 1.0 forbids are written as they are.
  let keepsControlCharacters: Bool
  /// How many dates lost a fraction of a second.
  private(set) var fractions = 0

  init(keepsControlCharacters: Bool) { self.keepsControlCharacters = keepsControlCharacters }

  var name: String { "an XML property list" }

  func refusal(of kind: ContainerKind) -> ArchiveError? { unrepresentable("a set") }

  /// Negative numbers and those above `Int64.max` are not UIDs.
  @inline(__always)
  func examine(_ dictionary: UInt32, in table: ValueTable) throws(ArchiveError) {
    try refuseLikeUID(dictionary, in: table) { value in
      if case .integer(let number) = value { return number >= 0 }
      return false
    }
  }

  @inline(__always)
  func brackets(of kind: ContainerKind) -> ContainerBrackets {
    kind == .dictionary
      ? .init("<dict>", "</dict>", "<dict/>") : .init("<array>", "</array>", "<array/>")
  }

  @inline(__always)
  func line(_ depth: Int, to output: inout ByteBuffer) {
    output.appendLine(indentedBy: depth, of: UInt8(ascii: "\t"))
  }

  func key(_ text: Text, depth: Int, to output: inout ByteBuffer) throws(ArchiveError) {
    output.append(contentsOf: "<key>")
    try XMLText.append(text, keeping: keepsControlCharacters, to: &output)
    output.append(contentsOf: "</key>")
    line(depth, to: &output)
  }

  @inline(__always)
  mutating func scalar(_ value: Value, depth: Int, to output: inout ByteBuffer) throws(ArchiveError)
  {
    switch value {
    case .string(let text):
      output.append(contentsOf: "<string>")
      try XMLText.append(text, keeping: keepsControlCharacters, to: &output)
      output.append(contentsOf: "</string>")
    case .integer(let number):
      output.append(contentsOf: "<integer>")
      JSONText.append(number, to: &output)
      output.append(contentsOf: "</integer>")
    case .unsigned(let number):
      output.append(contentsOf: "<integer>")
      JSONText.append(number, to: &output)
      output.append(contentsOf: "</integer>")
    case .wide(let number): throw unrepresentable("the integer \(number)")
    case .real(let number): real(number, to: &output)
    case .single(let number): real(Double(number), to: &output)
    case .boolean(let flag): output.append(contentsOf: flag ? "<true/>" : "<false/>")
    case .date(let seconds): try date(seconds, to: &output)
    case .data(let bytes): data(bytes, depth: depth, to: &output)
    case .uid(let number): try uid(number, depth: depth, to: &output)
    default: throw unrepresentable("null")
    }
  }

  // MARK: Scalars

  private func real(_ number: Double, to output: inout ByteBuffer) {
    output.append(contentsOf: "<real>")
    if number.isNaN {
      output.append(contentsOf: "nan")
    } else if number.isInfinite {
      output.append(contentsOf: number < 0 ? "-infinity" : "+infinity")
    } else {
      output.append(number.description)
    }
    output.append(contentsOf: "</real>")
  }

  private mutating func date(_ seconds: Double, to output: inout ByteBuffer) throws(ArchiveError) {
    let whole = seconds.rounded(.down)
    guard let timestamp = Timestamp(secondsFromReference: whole), abs(timestamp.year) <= 999_999_999
    else { throw unrepresentable("the date \(seconds) seconds from 2001") }
    if whole != seconds { fractions += 1 }
    output.append(contentsOf: "<date>")
    timestamp.append(to: &output)
    output.append(contentsOf: "</date>")
  }

  private func data(_ bytes: ByteView, depth: Int, to output: inout ByteBuffer) {
    output.append(contentsOf: "<data>")
    line(depth, to: &output)
    let length = max(Self.lineLength - Self.tabWidth * min(depth, 8), 4)
    let step = length / 4 * 3
    var start = 0
    while start < bytes.count {
      let end = min(start + step, bytes.count)
      Base64.encode(bytes.part(start..<end), to: &output)
      line(depth, to: &output)
      start = end
    }
    output.append(contentsOf: "</data>")
  }

  private func uid(
    _ number: UInt64, depth: Int, to output: inout ByteBuffer
  ) throws(ArchiveError) {
    // A greater number is read back as a dictionary: as an integer, it has no sign bit to spare.
    guard number <= UInt64(Int64.max) else { throw unrepresentable("the UID \(number)") }
    output.append(contentsOf: "<dict>")
    line(depth + 1, to: &output)
    output.append(contentsOf: "<key>CF$UID</key>")
    line(depth + 1, to: &output)
    output.append(contentsOf: "<integer>")
    JSONText.append(number, to: &output)
    output.append(contentsOf: "</integer>")
    line(depth, to: &output)
    output.append(contentsOf: "</dict>")
  }
}

// MARK: - Character data of XML 1.0: the allowed characters, and those that must be escaped

enum XMLText {
  /// Appends a string.
  ///
  /// - Parameter keeping: whether characters that XML 1.0 forbids are appended as they are.
  /// - Throws: `ArchiveError` with code `unrepresentable` if XML 1.0 has not one of its characters.
  static func append(
    _ text: Text, keeping: Bool, to output: inout ByteBuffer
  ) throws(ArchiveError) {
    switch text.form {
    case .utf16: try appendUTF16(text, keeping, to: &output)
    case .ascii where text.bytes.haveNone(of: { $0.bytesSpecialToXML }): output.append(text.bytes)
    case .ascii where !text.isSevenBit:
      var bytes = ByteBuffer()
      bytes.append(text.string)
      try appendUTF8(bytes.bytes, keeping, to: &output)
    default: try appendUTF8(text.bytes, keeping, to: &output)
    }
  }

  /// Copies runs that need no escape whole.
  private static func appendUTF8(
    _ bytes: ByteView, _ keeping: Bool, to output: inout ByteBuffer
  ) throws(ArchiveError) {
    var start = 0
    var position = 0
    while position < bytes.count {
      if position &+ 8 <= bytes.count,
        bytes.unchecked.loadUnaligned(fromByteOffset: position, as: UInt64.self)
          .bytesSpecialToXML == 0
      {
        position &+= 8
        continue
      }
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\r"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"):
        output.append(bytes.part(start..<position))
        appendEscape(byte, to: &output)
        start = position &+ 1
      case 0x09, 0x0A: break
      case 0..<0x20 where !keeping: throw forbidden(UInt16(byte))
      // The first byte of U+FFFE and U+FFFF, among others.
      case 0xEF where !keeping && isNoncharacter(bytes, position): throw forbidden(0xFFFE)
      default: break
      }
      position &+= 1
    }
    output.append(bytes.part(from: start))
  }

  private static func isNoncharacter(_ bytes: ByteView, _ position: Int) -> Bool {
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
      case 0xD800..<0xE000:
        guard UTF16.isLeadSurrogate(unit), let second = text.unit(at: position),
          UTF16.isTrailSurrogate(second), let character = joined(unit, second)
        else { throw forbidden(unit) }
        position &+= 1
        output.append(utf8: character)
      default:
        guard let character = Unicode.Scalar(unit) else { throw forbidden(unit) }
        output.append(utf8: character)
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
