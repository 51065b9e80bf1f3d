// A journal where an archive belongs: it is named, with the command that shows it.

import Basics
import CommandLineInterface
import FileTransactions

extension ArchiveError {
  /// The error for an input that cannot be read: of a journal of archtool it says that it is one.
  ///
  /// - Parameter storage: the input.
  func naming(_ storage: ByteStorage) -> ArchiveError {
    guard file == nil, path == nil, ExitStatus(self) == .undecodable,
      JournalHeader.begins(storage)
    else { return self }
    return ArchiveError(
      .unsupported, "is a journal of archtool, which 'archtool journal show' shows")
  }
}
