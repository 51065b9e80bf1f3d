// A member's name, and the patterns of `patternProperties` that it matches.

import Basics
import RegularExpressions

/// Names that the schemas at a location do not distinguish.
struct NameClass {
  /// The one name of the class; nil for all names that no schema lists.
  let name: CodePointString?
  /// The patterns that the names match.
  let matching: Set<CodePointString>
}

/// The patterns of a comparison or a generator, each compiled once.
final class PatternCache {
  private var known: [CodePointString: PatternSample?] = [:]

  /// A pattern; nil if it is invalid.
  func pattern(_ source: String) -> PatternSample? {
    let key = CodePointString(source)
    if let pattern = known[key] { return pattern }
    let pattern = PatternSample(source)
    known[key] = .some(pattern)
    return pattern
  }

  /// The class of a name, with those of some patterns that it matches.
  func names(_ name: CodePointString, of patterns: [CodePointString]) -> NameClass {
    NameClass(
      name: name,
      matching: Set(patterns.filter { pattern($0.text)?.matches(name.text) == true }))
  }
}
