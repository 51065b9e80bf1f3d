// Selects one of several operations for an input, so that a run costs no more than one of them.

import ArchiveBasics
import ArchiveGraph
import Foundation

/// Picks ways by the bytes of an input: the same input goes the same way, and over many runs inputs of each kind go each.
struct FuzzChoice {
  /// With `FUZZ_ALL` in the environment every way is taken: what is found goes on being found while it is made smaller.
  private static let takesAll = ProcessInfo.processInfo.environment["FUZZ_ALL"] != nil

  private var numbers: FuzzNumbers

  init(_ storage: ByteStorage) {
    let bytes = storage.bytes
    var hash = UInt64(bytes.count)
    for start in stride(from: 0, to: bytes.count - 7, by: 8) {
      let word = bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)
      hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 29
    }
    for byte in bytes.suffix(bytes.count % 8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    numbers = FuzzNumbers(hash)
  }

  /// The way that an input goes.
  mutating func among<Way>(_ ways: [Way]) -> ArraySlice<Way> {
    let place = numbers.below(ways.count)
    return Self.takesAll ? ways[...] : ways[place..<min(place + 1, ways.count)]
  }
}
