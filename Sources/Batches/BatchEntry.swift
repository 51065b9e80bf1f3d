// One input in the report of a run.

import Basics
import PropertyLists

/// The result for one input.
package struct BatchEntry {
  /// The input's name.
  package var file: String
  /// The outcome.
  package var outcome: BatchOutcome
  /// What was done, or why nothing was done.
  package var summary: String
  /// Its size; nil if it cannot be opened.
  package var bytes: Int?
  /// Its new size, if it was rewritten.
  package var newBytes: Int?
  /// The error, if there was one.
  package var error: ArchiveError?
  /// Further members of the entry; computed only if a report is written.
  package var members: () -> [(String, JSONTree)] = { [] }

  /// Makes an entry.
  package init(
    file: String, outcome: BatchOutcome, summary: String, bytes: Int? = nil, newBytes: Int? = nil,
    error: ArchiveError? = nil
  ) {
    self.file = file
    self.outcome = outcome
    self.summary = summary
    self.bytes = bytes
    self.newBytes = newBytes
    self.error = error
  }

  /// The entry as a line of the report.
  var tree: JSONTree {
    var tree: [(String, JSONTree)] = [
      ("file", .string(file.shownPath)), ("outcome", .string(outcome.rawValue)),
      ("summary", .string(summary)),
    ]
    if let bytes { tree.append(("bytes", .integer(bytes))) }
    if let newBytes { tree.append(("newBytes", .integer(newBytes))) }
    tree += members()
    if let error { tree.append(("error", error.tree)) }
    return .members(tree)
  }
}
