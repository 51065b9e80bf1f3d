// `archtool journal show`: shows the changes of a run.

import ArchiveBasics
import ArchivePropertyLists
import CommandLineInterface
import FileTransactions

struct JournalShow: Command {
  static let name = "journal show"
  static let description = CommandDescription(
    name: name,
    abstract: "show what a run did, from its journal",
    operands: Operands(name: "JOURNAL", minimum: 1, maximum: 1),
    options: [.reportFormat, .listFiles],
    commonOptions: [.color, .noPager, .quiet, .help],
    discussion: """
      The report shows when the run was started and with which arguments, whether it finished, the
      number of files for each outcome, and each file that failed or was refused, with the reason.
      The format of journals is described in archtool-journal(5).
      """,
    examples: [
      "archtool journal show feeds.journal": "Show what the run of feeds.journal did."
    ],
    exits: .reading,
    meanings: [.undecodable: "JOURNAL is not a journal, or one of its lines is wrong."])

  private let session: Session

  init(_ session: Session) { self.session = session }

  func run() throws {
    let arguments = session.arguments
    let report = try JournalReport(
      arguments.operands.first ?? "", listsFiles: arguments.has(.listFiles),
      key: session.sealingKey)
    if arguments.reportsJSON {
      return try report.tree.write(to: &session.output)
    }
    let command = JournalList.words(report.header.arguments)
    for line in report.lines(command: command) {
      session.output.bytes.append(session.outputStyle.labeling(lines: line.escapedLine) + "\n")
    }
  }
}

extension OptionDescription {
  static let listFiles = flag(
    "files",
    help: "List all files, not only those that failed. Each is listed with its outcome.")
}
