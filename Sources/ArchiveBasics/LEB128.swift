// Numbers of seven bits a byte, as Foundation packs ranges, indexes and runs.

/// Numbers of seven bits a byte, least significant first, as NSIndexSet and NSIndexPath pack them.
package enum LEB128 {
  /// The bytes of numbers, none of which is negative.
  package static func bytes(of numbers: [Int64]) -> [UInt8] {
    var bytes: [UInt8] = []
    for number in numbers {
      var rest = UInt64(bitPattern: number)
      while rest >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(rest))
    }
    return bytes
  }

  /// All numbers of some bytes, nil if the last is cut off or one is beyond 63 bits.
  package static func all(of bytes: ByteView) -> [Int64]? {
    var numbers: [Int64] = []
    var (value, shift): (UInt64, UInt64) = (0, 0)
    for byte in bytes {
      guard shift < 63 else { return nil }
      value |= UInt64(byte & 0x7F) << shift
      shift += 7
      if byte & 0x80 != 0 { continue }
      guard let number = Int64(exactly: value) else { return nil }
      numbers.append(number)
      (value, shift) = (0, 0)
    }
    return shift == 0 ? numbers : nil
  }
}
