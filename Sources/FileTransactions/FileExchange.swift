// A new file and an old one that are exchanged in one step, so that the old one can be checked before it is removed.

import Basics
import CFileSystem

/// A replacement that loses nothing of a concurrent writer: rename(2) would drop what was written between the
/// last look at the old file and the call.
struct FileExchange {
  let folder: FolderHandle
  let name: String
  /// The name of the new file before the exchange, and of the old one after it.
  let temporary: String
  /// The new file as it was before the exchange.
  private let new: FileIdentity

  /// Prepares an exchange; nothing happens yet.
  ///
  /// - Throws: `ArchiveError` with code `inputOutput` if the new file is gone.
  init(_ folder: FolderHandle, name: String, temporary: String) throws(ArchiveError) {
    (self.folder, self.name, self.temporary) = (folder, name, temporary)
    guard let new = try folder.entry(temporary) else {
      throw ArchiveError(.inputOutput, "\(folder.path)/\(temporary) is gone")
    }
    self.new = FileIdentity(new)
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
    if let file = folder.regularFile(temporary) {
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
    var placed = new
    for _ in 0..<Self.mostAttempts {
      guard let holding = try folder.entry(temporary) else { return }
      // Somebody removed the new file: nothing to exchange with.
      if try folder.entry(name) == nil { return try folder.rename(temporary, toNew: name) }
      guard try folder.exchange(temporary, name) else { break }
      if let out = try folder.entry(temporary), placed.isLike(FileIdentity(out)),
        folder.regularFile(temporary)?.isBeingWritten != true
      {
        return
      }
      placed = FileIdentity(holding)
    }
    throw ArchiveError(.inputOutput, "cannot put \(folder.path)/\(name) back")
  }

  private static let mostAttempts = 100
}

extension FolderHandle {
  /// A regular file that can be read; nil for anything else.
  fileprivate func regularFile(_ name: String) -> OpenFile? {
    do throws(ArchiveError) { return try file(name) } catch { return nil }
  }

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
  func holds(_ hash: ContentHash, as found: FileIdentity) throws(ArchiveError) -> Bool {
    guard found.isLike(FileIdentity(try status())) else { return false }
    // One more byte detects the end without another call.
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: found.size + 1, alignment: 16)
    defer { buffer.deallocate() }
    var count = 0
    while count < found.size {
      let more = retryingInterrupts {
        pread(descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count, off_t(count))
      }
      guard more >= 0 else {
        throw ArchiveError(.inputOutput, "cannot read: \(systemMessage())")
      }
      if more == 0 { return false }
      count += more
    }
    let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
    guard count == found.size else { return false }
    return try ContentHash(of: bytes) == hash
  }
}
