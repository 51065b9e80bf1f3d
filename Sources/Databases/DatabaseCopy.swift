// A private copy of a database that has a log: reading the log would write beside the database.

import Basics

/// A copy in a temporary folder that only its user may enter, and that exists only while it is opened.
enum DatabaseCopy {
  private static let suffixes = ["", "-wal", "-journal", "-shm"]
  private static let blockSize = 1 << 20

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
    do throws(ArchiveError) {
      for suffix in [""] + files.companions {
        try copy(files.path + suffix, to: path + suffix, isStopped)
      }
      try files.checkUnchanged([""] + files.companions)
      if files.companions.contains("-journal") { try checkJournal(path + "-journal") }
      try body(path)
    } catch {
      remove(folder)
      pending.end()
      throw error
    }
    remove(folder)
    pending.end()
  }

  /// How the name of another journal ends in a journal (pager.c, `readSuperJournal`).
  private static let superJournalMark: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

  /// Throws if a journal names that of a transaction over several databases: SQLite would read the file of that name,
  /// whichever it is, and delete it.
  private static func checkJournal(_ path: String) throws(ArchiveError) {
    let descriptor = retryingInterrupts { open(path.asPath, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else {
      throw ArchiveError(.cannotOpen, "cannot open the copied journal: \(systemMessage())")
    }
    defer { _ = close(descriptor) }
    let count = superJournalMark.count
    let size = lseek(descriptor, 0, SEEK_END)
    guard size >= off_t(count) else { return }
    let end = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(
        0, retryingInterrupts { pread(descriptor, buffer.baseAddress, count, size - off_t(count)) })
    }
    guard end.count == count else {
      throw ArchiveError(.inputOutput, "cannot read the copied journal: \(systemMessage())")
    }
    if end == superJournalMark {
      throw ArchiveError(
        .unsupported,
        "the journal beside the database is that of a transaction over several databases; open them once with their application"
      )
    }
  }

  private static func remove(_ folder: String) {
    for suffix in suffixes { _ = unlink((folder + "/database" + suffix).asPath) }
    _ = rmdir(folder.asPath)
  }

  private static func copy(
    _ source: String, to target: String, _ isStopped: () -> Bool
  ) throws(ArchiveError) {
    let input = retryingInterrupts { open(source.asPath, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }
    guard input >= 0 else {
      let reason = errno == ELOOP ? "is a link" : systemMessage()
      throw ArchiveError(.cannotOpen, "cannot open \(source): \(reason)")
    }
    defer { _ = close(input) }
    let output = FilePermissions.owner.createFile(target, flags: O_WRONLY)
    guard output >= 0 else {
      throw ArchiveError(.cannotCreate, "cannot copy the database: \(systemMessage())")
    }
    defer { _ = close(output) }
    var buffer = OutputBuffer(descriptor: output)
    while !isStopped() {
      let place = buffer.bytes.reserve(blockSize)
      let count = retryingInterrupts { read(input, place, blockSize) }
      guard count >= 0 else {
        throw ArchiveError(.inputOutput, "cannot read the database: \(systemMessage())")
      }
      if count == 0 { return try buffer.finish() }
      buffer.bytes.filled(count)
      buffer.flush()
      if buffer.hasProblem { return try buffer.finish() }
    }
    throw ArchiveError(.inputOutput, "the database was not copied completely: interrupted")
  }
}

// MARK: - The files of a database, without opening it

/// The files that belong to a database.
struct DatabaseFiles {
  /// The path of the database, with its links resolved: SQLite looks beside the target of a link.
  let path: String
  /// The log and the journal beside it, if they have any bytes: suffixes of its name.
  let companions: [String]
  private let states: [String: State]

  /// The suffixes of a write-ahead log and of a rollback journal.
  private static let suffixes = ["-wal", "-journal"]

  /// What a file is like while nobody writes to it.
  private struct State: Equatable {
    let size: Int
    let seconds: Int
    let nanoseconds: Int
    let node: UInt64

    init?(_ path: String) {
      // A link beside the database is not followed: it could lead to any file.
      guard let status = FileStatus(of: path, followsLinks: false) else { return nil }
      size = Int(status.st_size)
      node = UInt64(status.st_ino)
      (seconds, nanoseconds) = (status.modification.tv_sec, status.modification.tv_nsec)
    }
  }

  /// Looks at a database and what is beside it.
  init(_ path: String) {
    let path = FolderListing.resolved(path) ?? path
    self.path = path
    var states: [String: State] = [:]
    for suffix in [""] + Self.suffixes { states[suffix] = State(path + suffix) }
    self.states = states
    companions = Self.suffixes.filter { (states[$0]?.size ?? 0) > 0 }
  }

  /// How many bytes all of them have.
  var byteCount: Int { states.values.reduce(0) { $0 &+ $1.size } }

  /// Throws if the database, or what belongs to it, is not as it was.
  ///
  /// - Parameter suffixes: the files that were read.
  func checkUnchanged(_ suffixes: [String]) throws(ArchiveError) {
    for suffix in suffixes where State(path + suffix) != states[suffix] {
      throw ArchiveError(
        .inputOutput, "the database changed while it was read; run the command again")
    }
  }
}

extension Database {
  /// How every database begins (Database File Format, section 1.3).
  private static let header = Array("SQLite format 3\0".utf8)

  /// Whether a path leads to a regular file that begins as a database.
  package static func isDatabase(_ path: String) -> Bool {
    let descriptor = retryingInterrupts {
      open(path.asPath, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    }
    guard descriptor >= 0 else { return false }
    defer { _ = close(descriptor) }
    guard FileStatus(of: descriptor)?.isFile == true else { return false }
    let count = header.count
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(0, retryingInterrupts { read(descriptor, buffer.baseAddress, count) })
    }
    return bytes == header
  }
}
