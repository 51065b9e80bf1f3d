// Finds equal scalars by their encoded bytes: growable open addressing over indexes, no boxes.

import ArchiveBasics

/// The set of the scalars of a builder.
struct ScalarIndex: ~Copyable {
  private struct Slot {
    var hash: UInt32
    var index: UInt32
  }

  /// Those whose tag is 0 are free, and not initialized.
  private var slots: UnsafeMutablePointer<Slot>
  /// Seven bits of each slot's hash, and one that is set.
  ///
  /// Most scalars of a large input are new to the set: that is seen from these bytes, of which caches hold eight times
  /// as many as of the slots. They are behind the slots, in the same memory.
  private var tags: UnsafeMutablePointer<UInt8>
  private var mask: Int
  private var count = 0

  init() {
    mask = 255
    slots = Self.memory(256)
    tags = Self.freeTags(behind: slots, 256)
  }

  deinit { slots.deallocate() }

  /// How many scalars there may be.
  private var fullCount: Int { (mask * 2) / 3 }

  /// What the slot of a hash has as its tag: bits that choose the slot in huge tables only.
  @inline(__always)
  private static func tag(_ hash: UInt32) -> UInt8 {
    UInt8(truncatingIfNeeded: hash >> 24) | 1
  }

  /// The index of a scalar with a hash.
  ///
  /// - Parameters:
  ///   - values: the first byte of all scalars.
  ///   - isEqual: whether the scalar whose first byte it gets is the one that is looked for.
  @inline(__always)
  func find(
    hash: UInt32, values: UnsafeRawPointer, offsets: UnsafeRawPointer, offsetWidth: Int,
    _ isEqual: (UnsafeRawPointer) -> Bool
  ) -> UInt32? {
    let tag = Self.tag(hash)
    var position = Int(hash) & mask
    while tags[position] != 0 {
      if tags[position] == tag, slots[position].hash == hash {
        let index = slots[position].index
        let pointer = offsets + Int(index) &* offsetWidth
        let offset = offsetWidth == 4 ? Int(bigEndian(pointer, 4)) : Int(bigEndian(pointer, 8))
        if isEqual(values + offset) { return index }
      }
      position = (position &+ 1) & mask
    }
    return nil
  }

  /// The index that `find` will probably compare first; the highest number if there is none.
  @inline(__always)
  func candidate(hash: UInt32) -> UInt32 {
    let position = Int(hash) & mask
    guard tags[position] == Self.tag(hash), slots[position].hash == hash else { return .max }
    return slots[position].index
  }

  /// Starts to load what `find` looks at first.
  @inline(__always)
  func prefetch(hash: UInt32) { prefetchMemory(at: tags + (Int(hash) & mask)) }

  /// Adds a scalar that `find` did not find.
  mutating func insert(_ index: UInt32, hash: UInt32) {
    if count > fullCount { grow() }
    store(Slot(hash: hash, index: index))
    count += 1
  }

  private func store(_ slot: Slot) {
    var position = Int(slot.hash) & mask
    while tags[position] != 0 { position = (position &+ 1) & mask }
    tags[position] = Self.tag(slot.hash)
    (slots + position).initialize(to: slot)
  }

  @inline(never)
  private mutating func grow() {
    let (old, oldTags, oldCount) = (slots, tags, mask + 1)
    slots = Self.memory(oldCount * 2)
    tags = Self.freeTags(behind: slots, oldCount * 2)
    mask = oldCount * 2 - 1
    for position in 0..<oldCount where oldTags[position] != 0 { store(old[position]) }
    old.deallocate()
  }

  /// How many slots' memory so many slots and their tags take; they are a power of two above 7.
  private static func size(_ count: Int) -> Int {
    count + count / MemoryLayout<Slot>.stride
  }

  private static func memory(_ count: Int) -> UnsafeMutablePointer<Slot> {
    .allocateTable(capacity: size(count))
  }

  private static func freeTags(
    behind slots: UnsafeMutablePointer<Slot>, _ count: Int
  ) -> UnsafeMutablePointer<UInt8> {
    // `memory` has a byte for each slot there, which is used for nothing else.
    UnsafeMutableRawPointer(slots + count).initializeMemory(
      as: UInt8.self, repeating: 0, count: count)
  }
}

/// Differs from run to run, so that no file can be made whose scalars all collide.
private let hashSeed = UInt64.random(in: .min ... .max)

/// Hashes of scalars, by their marker and what follows it and a count.
enum ScalarHash {
  /// The hash of a scalar whose content is these bytes: one multiplication for each 8 of them.
  @inline(__always)
  private static func of(marker: UInt8, _ base: UnsafeRawPointer, _ count: Int) -> UInt32 {
    var hash = seed(marker, count)
    if count > 8 {
      var position = 0
      while position < count &- 8 {
        hash = mix(hash ^ base.loadUnaligned(fromByteOffset: position, as: UInt64.self))
        position &+= 8
      }
      return finish(hash, base.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self))
    }
    if count >= 4 {
      let high = base.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
      let low = base.loadUnaligned(as: UInt32.self)
      return finish(hash, UInt64(high) << 32 | UInt64(low))
    }
    guard count > 0 else { return finish(hash, 0) }
    let first = UInt64(base.load(as: UInt8.self))
    let middle = UInt64(base.load(fromByteOffset: count >> 1, as: UInt8.self))
    let last = UInt64(base.load(fromByteOffset: count &- 1, as: UInt8.self))
    return finish(hash, first | middle << 8 | last << 16)
  }

  /// The hash of a number of 1, 2, 4 or 8 bytes.
  @inline(__always)
  static func of(marker: UInt8, number: UInt64, width: Int) -> UInt32 {
    withUnsafePointer(to: (number << UInt64(64 &- 8 &* width)).bigEndian) {
      of(marker: marker, UnsafeRawPointer($0), width)
    }
  }

  /// The hash of a scalar in its encoding.
  static func of(encoded bytes: UnsafeRawPointer, _ count: Int) -> UInt32 {
    guard count > 0 else { return 0 }
    let marker = bytes.load(as: UInt8.self)
    var header = 1
    // The count of a long string or of long data is an integer after the marker.
    if marker & 0x0F == 0x0F, (Marker.data...Marker.utf8).contains(marker >> 4), count > 1 {
      header = 2 + 1 << Int(bytes.load(fromByteOffset: 1, as: UInt8.self) & 0x03)
    }
    header = min(header, count)
    return of(marker: marker, bytes + header, count - header)
  }

  @inline(__always)
  private static func seed(_ marker: UInt8, _ count: Int) -> UInt64 {
    hashSeed ^ ((UInt64(truncatingIfNeeded: count) << 8 | UInt64(marker)) &* 0x9E37_79B9_7F4A_7C15)
  }

  @inline(__always)
  private static func finish(_ hash: UInt64, _ word: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: mix(mix(hash ^ word)))
  }
}

@inline(__always)
private func mix(_ value: UInt64) -> UInt64 {
  let product = value.multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
  return product.high ^ product.low
}

// MARK: - Scalars that wait for their indexes

/// A few encoded scalars, in the order in which they were added.
struct StagedScalars: ~Copyable {
  /// A scalar, and what was found of it so far.
  struct Entry {
    var hash: UInt32
    /// Where it stands in the buffer.
    var start: Int
    var length: Int
    /// Where its index belongs among the values of open containers.
    var pendingIndex: Int
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
  mutating func stage(from start: Int, hash: UInt32, sourceOffset: Int?) -> UInt32 {
    (entries + count).initialize(
      to: Entry(
        hash: hash, start: start, length: buffer.count &- start, pendingIndex: -1,
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
