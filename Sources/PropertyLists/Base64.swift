// Base64 (RFC 4648), written fast and read as property lists have it: foreign bytes are skipped.

import Basics

/// Base64 with the standard alphabet and padding.
public enum Base64 {
  private static let alphabet: [UInt8] = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  /// Whether a byte is of the alphabet.
  static func isDigit(_ byte: UInt8) -> Bool { values[Int(byte)] != 0xFF }

  /// Appends the Base64 of bytes.
  public static func encode(_ bytes: UnsafeRawBufferPointer, to buffer: inout ByteBuffer) {
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
  public static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    var buffer = ByteBuffer(capacity: bytes.count * 2)
    encode(bytes, to: &buffer)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  /// The bytes of text that is Base64 as encoders write it; nil for other text.
  package static func canonicalBytes(of text: String) -> [UInt8]? {
    let characters = Array(text.utf8)
    guard characters.count % 4 == 0 else { return nil }
    var buffer = ByteBuffer(capacity: characters.count)
    characters.withUnsafeBytes { decode($0, to: &buffer) }
    return self.text(buffer.bytes).utf8.elementsEqual(characters) ? Array(buffer.bytes) : nil
  }

  /// Whether a text is Base64 and nothing else but white space: whole groups, or a last one that padding may end.
  public static func isWellFormed(_ text: UnsafeRawBufferPointer) -> Bool {
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
  public static func decodeWellFormed(
    _ text: UnsafeRawBufferPointer, to buffer: inout ByteBuffer
  ) -> Bool {
    let count = buffer.count
    // Whole groups change nothing in what the rest must be: their digits are a multiple of four.
    let position = Base64Words.decode(text, to: &buffer)
    let rest = UnsafeRawBufferPointer(rebasing: text[position...])
    guard isWellFormed(rest) else {
      buffer.truncate(to: count)
      return false
    }
    decode(rest, to: &buffer)
    return true
  }

  /// The same of a text without white space: digits, and padding at the end.
  public static func decodeDigits(
    _ text: UnsafeRawBufferPointer, to buffer: inout ByteBuffer
  ) -> Bool {
    let count = buffer.count
    let position = Base64Words.decode(text, to: &buffer)
    let rest = UnsafeRawBufferPointer(rebasing: text[position...])
    // A group that is not whole, or has padding.
    guard rest.count <= 4, rest.allSatisfy({ $0 > 0x20 }), isWellFormed(rest) else {
      buffer.truncate(to: count)
      return false
    }
    decode(rest, to: &buffer)
    return true
  }

  /// Appends the bytes of Base64 text; characters outside the alphabet are skipped, and padding
  /// ends a group, as CoreFoundation's XML reader does it.
  public static func decode(_ text: UnsafeRawBufferPointer, to buffer: inout ByteBuffer) {
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
