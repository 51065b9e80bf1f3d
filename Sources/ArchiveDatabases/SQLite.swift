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

  /// Sets an option of a connection, if this version of the library has it.
  func configure(_ connection: Connection, _ option: Int32, _ isOn: Bool) {
    _ = archtool_sqlite3_configure(self, connection, option, isOn ? 1 : 0)
  }
}
