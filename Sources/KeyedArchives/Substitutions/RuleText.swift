// The common syntax of all rules.

import Basics

/// Takes rules apart.
enum RuleText {
  /// The sides of a rule's one `=`.
  ///
  /// - Parameter form: the rule's form, for the error.
  /// - Throws: `ArchiveError` with code `malformed` if it is missing.
  static func sides(
    of rule: String, form: String
  ) throws(ArchiveError) -> (left: String, right: String) {
    let sides = rule.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    guard sides.count == 2 else {
      let found = sides.count == 1 ? "no '='" : "\(sides.count - 1) '='"
      throw ArchiveError(.malformed, "the rule '\(rule)' should be \(form), but has \(found)")
    }
    return (sides[0], sides[1])
  }
}
