// The archives that an inventory finds, written to a folder under names that say where each came from.

import Basics
import Batches
import Databases

/// Writes archives to new files of a folder.
final class ExtractedFiles {
  /// The most bytes that a name takes of a path; file systems allow 255.
  private static let longestName = 200
  /// The characters of names that stay, beside letters, digits and `-._~`: harmless in a shell and on every file system.
  private static let kept = "#@,+="

  private let folder: String
  /// The names so far, in small letters: on some systems `A` and `a` are one file.
  private var taken: Set<String> = []

  /// Makes the folder.
  ///
  /// - Throws: `ArchiveError` with code `cannotCreate`.
  init(_ folder: String, for selection: InputSelection) throws(ArchiveError) {
    self.folder = folder
    try AtomicFile.makeFolder(folder, allowing: selection.folderPermissions)
  }

  /// Writes an archive.
  ///
  /// - Throws: `ArchiveError` if the file exists, or cannot be written.
  func write(_ storage: ByteStorage, of input: Input) throws(ArchiveError) {
    let path = "\(folder)/\(name(of: input))"
    var status = stat()
    if lstat(path.asPath, &status) == 0 {
      throw ArchiveError(.cannotCreate, "\(path) exists and is left as it is")
    }
    try AtomicFile.write(storage.bytes, to: path, existing: .refuse, allowing: input.permissions())
  }

  /// A name that no other archive of the run has.
  private func name(of input: Input) -> String {
    var origin = input.isStandardInput ? "stdin" : input.relativePath
    if let cell = input.cell {
      let name = DatabaseReference.name(table: cell.column.table, column: cell.column.column)
      origin += "#\(name)@\(cell.row)"
    }
    let first = Self.name(of: origin)
    var name = first
    var number = 1
    while !taken.insert(name.lowercased()).inserted {
      number += 1
      name = "\(first)~\(number)"
    }
    return name
  }

  /// The origin as one name: bytes that might mean something to a system are encoded as in a URI.
  static func name(of origin: String) -> String {
    let bytes = origin.pathBytes
    var name = PercentEncoding.encoded(bytes: bytes, keeping: kept)
    // Neither hidden, nor `.` or `..`, nor an option.
    if let first = name.utf8.first, first == UInt8(ascii: ".") || first == UInt8(ascii: "-") {
      name = (first == UInt8(ascii: ".") ? "%2E" : "%2D") + name.dropFirst()
    }
    guard name.utf8.count > longestName else { return name }
    // FNV-1a: long names with the same beginning differ.
    let digest = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    return name.prefix(longestName) + "~" + String(digest, radix: 16)
  }
}
