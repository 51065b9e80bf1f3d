// The wording of a command that rewrites archives.

/// The words for a command's work.
package struct RewriteWording: Sendable {
  /// For a file that was rewritten: `migrated`.
  package let done: String
  /// For a file that was not: `not migrated`.
  package let undone: String
  /// For a file that would be: `migrate`.
  package let verb: String
  /// For files that need no change, in the summary: `already current`.
  package let unchanged: String

  /// Makes a wording.
  package init(
    done: String, undone: String, verb: String, unchanged: String = "already current"
  ) {
    self.done = done
    self.undone = undone
    self.verb = verb
    self.unchanged = unchanged
  }
}
