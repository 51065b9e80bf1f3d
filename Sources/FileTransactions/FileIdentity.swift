// A cheap check that nobody has changed a file.

import Basics

/// A moment as files have it: seconds from 1970-01-01T00:00:00Z, and nanoseconds.
struct FileTime: Hashable, Sendable, CustomStringConvertible {
  let seconds: Int
  let nanoseconds: Int

  init(_ time: timespec) {
    seconds = Int(time.tv_sec)
    nanoseconds = Int(time.tv_nsec)
  }

  /// Reads what `description` writes; nil if the text is anything else.
  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].utf8.count == 9, let seconds = Int(parts[0]),
      let nanoseconds = Int(parts[1]), (0..<1_000_000_000).contains(nanoseconds)
    else { return nil }
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// The text that a journal has: `1774000000.012345678`.
  var description: String {
    "\(seconds)." + String(nanoseconds, width: 9)
  }

  /// The moment as the system wants it.
  var timespec: timespec {
    #if canImport(Glibc)
      Glibc.timespec(tv_sec: seconds, tv_nsec: nanoseconds)
    #elseif canImport(Musl)
      Musl.timespec(tv_sec: Musl.time_t(seconds), tv_nsec: nanoseconds)
    #else
      Darwin.timespec(tv_sec: seconds, tv_nsec: nanoseconds)
    #endif
  }
}

/// Which file a name leads to, and whether it was written since.
struct FileIdentity: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64
  let size: Int
  let modified: FileTime
  let changed: FileTime

  init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    size = Int(status.st_size)
    modified = FileTime(status.modification)
    changed = FileTime(status.change)
  }

  /// Whether it is the same file with the same bytes, as far as is seen cheaply; its name may be another.
  func isLike(_ other: FileIdentity) -> Bool {
    // The time of the last change is that of the names as well.
    device == other.device && inode == other.inode && size == other.size
      && modified == other.modified
  }
}
