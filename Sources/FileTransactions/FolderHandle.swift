// An open folder: files are named relative to it, so that nobody can substitute another folder.

import ArchiveBasics
import CFileSystem
import Synchronization

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
    try checkSystem(descriptor >= 0, .cannotOpen, "cannot open the folder \(path)")
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
  static func containing(_ location: FileLocation) throws(ArchiveError) -> FolderHandle {
    var folder = try root(of: location)
    for step in location.folderSteps {
      folder = try FolderHandle(
        retryingInterrupts { openat(folder.descriptor, step.asPath, flags | O_NOFOLLOW) },
        path: folder.path == "/" ? "/" + step : "\(folder.path)/\(step)")
    }
    return folder
  }

  /// Opens the root of a file: it has no links, and if it is one now, somebody else replaced the folder.
  private static func root(of location: FileLocation) throws(ArchiveError) -> FolderHandle {
    let opened = retryingInterrupts { archtool_open_without_links(location.root.asPath, flags) }
    if opened >= 0 { return try FolderHandle(opened, path: location.root) }
    // Of an older system, or for a message.
    let folder = try FolderHandle(path: location.root)
    let leading = try FileLocation.resolved(location.root)
    guard leading.utf8.elementsEqual(location.root.utf8) else {
      throw ArchiveError(
        .cannotCreate,
        "\(location.root) is now a symbolic link, or below one, to \(leading)")
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
    try checkSystem(file >= 0, .cannotCreate, "cannot create a file in \(path)")
    return OpenFile(descriptor: file)
  }

  /// Removes a file; a missing file is not an error.
  func remove(_ name: String) throws(ArchiveError) {
    try checkSystem(
      unlinkat(descriptor, name.asPath, 0) == 0 || errno == ENOENT, .inputOutput,
      "cannot remove \(path)/\(name)")
  }

  /// Renames a file, replacing another if it exists.
  func move(_ name: String, to target: String) throws(ArchiveError) {
    try checkSystem(
      renameat(descriptor, name.asPath, descriptor, target.asPath) == 0, .inputOutput,
      "cannot replace \(path)/\(target)")
  }

  /// Renames a file; the new name must be free.
  ///
  /// - Throws: `ArchiveError` with code `cannotCreate` if the name is taken, `cannotOpen` if it is not that of a regular
  ///   file, else `inputOutput`.
  func rename(_ name: String, toNew target: String) throws(ArchiveError) {
    switch FreeName.give(target, to: name, in: descriptor) {
    case .given: return
    case .exists:
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
    try checkSystem(
      Durability.synchronise(descriptor), .inputOutput, "cannot save the folder \(path)")
  }
}

extension OpenFile {
  /// Makes the file's bytes durable.
  func synchronise() throws(ArchiveError) {
    try checkSystem(Durability.synchronise(descriptor), .inputOutput, "cannot save")
  }
}

// MARK: - New bytes before they are moved to their location

/// A file that will be moved to its location.
struct TemporaryFile {
  let name: String
  let folder: FolderHandle

  /// Writes the file and copies the old one's metadata; it is not durable yet.
  ///
  /// - Parameters:
  ///   - bytes: its content.
  ///   - metadata: mode, owner and attributes; nil for those of a new file.
  ///   - source: the old file.
  ///   - keepsTimes: whether it gets the old file's times.
  ///   - bound: the upper bound of its permissions.
  /// - Returns: what could not be kept, in words.
  /// - Throws: `ArchiveError`; no file stays.
  func write(
    _ bytes: ByteView, metadata: FileMetadata?, from source: OpenFile?,
    keepsTimes: Bool, allowing bound: FilePermissions = .any
  ) throws(ArchiveError) -> [String] {
    let file = try folder.create(name, allowing: metadata == nil ? bound : .owner)
    do throws(ArchiveError) {
      try file.write(bytes)
    } catch {
      try? folder.remove(name)
      throw error
    }
    Durability.begin(file.descriptor)
    return metadata?.apply(
      to: file.descriptor, allowing: bound, from: source?.descriptor, keepsTimes: keepsTimes) ?? []
  }

  /// Records in the file that it is a copy of an old archive.
  ///
  /// - Parameter finalName: the name that it will have.
  /// - Returns: whether the file system could take that down.
  func markAsBackup(_ finalName: String) throws(ArchiveError) -> Bool {
    guard let file = try folder.file(name) else { return false }
    return SideFile.markBackup(file.descriptor, name: finalName)
  }

  /// Removes the file; a missing file is not an error.
  func remove() throws(ArchiveError) { try folder.remove(name) }

  /// Makes the file's bytes durable.
  ///
  /// - Throws: `ArchiveError` with code `inputOutput`.
  func synchronise() throws(ArchiveError) {
    guard let file = try folder.file(name) else {
      throw ArchiveError(.inputOutput, "\(folder.path)/\(name) is gone")
    }
    try file.synchronise()
  }
}

// MARK: - What makes bytes survive a power failure

/// Writes data to the disk.
enum Durability {
  /// Brings a file or folder to its drive.
  ///
  /// On macOS the drive may still hold it in its cache until `flush`.
  static func synchronise(_ descriptor: Int32) -> Bool {
    retryingInterrupts { fsync(descriptor) } == 0
  }

  /// Brings a file to its drive, and the drive's cache to the medium: all that was synchronised before included.
  static func flush(_ descriptor: Int32) -> Bool {
    #if canImport(Darwin)
      if fcntl(descriptor, F_FULLFSYNC) != -1 { return true }
    #endif
    return synchronise(descriptor)
  }

  /// Lets the kernel begin to write a file, so that synchronizing takes less time.
  ///
  /// Many files that are begun together and synchronised later cost half of what they cost one by one. Where a whole file
  /// system is synchronised, this would cost more than it saves.
  static func begin(_ descriptor: Int32) {
    #if os(Linux)
      if FileSystems.reportsErrors { return }
      _ = sync_file_range(descriptor, 0, 0, UInt32(ARCHTOOL_SYNC_FILE_RANGE_WRITE))
    #endif
  }
}

// MARK: - The file systems that a run writes to, made durable as a whole

/// The file systems with new files on them.
///
/// One `syncfs` for a batch of files costs a fifth of an `fsync` for each. If it is missing, or does not
/// report errors, the files are synchronized one by one.
final class FileSystems: Sendable {
  private let folders = Mutex<[UInt64: FolderHandle]>([:])

  /// Remembers the file system of a folder before anything is written there.
  ///
  /// The kernel reports to a descriptor only the errors since it was opened.
  func add(_ folder: FolderHandle) {
    folders.withLock { folders in
      if folders[folder.identity.device] == nil { folders[folder.identity.device] = folder }
    }
  }

  /// Whether `synchronise` is to be relied on.
  let canSynchronise = FileSystems.reportsErrors

  /// Makes all that was written durable.
  ///
  /// - Returns: an error with code `inputOutput` if that failed anywhere.
  func synchronise() -> ArchiveError? {
    #if os(Linux)
      for folder in folders.withLock({ Array($0.values) })
      where retryingInterrupts({ syncfs(folder.descriptor) }) != 0 {
        return ArchiveError(
          .inputOutput, "cannot save the files in \(folder.path): \(systemMessage())")
      }
    #endif
    return nil
  }

  /// Whether the kernel is Linux 5.8 or later, whose `syncfs` reports what could not be written (syncfs(2)).
  static let reportsErrors: Bool = {
    #if os(Linux)
      var name = utsname()
      guard uname(&name) == 0 else { return false }
      let release = withUnsafeBytes(of: &name.release) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      let numbers = release.split(whereSeparator: { !$0.isNumber }).prefix(2).compactMap { Int($0) }
      return numbers.count == 2 && (numbers[0], numbers[1]) >= (5, 8)
    #else
      return false
    #endif
  }()
}
