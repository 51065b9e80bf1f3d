// The patterns of `match` and `search`: I-Regexp (RFC 9485), translated to ECMA-262.

import Basics
import RegularExpressions

/// Compiled patterns, by their texts.
struct QueryPatterns {
  /// The size of the cache: a pattern may come from the graph, with another one for each value.
  private static let capacity = 64

  private var compiled: [String: ECMAPattern?] = [:]
  /// What all matches have cost that take longer than to visit a value, in such visits.
  private(set) var cost = 0

  /// Whether a text matches a pattern.
  ///
  /// An invalid pattern matches nothing (RFC 9535, 2.4.6).
  ///
  /// - Parameter isWhole: whether the whole text must match, or only a part of it.
  /// - Throws: `ArchiveError` with code `limit` if matching takes too long.
  mutating func matches(
    _ pattern: String, _ text: String, isWhole: Bool
  ) throws(ArchiveError) -> Bool {
    let key = (isWhole ? "m" : "s") + pattern
    if compiled[key] == nil {
      if compiled.count >= Self.capacity { compiled = [:] }
      compiled[key] = .some(try Self.compile(pattern, isWhole: isWhole))
    }
    guard let expression = compiled[key] ?? nil else { return false }
    let before = expression.cost
    defer { cost &+= (expression.cost &- before) / 8 }
    do throws(PatternFault) {
      return try expression.matches(text)
    } catch {
      throw ArchiveError(.limit, "the pattern '\(pattern)': \(error.reason)")
    }
  }

  private static func compile(
    _ pattern: String, isWhole: Bool
  ) throws(ArchiveError) -> ECMAPattern? {
    // Elements beyond I-Regexp, such as \d, have the meaning of ECMA-262.
    let text = IRegexp(pattern)?.ecmaScript ?? pattern
    do throws(PatternFault) {
      return try ECMAPattern(isWhole ? "^(?:\(text))$" : text)
    } catch {
      if error.code == .syntax { return nil }
      throw ArchiveError(.unsupported, "the pattern '\(pattern)': \(error.reason)")
    }
  }
}
