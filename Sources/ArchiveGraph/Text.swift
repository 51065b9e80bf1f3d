// A string in place: read, compared and copied without making a Swift string.

import ArchiveBasics

/// A string in an input's own bytes and encoding.
///
/// Valid as long as its graph is.
@frozen
public struct Text {
  /// The encoding of the string.
  @frozen
  public enum Form: UInt8, Sendable {
    /// One byte a character; bytes from 0x80 are Latin-1, as CoreFoundation reads them.
    case ascii
    /// UTF-16, big-endian, two bytes a code unit.
    case utf16
    /// UTF-8, known to be well formed.
    case utf8
  }

  /// The first byte.
  public let base: UnsafeRawPointer
  /// The number of bytes (not characters).
  public let byteCount: Int
  /// The encoding of the bytes.
  public let form: Form

  /// Makes a view of bytes that must outlive it.
  @inlinable
  public init(base: UnsafeRawPointer, byteCount: Int, form: Form) {
    self.base = base
    self.byteCount = byteCount
    self.form = form
  }

  /// The bytes as they are stored.
  @inlinable
  public var bytes: ByteView { ByteView(start: base, count: byteCount) }

  /// The string without its first character, which must be ASCII.
  package var droppingFirst: Text {
    let width = min(form == .utf16 ? 2 : 1, byteCount)
    return Text(base: base + width, byteCount: byteCount - width, form: form)
  }

  /// The key as its coder named it: archivers put a `$` before keys that begin with one
  /// (swift-corelibs-foundation: NSKeyedArchiver.swift, `escapeArchiverKey`).
  public var unmangledKey: Text {
    unit(at: 0) == 0x24 && unit(at: 1) == 0x24 ? droppingFirst : self
  }

  /// Whether the string consists of exactly these ASCII characters.
  @inlinable
  public func equals(_ ascii: StaticString) -> Bool {
    let width = form == .utf16 ? 2 : 1
    guard byteCount == ascii.utf8CodeUnitCount &* width else { return false }
    let other = ascii.utf8Start
    for index in 0..<ascii.utf8CodeUnitCount {
      if width == 2 && base.load(fromByteOffset: index &* 2, as: UInt8.self) != 0 { return false }
      let byte = base.load(fromByteOffset: index &* width &+ width &- 1, as: UInt8.self)
      if byte != other[index] { return false }
    }
    return true
  }

  /// Whether the string begins with this ASCII character.
  package func starts(with character: UInt8) -> Bool {
    unit(at: 0) == UInt16(character)
  }

  /// The code unit (UTF-16) or byte at a position, nil past the end.
  package func unit(at index: Int) -> UInt16? {
    if form == .utf16 {
      guard index * 2 + 1 < byteCount else { return nil }
      return UInt16(
        bigEndian: base.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self))
    }
    guard index < byteCount else { return nil }
    return UInt16(base.load(fromByteOffset: index, as: UInt8.self))
  }

  /// The string as a Swift string; a lone surrogate becomes U+FFFD.
  package var string: String {
    switch form {
    case .utf8: return String(decoding: bytes, as: UTF8.self)
    case .ascii:
      if isSevenBit { return String(decoding: bytes, as: UTF8.self) }
      return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    case .utf16:
      // A code unit gives three bytes at most, and a pair of them four.
      return String(unsafeUninitializedCapacity: byteCount / 2 * 3) { pointer in
        UTF16Units.storeUTF8(self, at: pointer)
      }
    }
  }

  /// Whether every byte is below 0x80, in any form but UTF-16.
  @inlinable
  public var isSevenBit: Bool {
    guard form != .utf16 else { return false }
    var index = 0
    while index &+ 8 <= byteCount {
      let word = base.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      if word & 0x8080_8080_8080_8080 != 0 { return false }
      index &+= 8
    }
    while index < byteCount {
      if base.load(fromByteOffset: index, as: UInt8.self) & 0x80 != 0 { return false }
      index &+= 1
    }
    return true
  }

  /// The bytes, if every one is below 0x80 and a character.
  @inlinable
  public var sevenBits: ByteView? { isSevenBit ? bytes : nil }

  /// Whether two strings have the same characters, in any encodings.
  package func sameCharacters(as other: Text) -> Bool {
    if form == other.form || (isSevenBit && other.isSevenBit) {
      return byteCount == other.byteCount && memcmp(base, other.base, byteCount) == 0
    }
    // No other encoding has half of a surrogate pair, which is U+FFFD in a Swift string.
    return !hasLoneSurrogate && !other.hasLoneSurrogate
      && string.unicodeScalars.elementsEqual(other.string.unicodeScalars)
  }

  /// Whether the string has exactly the characters of a Swift string.
  package func sameCharacters(as other: String) -> Bool {
    if isSevenBit || form == .utf8 { return other.isUTF8(bytes) }
    return !hasLoneSurrogate && string.unicodeScalars.elementsEqual(other.unicodeScalars)
  }

  /// Calls a function with bytes that are the same for two strings exactly if they have the same characters.
  package func withCharacterBytes<Result>(_ body: (ByteView) -> Result) -> Result {
    if form == .utf8 || isSevenBit { return body(bytes) }
    if hasLoneSurrogate {
      // No UTF-8 begins so.
      return ([0xFF] + bytes).withByteView { body($0) }
    }
    var text = string
    return text.withByteView { body($0) }
  }
}

// MARK: - Half of a surrogate pair without the other: UTF-16 code units that no Unicode text has

extension Text {
  /// Whether UTF-16 text has half of a pair without the other, which no Unicode text has.
  package var hasLoneSurrogate: Bool {
    guard form == .utf16 else { return false }
    var position = 0
    while let unit = unit(at: position) {
      position += 1
      guard UTF16.isSurrogate(unit) else { continue }
      guard UTF16.isLeadSurrogate(unit), let second = self.unit(at: position),
        UTF16.isTrailSurrogate(second)
      else { return true }
      position += 1
    }
    return false
  }
}

// MARK: - The part that is left of a string whose end is lost

/// Reads and marks the beginnings of strings in damaged files.
package enum PartialText {
  /// A text with a mark that says how much of it is there.
  ///
  /// - Parameter unit: what is counted, in the plural.
  package static func marked(
    _ part: String, _ found: Int, of count: UInt64, _ unit: String
  ) -> String {
    "\(part)… ⟨\(found) of \(count) \(unit)⟩"
  }

  /// The beginning of a string in UTF-8, without the bytes of a character that is cut; nil if it is no text.
  public static func utf8(_ bytes: ByteView) -> String? {
    for missing in 0..<min(4, bytes.count + 1) {
      let whole = ByteView(rebasing: bytes.dropLast(missing))
      // Only the beginning of a character may be left out.
      if missing > 0 {
        guard bytes[whole.count] >= 0x80 else { return nil }
        if bytes[whole.count] < 0xC2 { continue }
      }
      if let text = String(validating: whole, as: UTF8.self) {
        return isPlausible(text) ? text : nil
      }
    }
    return nil
  }

  /// Whether a text has no control characters but those that divide lines and columns.
  package static func isPlausible(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case 0x09, 0x0A, 0x0D: true
      case ..<0x20, 0x7F..<0xA0, 0xFFFE...0xFFFF: false
      default: true
      }
    }
  }
}

// MARK: - UTF-8 as the UTF-16 of stored strings and back, without a Swift string between them

/// Converts UTF-8 that may be malformed, and UTF-16 that may have halves of pairs.
enum UTF16Units {
  /// Stores stored UTF-16 as UTF-8; half of a pair becomes U+FFFD.
  ///
  /// - Parameter pointer: room for three bytes a code unit.
  /// - Returns: how many bytes were stored.
  static func storeUTF8(_ text: Text, at pointer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    guard let start = pointer.baseAddress else { return 0 }
    var end = start
    var position = 0
    let count = text.byteCount / 2
    while position < count {
      var character = UInt32(unit(text, position))
      position &+= 1
      if character & 0xF800 == 0xD800 {
        let isPair =
          character < 0xDC00 && position < count && unit(text, position) & 0xFC00 == 0xDC00
        if isPair {
          character = 0x10000 &+ (character & 0x3FF) << 10 | UInt32(unit(text, position) & 0x3FF)
          position &+= 1
        } else {
          character = 0xFFFD
        }
      }
      store(character, at: &end)
    }
    return end - start
  }

  @inline(__always)
  private static func unit(_ text: Text, _ position: Int) -> UInt16 {
    UInt16(bigEndian: text.base.loadUnaligned(fromByteOffset: position &* 2, as: UInt16.self))
  }

  @inline(__always)
  fileprivate static func store(_ character: UInt32, at end: inout UnsafeMutablePointer<UInt8>) {
    if character < 0x80 {
      end[0] = UInt8(truncatingIfNeeded: character)
      end += 1
      return
    }
    let length = character < 0x800 ? 2 : character < 0x10000 ? 3 : 4
    let lead: UInt32 = length == 2 ? 0xC0 : length == 3 ? 0xE0 : 0xF0
    for index in 0..<length {
      let bits = character >> UInt32(6 &* (length &- 1 &- index))
      end[index] = UInt8(truncatingIfNeeded: index == 0 ? lead | bits : 0x80 | bits & 0x3F)
    }
    end += length
  }

  /// How many code units a text has; nil if it is not well-formed UTF-8.
  static func count(in utf8: ByteView) -> Int? {
    var count = 0
    var position = 0
    while position < utf8.count {
      let length = utf8.characterLength(at: position)
      if length == 0 { return nil }
      count &+= length == 4 ? 2 : 1
      position &+= length
    }
    return count
  }

  /// Appends the code units of a text, most significant byte first.
  ///
  /// - Parameter count: what `count(in:)` gave for the same text, which is well formed: all reads and writes
  ///   below are within that.
  static func append(_ utf8: ByteView, count: Int, to buffer: inout ByteBuffer) {
    var pointer = buffer.reserve(count * 2)
    var position = 0
    while position < utf8.count {
      let lead = utf8[position]
      let length = lead < 0xC2 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
      var character = utf8.character(at: position, length)
      position &+= length
      if character >= 0x10000 {
        character &-= 0x10000
        storeBigEndian(UInt64(0xD800 | character >> 10), width: 2, to: pointer)
        pointer += 2
        character = 0xDC00 | character & 0x3FF
      }
      storeBigEndian(UInt64(character), width: 2, to: pointer)
      pointer += 2
    }
    buffer.filled(count * 2)
  }
}

extension ByteBuffer {
  /// Appends a character in UTF-8.
  package mutating func append(utf8 character: Unicode.Scalar) {
    let start = reserve(4).assumingMemoryBound(to: UInt8.self)
    var end = start
    UTF16Units.store(character.value, at: &end)
    filled(end - start)
  }
}

extension ByteView {
  /// Whether all bytes are below 0x80.
  package var isASCII: Bool {
    guard let baseAddress else { return true }
    return Text(base: baseAddress, byteCount: count, form: .utf8).isSevenBit
  }

  /// The number of the character of UTF-8 that has some bytes from a position on.
  @inline(__always)
  package func character(at position: Int, _ length: Int) -> UInt32 {
    var character = UInt32(self[position])
    if length == 1 { return character }
    character &= length == 4 ? 0x07 : length == 3 ? 0x0F : 0x1F
    for next in part(position &+ 1..<position &+ length) {
      character = character << 6 | UInt32(next & 0x3F)
    }
    return character
  }

  /// How many bytes the character of UTF-8 at a position takes; 0 if it is not well formed (Unicode, table 3-7).
  @inline(__always)
  package func characterLength(at position: Int) -> Int {
    let lead = self[position]
    if lead < 0x80 { return 1 }
    let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
    guard lead >= 0xC2, lead <= 0xF4, position &+ length <= count else { return 0 }
    let second = self[position &+ 1]
    switch lead {
    case 0xE0 where second < 0xA0, 0xED where second > 0x9F, 0xF0 where second < 0x90,
      0xF4 where second > 0x8F:
      return 0
    default: break
    }
    for next in part(position &+ 1..<position &+ length) where next & 0xC0 != 0x80 { return 0 }
    return length
  }
}
