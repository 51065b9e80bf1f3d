// A changed copy of a SQLite database: made by SQLite's backup, changed in one transaction, compared with the original.

import ArchiveBasics
internal import CSQLite

/// A copy in which values are replaced; the database itself is only read.
///
/// No trigger and no view of the copy runs; constraints and indexes are those of the database. It is used by one thread.
package final class ChangedDatabase {
  /// A column of the copy in which values are replaced.
  private final class Column {
    let table: DatabaseTable
    let name: String
    let select: SQLite.Statement
    let update: SQLite.Statement
    /// The keys of the rows, of a table without row numbers.
    var keys: TableRows?
    /// Digests of the new values, by the numbers of their rows.
    var changes: [Int64: Int] = [:]

    init(
      _ table: DatabaseTable, _ name: String, select: SQLite.Statement, update: SQLite.Statement
    ) {
      (self.table, self.name, self.select, self.update) = (table, name, select, update)
    }
  }

  /// How many pages are copied between two questions whether to stop.
  private static let pagesPerStep: Int32 = 4096

  /// How many values were replaced.
  package private(set) var changeCount = 0
  private let source: Database
  private let library: SQLite
  private var connection: SQLite.Connection?
  private let folder: String
  private let path: String
  private var columns: [Column] = []
  private var isFinalized = false
  private let isStopped: () -> Bool

  /// Copies a database and begins a transaction in the copy.
  ///
  /// - Parameters:
  ///   - database: the path of the database.
  ///   - parent: the folder in which the copy is made, in a folder that only its user may enter.
  ///   - isStopped: asked from time to time; if it returns true, copying ends with an error.
  /// - Throws: `ArchiveError` if the database cannot be read, or the copy cannot be made.
  package init(
    of database: String, in parent: String, isStopped: @escaping () -> Bool = { false }
  ) throws(ArchiveError) {
    self.isStopped = isStopped
    source = try Database(database, isStopped: isStopped)
    library = source.library
    folder = parent + "/.archtool-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    path = folder + "/database"
    try checkSystem(
      mkdir(folder.asPath, 0o700) == 0, .cannotCreate,
      "cannot create a folder for the copy in \(parent)")
    do throws(ArchiveError) {
      try copy()
      try open()
      try run("BEGIN IMMEDIATE")
    } catch {
      discard()
      throw error
    }
  }

  deinit { discard() }

  // MARK: The copy

  private func copy() throws(ArchiveError) {
    let descriptor = FilePermissions.owner.createFile(path, flags: O_WRONLY)
    try checkSystem(descriptor >= 0, .cannotCreate, "cannot create the copy")
    _ = close(descriptor)
    try connect()
    guard
      let backup = library.beginBackup(connection, "main".asPath, source.connection, "main".asPath)
    else { throw problem(SQLITE_ERROR) }
    var code = SQLITE_OK
    while code == SQLITE_OK, !isStopped() { code = library.backup(backup, Self.pagesPerStep) }
    let end = library.endBackup(backup)
    guard code == SQLITE_DONE else {
      if isStopped() {
        throw ArchiveError(.inputOutput, "the database was not copied completely: interrupted")
      }
      throw problem(end == SQLITE_OK ? code : end)
    }
    try source.checkUnchanged()
    try disconnect()
  }

  private func connect() throws(ArchiveError) {
    let code = library.open(
      path.asPath, &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK else { throw problem(code) }
  }

  private func disconnect() throws(ArchiveError) {
    let code = library.close(connection)
    connection = nil
    guard code == SQLITE_OK else {
      throw ArchiveError(.inputOutput, "cannot write the copy of the database: error \(code)")
    }
  }

  /// Opens the copy for changes, in which nothing runs that the database defines but checks and indexes.
  private func open() throws(ArchiveError) {
    try connect()
    guard let connection else { return }
    library.harden(connection, off: [SQLITE_DBCONFIG_ENABLE_FKEY])
    // The last argument names the trigger or view that would do it.
    _ = library.authorize(
      connection,
      { _, action, _, _, _, program in
        switch action {
        case SQLITE_SELECT, SQLITE_PRAGMA, SQLITE_TRANSACTION, SQLITE_FUNCTION: SQLITE_OK
        case SQLITE_READ where program == nil: SQLITE_OK
        case SQLITE_UPDATE where program == nil: SQLITE_OK
        default: SQLITE_DENY
        }
      }, nil)
    // Nothing is shared, and the copy is only used once it is whole; a log stays the form of its journal.
    try run("PRAGMA main.locking_mode=EXCLUSIVE")
    try run("PRAGMA main.synchronous=OFF")
    try run("PRAGMA temp_store=MEMORY")
  }

  // MARK: Statements

  private func prepare(_ text: String) throws(ArchiveError) -> SQLite.Statement {
    try library.statement(text, on: connection, problem)
  }

  private func run(_ text: String) throws(ArchiveError) {
    let statement = try prepare(text)
    var code = library.step(statement)
    while code == SQLITE_ROW { code = library.step(statement) }
    _ = library.finalize(statement)
    guard code == SQLITE_DONE else { throw problem(code) }
  }

  private func problem(_ code: Int32) -> ArchiveError {
    let words = library.message(connection).map { String(cString: $0) } ?? "error \(code)"
    switch code & 0xFF {
    case SQLITE_CONSTRAINT:
      return ArchiveError(.mismatch, "the database does not allow the new value: \(words)")
    case SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN, SQLITE_READONLY:
      return ArchiveError(.inputOutput, "cannot write the copy of the database: \(words)")
    case SQLITE_TOOBIG, SQLITE_NOMEM:
      return ArchiveError(.limit, "a value of the database is too large: \(words)")
    case SQLITE_CORRUPT, SQLITE_NOTADB:
      return ArchiveError(.malformed, "the database is damaged: \(words)")
    default: return ArchiveError(.unsupported, "the copy cannot be changed: \(words)")
    }
  }

  // MARK: Changes

  /// Prepares the changes of a column.
  ///
  /// - Throws: `ArchiveError` if there is no such column, or it is computed, or identifies the rows.
  package func begin(_ reference: DatabaseReference) throws(ArchiveError) {
    let (table, name) = try source.table(of: reference)
    if columns.contains(where: { $0.table.name == table.name && $0.name == name }) { return }
    if table.computed.contains(name) {
      throw ArchiveError(
        .unsupported, "the column '\(name)' is computed from others, and cannot be changed")
    }
    let (tableName, columnName) = (DatabaseTable.quoted(table.name), DatabaseTable.quoted(name))
    let condition: String
    if let rowName = table.rowName {
      condition = "\(tableName).\(rowName) = ?2"
    } else {
      guard !table.keys.isEmpty, !table.keys.contains(name) else {
        throw ArchiveError(
          .unsupported,
          table.keys.isEmpty
            ? "the rows of the table '\(table.name)' cannot be identified"
            : "the column '\(name)' is a part of the primary key, which identifies the rows")
      }
      condition = table.keys.enumerated().map { position, key in
        "\(tableName).\(DatabaseTable.quoted(key)) IS ?\(position + 2)"
      }.joined(separator: " AND ")
    }
    let select = try prepare(
      "SELECT \(tableName).\(columnName) FROM main.\(tableName) WHERE \(condition)")
    let update = try prepare("UPDATE main.\(tableName) SET \(columnName) = ?1 WHERE \(condition)")
    columns.append(Column(table, name, select: select, update: update))
  }

  /// Replaces a value.
  ///
  /// - Parameters:
  ///   - table: the name of the table, as the schema writes it.
  ///   - column: the name of the column.
  ///   - row: the number of the row, as `TableRows` counts.
  ///   - old: the value that it must have.
  ///   - new: the new value, a text if the old one is.
  /// - Throws: `ArchiveError` if the database does not allow it, or the row has another value.
  package func replace(
    table: String, column: String, row: Int64, old: ByteView, with new: ByteView
  ) throws(ArchiveError) {
    guard let column = columns.first(where: { $0.table.name == table && $0.name == column }) else {
      throw ArchiveError(.unsupported, "the column '\(column)' is not to be changed")
    }
    defer {
      _ = library.reset(column.select)
      _ = library.reset(column.update)
    }
    for statement in [column.select, column.update] { try bind(row, of: column, to: statement) }
    guard library.step(column.select) == SQLITE_ROW else { throw Database.changed }
    let type = library.type(column.select, 0)
    let isText = type == SQLITE_TEXT
    guard isText || type == SQLITE_BLOB, bytes(column.select, 0).elementsEqual(old) else {
      throw Database.changed
    }
    guard library.step(column.select) == SQLITE_DONE else { throw Database.changed }
    if isText {
      guard let text = String(validating: new, as: UTF8.self), !text.hasZeroByte else {
        throw ArchiveError(
          .unrepresentable, "the column has text, which cannot hold the new archive")
      }
    }
    let count = Int32(clamping: new.count)
    // The statement ends before the bytes do.
    let code =
      isText
      ? library.bindText(
        column.update, 1, new.baseAddress?.assumingMemoryBound(to: CChar.self), count, nil)
      : library.bindBlob(column.update, 1, new.baseAddress, count, nil)
    guard code == SQLITE_OK else { throw problem(code) }
    let outcome = library.step(column.update)
    guard outcome == SQLITE_DONE else { throw problem(outcome) }
    guard library.changes(connection) == 1 else { throw Database.changed }
    column.changes[row] = Self.digest(new)
    changeCount += 1
  }

  private func bind(
    _ row: Int64, of column: Column, to statement: SQLite.Statement
  ) throws(ArchiveError) {
    _ = library.reset(statement)
    if column.table.rowName != nil {
      let code = library.bindInteger(statement, 2, row)
      guard code == SQLITE_OK else { throw problem(code) }
      return
    }
    let rows: TableRows
    if let known = column.keys, known.number <= row {
      rows = known
    } else {
      rows = try TableRows(source, column.table, columns: column.table.keys)
      column.keys = rows
    }
    while rows.number < row { guard try rows.next() else { throw Database.changed } }
    for position in column.table.keys.indices {
      let code = rows.bind(position, to: statement, at: Int32(clamping: position + 2))
      guard code == SQLITE_OK else { throw problem(code) }
    }
  }

  private func bytes(_ statement: SQLite.Statement, _ index: Int32) -> ByteView {
    library.bytes(statement, index) ?? ByteView()
  }

  private static func digest(_ bytes: ByteView) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes.count)
    hasher.combine(bytes: bytes)
    return hasher.finalize()
  }

  // MARK: The end

  /// Ends the transaction, and compares each row of the changed tables with the database: what was replaced is what was
  /// written, and everything else is the same.
  ///
  /// - Throws: `ArchiveError` if the transaction fails, or a row differs.
  package func finish() throws(ArchiveError) {
    finalize()
    try run("COMMIT")
    try disconnect()
    let copy = try Database(path, isStopped: isStopped)
    var names: Set<String> = []
    for column in columns where names.insert(column.table.name).inserted {
      try compare(column.table, with: copy)
    }
    try source.checkUnchanged()
  }

  private func finalize() {
    if isFinalized { return }
    isFinalized = true
    for column in columns {
      _ = library.finalize(column.select)
      _ = library.finalize(column.update)
      column.keys = nil
    }
  }

  private func compare(
    _ table: DatabaseTable, with copy: Database
  ) throws(ArchiveError) {
    let names = table.columns.filter { !table.computed.contains($0) }
    let changes = names.map { name in
      columns.first { $0.table.name == table.name && $0.name == name }?.changes ?? [:]
    }
    let text = table.selection(of: names)
    let (old, new) = (try source.prepare(text), try copy.prepare(text))
    defer {
      _ = library.finalize(old)
      _ = library.finalize(new)
    }
    var row: Int64 = 0
    while true {
      let hasNext = (try source.step(old), try copy.step(new))
      guard hasNext.0 == hasNext.1, !source.isInterrupted, !copy.isInterrupted else {
        throw ArchiveError(.inputOutput, "the copy of the database was not compared completely")
      }
      if !hasNext.0 { return }
      row = table.rowName == nil ? row + 1 : library.integer(old, 0)
      for index in -1..<names.count {
        let change = index < 0 ? nil : changes[index][row]
        guard isExpected(old, new, Int32(clamping: index + 1), change) else {
          throw ArchiveError(
            .inputOutput,
            "the copy of the database differs in row \(row) of '\(table.name)' from what was written"
          )
        }
      }
    }
  }

  /// Whether a value is the same, or has the digest of the one that was written.
  private func isExpected(
    _ old: SQLite.Statement, _ new: SQLite.Statement, _ index: Int32, _ digest: Int?
  ) -> Bool {
    let type = library.type(old, index)
    guard library.type(new, index) == type else { return false }
    switch type {
    case SQLITE_NULL: return true
    case SQLITE_INTEGER: return library.integer(old, index) == library.integer(new, index)
    case SQLITE_FLOAT:
      return library.real(old, index).bitPattern == library.real(new, index).bitPattern
    default:
      let bytes = bytes(new, index)
      return digest.map { Self.digest(bytes) == $0 } ?? self.bytes(old, index).elementsEqual(bytes)
    }
  }

  /// Writes the finished copy to its file.
  ///
  /// - Throws: `ArchiveError` with code `cannotCreate` or `inputOutput`; there is no new file then.
  package func write(
    to file: String, replacing: Bool, allowing bound: FilePermissions
  ) throws(ArchiveError) {
    let copy = try OpenFile(path).orSystemError(.inputOutput, "cannot read the copy")
    try AtomicFile.write(to: file, existing: replacing ? .replace : .refuse, allowing: bound) {
      (output) throws(ArchiveError) in
      while try output.writeBlock(of: copy, "the copy") {}
    }
  }

  /// Removes the copy.
  package func discard() {
    if connection != nil {
      finalize()
      _ = library.close(connection)
      connection = nil
    }
    DatabaseCopy.remove(folder)
  }
}
