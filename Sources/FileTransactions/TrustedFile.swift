// Journals and plans say which files are replaced, and by what: those of strangers are not obeyed.

import Basics

/// Files whose words are deeds.
package enum TrustedFile {
  /// Refuses an open file that belongs to somebody else than the user who runs the program or root, or that anybody
  /// may write.
  ///
  /// - Parameters:
  ///   - descriptor: the file, so that no other can be put in its place afterwards.
  ///   - kind: what it is called in the message.
  /// - Throws: `ArchiveError` with code `cannotOpen`.
  package static func check(_ descriptor: Int32, _ kind: String) throws(ArchiveError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw ArchiveError(.inputOutput, "cannot inspect the \(kind): \(systemMessage())")
    }
    guard status.st_uid == geteuid() || status.st_uid == 0 else {
      throw ArchiveError(
        .cannotOpen,
        "the \(kind) belongs to user \(status.st_uid); only a \(kind) of your own or of root is used"
      )
    }
    if status.st_mode & S_IFMT == S_IFREG, status.st_mode & S_IWOTH != 0 {
      throw ArchiveError(
        .cannotOpen, "every user may write the \(kind); check its contents, then chmod o-w it")
    }
  }
}
