// The tables of a database and their columns: ordinary tables only, no view and no virtual table.

import ArchiveBasics
internal import CSQLite

/// A table that stores rows.
package struct DatabaseTable: Sendable {
  /// Its name.
  package let name: String
  /// The names of the columns whose values are stored, in order; columns that are computed are not among them.
  package let columns: [String]
  /// Those of them whose values are computed from others, and stored.
  let computed: Set<String>
  /// The columns of the primary key, in its order.
  let keys: [String]
  /// The name under which the row's number can be read; nil for a table without one.
  package let rowName: String?

  /// The columns as SQLite compares names: ASCII letters are equal in both cases.
  package func column(named name: String) -> String? {
    columns.first { $0 == name } ?? columns.first { Self.folded($0) == Self.folded(name) }
  }

  /// A name as SQLite compares it: ASCII letters are equal in both cases.
  package static func folded(_ name: String) -> [UInt8] {
    name.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
  }

  /// A name as a part of a statement.
  static func quoted(_ name: String) -> String { quoted(name, in: "\"") }

  /// A text as a part of a statement.
  static func literal(_ text: String) -> String { quoted(text, in: "'") }

  /// A statement that reads the number of each row, 0 without one, and columns.
  ///
  /// Without an index the rows come from the table itself, in its order.
  ///
  /// - Parameter row: the number of the only row to read; nil for all.
  func selection(of columns: [String], row: Int64? = nil) -> String {
    let name = Self.quoted(name)
    let number = rowName.map { "\(name).\($0)" }
    let rows =
      number.map { number in
        row.map { " WHERE \(number) = \($0)" } ?? " ORDER BY \(number)"
      } ?? ""
    return selection(of: columns, number ?? "0") + " NOT INDEXED" + rows
  }

  /// The beginning of a statement that reads a number and columns.
  func selection(of columns: [String], _ number: String) -> String {
    let name = Self.quoted(name)
    let values = columns.map { "\(name).\(Self.quoted($0))" }
    return "SELECT \(([number] + values).joined(separator: ", ")) FROM main.\(name)"
  }

  private static func quoted(_ text: String, in mark: Unicode.Scalar) -> String {
    let doubled = "\(mark)\(mark)"
    return text.unicodeScalars.reduce(into: "\(mark)") { $0 += $1 == mark ? doubled : String($1) }
      + "\(mark)"
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
    var computed: Set<String> = []
    var keys: [(position: Int64, column: String)] = []
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
      if kind == 3 { computed.insert(column) }
      let position = library.integer(row, 5)
      if position > 0 { keys.append((position, column)) }
    }
    let free = ["_rowid_", "rowid", "oid"].first { !all.contains(Array($0.utf8)) }
    return DatabaseTable(
      name: name, columns: columns, computed: computed,
      keys: keys.sorted { $0.position < $1.position }.map(\.column),
      rowName: free.flatMap { rowName($0, of: name) })
  }

  /// The name of the row's number, if the table has one.
  private func rowName(_ rowName: String, of table: String) -> String? {
    let quoted = DatabaseTable.quoted(table)
    let statement = try? prepare("SELECT \(quoted).\(rowName) FROM main.\(quoted)")
    guard let statement else { return nil }
    _ = library.finalize(statement)
    return rowName
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
      if try isView(folded) {
        throw ArchiveError(
          .cannotOpen, "'\(reference.table)' is a view; name the table that stores its rows")
      }
      throw ArchiveError(
        .cannotOpen, "no table '\(reference.table)' that stores rows\(Self.list(names))")
    }
    let table = try table(name)
    guard let column = table.column(named: reference.column) else {
      // Another mark than that of a row.
      let mark = reference.column.utf8.last { !(0x30...0x39).contains($0) }
      let isNumbered = mark.map {
        [UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "]")].contains($0)
      }
      let hint = isNumbered == true ? "; a row is named by @ and its number" : ""
      throw ArchiveError(
        .cannotOpen,
        "no stored column '\(reference.column)' in the table '\(name)'\(Self.list(table.columns))\(hint)"
      )
    }
    return (table, column)
  }

  private func isView(_ folded: [UInt8]) throws(ArchiveError) -> Bool {
    var isView = false
    try run("SELECT type, name FROM main.sqlite_master") { (row) throws(ArchiveError) in
      if text(row, 0) == "view", let name = text(row, 1), DatabaseTable.folded(name) == folded {
        isView = true
      }
    }
    return isView
  }

  private static let mostListed = 12

  private static func list(_ names: [String]) -> String {
    if names.isEmpty { return "" }
    let rest = names.count > mostListed ? ", …" : ""
    return "; there are \(names.prefix(mostListed).joined(separator: ", "))\(rest)"
  }
}

// MARK: - The rows of a table, one at a time, in the order of their numbers

/// A value of a row.
package enum DatabaseValue {
  /// NULL.
  case null
  /// A number.
  case number
  /// A blob, or a text in UTF-8; valid until the next row is read.
  case bytes(ByteView)
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
    if !isNumbered { only = row }
    statement = try database.prepare(table.selection(of: columns, row: row))
  }

  /// Starts to read the rows in which a column has a text, by an index if there is one.
  ///
  /// - Throws: `ArchiveError` if the table cannot be read.
  package init(
    _ database: Database, _ table: DatabaseTable, columns: [String], where column: String,
    is text: String
  ) throws(ArchiveError) {
    self.database = database
    isNumbered = false
    let name = DatabaseTable.quoted(table.name)
    statement = try database.prepare(
      table.selection(of: columns, "0")
        + " WHERE \(name).\(DatabaseTable.quoted(column)) = \(DatabaseTable.literal(text))")
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
    switch library.type(statement, index) {
    case SQLITE_NULL: return .null
    case SQLITE_BLOB, SQLITE_TEXT: break
    default: return .number
    }
    let bytes = library.bytes(statement, index)
    let count = bytes?.count ?? Int(library.byteCount(statement, index))
    try database.spend(rows: 0, bytes: count)
    guard let bytes else {
      throw ArchiveError(.limit, "a value of \(count) bytes does not fit into memory")
    }
    return .bytes(bytes)
  }

  /// Binds a value of the current row to a statement.
  func bind(_ index: Int, to other: SQLite.Statement, at position: Int32) -> Int32 {
    let library = database.library
    return library.bindValue(other, position, library.value(statement, Int32(clamping: index + 1)))
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

// MARK: - A column of a database, or one of its rows, as an operand names it: `DATABASE#table.column@ROW`

/// The name of a column or of a row's value.
package struct DatabaseReference: Hashable, Sendable {
  /// The path of the database.
  package let path: String
  /// The name of the table.
  package let table: String
  /// The name of the column.
  package let column: String
  /// The number of the row; nil for all rows.
  package let row: Int64?

  /// Reads an operand; nil if it names no database before a `#`.
  ///
  /// The name of the database ends at the last `#` before which there is one.
  ///
  /// - Throws: `ArchiveError` with code `cannotOpen` if what follows is not a column.
  package init?(_ operand: String) throws(ArchiveError) {
    guard let (path, name) = Self.split(operand, isDatabase: Database.isDatabase) else {
      return nil
    }
    try self.init(path: path, naming: name)
  }

  /// Reads the name of a column or a row, `table.column` or `table.column@ROW`.
  ///
  /// - Parameter path: the path of the database.
  /// - Throws: `ArchiveError` with code `cannotOpen` if it is none.
  package init(path: String, naming name: String) throws(ArchiveError) {
    var rest = name.unicodeScalars[...]
    guard let table = Self.name(&rest, endsAt: "."), rest.popFirst() == ".",
      let column = Self.name(&rest, endsAt: "@")
    else { throw Self.malformed(name) }
    (self.path, self.table, self.column) = (path, table, column)
    guard rest.popFirst() != nil else {
      row = nil
      return
    }
    guard let row = Int64(String(rest)), String(row) == String(rest) else {
      throw Self.malformed(name)
    }
    self.row = row
  }

  /// Whether an operand names a column rather than a file: no file has the name, and a database precedes a `#`.
  package static func isNamed(by operand: String) -> Bool {
    guard operand.utf8.contains(UInt8(ascii: "#")) else { return false }
    return FileStatus(of: operand, followsLinks: false) == nil
      && split(operand, isDatabase: Database.isDatabase) != nil
  }

  /// Divides a text at the last `#` that follows the name of a database; nil if there is none.
  package static func split(
    _ text: String, isDatabase: (String) -> Bool
  ) -> (path: String, name: String)? {
    var end = text.endIndex
    while let mark = text[..<end].utf8.lastIndex(of: UInt8(ascii: "#")) {
      let path = String(text[..<mark])
      if isDatabase(path) {
        return (path, String(text[text.utf8.index(after: mark)...]))
      }
      end = mark
    }
    return nil
  }

  /// A name, in quotation marks if it has a character that would end it.
  private static func name(
    _ rest: inout Substring.UnicodeScalarView, endsAt end: Unicode.Scalar
  ) -> String? {
    var name = String.UnicodeScalarView()
    guard rest.first == "\"" else {
      while let scalar = rest.first, scalar != end {
        if ".@\"".unicodeScalars.contains(scalar) { return nil }
        name.append(scalar)
        rest.removeFirst()
      }
      return name.isEmpty ? nil : String(name)
    }
    rest.removeFirst()
    while let scalar = rest.popFirst() {
      if scalar == "\"" {
        guard rest.first == "\"" else {
          return rest.first == nil || rest.first == end ? String(name) : nil
        }
        rest.removeFirst()
      }
      name.append(scalar)
    }
    return nil
  }

  private static func malformed(_ name: String) -> ArchiveError {
    ArchiveError(
      .cannotOpen,
      "'\(name)' names no column; write #TABLE.COLUMN or #TABLE.COLUMN@ROW, and a name with '.', '@', '#' or '\"' in quotation marks, as in #\"my.table\".column"
    )
  }

  /// A table and a column as an operand names them: `table.column`.
  package static func name(table: String, column: String) -> String {
    "\(self.name(table)).\(self.name(column))"
  }

  /// A table or a column as an operand names it: in quotation marks if it needs them.
  package static func name(_ name: String) -> String {
    let isPlain =
      !name.isEmpty
      && name.unicodeScalars.allSatisfy { !".@#\"".unicodeScalars.contains($0) }
    return isPlain ? name : DatabaseTable.quoted(name)
  }
}
