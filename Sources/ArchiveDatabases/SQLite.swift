// SQLite, loaded when the first database is opened: CSQLite gives its types and numbers at build time.

import ArchiveBasics
internal import CSQLite

/// The functions of SQLite that are called.
struct SQLite: @unchecked Sendable {
  typealias Connection = OpaquePointer
  typealias Statement = OpaquePointer

  let open: Open
  let close: Connect
  let message: Message
  let extendedCode: Connect
  let limit: Limit
  let authorize: Authorize
  let progress: Progress
  let prepare: Prepare
  let step: Step
  let finalize: Step
  let type: Column
  let integer: ColumnInteger
  let blob: ColumnBytes
  let text: ColumnText
  let byteCount: Column
  private let configuration: UnsafeMutableRawPointer
  /// Removes the modules of virtual tables; missing before 3.30.
  let dropModules: DropModules?

  private static let loaded = SQLite()
  private static let linuxName = "libsqlite3.so.0"
  private static let darwinName = "libsqlite3.dylib"

  /// The library.
  ///
  /// - Throws: `ArchiveError` with code `unsupported` if it is not installed.
  static func load() throws(ArchiveError) -> SQLite {
    guard let loaded else {
      throw ArchiveError(
        .unsupported,
        "databases need SQLite (\(linuxName) or \(darwinName)), which is not installed")
    }
    return loaded
  }

  private init?() {
    guard let library = SharedLibrary(linux: Self.linuxName, darwin: Self.darwinName) else {
      return nil
    }
    do {
      open = try library.needed("sqlite3_open_v2")
      close = try library.needed("sqlite3_close_v2")
      message = try library.needed("sqlite3_errmsg")
      extendedCode = try library.needed("sqlite3_extended_errcode")
      limit = try library.needed("sqlite3_limit")
      authorize = try library.needed("sqlite3_set_authorizer")
      progress = try library.needed("sqlite3_progress_handler")
      prepare = try library.needed("sqlite3_prepare_v2")
      step = try library.needed("sqlite3_step")
      finalize = try library.needed("sqlite3_finalize")
      type = try library.needed("sqlite3_column_type")
      integer = try library.needed("sqlite3_column_int64")
      blob = try library.needed("sqlite3_column_blob")
      text = try library.needed("sqlite3_column_text")
      byteCount = try library.needed("sqlite3_column_bytes")
      configuration = try library.needed("sqlite3_db_config")
      dropModules = library.function("sqlite3_drop_modules")
    } catch {
      return nil
    }
  }

  /// Sets an option of a connection; false if this version of the library does not have it.
  @discardableResult
  func configure(_ connection: Connection, _ option: Int32, _ isOn: Bool) -> Bool {
    archtool_sqlite3_configure(configuration, connection, option, isOn ? 1 : 0) == SQLITE_OK
  }
}

extension SQLite {
  // The signatures as the header declares them.
  typealias Open =
    @convention(c) (
      UnsafePointer<CChar>?, UnsafeMutablePointer<Connection?>?, Int32, UnsafePointer<CChar>?
    ) -> Int32
  typealias Connect = @convention(c) (Connection?) -> Int32
  typealias Message = @convention(c) (Connection?) -> UnsafePointer<CChar>?
  typealias Limit = @convention(c) (Connection?, Int32, Int32) -> Int32
  typealias Authorizer =
    @convention(c) (
      UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
      UnsafePointer<CChar>?, UnsafePointer<CChar>?
    ) -> Int32
  typealias Authorize =
    @convention(c) (Connection?, Authorizer?, UnsafeMutableRawPointer?) -> Int32
  typealias ProgressHandler = @convention(c) (UnsafeMutableRawPointer?) -> Int32
  typealias Progress =
    @convention(c) (Connection?, Int32, ProgressHandler?, UnsafeMutableRawPointer?) -> Void
  typealias Prepare =
    @convention(c) (
      Connection?, UnsafePointer<CChar>?, Int32, UnsafeMutablePointer<Statement?>?,
      UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) -> Int32
  typealias Step = @convention(c) (Statement?) -> Int32
  typealias Column = @convention(c) (Statement?, Int32) -> Int32
  typealias ColumnInteger = @convention(c) (Statement?, Int32) -> Int64
  typealias ColumnBytes = @convention(c) (Statement?, Int32) -> UnsafeRawPointer?
  typealias ColumnText = @convention(c) (Statement?, Int32) -> UnsafePointer<UInt8>?
  typealias DropModules =
    @convention(c) (Connection?, UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> Int32
}
