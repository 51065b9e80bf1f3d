// An error in a regular expression, or a match that was stopped.

/// Why a pattern cannot be used, or why a match gave no answer.
package struct PatternFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kinds of faults.
  package enum Code: String, Sendable {
    /// The pattern is not an ECMA-262 regular expression.
    case syntax
    /// The pattern is a regular expression, but not one that can be matched here.
    case unsupported
    /// The library that matches patterns is not installed.
    case libraryMissing
    /// The match took too many steps or too much memory.
    case tooLong
    /// The text is not well-formed UTF-8.
    case malformedText
  }

  /// What kind of fault it is.
  package let code: Code
  /// The error, for people.
  package let reason: String
  /// The character of the pattern, counted in Unicode scalars from 0; nil if no single one is to blame.
  package let position: Int?

  init(_ code: Code, _ reason: String, at position: Int? = nil) {
    self.code = code
    self.reason = reason
    self.position = position
  }

  /// The reason, and the position if known.
  package var description: String {
    position.map { "\(reason) (at character \($0))" } ?? reason
  }
}
