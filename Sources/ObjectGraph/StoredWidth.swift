// The widths of stored offsets and references as types: loops over them are compiled once for each.

import Basics

/// A number of bytes that an offset or reference takes.
protocol StoredWidth {
  /// The number of bytes.
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
    let place = start + position &* 3
    return TwoBytes.load(place, 0) << 8 | Int(place.load(fromByteOffset: 2, as: UInt8.self))
  }
}

enum FourBytes: StoredWidth {
  static let size = 4

  @inline(__always)
  static func load(_ start: UnsafeRawPointer, _ position: Int) -> Int {
    Int(UInt32(bigEndian: start.loadUnaligned(fromByteOffset: position &* 4, as: UInt32.self)))
  }
}
