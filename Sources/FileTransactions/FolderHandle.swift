// An open folder: files are named relative to it, so that nobody can substitute another folder.

import Basics
import CFileSystem

/// A folder's descriptor; closed with the last reference.
final class FolderHandle: Sendable {
  /// The identity of the folder, independent of its path.
  struct Identity: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64

    init(_ status: FileStatus) {
      device = UInt64(truncatingIfNeeded: status.st_dev)
      inode = UInt64(truncatingIfNeeded: status.st_ino)
    }
  }

  let descriptor: Int32
  let path: String
  let identity: Identity

  private static let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC

  private init(_ descriptor: Int32, path: String) throws(ArchiveError) {
    guard descriptor >= 0 else {
      throw ArchiveError(.cannotOpen, "cannot open the folder \(path): \(systemMessage())")
    }
    self.descriptor = descriptor
    self.path = path
    guard let status = FileStatus(of: descriptor) else {
      let message = systemMessage()
      _ = close(descriptor)
      throw ArchiveError(.cannotOpen, "cannot inspect the folder \(path): \(message)")
    }
    identity = Identity(status)
  }

  deinit { _ = close(descriptor) }

  /// Opens a folder by its path, links followed.
  convenience init(path: String) throws(ArchiveError) {
    try self.init(retryingInterrupts { open(path.asPath, Self.flags) }, path: path)
  }

  /// Opens the folder of a file: no link is followed, be it below its root or above.
  ///
  /// - Throws: `ArchiveError` with code `cannotOpen`, or `cannotCreate` if the root has become a link.
  static func containing(_ place: FileLocation) throws(ArchiveError) -> FolderHandle {
    var folder = try root(of: place)
    for step in place.folderSteps {
      folder = try FolderHandle(
        retryingInterrupts { openat(folder.descriptor, step.asPath, flags | O_NOFOLLOW) },
        path: folder.path == "/" ? "/" + step : "\(folder.path)/\(step)")
    }
    return folder
  }

  /// Opens the root of a file: it has no links, and if it is one now, somebody else replaced the folder.
  private static func root(of place: FileLocation) throws(ArchiveError) -> FolderHandle {
    let opened = retryingInterrupts { archtool_open_without_links(place.root.asPath, flags) }
    if opened >= 0 { return try FolderHandle(opened, path: place.root) }
    // Of an older system, or for a message.
    let folder = try FolderHandle(path: place.root)
    let leading = try FileLocation.resolved(place.root)
    guard leading.utf8.elementsEqual(place.root.utf8) else {
      throw ArchiveError(
        .cannotCreate,
        "\(place.root) is now a symbolic link, or below one, to \(leading)")
    }
    return folder
  }

  // MARK: Its files

  /// The status of a file, without following links; nil if it does not exist.
  ///
  /// - Throws: `ArchiveError` with code `inputOutput`, or `cannotOpen` if it is not a regular file.
  func status(of name: String) throws(ArchiveError) -> stat? {
    guard let status = try entry(name) else { return nil }
    guard status.isFile else {
      throw ArchiveError(.cannotOpen, "\(path)/\(name) is not a regular file")
    }
    return status
  }

  /// The status of an entry of any kind, without following links; nil if it does not exist.
  ///
  /// - Throws: `ArchiveError` with code `inputOutput`.
  func entry(_ name: String) throws(ArchiveError) -> stat? {
    var status = stat()
    if fstatat(descriptor, name.asPath, &status, AT_SYMLINK_NOFOLLOW) != 0 {
      if errno == ENOENT { return nil }
      throw ArchiveError(.inputOutput, "cannot inspect \(path)/\(name): \(systemMessage())")
    }
    return status
  }

  /// Opens a regular file for reading; nil if it does not exist.
  ///
  /// - Throws: `ArchiveError` with code `cannotOpen` if it is a link or anything else.
  func file(_ name: String) throws(ArchiveError) -> OpenFile? {
    // Should a pipe have this name, opening it does not wait for a writer.
    let file = retryingInterrupts {
      openat(descriptor, name.asPath, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    }
    if file < 0, errno == ENOENT { return nil }
    guard file >= 0 else {
      let reason = errno == ELOOP ? "it is a symbolic link" : systemMessage()
      throw ArchiveError(.cannotOpen, "cannot open \(path)/\(name): \(reason)")
    }
    let handle = OpenFile(descriptor: file)
    guard try handle.status().isFile else {
      throw ArchiveError(.cannotOpen, "\(path)/\(name) is not a regular file")
    }
    return handle
  }

  /// Creates a file; by default only its owner can read it until it is given another mode.
  ///
  /// - Throws: `ArchiveError` with code `cannotCreate`, also if it exists.
  func create(
    _ name: String, allowing bound: FilePermissions = .owner
  ) throws(ArchiveError) -> OpenFile {
    let file = bound.createFile(name, in: descriptor, flags: O_RDWR)
    guard file >= 0 else {
      throw ArchiveError(.cannotCreate, "cannot create a file in \(path): \(systemMessage())")
    }
    return OpenFile(descriptor: file)
  }

  /// Removes a file; a missing file is not an error.
  func remove(_ name: String) throws(ArchiveError) {
    if unlinkat(descriptor, name.asPath, 0) != 0, errno != ENOENT {
      throw ArchiveError(.inputOutput, "cannot remove \(path)/\(name): \(systemMessage())")
    }
  }

  /// Renames a file, replacing another if it exists.
  func move(_ name: String, to target: String) throws(ArchiveError) {
    if renameat(descriptor, name.asPath, descriptor, target.asPath) != 0 {
      throw ArchiveError(.inputOutput, "cannot replace \(path)/\(target): \(systemMessage())")
    }
  }

  /// Renames a file; the new name must be free.
  ///
  /// - Throws: `ArchiveError` with code `cannotCreate` if the name is taken, `cannotOpen` if it is not that of a regular
  ///   file, else `inputOutput`.
  func rename(_ name: String, toNew target: String) throws(ArchiveError) {
    switch FreeName.give(target, to: name, in: descriptor) {
    case .given: return
    case .taken:
      _ = try status(of: target)
      throw ArchiveError(.cannotCreate, "\(path)/\(target) has been created meanwhile")
    case .failed:
      throw ArchiveError(.inputOutput, "cannot create \(path)/\(target): \(systemMessage())")
    }
  }

  /// Gives a file a second name; that name must be free.
  ///
  /// - Returns: whether the file system could.
  /// - Throws: `ArchiveError` with code `cannotCreate` if the name is taken.
  func link(_ name: String, as other: String) throws(ArchiveError) -> Bool {
    if linkat(descriptor, name.asPath, descriptor, other.asPath, 0) == 0 { return true }
    if errno == EEXIST {
      throw ArchiveError(.cannotCreate, "\(path)/\(other) has been created meanwhile")
    }
    return false
  }

  /// Makes the names in the folder durable.
  func synchronise() throws(ArchiveError) {
    if !Durability.synchronise(descriptor) {
      throw ArchiveError(.inputOutput, "cannot save the folder \(path): \(systemMessage())")
    }
  }
}
