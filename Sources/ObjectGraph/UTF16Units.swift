// UTF-8 as the UTF-16 of stored strings, without a Swift string between them.

import Basics

/// Converts UTF-8 that may be malformed.
enum UTF16Units {
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
