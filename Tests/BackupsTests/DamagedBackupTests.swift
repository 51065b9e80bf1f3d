// Lists, key bags, databases and logs that somebody changed are errors or other files, and never end the program.

import ArchiveBackups
import ArchiveBasics
import ArchiveDatabases
import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: MadeBackups.isThere, "python3-cryptography is not installed"))
struct DamagedBackupTests {
  /// The same bytes with some changed, or fewer of them.
  private static func changed(_ data: Data, _ numbers: inout SeededNumbers) -> Data {
    var data = data
    if numbers.below(4) == 0 { data = data.prefix(numbers.below(data.count)) }
    for _ in 0..<(1 + numbers.below(8)) where !data.isEmpty {
      // Lengths and counts are where large numbers do most.
      let value = [0, 1, 0x7F, 0x80, 0xFF, UInt8(numbers.below(256))][numbers.below(6)]
      data[data.startIndex + numbers.below(data.count)] = value
    }
    return data
  }

  /// Reads everything; errors are what is expected.
  private static func readAll(_ folder: String) {
    guard let backup = try? Backup(folder, password: MadeBackups.password),
      let files = try? backup.files()
    else { return }
    for _ in 0..<1000 {
      do {
        guard let file = try files.next() else { break }
        _ = try? file.open()
      } catch {}
    }
    _ = try? backup.file(named: "HomeDomain/Library/w512.db")
  }

  @Test(
    arguments: [
      ("records", "Manifest.mbdb"), ("records-encrypted", "Manifest.mbdb"),
      ("records-encrypted", "Manifest.plist"), ("plain", "Manifest.db"),
      ("plain-log", "Manifest.db-wal"), ("encrypted", "Manifest.db"),
      ("encrypted", "Manifest.plist"),
    ])
  func listsThatWereChangedAreRead(_ kind: String, _ name: String) throws {
    let folder = try TemporaryFolder(inMemory: true)
    let source = URL(fileURLWithPath: MadeBackups.folder(kind))
    let names = try FileManager.default.contentsOfDirectory(atPath: source.path)
    let original = try Data(contentsOf: source.appendingPathComponent(name))
    var numbers = SeededNumbers(seed: 11)
    for attempt in 0..<150 {
      // Keys are kept for each folder.
      let target = folder.file("\(attempt)")
      try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
      for other in names where other != name {
        try FileManager.default.createSymbolicLink(
          at: target.appendingPathComponent(other),
          withDestinationURL: source.appendingPathComponent(other))
      }
      try Self.changed(original, &numbers).write(to: target.appendingPathComponent(name))
      _ = Backup.isBackup(target.path)
      Self.readAll(target.path)
      try FileManager.default.removeItem(at: target)
    }
  }

  @Test(arguments: ["w512", "w4096", "shorter", "new"])
  func databasesAndLogsThatWereChangedAreRead(_ name: String) throws {
    let database = try #require(MadeBackups.files["HomeDomain/Library/\(name).db"])
    let log = try #require(MadeBackups.files["HomeDomain/Library/\(name).db-wal"])
    var numbers = SeededNumbers(seed: 12)
    for attempt in 0..<300 {
      let bytes = attempt % 3 == 0 ? Self.changed(database, &numbers) : database
      let logged = attempt % 3 == 1 ? Self.changed(log, &numbers) : log
      let (image, frames) = (
        ByteStorage(copying: [UInt8](bytes)), ByteStorage(copying: [UInt8](logged))
      )
      guard let opened = try? Database(bytes: image.bytes, log: frames.bytes) else {
        continue
      }
      _ = try? BackupTests.rows(of: opened)
    }
  }

  @Test func rowsThatNameNoFileAreErrorsOfTheirOwn() throws {
    let folder = try TemporaryFolder()
    let script = """
      import sqlite3, sys
      database = sqlite3.connect(sys.argv[1] + "/Manifest.db")
      database.execute("CREATE TABLE Files(fileID, domain, relativePath, flags, file)")
      for identifier, domain in (("../../etc/passwd", "x"), ("ab" * 20, None), ("AB" * 20, "x"), (b"ab" * 20, "x"),
                                 ("ab" * 20, "x"), (None, None)):
          database.execute("INSERT INTO Files VALUES(?, ?, '../../p', 1, NULL)", (identifier, domain))
      database.commit()
      """
    let result = try Program.run(
      at: URL(fileURLWithPath: "/usr/bin/python3"), ["-c", script, folder.url.path])
    #expect(result.status == 0, "\(result.errors)")
    let files = try Backup(folder.url.path, password: PasswordSource()).files()
    var (errors, found) = (0, [BackupFile]())
    while true {
      do {
        guard let file = try files.next() else { break }
        found.append(file)
      } catch {
        errors += 1
      }
    }
    #expect(errors == 5)
    #expect(found.map(\.name) == ["x/../../p"])
    let identifier = String(repeating: "ab", count: 20)
    #expect(found.map(\.storedPath) == ["\(folder.url.path)/ab/\(identifier)"])
  }
}
