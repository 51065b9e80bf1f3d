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

  func run() throws {
    let runs = try session.recordedRuns().runs
    if session.arguments.reportsJSON {
      return try JSONTree.list(runs.map(\.tree)).write(to: &session.output)
    }
    if runs.isEmpty {
      // What cannot be read was reported.
      guard session.status == .done else { return }
      let places = session.arguments.operands
      let place = places.isEmpty ? StateFolder.path.map { [$0] } ?? [] : places
      let names = place.map { session.shortened($0) }.joined(separator: ", ")
      return session.printNote("archtool: no runs are recorded in \(names)")
    }
    let rows = runs.map { Row($0, in: session.workingFolder) }
    guard let width = TerminalWidth.terminal(session.streams.output) else {
      return write(Self.table(rows, journals: rows.map { session.shortened($0.journal) }).lines)
    }
    write(
      Self.lines(
        rows, width: width, journals: rows.map { Self.short(session.shortened($0.journal)) }))
  }

  private func write(_ lines: [String]) {
    for line in lines { session.output.append(escapedLine: line) }
  }

  /// The arguments of a run as a shell reads them back.
  static func words(_ arguments: [String]) -> String {
    arguments.filter { $0 != "--" }.map(\.shellWord).joined(separator: " ")
  }
}

// MARK: - Rows

extension JournalList {
  /// A run as a line shows it.
  private struct Row {
    let started: String
    let state: String
    let changed: String
    var command: String
    let journal: String

    /// - Parameter folder: the working folder; a run that was begun elsewhere shows where.
    init(_ run: RecordedRun, in folder: String?) {
      started = run.report.header.startedSecond
      state = run.state
      changed = Counted.number(run.changedCount)
      let place = run.report.header.directory
      command =
        JournalList.words(run.report.header.arguments)
        + (place == folder ? "" : " (in \(JournalList.short(place)))")
      journal = run.journal
    }
  }

  /// The narrowest column of commands, and the gap before it.
  private static let (leastCommand, gap) = (20, 2)

  /// A table; without journals their column is left out.
  private static func table(_ rows: [Row], journals: [String]?) -> TextTable {
    var columns: [(heading: String, alignment: TextTable.Alignment)] = [
      ("STARTED", .left), ("STATE", .left), ("CHANGED", .right), ("COMMAND", .left),
    ]
    if journals != nil { columns.append(("JOURNAL", .left)) }
    var table = TextTable(columns)
    for (number, row) in rows.enumerated() {
      var cells = [row.started, row.state, row.changed, row.command]
      if let journals { cells.append(journals[number]) }
      table.append(cells)
    }
    return table
  }

  /// The lines for a terminal: commands are cut to what fits, and where too little is left for them, the journals, which
  /// must be whole to be of use, have lines of their own.
  private static func lines(_ rows: [Row], width: Int, journals: [String]) -> [String] {
    func widest(_ texts: [String]) -> Int { texts.map { TerminalCells.count(of: $0) }.max() ?? 0 }
    var bare = rows
    for number in bare.indices { bare[number].command = "" }
    // "COMMAND" is the last heading, and commands begin where it does.
    let heading = "COMMAND"
    let start = widest(table(bare, journals: nil).lines) - heading.count
    let journal = widest(journals + ["JOURNAL"])
    let isOneLine = start + leastCommand + gap + journal <= width
    let room = isOneLine ? width - start - gap - journal : max(width - start, heading.count)
    var rows = rows
    for number in rows.indices {
      rows[number].command = Self.cut(rows[number].command.escapedLine, to: room)
    }
    if isOneLine { return table(rows, journals: journals).lines }
    let lines = table(rows, journals: nil).lines
    return [lines[0]] + zip(lines.dropFirst(), journals).flatMap { [$0, "  " + $1] }
  }

  private static func cut(_ text: String, to columns: Int) -> String {
    TerminalCells.count(of: text) <= columns
      ? text : TerminalCells.prefix(text, columns: columns - 1) + "…"
  }

  /// A path with `~` for the home folder, as a shell reads it back.
  fileprivate static func short(_ path: String) -> String {
    guard let home = XDGFolder.variable("HOME"), home != "/",
      path.utf8.starts(with: (home + "/").utf8)
    else { return path }
    return "~" + String(path.dropFirst(home.count))
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
      changed, its command line with the folder in which it began if that is another, and its journal, which undo and journal show take. On a terminal \
      long command lines are cut, and ~ is the home folder.
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
