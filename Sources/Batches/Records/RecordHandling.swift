// Handles each record of a stream.

import Basics
import ObjectGraph
import PropertyLists

/// A record with decoded data.
package struct Record: Sendable {
  /// The archive.
  package let data: ByteStorage
  /// The values that were lost when the archive was made, as JSON, if the record includes them.
  package let lost: ByteStorage?
  /// The record's name in messages.
  package let name: String
}

/// The answer to a record.
package struct RecordAnswer: Sendable {
  /// A value that may be large.
  package enum Part: Sendable {
    /// No value.
    case none
    /// The record's own value.
    case same
    /// These bytes.
    case bytes(ByteStorage)
  }

  /// The outcome of the record, as one word.
  package var outcome: String
  /// Whether the record is valid.
  package var isGood: Bool
  /// The archive in the answer.
  package var data = Part.none
  /// The lost values in the answer, as JSON.
  package var lost = Part.same
  /// Further members of the answer.
  package var members: [(name: String, value: JSONTree)]

  /// Makes an answer.
  package init(_ outcome: String, isGood: Bool, members: [(name: String, value: JSONTree)] = []) {
    self.outcome = outcome
    self.isGood = isGood
    self.members = members
  }

  /// The answer to a record that could not be handled.
  package init(_ error: ArchiveError) {
    self.init("failed", isGood: false, members: [("error", error.tree)])
  }
}

/// Answers records, one at a time.
package protocol RecordHandling {
  /// Answers a record.
  mutating func answer(_ record: Record) -> RecordAnswer
}
