// An archive that an inventory found.

import Basics
import Batches
import Databases
import PropertyLists
import Rendering

/// An archive in a file or in a row of a database.
struct ScannedArchive: Sendable {
  /// What it is.
  enum Content: Sendable {
    /// It can be decoded.
    case sound(ArchiveFacts)
    /// It begins as an archive, and cannot be decoded.
    case damaged(ArchiveError, encoding: String)
  }

  /// Where it is.
  let input: Input
  /// Its size.
  let byteCount: Int
  /// What it is.
  let content: Content
  /// Whether `--only` selects it.
  let isWanted: Bool
  /// Its bytes, if they are to be written.
  let storage: ByteStorage?

  /// Its line in the report of the run.
  var entry: BatchEntry {
    switch content {
    case .sound(let facts):
      BatchEntry(file: input.name, outcome: .shown, summary: facts.text, bytes: byteCount)
    case .damaged(let error, _):
      BatchEntry(
        file: input.name, outcome: .failed, summary: "damaged", bytes: byteCount, error: error)
    }
  }
}

extension ArchiveFacts {
  /// The facts in JSON.
  var members: [(String, JSONTree)] {
    [
      ("encoding", .string(encoding)), ("compressed", .boolean(isCompressed)),
      ("keyedArchive", .boolean(isKeyedArchive)),
      ("envelope", envelope.map { .string($0) } ?? .null),
      ("rootClass", rootClass.map { .string($0) } ?? .null),
      ("schema", schema.map { .string($0) } ?? .null),
      ("isValid", isValid.map { .boolean($0) } ?? .null),
    ]
  }
}

// MARK: - The archives in a column of a database, counted by what they are

/// What a column holds.
struct ScannedColumn {
  /// How many kinds are told apart; the archives of further ones are only counted.
  private static let mostKinds = 1000

  /// The column, with the counts of its rows.
  let counts: ColumnCounts
  private var kinds: [ArchiveFacts: (count: Int, bytes: Int)] = [:]
  /// How many archives are of further kinds.
  private(set) var furtherCount = 0
  /// How many cannot be decoded.
  private(set) var damagedCount = 0
  /// The size of all of them.
  private(set) var byteCount = 0

  init(_ counts: ColumnCounts) { self.counts = counts }

  /// How many archives there are.
  var archiveCount: Int {
    kinds.values.reduce(furtherCount + damagedCount) { $0 + $1.count }
  }

  /// Counts an archive.
  mutating func add(_ archive: ScannedArchive) {
    byteCount &+= archive.byteCount
    switch archive.content {
    case .damaged: damagedCount += 1
    case .sound(let facts):
      guard kinds[facts] != nil || kinds.count < Self.mostKinds else {
        furtherCount += 1
        return
      }
      let (count, bytes) = kinds[facts] ?? (0, 0)
      kinds[facts] = (count + 1, bytes &+ archive.byteCount)
    }
  }

  /// The kinds, the most frequent first.
  var sorted: [(facts: ArchiveFacts, count: Int, bytes: Int)] {
    kinds.map { (facts: $0.key, count: $0.value.count, bytes: $0.value.bytes) }.sorted {
      $0.count != $1.count ? $0.count > $1.count : $0.facts.text < $1.facts.text
    }
  }
}

// MARK: - The archives that an inventory finds, written to a folder

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
    if FileStatus(of: path, followsLinks: false) != nil {
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
