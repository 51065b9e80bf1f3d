// One input in the report of a run.

import Basics
import PropertyLists

/// The result for one input.
public struct BatchEntry {
  /// The input's name.
  public var file: String
  /// The outcome.
  public var outcome: BatchOutcome
  /// What was done, or why nothing was done.
  public var summary: String
  /// Its size; nil if it cannot be opened.
  public var bytes: Int?
  /// Its new size, if it was rewritten.
  public var newBytes: Int?
  /// The error, if there was one.
  public var error: ArchiveError?
  /// Further members of the entry; computed only if a report is written.
  public var members: () -> [(String, JSONTree)] = { [] }

  /// Makes an entry.
  public init(
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
