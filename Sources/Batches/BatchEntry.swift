// One input as the report of a run tells of it.

import Basics
import PropertyLists

/// What became of one input.
public struct BatchEntry {
  /// The input's name.
  public var file: String
  /// What became of it.
  public var outcome: BatchOutcome
  /// What was done, or why nothing was.
  public var summary: String
  /// Its size; nil if it cannot be opened.
  public var bytes: Int?
  /// Its size now, if it was rewritten.
  public var newBytes: Int?
  /// What is wrong.
  public var error: ArchiveError?
  /// What else there is to tell, member by member; asked for where a report is written, and only there.
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

  /// The entry's line.
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
