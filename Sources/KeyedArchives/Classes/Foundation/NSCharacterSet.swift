// NSCharacterSet: a built-in set by number, a range, its characters as a string, or a bitmap: 8192 bytes for the basic plane,
// then for each further plane its number and 8192 bytes (Apple: CFCharacterSetCreateWithBitmapRepresentation).

import Basics

/// NSCharacterSet.
enum NSCharacterSetClass: FrameworkClass {
  static let classNames = [
    "NSCharacterSet", "NSMutableCharacterSet", "_NSCFCharacterSet", "__NSCFCharacterSet",
  ]
  static let shown = "its ranges of characters, before its fields"
  static let isSimple = true

  private static let planeBytes = 8192

  /// The numbers of CFCharacterSetPredefinedSet.
  private static let builtIn: [Int64: String] = [
    1: "control", 2: "whitespace", 3: "whitespace and newline", 4: "decimal digit", 5: "letter",
    6: "lowercase letter", 7: "uppercase letter", 8: "non-base", 9: "decomposable",
    10: "alphanumeric", 11: "punctuation", 12: "illegal", 13: "capitalized letter", 14: "symbol",
    15: "newline",
  ]

  static func summary(of object: ArchivedObject) -> String? {
    guard let text = content(of: object) else { return nil }
    let isInverted = object.flag("NSIsInverted") ?? object.flag("NSIsInverted2") ?? false
    return isInverted ? "all but \(text)" : text
  }

  private static func content(of object: ArchivedObject) -> String? {
    if let number = object.integer("NSBuiltinID") ?? object.integer("NSBuiltinID2") {
      return builtIn[number].map { "\($0) characters" }
    }
    if let string = object.string("NSString") ?? object.string("NSStringObject") {
      return SummaryText.quoted(string)
    }
    if let packed = object.integer("NSRange") ?? object.integer("NSRange2") {
      return range(packed).map { RangeText.list([$0], spell: character) }
    }
    guard let bytes = object.bytes("NSBitmap") ?? object.bytes("NSBitmapObject") else { return nil }
    return ranges(of: bytes).map { RangeText.list($0, spell: character) }
  }

  /// A range whose first character stands above 32 bits of length, nil if it leaves Unicode.
  private static func range(_ packed: Int64) -> Range<Int64>? {
    let first = packed >> 32
    let length = packed & 0xFFFF_FFFF
    guard first >= 0, length > 0, first + length <= 0x11_0000 else { return nil }
    return first..<first + length
  }

  /// The ranges of a bitmap, or as many as are shown; nil if its length is none of a bitmap.
  private static func ranges(of bytes: UnsafeRawBufferPointer) -> [Range<Int64>]? {
    guard bytes.count >= planeBytes, (bytes.count - planeBytes) % (planeBytes + 1) == 0,
      bytes.count <= planeBytes + 16 * (planeBytes + 1)
    else { return nil }
    var ranges: [Range<Int64>] = []
    addPlane(0, bytes[..<planeBytes], to: &ranges)
    // Each plane's number is looked at even where there are ranges enough.
    for start in stride(from: planeBytes, to: bytes.count, by: planeBytes + 1) {
      guard (1...16).contains(bytes[start]) else { return nil }
      addPlane(Int64(bytes[start]), bytes[(start + 1)..<(start + 1 + planeBytes)], to: &ranges)
    }
    return ranges
  }

  private static func addPlane(
    _ plane: Int64, _ bytes: Slice<UnsafeRawBufferPointer>, to ranges: inout [Range<Int64>]
  ) {
    for (position, byte) in bytes.enumerated() where byte != 0 {
      // The last range may still grow, so that one more than is shown has to begin.
      guard ranges.count <= RangeText.most + 1 else { return }
      for bit in 0..<8 where byte & (1 << UInt8(bit)) != 0 {
        let character = plane << 16 + Int64(position * 8 + bit)
        if let last = ranges.last, last.upperBound == character {
          ranges[ranges.count - 1] = last.lowerBound..<character + 1
        } else {
          ranges.append(character..<character + 1)
        }
      }
    }
  }

  private static func character(_ number: Int64) -> String {
    if (0x21..<0x7F).contains(number), let scalar = Unicode.Scalar(UInt32(number)) {
      return String(scalar)
    }
    return "U+" + String(number, radix: 16, width: 4, uppercase: true)
  }
}
