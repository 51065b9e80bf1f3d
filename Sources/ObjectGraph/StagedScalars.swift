// Scalars that wait for their indexes: looking several up at once costs little more than one, as each is a few
// places in memory that no cache has.

import Basics

/// A few encoded scalars, in the order in which they were added.
struct StagedScalars: ~Copyable {
  /// A scalar, and what was found of it so far.
  struct Entry {
    var hash: UInt32
    /// Where it stands in the buffer.
    var start: Int
    var length: Int
    /// Where its index belongs among the values of open containers.
    var place: Int
    var sourceOffset: Int?
    /// The scalar that may be equal; or the index in the end.
    var index: UInt32 = .max
    var offset: Int = 0
  }

  static let capacity = 64
  /// Scalars of more bytes do not wait.
  static let longest = 4096
  /// The indexes of scalars that wait have this bit.
  static let mark: UInt32 = 1 << 31

  private let entries = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
  /// The scalars, one after the other.
  var buffer = ByteBuffer()
  private(set) var count = 0

  deinit { entries.deallocate() }

  var isFull: Bool { count == Self.capacity }

  subscript(position: Int) -> UnsafeMutablePointer<Entry> { entries + position }

  func bytes(_ entry: Entry) -> UnsafeRawPointer { UnsafeRawPointer(buffer.base) + entry.start }

  /// Takes the scalar that the buffer ends with.
  ///
  /// - Returns: what stands for its index.
  @inline(__always)
  mutating func take(from start: Int, hash: UInt32, sourceOffset: Int?) -> UInt32 {
    (entries + count).initialize(
      to: Entry(
        hash: hash, start: start, length: buffer.count &- start, place: -1,
        sourceOffset: sourceOffset))
    count &+= 1
    return UInt32(truncatingIfNeeded: count &- 1) | Self.mark
  }

  mutating func removeAll() {
    count = 0
    buffer.truncate(to: 0)
  }

  /// Brings what `ScalarIndex.find` will look at into the caches: each loop waits for all its memory at once.
  func fetch(
    _ scalars: borrowing ScalarIndex, _ values: UnsafeRawPointer, _ offsets: UnsafeRawPointer,
    _ width: Int
  ) {
    for position in 0..<count {
      entries[position].index = scalars.candidate(hash: entries[position].hash)
    }
    for position in 0..<count where entries[position].index != .max {
      entries[position].offset = Int(
        bigEndian(padded: offsets + Int(entries[position].index) &* width, width))
    }
    for position in 0..<count where entries[position].index != .max {
      // An equal scalar begins with the same byte.
      let first = (values + entries[position].offset).load(as: UInt8.self)
      entries[position].index &= UInt32(first) | ~0xFF
    }
  }
}
