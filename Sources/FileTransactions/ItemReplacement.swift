// The changes of one item, done one after another, and taken back if one fails.

import Basics
import ObjectGraph

/// The progress of an item.
struct ItemReplacement {
  private enum Step {
    case created(FolderHandle, String)
    case exchanged(FileExchange)
    case replaced(FolderHandle, String, held: String?)
    case deleted(FolderHandle, String, held: String)
  }

  private var steps: [Step] = []
  /// Whether somebody else wrote to a temporary file, which must not be removed.
  private(set) var holdsForeign = false

  /// Makes a change, if its file is unchanged.
  ///
  /// - Parameter isOnly: whether no later change can fail, so that nothing need be kept for a rollback.
  /// - Throws: `ArchiveError`; this change has not happened then.
  mutating func perform(
    _ change: PreparedChange, in folder: FolderHandle, isOnly: Bool
  ) throws(ArchiveError) {
    let name = change.record.place.name
    guard let old = change.record.old else {
      guard let temporary = change.record.temporary else { return }
      try folder.rename(temporary, toNew: name)
      return steps.append(.created(folder, name))
    }
    let found = try check(change, old, in: folder)
    guard let temporary = change.record.temporary else {
      return try delete(name, change.held, old.hash, folder)
    }
    let exchange = try FileExchange(folder, name: name, temporary: temporary)
    let outcome = try exchange.perform { (file) throws(ArchiveError) in
      try file.holds(old.hash, as: found)
    }
    switch outcome {
    case .done: return steps.append(.exchanged(exchange))
    case .putBack(let error): throw error
    case .held(let error):
      holdsForeign = true
      throw error
    case .unsupported: break
    }
    let held = isOnly ? nil : change.held
    let isHeld = try held.map { (held) throws(ArchiveError) in try folder.link(name, as: held) }
    do throws(ArchiveError) {
      try folder.move(temporary, to: name)
    } catch {
      if let held, isHeld == true { Self.remove(held, folder) }
      throw error
    }
    steps.append(.replaced(folder, name, held: isHeld == true ? held : nil))
  }

  /// Deletes a file in two steps, of which the first can be rolled back.
  private mutating func delete(
    _ name: String, _ held: String, _ old: ContentHash, _ folder: FolderHandle
  ) throws(ArchiveError) {
    try folder.move(name, to: held)
    guard let file = try folder.file(held), !file.isBeingWritten,
      try ContentHash(of: try file.contents()) == old
    else {
      // A name that was taken again meanwhile has something newer.
      try folder.rename(held, toNew: name)
      throw ArchiveError.changedMeanwhile
    }
    steps.append(.deleted(folder, name, held: held))
  }

  /// Fails if somebody has touched the file since it was read; other rights with the same bytes are taken over.
  ///
  /// - Returns: the current file.
  private func check(
    _ change: PreparedChange, _ old: ChangeRecord.Old, in folder: FolderHandle
  ) throws(ArchiveError) -> FileIdentity {
    let name = change.record.place.name
    guard let status = try folder.status(of: name) else { throw ArchiveError.changedMeanwhile }
    let found = FileIdentity(status)
    if found == change.identity { return found }
    guard let file = try folder.file(name),
      try ContentHash(of: try file.contents()) == old.hash
    else { throw ArchiveError.changedMeanwhile }
    if let temporary = change.record.temporary, let new = try folder.file(temporary) {
      let metadata = FileMetadata(try file.status(), of: file.descriptor)
      _ = metadata.apply(to: new.descriptor, from: file.descriptor, keepsTimes: false)
    }
    return found
  }

  // MARK: The end

  /// Removes what was kept for a rollback.
  func finish() {
    for step in steps {
      switch step {
      case .created: break
      case .exchanged(let exchange): Self.remove(exchange.temporary, exchange.folder)
      case .replaced(let folder, _, let held): if let held { Self.remove(held, folder) }
      case .deleted(let folder, _, let held): Self.remove(held, folder)
      }
    }
  }

  /// Undoes the steps, the last first.
  ///
  /// - Parameter error: why.
  /// - Returns: the same, with what could not be undone.
  mutating func takeBack(after error: ArchiveError) -> ArchiveError {
    var message = error.message
    for step in steps.reversed() {
      do throws(ArchiveError) {
        switch step {
        case .created(let folder, let name): try folder.remove(name)
        case .exchanged(let exchange): try exchange.putBack()
        case .deleted(let folder, let name, let held): try folder.move(held, to: name)
        case .replaced(let folder, let name, let held?): try folder.move(held, to: name)
        case .replaced(let folder, let name, nil):
          message += "; \(folder.path)/\(name) stays replaced until it is undone"
        }
      } catch {
        message += "; \(error.message)"
        if case .exchanged = step { holdsForeign = true }
      }
    }
    return ArchiveError(error.code, message)
  }

  /// What cannot be removed now, a recovery of the run takes away.
  private static func remove(_ name: String, _ folder: FolderHandle) {
    do throws(ArchiveError) { try folder.remove(name) } catch {}
  }
}
