// The changes of one transaction: an archive and its side files.

import Basics
import PropertyLists

/// One file that is to have other bytes, to be, or to be no longer.
package struct FileChange: Sendable {
  /// What must be there before the change; anything else has come meanwhile.
  package enum Precondition: Hashable, Sendable {
    /// No file.
    case absent
    /// A file with these bytes.
    case content(ContentHash)
    /// A file with any bytes, or no file.
    case anything
  }

  /// The file.
  package let place: FileLocation
  /// Its new bytes; nil to delete it.
  package let content: ByteStorage?
  /// What must be there.
  package let before: Precondition
  /// Whether the new file is a copy of the old archive, which later runs must not treat as an archive.
  package let isBackup: Bool

  /// Makes a change.
  package init(
    _ place: FileLocation, content: ByteStorage?, before: Precondition, isBackup: Bool = false
  ) {
    self.place = place
    self.content = content
    self.before = before
    self.isBackup = isBackup
  }
}

/// Changes that happen all or not at all.
package struct FileTransaction: Sendable {
  /// The file that the item is named for in journals and messages; one of the changes is about it.
  package let place: FileLocation
  /// The changes.
  ///
  /// New files are created first and files are deleted last, independent of their order here.
  package let changes: [FileChange]
  /// Details for the journal, such as the version before and after.
  package let facts: [(name: String, value: JSONTree)]
  /// What new files may allow at most: the permissions of the archive that they are made from.
  package var bound = FilePermissions.any

  /// Makes an item.
  package init(
    _ place: FileLocation, changes: [FileChange], facts: [(name: String, value: JSONTree)] = []
  ) {
    self.place = place
    self.changes = changes
    self.facts = facts
  }
}
