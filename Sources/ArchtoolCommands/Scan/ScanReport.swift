// The inventory as it is written: a table for people, JSON or CSV.

import ArchiveBasics
import ArchiveBatches
import ArchivePropertyLists
import ArchiveRendering
import CommandLineInterface

final class ScanReport {
  private let session: Session
  private let format: Scan.Format
  private let csv: ResultTable
  /// The rows for people that were not written yet; columns are as wide as these need.
  private var table = ScanReport.emptyTable
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
    csv = ResultTable(session, .utc)
  }

  /// Writes what precedes the first line.
  func begin() {
    if format == .csv { writeCells(Self.csvColumns) }
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
    case .csv: writeLine(Self.members(of: archive) + [("count", .integer(1))])
    }
  }

  private func show(_ column: ScannedColumn) {
    columnCount += 1
    switch format {
    case .text:
      add(Self.rows(of: column))
      let count = column.damagedCount
      if count > 0 {
        let name = column.counts.name.shellWord
        add([[Counted.number(count), "damaged", "", "", "", name]], isBad: true)
      }
    case .json, .ndjson: write(Self.members(of: column))
    case .csv: for line in Self.lines(of: column) { writeLine(line) }
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
    beginning(of: column.counts) + [
      ("archives", .integer(column.archiveCount)), ("damaged", .integer(column.damagedCount)),
      ("size", .integer(column.byteCount)),
      ("kinds", .list(column.sorted.map { .members(members(of: $0)) })),
      ("furtherKinds", .integer(column.furtherCount)),
    ]
  }

  private static func beginning(of counts: ColumnCounts) -> [(String, JSONTree)] {
    [
      ("kind", .string("column")), ("name", .string(counts.name.shownPath)),
      ("file", .string(counts.path.shownPath)), ("table", .string(counts.table)),
      ("column", .string(counts.column)), ("rows", .integer(counts.rows)),
    ]
  }

  private static func members(of kind: ScannedColumn.Kind) -> [(String, JSONTree)] {
    [("count", .integer(kind.count)), ("size", .integer(kind.bytes))] + kind.facts.members
  }

  // MARK: CSV

  /// The columns, each with the member of the same name in JSON.
  private static let csvColumns = [
    "kind", "name", "file", "table", "column", "rows", "count", "size", "encoding", "envelope",
    "rootClass", "schema", "isValid", "error",
  ]

  /// A line for each kind of archive in a column, and for those that are damaged.
  private static func lines(of column: ScannedColumn) -> [[(String, JSONTree)]] {
    let start = beginning(of: column.counts)
    let others = [(column.furtherCount, "of other kinds"), (column.damagedCount, "damaged")]
    return column.sorted.map { start + members(of: $0) }
      + others.filter { $0.0 > 0 }.map { count, words in
        start + [("count", .integer(count)), ("error", .string(words))]
      }
  }

  private func writeLine(_ members: [(String, JSONTree)]) {
    writeCells(Self.csvColumns.map { name in members.first { $0.0 == name }?.1.cell ?? "" })
  }

  private func writeCells(_ cells: [String]) {
    csv.append(cells.map { .text($0) }, to: &session.output)
  }
}

extension JSONTree {
  /// The value in a cell: of an error its message.
  fileprivate var cell: String {
    switch self {
    case .null: ""
    case .string(let text): text
    case .members: self["message"]?.string ?? ""
    default: compactText
    }
  }
}

// MARK: - An archive that an inventory found

struct ScannedArchive: Sendable {
  enum Content: Sendable {
    /// It can be decoded.
    case sound(ArchiveFacts)
    /// It begins as an archive, and cannot be decoded.
    case damaged(ArchiveError, encoding: String)
  }

  let input: Input
  let byteCount: Int
  let content: Content
  /// Whether `--only` selects it.
  let isWanted: Bool
  /// Its bytes, if they are to be written.
  let storage: ByteStorage?

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

struct ScannedColumn {
  /// How many kinds are distinguished; the archives of further ones are only counted.
  private static let mostKinds = 1000

  /// What archives are alike in, how many there are, and their size.
  typealias Kind = (facts: ArchiveFacts, count: Int, bytes: Int)

  /// The column, with the counts of its rows.
  let counts: ColumnCounts
  private var kinds: [ArchiveFacts: (count: Int, bytes: Int)] = [:]
  /// How many archives are of further kinds.
  private(set) var furtherCount = 0
  /// How many cannot be decoded.
  private(set) var damagedCount = 0
  private(set) var byteCount = 0

  init(_ counts: ColumnCounts) { self.counts = counts }

  var archiveCount: Int {
    kinds.values.reduce(furtherCount + damagedCount) { $0 + $1.count }
  }

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
  var sorted: [Kind] {
    kinds.map { (facts: $0.key, count: $0.value.count, bytes: $0.value.bytes) }.sorted {
      $0.count != $1.count ? $0.count > $1.count : $0.facts.text < $1.facts.text
    }
  }
}
