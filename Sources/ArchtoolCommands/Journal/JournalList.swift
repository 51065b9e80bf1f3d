// `archtool journal list`: the runs that left a journal.

import ArchiveBasics
import ArchivePropertyLists
import ArchiveRendering
import CommandLineInterface
import FileTransactions

struct JournalList: Command {
  static let name = "journal list"
  static let description = CommandDescription(
    name: name,
    abstract: "list the runs that left a journal",
    operands: Operands(name: "JOURNAL", minimum: 0, maximum: nil),
    options: [.reportFormat],
    commonOptions: [.color, .noPager, .quiet, .help],
    discussion: """
      Each run that replaced files is a line, the newest first: when it began in UTC, whether it is
      finished, unfinished (it was interrupted), running or undone, how many files it changed, its
      command line with the folder in which it began if that is another, and its journal, which undo
      and journal show take. On a terminal ~ is the home folder, and what is too wide for one line
      has lines of its own.

      The runs are those of the journals in the user's state folder, and of those that --journal put
      elsewhere, to which the state folder has links. A JOURNAL may be a folder with journals in it;
      those that are named are listed instead.
      """,
    examples: [
      "archtool journal list": "Show the runs that can be undone.",
      "archtool journal list .": "List the runs whose journals are in the working folder.",
    ],
    exits: .reading,
    meanings: [.undecodable: "JOURNAL is not a journal, or one of its lines is wrong."])

  private let session: Session

  init(_ session: Session) { self.session = session }

  func run() throws {
    let runs = try session.recordedRuns().runs
    if session.arguments.reportsJSON {
      return try JSONTree.list(runs.map(\.tree)).write(to: &session.output)
    }
    if runs.isEmpty {
      // What cannot be read was reported.
      guard session.status == .done else { return }
      let operands = session.arguments.operands
      let paths = operands.isEmpty ? StateFolder.path.map { [$0] } ?? [] : operands
      let names = paths.map { session.shortened($0) }.joined(separator: ", ")
      return session.printNote("archtool: no runs are recorded in \(names)")
    }
    let isTerminal = TerminalWidth.terminal(session.streams.output) != nil
    let rows = runs.map { run -> [String] in
      let (header, journal) = (run.report.header, session.shortened(run.journal))
      // A run that was begun elsewhere shows where.
      let folder =
        header.directory == session.workingFolder ? "" : " (in \(Self.short(header.directory)))"
      return [
        header.startedSecond, run.state, Counted.number(run.changedCount),
        Self.words(header.arguments) + folder, isTerminal ? Self.short(journal) : journal,
      ]
    }
    let table = Self.table(rows, columns: 5)
    guard let width = TerminalWidth.terminal(session.streams.output),
      table.lines.contains(where: { TerminalCells.count(of: $0) > width })
    else { return write(table.lines) }
    // What does not fit has lines of its own, and nothing is cut.
    let lines = Self.table(rows, columns: 3).lines
    write(
      [lines[0]]
        + zip(lines.dropFirst(), rows).flatMap { line, row in
          [line, "  " + row[3], "  " + row[4]]
        })
  }

  private func write(_ lines: [String]) {
    for (number, line) in lines.map(\.escapedLine).enumerated() {
      session.output.bytes.append((number == 0 ? session.outputStyle.bold(line) : line) + "\n")
    }
  }

  /// The arguments of a run as a shell reads them back.
  static func words(_ arguments: [String]) -> String {
    arguments.filter { $0 != "--" }.map(\.shellWord).joined(separator: " ")
  }

  private static func table(_ rows: [[String]], columns count: Int) -> TextTable {
    let columns: [(heading: String, alignment: TextTable.Alignment)] = [
      ("STARTED", .left), ("STATE", .left), ("CHANGED", .right), ("COMMAND", .left),
      ("JOURNAL", .left),
    ]
    var table = TextTable(Array(columns.prefix(count)))
    for row in rows { table.append(Array(row.prefix(count))) }
    return table
  }

  /// A path with `~` for the home folder, as a shell reads it back.
  private static func short(_ path: String) -> String {
    guard let home = XDGFolder.variable("HOME"), home != "/",
      path.utf8.starts(with: (home + "/").utf8)
    else { return path }
    return "~" + String(path.dropFirst(home.count))
  }
}
