// A whole run taken back from its journal.

import ArchiveBasics

/// Restores what a run replaced, the last file first.
package struct Undo {
  /// What became of a file.
  package enum Outcome: Sendable {
    /// It is as it was before the run, or would be, but for what could not be given back.
    case restored(String, lost: [String])
    /// It stays as it is, for this reason.
    case kept(String, ArchiveError)
    /// A file of archtool's own cannot be removed; a later undo tries again.
    case left(String)
  }

  /// The number of items that are made durable at once.
  private static let batch = 256

  private let journal: Journal
  private let contents: JournalContents
  private let reader: JournalReader
  private let restoration: Restoration
  /// Whether files are brought back that were changed after the run.
  package let isForced: Bool
  /// Whether nothing is written.
  package let isDryRun: Bool

  /// Opens a journal.
  ///
  /// - Parameters:
  ///   - path: the journal of a run that came to its end, or that was interrupted.
  ///   - seals: what its seals are checked with.
  ///   - isForced: whether files are brought back that were changed after the run.
  ///   - isDryRun: whether nothing is written.
  /// - Throws: `ArchiveError` if the journal cannot be read or written, is in use, or not as it was written.
  package init(
    _ path: String, seals: SealCheck, isForced: Bool = false, isDryRun: Bool = false
  ) throws(ArchiveError) {
    (journal, contents) = try Journal.reopen(path, seals: seals, cuts: !isDryRun)
    reader = try JournalReader(path, seals: seals)
    restoration = Restoration(contents.header)
    self.isForced = isForced
    self.isDryRun = isDryRun
  }

  /// How many files the run may have replaced.
  package var fileCount: Int {
    contents.intents([.unfinished, .failed, .done]).count
  }

  /// Takes the run back.
  ///
  /// A repeated undo continues where it stopped, after a signal that asked the program to stop, too.
  ///
  /// - Parameter report: receives each file that the run had replaced.
  /// - Throws: `ArchiveError` if the journal cannot be written, or another run works in a folder of this one.
  package func run(_ report: (Outcome) -> Void) throws(ArchiveError) {
    let lock = isDryRun ? nil : try RunLock(of: contents.header, journal: journal.path)
    defer {
      lock?.release()
      for path in lock?.left ?? [] { report(.left(path)) }
    }
    let lines = contents.intents([.unfinished, .failed, .done]).reversed()
    var batch: [StagedRestoration] = []
    // The files that an error prevents from being restored.
    defer { for item in batch { item.discard() } }
    for line in lines {
      if DescriptorPoll.isAskedToStop() {
        try settle(&batch, report)
        return isDryRun ? () : try journal.synchronise()
      }
      let intent = try reader.intent(at: line)
      let file = intent.location.path
      let state = contents.state(of: file)
      if !isDryRun, state == .unfinished || state == .failed { try restoration.rescue(intent) }
      do throws(ArchiveError) {
        guard try isReplaced(intent) else { continue }
        batch.append(
          isDryRun ? StagedRestoration(file: file) : try restoration.stage(intent))
      } catch {
        report(.kept(file, error))
      }
      if batch.count == Self.batch { try settle(&batch, report) }
    }
    try settle(&batch, report)
    if isDryRun { return }
    let left = Leftovers(of: contents.header.run).remove(
      of: contents,
      intents: try lines.map { (line) throws(ArchiveError) in
        try reader.intent(at: line)
      })
    for path in left { report(.left(path)) }
    try journal.synchronise()
  }

  /// Whether an item is to be brought back.
  ///
  /// - Throws: `ArchiveError` if it must not be.
  private func isReplaced(_ intent: IntentRecord) throws(ArchiveError) -> Bool {
    let state = contents.state(of: intent.location.path)
    switch try restoration.standing(of: intent) {
    case .new, .mixed: return true
    // A killed undo may have restored it already: the journal is updated now.
    case .old: return state == .done
    case .changed(let path):
      // A file that was never replaced does not belong to this run.
      if state == .failed { return false }
      if isForced { return true }
      throw ArchiveError(
        .cannotCreate, "changed since the run; --force restores it anyway",
        file: path == intent.location.path ? nil : path)
    }
  }

  /// Restores a batch, makes it durable, and updates the journal.
  private func settle(
    _ batch: inout [StagedRestoration], _ report: (Outcome) -> Void
  ) throws(ArchiveError) {
    var restored: [(file: String, lost: [String])] = []
    let failures = isDryRun ? batch.map { _ in nil } : restoration.makeDurable(batch)
    for (item, failure) in zip(batch, failures) {
      do throws(ArchiveError) {
        if let failure { throw failure }
        try restoration.install(item)
        restored.append((item.file, item.lost))
      } catch {
        report(.kept(item.file, error))
      }
    }
    batch = []
    if !isDryRun {
      try restoration.synchroniseFolders()
      try journal.append(restored.map { .settled(.undone, file: $0.file) })
    }
    for (file, lost) in restored { report(.restored(file, lost: lost)) }
  }
}
