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
    alphabet.withUnsafeBufferPointer { alphabet in
      var position = 0
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

  /// Appends the bytes of Base64 text; characters outside the alphabet are skipped, and padding
  /// ends a group, as CoreFoundation's XML reader does it.
  public static func decode(_ text: UnsafeRawBufferPointer, to buffer: inout ByteBuffer) {
    // Four characters give three bytes at most, so all that is stored below is within the room.
    let room = buffer.reserve(text.count / 4 * 3 + 3)
    var end = room
    values.withUnsafeBufferPointer { values in
      var group: UInt32 = 0
      var bits = 0
      var position = 0
      while position < text.count {
        if bits == 0, position &+ 4 <= text.count {
          let first = values[Int(text[position])]
          let second = values[Int(text[position &+ 1])]
          let third = values[Int(text[position &+ 2])]
          let fourth = values[Int(text[position &+ 3])]
          if first | second | third | fourth < 64 {
            end.storeBytes(of: first << 2 | second >> 4, as: UInt8.self)
            end.storeBytes(of: second << 4 | third >> 2, toByteOffset: 1, as: UInt8.self)
            end.storeBytes(of: third << 6 | fourth, toByteOffset: 2, as: UInt8.self)
            end += 3
            position &+= 4
            continue
          }
        }
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
}
