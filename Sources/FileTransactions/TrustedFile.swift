// Journals and plans determine which files are replaced, and by what: those of other users are not followed.

import Basics

/// Files whose words are deeds.
package enum TrustedFile {
  /// Refuses an open file that belongs to somebody else than the user who runs the program or root, or that anybody
  /// may write.
  ///
  /// - Parameters:
  ///   - descriptor: the file, so that nobody can replace it afterwards.
  ///   - kind: its name in the message.
  /// - Throws: `ArchiveError` with code `cannotOpen`.
  package static func check(_ descriptor: Int32, _ kind: String) throws(ArchiveError) {
    guard let status = FileStatus(of: descriptor) else {
      throw ArchiveError(.inputOutput, "cannot inspect the \(kind): \(systemMessage())")
    }
    guard status.st_uid == geteuid() || status.st_uid == 0 else {
      throw ArchiveError(
        .cannotOpen,
        "the \(kind) belongs to user \(status.st_uid); only a \(kind) of your own or of root is used"
      )
    }
    if status.isFile, status.st_mode & S_IWOTH != 0 {
      throw ArchiveError(
        .cannotOpen, "every user may write the \(kind); check its contents, then chmod o-w it")
    }
  }
}
