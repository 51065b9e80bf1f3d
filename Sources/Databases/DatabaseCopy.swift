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
      try body(path)
    } catch {
      remove(folder)
      pending.end()
      throw error
    }
    remove(folder)
    pending.end()
  }

  private static func remove(_ folder: String) {
    for suffix in suffixes { _ = unlink((folder + "/database" + suffix).asPath) }
    _ = rmdir(folder.asPath)
  }

  private static func copy(
    _ source: String, to target: String, _ isStopped: () -> Bool
  ) throws(ArchiveError) {
    let input = retryingInterrupts { open(source.asPath, O_RDONLY | O_CLOEXEC) }
    guard input >= 0 else {
      throw ArchiveError(.cannotOpen, "cannot open \(source): \(systemMessage())")
    }
    defer { _ = close(input) }
    let output = open(target.asPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
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
