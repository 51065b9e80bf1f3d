// Finds equal scalars by their encoded bytes: growable open addressing over indexes, no boxes.

import Basics

/// The set of the scalars of a builder.
struct ScalarIndex: ~Copyable {
  /// Hash and index of a scalar.
  private struct Slot {
    var hash: UInt32
    var index: UInt32

    static let free = Slot(hash: 0, index: .max)

    var isFree: Bool { index == .max }
  }

  /// A table of at least so many slots has the next one allocated before it is full, so that its pages can be there.
  private static let largeCount = 1 << 18

  private var slots: UnsafeMutablePointer<Slot>
  private var mask: Int
  private var count = 0
  /// With how many scalars the table grows, or is to have the next one allocated.
  private var bound = 0
  /// The next table, of twice as many slots, which nobody has touched.
  private var next: UnsafeMutablePointer<Slot>?

  init() {
    mask = 255
    slots = Self.emptySlots(256)
    bound = fullCount
  }

  deinit {
    slots.deallocate()
    next?.deallocate()
  }

  /// How many scalars there may be.
  private var fullCount: Int { (mask * 2) / 3 }

  /// The memory of the next table.
  var rest: ComingMemory.Rest? {
    let size = (mask + 1) * 2 * MemoryLayout<Slot>.stride
    return next.flatMap { ComingMemory.Rest($0, filled: 0, of: size, wanted: size) }
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
    var position = Int(hash) & mask
    while !slots[position].isFree {
      let slot = slots[position]
      if slot.hash == hash {
        let place = offsets + Int(slot.index) &* offsetWidth
        let offset = offsetWidth == 4 ? Int(bigEndian(place, 4)) : Int(bigEndian(place, 8))
        if isEqual(values + offset) { return slot.index }
      }
      position = (position &+ 1) & mask
    }
    return nil
  }

  /// The index that `find` will probably compare first; the highest number if there is none.
  @inline(__always)
  func candidate(hash: UInt32) -> UInt32 {
    let slot = slots[Int(hash) & mask]
    return slot.hash == hash ? slot.index : .max
  }

  /// Adds a scalar that `find` did not find.
  mutating func insert(_ index: UInt32, hash: UInt32) {
    if count > bound { makeRoom() }
    place(Slot(hash: hash, index: index))
    count += 1
  }

  private func place(_ slot: Slot) {
    var position = Int(slot.hash) & mask
    while !slots[position].isFree { position = (position &+ 1) & mask }
    slots[position] = slot
  }

  @inline(never)
  private mutating func makeRoom() {
    if count > fullCount { return grow() }
    next = .allocateTable(capacity: (mask + 1) * 2)
    bound = fullCount
  }

  private mutating func grow() {
    let old = slots
    let oldCount = mask + 1
    slots = Self.emptySlots(oldCount * 2, in: next)
    next = nil
    mask = oldCount * 2 - 1
    bound = mask < Self.largeCount ? fullCount : fullCount / 4 * 3
    for position in 0..<oldCount where !old[position].isFree { place(old[position]) }
    old.deallocate()
  }

  private static func emptySlots(
    _ count: Int, in memory: UnsafeMutablePointer<Slot>? = nil
  ) -> UnsafeMutablePointer<Slot> {
    let slots = memory ?? .allocateTable(capacity: count)
    slots.initialize(repeating: .free, count: count)
    return slots
  }
}

/// Differs from run to run, so that no file can be made whose scalars all collide.
private let hashSeed = UInt64.random(in: .min ... .max)

/// Hashes of scalars, by their marker and what follows it and a count.
enum ScalarHash {
  /// The hash of a scalar whose content is these bytes: one multiplication for each 8 of them.
  @inline(__always)
  static func of(marker: UInt8, _ base: UnsafeRawPointer, _ count: Int) -> UInt32 {
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

  /// The hash of a number in some bytes, most significant first: the same as of these bytes.
  @inline(__always)
  static func of(marker: UInt8, bigEndian number: UInt64, width: Int) -> UInt32 {
    var bytes = number.byteSwapped
    return withUnsafeBytes(of: &bytes) { bytes in
      bytes.baseAddress.map { of(marker: marker, $0 + (8 - width), width) } ?? 0
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
