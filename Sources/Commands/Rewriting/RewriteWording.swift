// The wording of a command that rewrites archives.

/// The words for a command's work.
public struct RewriteWording: Sendable {
  /// For a file that was rewritten: `migrated`.
  public let done: String
  /// For a file that was not: `not migrated`.
  public let undone: String
  /// For a file that would be: `migrate`.
  public let verb: String
  /// For files that need no change, in the summary: `already current`.
  public let unchanged: String

  /// Makes a wording.
  public init(
    done: String, undone: String, verb: String, unchanged: String = "already current"
  ) {
    self.done = done
    self.undone = undone
    self.verb = verb
    self.unchanged = unchanged
  }
}
