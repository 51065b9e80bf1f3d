// An archive that an inventory found.

import Basics
import Batches
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
