// The folders below --output-dir, each made when its first file is written.

import Basics
import Batches
import Synchronization

/// Makes folders for files that follow each other folder by folder: the last one is known to be there.
final class OutputFolders: Sendable {
  private let last = Mutex<CodePointString?>(nil)

  /// Makes the folder of a file, and those above it; they are not more readable than the folder of the file's source.
  ///
  /// - Throws: `ArchiveError` with code `cannotCreate`.
  func makeFolder(above path: String, for input: Input) throws(ArchiveError) {
    let folder = CodePointString(AtomicFile.folder(of: path))
    if last.withLock({ $0 == folder }) { return }
    try AtomicFile.makeFolder(folder.text, allowing: input.folderPermissions)
    last.withLock { $0 = folder }
  }
}
