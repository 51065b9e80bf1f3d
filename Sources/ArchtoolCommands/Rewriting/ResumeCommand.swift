// `--resume` and `--apply`: run recorded command lines.

import ArchiveBasics
import ArchiveBatches
import ArchiveMigrations
import CommandLineInterface
import FileTransactions

struct ResumeCommand {
  private let session: Session
  /// The options that may be specified again.
  private static let repeatable: [OptionDescription] = [
    .quiet, .color, .jobs, .failFast, .report, .noProgress,
  ]
  /// The options about destinations that are specified when a plan is applied, not before.
  private static let destinations: [OptionDescription] = [
    .inPlace, .outputDirectory, .backup, .backupDirectory, .journal, .noJournal, .keepTimes,
    .wait, .force, .dryRun,
  ]

  init(_ session: Session) {
    self.session = session
    // Evaluated now, because the run may change to another folder.
    _ = session.workingFolder
  }

  /// Continues the run or plan that `--resume` or `--apply` names.
  ///
  /// - Returns: the status to exit with.
  func run() throws -> ExitStatus {
    let arguments = session.arguments
    // Before anything is locked.
    Interruption.listen()
    for path in [OptionDescription.resume, .applyPlan].compactMap(arguments.value(of:)) {
      // Its names of files go into a report.
      session.streams.sources.add(FilePermissions(of: path))
    }
    guard let path = arguments.value(of: .resume) else {
      try check(.applyPlan, also: Self.destinations)
      return try apply(arguments)
    }
    try check(.resume, also: [])
    let outcome = try Recovery.resume(path, seals: try session.sealCheck("journal")) {
      (header) throws(ArchiveError) in try accept(header, of: path)
    }
    switch outcome {
    case .finished(let refused, let left):
      left.forEach(session.warnOfLeft)
      if refused > 0 { session.merge(.answerIsNo) }
      session.printNote("archtool: the run of \(path) is finished; nothing is left to do")
      return session.finish()
    case .resumed(let recovery):
      recovery.left.forEach(session.warnOfLeft)
      for (file, reason) in recovery.changed {
        session.printProblem("\(file): error: \(reason); its current content is used")
      }
      session.printNote(
        "archtool: resuming the run of \(path) (\(Counted.text(recovery.contents.count(.done), "file")) done)"
      )
      return try resume(recovery, of: path)
    }
  }

  /// Rejects options that were already specified when the file was written.
  private func check(_ option: OptionDescription, also: [OptionDescription]) throws(UsageError) {
    let allowed = Set(([option, .trust] + Self.repeatable + also).map(\.name))
    for other in session.arguments.command.allOptions
    where session.arguments.has(other) && !allowed.contains(other.name) {
      throw UsageError("'\(other.longForm)' cannot be used with '\(option.longForm)'")
    }
  }

  /// Rejects the journal of another command, and one whose paths now lead elsewhere.
  private func accept(_ header: JournalHeader, of journal: String) throws(ArchiveError) {
    let recorded: ParsedArguments
    do {
      recorded = try parse(header.arguments, of: journal)
    } catch let error as ArchiveError {
      throw error
    } catch {
      throw ArchiveError(
        .malformed,
        "its command line is invalid: \((error as? UsageError)?.message ?? "\(error)")",
        file: journal)
    }
    // The paths of a run that applied a plan are in the plan.
    if recorded.has(.applyPlan) { return }
    let destinations = recorded.value(of: .outputDirectory).map { [$0] } ?? recorded.operands
    try header.roots.check(destinations, in: header.directory)
  }

  private func resume(_ recovery: Recovery, of journal: String) throws -> ExitStatus {
    let recorded = try parse(recovery.header.arguments, of: journal)
    let arguments = recorded.without(Self.repeatable).overridden(
      by: session.arguments.absolute([.report]), for: Self.repeatable)
    try enter(recovery.header.directory, of: journal)
    if arguments.has(.applyPlan) { return try apply(arguments, recovery) }
    return try rewrite(arguments, RunOrigin(recovery: recovery))
  }

  /// Applies a plan, or continues to apply it.
  private func apply(
    _ given: ParsedArguments, _ recovery: Recovery? = nil
  ) throws -> ExitStatus {
    let path = given.value(of: .applyPlan) ?? ""
    let plan = try Plan(path: path, seals: try session.sealCheck("plan"))
    let recorded = try parse(plan.header.arguments, of: path)
    if let roots = plan.header.roots {
      try roots.check(recorded.operands, in: plan.header.directory)
    }
    // Paths on the command line are relative to this folder, those in the plan to its own.
    let command = try RunOrigin.Command(given)
    let destinations = given.absolute([.outputDirectory, .backupDirectory, .journal, .report])
    try enter(plan.header.directory, of: path)
    var arguments = recorded.without([.plan, .reportFormat] + Self.repeatable)
      .overridden(by: destinations, for: Self.repeatable + Self.destinations)
    if !arguments.has(.outputDirectory), !arguments.has(.dryRun) {
      arguments = arguments.with(.inPlace)
    }
    return try rewrite(
      arguments, RunOrigin(recovery: recovery, plan: plan, command: command))
  }

  private func parse(_ words: [String], of file: String) throws -> ParsedArguments {
    guard case .run(let recorded) = try ArgumentParser(table: Commands.table).parse(words),
      recorded.command == session.arguments.command
    else {
      throw ArchiveError(
        .malformed, "it was not written by archtool \(session.arguments.command.name)", file: file)
    }
    return recorded
  }

  private func enter(_ folder: String, of file: String) throws(ArchiveError) {
    guard chdir(folder.asPath) == 0 else {
      throw ArchiveError(
        .cannotOpen, "cannot go to the folder \(folder): \(systemMessage())", file: file)
    }
  }

  private func rewrite(
    _ arguments: ParsedArguments, _ origin: RunOrigin
  ) throws -> ExitStatus {
    let folder = session.workingFolder
    let session = Session(arguments, self.session.streams)
    session.workingFolder = folder
    session.origin = origin
    try Commands.type(named: arguments.command.name)?.init(session).run()
    return session.finish()
  }
}
