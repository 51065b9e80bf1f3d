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

  private var slots: UnsafeMutablePointer<Slot>
  private var mask: Int
  private var count = 0

  init() {
    mask = 255
    slots = Self.emptySlots(256)
  }

  deinit { slots.deallocate() }

  /// The index of a scalar with the same bytes as those from `start` on.
  ///
  /// The first bytes of a scalar say how many it has, so no scalar is the beginning of another. All that is
  /// compared lies before the end of the scalar from `start` on, because earlier scalars have lower offsets.
  @inline(__always)
  func find(
    hash: UInt32, start: Int, length: Int, bytes: UnsafeRawBufferPointer,
    offsets: UnsafeRawBufferPointer, offsetWidth: Int
  ) -> UInt32? {
    guard let base = bytes.baseAddress, let table = offsets.baseAddress else { return nil }
    var position = Int(hash) & mask
    while !slots[position].isFree {
      let slot = slots[position]
      if slot.hash == hash {
        let place = table + Int(slot.index) &* offsetWidth
        let other = Int(truncatingIfNeeded: bigEndian(place, offsetWidth))
        if memcmp(base + start, base + other, length) == 0 { return slot.index }
      }
      position = (position &+ 1) & mask
    }
    return nil
  }

  /// Adds a scalar that `find` did not find.
  mutating func insert(_ index: UInt32, hash: UInt32) {
    if count * 3 > mask * 2 { grow() }
    place(Slot(hash: hash, index: index))
    count += 1
  }

  private func place(_ slot: Slot) {
    var position = Int(slot.hash) & mask
    while !slots[position].isFree { position = (position &+ 1) & mask }
    slots[position] = slot
  }

  private mutating func grow() {
    let old = slots
    let oldCount = mask + 1
    slots = Self.emptySlots(oldCount * 2)
    mask = oldCount * 2 - 1
    for position in 0..<oldCount where !old[position].isFree { place(old[position]) }
    old.deallocate()
  }

  private static func emptySlots(_ count: Int) -> UnsafeMutablePointer<Slot> {
    // Looked into at random: large tables want large pages.
    let size = count * MemoryLayout<Slot>.stride
    let place = UnsafeMutableRawPointer.allocate(
      byteCount: size, alignment: size >> 21 > 0 ? 1 << 21 : 8)
    #if os(Linux)
      if size >> 21 > 0 { madvise(place, size, Int32(MADV_HUGEPAGE)) }
    #endif
    let slots = place.bindMemory(to: Slot.self, capacity: count)
    slots.initialize(repeating: .free, count: count)
    return slots
  }
}

/// Differs from run to run, so that no file can be made whose scalars all collide.
private let hashSeed = UInt64.random(in: .min ... .max)

/// A hash of bytes: one multiplication for each 8 of them.
@inline(__always)
func hashBytes(_ base: UnsafeRawPointer, _ count: Int) -> UInt32 {
  var hash = hashSeed ^ (UInt64(truncatingIfNeeded: count) &* 0x9E37_79B9_7F4A_7C15)
  var position = 0
  while position &+ 8 <= count {
    hash = mix(hash ^ base.loadUnaligned(fromByteOffset: position, as: UInt64.self))
    position &+= 8
  }
  var rest: UInt64 = 0
  while position < count {
    rest = rest << 8 | UInt64(base.load(fromByteOffset: position, as: UInt8.self))
    position &+= 1
  }
  return UInt32(truncatingIfNeeded: mix(hash ^ rest))
}

@inline(__always)
private func mix(_ value: UInt64) -> UInt64 {
  let product = value.multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
  return product.high ^ product.low
}
