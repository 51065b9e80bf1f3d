// Old files, kept under the SHA-256 of their bytes until somebody deletes the folder.

import ArchiveBasics

/// A folder of files named for their content: `sha256/ab/cdef…`; equal contents are stored once.
///
/// A backup is a copy. A hard link would be cheaper, but an application that has the old file open, or another
/// name of it, could still write into the backup.
package struct BackupStore: Sendable {
  /// The folder's absolute path.
  package let folder: String
  private let run: RunIdentifier

  /// The file that marks a folder as one of backups.
  package static let markerName = ".archtool-backups"
  private static func copies(in folder: String) -> String { folder + "/sha256" }

  /// Opens a store, and makes its folder if need be; only its owner may look into it.
  ///
  /// - Throws: `ArchiveError` with code `cannotCreate` or `inputOutput`.
  package init(folder: String, run: RunIdentifier) throws(ArchiveError) {
    self.folder = FolderListing.absolute(folder)
    self.run = run
    try AtomicFile.makeFolder(above: self.folder)
    var isNew = false
    let copies = Self.copies(in: self.folder)
    for path in [self.folder, copies] {
      if mkdir(path.asPath, 0o700) == 0 {
        isNew = true
      } else {
        try checkSystem(errno == EEXIST, .cannotCreate, "cannot create the folder \(path)")
      }
    }
    try Self.mark(copies)
    if isNew {
      try FolderHandle(path: copies).synchronise()
      try FolderHandle(path: self.folder).synchronise()
      try FolderHandle(path: self.folder + "/..").synchronise()
    }
  }

  /// Marks a folder as one of backups, so that no run treats them as inputs.
  private static func mark(_ folder: String) throws(ArchiveError) {
    let path = folder + "/" + markerName
    try checkSystem(
      OpenFile(path, O_WRONLY | O_CREAT, mode: 0o600) != nil, .cannotCreate, "cannot create \(path)"
    )
  }

  /// Whether a folder has backups of any run.
  static func holdsCopies(_ folder: String?) -> Bool {
    guard let folder, let names = try? FolderListing.names(in: copies(in: folder)) else {
      return false
    }
    return names.contains { $0 != Array(markerName.utf8) }
  }

  /// Removes the store's folders unless something was kept in them.
  package func removeIfEmpty() {
    let copies = Self.copies(in: folder)
    let names = try? FolderListing.names(in: copies)
    guard names == [Array(Self.markerName.utf8)] else { return }
    _ = unlink((copies + "/" + Self.markerName).asPath)
    if rmdir(copies.asPath) == 0 {
      _ = rmdir(folder.asPath)
    } else {
      // Another run may have begun to use it.
      try? Self.mark(copies)
    }
  }

  /// Removes the store of a run that is not to be undone any more.
  ///
  /// Only what archtool put there is removed: copies under the names of their content, and the run's temporary files.
  ///
  /// - Returns: how many bytes the files have, and what is not archtool's and stays.
  static func remove(
    _ folder: String, of run: RunIdentifier, isDryRun: Bool
  ) -> (bytes: Int, orphanedFiles: [String]) {
    var removal = StoreRemoval(isDryRun: isDryRun)
    let copies = copies(in: folder)
    guard removal.isFolder(folder) else { return (0, []) }
    guard removal.isFolder(copies), removal.names(in: copies).contains(markerName) else {
      return (0, [folder])
    }
    for name in removal.names(in: copies) where name != markerName {
      let path = copies + "/" + name
      guard name.isHexadecimal(count: 2), removal.isFolder(path) else {
        removal.orphanedFiles.append(path)
        continue
      }
      for copy in removal.names(in: path) {
        removal.file(path + "/" + copy, if: copy.isHexadecimal(count: 62))
      }
      removal.folder(path)
    }
    for name in removal.names(in: folder) where folder + "/" + name != copies {
      removal.file(folder + "/" + name, if: name.hasPrefix(run.temporaryPrefix))
    }
    if removal.orphanedFiles.isEmpty {
      removal.file(copies + "/" + markerName, if: true)
      removal.folder(copies)
      removal.folder(folder)
    }
    return (removal.bytes, removal.orphanedFiles)
  }

  init(reading folder: String, run: RunIdentifier) {
    self.folder = folder
    self.run = run
  }

  /// A copy that is written, but neither durable nor under its name yet.
  struct Staged: Sendable {
    let hash: ContentHash
    /// The name of the copy in the folder; nil if the store has the bytes already.
    let temporary: String?
  }

  /// Copies bytes into the store, from any thread.
  func stage(
    _ bytes: ByteView, _ hash: ContentHash, number: UInt64,
    on fileSystems: FileSystems
  ) throws(ArchiveError) -> Staged {
    let (name, subfolder) = Self.names(of: hash)
    if has(hash, bytes.count, "\(folder)/\(subfolder)/\(name)") {
      return Staged(hash: hash, temporary: nil)
    }
    let handle = try FolderHandle(path: folder)
    fileSystems.add(handle)
    let temporary = "\(run.temporaryPrefix)b\(number)"
    let file = try handle.create(temporary)
    do throws(ArchiveError) {
      try file.write(bytes)
      _ = fchmod(file.descriptor, 0o400)
    } catch {
      _ = unlinkat(handle.descriptor, temporary.asPath, 0)
      throw ArchiveError(error.code, "cannot keep the old file in \(folder): \(error.message)")
    }
    Durability.begin(file.descriptor)
    return Staged(hash: hash, temporary: temporary)
  }

  /// Whether the store has bytes already; a loss of power may have left a file with others.
  private func has(_ hash: ContentHash, _ size: Int, _ path: String) -> Bool {
    FileStatus(of: path).map { Int($0.st_size) } == size && (try? contents(of: hash)) != nil
  }

  /// Gives a copy its name.
  ///
  /// - Parameter synchronises: whether its bytes are made durable before.
  /// - Returns: the file's folder, which is to be synchronised, as the file is, before the copy is relied on.
  func settle(_ staged: Staged, synchronises: Bool) throws(ArchiveError) -> String {
    let (name, subfolder) = Self.names(of: staged.hash)
    let path = "\(folder)/\(subfolder)"
    guard let temporary = staged.temporary else { return path }
    let handle = try FolderHandle(path: folder)
    guard let file = try handle.file(temporary) else {
      throw ArchiveError(.inputOutput, "the backup \(folder)/\(temporary) is gone")
    }
    if synchronises { try file.synchronise() }
    if mkdir(path.asPath, 0o700) == 0, synchronises {
      try FolderHandle(path: folder + "/sha256").synchronise()
    }
    try checkSystem(
      rename("\(folder)/\(temporary)".asPath, "\(path)/\(name)".asPath) == 0, .inputOutput,
      "cannot keep the old file in \(path)")
    return path
  }

  func discard(_ staged: Staged) {
    if let temporary = staged.temporary { _ = unlink("\(folder)/\(temporary)".asPath) }
  }

  /// The bytes of a hash.
  ///
  /// - Throws: `ArchiveError` with code `cannotOpen` if the store lacks them, `malformed` if they were damaged.
  package func contents(of hash: ContentHash) throws(ArchiveError) -> ByteStorage {
    let (name, subfolder) = Self.names(of: hash)
    let path = "\(folder)/\(subfolder)/\(name)"
    let storage: ByteStorage
    do throws(ArchiveError) {
      storage = try ByteStorage.open(path: path)
    } catch {
      throw ArchiveError(error.code, "the backup \(path): \(error.message)")
    }
    guard try ContentHash(of: storage) == hash else {
      throw ArchiveError(
        .malformed, "the backup \(path) is damaged: its SHA-256 differs")
    }
    return storage
  }

  private static func names(of hash: ContentHash) -> (name: String, subfolder: String) {
    let digits = hash.description
    return (String(digits.dropFirst(2)), "sha256/" + digits.prefix(2))
  }
}

// MARK: - Files and folders that are removed one by one, never a whole tree

/// Removes the files of a store of backups, and counts them.
struct StoreRemoval {
  let isDryRun: Bool
  /// The size of the files that were removed, or would be.
  private(set) var bytes = 0
  /// What stays, because it is not archtool's or cannot be removed.
  var orphanedFiles: [String] = []

  init(isDryRun: Bool) { self.isDryRun = isDryRun }

  /// The names in a folder, in order; none if it cannot be listed.
  func names(in folder: String) -> [String] {
    (try? FolderListing.names(in: folder))?.map { String(pathBytes: $0) } ?? []
  }

  /// Whether a path is that of a folder; a link is not.
  func isFolder(_ path: String) -> Bool {
    FileStatus(of: path, followsLinks: false)?.isFolder == true
  }

  /// Removes a regular file if it is archtool's.
  mutating func file(_ path: String, if isOwn: Bool) {
    guard isOwn, let status = FileStatus(of: path, followsLinks: false), status.isFile,
      isDryRun || unlink(path.asPath) == 0
    else { return orphanedFiles.append(path) }
    bytes += Int(status.st_size)
  }

  /// Removes a folder if it is empty.
  func folder(_ path: String) {
    if !isDryRun { _ = rmdir(path.asPath) }
  }
}
