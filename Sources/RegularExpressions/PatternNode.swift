// A regular expression as a tree: what the parser makes of ECMA-262, before it is written for PCRE2.

/// A part of a regular expression.
///
/// The parser bounds how deep parts stand in one another.
indirect enum PatternNode {
  /// One scalar of a set.
  case set(ScalarSet)
  case assertion(PatternAssertion)
  case sequence([PatternNode])
  case alternatives([PatternNode])
  /// A capturing group by its number, from 1.
  case capture(Int, PatternNode)
  /// What the groups of these numbers captured; one of them at most took part.
  case backreference([Int], position: Int)
  case look(PatternNode, PatternLook, position: Int)
  case repeated(PatternNode, PatternRepetition)
  /// A part in which case counts, or does not.
  case caseIgnored(Bool, PatternNode)

  /// One scalar that means itself.
  static func literal(_ scalar: UInt32) -> PatternNode { .set(ScalarSet([scalar...scalar])) }
}

/// A place in the text.
enum PatternAssertion {
  case textStart
  case textEnd
  case lineStart
  case lineEnd
  case wordBoundary
  case noWordBoundary
}

/// The kinds of looking around.
struct PatternLook {
  var isBehind: Bool
  var isNegative: Bool
}

/// How often a part stands in a row.
struct PatternRepetition {
  var minimum: Int
  /// Nil if there is no limit.
  var maximum: Int?
  var isLazy = false
  /// Where the quantifier stands in the pattern.
  var position: Int
}
