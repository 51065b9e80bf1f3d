// The texts of XML property list scalars: integers, reals and dates, by CoreFoundation's rules
// (CFPropertyList.c), each an exact parse of the whole text.
//
// On bytes, because a text of many megabytes contains millions of them.

import ArchiveBasics
internal import CLibXML2

enum XMLInteger: Equatable {
  case signed(Int64)
  case unsigned(UInt64)

  /// Parses decimal or `0x` hexadecimal with an optional sign; nil if it is malformed or does not fit 64 bits.
  init?(_ bytes: ByteView) {
    var digits = trimmed(bytes)
    let sign = digits.first
    let isNegative = sign == UInt8(ascii: "-")
    if isNegative || sign == UInt8(ascii: "+") {
      digits = digits.part(from: 1)
      while let first = digits.first, isSpace(first) { digits = digits.part(from: 1) }
    }
    var radix: UInt64 = 10
    if digits.count > 2, digits[0] == UInt8(ascii: "0"), digits[1] | 0x20 == UInt8(ascii: "x") {
      radix = 16
      digits = digits.part(from: 2)
    }
    guard let magnitude = Self.magnitude(digits, radix) else { return nil }
    if !isNegative {
      self = Int64(exactly: magnitude).map { .signed($0) } ?? .unsigned(magnitude)
    } else {
      guard magnitude <= UInt64(Int64.max) + 1 else { return nil }
      self = .signed(Int64(truncatingIfNeeded: 0 &- magnitude))
    }
  }

  private static func magnitude(_ digits: ByteView, _ radix: UInt64) -> UInt64? {
    guard !digits.isEmpty else { return nil }
    var number: UInt64 = 0
    for byte in digits {
      guard let digit = hexadecimalDigit(byte), UInt64(digit) < radix else { return nil }
      let (product, overflow) = number.multipliedReportingOverflow(by: radix)
      let (sum, overflow2) = product.addingReportingOverflow(UInt64(digit))
      if overflow || overflow2 { return nil }
      number = sum
    }
    return number
  }
}

/// Parses a real: decimal with an optional exponent, `nan`, `inf` or `infinity` in any case.
func xmlReal(_ bytes: ByteView) -> Double? {
  let word = trimmed(bytes)
  if let number = ShortDecimal.real(word) { return number }
  let text = String(decoding: word, as: UTF8.self)
  let isDecimal = word.allSatisfy {
    isDigit($0) || $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e")
      || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+")
  }
  if isDecimal { return Double(text) }
  switch text.lowercased() {
  case "nan": return .nan
  case "inf", "+inf", "infinity", "+infinity": return .infinity
  case "-inf", "-infinity": return -.infinity
  default: return nil
  }
}

/// Parses `[-]Y…-MM-DDThh:mm:ssZ` into seconds from 2001-01-01T00:00:00Z; the year has 1 to 9 digits.
func xmlDate(_ bytes: ByteView) -> Double? {
  var rest = trimmed(bytes)
  let isNegative = rest.first == UInt8(ascii: "-")
  if isNegative { rest = rest.part(from: 1) }
  let digits = rest.prefix { isDigit($0) }
  // What follows the year always takes as many bytes.
  guard (1...9).contains(digits.count), rest.count == digits.count + 16 else { return nil }
  let year = digits.reduce(0) { $0 * 10 + Int($1 & 0x0F) }
  var location = digits.endIndex
  func field(after mark: Unicode.Scalar) -> Int? {
    guard rest[location] == UInt8(ascii: mark), isDigit(rest[location + 1]),
      isDigit(rest[location + 2])
    else { return nil }
    location += 3
    return Int(rest[location - 2] & 0x0F) * 10 + Int(rest[location - 1] & 0x0F)
  }
  guard let month = field(after: "-"), let day = field(after: "-"), let hour = field(after: "T"),
    let minute = field(after: ":"), let second = field(after: ":")
  else { return nil }
  guard rest[location] == UInt8(ascii: "Z") else { return nil }
  let timestamp = Timestamp(
    year: isNegative ? -year : year, month: month, day: day, hour: hour, minute: minute,
    second: Double(second))
  return timestamp.secondsFromReference
}

private func trimmed(_ bytes: ByteView) -> ByteView {
  var (start, end) = (0, bytes.count)
  while start < end, isSpace(bytes[start]) { start += 1 }
  while start < end, isSpace(bytes[end - 1]) { end -= 1 }
  return bytes.part(start..<end)
}

/// Whether a byte is white space of ASCII.
@inline(__always)
func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte &- 0x09 < 5 }

// MARK: - The elements of a property list (Apple, PropertyList-1.0.dtd)

enum XMLElement: UInt8, CaseIterable {
  case plist, dict, array, key, string, integer, real, data, date, yes, no

  var name: StaticString {
    switch self {
    case .plist: "plist"
    case .dict: "dict"
    case .array: "array"
    case .key: "key"
    case .string: "string"
    case .integer: "integer"
    case .real: "real"
    case .data: "data"
    case .date: "date"
    case .yes: "true"
    case .no: "false"
    }
  }

  @inline(__always)
  var holdsValues: Bool { rawValue <= Self.array.rawValue }

  /// Whether it has no content but white space.
  @inline(__always)
  var isEmpty: Bool { rawValue >= Self.yes.rawValue }
}

/// The names of elements in the dictionary of a parser: an element is recognized by the address of its name.
struct XMLElementNames: ~Copyable {
  private let addresses: UnsafeMutablePointer<UnsafePointer<xmlChar>?>

  init(_ library: LibXML2, _ parser: xmlParserCtxtPtr) {
    addresses = .allocate(capacity: XMLElement.allCases.count)
    for element in XMLElement.allCases {
      // A static string ends with a zero.
      let name = library.lookUp(parser.pointee.dict, element.name.utf8Start, -1)
      (addresses + Int(element.rawValue)).initialize(to: name)
    }
  }

  deinit { addresses.deallocate() }

  /// The element with a name; nil if no property list has it.
  @inline(__always)
  func element(_ name: UnsafePointer<xmlChar>) -> XMLElement? {
    let guess = Self.guess(name)
    return addresses[Int(guess.rawValue)] == name ? guess : nil
  }

  /// The only element that a name can be of, by letters that distinguish them; names end with a zero.
  @inline(__always)
  private static func guess(_ name: UnsafePointer<xmlChar>) -> XMLElement {
    switch name[0] {
    case UInt8(ascii: "k"): .key
    case UInt8(ascii: "s"): .string
    case UInt8(ascii: "i"): .integer
    case UInt8(ascii: "r"): .real
    case UInt8(ascii: "a"): .array
    case UInt8(ascii: "t"): .yes
    case UInt8(ascii: "f"): .no
    case UInt8(ascii: "d") where name[1] == UInt8(ascii: "i"): .dict
    case UInt8(ascii: "d"):
      name[1] != 0 && name[2] != 0 && name[3] == UInt8(ascii: "e") ? .date : .data
    default: .plist
    }
  }
}
