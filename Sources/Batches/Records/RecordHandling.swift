// Handles each record of a stream.

import Basics
import ObjectGraph
import PropertyLists

/// A record with decoded data.
public struct Record: Sendable {
  /// The archive.
  public let data: ByteStorage
  /// The values that were lost when the archive was made, as JSON, if the record includes them.
  public let lost: ByteStorage?
  /// The record's name in messages.
  public let name: String
}

/// The answer to a record.
public struct RecordAnswer: Sendable {
  /// A value that may be large.
  public enum Part: Sendable {
    /// No value.
    case none
    /// The record's own value.
    case same
    /// These bytes.
    case bytes(ByteStorage)
  }

  /// The outcome of the record, as one word.
  public var outcome: String
  /// Whether the record is valid.
  public var isGood: Bool
  /// The archive in the answer.
  public var data = Part.none
  /// The lost values in the answer, as JSON.
  public var lost = Part.same
  /// Further members of the answer.
  public var members: [(name: String, value: JSONTree)]

  /// Makes an answer.
  public init(_ outcome: String, isGood: Bool, members: [(name: String, value: JSONTree)] = []) {
    self.outcome = outcome
    self.isGood = isGood
    self.members = members
  }

  /// The answer to a record that could not be handled.
  public init(_ error: ArchiveError) {
    self.init("failed", isGood: false, members: [("error", error.tree)])
  }
}

/// Answers records, one at a time.
public protocol RecordHandling {
  /// Answers a record.
  mutating func answer(_ record: Record) -> RecordAnswer
}
