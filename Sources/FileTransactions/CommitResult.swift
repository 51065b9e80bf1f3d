// The second phase of a replacement: short, in one thread, and never half done.

import ArchiveBasics

/// What became of an item.
package struct CommitResult: Sendable {
  /// The file that the item is named for.
  package let location: FileLocation
  /// Why the item was not replaced; nil if it was.
  package let failure: ArchiveError?
  /// Warnings about a replaced item.
  package let warnings: [String]
}

extension Stager {
  /// Replaces the files of a batch; many items make the journal cheap.
  ///
  /// New bytes and backups are made durable, the intents are written and made durable, then each item is replaced,
  /// and the folders are made durable. An item that fails is unchanged, or its folder could not be made durable; the
  /// others continue.
  ///
  /// - Returns: an outcome an item, in their order.
  /// - Throws: `ArchiveError` with code `inputOutput` if the journal cannot be written. It throws the same for all further
  ///   events, so that nothing can be replaced any more; what this batch had replaced, a recovery will find.
  package func commit(_ items: [StagedTransaction]) throws(ArchiveError) -> [CommitResult] {
    let batch = CommitBatch(items, backups: backups)
    batch.makeDurable()
    do throws(ArchiveError) {
      try journal?.append(batch.ready.map { .intent(items[$0].intent) })
      try journal?.synchronise()
    } catch {
      batch.discardAll()
      throw error
    }
    batch.replace()
    batch.synchroniseFolders()
    let outcomes = batch.outcomes
    try journal?.append(
      outcomes.map {
        .settled(
          $0.failure == nil ? .done : .failed, file: $0.location.path, reason: $0.failure?.message)
      })
    return outcomes
  }

  /// Records files that are not replaced in the journal.
  ///
  /// - Throws: as `commit` does.
  package func record(_ events: [JournalEvent]) throws(ArchiveError) {
    if !events.isEmpty { try journal?.append(events) }
  }

  /// Removes the temporary files of items that will not be committed.
  package func discard(_ items: [StagedTransaction]) {
    CommitBatch(items, backups: backups).discardAll()
  }
}

// MARK: - One batch of items during their commit

/// The state of a batch while it is committed.
final class CommitBatch {
  private let items: [StagedTransaction]
  private let backups: BackupStore?
  private var failures: [ArchiveError?]
  /// The items with a temporary file that somebody else wrote to.
  private var holding: Set<Int> = []
  private var folders: [CodePointString: FolderHandle] = [:]
  /// The folders in which names were changed, and the items that did.
  private var touched: [FolderHandle.Identity: (folder: FolderHandle, items: [Int])] = [:]

  init(_ items: [StagedTransaction], backups: BackupStore?) {
    self.items = items
    self.backups = backups
    failures = Array(repeating: nil, count: items.count)
  }

  /// The items that have not failed.
  var ready: [Int] { items.indices.filter { failures[$0] == nil } }

  var outcomes: [CommitResult] {
    zip(items, failures).map { item, failure in
      CommitResult(location: item.location, failure: failure, warnings: item.warnings)
    }
  }

  // MARK: Steps

  /// Makes the new bytes and the backups durable: all at once if the system can, or file by file.
  func makeDurable() {
    guard let fileSystems = items.first?.fileSystems else { return }
    // For one item alone the file system need not wait for what others have written.
    let isGrouped = items.count > 1 && fileSystems.canSynchronise
    let backupFolders = settleBackups(synchronises: !isGrouped)
    if isGrouped {
      if let error = fileSystems.synchronise() { for index in ready { fail(index, error) } }
      return
    }
    for index in ready {
      attempt(index) { () throws(ArchiveError) in
        for change in items[index].changes {
          guard let temporary = change.record.temporary else { continue }
          try TemporaryFile(name: temporary, folder: try folder(of: change)).synchronise()
        }
      }
    }
    for (path, users) in backupFolders {
      do throws(ArchiveError) {
        try FolderHandle(path: path).synchronise()
      } catch {
        for index in users where failures[index] == nil { fail(index, error) }
      }
    }
  }

  /// Gives the backups their names.
  ///
  /// - Returns: their folders, with the items whose backups they hold.
  private func settleBackups(synchronises: Bool) -> [String: [Int]] {
    var folders: [String: [Int]] = [:]
    guard let backups else { return folders }
    for index in items.indices {
      attempt(index) { () throws(ArchiveError) in
        for staged in items[index].changes.compactMap(\.backup) {
          let folder = try backups.settle(staged, synchronises: synchronises)
          folders[folder, default: []].append(index)
        }
      }
    }
    return folders
  }

  /// Moves the new files to their locations.
  func replace() {
    // Checked again: the journal has been written since, and a folder may have been replaced.
    folders = [:]
    for index in ready {
      attempt(index) { () throws(ArchiveError) in
        var replacement = ItemReplacement()
        for change in items[index].changes.sorted(by: { $0.record.rank < $1.record.rank }) {
          let folder = try folder(of: change)
          touched[folder.identity, default: (folder, [])].items.append(index)
          do throws(ArchiveError) {
            try replacement.perform(change, in: folder, isOnly: items[index].changes.count == 1)
          } catch {
            let error = replacement.revert(after: error)
            if replacement.holdsForeign { holding.insert(index) }
            throw error
          }
        }
        replacement.finish()
      }
    }
  }

  /// Makes the new names durable.
  func synchroniseFolders() {
    for (folder, users) in touched.values {
      do throws(ArchiveError) {
        try folder.synchronise()
      } catch {
        let message = "was replaced, but may be lost when the power fails: \(error.message)"
        for index in users where failures[index] == nil {
          failures[index] = ArchiveError(.inputOutput, message)
        }
      }
    }
  }

  /// Removes every temporary file of the batch.
  func discardAll() {
    for item in items { Stager.discard(item.changes, backups) }
  }

  // MARK: Parts

  private func attempt(_ index: Int, _ body: () throws(ArchiveError) -> Void) {
    do throws(ArchiveError) {
      try body()
    } catch {
      fail(index, error)
    }
  }

  private func fail(_ index: Int, _ error: ArchiveError) {
    failures[index] = error
    if !holding.contains(index) { Stager.discard(items[index].changes, backups) }
  }

  /// The folder of a change, which must be the one that it was prepared in.
  private func folder(of change: PreparedChange) throws(ArchiveError) -> FolderHandle {
    let path = CodePointString(change.record.location.folderPath)
    var known = folders[path]
    if known == nil { known = try FolderHandle.containing(change.record.location) }
    folders[path] = known
    guard let folder = known, folder.identity == change.folder else {
      throw ArchiveError(.cannotCreate, "the folder \(path.text) is another one now")
    }
    return folder
  }
}
