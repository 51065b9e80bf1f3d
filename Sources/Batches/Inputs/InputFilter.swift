// Selects the files that are inputs.

import Basics
import FileTransactions

/// Filters the files that were named or found.
package struct InputFilter: Sendable {
  /// The prefix of the program's own files: temporary files, locks, files of a run.
  static let ownPrefix = Array(".archtool-".utf8)

  /// Patterns, one of which a file must match; empty for every file.
  package var included: [Glob] = []
  /// Patterns that exclude files, and folders from the search.
  package var excluded: [Glob] = []
  /// Files and folders that are skipped if they are found in a folder.
  package var passedOver: [String] = []
  /// The same of what is certainly a folder, or does not exist yet.
  package var passedOverFolders: [String] = []
  /// The suffix of an interrupted run's backups, and a test whether it replaced a file.
  ///
  /// Where a file system cannot mark backups, the resumed run recognizes them by its journal.
  package var replaced: (suffix: String, contains: @Sendable (String) -> Bool)?

  /// Whether a folder of backups is refused even if it was named itself.
  package var refusesBackups = false

  /// Makes a filter that accepts every file.
  package init() {}

  /// Whether a file is accepted.
  func takes(_ path: String) -> Bool {
    (included.isEmpty || included.contains { $0.matches(path) })
      && !excluded.contains { $0.matches(path) }
  }

  /// Whether to visit a file or folder that was found in a folder.
  ///
  /// Files with the lost values of another file, and copies that `--backup` made, are never visited.
  ///
  /// - Parameters:
  ///   - relativePath: its path below the named folder.
  ///   - path: its path.
  ///   - status: its file status.
  func enters(_ relativePath: String, _ path: String, _ status: borrowing stat) -> Bool {
    if let replaced, path.hasSuffix(replaced.suffix),
      replaced.contains(String(path.dropLast(replaced.suffix.count)))
    {
      return false
    }
    if SideFile.isLostValues(path) { return false }
    if status.st_mode & S_IFMT == S_IFREG, SideFile.isBackup(path) { return false }
    if status.st_mode & S_IFMT == S_IFDIR, excluded.contains(where: { $0.matches(relativePath) }) {
      return false
    }
    for other in passedOver where Self.isSame(other, status) { return false }
    guard status.st_mode & S_IFMT == S_IFDIR else { return true }
    for other in passedOverFolders where Self.isSame(other, status) { return false }
    return true
  }

  private static func isSame(_ path: String, _ status: borrowing stat) -> Bool {
    var other = stat()
    // A missing file cannot be an input.
    guard retryingInterrupts({ stat(path.asPath, &other) }) == 0 else { return false }
    guard other.st_dev == status.st_dev else { return false }
    return other.st_ino == status.st_ino
  }
}
