// The widths of stored offsets and references as types: loops over them are compiled once for each.

import ArchiveBasics

/// A number of bytes that an offset or reference takes.
protocol StoredWidth {
  static var size: Int { get }

  /// The number at a position of a table of such numbers, which must have it.
  static func load(_ start: UnsafeRawPointer, _ position: Int) -> Int
}

enum OneByte: StoredWidth {
  static let size = 1

  @inline(__always)
  static func load(_ start: UnsafeRawPointer, _ position: Int) -> Int {
    Int(start.load(fromByteOffset: position, as: UInt8.self))
  }
}

enum TwoBytes: StoredWidth {
  static let size = 2

  @inline(__always)
  static func load(_ start: UnsafeRawPointer, _ position: Int) -> Int {
    Int(UInt16(bigEndian: start.loadUnaligned(fromByteOffset: position &* 2, as: UInt16.self)))
  }
}

enum ThreeBytes: StoredWidth {
  static let size = 3

  @inline(__always)
  static func load(_ start: UnsafeRawPointer, _ position: Int) -> Int {
    let pointer = start + position &* 3
    return TwoBytes.load(pointer, 0) << 8 | Int(pointer.load(fromByteOffset: 2, as: UInt8.self))
  }
}

enum FourBytes: StoredWidth {
  static let size = 4

  @inline(__always)
  static func load(_ start: UnsafeRawPointer, _ position: Int) -> Int {
    Int(UInt32(bigEndian: start.loadUnaligned(fromByteOffset: position &* 4, as: UInt32.self)))
  }
}

// MARK: - Counts as binary property lists have them

/// Writes a count beside its marker, or after it if it is 15 or more.
package func appendCount(_ count: Int, marker: UInt8, to buffer: inout ByteBuffer) {
  if count < 15 {
    buffer.append(marker << 4 | UInt8(count))
  } else {
    buffer.append(marker << 4 | 0x0F)
    appendInteger(UInt64(count), to: &buffer)
  }
}

/// Writes a non-negative integer of at most 63 bits in the fewest bytes.
func appendInteger(_ value: UInt64, to buffer: inout ByteBuffer) {
  let power = value <= 0xFF ? 0 : value <= 0xFFFF ? 1 : value <= 0xFFFF_FFFF ? 2 : 3
  buffer.append(0x10 | UInt8(power))
  buffer.append(bigEndian: value, width: 1 << power)
}
