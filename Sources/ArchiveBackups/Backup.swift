// A backup of an iPhone or iPad, as Finder and iTunes make it: files under the names of digests, and a list of them.

import ArchiveBasics
import ArchiveDatabases
import SystemCryptography

/// The list of a backup's files.
protocol ManifestList: AnyObject {
  /// Starts to read the regular files in the list's order.
  func files() throws(ArchiveError) -> Backup.Files
  /// A regular file; nil if there is none.
  func file(domain: String, path: String) throws(ArchiveError) -> BackupFile?
}

/// A backup that is open for reading; it is used by one thread, its files by any.
package final class Backup {
  static let databaseList = "Manifest.db"
  static let recordList = "Manifest.mbdb"
  private static let propertyList = "Manifest.plist"

  /// The folder, without slashes at its end.
  package let folder: String
  /// Whether its files are encrypted.
  package let isEncrypted: Bool
  /// The path of the list of files.
  package let listPath: String
  private let list: any ManifestList
  private let isStopped: () -> Bool

  /// Opens a backup.
  ///
  /// - Parameters:
  ///   - folder: its folder.
  ///   - password: where its password is, if it needs one.
  ///   - isStopped: asked from time to time; if it returns true, reading ends as if there were no more files.
  /// - Throws: `ArchiveError` if it is damaged; `cannotOpen` if the password is missing or wrong.
  package init(
    _ folder: String, password: PasswordSource, isStopped: @escaping () -> Bool = { false }
  ) throws(ArchiveError) {
    let folder = Self.withoutSlashes(folder)
    self.folder = folder
    self.isStopped = isStopped
    let manifest = try Self.members(of: folder)
    var keys: ClassKeys?
    if let manifest, manifest.isTrue("IsEncrypted") {
      guard let bag = manifest.data("BackupKeyBag") else {
        throw ArchiveError(
          .malformed, "is an encrypted backup, and \(Self.propertyList) has no key bag")
      }
      let cryptography = try BackupCryptography.load()
      keys = try password.keys(
        of: KeyBag(ByteStorage(copying: bag)), in: folder, cryptography)
    }
    isEncrypted = keys != nil
    if FileStatus(of: "\(folder)/\(Self.databaseList)") == nil {
      list = try RecordList(folder, keys)
      listPath = "\(folder)/\(Self.recordList)"
      return
    }
    listPath = "\(folder)/\(Self.databaseList)"
    var key: SecretBytes?
    if let keys, let wrapped = manifest?.data("ManifestKey") {
      key = try keys.unwrapped(wrapped)
    }
    list = try DatabaseList(folder, Self.database(folder, keys, key, isStopped), keys)
  }

  private static func withoutSlashes(_ folder: String) -> String {
    let bytes = folder.utf8
    guard let last = bytes.lastIndex(where: { $0 != UInt8(ascii: "/") }) else { return folder }
    return String(Substring(bytes[...last]))
  }

  private static func members(of folder: String) throws(ArchiveError) -> ManifestMembers? {
    let path = "\(folder)/\(propertyList)"
    guard FileStatus(of: path) != nil else { return nil }
    do throws(ArchiveError) {
      return try ManifestMembers(ByteStorage.open(path: path))
    } catch {
      throw ArchiveError(error.code, "\(propertyList) of the backup: \(error.message)")
    }
  }

  /// Opens Manifest.db, decrypted in memory if there is a key for it.
  private static func database(
    _ folder: String, _ keys: ClassKeys?, _ key: SecretBytes?, _ isStopped: @escaping () -> Bool
  ) throws(ArchiveError) -> Database {
    let path = "\(folder)/\(databaseList)"
    guard let keys, let key else { return try Database(path, isStopped: isStopped) }
    guard (FileStatus(of: path + "-wal")?.st_size ?? 0) == 0 else {
      throw ArchiveError(
        .unsupported, "is an encrypted backup with a log beside \(databaseList), which is not read")
    }
    let stored = try ByteStorage.open(path: path)
    // A part of a block at the end is no page either.
    let count = stored.bytes.count / BackupCryptography.blockSize * BackupCryptography.blockSize
    let clear = keys.cryptography.decrypted(stored.bytes.part(0..<count), by: key)
    guard let clear, Database.isDatabase(clear.bytes) else {
      throw ArchiveError(
        .malformed, "is an encrypted backup, and its key makes no database of \(databaseList)")
    }
    return try Database(bytes: clear.bytes, isStopped: isStopped)
  }

  // MARK: Files

  /// The regular files in the order of the list.
  package struct Files {
    /// Finds the next file; nil at the end, and when it cannot go on after an error.
    let find: () throws(ArchiveError) -> BackupFile?

    /// The next file; nil at the end.
    ///
    /// - Throws: `ArchiveError` for a row that names no file, after which there may be others.
    package func next() throws(ArchiveError) -> BackupFile? { try find() }
  }

  /// Starts to read the list of files.
  ///
  /// - Throws: `ArchiveError` if it cannot be read.
  package func files() throws(ArchiveError) -> Files { try list.files() }

  /// A regular file by its name, `DOMAIN/path`; nil if the backup lists none.
  ///
  /// - Throws: `ArchiveError` if the list cannot be read.
  package func file(named name: String) throws(ArchiveError) -> BackupFile? {
    guard let slash = name.utf8.firstIndex(of: UInt8(ascii: "/")) else { return nil }
    let path = name[name.utf8.index(after: slash)...]
    return try list.file(domain: String(name[..<slash]), path: String(path))
  }

  // MARK: Databases

  /// How a rollback journal begins, unless its transaction has ended (Database File Format, section 3).
  private static let journalMagic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

  /// Whether a file begins as a database.
  package static func isDatabase(_ file: BackupFile) -> Bool {
    guard file.isEncrypted else { return Database.isDatabase(file.storedPath) }
    return (try? file.beginning(BackupCryptography.blockSize)).map { Database.isDatabase($0.bytes) }
      ?? false
  }

  /// Opens a database among the files, with the log that the backup lists for it.
  ///
  /// - Throws: `ArchiveError` if it cannot be read.
  package func database(_ file: BackupFile) throws(ArchiveError) -> Database {
    let log = try self.file(named: file.name + "-wal")
    let journal = try self.file(named: file.name + "-journal")
    guard file.isEncrypted else {
      var companions: [String: String] = [:]
      companions["-wal"] = log?.storedPath
      companions["-journal"] = journal?.storedPath
      return try Database(file.storedPath, companions: companions, isStopped: isStopped)
    }
    if let start = try journal?.beginning(BackupCryptography.blockSize),
      start.bytes.starts(with: Self.journalMagic)
    {
      throw ArchiveError(
        .unsupported, "the backup was made in the middle of a transaction of this database")
    }
    let bytes = try file.open()
    let logged = try log?.open()
    defer { withExtendedLifetime((bytes, logged)) {} }
    return try Database(
      bytes: bytes.bytes, log: logged?.bytes, isStopped: isStopped)
  }
}

// MARK: - Folders that are backups

extension Backup {
  /// Whether a folder is a backup, encrypted or not.
  ///
  /// - Parameter names: the names in it, if they are known.
  package static func isBackup(_ folder: String, names: [[UInt8]]? = nil) -> Bool {
    func has(_ name: String) -> Bool {
      names?.contains(Array(name.utf8)) ?? (FileStatus(of: "\(folder)/\(name)") != nil)
    }
    if has(databaseList) {
      let path = "\(folder)/\(databaseList)"
      guard Database.isDatabase(path) else { return has(propertyList) }
      guard let database = try? Database(path) else { return false }
      return (try? DatabaseList(folder, database, nil)) != nil
    }
    guard has(recordList), let file = OpenFile("\(folder)/\(recordList)", O_RDONLY | O_NONBLOCK)
    else { return false }
    return file.bytes(RecordList.header.count) == RecordList.header
  }

  /// Whether a name in the folder of a backup is that of a file, or of a folder of files: hexadecimal digits.
  package static func isPart(_ name: [UInt8]) -> Bool {
    let text = String(pathBytes: name)
    return text.isHexadecimal(count: 2)
      || text.isHexadecimal(count: 2 * BackupCryptography.sha1Size)
  }
}
