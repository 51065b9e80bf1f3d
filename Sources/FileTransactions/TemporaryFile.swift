// New bytes before they are moved to their location.

import Basics

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
    _ bytes: UnsafeRawBufferPointer, metadata: FileMetadata?, from source: OpenFile?,
    keepsTimes: Bool, allowing bound: FilePermissions = .any
  ) throws(ArchiveError) -> [String] {
    let file = try folder.create(name, allowing: metadata == nil ? bound : .owner)
    do throws(ArchiveError) {
      try file.write(bytes)
    } catch {
      do throws(ArchiveError) { try folder.remove(name) } catch {}
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
