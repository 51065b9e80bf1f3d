// The changes of one item, done one after another, and taken back if one fails.

import ObjectGraph

/// What was done of an item so far.
struct ItemReplacement {
  private enum Step {
    case created(FolderHandle, String)
    case replaced(FolderHandle, String, held: String?)
    case deleted(FolderHandle, String, held: String)
  }

  private var steps: [Step] = []

  /// Does a change, if its file is still what it was.
  ///
  /// - Parameter isOnly: whether no other change can fail behind it, so that nothing need be held for going back.
  /// - Throws: `ArchiveError`; this change has not happened then.
  mutating func perform(
    _ change: PreparedChange, in folder: FolderHandle, isOnly: Bool
  ) throws(ArchiveError) {
    let name = change.record.place.name
    try check(change, in: folder)
    guard let temporary = change.record.temporary else {
      return try delete(name, change.held, folder)
    }
    if change.record.old == nil {
      try create(name, from: temporary, folder)
      steps.append(.created(folder, name))
      return
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

  /// Deletes a file in two steps, of which the first can be taken back.
  private mutating func delete(
    _ name: String, _ held: String, _ folder: FolderHandle
  ) throws(ArchiveError) {
    try folder.move(name, to: held)
    steps.append(.deleted(folder, name, held: held))
  }

  /// Gives the new file its name unless another has it; only file systems without links need the second way.
  private func create(
    _ name: String, from temporary: String, _ folder: FolderHandle
  ) throws(ArchiveError) {
    if try folder.link(temporary, as: name) {
      Self.remove(temporary, folder)
    } else {
      try folder.move(temporary, to: name)
    }
  }

  /// Fails if somebody has touched the file since it was read; other rights with the same bytes are taken over.
  private func check(_ change: PreparedChange, in folder: FolderHandle) throws(ArchiveError) {
    let name = change.record.place.name
    guard let status = try folder.status(of: name) else {
      if change.record.old == nil { return }
      throw ArchiveError.changedMeanwhile
    }
    guard let old = change.record.old else {
      throw ArchiveError(.cannotCreate, "\(change.record.place.path) has been created meanwhile")
    }
    if FileIdentity(status) == change.identity { return }
    guard let file = try folder.file(name),
      try ContentHash(of: try file.contents()) == old.hash
    else { throw ArchiveError.changedMeanwhile }
    if let temporary = change.record.temporary, let new = try folder.file(temporary) {
      let metadata = FileMetadata(try file.status(), of: file.descriptor)
      _ = metadata.apply(to: new.descriptor, from: file.descriptor, keepsTimes: false)
    }
  }

  // MARK: The end

  /// Removes what was held.
  func finish() {
    for step in steps {
      switch step {
      case .created: break
      case .replaced(let folder, _, let held): if let held { Self.remove(held, folder) }
      case .deleted(let folder, _, let held): Self.remove(held, folder)
      }
    }
  }

  /// Undoes the steps, the last first.
  ///
  /// - Parameter error: why.
  /// - Returns: the same, with what could not be undone.
  func takeBack(after error: ArchiveError) -> ArchiveError {
    var message = error.message
    for step in steps.reversed() {
      do throws(ArchiveError) {
        switch step {
        case .created(let folder, let name): try folder.remove(name)
        case .deleted(let folder, let name, let held): try folder.move(held, to: name)
        case .replaced(let folder, let name, let held?): try folder.move(held, to: name)
        case .replaced(let folder, let name, nil):
          message += "; \(folder.path)/\(name) stays replaced until it is undone"
        }
      } catch {
        message += "; \(error.message)"
      }
    }
    return ArchiveError(error.code, message)
  }

  /// What cannot be removed now, a recovery of the run takes away.
  private static func remove(_ name: String, _ folder: FolderHandle) {
    do throws(ArchiveError) { try folder.remove(name) } catch {}
  }
}
