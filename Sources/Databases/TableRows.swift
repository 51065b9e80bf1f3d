// The rows of a table, one at a time, in the order of their numbers.

import Basics
internal import CSQLite

/// A value of a row.
package enum DatabaseValue {
  /// NULL.
  case null
  /// A number.
  case number
  /// A blob, or a text in UTF-8; valid until the next row is read.
  case bytes(UnsafeRawBufferPointer)
}

/// Reads rows; no more than one is in memory.
package final class TableRows {
  private let database: Database
  private let statement: SQLite.Statement
  private let isNumbered: Bool
  /// The only row to read, of a table without numbers.
  private var only: Int64?
  private var hasEnded = false
  /// The number of the current row: its rowid, or its position in the order of the primary key, from 1.
  package private(set) var number: Int64 = 0
  private var hasRow = false

  /// Starts to read.
  ///
  /// - Parameters:
  ///   - columns: the columns whose values are needed.
  ///   - row: the number of the only row to read; nil for all.
  /// - Throws: `ArchiveError` if the table cannot be read.
  package init(
    _ database: Database, _ table: DatabaseTable, columns: [String], row: Int64? = nil
  ) throws(ArchiveError) {
    self.database = database
    isNumbered = table.rowName != nil
    let name = DatabaseTable.quoted(table.name)
    let values = columns.map { "\(name).\(DatabaseTable.quoted($0))" }
    // Without an index the rows come from the table itself, in its order.
    let number = table.rowName.map { "\(name).\($0)" } ?? "0"
    var text = "SELECT \(([number] + values).joined(separator: ", "))"
    text += " FROM main.\(name) NOT INDEXED"
    if let rowName = table.rowName {
      text += row.map { " WHERE \(name).\(rowName) = \($0)" } ?? " ORDER BY \(name).\(rowName)"
    } else {
      only = row
    }
    statement = try database.prepare(text)
  }

  deinit { _ = database.library.finalize(statement) }

  /// Moves to the next row; false at the end.
  ///
  /// - Throws: `ArchiveError` if the database is damaged, or changed while it was read.
  package func next() throws(ArchiveError) -> Bool {
    guard let only else { return try step() }
    while number < only { if try !step() { return false } }
    defer { hasEnded = true }
    return !hasEnded && number == only && hasRow
  }

  private func step() throws(ArchiveError) -> Bool {
    if hasEnded { return false }
    do throws(ArchiveError) {
      guard try database.step(statement) else {
        hasEnded = true
        try database.checkUnchanged()
        return false
      }
      try database.spend(rows: 1, bytes: 0)
      if isNumbered {
        let next = database.library.integer(statement, 0)
        if hasRow, next <= number {
          throw ArchiveError(.malformed, "the database is damaged: its rows are out of order")
        }
        number = next
      } else {
        number += 1
      }
      hasRow = true
      return true
    } catch {
      hasEnded = true
      throw error
    }
  }

  /// A value of the current row.
  ///
  /// - Throws: `ArchiveError` if it cannot be read.
  package func value(_ index: Int) throws(ArchiveError) -> DatabaseValue {
    let library = database.library
    let index = Int32(clamping: index + 1)
    let start: UnsafeRawPointer?
    switch library.type(statement, index) {
    case SQLITE_NULL: return .null
    case SQLITE_BLOB: start = library.blob(statement, index)
    case SQLITE_TEXT: start = library.text(statement, index).map { UnsafeRawPointer($0) }
    default: return .number
    }
    let count = Int(library.byteCount(statement, index))
    try database.spend(rows: 0, bytes: count)
    guard let start else {
      if count == 0 { return .bytes(UnsafeRawBufferPointer(start: nil, count: 0)) }
      throw ArchiveError(.limit, "a value of \(count) bytes does not fit into memory")
    }
    return .bytes(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// A text of the current row; nil if the value is not one.
  package func text(_ index: Int) -> String? {
    database.text(statement, Int32(clamping: index + 1))
  }

  /// A number of the current row.
  package func integer(_ index: Int) -> Int64 {
    database.library.integer(statement, Int32(clamping: index + 1))
  }
}
