// `archtool journal show`: what a run did.

import CommandLineInterface
import Migrations
import ObjectGraph
import PropertyLists

struct JournalShow {
  private let session: Session

  init(_ session: Session) { self.session = session }

  func run() throws {
    let arguments = session.arguments
    let report = try JournalReport(
      arguments.operands.first ?? "", listsFiles: arguments.has(.listFiles))
    if arguments.value(of: .reportFormat) == "json" {
      return try report.tree.write(to: &session.output)
    }
    for line in report.lines { session.output.bytes.append(line.escapedLine + "\n") }
  }
}
