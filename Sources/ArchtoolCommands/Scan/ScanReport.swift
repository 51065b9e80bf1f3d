// The inventory as it is written: a table for people, JSON or CSV.

import ArchiveBasics
import ArchiveBatches
import ArchivePropertyLists
import ArchiveRendering
import CommandLineInterface

/// Writes an inventory in the order of the inputs.
final class ScanReport {
  private let session: Session
  private let format: Scan.Format
  /// Whether standard output is a terminal.
  private let isTerminal: Bool
  private let csv: CSVLine
  /// The rows for people that were not written yet; columns are as wide as these need.
  private var table = ScanReport.emptyTable
  /// Whether the headings were written.
  private var hasHeadings = false
  /// The columns of the current table in which there are archives, in the order of their first ones.
  private var columns: [ScannedColumn] = []
  /// How many archives and columns were listed.
  private var archiveCount = 0
  private var damagedCount = 0
  private var columnCount = 0

  init(_ session: Session, _ format: Scan.Format) {
    self.session = session
    self.format = format
    isTerminal = session.streams.isOutputTerminal
    csv = CSVLine(isPlain: session.arguments.has(.csvPlain))
  }

  /// Writes what precedes the first line.
  func begin() {
    if format == .csv { write([csv.header]) }
  }

  func add(_ archive: ScannedArchive) {
    let counts = archive.input.cell?.column
    if let current = columns.first?.counts,
      counts.map({ $0.path == current.path && $0.table == current.table }) != true
    {
      endTable()
    }
    guard archive.isWanted else { return }
    archiveCount += 1
    if archive.isDamaged { damagedCount += 1 }
    guard let counts else { return show(archive) }
    if archive.isDamaged, format == .text { show(archive) }
    if let index = columns.firstIndex(where: { $0.counts === counts }) {
      columns[index].add(archive)
    } else {
      var column = ScannedColumn(counts)
      column.add(archive)
      columns.append(column)
    }
  }

  /// Reports what cannot be read; among lines of JSON it has its own.
  func addUnread(_ error: ArchiveError, file: String) {
    endTable()
    session.report(error, file: file)
    guard format == .ndjson else { return }
    let name = JSONTree.string(file.shownPath)
    write([("kind", .string("file")), ("name", name), ("file", name), ("error", error.tree)])
  }

  /// Shows the columns of a table, all rows of which were read.
  func endTable() {
    let ended = columns
    columns = []
    for column in ended { show(column) }
  }

  private static let emptyTable = TextTable([
    ("COUNT", .right), ("CLASS", .left), ("ENCODING", .left), ("SCHEMA", .left),
    ("BYTES", .right), ("ADDRESS", .left),
  ])

  /// The most rows that wait for others.
  private static let mostRows = 1000
  /// How many kinds of archives in a column a person is shown.
  private static let mostKinds = 8

  /// Writes the rest, and the counts of everything that was looked at.
  func finish(_ summary: BatchSummary) {
    endTable()
    writeRows()
    if format == .json { session.endItems() }
    var text = Counted.text(archiveCount, "archive")
    if damagedCount > 0 { text += ", \(Counted.number(damagedCount)) of them damaged" }
    if summary.databases > 0 {
      text +=
        "; \(Counted.text(columnCount, "column")) with archives in \(Counted.text(summary.databases, "database"))"
    }
    session.printNote(text)
    if let note = summary.passedOverNote { session.printNote(note) }
  }

  // MARK: Lines

  private func show(_ archive: ScannedArchive) {
    switch format {
    case .text: add(Self.rows(of: archive), isBad: archive.isDamaged)
    case .json, .ndjson: write(Self.members(of: archive))
    case .csv: write([csv.text(of: archive)])
    }
  }

  private func show(_ column: ScannedColumn) {
    columnCount += 1
    switch format {
    case .text:
      add(Self.rows(of: column))
      if let row = Self.damagedRow(of: column) { add([row], isBad: true) }
    case .json, .ndjson: write(Self.members(of: column))
    case .csv: write(csv.lines(of: column))
    }
  }

  private static func rows(of archive: ScannedArchive) -> [[String]] {
    let name = archive.input.name.shellWord
    switch archive.content {
    case .sound(let facts): return [row(1, facts, archive.byteCount, name)]
    case .damaged(let error, let encoding):
      let offset = error.offset.map { "at byte \($0): " } ?? ""
      return [
        ["1", "damaged", encoding, "", Counted.number(archive.byteCount), name],
        ["", "", "", "", "", "  " + offset + error.message],
      ]
    }
  }

  private static func rows(of column: ScannedColumn) -> [[String]] {
    let (name, sorted) = (column.counts.name.shellWord, column.sorted)
    var rows = sorted.prefix(mostKinds).map { row($0.count, $0.facts, $0.bytes, name) }
    let hidden = sorted.dropFirst(mostKinds).reduce(column.furtherCount) { $0 + $1.count }
    if hidden > 0 { rows.append([Counted.number(hidden), "other kinds", "", "", "", name]) }
    return rows
  }

  private static func damagedRow(of column: ScannedColumn) -> [String]? {
    let count = column.damagedCount
    if count == 0 { return nil }
    return [Counted.number(count), "damaged", "", "", "", column.counts.name.shellWord]
  }

  private static func row(
    _ count: Int, _ facts: ArchiveFacts, _ bytes: Int, _ address: String
  ) -> [String] {
    [
      Counted.number(count), facts.rootClass ?? "", facts.form,
      facts.schema.map { facts.isValid == false ? "\($0) (does not fit)" : $0 } ?? "",
      Counted.number(bytes), address,
    ]
  }

  private func add(_ rows: [[String]], isBad: Bool = false) {
    for row in rows { table.append(row, isBad: isBad) }
    if table.rowCount >= Self.mostRows { writeRows() }
  }

  private func writeRows() {
    if table.rowCount == 0 { return }
    for line in table.lines(session.outputStyle).dropFirst(hasHeadings ? 1 : 0) {
      write(line + "\n")
    }
    (table, hasHeadings) = (Self.emptyTable, true)
  }

  /// Writes lines of CSV; a terminal must not obey what the name of a file or table says.
  private func write(_ lines: [String]) {
    for line in lines {
      session.output.bytes.append((isTerminal ? line.escapedForTerminal : line) + "\r\n")
    }
    session.output.flushIfFull()
  }

  private func write(_ text: String) {
    session.output.bytes.append(text)
    session.output.flushIfFull()
  }

  // MARK: JSON

  private func write(_ members: [(String, JSONTree)]) {
    let text = JSONTree.members(members).compactText
    if format == .ndjson { write(text + "\n") } else { session.add(item: Array(text.utf8)) }
  }

  private static func members(of archive: ScannedArchive) -> [(String, JSONTree)] {
    var members: [(String, JSONTree)] = [
      ("kind", .string("file")), ("name", .string(archive.input.name.shownPath)),
      ("file", .string(archive.input.path.shownPath)), ("size", .integer(archive.byteCount)),
    ]
    switch archive.content {
    case .sound(let facts): members += facts.members
    case .damaged(let error, let encoding):
      members += [("encoding", .string(encoding)), ("error", error.tree)]
    }
    return members
  }

  private static func members(of column: ScannedColumn) -> [(String, JSONTree)] {
    let counts = column.counts
    return [
      ("kind", .string("column")), ("name", .string(counts.name.shownPath)),
      ("file", .string(counts.path.shownPath)), ("table", .string(counts.table)),
      ("column", .string(counts.column)), ("rows", .integer(counts.rows)),
      ("archives", .integer(column.archiveCount)), ("damaged", .integer(column.damagedCount)),
      ("size", .integer(column.byteCount)),
      (
        "kinds",
        .list(
          column.sorted.map { kind in
            .members(
              [("count", .integer(kind.count)), ("size", .integer(kind.bytes))] + kind.facts.members
            )
          })
      ),
      ("furtherKinds", .integer(column.furtherCount)),
    ]
  }
}

// MARK: - The inventory in CSV

extension CSVLine {
  fileprivate var header: String {
    line([
      "kind", "name", "file", "table", "column", "rows", "count", "size", "encoding", "envelope",
      "rootClass", "schema", "isValid", "error",
    ])
  }

  fileprivate func text(of archive: ScannedArchive) -> String {
    let input = archive.input
    let start = ["file", input.name.shownPath, input.path.shownPath, "", "", ""]
    let size = ["1", "\(archive.byteCount)"]
    switch archive.content {
    case .sound(let facts): return line(start + size + fields(of: facts) + [""])
    case .damaged(let error, let encoding):
      return line(start + size + [encoding, "", "", "", "", error.message])
    }
  }

  /// A line for each kind of archive in a column, and for those that are damaged.
  fileprivate func lines(of column: ScannedColumn) -> [String] {
    let counts = column.counts
    let start = [
      "column", counts.name.shownPath, counts.path.shownPath, counts.table, counts.column,
      "\(counts.rows)",
    ]
    var lines = column.sorted.map { kind in
      line(start + ["\(kind.count)", "\(kind.bytes)"] + fields(of: kind.facts) + [""])
    }
    let none = ["", "", "", "", "", ""]
    if column.furtherCount > 0 {
      lines.append(line(start + ["\(column.furtherCount)"] + none + ["of other kinds"]))
    }
    if column.damagedCount > 0 {
      lines.append(line(start + ["\(column.damagedCount)"] + none + ["damaged"]))
    }
    return lines
  }

  fileprivate func fields(of facts: ArchiveFacts) -> [String] {
    [
      facts.encoding, facts.envelope ?? "", facts.rootClass ?? "", facts.schema ?? "",
      facts.isValid.map { $0 ? "true" : "false" } ?? "",
    ]
  }
}

// MARK: - An archive that an inventory found

/// An archive in a file or in a row of a database.
struct ScannedArchive: Sendable {
  /// What it is.
  enum Content: Sendable {
    /// It can be decoded.
    case sound(ArchiveFacts)
    /// It begins as an archive, and cannot be decoded.
    case damaged(ArchiveError, encoding: String)
  }

  /// Where it is.
  let input: Input
  /// Its size.
  let byteCount: Int
  /// What it is.
  let content: Content
  /// Whether `--only` selects it.
  let isWanted: Bool
  /// Its bytes, if they are to be written.
  let storage: ByteStorage?

  /// Whether it cannot be decoded.
  var isDamaged: Bool { if case .damaged = content { true } else { false } }

  /// Its line in the report of the run.
  var entry: BatchEntry {
    switch content {
    case .sound(let facts):
      BatchEntry(file: input.name, outcome: .shown, summary: facts.text, bytes: byteCount)
    case .damaged(let error, _):
      BatchEntry(
        file: input.name, outcome: .failed, summary: "damaged", bytes: byteCount, error: error)
    }
  }
}

extension ArchiveFacts {
  /// The facts in JSON.
  var members: [(String, JSONTree)] {
    [
      ("encoding", .string(encoding)), ("compressed", .boolean(isCompressed)),
      ("keyedArchive", .boolean(isKeyedArchive)),
      ("envelope", envelope.map { .string($0) } ?? .null),
      ("rootClass", rootClass.map { .string($0) } ?? .null),
      ("schema", schema.map { .string($0) } ?? .null),
      ("isValid", isValid.map { .boolean($0) } ?? .null),
    ]
  }
}

// MARK: - The archives in a column of a database, counted by what they are

/// What a column holds.
struct ScannedColumn {
  /// How many kinds are distinguished; the archives of further ones are only counted.
  private static let mostKinds = 1000

  /// The column, with the counts of its rows.
  let counts: ColumnCounts
  private var kinds: [ArchiveFacts: (count: Int, bytes: Int)] = [:]
  /// How many archives are of further kinds.
  private(set) var furtherCount = 0
  /// How many cannot be decoded.
  private(set) var damagedCount = 0
  /// The size of all of them.
  private(set) var byteCount = 0

  init(_ counts: ColumnCounts) { self.counts = counts }

  /// How many archives there are.
  var archiveCount: Int {
    kinds.values.reduce(furtherCount + damagedCount) { $0 + $1.count }
  }

  /// Counts an archive.
  mutating func add(_ archive: ScannedArchive) {
    byteCount &+= archive.byteCount
    switch archive.content {
    case .damaged: damagedCount += 1
    case .sound(let facts):
      guard kinds[facts] != nil || kinds.count < Self.mostKinds else {
        furtherCount += 1
        return
      }
      let (count, bytes) = kinds[facts] ?? (0, 0)
      kinds[facts] = (count + 1, bytes &+ archive.byteCount)
    }
  }

  /// The kinds, the most frequent first.
  var sorted: [(facts: ArchiveFacts, count: Int, bytes: Int)] {
    kinds.map { (facts: $0.key, count: $0.value.count, bytes: $0.value.bytes) }.sorted {
      $0.count != $1.count ? $0.count > $1.count : $0.facts.text < $1.facts.text
    }
  }
}
