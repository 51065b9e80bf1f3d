// Every regular file below a folder, found without recursion and without following links.

import Basics
import FileTransactions

/// Walks a folder in the order of its entries' names, including hidden ones, file by file.
struct FolderWalk {
  /// A folder on the path to the current file.
  private struct Level {
    /// Its path, with a slash at the end.
    let path: String
    /// Its path below the named folder, with a slash at the end; empty for the named folder itself.
    let relativePath: String
    /// The remaining names, the next one last.
    var names: [[UInt8]]
  }

  private let folder: String
  private let filter: InputFilter
  /// Whether the files of backups are inputs under the names that applications gave them.
  private let findsBackups: Bool
  private var levels: [Level] = []
  private var backup: BackupInputs?
  /// The error if the folder itself cannot be listed.
  private var failure: InputSequence.Entry?

  /// Starts a walk; if the folder itself is a link, it is followed.
  ///
  /// All names in a folder are read before its first file is returned, so files that are written to it later are not
  /// inputs.
  init(_ folder: String, filter: InputFilter, findsBackups: Bool = false) {
    self.folder = folder
    self.filter = filter
    self.findsBackups = findsBackups
    failure = enter(folder, "")
  }

  /// The next file, or an item that cannot be read; nil at the end.
  mutating func next() -> InputSequence.Entry? {
    if let failure {
      self.failure = nil
      return failure
    }
    while !levels.isEmpty {
      if let entry = backup?.next() { return entry }
      backup = nil
      // Changed in place: a second reference to the level would copy all its names each time one is removed.
      let last = levels.count - 1
      guard let name = levels[last].names.popLast() else {
        levels.removeLast()
        continue
      }
      if name.starts(with: InputFilter.ownPrefix) { continue }
      if let entry = entry(name, levels[last].path, levels[last].relativePath) { return entry }
    }
    return nil
  }

  /// The file with a name; nil if it is not a file, or is a folder that comes next.
  private mutating func entry(
    _ name: [UInt8], _ above: String, _ relativeAbove: String
  ) -> InputSequence.Entry? {
    let text = String(pathBytes: name)
    let path = above + text
    let relativePath = relativeAbove + text
    guard let status = FileStatus(of: path, followsLinks: false) else {
      return Self.failure(path, "cannot open the file: \(systemMessage())")
    }
    guard status.isFile && filter.takes(relativePath) || status.isFolder,
      filter.enters(relativePath, path, status)
    else { return nil }
    return status.isFolder
      ? enter(path, relativePath + "/")
      : .input(Input(path: path, relativePath: relativePath, folder: folder))
  }

  private static let backupMarker = Array(BackupStore.markerName.utf8)

  /// Lists a folder whose files come next; a folder of backups has none.
  private mutating func enter(_ path: String, _ relativePath: String) -> InputSequence.Entry? {
    do throws(ArchiveError) {
      var names = try FolderListing.names(in: path)
      if names.contains(Self.backupMarker) {
        if !relativePath.isEmpty { return nil }
        if filter.refusesBackups {
          return Self.failure(path, "is a folder of backups, which stay as they are")
        }
      }
      let above = path.hasSuffix("/") ? path : path + "/"
      var entry: InputSequence.Entry?
      if findsBackups, let kind = try BackupFolder.kind(of: above, names) {
        names.removeAll(where: BackupFolder.isPart)
        switch kind {
        case .encrypted(let error): entry = .failure(path: path, error)
        case .readable(let database):
          backup = try BackupInputs(database, in: above, folder: folder, filter: filter)
        }
      }
      levels.append(Level(path: above, relativePath: relativePath, names: names.reversed()))
      return entry
    } catch {
      return .failure(path: path, error)
    }
  }

  private static func failure(_ path: String, _ message: String) -> InputSequence.Entry {
    .failure(path: path, ArchiveError(.cannotOpen, message))
  }
}
