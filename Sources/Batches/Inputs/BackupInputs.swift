// The files of an iOS backup under the names that they had on the device.

import Basics
import Databases
import KeyedArchives
import ObjectGraph
import PropertyLists

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
    do throws(ArchiveError) {
      let database = try Database(file, isStopped: { Interruption.signal != nil })
      guard try database.tableNames().contains(table) else { return nil }
      let own = try database.table(table).columns
      return columns.allSatisfy(own.contains) ? .readable(database) : nil
    } catch {
      // It is reported as a file of the folder.
      return nil
    }
  }

  private static let encrypted = ArchiveError(
    .cannotOpen, "is an encrypted backup, whose files cannot be read without its password")

  /// Whether a file `Manifest.plist` says that the backup is encrypted.
  private static func isEncrypted(_ path: String) -> Bool {
    do throws(ArchiveError) {
      let graph = try ArchiveReader().read(try ByteStorage.open(path: path), nested: false)
      let node = try graph.node(at: try GraphPath(parsing: "$.IsEncrypted"), from: graph.root)
      if case .boolean(true) = graph.value(of: node) { return true }
      return false
    } catch {
      return false
    }
  }

  /// Whether a name is that of a folder of the backup's files: two hexadecimal digits.
  static func isPart(_ name: [UInt8]) -> Bool { name.count == 2 && name.allSatisfy(isDigit) }

  static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }
}

/// The files that a backup lists.
struct BackupInputs {
  /// The length of a digest.
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
    guard let digest = rows.text(0), digest.utf8.count == Self.digestLength,
      digest.utf8.allSatisfy(BackupFolder.isDigit), let domain = rows.text(1),
      let relativePath = rows.text(2)
    else {
      return .failure(
        path: above + "Manifest.db",
        ArchiveError(.malformed, "row \(rows.number) of the list of files names no file"))
    }
    let title = "\(domain)/\(relativePath)"
    guard filter.takes(title) else { return nil }
    let path = "\(above)\(digest.prefix(2))/\(digest)"
    guard let status = FileStatus(of: path, followsLinks: false) else {
      return .failure(
        path: title, ArchiveError(.cannotOpen, "cannot open \(path): \(systemMessage())"))
    }
    guard status.isFile else {
      return .failure(path: title, ArchiveError(.cannotOpen, "\(path) is not a regular file"))
    }
    return .input(Input(path: path, relativePath: title, folder: folder, title: title))
  }
}
