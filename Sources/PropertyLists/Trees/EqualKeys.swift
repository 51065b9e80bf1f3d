// Keys that are stored twice: two strings of the same characters in one dictionary.

import Basics
import ObjectGraph

extension ValueTable {
  /// Dictionaries whose keys were looked at: many have the keys of one before.
  private static let knownCount = 64
  /// The longest keys that are compared: hostile dictionaries might share very long ones.
  private static let longestKey = 1024

  /// The first dictionary with two keys that are two equal strings, and one of them.
  func equalKeys() -> (dictionary: UInt32, key: UInt32)? {
    var known = [(start: UnsafeRawPointer?, count: Int)](
      repeating: (nil, 0), count: Self.knownCount)
    for index in 0..<UInt32(truncatingIfNeeded: count)
    where marker(of: index) >> 4 == Marker.dictionary {
      let (start, count) = counted(index)
      guard count > 1 else { continue }
      let slot = Int(reference(start, 0) &+ reference(start, count - 1) &* 7) % Self.knownCount
      if let keys = known[slot].start, known[slot].count == count,
        Self.haveSameReferences(keys, start, count * referenceWidth)
      {
        continue
      }
      known[slot] = (start, count)
      if let key = equalKey(start, count) { return (index, key) }
    }
    return nil
  }

  /// A key that has the characters of another one before it; nil if there is none.
  ///
  /// - Parameters:
  ///   - start: the references to the keys.
  ///   - count: the number of keys.
  func equalKey(_ start: UnsafeRawPointer, _ count: Int) -> UInt32? {
    guard count <= 64 else { return equalKeyOfMany(start, count) }
    var seen = KeySketch()
    for position in 0..<count {
      let index = reference(start, position)
      guard let key = text(at: index), !seen.insert(key), key.byteCount <= Self.longestKey else {
        continue
      }
      for earlier in 0..<position
      where text(at: reference(start, earlier))?.sameCharacters(as: key) == true {
        return index
      }
    }
    return nil
  }

  private func equalKeyOfMany(_ start: UnsafeRawPointer, _ count: Int) -> UInt32? {
    var size = 128
    while size < count * 2 { size *= 2 }
    var slots = [UInt32](repeating: .max, count: size)
    for position in 0..<count {
      let index = reference(start, position)
      guard let key = text(at: index), key.byteCount <= Self.longestKey else { continue }
      var slot = Int(truncatingIfNeeded: key.bucketHash) & (size - 1)
      while slots[slot] != .max {
        if text(at: slots[slot])?.sameCharacters(as: key) == true { return index }
        slot = (slot + 1) & (size - 1)
      }
      slots[slot] = index
    }
    return nil
  }
}

extension Text {
  /// A hash that texts with the same characters have in common.
  fileprivate var bucketHash: Int {
    var hasher = Hasher()
    if isSevenBit { hasher.combine(bytes: bytes) } else { hasher.combine(CodePointString(string)) }
    return hasher.finalize()
  }
}
