// What is done as one: an archive, and what lies beside it.

import Basics
import PropertyLists

/// One file that is to have other bytes, to be, or to be no longer.
public struct FileChange: Sendable {
  /// What must be there before the change; anything else has come meanwhile.
  public enum Precondition: Hashable, Sendable {
    /// No file.
    case absent
    /// A file with these bytes.
    case content(ContentHash)
    /// A file with any bytes, or none.
    case anything
  }

  /// The file.
  public let place: FileLocation
  /// Its new bytes; nil to delete it.
  public let content: ByteStorage?
  /// What must be there.
  public let before: Precondition
  /// Whether the new file is a copy of the old archive, which no later run takes for an archive of its own.
  public let isBackup: Bool

  /// Makes a change.
  public init(
    _ place: FileLocation, content: ByteStorage?, before: Precondition, isBackup: Bool = false
  ) {
    self.place = place
    self.content = content
    self.before = before
    self.isBackup = isBackup
  }
}

/// Changes that happen all or not at all.
public struct FileTransaction: Sendable {
  /// The file that the item is named for in journals and messages; one of the changes is about it.
  public let place: FileLocation
  /// The changes.
  ///
  /// New files are created first and files are deleted last, whatever their order here.
  public let changes: [FileChange]
  /// What a journal tells about the item besides, such as its version before and after.
  public let facts: [(name: String, value: JSONTree)]
  /// What new files may allow at most: the mode of the archive that they are made from; nil for no such bound.
  public var most: UInt32?

  /// Makes an item.
  public init(
    _ place: FileLocation, changes: [FileChange], facts: [(name: String, value: JSONTree)] = []
  ) {
    self.place = place
    self.changes = changes
    self.facts = facts
  }
}
