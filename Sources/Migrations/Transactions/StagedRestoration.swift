// An item on its way back to what it was before a run.

import ObjectGraph

/// An item whose old bytes lie beside the new ones under temporary names.
struct StagedRestoration {
  /// One file that comes back, or goes.
  struct Step {
    let place: FilePlace
    let folder: FolderHandle
    /// The old bytes; nil if there was no file.
    let temporary: TemporaryFile?
    /// What is in the place now; nil if nothing is.
    let present: FileIdentity?

    /// Whether nobody has put anything else in the place since it was looked at.
    func isUntouched() throws(ArchiveError) -> Bool {
      let now = try folder.status(of: place.name).map { FileIdentity($0) }
      guard let now, let present else { return now == nil && present == nil }
      // The time of the last change is that of the names as well: one file may have several.
      return now.device == present.device && now.inode == present.inode && now.size == present.size
        && now.modified == present.modified
    }
  }

  /// The file that the item is named for.
  let file: String
  /// What comes back first stands first.
  var steps: [Step] = []
  /// What its files had and cannot be given back, in words.
  var lost: [String] = []

  /// Removes the temporary files.
  func discard() {
    for step in steps {
      // What cannot be removed now, the end of an undo takes away.
      do throws(ArchiveError) { try step.temporary?.remove() } catch {}
    }
  }
}
