// UTF-8 as the UTF-16 of stored strings and back, without a Swift string between them.

import Basics

/// Converts UTF-8 that may be malformed, and UTF-16 that may have halves of pairs.
enum UTF16Units {
  /// Stores stored UTF-16 as UTF-8; half of a pair becomes U+FFFD.
  ///
  /// - Parameter place: room for three bytes a code unit.
  /// - Returns: how many bytes were stored.
  static func storeUTF8(_ text: Text, at place: UnsafeMutableBufferPointer<UInt8>) -> Int {
    guard let start = place.baseAddress else { return 0 }
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
  private static func store(_ character: UInt32, at end: inout UnsafeMutablePointer<UInt8>) {
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
  static func count(in utf8: UnsafeRawBufferPointer) -> Int? {
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
  static func append(_ utf8: UnsafeRawBufferPointer, count: Int, to buffer: inout ByteBuffer) {
    var place = buffer.reserve(count * 2)
    var position = 0
    while position < utf8.count {
      let lead = utf8[position]
      var character = UInt32(lead)
      var length = 1
      if lead >= 0xC2 {
        length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
        character &= length == 4 ? 0x07 : length == 3 ? 0x0F : 0x1F
        for next in 1..<length {
          character = character << 6 | UInt32(utf8[position &+ next] & 0x3F)
        }
      }
      position &+= length
      if character >= 0x10000 {
        character &-= 0x10000
        storeBigEndian(UInt64(0xD800 | character >> 10), width: 2, to: place)
        place += 2
        character = 0xDC00 | character & 0x3FF
      }
      storeBigEndian(UInt64(character), width: 2, to: place)
      place += 2
    }
    buffer.filled(count * 2)
  }
}

extension UnsafeRawBufferPointer {
  /// Whether all bytes are below 0x80.
  package var isASCII: Bool {
    guard let baseAddress else { return true }
    return Text(base: baseAddress, byteCount: count, form: .utf8).isSevenBit
  }

  /// How many bytes the character of UTF-8 at a position takes; 0 if it is not well formed (Unicode, table 3-7).
  @inline(__always)
  fileprivate func characterLength(at position: Int) -> Int {
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
    for next in 1..<length where self[position &+ next] & 0xC0 != 0x80 { return 0 }
    return length
  }
}
