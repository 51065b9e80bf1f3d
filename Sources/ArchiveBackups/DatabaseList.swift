// Manifest.db, the list of a backup's files since iOS 10: a database, which is encrypted itself since iOS 10.2.

import ArchiveBasics
import ArchiveDatabases
import SystemCryptography

final class DatabaseList: ManifestList {
  private static let tableName = "Files"
  private static let names = ["fileID", "domain", "relativePath", "flags"]
  /// The column with what decrypts a file.
  private static let recordName = "file"
  private static let digestLength = 2 * BackupCryptography.sha1Size
  /// The flag of a regular file, as opposed to folders and links.
  private static let fileFlag: Int64 = 1

  private let folder: String
  private let database: Database
  private let table: DatabaseTable
  private let keys: ClassKeys?
  private let columns: [String]

  /// Opens the list.
  ///
  /// - Throws: `ArchiveError` if the database has no such table.
  init(_ folder: String, _ database: Database, _ keys: ClassKeys?) throws(ArchiveError) {
    (self.folder, self.database, self.keys) = (folder, database, keys)
    guard try database.tableNames().contains(Self.tableName) else { throw Self.isForeign }
    table = try database.table(Self.tableName)
    columns = Self.names + (keys == nil ? [] : [Self.recordName])
    guard columns.allSatisfy(table.columns.contains) else { throw Self.isForeign }
  }

  private static let isForeign = ArchiveError(
    .malformed, "\(Backup.databaseList) has no table that lists files")

  func files() throws(ArchiveError) -> Backup.Files {
    database.startOver()
    let rows = try TableRows(database, table, columns: columns)
    return Backup.Files { () throws(ArchiveError) in
      while try rows.next() { if let file = try self.file(of: rows) { return file } }
      return nil
    }
  }

  func file(domain: String, path: String) throws(ArchiveError) -> BackupFile? {
    let identifier = try BackupCryptography.load().sha1("\(domain)-\(path)".pathBytes)
    database.startOver()
    let rows = try TableRows(
      database, table, columns: columns, where: Self.names[0], is: identifier)
    while try rows.next() {
      if let file = try file(of: rows), file.domain == domain, file.path == path { return file }
    }
    return nil
  }

  /// The file of a row; nil for folders and links.
  private func file(of rows: TableRows) throws(ArchiveError) -> BackupFile? {
    guard rows.integer(3) == Self.fileFlag else { return nil }
    guard let identifier = rows.text(0), identifier.isHexadecimal(count: Self.digestLength),
      let domain = rows.text(1), let path = rows.text(2)
    else {
      throw ArchiveError(.malformed, "row \(rows.number) of the list of files names no file")
    }
    var protection: BackupFile.Protection?
    if let keys {
      guard case .bytes(let record) = try rows.value(4) else {
        throw ArchiveError(.malformed, "row \(rows.number) of the list of files has no record")
      }
      protection = .init(record: .archive(ByteStorage(copying: record)), keys: keys)
    }
    return BackupFile(
      domain: domain, path: path, storedPath: BackupFile.storedPath(of: identifier, in: folder),
      protection: protection)
  }
}
