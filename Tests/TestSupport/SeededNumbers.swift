// Pseudorandom numbers, which are the same for the same seed, so that a failed test can be repeated.

/// A generator of numbers (SplitMix64, Steele and others, 2014).
package struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  /// Begins with a seed.
  package init(seed: UInt64) { state = seed }

  /// The next number.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to a bound.
  package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(bound, 1))) }
}
