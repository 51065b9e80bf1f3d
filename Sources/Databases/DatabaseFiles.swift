// The files of a database, without opening it: what it is, what lies beside it, and whether it changes.

import Basics

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
      var status = stat()
      // A link beside the database is not followed: it could lead to any file.
      guard retryingInterrupts({ lstat(path.asPath, &status) }) == 0 else { return nil }
      size = Int(status.st_size)
      node = UInt64(status.st_ino)
      #if canImport(Darwin)
        (seconds, nanoseconds) = (status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec)
      #else
        (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
      #endif
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
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
    let count = header.count
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(0, retryingInterrupts { read(descriptor, buffer.baseAddress, count) })
    }
    return bytes == header
  }
}
