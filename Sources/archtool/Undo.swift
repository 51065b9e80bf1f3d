// `archtool undo`: a run taken back.

import Basics
import CommandLineInterface
import FileTransactions
import Rendering

struct Undo {
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
