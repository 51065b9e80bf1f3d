// How much work one match may do, counted at every step that PCRE2 reports.

internal import CPCRE2

/// Work that is left, in characters walked over.
struct MatchBudget {
  private(set) var rest: Int
  private var lastPosition = 0
  /// The translated pattern, in which backreferences are recognized.
  private let pattern: [UInt8]
  private let hasReferences: Bool

  /// Work for a text of so many bytes: so much for any text, and linear in long ones.
  init(_ work: Int, textLength: Int, pattern: [UInt8]) {
    rest = work + 16 * textLength
    self.pattern = pattern
    // A reference is written `\g{1}`: a pattern without a g needs no check at each step.
    hasReferences = pattern.contains(UInt8(ascii: "g"))
  }

  /// Pays for a step; false if nothing is left.
  private mutating func pay(_ block: UnsafePointer<pcre2_callout_block_8>) -> Bool {
    let position = block.pointee.current_position
    rest -= 1 + abs(position - lastPosition)
    lastPosition = position
    let part = block.pointee.pattern_position
    if hasReferences, part < pattern.count, pattern[part] == UInt8(ascii: "\\") {
      rest -= comparison(block.pointee)
    }
    return rest > 0
  }

  /// The maximum cost of comparing with a captured text: many bytes at once, but also if it fails.
  private func comparison(_ block: pcre2_callout_block_8) -> Int {
    var index = block.pattern_position
    guard index + 3 < pattern.count, pattern[index + 1] == UInt8(ascii: "g"),
      let offsets = block.offset_vector
    else { return 0 }
    index += 3
    var group = 0
    while index < pattern.count, (0x30...0x39).contains(pattern[index]), group < 1_000_000 {
      group = group * 10 + Int(pattern[index] - 0x30)
      index += 1
    }
    guard group < Int(block.capture_top), offsets[2 * group] <= offsets[2 * group + 1] else {
      return 0
    }
    let length = offsets[2 * group + 1] - offsets[2 * group]
    return length <= block.subject_length - block.current_position ? length / 16 : 0
  }

  /// What PCRE2 calls before each part of the pattern, with a pointer to the budget.
  static let callout: PCRE2.Callout = { block, data in
    guard let block, let budget = data?.assumingMemoryBound(to: MatchBudget.self) else { return 0 }
    return budget.pointee.pay(block) ? 0 : PCRE2_ERROR_CALLOUT
  }
}
