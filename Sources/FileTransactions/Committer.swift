// The second phase of a replacement: short, in one thread, and never half done.

import Basics

/// What became of an item.
package struct CommitResult: Sendable {
  /// The file that the item is named for.
  package let place: FileLocation
  /// Why the item was not replaced; nil if it was.
  package let failure: ArchiveError?
  /// Warnings about a replaced item.
  package let warnings: [String]
}

/// Replaces files that were prepared, a batch at a time.
package final class Committer {
  private let journal: Journal?
  private let backups: BackupStore?
  /// Why nothing more may be replaced.
  private var problem: ArchiveError?

  /// Makes a committer of items that were prepared for the same journal and store.
  ///
  /// - Parameters:
  ///   - journal: the journal for intents and outcomes; nil for none.
  ///   - backups: the store that the items were prepared with.
  init(journal: Journal?, backups: BackupStore?) {
    self.journal = journal
    self.backups = backups
  }

  /// Replaces the files of a batch: about 64 items make the journal cheap.
  ///
  /// New bytes and backups are made durable, the intents are written and made durable, then each item is replaced,
  /// and the folders are made durable. An item that fails is unchanged, and the others continue.
  ///
  /// - Returns: an outcome an item, in their order.
  /// - Throws: `ArchiveError` with code `inputOutput` if the journal cannot be written. Nothing can be replaced any more
  ///   then; what this batch had replaced, a recovery will find.
  package func commit(_ items: [StagedTransaction]) throws(ArchiveError) -> [CommitResult] {
    let batch = CommitBatch(items, backups: backups)
    if let problem {
      batch.discardAll()
      throw problem
    }
    batch.makeDurable()
    do throws(ArchiveError) {
      try journal?.append(batch.ready.map { .intent(items[$0].intent) })
      try journal?.synchronise()
    } catch {
      problem = error
      batch.discardAll()
      throw error
    }
    batch.replace()
    batch.synchroniseFolders()
    let outcomes = batch.outcomes
    do throws(ArchiveError) {
      try journal?.append(
        outcomes.map { outcome in
          let file = outcome.place.path
          guard let failure = outcome.failure else { return .done(file: file) }
          return .failed(file: file, reason: failure.message)
        })
    } catch {
      problem = error
      throw error
    }
    return outcomes
  }

  /// Records files that are not replaced in the journal.
  ///
  /// - Throws: as `commit` does.
  package func record(_ events: [JournalEvent]) throws(ArchiveError) {
    if let problem { throw problem }
    guard !events.isEmpty, let journal else { return }
    do throws(ArchiveError) {
      try journal.append(events)
    } catch {
      problem = error
      throw error
    }
  }

  /// Removes the temporary files of items that will not be committed.
  package func discard(_ items: [StagedTransaction]) {
    CommitBatch(items, backups: backups).discardAll()
  }
}
