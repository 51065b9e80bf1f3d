// The origin of a run: a new run, an interrupted run's journal, or a plan.

import Basics
import Batches
import CommandLineInterface
import FileTransactions
import Migrations

/// Decisions made before a run.
package struct RunOrigin: Sendable {
  /// A command line as a journal stores it.
  package struct Command: Sendable {
    let words: [String]
    let folder: String

    /// Stores a command line that was entered in the working folder.
    ///
    /// - Throws: `ArchiveError` with code `cannotOpen` if the folder has no name.
    package init(_ arguments: ParsedArguments) throws(ArchiveError) {
      words = arguments.words
      folder = try FileLocation.resolved(".")
    }
  }

  /// The interrupted run to continue.
  let recovery: Recovery?
  /// The plan to apply.
  let plan: Plan?
  /// The command line that the user entered, if another one is executed.
  let command: Command?

  /// Makes a continuation; without arguments, a new run.
  package init(recovery: Recovery? = nil, plan: Plan? = nil, command: Command? = nil) {
    self.recovery = recovery
    self.plan = plan
    self.command = command
  }

  /// The journal of the run.
  func journal(
    _ arguments: ParsedArguments, roots: [JournalHeader.Root], listed: [String]
  ) throws(ArchiveError) -> RunJournal {
    if let recovery { return try RunJournal(recovery) }
    let command = if let command { command } else { try Command(arguments) }
    return try RunJournal(arguments, of: command, roots: roots, listed: listed)
  }

  /// The inputs of the run; paths from lists are in the journal, those from standard input in the plan.
  func selection(_ selection: InputSelection) -> InputSelection {
    var selection = selection
    if let recovery {
      (selection.lists, selection.listed) = ([], recovery.inputs)
    } else if let plan, selection.lists.contains("-") {
      (selection.lists, selection.listed) = ([], plan.files)
    }
    return selection
  }

  /// The rewriting of the run.
  func rewriting(_ base: any ArchiveRewriting) throws(ArchiveError) -> any ArchiveRewriting {
    if let plan { return PlanEnforcer(base, plan: plan) }
    return base
  }
}
