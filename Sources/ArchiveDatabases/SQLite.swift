// SQLite, loaded when the first database is opened: CSQLite gives its types and numbers at build time.

import ArchiveBasics
internal import CSQLite

/// The functions of SQLite that are called, to read databases and to make changed copies.
typealias SQLite = archtool_sqlite

extension SQLite {
  typealias Connection = OpaquePointer
  typealias Statement = OpaquePointer

  private static let linuxName = "libsqlite3.so.0"
  private static let darwinName = "libsqlite3.dylib"
  nonisolated(unsafe) private static let loaded: SQLite? =
    SharedLibrary(linux: linuxName, darwin: darwinName)?.functions(archtool_sqlite_names())

  /// The library.
  ///
  /// - Throws: `ArchiveError` with code `unsupported` if it is not installed.
  static func load() throws(ArchiveError) -> SQLite {
    try SharedLibrary.needed(loaded, "databases need SQLite (\(linuxName) or \(darwinName))")
  }

  /// Forbids a connection to run what a database defines, and to write where SQLite keeps its own.
  ///
  /// - Parameters:
  ///   - on: further options to set.
  ///   - off: further options to clear; an option that this version of the library does not have is left.
  func harden(_ connection: Connection, on: [Int32] = [], off: [Int32]) {
    for option in [SQLITE_DBCONFIG_DEFENSIVE] + on {
      _ = archtool_sqlite3_configure(self, connection, option, 1)
    }
    for option in [
      SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW,
      SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION,
      SQLITE_DBCONFIG_WRITABLE_SCHEMA,
    ] + off {
      _ = archtool_sqlite3_configure(self, connection, option, 0)
    }
    _ = dropModules?(connection, nil)
    _ = limit(connection, SQLITE_LIMIT_ATTACHED, 0)
  }

  /// Prepares a statement, which the caller finalizes.
  ///
  /// - Throws: the error of `problem` for a result code.
  func statement(
    _ text: String, on connection: Connection?, _ problem: (Int32) -> ArchiveError
  ) throws(ArchiveError) -> Statement {
    var statement: Statement?
    let code = prepare(connection, text.asPath, -1, &statement, nil)
    guard code == SQLITE_OK, let statement else { throw problem(code) }
    return statement
  }

  /// The bytes of a blob or a text of the current row; nil if they do not fit into memory.
  func bytes(_ statement: Statement, _ index: Int32) -> ByteView? {
    let start =
      type(statement, index) == SQLITE_TEXT
      ? text(statement, index).map { UnsafeRawPointer($0) } : blob(statement, index)
    let count = Int(byteCount(statement, index))
    if count == 0 { return ByteView() }
    return start.map { ByteView(start: $0, count: count) }
  }
}
