// Which patterns of `patternProperties` a member's name matches: known for simple patterns, both ways tried for others.

import Basics

/// Names that no schema at hand tells apart.
struct NameClass {
  /// The one name of the class; nil for all names that are not named.
  let name: ExactText?
  /// The patterns that the names match.
  let matching: Set<ExactText>

  /// More undecided patterns than this are not tried both ways.
  private static let undecidedLimit = 6

  /// The classes of a name, or of all unnamed names.
  ///
  /// - Returns: nil if there are too many.
  static func classes(of name: ExactText?, patterns: [ExactText]) -> [NameClass]? {
    var matching: Set<ExactText> = []
    var undecided: [ExactText] = []
    for pattern in patterns {
      switch decide(name, pattern) {
      case true: matching.insert(pattern)
      case false: break
      default: undecided.append(pattern)
      }
    }
    guard undecided.count <= undecidedLimit else { return nil }
    return (0..<(1 << undecided.count)).compactMap { choice in
      let chosen = undecided.indices.filter { choice & (1 << $0) != 0 }.map { undecided[$0] }
      let result = NameClass(name: name, matching: matching.union(chosen))
      return result.isPossible(patterns) ? result : nil
    }
  }

  /// Whether a name matches a pattern; nil if that is not known.
  static func decide(_ name: ExactText?, _ pattern: ExactText) -> Bool? {
    guard let plain = PlainPattern(pattern.text) else { return nil }
    if let name { return plain.matches(name.text) }
    return plain.literal.isEmpty && !(plain.isAtStart && plain.isAtEnd) ? true : nil
  }

  /// A text that matches one simple pattern matches every simple pattern that it implies.
  private func isPossible(_ patterns: [ExactText]) -> Bool {
    for first in matching {
      guard let plain = PlainPattern(first.text) else { continue }
      for second in patterns where !matching.contains(second) {
        if let other = PlainPattern(second.text), plain.implies(other) { return false }
      }
    }
    return true
  }
}
