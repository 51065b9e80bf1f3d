// One rule for the top-level keys of keyed archives: `tabs=root`.

import Basics

/// A top-level key and what it becomes.
public struct TopRename: Hashable, Sendable {
  /// The key, as the app's code spells it.
  public let old: String
  /// The new key.
  public let new: String

  /// The rule as it is written.
  public var text: String { "\(old)=\(new)" }

  /// Reads a rule `OLD=NEW`.
  ///
  /// - Throws: `ArchiveError` with code `malformed` if it is none.
  public init(rule: String) throws(ArchiveError) {
    (old, new) = try RuleText.sides(of: rule, form: "OLD=NEW")
    guard !old.isEmpty else {
      throw ArchiveError(.malformed, "the rule '\(rule)' lacks the old key before '='")
    }
    guard !new.isEmpty else {
      throw ArchiveError(.malformed, "the rule '\(rule)' lacks the new key after '='")
    }
  }
}
