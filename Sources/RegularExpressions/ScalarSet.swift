// Sets of Unicode scalars, as the classes of a regular expression name them.

/// Scalars in ranges and by property.
struct ScalarSet: Equatable {
  var ranges: [ClosedRange<UInt32>]
  var properties: [UnicodeProperty] = []
  var isNegated = false

  static let last: UInt32 = 0x10_FFFF
  /// Code points that no text contains: UTF-8 has no surrogates.
  private static let surrogates: ClosedRange<UInt32> = 0xD800...0xDFFF

  init(_ ranges: [ClosedRange<UInt32>]) { self.ranges = ranges }

  init(_ property: UnicodeProperty) {
    ranges = []
    properties = [property]
  }

  /// Every scalar.
  static let all = ScalarSet([0...last])

  /// `\d`: ECMA-262, CharacterClassEscape.
  static let digits = ScalarSet([0x30...0x39])

  /// `\w`.
  static let word = ScalarSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])

  /// What matches `\w` if case is ignored: U+017F folds to s, U+212A to k.
  static let wordIgnoringCase = ScalarSet(word.ranges + [0x17F...0x17F, 0x212A...0x212A])

  /// `\s`: ECMA-262's WhiteSpace (with U+FEFF and the category Zs) and LineTerminator.
  static let space = ScalarSet([
    0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029,
    0x202F...0x202F, 0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
  ])

  /// ECMA-262's LineTerminator.
  static let lineTerminators = ScalarSet([0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029])

  /// The scalars that are not in the set; its ranges are in order and by no property.
  var complement: ScalarSet {
    var gaps: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for range in ranges {
      if range.lowerBound > next { gaps.append(next...range.lowerBound - 1) }
      next = range.upperBound + 1
    }
    if next <= Self.last { gaps.append(next...Self.last) }
    return ScalarSet(gaps)
  }

  mutating func formUnion(_ other: ScalarSet) {
    ranges += other.ranges
    properties += other.properties
  }

  /// The set in PCRE2's syntax.
  var translation: String {
    var items = ""
    for range in ranges.compactMap(Self.withoutSurrogates) {
      items += Self.escape(range.lowerBound)
      if range.count > 1 { items += "-" + Self.escape(range.upperBound) }
    }
    for property in properties { items += property.translation }
    if items.isEmpty {
      // An empty class is written as one that excludes, or includes, everything.
      return isNegated ? "[\\x{0}-\\x{10ffff}]" : "[^\\x{0}-\\x{10ffff}]"
    }
    return (isNegated ? "[^" : "[") + items + "]"
  }

  /// A scalar so that it means itself, in a class and out of it.
  static func escape(_ scalar: UInt32) -> String {
    switch scalar {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A:
      Unicode.Scalar(scalar).map { String(Character($0)) } ?? ""
    default: "\\x{" + String(scalar, radix: 16) + "}"
    }
  }

  /// PCRE2 takes no surrogate as an end of a range.
  private static func withoutSurrogates(_ range: ClosedRange<UInt32>) -> ClosedRange<UInt32>? {
    let lower = surrogates.contains(range.lowerBound) ? 0xE000 : range.lowerBound
    let upper = surrogates.contains(range.upperBound) ? 0xD7FF : range.upperBound
    return lower <= upper ? lower...upper : nil
  }
}
