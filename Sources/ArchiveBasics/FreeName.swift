// A file gets a name that no other file may have.

import CFileSystem

/// Renames files without replacing others.
public enum FreeName {
  /// What came of it.
  public enum Outcome: Sendable {
    case given
    /// Another file, folder or link has the name; all is as it was.
    case exists
    /// The system refused, for the reason in `errno`; all is as it was.
    case failed
  }

  /// Gives a file a new name in its folder, unless something has that name.
  ///
  /// In one step where the file system can, else by a second name and the removal of the first. A file system without
  /// links either leaves a moment in which another file would be replaced.
  ///
  /// - Parameters:
  ///   - folder: the descriptor of the folder that both names are in; without it they are paths.
  package static func give(
    _ name: String, to file: String, in folder: Int32 = AT_FDCWD
  ) -> Outcome {
    if archtool_rename(folder, file.asPath, name.asPath, ARCHTOOL_RENAME_NEW) == 0 { return .given }
    guard isUnsupported(errno) else { return errno == EEXIST ? .exists : .failed }
    if linkat(folder, file.asPath, folder, name.asPath, 0) == 0 {
      // What cannot be removed now stays a second name.
      _ = unlinkat(folder, file.asPath, 0)
      return .given
    }
    if errno == EEXIST { return .exists }
    var status = stat()
    if fstatat(folder, name.asPath, &status, AT_SYMLINK_NOFOLLOW) == 0 { return .exists }
    guard errno == ENOENT else { return .failed }
    return renameat(folder, file.asPath, folder, name.asPath) == 0 ? .given : .failed
  }

  /// Whether the system, or the file system, does not have a kind of renaming.
  ///
  /// - Parameter error: what it said of it.
  package static func isUnsupported(_ error: Int32) -> Bool {
    [EINVAL, ENOSYS, ENOTSUP, EPERM].contains(error)
  }
}
