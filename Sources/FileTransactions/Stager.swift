// The first phase of a replacement: all slow work, on many threads.

import ArchiveBasics
import ArchivePropertyLists
import Synchronization

/// Writes new bytes beside old ones, and copies of the old ones into a store; then replaces the old ones, batch by batch.
///
/// Any number of threads may use it at once, but only one may replace.
package final class Stager: Sendable {
  private let run: RunIdentifier
  let backups: BackupStore?
  private let keepsTimes: Bool
  let journal: Journal?
  private let fileSystems = FileSystems()
  /// Begins at a random number: a run that is resumed may have left files that cannot be removed.
  private let numbers = Atomic(UInt64(UInt32.random(in: 0 ... .max)))

  /// Makes a stager.
  ///
  /// - Parameters:
  ///   - run: whose temporary files they will be: that of the journal.
  ///   - backups: the store for old files, or nil.
  ///   - keepsTimes: whether new files get the times of the old ones.
  ///   - journal: the journal of the changes, or nil; the new bytes are hashed for nothing else.
  package init(
    run: RunIdentifier, backups: BackupStore?, keepsTimes: Bool = false, journal: Journal?
  ) {
    self.run = run
    self.backups = backups
    self.keepsTimes = keepsTimes
    self.journal = journal
  }

  /// Writes all that an item needs; no file of the user's changes.
  ///
  /// - Throws: `ArchiveError`: `cannotCreate` if the file on the disk is not as expected, `cannotOpen` if
  ///   it is not a regular file or is a link, `inputOutput` if writing fails. No temporary file is left.
  package func prepare(_ item: FileTransaction) throws(ArchiveError) -> StagedTransaction {
    var changes: [PreparedChange] = []
    var warnings: [String] = []
    var model: FileMetadata?
    do throws(ArchiveError) {
      // The archive first: the files beside it get its mode.
      let isMain = { (change: FileChange) in
        change.location.path.utf8.elementsEqual(item.location.path.utf8)
      }
      for change in item.changes.filter(isMain) + item.changes.filter({ !isMain($0) }) {
        guard let prepared = try prepare(change, like: model, item.bound, &warnings) else {
          continue
        }
        changes.append(prepared)
        if model == nil { model = prepared.record.old?.metadata.ofCompanion }
      }
    } catch {
      Self.discard(changes, backups)
      throw error
    }
    return StagedTransaction(
      location: item.location, warnings: warnings, facts: item.facts, changes: changes,
      fileSystems: fileSystems)
  }

  /// Removes the temporary files of changes.
  static func discard(_ changes: [PreparedChange], _ backups: BackupStore?) {
    for change in changes {
      if let staged = change.backup { backups?.discard(staged) }
      guard let temporary = change.record.temporary else { continue }
      do throws(ArchiveError) {
        try FolderHandle.containing(change.record.location).remove(temporary)
      } catch {
        // The folder cannot be opened. No other file has a name with the number of this run, so its path will do; if not,
        // it stays beside the file until a recovery of the run removes it.
        let location = change.record.location
        let folder = location.path.unicodeScalars.dropLast(location.name.unicodeScalars.count)
        _ = unlink("\(String(folder))\(temporary)".asPath)
      }
    }
  }

  /// One change; nil if there is nothing to delete.
  private func prepare(
    _ change: FileChange, like model: FileMetadata?, _ bound: FilePermissions,
    _ warnings: inout [String]
  ) throws(ArchiveError) -> PreparedChange? {
    let folder = try FolderHandle.containing(change.location)
    let name = change.location.name
    let file = try folder.file(name)
    let old = try file.map { (file) throws(ArchiveError) in try OldFile(file) }
    try check(old?.record.hash, against: change)
    if old == nil, change.content == nil { return nil }
    let others = old.map { Int($0.status.st_nlink) - 1 } ?? 0
    if others > 0 {
      let names = others == 1 ? "1 other name" : "\(others) other names"
      warnings.append(
        "\(names) of \(change.location.path) keep\(others == 1 ? "s" : "") the old bytes")
    }
    let new = try change.content.map { (content) throws(ArchiveError) in
      ChangeRecord.New(
        hash: journal != nil ? try ContentHash(of: content) : nil, size: content.bytes.count)
    }
    let backup = try old.flatMap { (old) throws(ArchiveError) in
      try backups?.stage(old.storage.bytes, old.record.hash, number: number(), on: fileSystems)
    }
    let temporary = change.content.map { _ in "\(run.temporaryPrefix)\(number())" }
    var isDone = false
    defer { if !isDone, let backup { backups?.discard(backup) } }
    if let content = change.content, let temporary {
      fileSystems.add(folder)
      let made = TemporaryFile(name: temporary, folder: folder)
      warnings += try made.write(
        content.bytes, metadata: old?.record.metadata ?? model, from: file,
        keepsTimes: keepsTimes && old != nil,
        // A file beside the archive is not more readable than the archive, even if it was.
        allowing: model.map { bound.intersection($0.permissions) } ?? bound)
      if change.isBackup, !(try made.markAsBackup(name)) {
        warnings.append(SideFile.unmarkedBackup(change.location.path))
      }
    }
    isDone = true
    return PreparedChange(
      record: ChangeRecord(
        location: change.location, temporary: temporary, old: old?.record, new: new),
      folder: folder.identity, status: old?.status, backup: backup,
      held: "\(run.temporaryPrefix)\(number())")
  }

  private func number() -> UInt64 { numbers.add(1, ordering: .relaxed).oldValue }

  private func check(_ found: ContentHash?, against change: FileChange) throws(ArchiveError) {
    switch change.before {
    case .anything: return
    case .absent:
      if found == nil { return }
      throw ArchiveError(.cannotCreate, "\(change.location.path) exists")
    case .content(let hash):
      if found == hash { return }
      throw ArchiveError.changedMeanwhile
    }
  }
}

extension ArchiveError {
  /// The file has other bytes than those that were rewritten.
  static let changedMeanwhile = ArchiveError(
    .cannotCreate, "the file was changed during the run; nothing was replaced")

  /// What would be written to the file from now on would be lost with it.
  static let openForWriting = ArchiveError(
    .cannotCreate,
    "another process has the file open for writing; nothing was replaced; close it there and try again"
  )
}

private struct OldFile {
  let storage: ByteStorage
  let record: ChangeRecord.Old
  let status: FileStatus

  init(_ file: OpenFile) throws(ArchiveError) {
    // A writer that changes the file from now on changes its status.
    status = try file.status()
    storage = try file.contents()
    record = ChangeRecord.Old(
      hash: try ContentHash(of: storage), size: storage.bytes.count,
      metadata: FileMetadata(status, of: file.descriptor))
  }
}

// MARK: - The changes of one transaction: an archive and its side files

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
  package let location: FileLocation
  /// Its new bytes; nil to delete it.
  package let content: ByteStorage?
  /// What must be there.
  package let before: Precondition
  /// Whether the new file is a copy of the old archive, which later runs must not treat as an archive.
  package let isBackup: Bool

  /// Makes a change.
  package init(
    _ location: FileLocation, content: ByteStorage?, before: Precondition, isBackup: Bool = false
  ) {
    self.location = location
    self.content = content
    self.before = before
    self.isBackup = isBackup
  }
}

/// Changes that happen all or not at all.
package struct FileTransaction: Sendable {
  /// The file that the item is named for in journals and messages; one of the changes is about it.
  package let location: FileLocation
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
    _ location: FileLocation, changes: [FileChange], facts: [(name: String, value: JSONTree)] = []
  ) {
    self.location = location
    self.changes = changes
    self.facts = facts
  }
}

// MARK: - An item with everything written that can be written before anything is replaced

/// An item whose new bytes are beside the old ones under temporary names.
///
/// It must go to `Stager.commit` or `Stager.discard`, which take the temporary files away.
package struct StagedTransaction: Sendable {
  /// The file that the item is named for.
  package let location: FileLocation
  /// Warnings, such as about other names of the file that keep the old bytes.
  package let warnings: [String]
  let facts: [(name: String, value: JSONTree)]
  let changes: [PreparedChange]
  let fileSystems: FileSystems

  /// The journal entry before the item is replaced.
  var intent: IntentRecord {
    IntentRecord(location: location, changes: changes.map(\.record), facts: facts)
  }
}

/// One change with its temporary file.
struct PreparedChange: Sendable {
  let record: ChangeRecord
  /// The folder that the temporary file is in.
  let folder: FolderHandle.Identity
  /// The file that was read, or nil.
  let status: FileStatus?
  let backup: BackupStore.Staged?
  /// The name that the old file may bear until the whole item is done.
  let held: String
}
