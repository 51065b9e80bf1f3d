// What a run goes on with: an interrupted run's journal, a plan, both or neither.

import Migrations
import ObjectGraph

/// What was decided before a run.
public struct RewriteContinuation: Sendable {
  /// The interrupted run that goes on.
  let recovery: Recovery?
  /// The plan that is done.
  let plan: Plan?

  /// Nothing was decided.
  public static let none = RewriteContinuation()

  /// Makes a continuation.
  public init(recovery: Recovery? = nil, plan: Plan? = nil) {
    self.recovery = recovery
    self.plan = plan
  }

  /// The plan that an interrupted run was held to.
  ///
  /// - Throws: `ArchiveError` if there was one, and it cannot be read any more.
  public static func plan(of recovery: Recovery) throws(ArchiveError) -> Plan? {
    let option = recovery.header.options.first { $0.name == planOption }
    return try option?.value.string.map { (path) throws(ArchiveError) in try Plan(path: path) }
  }

  private static let planOption = "plan"

  /// The journal of the run.
  func journal(
    _ arguments: ParsedArguments, roots: [JournalHeader.Root]
  ) throws(ArchiveError) -> RunJournal {
    if let recovery { return try RunJournal(recovery) }
    return try RunJournal(
      arguments, roots: roots,
      options: plan.map { [(Self.planOption, .string($0.path))] } ?? [])
  }

  /// The inputs of the run.
  ///
  /// Standard input can be read once only: the paths that come on it are put into the journal before anything is done, and
  /// are found there when the run goes on.
  ///
  /// - Parameter failed: is told of a path that is none.
  /// - Throws: `ArchiveError` if the journal cannot be written.
  func selection(
    _ selection: InputSelection, _ journal: Journal?, failed: (String, ArchiveError) -> Void
  ) throws(ArchiveError) -> InputSelection {
    guard selection.lists.contains("-"), let journal else { return selection }
    var selection = selection
    selection.lists.removeAll { $0 == "-" }
    if let recovery {
      selection.listed = recovery.inputs
      return selection
    }
    let list = try PathList("-", isNullSeparated: selection.isNullSeparated)
    while let element = list.next() {
      switch element {
      case .path(let path): selection.listed.append(path)
      case .failure(let path, let error): failed(path, error)
      }
    }
    try journal.append(selection.listed.map { .input($0) })
    try journal.synchronise()
    return selection
  }

  /// The rewriting of the run.
  func rewriting(_ base: any ArchiveRewriting) -> any ArchiveRewriting {
    plan.map { PlannedRewriting(base, plan: $0) } ?? base
  }
}
