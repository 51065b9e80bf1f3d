// Numbers of seven bits a byte, as Foundation packs ranges, indexes and runs.

import ArchiveGraph

/// Numbers of seven bits a byte, least significant first, as NSIndexSet and NSIndexPath pack them.
package struct LEB128: IteratorProtocol {
  private var rest: Slice<UnsafeRawBufferPointer>

  init(_ bytes: UnsafeRawBufferPointer) { rest = bytes[...] }

  package mutating func next() -> Int64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while let byte = rest.popFirst(), shift < 63 {
      value |= UInt64(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return Int64(exactly: value) }
      shift += 7
    }
    return nil
  }
}

extension LEB128 {
  /// The bytes of numbers, none of which is negative.
  static func bytes(of numbers: [Int64]) -> [UInt8] {
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
  package static func all(of bytes: UnsafeRawBufferPointer) -> [Int64]? {
    guard let last = bytes.last else { return [] }
    guard last & 0x80 == 0 else { return nil }
    // Each number ends with the one byte below 0x80.
    let count = bytes.reduce(0) { $0 + ($1 < 0x80 ? 1 : 0) }
    var numbers: [Int64] = []
    var reader = LEB128(bytes)
    while numbers.count < count {
      guard let number = reader.next() else { return nil }
      numbers.append(number)
    }
    return numbers
  }
}
