// Which files are inputs.

import Basics
import FileTransactions

/// Chooses among the files that are named or found.
public struct InputFilter: Sendable {
  /// Names that begin so are the program's own: temporary files, locks, files of a run.
  static let ownPrefix = Array(".archtool-".utf8)

  /// Patterns one of which a file must match; empty for every file.
  public var included: [Glob] = []
  /// Patterns that no file may match, and no folder in which files are looked for.
  public var excluded: [Glob] = []
  /// Files and folders that are passed over where they are found in a folder.
  public var passedOver: [String] = []
  /// The suffix of the backups of an interrupted run, and whether it replaced the file of a path: where a file system
  /// cannot record what backups are, the run that goes on knows them by its journal.
  public var replaced: (suffix: String, contains: @Sendable (String) -> Bool)?

  /// Whether a folder of backups is refused even where it was named itself.
  public var refusesBackups = false

  /// Makes a filter that takes every file.
  public init() {}

  /// Whether a file is taken.
  func takes(_ path: String) -> Bool {
    (included.isEmpty || included.contains { $0.matches(path) })
      && !excluded.contains { $0.matches(path) }
  }

  /// Whether a file or folder that was found in a folder is looked at; a file with the lost values
  /// of another never is, nor a copy that `--backup` made.
  ///
  /// - Parameters:
  ///   - relativePath: its path below the folder that was named.
  ///   - path: its path.
  ///   - status: what it is.
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
    for other in passedOver {
      var otherStatus = stat()
      // What is not there is no input either.
      guard retryingInterrupts({ stat(other.asPath, &otherStatus) }) == 0 else { continue }
      if otherStatus.st_dev == status.st_dev, otherStatus.st_ino == status.st_ino { return false }
    }
    return true
  }
}
