// The words of a command that rewrites archives.

/// How a command calls what it does.
public struct RewriteWording: Sendable {
  /// Of a file that was rewritten: `migrated`.
  public let done: String
  /// Of one that was not: `not migrated`.
  public let undone: String
  /// What would be done: `migrate`.
  public let verb: String
  /// Of files that need nothing, in the summary: `already current`.
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
