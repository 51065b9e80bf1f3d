// An item with everything written that can be written before anything is replaced.

import PropertyLists

/// An item whose new bytes are beside the old ones under temporary names.
///
/// It must go to `Committer.commit` or `Committer.discard`, which take the temporary files away.
package struct StagedTransaction: Sendable {
  /// The file that the item is named for.
  package let place: FileLocation
  /// Warnings, such as about other names of the file that keep the old bytes.
  package let warnings: [String]
  let facts: [(name: String, value: JSONTree)]
  let changes: [PreparedChange]
  /// Where everything was written.
  let fileSystems: FileSystems

  /// The journal entry before the item is replaced.
  var intent: IntentRecord {
    IntentRecord(place: place, changes: changes.map(\.record), facts: facts)
  }
}

/// One change with its temporary file.
struct PreparedChange: Sendable {
  let record: ChangeRecord
  /// The folder that the temporary file is in.
  let folder: FolderHandle.Identity
  /// The file that was read, or nil.
  let identity: FileIdentity?
  let backup: BackupStore.Staged?
  /// The name that the old file may bear until the whole item is done.
  let held: String

  /// Creations come first and deletions last.
  var rank: Int { record.new == nil ? 2 : record.old == nil ? 0 : 1 }
}
