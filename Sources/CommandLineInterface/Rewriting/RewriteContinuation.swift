// What a run goes on with: nothing, an interrupted run's journal, or a plan.

import Migrations
import ObjectGraph

/// What was decided before a run.
public enum RewriteContinuation: Sendable {
  /// Nothing.
  case none
  /// An interrupted run goes on.
  case recovery(Recovery)
  /// A plan is done.
  case plan(Plan)

  /// The journal of the run.
  func journal(
    _ arguments: ParsedArguments, roots: [JournalHeader.Root]
  ) throws(ArchiveError) -> RunJournal {
    if case .recovery(let recovery) = self { return try RunJournal(recovery) }
    return try RunJournal(arguments, roots: roots)
  }

  /// The inputs of the run; the names that came on standard input stand in the journal.
  func selection(_ selection: InputSelection) -> InputSelection {
    guard case .recovery(let recovery) = self, selection.lists.contains("-") else {
      return selection
    }
    var selection = selection
    selection.lists.removeAll { $0 == "-" }
    selection.operands += recovery.inputs
    return selection
  }

  /// The rewriting of the run.
  func rewriting(_ base: any ArchiveRewriting) throws(ArchiveError) -> any ArchiveRewriting {
    if case .plan(let plan) = self { return PlannedRewriting(base, plan: plan) }
    return base
  }
}
