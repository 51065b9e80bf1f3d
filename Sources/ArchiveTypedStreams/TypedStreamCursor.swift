// The bytes of a typedstream: heads, integers of several widths, reals, strings.
//
// Format facts: python-typedstream, stream.py; the int64 head is crabstep's.

import ArchiveBasics

/// Bytes with a special meaning where a value may begin, as signed numbers.
enum Head {
  /// A 16-bit integer follows.
  static let short: Int8 = -127
  /// A 32-bit integer follows.
  static let long: Int8 = -126
  /// A real follows in its own bytes.
  static let real: Int8 = -125
  /// Something new follows.
  static let new: Int8 = -124
  /// Nothing: nil.
  static let null: Int8 = -123
  /// The object ends.
  static let end: Int8 = -122
  /// A 64-bit integer follows.
  static let wide: Int8 = -121
  /// The lowest byte that is a number, not a head.
  static let lowestNumber: Int8 = -110
  /// The offset of references.
  static let firstReference = -110
}

/// Reads a typedstream front to back.
struct TypedStreamCursor {
  let bytes: ByteView
  var position = 0
  var isBigEndian = false

  init(_ bytes: ByteView) { self.bytes = bytes }

  var isAtEnd: Bool { position == bytes.count }
  var remaining: Int { bytes.count - position }
  var rest: ByteView { bytes.part(from: position) }

  mutating func read(_ count: Int, for what: String) throws(ArchiveError) -> ByteView {
    guard count >= 0, count <= remaining else {
      throw ArchiveError(
        .truncated,
        "\(what) needs \(Counted.text(count, "byte")), but only \(remaining) are left",
        offset: position
      )
    }
    let found = bytes.part(position..<position + count)
    position += count
    return found
  }

  mutating func characters(_ head: Int8) throws(ArchiveError) -> ByteView {
    try read(length(head, for: "a string"), for: "a string")
  }

  @inline(__always)
  mutating func byte(for what: String) throws(ArchiveError) -> UInt8 {
    guard let byte = bytes.byte(at: position) else { return try read(1, for: what)[0] }
    position &+= 1
    return byte
  }

  @inline(__always)
  mutating func head(for what: String) throws(ArchiveError) -> Int8 {
    Int8(bitPattern: try byte(for: what))
  }

  /// A fixed number of bytes as a number in the stream's byte order.
  mutating func number(_ width: Int, for what: String) throws(ArchiveError) -> UInt64 {
    let raw = try read(width, for: what)
    var value: UInt64 = 0
    for byte in raw { value = value << 8 | UInt64(byte) }
    return isBigEndian ? value : value.byteSwapped >> UInt64(64 - 8 * width)
  }

  /// An integer whose head was not read yet.
  mutating func integer(for what: String) throws(ArchiveError) -> Int64 {
    try integer(head(for: what), for: what)
  }

  /// An integer after its head.
  @inline(__always)
  mutating func integer(_ head: Int8, for what: String) throws(ArchiveError) -> Int64 {
    if head >= Head.lowestNumber { return Int64(head) }
    return try longInteger(head, for: what)
  }

  private mutating func longInteger(_ head: Int8, for what: String) throws(ArchiveError) -> Int64 {
    switch head {
    case Head.short:
      return Int64(Int16(truncatingIfNeeded: try number(2, for: what)))
    case Head.long:
      return Int64(Int32(truncatingIfNeeded: try number(4, for: what)))
    case Head.wide: return Int64(bitPattern: try number(8, for: what))
    default:
      throw ArchiveError(
        .malformed, "\(what) must be an integer, found head byte 0x\(Self.text(head))",
        offset: position - 1)
    }
  }

  /// An unsigned integer after its head: the bits of its own width, without a sign.
  mutating func unsigned(_ head: Int8, for what: String) throws(ArchiveError) -> UInt64 {
    let bits = UInt64(bitPattern: try integer(head, for: what))
    switch head {
    case Head.short: return bits & 0xFFFF
    case Head.long: return bits & 0xFFFF_FFFF
    case Head.wide: return bits
    default: return bits & 0xFF
    }
  }

  /// A count of bytes or characters.
  mutating func length(_ head: Int8, for what: String) throws(ArchiveError) -> Int {
    let start = position - 1
    let length = try unsigned(head, for: what)
    guard length <= UInt64(remaining) else {
      throw ArchiveError(
        .truncated, "\(what) has the length \(length), but only \(remaining) bytes are left",
        offset: start)
    }
    return Int(length)
  }

  /// A number of a table after its head.
  @inline(__always)
  mutating func reference(_ head: Int8, for what: String) throws(ArchiveError) -> Int {
    if head >= Head.lowestNumber { return Int(head) &- Head.firstReference }
    return try longReference(head, for: what)
  }

  private mutating func longReference(_ head: Int8, for what: String) throws(ArchiveError) -> Int {
    let start = position - 1
    let (number, overflow) = try integer(head, for: what).subtractingReportingOverflow(
      Int64(Head.firstReference))
    guard !overflow, let reference = Int(exactly: number) else {
      throw ArchiveError(
        .dangling, "a reference for \(what) is beyond all tables", offset: start)
    }
    return reference
  }

  /// A real: its own bytes, or an integer where it is whole.
  mutating func real(_ width: Int, for what: String) throws(ArchiveError) -> Double {
    let head = try head(for: what)
    guard head == Head.real else { return Double(try integer(head, for: what)) }
    let bits = try number(width, for: what)
    return width == 4
      ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits)
  }

  static func text(_ head: Int8) -> String { hexadecimal(UInt8(bitPattern: head)) }
}
