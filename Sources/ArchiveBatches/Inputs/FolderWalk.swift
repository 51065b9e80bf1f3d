// Every regular file below a folder, found without recursion and without following links.

import ArchiveBackups
import ArchiveBasics
import ArchiveDatabases
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
  private let selection: InputSelection
  private var levels: [Level] = []
  /// The backup whose files come next, and those files.
  private(set) var backup: Backup?
  private var files: Backup.Files?
  /// How many backups were passed over.
  private(set) var passedOver = 0
  /// The error if the folder itself cannot be listed.
  private var failure: InputSequence.Entry?

  /// Starts a walk; if the folder itself is a link, it is followed.
  ///
  /// All names in a folder are read before its first file is returned, so files that are written to it later are not
  /// inputs.
  init(_ folder: String, _ selection: InputSelection) {
    self.folder = folder
    self.selection = selection
    failure = enter(folder, "")
  }

  /// The next file, or an item that cannot be read; nil at the end.
  mutating func next() -> InputSequence.Entry? {
    if let failure {
      self.failure = nil
      return failure
    }
    while !levels.isEmpty {
      if let entry = nextInBackup() { return entry }
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
      return .unopened(path, "cannot open the file: \(systemMessage())")
    }
    guard status.isFile && selection.filter.accepts(relativePath, path) || status.isFolder,
      selection.filter.enters(relativePath, path, status)
    else { return nil }
    if status.isFolder { return enter(path, relativePath + "/") }
    var input = Input(path: path, relativePath: relativePath, folder: folder)
    input.isEntered = isDatabase(path, status)
    return .input(input)
  }

  /// Whether a file is a database to enter.
  ///
  /// A sound one is a number of pages of 512 bytes or a multiple, so that few other files are opened to look.
  private func isDatabase(_ path: String, _ status: FileStatus) -> Bool {
    selection.entersDatabases
      && (selection.checksEachFile || status.st_size % 512 == 0 && status.st_size > 0)
      && Database.isDatabase(path)
  }

  private static let backupMarker = Array(BackupStore.markerName.utf8)

  /// Lists a folder whose files come next; a folder of backups has none.
  private mutating func enter(_ path: String, _ relativePath: String) -> InputSequence.Entry? {
    do throws(ArchiveError) {
      var names = try FolderListing.names(in: path)
      if names.contains(Self.backupMarker) {
        if !relativePath.isEmpty { return nil }
        if selection.filter.refusesBackups {
          return .unopened(path, "is a folder of backups, which stay as they are")
        }
      }
      let above = path.hasSuffix("/") ? path : path + "/"
      var entry: InputSequence.Entry?
      if selection.entersBackups, Backup.isBackup(path, names: names) {
        if selection.filter.passesOverBackups {
          passedOver += 1
          return nil
        }
        names.removeAll(where: Backup.isPart)
        entry = open(backup: path)
      }
      levels.append(Level(path: above, relativePath: relativePath, names: names.reversed()))
      return entry
    } catch {
      return .failure(path: path, error)
    }
  }

  // MARK: The files of a backup under the names that they had on the device

  /// Opens a backup, whose files come next; an error if that is not possible.
  private mutating func open(backup path: String) -> InputSequence.Entry? {
    do throws(ArchiveError) {
      let opened = try Backup(
        path, password: selection.password, isStopped: { Interruption.signal != nil })
      files = try opened.files()
      backup = opened
      return nil
    } catch {
      return .failure(path: path, error)
    }
  }

  private mutating func nextInBackup() -> InputSequence.Entry? {
    guard let backup, let files else { return nil }
    do throws(ArchiveError) {
      while let file = try files.next() {
        let relativePath = (levels.last?.relativePath ?? "") + file.name
        var input = Input(file, in: backup, relativePath: relativePath, folder: folder)
        guard selection.filter.accepts(file.name, input.name) else { continue }
        input.isEntered = selection.entersDatabases && Backup.isDatabase(file)
        return .input(input)
      }
    } catch {
      return .failure(path: backup.listPath, error)
    }
    (self.backup, self.files) = (nil, nil)
    return nil
  }
}
