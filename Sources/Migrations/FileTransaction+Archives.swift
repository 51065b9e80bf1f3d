// Archives as file changes: the archive, and the file with its lost values.

import Basics
import FileTransactions

extension FileTransaction {
  /// A new file for an archive, together with the file of its lost values.
  ///
  /// - Parameters:
  ///   - location: the new file.
  ///   - archive: its contents.
  ///   - replacing: whether existing files are replaced.
  ///   - bound: the upper bound of the new files' permissions.
  /// - Throws: `ArchiveError` with code `cannotOpen` if the file with lost values cannot have a path.
  package init(
    creating location: FileLocation, _ archive: RewrittenArchive, replacing: Bool,
    allowing bound: FilePermissions
  ) throws(ArchiveError) {
    let before: FileChange.Precondition = replacing ? .anything : .absent
    var changes = [FileChange(location, content: archive.storage, before: before)]
    if case .written(let lost) = archive.lost {
      let companion = try location.sibling(SideFile.lostValues(of: location.name))
      changes.append(FileChange(companion, content: lost, before: before))
    }
    self.init(location, changes: changes, facts: archive.details.members)
    self.bound = bound
  }

  /// An archive that is replaced by its rewritten form, together with the file of its lost values.
  ///
  /// - Parameters:
  ///   - location: the archive.
  ///   - old: the bytes that were read and rewritten.
  ///   - archive: its new form.
  /// - Throws: `ArchiveError` with code `unsupported` if the system cannot compute SHA-256.
  package init(
    _ location: FileLocation, old: ByteStorage, rewritten archive: RewrittenArchive
  ) throws(ArchiveError) {
    var changes = [
      FileChange(location, content: archive.storage, before: .content(try ContentHash(of: old)))
    ]
    let companion = try location.sibling(SideFile.lostValues(of: location.name))
    switch archive.lost {
    case .unchanged: break
    case .written(let storage):
      changes.append(FileChange(companion, content: storage, before: .anything))
    case .removed: changes.append(FileChange(companion, content: nil, before: .anything))
    }
    self.init(location, changes: changes, facts: archive.details.members)
  }
}
