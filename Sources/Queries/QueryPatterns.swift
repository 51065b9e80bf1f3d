// The patterns of `match` and `search`: I-Regexp (RFC 9485) by way of ECMA-262.

import Basics
import RegularExpressions

/// Patterns that were compiled, by their texts.
struct QueryPatterns {
  /// How many are kept: a pattern may come from the graph, another for each value.
  private static let capacity = 64

  private var compiled: [String: ECMAPattern?] = [:]

  /// Whether a text fits a pattern.
  ///
  /// What is no pattern fits nothing (RFC 9535, 2.4.6).
  ///
  /// - Parameter isWhole: whether the whole text must fit, or some of it.
  /// - Throws: `ArchiveError` with code `limit` if that takes too long.
  mutating func matches(
    _ pattern: String, _ text: String, isWhole: Bool
  ) throws(ArchiveError) -> Bool {
    let key = (isWhole ? "m" : "s") + pattern
    if compiled[key] == nil {
      if compiled.count >= Self.capacity { compiled = [:] }
      compiled[key] = .some(try Self.compile(pattern, isWhole: isWhole))
    }
    guard let expression = compiled[key] ?? nil else { return false }
    do throws(PatternFault) {
      return try expression.matches(text)
    } catch {
      throw ArchiveError(.limit, "the pattern '\(pattern)': \(error.reason)")
    }
  }

  private static func compile(
    _ pattern: String, isWhole: Bool
  ) throws(ArchiveError) -> ECMAPattern? {
    // What is more than an I-Regexp, such as \d, means what it means in ECMA-262.
    let text = IRegexp(pattern)?.ecmaScript ?? pattern
    do throws(PatternFault) {
      return try ECMAPattern(isWhole ? "^(?:\(text))$" : text)
    } catch {
      if error.code == .syntax { return nil }
      throw ArchiveError(.unsupported, "the pattern '\(pattern)': \(error.reason)")
    }
  }
}
