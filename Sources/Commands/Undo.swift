// `archtool undo`: a run taken back.

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
          session.output.bytes.append("\(file): would be restored\n".escapedForOutput)
          session.output.flushIfFull()
        } else {
          session.say("\(file): restored")
          for words in lost { session.warn(ArchiveError(.unsupported, words), file: file) }
        }
      case .kept(let file, let error):
        kept += 1
        session.complain(error.line(file: session.shortened(file)))
        session.merge(.answerIsNo)
      case .left(let path): session.warnOfLeft(path)
      }
    }
    if restored + kept == 0 { return session.say("nothing to undo") }
    if !isDryRun { session.say("\(Counted.text(restored, "file")) restored, \(kept) kept") }
  }
}

extension CommandDescription {
  /// Takes a run back.
  public static let undo = CommandDescription(
    name: Undo.name,
    abstract: "take back what a run did, from its journal",
    operands: Operands(name: "JOURNAL", minimum: 1, maximum: 1),
    options: [.dryUndo, .forceUndo, .trust],
    commonOptions: [.quiet, .color, .help],
    rules: [],
    discussion: [
      """
      Every file that the run replaced gets its old bytes back, with the mode, the times and the \
      extended attributes that it had. Files that the run created are deleted, and those that it \
      deleted are restored. The last file comes first. Each is replaced as a whole or not at all.
      """,
      """
      A file that was changed after the run stays as it is, unless --force is given; what was \
      changed is lost then. An undo that was interrupted can be done again. The old files are in \
      the folder that the journal names; while it exists, a run can be undone.
      """,
      """
      The lines of a journal are sealed with a key of the user. One that was edited, or that comes \
      from another user or machine or from an older version, is refused; --trust accepts it. Check \
      it before, with archtool journal show.
      """,
    ],
    examples: [
      Example(
        command: "archtool undo --dry-run feeds.journal",
        explanation: "Say which files would get their old bytes back."),
      Example(
        command: "archtool undo feeds.journal", explanation: "Take the run of feeds.journal back."),
    ],
    exits: [
      Exit(.done, "Every file is as it was before the run."),
      Exit(.answerIsNo, "A file could not be restored."),
      Exit(.undecodable, "JOURNAL is no journal, or a line of it is wrong."), Exit(.cannotOpen),
      Exit(.cannotCreate, "JOURNAL, or a folder of its run, is in use by another process."),
      Exit(.inputOutput),
    ])
}

extension OptionDescription {
  /// `-n` of an undo.
  public static let dryUndo = flag(
    "dry-run", letter: "n", help: "Say which files would be restored and write nothing.")

  /// `-f` of an undo.
  public static let forceUndo = flag(
    "force", letter: "f", help: "Restore files that were changed after the run, too.")
}
