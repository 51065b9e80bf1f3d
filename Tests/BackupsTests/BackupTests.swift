// The files of backups have the bytes that were put there, whatever list, place and encryption they have.

import ArchiveBackups
import ArchiveBasics
import ArchiveDatabases
import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: MadeBackups.isThere, "python3-cryptography is not installed"))
struct BackupTests {
  @Test(arguments: MadeBackups.all) func everyFileHasItsBytes(_ kind: String) throws {
    let backup = try MadeBackups.open(kind)
    #expect(backup.isEncrypted == MadeBackups.encrypted.contains(kind))
    var found: [String: Data] = [:]
    let files = try backup.files()
    while let file = try files.next() {
      #expect(found.updateValue(try file.open().data, forKey: file.name) == nil)
      #expect(file.isEncrypted == backup.isEncrypted)
    }
    #expect(found == MadeBackups.files)
  }

  @Test(arguments: MadeBackups.all) func filesAreFoundByTheirNames(_ kind: String) throws {
    let backup = try MadeBackups.open(kind)
    for (name, content) in MadeBackups.files {
      let file = try #require(try backup.file(named: name))
      #expect(file.name == name)
      #expect(try file.open().data == content)
    }
    let others = [
      "", "/", "x", "HomeDomain", "HomeDomain/", "HomeDomain/Library", "HomeDomain/Library/Link",
      "a/b/'c",
    ]
    for name in others { #expect(try backup.file(named: name) == nil, "\(name)") }
  }

  @Test(arguments: MadeBackups.all, [1, 16, 32, 65536])
  func beginningsAreThoseOfTheFiles(_ kind: String, _ count: Int) throws {
    let backup = try MadeBackups.open(kind)
    for (name, content) in MadeBackups.files {
      let start = try #require(try backup.file(named: name)).beginning(count).data
      #expect(start.count >= min(count, content.count))
      #expect(content.starts(with: start))
    }
  }

  @Test(arguments: MadeBackups.all) func theListCanBeReadAgain(_ kind: String) throws {
    let backup = try MadeBackups.open(kind)
    for _ in 0..<5 {
      let files = try backup.files()
      var count = 0
      while try files.next() != nil { count += 1 }
      #expect(count == MadeBackups.files.count)
    }
  }

  @Test(arguments: MadeBackups.all) func theirFoldersAreRecognized(_ kind: String) throws {
    let folder = MadeBackups.folder(kind)
    #expect(Backup.isBackup(folder))
    #expect(Backup.isBackup(folder, names: try FolderListing.names(in: folder)))
    #expect(try Backup(folder + "//", password: MadeBackups.password).folder == folder)
  }

  @Test func otherFoldersAreNot() throws {
    let folder = try TemporaryFolder()
    #expect(!Backup.isBackup(folder.url.path))
    try Data("mbdx".utf8).write(to: folder.file("Manifest.mbdb"))
    try Data("no database".utf8).write(to: folder.file("Manifest.db"))
    #expect(!Backup.isBackup(folder.url.path))
  }

  @Test(arguments: MadeBackups.all, ["w512", "cut512", "w4096", "w65536", "shorter", "new"])
  func databasesHaveTheRowsOfTheirLogs(_ kind: String, _ name: String) throws {
    let backup = try MadeBackups.open(kind)
    let database = try backup.database(
      try #require(try backup.file(named: "HomeDomain/Library/\(name).db")))
    #expect(try Self.rows(of: database) == Self.rowsOfPython(name))
  }

  /// The numbers and bytes of the rows.
  static func rows(of database: Database) throws -> [String] {
    let rows = try TableRows(database, try database.table("t"), columns: ["v"])
    var found: [String] = []
    while try rows.next() {
      guard case .bytes(let bytes) = try rows.value(0) else { continue }
      found.append("\(rows.number) \(Data(bytes).base64EncodedString())")
    }
    return found
  }

  private static func rowsOfPython(_ name: String) throws -> [String] {
    let folder = try TemporaryFolder()
    for end in ["", "-wal"] {
      try #require(MadeBackups.files["HomeDomain/Library/\(name).db\(end)"])
        .write(to: folder.file("x" + end))
    }
    let script = """
      import base64, sqlite3, sys
      for row, value in sqlite3.connect(sys.argv[1]).execute("SELECT rowid, v FROM t ORDER BY rowid"):
          print(row, base64.b64encode(value).decode())
      """
    let result = try Program.run(
      at: URL(fileURLWithPath: "/usr/bin/python3"), ["-c", script, folder.file("x").path])
    #expect(result.status == 0, "\(result.errors)")
    return result.text.split(separator: "\n").map(String.init)
  }

  @Test func aWrongPasswordIsAnError() throws {
    let folder = try TemporaryFolder()
    try Data("wrong\n".utf8).write(to: folder.file("password"))
    for kind in MadeBackups.encrypted {
      for source in [PasswordSource(file: folder.file("password").path), .init(file: "/none")] {
        let error = #expect(throws: ArchiveError.self) {
          try Backup(MadeBackups.folder(kind), password: source)
        }
        #expect(error?.code == .cannotOpen)
      }
    }
  }

  @Test(arguments: MadeBackups.encrypted) func filesThatWereChangedAreErrors(_ kind: String) throws
  {
    let folder = try TemporaryFolder()
    let target = folder.file(kind)
    try FileManager.default.copyItem(atPath: MadeBackups.folder(kind), toPath: target.path)
    let backup = try Backup(target.path, password: MadeBackups.password)
    for cut in [1, 17] {
      let file = try #require(try backup.file(named: "HomeDomain/Library/Preferences/a.plist"))
      let stored = try Data(contentsOf: URL(fileURLWithPath: file.storedPath))
      try stored.dropLast(cut).write(to: URL(fileURLWithPath: file.storedPath))
      #expect(throws: ArchiveError.self) { try file.open() }
      try FileManager.default.removeItem(atPath: file.storedPath)
      #expect(throws: ArchiveError.self) { try file.open() }
      try FileManager.default.createSymbolicLink(
        atPath: file.storedPath, withDestinationPath: "/etc/passwd")
      #expect(throws: ArchiveError.self) { try file.open() }
      #expect(throws: ArchiveError.self) { try file.beginning(16) }
      try FileManager.default.removeItem(atPath: file.storedPath)
      try stored.write(to: URL(fileURLWithPath: file.storedPath))
    }
  }
}
