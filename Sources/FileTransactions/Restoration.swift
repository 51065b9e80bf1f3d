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

  private let run: RunIdentifier
  private let backups: BackupStore?
  private let fileSystems = FileSystems()
  private var number = 0
  private var folders: [CodePointString: FolderHandle] = [:]
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
      let standing = change.standing(
        of: try change.content(in: FolderHandle.containing(change.location)))
      if case .other = standing { return .changed(change.location.path) }
      found.append(standing)
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
      touched[folder.identity] = folder
    }
  }

  /// Whether a file has one of some contents.
  private static func holds(
    _ name: String, _ contents: [ContentHash?], _ status: stat, _ folder: FolderHandle
  ) throws(ArchiveError) -> Bool {
    guard status.isFile, let file = try folder.file(name) else { return false }
    return contents.contains(try ContentHash(of: try file.contents()))
  }

  // MARK: Bringing back

  /// Brings every file of an item back; `synchroniseFolders` makes that durable.
  ///
  /// - Throws: `ArchiveError` at the first failure; a repeated undo continues there.
  func restore(_ intent: IntentRecord) throws(ArchiveError) {
    let item = try stage(intent)
    if let failure = makeDurable([item])[0] { throw failure }
    try install(item)
  }

  /// Writes the old bytes of an item beside the new ones.
  ///
  /// - Returns: the argument for `makeDurable` and `install`, or to be discarded.
  /// - Throws: `ArchiveError`; no temporary file stays.
  func stage(_ intent: IntentRecord) throws(ArchiveError) -> StagedRestoration {
    var item = StagedRestoration(file: intent.location.path)
    do throws(ArchiveError) {
      // The last deleted file is restored first, the archive next, and created files are removed last.
      for change in intent.changes.sorted(by: { $0.rank > $1.rank }) {
        if let step = try stage(change, &item.lost) { item.steps.append(step) }
      }
    } catch {
      item.discard()
      throw error
    }
    return item
  }

  /// One file; nil if it is as it was.
  private func stage(
    _ change: ChangeRecord, _ lost: inout [String]
  ) throws(ArchiveError) -> StagedRestoration.Step? {
    let folder = try folder(of: change.location)
    let present = try folder.status(of: change.location.name)
    let content = try change.content(in: folder)
    if case .old = change.standing(of: content) { return nil }
    guard let old = change.old else {
      return .init(
        location: change.location, folder: folder, temporary: nil, present: present,
        content: content)
    }
    guard let backups else {
      throw ArchiveError(.cannotOpen, "the run kept no backups")
    }
    let storage = try backups.contents(of: old.hash)
    number += 1
    let temporary = TemporaryFile(name: "\(run.temporaryPrefix)u\(number)", folder: folder)
    // One may be left of an undo that was killed.
    try temporary.remove()
    fileSystems.add(folder)
    lost += try temporary.write(
      storage.bytes, metadata: old.metadata, from: try folder.file(change.location.name),
      keepsTimes: true)
    return .init(
      location: change.location, folder: folder, temporary: temporary, present: present,
      content: content)
  }

  /// The folder of a file, opened once for a batch.
  private func folder(of location: FileLocation) throws(ArchiveError) -> FolderHandle {
    let path = CodePointString(location.folderPath)
    if let folder = folders[path] { return folder }
    let folder = try FolderHandle.containing(location)
    folders[path] = folder
    return folder
  }

  /// Makes the bytes of items durable: all at once if the system can, or file by file.
  ///
  /// - Returns: for each why that failed; its temporary files are gone then.
  func makeDurable(_ items: [StagedRestoration]) -> [ArchiveError?] {
    if items.count > 1, fileSystems.canSynchronise {
      let failure = fileSystems.synchronise()
      if failure != nil { for item in items { item.discard() } }
      return items.map { _ in failure }
    }
    return items.map { item in
      do throws(ArchiveError) {
        for step in item.steps { try step.temporary?.synchronise() }
        return nil
      } catch {
        item.discard()
        return error
      }
    }
  }

  /// Moves the old files of an item to their locations.
  ///
  /// - Throws: `ArchiveError` at the first that cannot be, also if somebody has written there meanwhile.
  func install(_ item: StagedRestoration) throws(ArchiveError) {
    do throws(ArchiveError) {
      for step in item.steps {
        guard try step.isUntouched() else {
          throw ArchiveError(.cannotCreate, "\(step.location.path) was changed meanwhile")
        }
        touched[step.folder.identity] = step.folder
        try step.perform()
      }
    } catch {
      item.discard()
      throw error
    }
  }

  /// Makes the restored files durable.
  ///
  /// - Throws: `ArchiveError` with code `inputOutput`.
  func synchroniseFolders() throws(ArchiveError) {
    for folder in touched.values { try folder.synchronise() }
    touched = [:]
    folders = [:]
  }
}

// MARK: - An item during its restoration

/// An item whose old bytes are beside the new ones under temporary names.
struct StagedRestoration {
  /// One file that comes back, or goes.
  struct Step {
    let location: FileLocation
    let folder: FolderHandle
    /// The old bytes; nil if the file did not exist.
    let temporary: TemporaryFile?
    /// The current file, or nil.
    let present: FileStatus?
    /// The hash of the current file.
    let content: ContentHash?

    /// Whether nobody has replaced the file since it was checked.
    func isUntouched() throws(ArchiveError) -> Bool {
      let now = try folder.status(of: location.name)
      guard let now, let present else { return now == nil && present == nil }
      return now.isUnchanged(since: present)
    }

    /// Restores the old bytes, or removes a file that did not exist.
    ///
    /// - Throws: `ArchiveError`, also if somebody writes there at this moment; theirs stays then.
    func perform() throws(ArchiveError) {
      guard let temporary else { return try folder.remove(location.name) }
      guard let present else {
        return try folder.rename(temporary.name, toNew: location.name)
      }
      let exchange = try FileExchange(folder, name: location.name, temporary: temporary.name)
      let outcome = try exchange.perform { (file) throws(ArchiveError) in
        guard let content else { return false }
        return try file.holds(content, as: present)
      }
      switch outcome {
      case .done: try temporary.remove()
      case .putBack(let error), .held(let error): throw error
      case .unsupported: try folder.move(temporary.name, to: location.name)
      }
    }
  }

  /// The file that the item is named for.
  let file: String
  /// In the order of restoration.
  var steps: [Step] = []
  /// What its files had and cannot be given back, in words.
  var lost: [String] = []

  func discard() {
    // What cannot be removed now, the end of an undo takes away.
    for step in steps { try? step.temporary?.remove() }
  }
}
