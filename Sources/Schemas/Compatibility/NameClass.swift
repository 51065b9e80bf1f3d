// Which patterns of `patternProperties` a member's name matches: decided for simple patterns; for others, both cases
// are tried.

import Basics

/// Names that the current schemas do not distinguish.
struct NameClass {
  /// The one name of the class; nil for all names that no schema lists.
  let name: CodePointString?
  /// The patterns that the names match.
  let matching: Set<CodePointString>

  /// If more patterns than this are undecided, the cases are not tried.
  private static let undecidedLimit = 6

  /// The classes of a name, or of all unlisted names.
  ///
  /// - Returns: nil if there are too many.
  static func classes(of name: CodePointString?, patterns: [CodePointString]) -> [NameClass]? {
    var matching: Set<CodePointString> = []
    var undecided: [CodePointString] = []
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
  static func decide(_ name: CodePointString?, _ pattern: CodePointString) -> Bool? {
    guard let plain = PlainPattern(pattern.text) else { return nil }
    if let name { return plain.matches(name.text) }
    return plain.literal.isEmpty && !(plain.isAtStart && plain.isAtEnd) ? true : nil
  }

  /// Whether a combination of patterns is possible: a text that matches a simple pattern matches those it implies.
  private func isPossible(_ patterns: [CodePointString]) -> Bool {
    for first in matching {
      guard let plain = PlainPattern(first.text) else { continue }
      for second in patterns where !matching.contains(second) {
        if let other = PlainPattern(second.text), plain.implies(other) { return false }
      }
    }
    return true
  }
}

// MARK: -
//
// Patterns simple enough to be decided without a regular expression engine: text at the start, at the end, or anywhere.
// JSON Schema's dialect is ECMA-262, in which `$` without flags is the very end.

/// A pattern that consists of text and anchors only.
package struct PlainPattern {
  let literal: String
  fileprivate let isAtStart: Bool
  fileprivate let isAtEnd: Bool

  /// Reads a pattern; nil if it has other elements than text and anchors.
  package init?(_ pattern: String) {
    if pattern == ".*" || pattern == "^.*" {
      self.init(literal: "", isAtStart: false, isAtEnd: false)
      return
    }
    var scalars = Array(pattern.unicodeScalars)
    let isAtStart = scalars.first == "^"
    if isAtStart { scalars.removeFirst() }
    let isAtEnd = scalars.last == "$" && scalars.dropLast().last != "\\"
    if isAtEnd { scalars.removeLast() }
    var literal = String.UnicodeScalarView()
    var position = 0
    while position < scalars.count {
      var scalar = scalars[position]
      position += 1
      if "^$.|?*+()[]{}".unicodeScalars.contains(scalar) { return nil }
      if scalar == "\\" {
        // Only an escaped symbol matches itself; an escaped letter is a class.
        guard position < scalars.count,
          "^$.|?*+()[]{}\\/-".unicodeScalars.contains(scalars[position])
        else { return nil }
        scalar = scalars[position]
        position += 1
      }
      literal.append(scalar)
    }
    self.init(literal: String(literal), isAtStart: isAtStart, isAtEnd: isAtEnd)
  }

  private init(literal: String, isAtStart: Bool, isAtEnd: Bool) {
    self.literal = literal
    self.isAtStart = isAtStart
    self.isAtEnd = isAtEnd
  }

  /// Whether a text matches.
  package func matches(_ text: String) -> Bool {
    let text = Array(text.unicodeScalars)
    let literal = Array(literal.unicodeScalars)
    guard literal.count <= text.count else { return false }
    if isAtStart, isAtEnd { return text == literal }
    if isAtStart { return text.starts(with: literal) }
    if isAtEnd { return text.suffix(literal.count).elementsEqual(literal) }
    return (0...(text.count - literal.count)).contains {
      text[$0..<($0 + literal.count)].elementsEqual(literal)
    }
  }

  /// Whether every text that matches this pattern matches another; false also if it is not known.
  func implies(_ other: PlainPattern) -> Bool {
    if other.literal.isEmpty, !(other.isAtStart && other.isAtEnd) { return true }
    if isAtStart, isAtEnd { return other.matches(literal) }
    if other.isAtStart, other.isAtEnd { return false }
    if other.isAtStart { return isAtStart && other.matches(literal) }
    if other.isAtEnd { return isAtEnd && other.matches(literal) }
    return other.matches(literal)
  }
}
