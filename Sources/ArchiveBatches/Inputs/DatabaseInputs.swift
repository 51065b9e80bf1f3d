// The archives in a database as inputs: those of one column, or of all tables.

import ArchiveBackups
import ArchiveBasics
import ArchiveDatabases

/// Finds archives row by row; only the values of one row are in memory.
struct DatabaseInputs {
  /// The input that the database is itself.
  private let file: Input
  private let database: Database
  /// The tables that remain, the next one last.
  private var tables: [String] = []
  /// Whether tables and columns come in the order of their names.
  private var isOrdered = false
  private var reference: DatabaseReference?
  /// Which values are inputs beside archives.
  private var accepts: (@Sendable (ByteView) -> Bool)?
  private var rows: TableRows?
  /// The columns of the current table.
  private(set) var columns: [ColumnCounts] = []
  /// The inputs of the current row, the next one last.
  private var ready: [InputSequence.Entry] = []

  private static let isStopped: @Sendable () -> Bool = { Interruption.signal != nil }

  /// Takes the archives in all columns of a database.
  ///
  /// - Parameters:
  ///   - backup: the backup that it is a file of.
  ///   - isOrdered: whether tables and columns come in the order of their names.
  /// - Throws: `ArchiveError` if it cannot be opened.
  init(all file: Input, in backup: Backup?, inOrder isOrdered: Bool) throws(ArchiveError) {
    self.file = file
    self.isOrdered = isOrdered
    database = try Self.database(file, backup)
    let names = try database.tableNames()
    tables = (isOrdered ? names.sorted(by: Self.precedes) : names).reversed()
  }

  /// Takes the archives of a column, or that of a row.
  ///
  /// - Parameters:
  ///   - file: the database.
  ///   - backup: the backup that it is a file of.
  ///   - accepts: which values are inputs beside archives; nil for none.
  /// - Throws: `ArchiveError` if there is no such column.
  init(
    _ reference: DatabaseReference, of file: Input, in backup: Backup?,
    accepting accepts: (@Sendable (ByteView) -> Bool)? = nil
  ) throws(ArchiveError) {
    self.accepts = accepts
    self.file = file
    database = try Self.database(file, backup)
    let (table, column) = try database.table(of: reference)
    self.reference = reference
    try begin(table, [column])
  }

  private static func database(
    _ file: Input, _ backup: Backup?
  ) throws(ArchiveError) -> Database {
    guard let backup, let stored = file.backupFile else {
      return try Database(file.path, isStopped: isStopped)
    }
    return try backup.database(stored)
  }

  private mutating func begin(
    _ table: DatabaseTable, _ names: [String]
  ) throws(ArchiveError) {
    columns = names.map {
      ColumnCounts(
        path: file.path, database: file.name, table: table.name, column: $0,
        isNumbered: table.rowName != nil)
    }
    rows = try TableRows(database, table, columns: names, row: reference?.row)
  }

  private static func precedes(_ one: String, _ other: String) -> Bool {
    DatabaseTable.folded(one).lexicographicallyPrecedes(DatabaseTable.folded(other))
  }

  /// The next archive, or an error; nil at the end.
  mutating func next() -> InputSequence.Entry? {
    while true {
      if let entry = ready.popLast() { return entry }
      do throws(ArchiveError) {
        if let rows {
          if try rows.next() { try read(rows) } else { try end() }
        } else if let name = tables.popLast() {
          let table = try database.table(name)
          let columns = isOrdered ? table.columns.sorted(by: Self.precedes) : table.columns
          if !columns.isEmpty { try begin(table, columns) }
        } else {
          return nil
        }
      } catch {
        // The other tables may be sound.
        rows = nil
        return .failure(path: failedName, error)
      }
    }
  }

  private var failedName: String {
    guard let first = columns.first else { return file.name }
    return columns.count == 1
      ? first.name : "\(file.name)#\(DatabaseReference.name(first.table))"
  }

  /// Ends a table; the one row that was asked for must have been there.
  private mutating func end() throws(ArchiveError) {
    rows = nil
    if let reference, reference.row != nil, columns.first?.rows == 0, !database.isInterrupted {
      throw reference.missingRow
    }
  }

  /// Collects the archives of a row.
  private mutating func read(_ rows: TableRows) throws(ArchiveError) {
    for (index, column) in columns.enumerated() {
      column.rows += 1
      switch try rows.value(index) {
      case .null: column.nulls += 1
      case .number: column.others += 1
      case .bytes(let bytes):
        guard ContentKind(of: bytes, name: nil) == .archive || accepts?(bytes) == true else {
          column.others += 1
          continue
        }
        let cell = DatabaseCell(
          column: column, row: rows.number, storage: ByteStorage(copying: bytes))
        ready.append(.input(Input(cell, of: file)))
      }
    }
    ready.reverse()
    if ready.isEmpty, let row = reference?.row {
      throw ArchiveError(.unrecognized, "row \(row) holds no archive in this column")
    }
  }
}

// MARK: - A value in a database as an input

/// The rows of a column, counted while they are read.
///
/// They are counted on the thread that finds the inputs, which also reads the counts.
package final class ColumnCounts: @unchecked Sendable {
  /// The path of the database.
  package let path: String
  /// The name of the database in messages.
  package let database: String
  /// The name of the table.
  package let table: String
  /// The name of the column.
  package let column: String
  /// How many rows were read.
  package internal(set) var rows = 0
  /// How many of them are NULL.
  package internal(set) var nulls = 0
  /// How many have a value that is no archive.
  package internal(set) var others = 0

  /// Whether its rows have numbers of their own; otherwise their positions are used.
  package let isNumbered: Bool
  /// The names as they are compared.
  private let folded: (table: [UInt8], column: [UInt8])

  init(path: String, database: String, table: String, column: String, isNumbered: Bool) {
    (self.path, self.database, self.table, self.column) = (path, database, table, column)
    self.isNumbered = isNumbered
    folded = (DatabaseTable.folded(table), DatabaseTable.folded(column))
  }

  /// The name of the column: `DATABASE#table.column`.
  package var name: String { "\(database)#\(referenceName)" }

  /// The name of the column in its database: `table.column`.
  var referenceName: String { DatabaseReference.name(table: table, column: column) }

  fileprivate func precedes(_ row: Int64, _ other: ColumnCounts, _ otherRow: Int64) -> Bool {
    if folded.table != other.folded.table {
      return folded.table.lexicographicallyPrecedes(other.folded.table)
    }
    if row != otherRow { return row < otherRow }
    return folded.column.lexicographicallyPrecedes(other.folded.column)
  }

  /// What was passed over, for people; nil if nothing was.
  package var note: String? {
    guard nulls + others > 0 else { return nil }
    let parts = [
      nulls > 0 ? "\(Counted.number(nulls)) NULL" : nil,
      others > 0 ? "\(Counted.number(others)) without an archive" : nil,
    ].compactMap { $0 }
    return
      "\(name): \(Counted.text(nulls + others, "row")) passed over: \(parts.joined(separator: ", "))"
  }
}

extension DatabaseCell {
  /// Whether the value comes before one of another database, in the order of tables, rows and columns.
  package func precedes(_ other: DatabaseCell) -> Bool {
    column.precedes(row, other.column, other.row)
  }
}

/// A value of a row.
package struct DatabaseCell: Hashable, Sendable {
  /// Its column.
  package let column: ColumnCounts
  /// The number of its row.
  package let row: Int64
  /// Its bytes.
  package let storage: ByteStorage

  /// Whether two are the same value of one read.
  package static func == (left: DatabaseCell, right: DatabaseCell) -> Bool {
    left.column === right.column && left.row == right.row
  }

  /// Hashes the row and its column.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(column))
    hasher.combine(row)
  }
}
