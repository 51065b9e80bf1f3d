// `archtool journal show`: what a run did.

import Basics
import CommandLineInterface
import FileTransactions
import PropertyLists

struct JournalShow: Command {
  static let name = "journal show"
  static var description: CommandDescription { .journalShow }

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
    if arguments.reportsJSON {
      return try report.tree.write(to: &session.output)
    }
    for line in report.lines { session.output.bytes.append(line.escapedLine + "\n") }
  }
}

extension CommandDescription {
  /// Tells what a journal says.
  public static let journalShow = CommandDescription(
    name: JournalShow.name,
    abstract: "tell what a run did, from its journal",
    operands: Operands(name: "JOURNAL", minimum: 1, maximum: 1),
    options: [.reportFormat, .listFiles],
    commonOptions: [.quiet, .help],
    rules: [],
    discussion: [
      """
      The report names the run, when it was started and with which arguments, whether it came to \
      its end, how many files came to which outcome, and each file that failed or was refused, with the \
      reason. \
      The format of journals is in archtool-journal(5).
      """
    ],
    examples: [
      Example(
        command: "archtool journal show feeds.journal",
        explanation: "Say what the run of feeds.journal did.")
    ],
    exits: [
      Exit(.done), Exit(.undecodable, "JOURNAL is no journal, or a line of it is wrong."),
      Exit(.cannotOpen), Exit(.inputOutput),
    ])
}

extension OptionDescription {
  /// `--files` of a journal's report.
  public static let listFiles = flag(
    "files",
    help: "List every file with what became of it, not only those that failed or were refused.")
}
