// Backups that Python makes, and what is in them.

import ArchiveBackups
import ArchiveBasics
import Foundation
import TestSupport

/// The backups of `Tests/Judges/make_backups.py`, made once for all tests.
enum MadeBackups {
  static let plain = ["records", "plain", "plain-flat", "plain-log"]
  static let encrypted = ["records-encrypted", "early-encrypted", "encrypted", "encrypted-zeros"]
  static let all = plain + encrypted

  /// The bytes of each file by its name; empty if Debian's Python has no `cryptography`.
  static var files: [String: Data] { made?.files ?? [:] }
  static let isThere = made != nil

  private struct Made {
    let folder: TemporaryFolder
    let files: [String: Data]
  }

  nonisolated(unsafe) private static let made: Made? = {
    let script = TestArchives.root.deletingLastPathComponent()
      .appendingPathComponent("Tests/Judges/make_backups.py").path
    do {
      let folder = try TemporaryFolder()
      let result = try Program.run(
        at: URL(fileURLWithPath: "/usr/bin/python3"), [script, folder.url.path],
        environment: ["PYTHONDONTWRITEBYTECODE": "1"])
      guard result.status == 0 else { return nil }
      let expected = try Data(contentsOf: folder.file("expected.json"))
      return Made(
        folder: folder, files: try JSONDecoder().decode([String: Data].self, from: expected))
    } catch {
      return nil
    }
  }()

  /// The folder of a backup.
  static func folder(_ kind: String) -> String { made?.folder.file(kind).path ?? "" }

  /// The file with the password of all of them.
  static var password: PasswordSource { PasswordSource(file: folder("password")) }

  static func open(_ kind: String) throws -> Backup {
    try Backup(folder(kind), password: password)
  }
}

extension ByteStorage {
  /// The bytes for comparison.
  var data: Data { Data(bytes) }
}

/// Bytes as a standard writes them: hexadecimal digits with blanks.
func bytes(_ digits: String) -> [UInt8] {
  let digits = Array(digits.utf8.filter { $0 != 0x20 })
  return stride(from: 0, to: digits.count, by: 2).compactMap {
    UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
  }
}
