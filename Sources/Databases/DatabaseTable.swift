// The tables of a database and their columns: ordinary tables only, no view and no virtual table.

import Basics
internal import CSQLite

/// A table that stores rows.
package struct DatabaseTable: Sendable {
  /// Its name.
  package let name: String
  /// The names of the columns whose values are stored, in order; columns that are computed are not among them.
  package let columns: [String]
  /// The name under which the row's number can be read; nil for a table without one.
  let rowName: String?

  /// The columns as SQLite compares names: ASCII letters are equal in both cases.
  package func column(named name: String) -> String? {
    columns.first { $0 == name } ?? columns.first { Self.folded($0) == Self.folded(name) }
  }

  static func folded(_ name: String) -> [UInt8] {
    name.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
  }

  /// A name as a part of a statement.
  static func quoted(_ name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }
}

extension Database {
  /// The names of all tables that store rows, in the order of the schema; SQLite's own are left out.
  ///
  /// - Throws: `ArchiveError` if the schema is damaged.
  package func tableNames() throws(ArchiveError) -> [String] {
    var names: [String] = []
    try run("SELECT type, name, rootpage, sql FROM main.sqlite_master") {
      (row) throws(ArchiveError) in
      guard text(row, 0) == "table", library.integer(row, 2) > 0 else { return }
      guard let name = text(row, 1) else {
        throw ArchiveError(.malformed, "the database is damaged: the name of a table is no text")
      }
      let sql = DatabaseTable.folded(text(row, 3) ?? "")
      if sql.starts(with: "create virtual".utf8) { return }
      if DatabaseTable.folded(name).starts(with: "sqlite_".utf8) { return }
      names.append(name)
    }
    return names
  }

  /// Describes a table.
  ///
  /// - Throws: `ArchiveError` if the schema is damaged.
  package func table(_ name: String) throws(ArchiveError) -> DatabaseTable {
    var columns: [String] = []
    var all: Set<[UInt8]> = []
    try run("PRAGMA main.table_xinfo(\(DatabaseTable.quoted(name)))") {
      (row) throws(ArchiveError) in
      guard let column = text(row, 1) else {
        throw ArchiveError(.malformed, "the database is damaged: the name of a column is no text")
      }
      all.insert(DatabaseTable.folded(column))
      // 0 is an ordinary column, 3 a generated one that is stored.
      let kind = library.integer(row, 6)
      if kind == 0 || kind == 3 { columns.append(column) }
    }
    let free = ["_rowid_", "rowid", "oid"].first { !all.contains(Array($0.utf8)) }
    return DatabaseTable(
      name: name, columns: columns, rowName: free.flatMap { rowName($0, of: name) })
  }

  /// The name of the row's number, if the table has one.
  private func rowName(_ rowName: String, of table: String) -> String? {
    let quoted = DatabaseTable.quoted(table)
    do throws(ArchiveError) {
      let statement = try prepare("SELECT \(quoted).\(rowName) FROM main.\(quoted)")
      _ = library.finalize(statement)
      return rowName
    } catch {
      return nil
    }
  }

  /// The table and column of a reference, as the schema writes their names.
  ///
  /// - Throws: `ArchiveError` with code `cannotOpen` if there is no such table or column.
  package func table(
    of reference: DatabaseReference
  ) throws(ArchiveError) -> (table: DatabaseTable, column: String) {
    let names = try tableNames()
    let folded = DatabaseTable.folded(reference.table)
    guard let name = names.first(where: { DatabaseTable.folded($0) == folded }) else {
      throw ArchiveError(
        .cannotOpen, "no table '\(reference.table)' that stores rows\(Self.list(names))")
    }
    let table = try table(name)
    guard let column = table.column(named: reference.column) else {
      throw ArchiveError(
        .cannotOpen,
        "no stored column '\(reference.column)' in the table '\(name)'\(Self.list(table.columns))")
    }
    return (table, column)
  }

  /// The most names that a message lists.
  private static let mostListed = 12

  private static func list(_ names: [String]) -> String {
    if names.isEmpty { return "" }
    let rest = names.count > mostListed ? ", …" : ""
    return "; there are \(names.prefix(mostListed).joined(separator: ", "))\(rest)"
  }
}
