// `archtool undo`: restores the files that a run replaced.

import Basics
import CommandLineInterface
import FileTransactions
import Rendering

struct Undo: Command {
  static let name = "undo"
  static var description: CommandDescription { .undo }

  private let session: Session

  init(_ session: Session) { self.session = session }

  func run() throws {
    let arguments = session.arguments
    let isDryRun = arguments.has(.dryUndo)
    let undo = try FileTransactions.Undo(
      arguments.operands.first ?? "", seals: try SealCheck(arguments),
      isForced: arguments.has(.forceUndo), isDryRun: isDryRun)
    var restored = 0
    var kept = 0
    try undo.run { outcome in
      switch outcome {
      case .restored(let path, let lost):
        let file = session.shortened(path)
        restored += 1
        if isDryRun {
          session.output.append(escapedLine: "\(file): would be restored")
          session.output.flushIfFull()
        } else {
          session.printNote("\(file): restored")
          for words in lost { session.warn(ArchiveError(.unsupported, words), file: file) }
        }
      case .kept(let file, let error):
        kept += 1
        session.printError(error.line(file: session.shortened(file)))
        session.merge(.answerIsNo)
      case .left(let path): session.warnOfLeft(path)
      }
    }
    if restored + kept == 0 { return session.printNote("nothing to undo") }
    if !isDryRun { session.printNote("\(Counted.text(restored, "file")) restored, \(kept) kept") }
  }
}

extension CommandDescription {
  /// Undoes a run.
  package static let undo = CommandDescription(
    name: Undo.name,
    abstract: "undo a run, from its journal",
    operands: Operands(name: "JOURNAL", minimum: 1, maximum: 1),
    options: [.dryUndo, .forceUndo, .trust],
    commonOptions: [.quiet, .color, .help],
    rules: [],
    discussion: [
      """
      Every file that the run replaced gets its old bytes back, with its mode, times and \
      extended attributes. Files that the run created are deleted, and those that it deleted \
      are restored. The last file comes first. Each is replaced completely or not at all.
      """,
      """
      A file that changed after the run is left alone, unless --force is given; that change \
      is then lost. An interrupted undo can be repeated. The old files are in the folder \
      that the journal names; a run can be undone as long as that folder exists.
      """,
      """
      The lines of a journal are sealed with a key of the user. A journal that was edited, \
      or that comes from another user, another machine or an older version, is refused; \
      --trust accepts it. Check it first, with archtool journal show.
      """,
    ],
    examples: [
      Example(
        command: "archtool undo --dry-run feeds.journal",
        explanation: "Show which files would get their old bytes back."),
      Example(
        command: "archtool undo feeds.journal", explanation: "Undo the run of feeds.journal."),
    ],
    exits: [
      Exit(.done, "Every file is as it was before the run."),
      Exit(.answerIsNo, "A file could not be restored."),
      Exit(.undecodable, "JOURNAL is not a journal, or one of its lines is wrong."),
      Exit(.cannotOpen),
      Exit(.cannotCreate, "JOURNAL, or a folder of its run, is in use by another process."),
      Exit(.inputOutput),
    ])
}

extension OptionDescription {
  /// `-n` of an undo.
  package static let dryUndo = flag(
    "dry-run", letter: "n", help: "Show which files would be restored; write nothing.")

  /// `-f` of an undo.
  package static let forceUndo = flag(
    "force", letter: "f", help: "Also restore files that changed after the run.")
}
