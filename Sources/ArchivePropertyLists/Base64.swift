// Base64 (RFC 4648), written fast and read as property lists have it: foreign bytes are skipped.

import ArchiveBasics

/// Base64 with the standard alphabet and padding.
package enum Base64 {
  private static let alphabet: [UInt8] = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  /// Whether a byte is of the alphabet.
  static func isDigit(_ byte: UInt8) -> Bool { value(of: byte) != 0xFF }

  /// Appends the Base64 of bytes.
  package static func encode(_ bytes: ByteView, to buffer: inout ByteBuffer) {
    var position = Base64Words.encode(bytes, to: &buffer)
    alphabet.withUnsafeBufferPointer { alphabet in
      while position < bytes.count {
        let left = min(bytes.count - position, 3)
        var group: UInt32 = 0
        for index in 0..<3 {
          group = group << 8 | (index < left ? UInt32(bytes[position + index]) : 0)
        }
        for index in 0..<4 {
          let sextet = Int(group >> UInt32(18 - 6 * index)) & 63
          buffer.append(index <= left ? alphabet[sextet] : UInt8(ascii: "="))
        }
        position += 3
      }
    }
  }

  /// The Base64 of bytes.
  package static func text(_ bytes: ByteView) -> String {
    var buffer = ByteBuffer(capacity: bytes.count * 2)
    encode(bytes, to: &buffer)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  /// The bytes of text that is Base64 as encoders write it; nil for other text.
  package static func canonicalBytes(of text: String) -> [UInt8]? {
    let characters = Array(text.utf8)
    guard characters.count % 4 == 0 else { return nil }
    var buffer = ByteBuffer(capacity: characters.count)
    characters.withByteView { decode($0, to: &buffer) }
    return self.text(buffer.bytes).utf8.elementsEqual(characters) ? Array(buffer.bytes) : nil
  }

  /// Whether a text is Base64 and nothing else but white space: whole groups, or a last one that padding may end.
  package static func isWellFormed(_ text: ByteView) -> Bool {
    var digits = 0
    var padding = 0
    for character in text {
      if values[Int(character)] != 0xFF {
        if padding > 0 { return false }
        digits &+= 1
      } else if character == UInt8(ascii: "=") {
        padding &+= 1
      } else if !(0x09...0x0D).contains(character), character != 0x20 {
        return false
      }
    }
    // A single digit encodes no byte.
    return digits % 4 != 1 && (padding == 0 || (digits &+ padding) % 4 == 0 && padding <= 2)
  }

  /// Appends the bytes of a text if it is well-formed Base64, as `isWellFormed` says; else nothing.
  ///
  /// - Parameter isDense: whether the text may not have white space: digits, and padding at the end.
  package static func decodeWellFormed(
    _ text: ByteView, isDense: Bool = false, to buffer: inout ByteBuffer
  ) -> Bool {
    let count = buffer.count
    // Whole groups change nothing in what the rest must be: their digits are a multiple of four.
    let position = Base64Words.decode(text, to: &buffer)
    let rest = text.part(from: position)
    // Without white space the rest is a group that is not whole, or has padding.
    let isAllowed = !isDense || rest.count <= 4 && rest.allSatisfy { $0 > 0x20 }
    guard isAllowed, isWellFormed(rest) else {
      buffer.truncate(to: count)
      return false
    }
    decode(rest, to: &buffer)
    return true
  }

  /// Appends the bytes of Base64 text; characters outside the alphabet are skipped, and padding
  /// ends a group, as CoreFoundation's XML reader does it.
  package static func decode(_ text: ByteView, to buffer: inout ByteBuffer) {
    var position = Base64Words.decode(text, to: &buffer)
    // Four characters give three bytes at most, so all that is stored below is within the room.
    let room = buffer.reserve((text.count - position) / 4 * 3 + 3)
    var end = room
    values.withUnsafeBufferPointer { values in
      var group: UInt32 = 0
      var bits = 0
      while position < text.count {
        let character = text[position]
        position &+= 1
        let value = values[Int(character)]
        if value == 0xFF {
          if character == UInt8(ascii: "=") { bits = 0 }
          continue
        }
        group = group << 6 | UInt32(value)
        bits += 6
        if bits >= 8 {
          bits -= 8
          end.storeBytes(of: UInt8(truncatingIfNeeded: group >> UInt32(bits)), as: UInt8.self)
          end += 1
        }
      }
    }
    buffer.filled(end - room)
  }

  /// The value of a byte of the alphabet; 0xFF for any other.
  static func value(of byte: UInt8) -> UInt8 { values[Int(byte)] }
}

// MARK: - Base64 by the word: what all of a text but its ends is encoded and decoded with

/// Groups of Base64 that are whole, several at a time.
private enum Base64Words {
  // MARK: Encoding

  /// Appends the Base64 of six bytes at a time while eight can be read.
  ///
  /// - Returns: how many bytes were encoded, a multiple of three.
  static func encode(_ bytes: ByteView, to buffer: inout ByteBuffer) -> Int {
    guard bytes.count >= 8 else { return 0 }
    // Six bytes give eight characters, so all that is stored below is within the room.
    let words = (bytes.count - 8) / 6 + 1
    let room = buffer.reserve(words * 8)
    for word in 0..<words {
      let bits = bytes.unchecked.loadUnaligned(fromByteOffset: word &* 6, as: UInt64.self).bigEndian
      room.storeBytes(
        of: characters(of: bits >> 16).bigEndian, toByteOffset: word &* 8, as: UInt64.self)
    }
    buffer.filled(words * 8)
    return words * 6
  }

  /// The eight characters that encode 48 bits, the first at the top.
  @inline(__always)
  private static func characters(of bits: UInt64) -> UInt64 {
    let twentyFour = (bits << 8 & 0x00FF_FFFF_0000_0000) | (bits & 0x00FF_FFFF)
    let twelve = (twentyFour << 4 & 0x0FFF_0000_0FFF_0000) | (twentyFour & 0x0000_0FFF_0000_0FFF)
    let six = (twelve << 2 & 0x3F00_3F00_3F00_3F00) | (twelve & 0x003F_003F_003F_003F)
    // Capitals are 65 above their values, letters 71, digits -4, the plus sign -19 and the slash -16. No byte of the
    // sums is above 255 or below 0, so that none touches the next.
    let raised = six &+ 65 &* ones &+ 6 &* atLeast(26, six)
    return raised &- 75 &* atLeast(52, six) &- 15 &* atLeast(62, six) &+ 3 &* atLeast(63, six)
  }

  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// 1 in each byte that is no less than a bound; all bytes and the bound are below 128.
  @inline(__always)
  private static func atLeast(_ bound: UInt64, _ bytes: UInt64) -> UInt64 {
    (((bytes | 0x80 &* ones) &- bound &* ones) >> 7) & ones
  }

  // MARK: Decoding

  /// For each two bytes, the first in the low half of the index, the twelve bits that they stand for; `foreign` if one
  /// of them is no digit.
  private static let pairs: [UInt16] = {
    var pairs = [UInt16](repeating: foreign, count: 1 << 16)
    let digits = (0...UInt8.max).filter { Base64.value(of: $0) != 0xFF }
    for first in digits {
      for second in digits {
        pairs[Int(second) << 8 | Int(first)] =
          UInt16(Base64.value(of: first)) << 6 | UInt16(Base64.value(of: second))
      }
    }
    return pairs
  }()

  /// A bit above the twelve of a pair.
  private static let foreign: UInt16 = 1 << 15

  /// Appends the bytes of all groups of four digits before the first that has something else.
  ///
  /// - Returns: how many characters were decoded, a multiple of four.
  static func decode(_ text: ByteView, to buffer: inout ByteBuffer) -> Int {
    guard text.count >= 4 else { return 0 }
    // Two groups give six bytes and store eight, one gives three and stores four: all is within the room.
    let room = buffer.reserve(text.count / 4 * 3 + 2)
    var end = room
    var position = 0
    pairs.withUnsafeBufferPointer { pairs in
      // An index is below 1 << 16, which the table has.
      guard let table = pairs.baseAddress else { return }
      while position &+ 8 <= text.count {
        let digits = text.unchecked.loadUnaligned(fromByteOffset: position, as: UInt64.self)
          .littleEndian
        let first = table[Int(digits & 0xFFFF)]
        let second = table[Int(digits >> 16 & 0xFFFF)]
        let third = table[Int(digits >> 32 & 0xFFFF)]
        let fourth = table[Int(digits >> 48)]
        guard first | second | third | fourth < foreign else { break }
        let upper = UInt64(first) << 12 | UInt64(second)
        let lower = UInt64(third) << 12 | UInt64(fourth)
        end.storeBytes(of: (upper << 40 | lower << 16).bigEndian, as: UInt64.self)
        end += 6
        position &+= 8
      }
      while position &+ 4 <= text.count {
        let digits = text.unchecked.loadUnaligned(fromByteOffset: position, as: UInt32.self)
          .littleEndian
        let (first, second) = (table[Int(digits & 0xFFFF)], table[Int(digits >> 16)])
        guard first | second < foreign else { return }
        end.storeBytes(
          of: (UInt32(first) << 20 | UInt32(second) << 8).bigEndian, as: UInt32.self)
        end += 3
        position &+= 4
      }
    }
    buffer.filled(end - room)
    return position
  }
}
