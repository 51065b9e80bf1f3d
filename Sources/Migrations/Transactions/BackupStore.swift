// Old files, kept under the SHA-256 of their bytes until somebody deletes the folder.

import ObjectGraph

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A folder of files named for their content: `sha256/ab/cdef…`; what is there twice is kept once.
///
/// A backup is a copy. A hard link would be cheaper, but an application that has the old file open, or another
/// name of it, could still write into the backup.
public struct BackupStore: Sendable {
  /// The folder's absolute path.
  public let folder: String
  private let run: RunIdentifier

  /// Opens a store, and makes its folder if need be; only its owner may look into it.
  ///
  /// - Throws: `ArchiveError` with code `cannotCreate` or `inputOutput`.
  public init(folder: String, run: RunIdentifier) throws(ArchiveError) {
    self.folder = FolderListing.absolute(folder)
    self.run = run
    try AtomicFile.makeFolder(above: self.folder)
    var isNew = false
    for path in [self.folder, self.folder + "/sha256"] {
      if mkdir(path, 0o700) == 0 {
        isNew = true
      } else if errno != EEXIST {
        throw ArchiveError(
          .cannotCreate, "cannot create the folder \(path): \(systemMessage())")
      }
    }
    if isNew {
      try FolderHandle(path: self.folder).synchronise()
      try FolderHandle(path: self.folder + "/..").synchronise()
    }
  }

  /// A store that is only read.
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
    _ bytes: UnsafeRawBufferPointer, _ hash: ContentHash, number: UInt64
  ) throws(ArchiveError) -> Staged {
    let (name, subfolder) = Self.names(of: hash)
    var status = stat()
    // A file has its name only after its bytes were made durable.
    if stat("\(folder)/\(subfolder)/\(name)", &status) == 0, Int(status.st_size) == bytes.count {
      return Staged(hash: hash, temporary: nil)
    }
    let handle = try FolderHandle(path: folder)
    let temporary = "\(run.temporaryPrefix)b\(number)"
    let file = try handle.create(temporary, mode: 0o400)
    do throws(ArchiveError) {
      try file.write(bytes)
    } catch {
      _ = unlinkat(handle.descriptor, temporary, 0)
      throw ArchiveError(error.code, "cannot keep the old file in \(folder): \(error.message)")
    }
    Durability.begin(file.descriptor)
    return Staged(hash: hash, temporary: temporary)
  }

  /// Makes a copy durable, and gives it its name.
  ///
  /// - Returns: the folder that is to be synchronised before the copy is relied on.
  func settle(_ staged: Staged) throws(ArchiveError) -> String {
    let (name, subfolder) = Self.names(of: staged.hash)
    let path = "\(folder)/\(subfolder)"
    guard let temporary = staged.temporary else { return path }
    let handle = try FolderHandle(path: folder)
    guard let file = try handle.file(temporary) else {
      throw ArchiveError(.inputOutput, "the backup \(folder)/\(temporary) is gone")
    }
    try file.synchronise()
    if mkdir(path, 0o700) == 0 { try FolderHandle(path: folder + "/sha256").synchronise() }
    if rename("\(folder)/\(temporary)", "\(path)/\(name)") != 0 {
      throw ArchiveError(.inputOutput, "cannot keep the old file in \(path): \(systemMessage())")
    }
    return path
  }

  /// Removes a copy that is not needed.
  func discard(_ staged: Staged) {
    if let temporary = staged.temporary { _ = unlink("\(folder)/\(temporary)") }
  }

  /// The bytes of a hash.
  ///
  /// - Throws: `ArchiveError` with code `cannotOpen` if the store lacks them, `malformed` if they were damaged.
  public func contents(of hash: ContentHash) throws(ArchiveError) -> ByteStorage {
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
        .malformed, "the backup \(path) is damaged: its bytes have another SHA-256")
    }
    return storage
  }

  private static func names(of hash: ContentHash) -> (name: String, subfolder: String) {
    let digits = hash.description
    return (String(digits.dropFirst(2)), "sha256/" + digits.prefix(2))
  }
}
