// A value in a database as an input.

import Basics
import Databases

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

  init(path: String, database: String, table: String, column: String) {
    (self.path, self.database, self.table, self.column) = (path, database, table, column)
  }

  /// The name of the column: `DATABASE#table.column`.
  package var name: String {
    "\(database)#\(DatabaseReference.name(table: table, column: column))"
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
