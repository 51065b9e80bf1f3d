// `--resume` and `--apply`: command lines that were written down, done now.

import CommandLineInterface
import Migrations
import ObjectGraph

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

struct Continuation {
  private let session: Session
  /// What may be said anew.
  private static let anew: [OptionDescription] = [
    .quiet, .color, .jobs, .failFast, .report, .noProgress,
  ]

  init(_ session: Session) { self.session = session }

  /// Goes on with what `--resume` or `--apply` names.
  ///
  /// - Returns: the status to exit with.
  func run() throws -> ExitStatus {
    let arguments = session.arguments
    if let path = arguments.value(of: .resume) {
      try check(.resume, also: [])
      switch try Recovery.resume(path) {
      case .finished:
        session.say("archtool: the run of \(path) came to its end; nothing is left to do")
        return session.finish()
      case .resumed(let recovery):
        for file in recovery.changed {
          session.complain(
            "\(file): error: was changed after the run was interrupted; it is done as it is now")
        }
        let header = recovery.header
        session.say(
          "archtool: going on with the run of \(path): \(recovery.count(.done)) files are done")
        let continuation = RewriteContinuation(
          recovery: recovery, plan: try RewriteContinuation.plan(of: recovery))
        return try go(on: header.arguments, in: header.directory, continuation, of: path)
      }
    }
    let path = arguments.value(of: .applyPlan) ?? ""
    try check(
      .applyPlan,
      also: [
        .inPlace, .outputDirectory, .backup, .backupDirectory, .journal, .noJournal, .keepTimes,
        .wait, .force, .dryRun,
      ])
    let plan = try Plan(path: path)
    return try go(
      on: plan.header.arguments, in: plan.header.directory, RewriteContinuation(plan: plan),
      of: path)
  }

  /// Everything else was said when the file was written.
  private func check(_ option: OptionDescription, also: [OptionDescription]) throws(UsageError) {
    let allowed = Set(([option] + Self.anew + also).map(\.name))
    for other in session.arguments.command.allOptions
    where session.arguments.has(other) && !allowed.contains(other.name) {
      throw UsageError("'\(other.longForm)' cannot be used with '\(option.longForm)'")
    }
  }

  private func go(
    on words: [String], in folder: String, _ continuation: RewriteContinuation, of file: String
  ) throws -> ExitStatus {
    guard case .run(let recorded) = try ArgumentParser().parse(words),
      recorded.command == session.arguments.command
    else {
      throw ArchiveError(
        .malformed, "it was not written by archtool \(session.arguments.command.name)", file: file)
    }
    guard chdir(folder) == 0 else {
      throw ArchiveError(
        .cannotOpen, "cannot go to the folder \(folder): \(systemMessage())", file: file)
    }
    var arguments = recorded.without(Self.anew)
      .overridden(by: session.arguments, for: Self.anew)
    if session.arguments.has(.applyPlan) {
      let places: [OptionDescription] = [
        .inPlace, .outputDirectory, .backup, .backupDirectory, .journal, .noJournal, .keepTimes,
        .wait, .force, .dryRun,
      ]
      arguments = arguments.without([.plan, .reportFormat])
        .overridden(by: session.arguments, for: places)
      if !arguments.has(.outputDirectory), !arguments.has(.dryRun) {
        arguments = arguments.with(.inPlace)
      }
    }
    let session = Session(arguments)
    try Archtool.rewrite(session, continuation)
    return session.finish()
  }
}
