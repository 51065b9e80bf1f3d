// A run that left a journal, as one of many: when it was, what it did, and whether it was undone.

import Basics
import PropertyLists

/// A journal with what it says of its run.
package struct RecordedRun: Sendable {
  /// The journal's path, links resolved.
  package let journal: String
  /// What the journal says.
  package let report: JournalReport
  /// Whether a process is working on the run now.
  package let isRunning: Bool
  /// When the journal was last written: of two runs of one moment, which only journals without fractions of the second
  /// can have, the later was written later.
  private let written: (seconds: Int, nanoseconds: Int)

  /// Reads a journal.
  ///
  /// - Parameters:
  ///   - path: the journal, links resolved.
  ///   - key: the user's key for the check of the seals, or nil.
  /// - Throws: as `JournalReport` does.
  package init(_ path: String, key: SealingKey?) throws(ArchiveError) {
    journal = path
    report = try JournalReport(path, listsFiles: false, key: key)
    isRunning = report.progress == .unfinished && Journal.isLocked(path)
    let moment = FileStatus(of: path, followsLinks: false)?.modification ?? timespec()
    written = (moment.tv_sec, moment.tv_nsec)
  }

  /// How far the run came: `running`, `finished`, `unfinished` or `undone`.
  package var state: String { isRunning ? "running" : report.progress.rawValue }

  /// How many files the run replaced, those that were restored since among them.
  package var changedCount: Int {
    report.contents.count(.done) + report.contents.count(.undone)
  }

  /// Whether an undo has something to restore.
  package var canBeUndone: Bool {
    report.progress != .undone
      && report.contents.count(.done) + report.contents.count(.unfinished) > 0
  }

  /// Whether a run began after another.
  static func isNewer(_ left: RecordedRun, than right: RecordedRun) -> Bool {
    // As times: texts with and without a fraction do not compare as such.
    let (began, other) = (left.report.header.started, right.report.header.started)
    if began != other {
      guard let first = Timestamp(text: began), let second = Timestamp(text: other) else {
        return began > other
      }
      return first.secondsFromReference > second.secondsFromReference
    }
    if left.written != right.written { return left.written > right.written }
    return left.journal < right.journal
  }

  /// The run for programs.
  package var tree: JSONTree {
    let members = report.tree.members ?? []
    return .members(
      [("journal", .string(journal.shownPath))]
        + members.filter { $0.0 != "files" && $0.0 != "options" }
        .map { $0.0 == "state" ? ("state", .string(state)) : ($0.0, $0.1) })
  }
}
