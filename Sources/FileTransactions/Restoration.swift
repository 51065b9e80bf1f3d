// An item restored to its state before a run.

import ArchiveBasics

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

  /// Writes old bytes beside new ones, and replaces these; the old bytes are in the backups already.
  let stager: Stager
  private let backups: BackupStore?

  init(_ header: JournalHeader) {
    stager = Stager(run: header.run, backups: nil, journal: nil)
    backups = header.backups.map { BackupStore(reading: $0, run: header.run) }
  }

  /// The bytes that the files of an item have now; nil for one that does not exist.
  ///
  /// - Throws: `ArchiveError` if a file cannot be looked at.
  func contents(of intent: IntentRecord) throws(ArchiveError) -> [ContentHash?] {
    try intent.changes.map { (change) throws(ArchiveError) in
      try change.content(in: FolderHandle.containing(change.location))
    }
  }

  /// What an item is whose files have these contents.
  func standing(of intent: IntentRecord, _ contents: [ContentHash?]) -> Standing {
    let found = zip(intent.changes, contents).map { $0.standing(of: $1) }
    if let index = found.firstIndex(of: .other) {
      return .changed(intent.changes[index].location.path)
    }
    if found.allSatisfy({ $0 == .new }) { return .new }
    return found.allSatisfy { $0 == .old } ? .old : .mixed
  }

  /// Puts back what others wrote, if the run was killed after it exchanged a file and before it looked at what came out.
  ///
  /// - Throws: `ArchiveError` if that fails; no temporary file of the run may be removed then.
  func rescue(_ intent: IntentRecord) throws(ArchiveError) {
    for change in intent.changes {
      guard change.old != nil, let new = change.new, let temporary = change.temporary else {
        continue
      }
      // A folder that cannot be reached is left as it is.
      guard let folder = try? FolderHandle.containing(change.location) else { continue }
      // New bytes were durable before the intent was; anything else but the old ones is somebody's.
      guard let held = try folder.entry(temporary),
        try !Self.holds(temporary, [new.hash, change.old?.hash], held, folder)
      else { continue }
      // A file that has taken the name since then is newer.
      guard let present = try folder.entry(change.location.name),
        try Self.holds(change.location.name, [new.hash], present, folder)
      else { continue }
      guard try folder.exchange(temporary, change.location.name) else {
        throw ArchiveError(
          .inputOutput, "what was in \(change.location.path) is in \(folder.path)/\(temporary)")
      }
      try folder.synchronise()
    }
  }

  /// Whether a file has one of some contents.
  private static func holds(
    _ name: String, _ contents: [ContentHash?], _ status: stat, _ folder: FolderHandle
  ) throws(ArchiveError) -> Bool {
    guard status.isFile, let file = try folder.file(name) else { return false }
    return contents.contains(try ContentHash(of: try file.contents()))
  }

  /// Writes what brings every file of an item back; `Stager.commit` then does it, and a repeated undo continues after a failure.
  ///
  /// - Parameter contents: what the files have, and must still have when they are replaced.
  /// - Throws: `ArchiveError`; no temporary file stays.
  func stage(
    _ intent: IntentRecord, _ contents: [ContentHash?]
  ) throws(ArchiveError) -> StagedTransaction {
    var changes: [FileChange] = []
    for (record, content) in zip(intent.changes, contents)
    where record.standing(of: content) != .old {
      var bytes: ByteStorage?
      if let old = record.old {
        guard let backups else { throw ArchiveError(.cannotOpen, "the run kept no backups") }
        bytes = try backups.contents(of: old.hash)
      }
      var change = FileChange(
        record.location, content: bytes, before: content.map { .content($0) } ?? .absent)
      change.metadata = record.old?.metadata
      changes.append(change)
    }
    return try stager.prepare(FileTransaction(intent.location, changes: changes))
  }
}
