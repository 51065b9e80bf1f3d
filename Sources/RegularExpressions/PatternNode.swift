// A regular expression as a tree: the parser's result for ECMA-262, before it is written for PCRE2.

/// A part of a regular expression.
///
/// The parser bounds how deep parts are nested.
indirect enum PatternNode {
  /// One scalar of a set.
  case set(ScalarSet)
  case assertion(PatternAssertion)
  case sequence([PatternNode])
  case alternatives([PatternNode])
  /// A capturing group by its number, from 1.
  case capture(Int, PatternNode)
  /// The captures of these groups; at most one of them took part.
  case backreference([Int], position: Int)
  case look(PatternNode, PatternLook, position: Int)
  case repeated(PatternNode, PatternRepetition)
  /// A part in which case counts, or does not.
  case caseIgnored(Bool, PatternNode)

  /// One scalar that means itself.
  static func literal(_ scalar: UInt32) -> PatternNode { .set(ScalarSet([scalar...scalar])) }
}

/// A position in the text.
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

/// The number of repetitions of a part.
struct PatternRepetition {
  var minimum: Int
  /// Nil for no limit.
  var maximum: Int?
  var isLazy = false
  /// The position of the quantifier in the pattern.
  var position: Int
}

// MARK: - The properties of parts for PCRE2: their length, and the syntax of positions

extension PatternNode {
  /// Whether the node is one scalar.
  var isSet: Bool {
    if case .set = self { true } else { false }
  }

  /// Whether the part may match the empty text.
  var matchesEmpty: Bool {
    switch self {
    case .set: false
    case .assertion, .look, .backreference: true
    case .capture(_, let part), .caseIgnored(_, let part): part.matchesEmpty
    case .sequence(let parts): parts.allSatisfy(\.matchesEmpty)
    case .alternatives(let branches): branches.contains(where: \.matchesEmpty)
    case .repeated(let part, let repetition): repetition.minimum == 0 || part.matchesEmpty
    }
  }

  /// Whether each branch matches texts of one length only, as PCRE2 demands of lookbehinds.
  var hasFixedBranches: Bool {
    if case .alternatives(let branches) = self {
      return branches.allSatisfy { $0.width != nil }
    }
    return width != nil
  }

  /// PCRE2 looks no further back.
  private static let widthLimit = 60_000

  /// How many scalars the part matches; nil if that varies or is too much.
  private var width: Int? {
    switch self {
    case .set: return 1
    case .assertion, .look: return 0
    case .capture(_, let part), .caseIgnored(_, let part): return part.width
    case .backreference: return nil
    case .sequence(let parts):
      var sum = 0
      for part in parts {
        guard let width = part.width, sum + width <= Self.widthLimit else { return nil }
        sum += width
      }
      return sum
    case .alternatives(let branches):
      guard let first = branches.first?.width else { return nil }
      return branches.allSatisfy { $0.width == first } ? first : nil
    case .repeated(let part, let repetition):
      guard let width = part.width, repetition.minimum == repetition.maximum,
        repetition.minimum <= Self.widthLimit, width * repetition.minimum <= Self.widthLimit
      else { return nil }
      return width * repetition.minimum
    }
  }
}

extension PatternAssertion {
  /// The position in PCRE2's syntax.
  var translation: String {
    switch self {
    case .textStart: "\\A"
    case .textEnd: "\\z"
    case .lineStart: "(?<!" + ScalarSet.lineTerminators.complement.translation + ")"
    case .lineEnd: "(?!" + ScalarSet.lineTerminators.complement.translation + ")"
    case .wordBoundary: "\\b"
    case .noWordBoundary: "\\B"
    }
  }
}

extension ScalarSet {
  /// The only scalar of the set, if there is exactly one and a text can contain it.
  var single: UInt32? {
    guard !isNegated, properties.isEmpty, ranges.count == 1, ranges[0].count == 1,
      Unicode.Scalar(ranges[0].lowerBound) != nil
    else { return nil }
    return ranges[0].lowerBound
  }
}
