// What an operand names if no file has its name: a column of a database, one of its rows, a file of a backup, or a column
// of a database in a backup.

import ArchiveBackups
import ArchiveBasics
import ArchiveDatabases

/// A place in a file or a folder, as `scan` prints it and every command reads it.
package enum Address {
  /// The archives of a column, or that of a row: `DATABASE#table.column` and `DATABASE#table.column@ROW`.
  ///
  /// The database may be a file of the backup.
  case column(DatabaseReference, of: Input, in: Backup?)
  /// A file of a backup: `BACKUP//DOMAIN/path`.
  case file(Input)

  /// Reads an operand; nil if it names nothing but a file.
  ///
  /// - Parameter backups: opens backups.
  /// - Throws: `ArchiveError` if what follows the database is no column, or the backup cannot be read or has no such file.
  init?(_ operand: String, _ backups: BackupOpener) throws(ArchiveError) {
    if let (folder, name) = Self.split(backupFile: operand, backups.last?.folder) {
      self = try Self.file(name, of: backups.backup(in: folder))
    } else if let reference = try DatabaseReference(operand) {
      let name = InputSequence.lastStep(of: reference.path) ?? reference.path
      self = .column(
        reference, of: Input(path: reference.path, relativePath: name), in: nil)
    } else {
      return nil
    }
  }

  /// Divides an operand at the first `//` after a backup; nil if there is none.
  ///
  /// - Parameter known: the folder of a backup that is open.
  private static func split(
    backupFile operand: String, _ known: String? = nil
  ) -> (folder: String, name: String)? {
    let bytes = operand.utf8
    var start = bytes.startIndex
    while let mark = bytes[start...].firstIndex(of: UInt8(ascii: "/")) {
      start = bytes.index(after: mark)
      guard mark != bytes.startIndex, start < bytes.endIndex, bytes[start] == UInt8(ascii: "/")
      else { continue }
      let folder = String(operand[..<mark])
      if folder == known || Backup.isBackup(folder) {
        return (folder, String(operand[bytes.index(after: start)...]))
      }
    }
    return nil
  }

  private static func file(_ name: String, of backup: Backup) throws(ArchiveError) -> Address {
    func input(_ name: String) throws(ArchiveError) -> Input? {
      guard let file = try backup.file(named: name) else { return nil }
      return Input(file, in: backup, relativePath: name, folder: nil)
    }
    if let input = try input(name) { return .file(input) }
    var found: Input?
    let parts = DatabaseReference.split(name) { path in
      found = (try? input(path)) ?? nil
      return found?.backupFile.map { Backup.isDatabase($0) } ?? false
    }
    guard let parts, let found else {
      throw ArchiveError(.cannotOpen, "the backup \(backup.folder) has no file \(name)")
    }
    return .column(
      try DatabaseReference(path: found.path, naming: parts.name), of: found, in: backup)
  }

  /// Whether an operand that is no file is an address.
  package static func isNamed(by operand: String) -> Bool {
    split(backupFile: operand) != nil || DatabaseReference.isNamed(by: operand)
  }

  /// How a file of a backup is named, as the end of a message, if a path that does not exist leads into one.
  static func hint(for path: String) -> String {
    for (index, byte) in zip(path.utf8.indices, path.utf8) where byte == UInt8(ascii: "/") {
      let folder = String(path[..<index])
      if Backup.isBackup(folder) {
        return "; \(folder) is an iOS backup, whose files are \(folder)//DOMAIN/PATH"
      }
    }
    return ""
  }

  /// Whether an operand may name several archives: it has a `#`, no row after it, and no file has its name.
  package static func mayBeColumn(_ operand: String) -> Bool {
    guard let mark = operand.utf8.lastIndex(of: UInt8(ascii: "#")) else { return false }
    let row = operand.utf8.lastIndex(of: UInt8(ascii: "@")).map { operand.utf8[$0...].dropFirst() }
    let namesRow = row.map { $0.startIndex > mark && Int64(String(Substring($0))) != nil } ?? false
    return !namesRow && FileStatus(of: operand, followsLinks: false) == nil
  }

  /// The error of a command that changes files.
  static let unchangeable = ArchiveError(
    .unsupported,
    "is not a file, and only files are changed in place; 'archtool extract '$' ADDRESS -o FILE' makes a file of it, and 'migrate --output-database COPY' a changed copy of a database"
  )
}

/// Opens backups, the last of which stays open: lists of addresses name one after another in the same backup.
package final class BackupOpener {
  private let password: PasswordSource
  private(set) var last: Backup?

  /// Opens backups with the password of encrypted ones.
  package init(_ password: PasswordSource) { self.password = password }

  /// The backup in a folder.
  ///
  /// - Throws: `ArchiveError` if it cannot be opened.
  func backup(in folder: String) throws(ArchiveError) -> Backup {
    if let last, last.folder == folder { return last }
    let backup = try Backup(
      folder, password: password, isStopped: { Interruption.signal != nil })
    last = backup
    return backup
  }
}

// MARK: - What is at the same place in another folder

extension BackupOpener {
  /// What is in a folder where an input is in another: what a walk through the folder would find; nil if there is nothing.
  ///
  /// A file of a backup is found by its name in the backup that is in the same place. No name leads out of the folder:
  /// links are not followed.
  ///
  /// - Parameter change: makes the name of a file beside it.
  /// - Throws: `ArchiveError` if the backup cannot be opened.
  package func counterpart(
    of input: Input, in folder: String, renamed change: (String) -> String = { $0 }
  ) throws(ArchiveError) -> Input? {
    guard let file = input.backupFile, let origin = input.backupFolder, let named = input.folder
    else {
      let name = change(input.relativePath)
      guard let path = Self.path(name, below: folder, endsWithFile: true) else { return nil }
      return Input(path: path, relativePath: name, folder: folder)
    }
    let relative = String(Substring(origin.utf8.dropFirst(named.utf8.count)))
    guard let path = Self.path(relative, below: folder, endsWithFile: false), Backup.isBackup(path)
    else { return nil }
    let backup = try backup(in: path)
    return try backup.file(named: change(file.name)).map {
      Input($0, in: backup, relativePath: $0.name, folder: folder)
    }
  }

  /// The path of what is below a folder; nil if it is no regular file, or no folder, or if a link leads to it.
  private static func path(
    _ name: String, below folder: String, endsWithFile: Bool
  ) -> String? {
    var path = folder
    let steps = name.utf8.split(separator: UInt8(ascii: "/"))
    for (index, step) in steps.enumerated() {
      path += (path.hasSuffix("/") ? "" : "/") + String(Substring(step))
      let status = FileStatus(of: path, followsLinks: false)
      let isFile = endsWithFile && index == steps.count - 1
      guard isFile ? status?.isFile == true : status?.isFolder == true else { return nil }
    }
    return path
  }
}

extension Input {
  /// The only input that an operand names, or the first archive of a column.
  ///
  /// - Parameters:
  ///   - backups: opens backups.
  ///   - noted: receives a note if the operand names more than one archive.
  /// - Throws: `ArchiveError` if there is no archive in the row or the column.
  package init(
    address operand: String, _ backups: BackupOpener, noted: (String) -> Void
  ) throws(ArchiveError) {
    guard operand != "-", FileStatus(of: operand, followsLinks: false) == nil else {
      self.init(operand: operand)
      return
    }
    guard let address = try Address(operand, backups) else {
      let hint = Address.hint(for: operand)
      if !hint.isEmpty { throw ArchiveError(.cannotOpen, "cannot open the file\(hint)") }
      self.init(operand: operand)
      return
    }
    switch address {
    case .file(let input): self = input
    case .column(let reference, let file, let backup):
      var rows = try DatabaseInputs(reference, of: file, in: backup)
      switch rows.next() {
      case .input(let input)?:
        self = input
        if reference.row == nil { noted("a column; this is its first archive, \(input.name)") }
      case .failure(_, let error)?: throw error
      case nil: throw ArchiveError(.cannotOpen, "no archive in this column")
      }
    }
  }
}

// MARK: - Addresses that continue one that is half typed

extension Address {
  /// The columns of a database, or the domains and folders of a backup, whose names are half typed.
  package static func candidates(for text: String) -> [String] {
    if let (folder, name) = split(backupFile: text) {
      return candidates(in: folder, beginningWith: name)
    }
    guard let (path, _) = DatabaseReference.split(text, isDatabase: Database.isDatabase),
      let database = try? Database(path)
    else { return [] }
    return columns(of: database).map { "\(path)#\($0)" }
  }

  private static func columns(of database: Database) -> [String] {
    ((try? database.tableNames()) ?? []).flatMap { name in
      let columns = (try? database.table(name).columns) ?? []
      return columns.map { DatabaseReference.name(table: name, column: $0) }
    }
  }

  /// The names in a backup one step further: a domain or folder ends with a slash.
  private static func candidates(in folder: String, beginningWith name: String) -> [String] {
    guard let backup = try? Backup(folder, password: PasswordSource.none),
      let files = try? backup.files()
    else { return [] }
    if let mark = name.utf8.lastIndex(of: UInt8(ascii: "#")) {
      let path = String(name[..<mark])
      guard let file = try? backup.file(named: path), let database = try? backup.database(file)
      else { return [] }
      return columns(of: database).map { "\(folder)//\(path)#\($0)" }
    }
    var found: [String] = []
    var last = ""
    while let file = try? files.next() {
      guard file.name.utf8.starts(with: name.utf8) else { continue }
      let rest = file.name.utf8.dropFirst(name.utf8.count)
      let end = rest.firstIndex(of: UInt8(ascii: "/")).map { rest.index(after: $0) }
      let step = String(file.name[..<(end ?? rest.endIndex)])
      if step != last, !found.contains(step) { found.append(step) }
      last = step
    }
    return found.map { "\(folder)//\($0)" }
  }
}
