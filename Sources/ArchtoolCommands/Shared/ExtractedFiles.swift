// Files that are taken out of others, written to a folder.

import ArchiveBasics
import ArchiveBatches
import ArchiveDatabases

/// Writes files to a folder, none of which replaces another of the run.
final class ExtractedFiles {
  /// The most bytes that a name takes of a path; file systems allow 255.
  private static let longestName = 200
  /// The characters of names that stay, beside letters, digits and `-._~`: harmless in a shell and on every file system.
  private static let kept = "#@,+="

  private let folder: String
  private let replacing: Bool
  /// The names so far, in small letters: on some systems `A` and `a` are one file.
  private var usedNames: Set<String> = []

  /// Makes the folder.
  ///
  /// - Throws: `ArchiveError` with code `cannotCreate`.
  init(
    _ folder: String, allowing permissions: FilePermissions, replacing: Bool = false
  ) throws(ArchiveError) {
    self.folder = folder
    self.replacing = replacing
    try AtomicFile.makeFolder(folder, allowing: permissions)
  }

  /// Writes a file.
  ///
  /// - Parameters:
  ///   - origin: what its name is made of: bytes that might mean something to a system are encoded as in a URI.
  ///   - ending: the end of its name.
  /// - Returns: its path.
  /// - Throws: `ArchiveError` if the file exists, or cannot be written.
  @discardableResult
  func write(
    _ bytes: ByteView, origin: String, ending: String = "", allowing permissions: FilePermissions
  ) throws(ArchiveError) -> String {
    let path = "\(folder)/\(name(of: origin, ending))"
    let status = FileStatus(of: path, followsLinks: false)
    if let status, !replacing || status.isLink {
      throw ArchiveError(.cannotCreate, "\(path) exists and is left as it is")
    }
    try AtomicFile.write(
      bytes, to: path, existing: replacing ? .replace : .refuse, allowing: permissions)
    return path
  }

  /// A name that no other file of the run has.
  private func name(of origin: String, _ ending: String) -> String {
    let first = Self.name(of: origin)
    let ending = ending.isEmpty ? "" : Self.name(of: "x" + ending).dropFirst()
    var name = first + ending
    var number = 1
    while !usedNames.insert(name.lowercased()).inserted {
      number += 1
      name = "\(first)~\(number)\(ending)"
    }
    return name
  }

  /// The origin as one name.
  private static func name(of origin: String) -> String {
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

extension Input {
  /// What the name of an archive's file is made of: its path, and its column and row in a database.
  var extractedName: String { isStandardInput ? "stdin" : relativePath }
}
