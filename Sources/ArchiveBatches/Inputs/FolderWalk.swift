// Every regular file below a folder, found without recursion and without following links.

import ArchiveBasics
import ArchiveDatabases
import ArchiveGraph
import FileTransactions
import KeyedArchives

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
  private let entersBackups: Bool
  /// Whether the archives in databases are inputs, and whether each file might be one.
  private let entersDatabases: Bool
  private let checksEachFile: Bool
  private var levels: [Level] = []
  private var backup: BackupInputs?
  /// The error if the folder itself cannot be listed.
  private var failure: InputSequence.Entry?

  /// Starts a walk; if the folder itself is a link, it is followed.
  ///
  /// All names in a folder are read before its first file is returned, so files that are written to it later are not
  /// inputs.
  init(_ folder: String, _ selection: InputSelection) {
    self.folder = folder
    filter = selection.filter
    entersBackups = selection.entersBackups
    entersDatabases = selection.entersDatabases
    checksEachFile = selection.checksEachFile
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
      return .unopened(path, "cannot open the file: \(systemMessage())")
    }
    guard status.isFile && filter.accepts(relativePath) || status.isFolder,
      filter.enters(relativePath, path, status)
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
    entersDatabases && (checksEachFile || status.st_size % 512 == 0 && status.st_size > 0)
      && Database.isDatabase(path)
  }

  private static let backupMarker = Array(BackupStore.markerName.utf8)

  /// Lists a folder whose files come next; a folder of backups has none.
  private mutating func enter(_ path: String, _ relativePath: String) -> InputSequence.Entry? {
    do throws(ArchiveError) {
      var names = try FolderListing.names(in: path)
      if names.contains(Self.backupMarker) {
        if !relativePath.isEmpty { return nil }
        if filter.refusesBackups {
          return .unopened(path, "is a folder of backups, which stay as they are")
        }
      }
      let above = path.hasSuffix("/") ? path : path + "/"
      var entry: InputSequence.Entry?
      if entersBackups, let kind = try BackupFolder.kind(of: above, names) {
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
}

// MARK: - The files of an iOS backup under the names that they had on the device

/// A folder that is a backup: `Manifest.db` lists its files, which have the names of digests.
enum BackupFolder {
  /// A backup.
  enum Kind {
    /// Its files can be read; the database that lists them.
    case readable(Database)
    /// They cannot, which the error says.
    case encrypted(ArchiveError)
  }

  private static let manifest = Array("Manifest.db".utf8)
  private static let properties = Array("Manifest.plist".utf8)
  static let table = "Files"
  static let columns = ["fileID", "domain", "relativePath", "flags"]

  /// What kind of a backup a folder is; nil if it is none.
  ///
  /// - Parameters:
  ///   - path: the folder, with a slash at the end.
  ///   - names: the names in it.
  static func kind(of path: String, _ names: [[UInt8]]) throws(ArchiveError) -> Kind? {
    guard names.contains(manifest) else { return nil }
    let hasProperties = names.contains(properties)
    if hasProperties, isEncrypted(path + String(decoding: properties, as: UTF8.self)) {
      return .encrypted(encrypted)
    }
    let file = path + String(decoding: manifest, as: UTF8.self)
    guard Database.isDatabase(file) else { return hasProperties ? .encrypted(encrypted) : nil }
    // What cannot be read is reported as a file of the folder.
    guard let database = try? Database(file, isStopped: { Interruption.signal != nil }),
      let names = try? database.tableNames(), names.contains(table),
      let own = try? database.table(table).columns
    else { return nil }
    return columns.allSatisfy(own.contains) ? .readable(database) : nil
  }

  private static let encrypted = ArchiveError(
    .cannotOpen, "is an encrypted backup, whose files cannot be read without its password")

  /// Whether a file `Manifest.plist` says that the backup is encrypted.
  private static func isEncrypted(_ path: String) -> Bool {
    guard let storage = try? ByteStorage.open(path: path),
      let graph = try? ArchiveReader().read(storage, nested: false),
      let node = try? graph.node(at: GraphPath([.key("IsEncrypted")]), from: graph.root),
      case .boolean(true) = graph.value(of: node)
    else { return false }
    return true
  }

  /// Whether a name is that of a folder of the backup's files: two hexadecimal digits.
  static func isPart(_ name: [UInt8]) -> Bool { String(pathBytes: name).isHexadecimal(count: 2) }
}

/// The files that a backup lists.
struct BackupInputs {
  private static let digestLength = 40
  /// The flag of a regular file, as opposed to folders and links.
  private static let fileFlag: Int64 = 1

  private let above: String
  private let folder: String
  private let filter: InputFilter
  private let rows: TableRows

  /// Starts to read the list.
  ///
  /// - Parameters:
  ///   - above: the path of the backup, with a slash at the end.
  ///   - folder: the named folder in which it was found.
  /// - Throws: `ArchiveError` if the list cannot be read.
  init(
    _ database: Database, in above: String, folder: String, filter: InputFilter
  ) throws(ArchiveError) {
    self.above = above
    self.folder = folder
    self.filter = filter
    rows = try TableRows(
      database, try database.table(BackupFolder.table), columns: BackupFolder.columns)
  }

  /// The next file, or an error; nil at the end.
  mutating func next() -> InputSequence.Entry? {
    do throws(ArchiveError) {
      while try rows.next() {
        guard rows.integer(3) == Self.fileFlag else { continue }
        if let entry = entry() { return entry }
      }
      return nil
    } catch {
      return .failure(path: above + "Manifest.db", error)
    }
  }

  private func entry() -> InputSequence.Entry? {
    guard let digest = rows.text(0), digest.isHexadecimal(count: Self.digestLength),
      let domain = rows.text(1), let relativePath = rows.text(2)
    else {
      return .failure(
        path: above + "Manifest.db",
        ArchiveError(.malformed, "row \(rows.number) of the list of files names no file"))
    }
    let title = "\(domain)/\(relativePath)"
    guard filter.accepts(title) else { return nil }
    let path = "\(above)\(digest.prefix(2))/\(digest)"
    guard let status = FileStatus(of: path, followsLinks: false) else {
      return .unopened(title, "cannot open \(path): \(systemMessage())")
    }
    guard status.isFile else {
      return .unopened(title, "\(path) is not a regular file")
    }
    return .input(Input(path: path, relativePath: title, folder: folder, title: title))
  }
}
