// Manifest.mbdb, the list of a backup's files from iOS 4 to iOS 9: records one after the other to the end of the file.

import ArchiveBasics
import SystemCryptography

final class RecordList: ManifestList {
  /// How the file begins: its name, and version 5.0.
  static let header = Array("mbdb\u{5}\0".utf8)

  private let folder: String
  private let storage: ByteStorage
  private let keys: ClassKeys?
  private let cryptography: BackupCryptography
  /// The positions of the regular files by domain, hyphen and path; nil before the first was looked up.
  private var positions: [[UInt8]: Int]?

  /// A record, as far as it is needed.
  private struct Record {
    let domain: ByteView
    let path: ByteView
    let key: ByteView
    let mode: UInt64
    let size: Int64
    let end: Int

    /// Whether it is a regular file: the upper four bits of the mode are those of stat(2).
    var isFile: Bool { mode & 0xF000 == 0x8000 }
    /// What the identifier is the SHA-1 of.
    var fullPath: [UInt8] { Array(domain) + [UInt8(ascii: "-")] + Array(path) }
  }

  /// Opens the list of a folder.
  ///
  /// - Throws: `ArchiveError` if it cannot be read, or does not begin as one.
  init(_ folder: String, _ keys: ClassKeys?) throws(ArchiveError) {
    (self.folder, self.keys) = (folder, keys)
    cryptography = try .load()
    storage = try ByteStorage.open(path: folder + "/" + Backup.recordList)
    guard storage.bytes.starts(with: Self.header) else {
      throw ArchiveError(.malformed, "\(Backup.recordList) does not begin as version 5", offset: 0)
    }
  }

  func files() -> Backup.Files {
    var position = Self.header.count
    return Backup.Files { () throws(ArchiveError) in
      while position < self.storage.bytes.count {
        // After a fault nothing says where the next record begins.
        let start = position
        position = self.storage.bytes.count
        let record = try self.record(at: start)
        position = record.end
        if record.isFile { return self.file(of: record) }
      }
      return nil
    }
  }

  func file(domain: String, path: String) throws(ArchiveError) -> BackupFile? {
    if positions == nil { positions = try allPositions() }
    guard let position = positions?["\(domain)-\(path)".pathBytes] else { return nil }
    return file(of: try record(at: position))
  }

  private func allPositions() throws(ArchiveError) -> [[UInt8]: Int] {
    var positions: [[UInt8]: Int] = [:]
    var position = Self.header.count
    while position < storage.bytes.count {
      let record = try record(at: position)
      if record.isFile { positions[record.fullPath] = position }
      position = record.end
    }
    return positions
  }

  private func record(at position: Int) throws(ArchiveError) -> Record {
    do throws(ArchiveError) {
      var cursor = ByteCursor(
        storage.bytes, at: position, of: Backup.recordList, isBigEndian: true)
      let domain = try Self.text(&cursor, "a domain")
      let path = try Self.text(&cursor, "a path")
      _ = try Self.text(&cursor, "the target of a link")
      _ = try Self.text(&cursor, "a digest")
      let key = try Self.text(&cursor, "a key")
      let mode = try cursor.number(2, "a mode")
      // The inode, user, group and three times.
      _ = try cursor.read(8 + 2 * 4 + 3 * 4, "the status of a file")
      let size = Int64(truncatingIfNeeded: try cursor.number(8, "a size"))
      _ = try cursor.read(1, "a protection class")
      for _ in 0..<(try cursor.number(1, "the number of attributes")) {
        _ = try Self.text(&cursor, "the name of an attribute")
        _ = try Self.text(&cursor, "the value of an attribute")
      }
      return Record(
        domain: domain, path: path, key: key, mode: mode, size: size, end: cursor.position)
    } catch {
      throw ArchiveError(
        error.code, "the list of files is damaged: \(error.message)", offset: error.offset)
    }
  }

  /// Bytes with their length before them; an absent text has the length FFFF, and is empty here.
  private static func text(
    _ cursor: inout ByteCursor, _ what: String
  ) throws(ArchiveError) -> ByteView {
    let count = try cursor.count(2, "the length of \(what)")
    return count == 0xFFFF ? ByteView() : try cursor.read(count, what)
  }

  private func file(of record: Record) -> BackupFile {
    let identifier = cryptography.sha1(record.fullPath)
    let protection = keys.map { keys in
      let key = record.key.isEmpty ? nil : ByteStorage(copying: record.key)
      return BackupFile.Protection(record: .members(key: key, size: record.size), keys: keys)
    }
    return BackupFile(
      domain: String(pathBytes: record.domain), path: String(pathBytes: record.path),
      storedPath: BackupFile.storedPath(of: identifier, in: folder), protection: protection)
  }
}
