// What became of a file, in a word.

/// What became of one file, or record.
package enum FileOutcome: String, CaseIterable, Sendable {
  /// It was rewritten.
  case changed
  /// Nothing was to be done.
  case unchanged
  /// It was refused.
  case refused
  /// It cannot be read, rewritten or written.
  case failed
}
