// `archtool undo`: restores the files that a run replaced.

import ArchiveBasics
import ArchiveBatches
import CommandLineInterface
import FileTransactions

struct Undo: Command {
  static let name = "undo"
  static let description = CommandDescription(
    name: name,
    abstract: "undo a run, from its journal",
    operands: Operands(name: "JOURNAL", orOption: .lastRun, minimum: 1, maximum: 1),
    options: [.lastRun, .dryUndo, .forceUndo, .trust, .noProgress],
    commonOptions: [.quiet, .color, .help],
    rules: [.replaces(.lastRun, selection: [])],
    discussion: """
      Every file that the run replaced gets its old bytes back, with its mode, times and extended
      attributes. Files that the run created are deleted, and those that it deleted are restored.
      The last file comes first. Each is replaced completely or not at all.

      With --last the run is the newest one that journal list shows and that is not undone.
      Repeated, it undoes one run after another. A run with a file that cannot be restored stays the
      last one; the one before it is then undone by its journal, which is reported. On a terminal
      archtool asks before it undoes a run that began in another folder.

      A file that changed after the run is left alone, unless --force is given; that change is then
      lost. An interrupted undo can be repeated. The old files are in the folder that the journal
      names; a run can be undone as long as that folder exists.

      The lines of a journal are sealed with a key of the user. A journal that was edited, or that
      comes from another user, another machine or an older version, is refused; --trust accepts it.
      Check it first, with archtool journal show.
      """,
    examples: [
      "archtool undo --dry-run feeds.journal": "Show which files would get their old bytes back.",
      "archtool undo feeds.journal": "Undo the run of feeds.journal.",
      "archtool undo --last": "Undo the last run.",
    ],
    exits: .writing,
    meanings: [
      .done: "Every file is as it was before the run.",
      .answerIsNo: "A file could not be restored.",
      .undecodable: "JOURNAL is not a journal, or one of its lines is wrong.",
      .cannotCreate: "JOURNAL, or a folder of its run, is in use by another process.",
    ])

  private let session: Session

  init(_ session: Session) { self.session = session }

  func run() throws {
    let (journal, earlier, folder) = try chosen()
    if let folder, folder != session.workingFolder, !session.arguments.has(.dryUndo),
      let answer = session.ask("it began in \(session.shortened(folder)); undo it? [y/N]"),
      !answer.hasPrefix("y")
    {
      session.printNote("archtool: nothing was undone")
      return session.merge(.answerIsNo)
    }
    guard session.arguments.has(.lastRun) else {
      _ = try undo(journal)
      return
    }
    do throws(ArchiveError) {
      if try undo(journal) { return }
    } catch {
      session.report(error, file: "archtool")
    }
    explainRepetition(earlier)
  }

  /// Undoes a run.
  ///
  /// - Returns: whether no file was kept.
  /// - Throws: `ArchiveError` if the journal cannot be used.
  private func undo(_ journal: String) throws(ArchiveError) -> Bool {
    let arguments = session.arguments
    let isDryRun = arguments.has(.dryUndo)
    // Before anything is locked.
    Interruption.listen()
    let undo = try FileTransactions.Undo(
      journal, seals: try session.sealCheck("journal"),
      isForced: arguments.has(.forceUndo), isDryRun: isDryRun)
    let start = MonotonicClock.seconds
    var summary = BatchSummary(.ofUndoing)
    if !isDryRun, !session.isQuiet, !arguments.has(.noProgress), isatty(session.streams.error) == 1
    {
      session.startProgress(isBar: true, total: undo.fileCount, now: start)
    }
    defer {
      session.progress?.erase()
      session.progress = nil
    }
    try undo.run { outcome in
      defer {
        let now = MonotonicClock.seconds
        summary.seconds = now - start
        session.progress?.update(summary, now: now)
      }
      switch outcome {
      case .restored(let path, let lost):
        let file = session.shortened(path)
        summary.add(.changed)
        if isDryRun {
          session.output.append(escapedLine: "\(file): would be restored")
          session.output.flushIfFull()
        } else {
          if session.progress?.replacesNotes != true { session.printNote("\(file): restored") }
          for words in lost { session.warn(ArchiveError(.unsupported, words), file: file) }
        }
      case .kept(let file, let error):
        summary.add(.failed)
        session.printProblem(error.line(file: session.shortened(file)))
        session.merge(.answerIsNo)
      case .left(let path): session.warnOfLeft(path)
      }
    }
    let (restored, kept) = (summary.count(.changed), summary.count(.failed))
    session.progress?.erase()
    session.reportInterruption(
      after: "\(Counted.text(summary.total, "file")); the rest is unchanged")
    if summary.total == 0 {
      session.printNote("nothing to undo")
    } else if !isDryRun {
      session.printNote("\(Counted.text(restored, "file")) restored, \(kept) kept")
    }
    return kept == 0
  }

  /// Says that `--last` stays at a run that is not undone, and how to undo the one before it.
  private func explainRepetition(_ earlier: String?) {
    let next =
      earlier.map {
        "the run before it is undone with: archtool undo \(session.shortened($0).shellWord)"
      }
      ?? "no run before it can be undone"
    session.printNote(
      "archtool: this run stays the last one for --last until all its files are restored; \(next)")
  }
}

extension Undo {
  /// The journal of the operand, or that of the last run that can be undone, with that of the run before it and the
  /// folder in which it began.
  private func chosen() throws(ArchiveError) -> (
    journal: String, earlier: String?, folder: String?
  ) {
    guard session.arguments.has(.lastRun) else {
      return (session.arguments.operands.first ?? "", nil, nil)
    }
    let remedy = "name a JOURNAL instead of --last"
    let runs = try session.recordedRuns(remedy: remedy).runs.filter(\.canBeUndone)
    guard let run = runs.first else {
      throw ArchiveError(
        .cannotOpen, "no run that can be undone is recorded in \(StateFolder.path ?? "")")
    }
    let header = run.report.header
    session.printNote(
      "archtool: the last run is \(JournalList.words(header.arguments)) of \(header.startedSecond), in \(session.shortened(run.journal))"
    )
    return (run.journal, runs.dropFirst().first?.journal, header.directory)
  }
}

extension OptionDescription {
  static let lastRun = flag("last", help: "Undo the last run that is not undone yet.")

  static let dryUndo = flag(
    "dry-run", letter: "n", help: "Show which files would be restored; write nothing.")

  static let forceUndo = flag(
    "force", letter: "f", help: "Also restore files that changed after the run.")
}
