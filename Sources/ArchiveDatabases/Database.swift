// A SQLite database that is only read, and that may be hostile: nothing in it runs, and nothing beside it changes.

import ArchiveBasics
internal import CSQLite

/// A database that is open for reading; it is used by one thread.
package final class Database {
  let library: SQLite
  private(set) var connection: SQLite.Connection?
  /// Its files; nil for a database in memory.
  private let files: DatabaseFiles?
  /// The database in memory; nil for one in files.
  private let image: DatabaseImage?
  private let byteCount: Int
  /// How many rows and bytes may still be read: a sound database stores each only once.
  private var budget: (rows: Int, bytes: Int)
  private let stop: StopCheck

  /// Asks whether a read should end.
  private final class StopCheck {
    let isStopped: () -> Bool
    /// How many checks remain: a damaged tree of pages may lead to the same rows again and again.
    var remaining: Int

    /// Whether a read ended because it took too many steps.
    var isExhausted: Bool { remaining <= 0 }

    init(_ isStopped: @escaping () -> Bool, _ checks: Int) {
      self.isStopped = isStopped
      remaining = checks
    }

    func check() -> Bool {
      remaining -= 1
      return isExhausted || isStopped()
    }
  }

  /// The number of steps of SQLite's machine between two questions whether to stop.
  private static let stepsBetweenChecks: Int32 = 20_000
  /// How many checks a small database has, and how many bytes of a large one are worth a check: reading a value takes a
  /// few steps.
  private static let (fewestChecks, bytesPerCheck) = (1000, 400)

  /// Opens a database.
  ///
  /// Without a log or journal beside it the file is read as it is, and SQLite neither locks it nor makes a file. Otherwise
  /// a private copy is read, which is removed as soon as it is open.
  ///
  /// - Parameters:
  ///   - companions: the paths of its write-ahead log and its rollback journal, by `-wal` and `-journal`; nil for those
  ///     beside it.
  ///   - isStopped: asked from time to time; if it returns true, reading ends as if there were no more rows.
  /// - Throws: `ArchiveError` if it cannot be opened, or is no database.
  package convenience init(
    _ path: String, companions: [String: String]? = nil,
    isStopped: @escaping () -> Bool = { false }
  ) throws(ArchiveError) {
    let files = DatabaseFiles(path, companions)
    try self.init(files, nil, files.byteCount, isStopped)
    if files.companions.isEmpty {
      let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      try open(Self.immutable(files.path), flags)
    } else {
      try DatabaseCopy.opened(of: files, isStopped: isStopped) { (copy) throws(ArchiveError) in
        try open(copy.asPath, SQLITE_OPEN_READWRITE)
      }
    }
  }

  /// Opens a database in memory; no file is made of it.
  ///
  /// - Parameters:
  ///   - bytes: its bytes, which are copied.
  ///   - log: the bytes of its write-ahead log; nil without one.
  ///   - isStopped: asked from time to time; if it returns true, reading ends as if there were no more rows.
  /// - Throws: `ArchiveError` if it is no database, or too large.
  package convenience init(
    bytes: ByteView, log: ByteView? = nil, isStopped: @escaping () -> Bool = { false }
  ) throws(ArchiveError) {
    let image = try DatabaseImage(copying: bytes, log: log, limit: Limits().inflatedBytes)
    try self.init(nil, image, image.bytes.count, isStopped)
    try open(":memory:".asPath, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY)
  }

  private init(
    _ files: DatabaseFiles?, _ image: DatabaseImage?, _ byteCount: Int,
    _ isStopped: @escaping () -> Bool
  ) throws(ArchiveError) {
    (self.files, self.image, self.byteCount) = (files, image, byteCount)
    library = try SQLite.load()
    budget = Self.budget(of: byteCount)
    stop = StopCheck(isStopped, Self.checks(of: byteCount))
  }

  /// A row takes at least 4 bytes, and texts in UTF-16 grow by half when they become UTF-8.
  private static func budget(of byteCount: Int) -> (rows: Int, bytes: Int) {
    (byteCount / 4 + 1, byteCount.multipliedReportingOverflow(by: 2).partialValue)
  }

  private static func checks(of byteCount: Int) -> Int { fewestChecks + byteCount / bytesPerCheck }

  /// Lets all rows be read once more.
  package func startOver() {
    budget = Self.budget(of: byteCount)
    stop.remaining = Self.checks(of: byteCount)
  }

  deinit { if let connection { _ = library.close(connection) } }

  /// The path as a URI with which SQLite opens the file without locks; bytes that are not ASCII are encoded.
  private static func immutable(_ path: String) -> [CChar] {
    let prefix = path.utf8.first == UInt8(ascii: "/") ? "file://" : "file:./"
    let encoded = PercentEncoding.encoded(bytes: path.pathBytes, keeping: "/")
    return (prefix + encoded + "?immutable=1").asPath
  }

  private func open(_ name: [CChar], _ flags: Int32) throws(ArchiveError) {
    let code = library.open(name, &connection, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK else { throw problem(code) }
    if let image { try read(image) }
    harden()
    // A log is read without shared memory, and no temporary file is made.
    for pragma in ["locking_mode=EXCLUSIVE", "temp_store=MEMORY", "query_only=1"] {
      try run("PRAGMA main.\(pragma)") { _ in }
    }
    // The first query opens the log of a copy, whose files are then removed.
    try run("SELECT 1 FROM main.sqlite_master LIMIT 1") { _ in }
  }

  private func read(_ image: DatabaseImage) throws(ArchiveError) {
    guard let deserialize = library.deserialize else {
      throw ArchiveError(
        .unsupported, "this SQLite reads no databases in memory, as those of encrypted backups are")
    }
    let start = image.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    let size = sqlite3_int64(image.bytes.count)
    let code = deserialize(
      connection, "main", start, size, size, UInt32(SQLITE_DESERIALIZE_READONLY))
    guard code == SQLITE_OK else { throw problem(code) }
  }

  private func harden() {
    guard let connection else { return }
    library.harden(
      connection, on: [SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE], off: [SQLITE_DBCONFIG_DQS_DML])
    let most = Int32(clamping: min(Limits().inflatedBytes, budget.bytes + 1 << 16))
    _ = library.limit(connection, SQLITE_LIMIT_LENGTH, most)
    // Only columns of tables may be read: no function, no view and no trigger runs.
    _ = library.authorize(
      connection,
      { _, action, _, _, _, view in
        switch action {
        case SQLITE_SELECT, SQLITE_PRAGMA: SQLITE_OK
        case SQLITE_READ where view == nil: SQLITE_OK
        default: SQLITE_DENY
        }
      }, nil)
    library.progress(
      connection, Self.stepsBetweenChecks,
      { context in
        guard let context else { return 0 }
        return Unmanaged<StopCheck>.fromOpaque(context).takeUnretainedValue().check() ? 1 : 0
      }, Unmanaged.passUnretained(stop).toOpaque())
  }

  // MARK: Statements

  /// Whether reading ended because it was to stop.
  package private(set) var isInterrupted = false

  /// Prepares a statement; the caller finalizes it.
  func prepare(_ text: String) throws(ArchiveError) -> SQLite.Statement {
    try library.statement(text, on: connection, problem)
  }

  /// Runs a statement, row by row.
  func run(
    _ text: String, _ body: (SQLite.Statement) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    let statement = try prepare(text)
    defer { _ = library.finalize(statement) }
    while try step(statement) { try body(statement) }
  }

  /// Moves to the next row; false at the end.
  func step(_ statement: SQLite.Statement) throws(ArchiveError) -> Bool {
    switch library.step(statement) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case SQLITE_INTERRUPT where !stop.isExhausted:
      isInterrupted = true
      return false
    case let code: throw problem(code)
    }
  }

  /// A text of a row; nil if it is not valid.
  func text(_ statement: SQLite.Statement, _ index: Int32) -> String? {
    guard library.type(statement, index) == SQLITE_TEXT,
      let start = library.text(statement, index)
    else { return nil }
    let count = Int(library.byteCount(statement, index))
    let text = String(validating: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    return text.flatMap { $0.hasZeroByte ? nil : $0 }
  }

  // MARK: Bounds

  /// Counts a row and the bytes of a value.
  ///
  /// - Throws: `ArchiveError` if the database would have more of them than bytes.
  func spend(rows: Int, bytes: Int) throws(ArchiveError) {
    budget.rows -= rows
    budget.bytes -= bytes
    if budget.rows < 0 || budget.bytes < 0 {
      throw ArchiveError(
        .malformed, "the database is damaged: its rows would have more bytes than its file")
    }
  }

  /// Throws if the file was changed since it was opened.
  func checkUnchanged() throws(ArchiveError) {
    if let files, files.companions.isEmpty { try files.checkUnchanged([""]) }
  }

  // MARK: Errors

  /// The error of a database that is not as it was.
  static let changed = ArchiveError(
    .inputOutput, "the database changed while it was read; run the command again")

  func problem(_ code: Int32) -> ArchiveError {
    let extended = connection.map { library.extendedCode($0) } ?? code
    let words = library.message(connection).map { String(cString: $0) } ?? "error \(code)"
    switch code & 0xFF {
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_BUSY, SQLITE_LOCKED:
      return ArchiveError(.cannotOpen, "cannot open the database: \(words)")
    case SQLITE_IOERR where extended != Self.shortRead:
      return ArchiveError(.inputOutput, "cannot read the database: \(words)")
    case SQLITE_TOOBIG, SQLITE_NOMEM:
      return ArchiveError(.limit, "a value of the database is too large: \(words)")
    case SQLITE_INTERRUPT where stop.isExhausted:
      return ArchiveError(.malformed, "the database is damaged: its pages lead in circles")
    case SQLITE_INTERRUPT:
      return ArchiveError(.inputOutput, "the database was not read completely: interrupted")
    case SQLITE_AUTH:
      return ArchiveError(.unsupported, "the database would run code to be read: \(words)")
    default: return ArchiveError(.malformed, "the database is damaged: \(words)")
    }
  }

  /// SQLITE_IOERR_SHORT_READ, whose definition Swift does not import.
  private static let shortRead = SQLITE_IOERR | 2 << 8
}

// MARK: - A private copy of a database that has a log: reading the log would write beside the database

/// A copy in a temporary folder that only its user may enter, and that exists only while it is opened.
enum DatabaseCopy {
  private static let suffixes = ["", "-wal", "-journal", "-shm"]

  /// Copies a database and what is beside it, and removes the copy; what was opened stays readable until it is closed.
  ///
  /// - Parameters:
  ///   - isStopped: asked between blocks; if it returns true, the copy ends with an error.
  ///   - body: opens the copied database at a path.
  /// - Throws: `ArchiveError` if a file cannot be copied, or changes meanwhile; or the error of `body`.
  static func opened(
    of files: DatabaseFiles, isStopped: () -> Bool,
    _ body: (String) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    let parent = getenv("TMPDIR").map { String(path: $0) } ?? ""
    let folder =
      (parent.isEmpty ? "/tmp" : parent) + "/archtool-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    let path = folder + "/database"
    let pending = PendingFile(suffixes.map { path + $0 }, in: folder)
    guard mkdir(folder.asPath, 0o700) == 0 else {
      let message = systemMessage()
      pending.end()
      throw ArchiveError(
        .cannotCreate, "cannot create a folder for a copy of the database: \(message)")
    }
    var problem: ArchiveError?
    do throws(ArchiveError) {
      for suffix in [""] + files.companions {
        try copy(files.path(of: suffix), to: path + suffix, isStopped)
      }
      try files.checkUnchanged([""] + files.companions)
      if files.companions.contains("-journal") { try checkJournal(path + "-journal") }
      try body(path)
    } catch {
      problem = error
    }
    remove(folder)
    pending.end()
    if let problem { throw problem }
  }

  /// How the name of another journal ends in a journal (pager.c, `readSuperJournal`).
  private static let superJournalMark: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

  /// Throws if a journal names that of a transaction over several databases: SQLite would read the file of that name,
  /// whichever it is, and delete it.
  private static func checkJournal(_ path: String) throws(ArchiveError) {
    let file = try OpenFile(path).orSystemError(.cannotOpen, "cannot open the copied journal")
    let count = superJournalMark.count
    let size = Int(try file.status().st_size)
    guard size >= count else { return }
    guard let end = file.bytes(count, at: size - count), end.count == count else {
      throw ArchiveError(.inputOutput, "cannot read the copied journal: \(systemMessage())")
    }
    if end == superJournalMark {
      throw ArchiveError(
        .unsupported,
        "the journal beside the database is that of a transaction over several databases; open them once with their application"
      )
    }
  }

  static func remove(_ folder: String) {
    for suffix in suffixes { _ = unlink((folder + "/database" + suffix).asPath) }
    _ = rmdir(folder.asPath)
  }

  private static func copy(
    _ source: String, to target: String, _ isStopped: () -> Bool
  ) throws(ArchiveError) {
    guard let input = OpenFile(source, O_RDONLY | O_NOFOLLOW) else {
      let reason = errno == ELOOP ? "is a link" : systemMessage()
      throw ArchiveError(.cannotOpen, "cannot open \(source): \(reason)")
    }
    let output = FilePermissions.owner.createFile(target, flags: O_WRONLY)
    try checkSystem(output >= 0, .cannotCreate, "cannot copy the database")
    defer { _ = close(output) }
    var buffer = OutputBuffer(descriptor: output)
    while !isStopped() {
      let isMore = try buffer.writeBlock(of: input, "the database")
      if !isMore || buffer.hasProblem { return try buffer.finish() }
    }
    throw ArchiveError(.inputOutput, "the database was not copied completely: interrupted")
  }
}

extension OutputBuffer {
  private static let blockSize = 1 << 20

  /// Writes the next block of a file; false at its end.
  mutating func writeBlock(of file: OpenFile, _ name: String) throws(ArchiveError) -> Bool {
    let room = bytes.reserve(Self.blockSize)
    let count = retryingInterrupts { read(file.descriptor, room, Self.blockSize) }
    try checkSystem(count >= 0, .inputOutput, "cannot read \(name)")
    bytes.filled(count)
    flush()
    return count > 0
  }
}

// MARK: - The files of a database, without opening it

struct DatabaseFiles {
  /// The path of the database, with its links resolved: SQLite looks beside the target of a link.
  let path: String
  /// The log and the journal, if they have any bytes: suffixes of its name.
  let companions: [String]
  /// The paths of all of them by their suffixes; none of one that another place lacks.
  private let paths: [String: String]
  /// The files by their suffixes; a link beside the database is not followed: it could lead to any file.
  private let states: [String: FileStatus]

  /// The suffixes of a write-ahead log and of a rollback journal.
  private static let suffixes = ["-wal", "-journal"]

  /// Looks at a database and what belongs to it.
  ///
  /// - Parameter paths: the paths of the log and the journal; nil for those beside it.
  init(_ path: String, _ paths: [String: String]? = nil) {
    let path = FolderListing.resolved(path) ?? path
    self.path = path
    let beside = Self.suffixes.map { ($0, path + $0) }
    let all = (paths ?? Dictionary(uniqueKeysWithValues: beside)).merging(["": path]) { $1 }
    self.paths = all
    let states = all.compactMapValues { FileStatus(of: $0, followsLinks: false) }
    self.states = states
    companions = Self.suffixes.filter { (states[$0]?.st_size ?? 0) > 0 }
  }

  /// The path of the database for no suffix, or of what belongs to it.
  func path(of suffix: String) -> String { paths[suffix] ?? path + suffix }

  /// How many bytes all of them have.
  var byteCount: Int { states.values.reduce(0) { $0 &+ Int($1.st_size) } }

  /// Throws if the database, or what belongs to it, is not as it was.
  func checkUnchanged(_ suffixes: [String]) throws(ArchiveError) {
    for suffix in suffixes {
      let status = FileStatus(of: path(of: suffix), followsLinks: false)
      if let status, let before = states[suffix], status.isUnchanged(since: before) { continue }
      if status == nil, states[suffix] == nil { continue }
      throw Database.changed
    }
  }
}

extension Database {
  /// How every database begins (Database File Format, section 1.3).
  private static let header = Array("SQLite format 3\0".utf8)

  /// Whether a path leads to a regular file that begins as a database.
  package static func isDatabase(_ path: String) -> Bool {
    guard let file = OpenFile(path, O_RDONLY | O_NONBLOCK),
      FileStatus(of: file.descriptor)?.isFile == true
    else { return false }
    return file.bytes(header.count) == header
  }

  /// Whether bytes begin as a database.
  package static func isDatabase(_ bytes: ByteView) -> Bool { bytes.starts(with: header) }
}
