// The references of short containers, of which a table mostly consists: what is usual about them is seen at once.

import Basics

/// Keys that dictionaries of a table have again and again, and that need not be looked at again.
///
/// Each slot has the references of the first such dictionary, which stay where they are while the table is checked.
struct KnownKeys {
  static let slotCount = 32

  let slots: UnsafeMutablePointer<UnsafeRawPointer?>

  /// The slot for the keys of a short dictionary: those of as many that begin alike.
  @inline(__always)
  func slot(_ keys: UnsafeRawPointer, _ count: Int) -> UnsafeMutablePointer<UnsafeRawPointer?> {
    let first = UInt64(keys.loadUnaligned(as: UInt16.self))
    let all = first << 4 | UInt64(truncatingIfNeeded: count)
    // The highest five bits of Fibonacci hashing: there are 32 slots.
    return slots + Int(truncatingIfNeeded: (all &* 0x9E37_79B9_7F4A_7C15) &>> 59)
  }

  /// Whether keys are those in their slot.
  @inline(__always)
  func has(
    _ slot: UnsafeMutablePointer<UnsafeRawPointer?>, _ keys: UnsafeRawPointer, _ byteCount: Int
  ) -> Bool {
    guard let known = slot.pointee else { return false }
    // The marker before the keys of a short dictionary has their number.
    return (known - 1).load(as: UInt8.self) == (keys - 1).load(as: UInt8.self)
      && ValueTable.haveSameReferences(known, keys, byteCount)
  }
}

/// What is found out about some references together.
private struct ReferenceRange {
  var lowest = Int.max
  var highest = -1
  var isRepeating = false
}

extension ValueTable {
  /// Whether as many references at two places are the same.
  ///
  /// Dictionaries have few keys: a call of memcmp would take longer.
  @inlinable @inline(__always)
  public static func haveSameReferences(
    _ first: UnsafeRawPointer, _ second: UnsafeRawPointer, _ byteCount: Int
  ) -> Bool {
    var position = 0
    while position &+ 8 <= byteCount {
      guard
        first.loadUnaligned(fromByteOffset: position, as: UInt64.self)
          == second.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      else { return false }
      position &+= 8
    }
    while position &+ 2 <= byteCount {
      guard
        first.loadUnaligned(fromByteOffset: position, as: UInt16.self)
          == second.loadUnaligned(fromByteOffset: position, as: UInt16.self)
      else { return false }
      position &+= 2
    }
    return position == byteCount
      || first.load(fromByteOffset: position, as: UInt8.self)
        == second.load(fromByteOffset: position, as: UInt8.self)
  }

  /// Whether the references of a short container are sound, and nothing further is to be found out about them.
  ///
  /// - Parameters:
  ///   - start: the first reference, after the marker.
  ///   - elements: the number of elements or pairs.
  ///   - index: the container.
  ///   - known: the keys that need not be looked at again.
  @inline(__always)
  func areUsual<Offset: StoredWidth, Reference: StoredWidth>(
    _: Offset.Type, _: Reference.Type, _ start: UnsafeRawPointer, _ elements: Int, _ hasKeys: Bool,
    _ index: UInt32, _ known: KnownKeys, _ survey: inout Survey
  ) -> Bool {
    let keysSize = elements &* Reference.size
    let values = hasKeys ? start + keysSize : start
    let valuesRange = range(Reference.self, values, elements, areKeys: false)
    guard valuesRange.highest < count else { return false }
    let slot = known.slot(start, elements)
    // After a fault every reference back is taken for one to a container.
    if hasKeys, survey.fault != nil || !known.has(slot, start, keysSize) {
      let keysRange = range(Reference.self, start, elements, areKeys: true)
      guard keysRange.highest < count, !keysRange.isRepeating,
        findBackward(Offset.self, Reference.self, start, elements, keysRange, index, &survey)
      else { return false }
      // None of them is a container, or it does not matter any more; later dictionaries refer back to the same keys.
      if keysRange.highest <= Int(index) { slot.pointee = start }
    }
    guard findBackward(Offset.self, Reference.self, values, elements, valuesRange, index, &survey)
    else { return false }
    survey.allowance &-= elements
    return true
  }

  /// Finds the lowest and the highest of some references, and whether one of some keys may be repeated.
  @inline(__always)
  private func range<Reference: StoredWidth>(
    _: Reference.Type, _ start: UnsafeRawPointer, _ elements: Int, areKeys: Bool
  ) -> ReferenceRange {
    var range = ReferenceRange()
    var seen: UInt64 = 0
    for position in 0..<elements {
      let reference = Reference.load(start, position)
      range.highest = max(range.highest, reference)
      range.lowest = min(range.lowest, reference)
      guard areKeys else { continue }
      let bit: UInt64 = 1 << UInt64(reference & 63)
      range.isRepeating = range.isRepeating || seen & bit != 0
      seen |= bit
    }
    return range
  }

  /// Looks for a container among those of some references that go back; false if one may be at a fault.
  @inline(__always)
  private func findBackward<Offset: StoredWidth, Reference: StoredWidth>(
    _: Offset.Type, _: Reference.Type, _ start: UnsafeRawPointer, _ elements: Int,
    _ range: ReferenceRange, _ index: UInt32, _ survey: inout Survey
  ) -> Bool {
    if survey.hasBackwardContainer || range.lowest > Int(index) { return true }
    guard survey.fault == nil else { return false }
    for position in 0..<elements {
      let reference = Reference.load(start, position)
      guard reference <= Int(index) else { continue }
      if survey.isContainer(UInt32(truncatingIfNeeded: reference))
        ?? (base.load(fromByteOffset: Offset.load(offsets, reference), as: UInt8.self) >= 0xA0)
      {
        survey.hasBackwardContainer = true
        break
      }
    }
    return true
  }
}
