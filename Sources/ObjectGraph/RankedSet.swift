// A set of numbers as bits, in which a number also finds what is kept for it in a table of the members alone.

import Basics

/// A set of numbers below a bound that knows how many of its members are below each of them.
///
/// It takes a quarter of a byte for each number, and has no owner: whoever made it frees it.
@usableFromInline
struct RankedSet {
  /// Which of 64 numbers are members, and how many members are below these.
  @usableFromInline
  struct Block {
    @usableFromInline var bits: UInt64 = 0
    @usableFromInline var before: UInt64 = 0
  }

  @usableFromInline let blocks: UnsafeMutablePointer<Block>
  private let blockCount: Int

  /// Makes an empty set.
  ///
  /// - Parameter bound: above all numbers that are inserted or looked for.
  init(bound: Int) {
    blockCount = bound / 64 + 1
    blocks = .allocateTable(capacity: blockCount)
    blocks.initialize(repeating: Block(), count: blockCount)
  }

  func deallocate() { blocks.deallocate() }

  /// Makes a number a member.
  @inline(__always)
  func insert(_ number: Int) { blocks[number >> 6].bits |= 1 << UInt64(number & 63) }

  /// Counts the members, after which they have their ranks.
  func seal() -> Int {
    var count = 0
    for position in 0..<blockCount {
      blocks[position].before = UInt64(count)
      count += blocks[position].bits.nonzeroBitCount
    }
    return count
  }

  /// How many members are below a number; nil if it is none.
  @inlinable @inline(__always)
  func rank(of number: Int) -> Int? {
    let block = blocks + (number >> 6)
    let bit: UInt64 = 1 << UInt64(number & 63)
    guard block.pointee.bits & bit != 0 else { return nil }
    let below = (block.pointee.bits & (bit &- 1)).nonzeroBitCount
    return Int(truncatingIfNeeded: block.pointee.before) &+ below
  }
}
