// The folders that an earlier command line led to: its paths may lead elsewhere by now.

import Basics

/// The folders of a journal or plan, compared with the current targets of the paths on its command line.
package struct RecordedRoots: Sendable {
  private let roots: [JournalHeader.Root]

  /// Takes the folders that were written down, their links resolved.
  package init(_ roots: [JournalHeader.Root]) { self.roots = roots }

  /// Checks that paths are in the folders; missing files are reported later.
  ///
  /// - Parameters:
  ///   - paths: the paths of the command line.
  ///   - directory: the working folder in which they were given.
  /// - Throws: `ArchiveError` with code `cannotCreate` at the first that leads elsewhere.
  package func check(_ paths: [String], in directory: String) throws(ArchiveError) {
    for path in paths {
      let full = path.utf8.first == UInt8(ascii: "/") ? path : directory + "/" + path
      guard let resolved = FolderListing.resolved(full) else { continue }
      let folder =
        FolderListing.isFolder(resolved) ? resolved : AtomicFile.folder(of: resolved)
      guard roots.contains(where: { Self.holds($0, folder) }) else {
        throw ArchiveError(
          .cannotCreate, "is now \(resolved), which is outside of the folders of the run",
          file: path)
      }
    }
  }

  /// Bytes, not characters: a combining mark may follow a slash.
  private static func holds(_ root: JournalHeader.Root, _ folder: String) -> Bool {
    if folder.utf8.elementsEqual(root.path.utf8) { return true }
    return root.isRecursive
      && folder.utf8.starts(with: (root.path == "/" ? "/" : root.path + "/").utf8)
  }
}
