// A string in place: read, compared and copied without making a Swift string.

import Basics

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
  public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: byteCount) }

  /// The string without its first character, which must be ASCII.
  public var droppingFirst: Text {
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
  public func starts(with character: UInt8) -> Bool {
    unit(at: 0) == UInt16(character)
  }

  /// The code unit (UTF-16) or byte at a position, nil past the end.
  public func unit(at index: Int) -> UInt16? {
    if form == .utf16 {
      guard index * 2 + 1 < byteCount else { return nil }
      return UInt16(
        bigEndian: base.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self))
    }
    guard index < byteCount else { return nil }
    return UInt16(base.load(fromByteOffset: index, as: UInt8.self))
  }

  /// The string as a Swift string; a lone surrogate becomes U+FFFD.
  public var string: String {
    switch form {
    case .utf8: return String(decoding: bytes, as: UTF8.self)
    case .ascii:
      if isSevenBit { return String(decoding: bytes, as: UTF8.self) }
      return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    case .utf16:
      // A code unit gives three bytes at most, and a pair of them four.
      return String(unsafeUninitializedCapacity: byteCount / 2 * 3) { place in
        UTF16Units.storeUTF8(self, at: place)
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
  public var sevenBits: UnsafeRawBufferPointer? { isSevenBit ? bytes : nil }

  /// Whether two strings have the same characters, in any encodings.
  public func sameCharacters(as other: Text) -> Bool {
    if form == other.form || (isSevenBit && other.isSevenBit) {
      return byteCount == other.byteCount && memcmp(base, other.base, byteCount) == 0
    }
    // No other encoding has half of a surrogate pair, which is U+FFFD in a Swift string.
    return !hasLoneSurrogate && !other.hasLoneSurrogate
      && string.unicodeScalars.elementsEqual(other.string.unicodeScalars)
  }

  /// Whether the string has exactly the characters of a Swift string.
  public func sameCharacters(as other: String) -> Bool {
    if isSevenBit || form == .utf8 { return bytes.elementsEqual(other.utf8) }
    return !hasLoneSurrogate && string.unicodeScalars.elementsEqual(other.unicodeScalars)
  }

  /// Calls a function with bytes that are the same for two strings exactly if they have the same characters.
  package func withCharacterBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    if form == .utf8 || isSevenBit { return body(bytes) }
    if hasLoneSurrogate {
      // No UTF-8 begins so.
      return ([0xFF] + bytes).withUnsafeBytes { body($0) }
    }
    var text = string
    return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }
}

// MARK: - Half of a surrogate pair without the other: UTF-16 code units that no Unicode text has

extension Text {
  /// Whether UTF-16 text has half of a pair without the other, which no Unicode text has.
  public var hasLoneSurrogate: Bool {
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
