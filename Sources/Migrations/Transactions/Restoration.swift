// An item brought back to what it was before a run.

import ObjectGraph

/// Takes back items by their intents, from the backups.
final class Restoration {
  /// What an item is now.
  enum Standing {
    /// All is as it was before.
    case old
    /// All is as the run left it.
    case new
    /// Some is as before, the rest as the run left it.
    case mixed
    /// A file has bytes that are neither.
    case changed(String)
  }

  private let run: RunIdentifier
  private let backups: BackupStore?
  private var number = 0
  private var touched: [FolderHandle.Identity: FolderHandle] = [:]

  init(_ header: JournalHeader) {
    run = header.run
    backups = header.backups.map { BackupStore(reading: $0, run: header.run) }
  }

  /// Looks at the disk.
  ///
  /// - Throws: `ArchiveError` if a file cannot be looked at.
  func standing(of intent: IntentRecord) throws(ArchiveError) -> Standing {
    var found: [ChangeRecord.Standing] = []
    for change in intent.changes {
      let standing = try change.standing(in: FolderHandle.containing(change.place))
      if case .other = standing { return .changed(change.place.path) }
      found.append(standing)
    }
    if found.allSatisfy({ $0 == .new }) { return .new }
    return found.allSatisfy { $0 == .old } ? .old : .mixed
  }

  /// Brings every file of an item back; `synchroniseFolders` makes that durable.
  ///
  /// - Throws: `ArchiveError` at the first that cannot be; done again, it goes on.
  func restore(_ intent: IntentRecord) throws(ArchiveError) {
    // What was deleted last comes back first, the archive next, and what was created goes last.
    let order = intent.changes.sorted { Self.rank($0) > Self.rank($1) }
    for change in order { try restore(change) }
  }

  private static func rank(_ change: ChangeRecord) -> Int {
    change.new == nil ? 2 : change.old == nil ? 0 : 1
  }

  private func restore(_ change: ChangeRecord) throws(ArchiveError) {
    let folder = try FolderHandle.containing(change.place)
    if case .old = try change.standing(in: folder) { return }
    touched[folder.identity] = folder
    guard let old = change.old else { return try folder.remove(change.place.name) }
    guard let backups else {
      throw ArchiveError(.cannotOpen, "the run kept no backups")
    }
    let storage = try backups.contents(of: old.hash)
    number += 1
    let temporary = TemporaryFile(name: "\(run.temporaryPrefix)u\(number)", folder: folder)
    // One may be left of an undo that was killed.
    try folder.remove(temporary.name)
    _ = try temporary.write(
      storage.bytes, metadata: old.metadata, from: try folder.file(change.place.name),
      keepsTimes: true)
    do throws(ArchiveError) {
      try temporary.synchronise()
      try folder.move(temporary.name, to: change.place.name)
    } catch {
      do throws(ArchiveError) { try folder.remove(temporary.name) } catch {}
      throw error
    }
  }

  /// Makes what was brought back durable.
  ///
  /// - Throws: `ArchiveError` with code `inputOutput`.
  func synchroniseFolders() throws(ArchiveError) {
    for folder in touched.values { try folder.synchronise() }
    touched = [:]
  }
}
