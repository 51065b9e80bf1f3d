// `archtool journal list`: the runs that left a journal.

import Basics
import CommandLineInterface
import FileTransactions
import PropertyLists
import Rendering

struct JournalList: Command {
  static let name = "journal list"
  static var description: CommandDescription { .journalList }

  private let session: Session

  init(_ session: Session) { self.session = session }

  /// How much of a command line is shown.
  private static let longestCommand = 48

  func run() throws {
    let runs = try session.recordedRuns().runs
    if session.arguments.reportsJSON {
      return try JSONTree.list(runs.map(\.tree)).write(to: &session.output)
    }
    if runs.isEmpty {
      let places = session.arguments.operands
      let place = places.isEmpty ? StateFolder.path.map { [$0] } ?? [] : places
      let names = place.map { session.shortened($0) }.joined(separator: ", ")
      return session.printNote("archtool: no runs are recorded in \(names)")
    }
    var table = TextTable([
      ("STARTED", .left), ("STATE", .left), ("CHANGED", .right), ("COMMAND", .left),
      ("JOURNAL", .left),
    ])
    for run in runs {
      table.append([
        run.report.header.started, run.state, Counted.number(run.changedCount),
        Self.command(run.report.header.arguments), session.shortened(run.journal),
      ])
    }
    for line in table.lines { session.output.append(escapedLine: line) }
  }

  /// A command line, its end left out if it is long.
  static func command(_ arguments: [String]) -> String {
    let words = arguments.filter { $0 != "--" }.map(\.shellWord).joined(separator: " ")
    return words.count > longestCommand ? words.prefix(longestCommand - 2) + " …" : words
  }
}

extension CommandDescription {
  /// Lists the runs that can be undone.
  package static let journalList = CommandDescription(
    name: JournalList.name,
    abstract: "list the runs that left a journal",
    operands: Operands(name: "JOURNAL", minimum: 0, maximum: nil),
    options: [.reportFormat],
    commonOptions: [.color, .noPager, .quiet, .help],
    rules: [],
    discussion: [
      """
      Each run that replaced files is a line, the newest first: when it began in UTC, whether \
      it is finished, unfinished (it was interrupted), running or undone, how many files it \
      changed, its command line, and its journal, which undo and journal show take.
      """,
      """
      The runs are those of the journals in the user's state folder, and of those that \
      --journal put elsewhere, to which the state folder has links. A JOURNAL may be \
      a folder with journals in it; those that are named are listed instead.
      """,
    ],
    examples: [
      Example(
        command: "archtool journal list", explanation: "Show the runs that can be undone."),
      Example(
        command: "archtool journal list .",
        explanation: "List the runs whose journals are in the working folder."),
    ],
    exits: [
      Exit(.done), Exit(.undecodable, "JOURNAL is not a journal, or one of its lines is wrong."),
      Exit(.cannotOpen), Exit(.inputOutput),
    ])
}
