// `archtool journal show`: what a run did.

import Basics
import CommandLineInterface
import FileTransactions
import PropertyLists

struct JournalShow {
  private let session: Session

  init(_ session: Session) { self.session = session }

  /// The user's key; a journal can be told without one.
  private var key: SealingKey? {
    do throws(ArchiveError) {
      return try UserKey.found()
    } catch {
      session.warn("archtool: warning: \(error.message)")
      return nil
    }
  }

  func run() throws {
    let arguments = session.arguments
    let report = try JournalReport(
      arguments.operands.first ?? "", listsFiles: arguments.has(.listFiles),
      key: key)
    if arguments.value(of: .reportFormat) == "json" {
      return try report.tree.write(to: &session.output)
    }
    for line in report.lines { session.output.bytes.append(line.escapedLine + "\n") }
  }
}
