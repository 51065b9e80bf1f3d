// Pseudorandom numbers, which are the same for the same seed on every system.

/// A generator of numbers (SplitMix64; Steele, Lea and Flood, 2014).
package struct SampleNumbers: RandomNumberGenerator {
  private var state: UInt64

  /// Begins with a seed; each number of a series under the same seed has numbers of its own.
  package init(seed: UInt64, series: Int = 0) {
    state = seed
    state = next() &+ UInt64(truncatingIfNeeded: series)
  }

  /// The next number.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// True once in so many times.
  mutating func isOne(in count: UInt64) -> Bool { next() % count == 0 }
}
