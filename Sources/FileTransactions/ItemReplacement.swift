// The changes of one item, done one after another, and taken back if one fails.

import ArchiveBasics
import CFileSystem

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
    let name = change.record.location.name
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
    do throws(ArchiveError) {
      guard let file = try folder.file(held), !file.isBeingWritten,
        try ContentHash(of: try file.contents()) == old
      else { throw ArchiveError.changedMeanwhile }
    } catch {
      // A name that was taken again meanwhile has something newer.
      try folder.rename(held, toNew: name)
      throw error
    }
    steps.append(.deleted(folder, name, held: held))
  }

  /// Fails if somebody has touched the file since it was read; other rights with the same bytes are taken over.
  ///
  /// - Returns: the current file.
  private func check(
    _ change: PreparedChange, _ old: ChangeRecord.Old, in folder: FolderHandle
  ) throws(ArchiveError) -> FileStatus {
    let name = change.record.location.name
    guard let found = try folder.status(of: name) else { throw ArchiveError.changedMeanwhile }
    if found.isIdentical(to: change.status) { return found }
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
  /// - Returns: the same, with what could not be undone.
  mutating func revert(after error: ArchiveError) -> ArchiveError {
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
    try? folder.remove(name)
  }
}

// MARK: - A new file and an old one that are exchanged in one step, so that the old one can be checked before it is removed

/// A replacement that loses nothing of a concurrent writer: rename(2) would drop what was written between the
/// last look at the old file and the call.
struct FileExchange {
  let folder: FolderHandle
  let name: String
  /// The name of the new file before the exchange, and of the old one after it.
  let temporary: String
  /// The new file as it was before the exchange.
  private let new: FileStatus

  /// Prepares an exchange; nothing happens yet.
  ///
  /// - Throws: `ArchiveError` with code `inputOutput` if the new file is gone.
  init(_ folder: FolderHandle, name: String, temporary: String) throws(ArchiveError) {
    (self.folder, self.name, self.temporary) = (folder, name, temporary)
    guard let new = try folder.entry(temporary) else {
      throw ArchiveError(.inputOutput, "\(folder.path)/\(temporary) is gone")
    }
    self.new = new
  }

  /// What came of an exchange.
  enum Outcome {
    /// The new file is installed, and the old one, as expected, has the temporary name.
    case done
    /// The file system cannot exchange; all is as it was.
    case unsupported
    /// The old file was not as expected, for this reason, and is back at its location.
    case putBack(ArchiveError)
    /// The same, but the old file could not be put back: it is under the temporary name, which must not be removed.
    case held(ArchiveError)
  }

  /// Exchanges the files.
  ///
  /// - Parameter isExpected: whether the old file is the one to be replaced.
  /// - Throws: `ArchiveError` with code `inputOutput` if the system fails; all is as it was then.
  func perform(
    _ isExpected: (OpenFile) throws(ArchiveError) -> Bool
  ) throws(ArchiveError) -> Outcome {
    guard try folder.exchange(temporary, name) else { return .unsupported }
    var reason = ArchiveError.changedMeanwhile
    if let file = try? folder.file(temporary) {
      do throws(ArchiveError) {
        if file.isBeingWritten { throw ArchiveError.openForWriting }
        if try isExpected(file) { return .done }
      } catch {
        reason = error
      }
    }
    do throws(ArchiveError) {
      try putBack()
      return .putBack(reason)
    } catch {
      return .held(keep(reason, error))
    }
  }

  /// Gives what came out, and cannot be put back, a name that nobody removes.
  private func keep(_ reason: ArchiveError, _ error: ArchiveError) -> ArchiveError {
    let kept = name + ".archtool-kept"
    let isKept =
      linkat(
        folder.descriptor, temporary.asPath, folder.descriptor, kept.asPath, 0) == 0
    let other = isKept ? kept : temporary
    return ArchiveError(
      error.code,
      "\(reason.message), but \(error.message); the previous file is in \(folder.path)/\(other)")
  }

  /// Puts back what came out; what somebody put under the name meanwhile, or wrote there, is newer, and stays.
  ///
  /// - Throws: `ArchiveError` with code `inputOutput`; what came out is still under the temporary name then.
  func putBack() throws(ArchiveError) {
    var moved = new
    for _ in 0..<Self.mostAttempts {
      guard let holding = try folder.entry(temporary) else { return }
      // Somebody removed the new file: nothing to exchange with.
      if try folder.entry(name) == nil { return try folder.rename(temporary, toNew: name) }
      guard try folder.exchange(temporary, name) else { break }
      if let out = try folder.entry(temporary), out.isUnchanged(since: moved),
        (try? folder.file(temporary))?.isBeingWritten != true
      {
        return
      }
      moved = holding
    }
    throw ArchiveError(.inputOutput, "cannot put \(folder.path)/\(name) back")
  }

  private static let mostAttempts = 100
}

extension FolderHandle {
  /// Exchanges the names of two files.
  ///
  /// - Returns: whether the file system can.
  /// - Throws: `ArchiveError` with code `inputOutput`.
  func exchange(_ name: String, _ other: String) throws(ArchiveError) -> Bool {
    if archtool_rename(descriptor, name.asPath, other.asPath, ARCHTOOL_RENAME_EXCHANGE) == 0 {
      return true
    }
    if FreeName.isUnsupported(errno) { return false }
    // Somebody deleted one of them.
    if errno == ENOENT { throw ArchiveError.changedMeanwhile }
    throw ArchiveError(.inputOutput, "cannot replace \(path)/\(other): \(systemMessage())")
  }
}

extension OpenFile {
  /// Whether a process has the file open for writing, as far as the system can report it.
  ///
  /// The system lets nobody begin to write to it until the handle is closed.
  var isBeingWritten: Bool {
    #if os(Linux)
      // A read lease is granted only on files that nobody writes (fcntl(2)), and ends with the descriptor. This signal,
      // which is ignored, means that somebody wants to.
      _ = fcntl(descriptor, ARCHTOOL_F_SETSIG, SIGURG)
      if fcntl(descriptor, ARCHTOOL_F_SETLEASE, Int32(F_RDLCK)) != 0 { return errno == EAGAIN }
    #endif
    return false
  }

  /// Whether it is a file that was looked at before, with the bytes that were read then.
  func holds(_ hash: ContentHash, as found: FileStatus) throws(ArchiveError) -> Bool {
    guard try status().isUnchanged(since: found) else { return false }
    let size = Int(found.st_size)
    // One more byte detects the end without another call.
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size + 1, alignment: 16)
    defer { buffer.deallocate() }
    var count = 0
    while count < size {
      let more = retryingInterrupts {
        pread(descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count, off_t(count))
      }
      try checkSystem(more >= 0, .inputOutput, "cannot read")
      if more == 0 { return false }
      count += more
    }
    guard count == size else { return false }
    return try ContentHash(of: ByteView(buffer).part(0..<count)) == hash
  }
}
