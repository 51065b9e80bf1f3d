// What the system says of a file, by one name for each member: the C libraries have different ones.

/// The status of a file: stat(2).
public typealias FileStatus = stat

extension FileStatus {
  /// The status of what a path leads to; nil if there is none, for the reason in `errno`.
  package init?(of path: String, followsLinks: Bool = true) {
    self.init()
    guard readStatus(of: path.asPath, followsLinks, into: &self) else { return nil }
  }

  /// The status of an open file; nil if there is none, for the reason in `errno`.
  package init?(of descriptor: Int32) {
    self.init()
    guard fstat(descriptor, &self) == 0 else { return nil }
  }

  /// Whether it is a regular file.
  package var isFile: Bool { st_mode & S_IFMT == S_IFREG }
  /// Whether it is a folder.
  package var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
  /// Whether it is a symbolic link.
  package var isLink: Bool { st_mode & S_IFMT == S_IFLNK }
  /// Whether it is a pipe.
  package var isPipe: Bool { st_mode & S_IFMT == S_IFIFO }

  /// Whether two are of one file, whatever its names.
  package func isSameFile(as other: FileStatus) -> Bool {
    st_dev == other.st_dev && st_ino == other.st_ino
  }

  /// Whether it is the file of an earlier status, and nobody wrote to it since.
  package func isUnchanged(since earlier: FileStatus) -> Bool {
    let (before, after) = (earlier.modification, modification)
    return isSameFile(as: earlier) && st_size == earlier.st_size && before.tv_sec == after.tv_sec
      && before.tv_nsec == after.tv_nsec
  }

  #if canImport(Darwin)
    /// When the bytes were written.
    package var modification: timespec { st_mtimespec }
    /// When the bytes or anything about them was changed.
    package var change: timespec { st_ctimespec }
    /// When the bytes were read.
    package var access: timespec { st_atimespec }
  #else
    /// When the bytes were written.
    package var modification: timespec { st_mtim }
    /// When the bytes or anything about them was changed.
    package var change: timespec { st_ctim }
    /// When the bytes were read.
    package var access: timespec { st_atim }
  #endif
}

// The functions and the structure have one name, which within the structure is the structure's.
private func readStatus(
  of path: [CChar], _ followsLinks: Bool, into status: inout FileStatus
) -> Bool {
  retryingInterrupts { followsLinks ? stat(path, &status) : lstat(path, &status) } == 0
}
