// What is done with each record of a stream.

import Basics
import ObjectGraph
import PropertyLists

/// A record whose data is decoded.
public struct Record: Sendable {
  /// The archive.
  public let data: ByteStorage
  /// The values that were lost when the archive was made, as JSON, if the record brings them.
  public let lost: ByteStorage?
  /// The record's name in messages.
  public let name: String
}

/// The answer to a record.
public struct RecordAnswer: Sendable {
  /// A value that may be large.
  public enum Part: Sendable {
    /// There is none.
    case none
    /// It is the record's own.
    case same
    /// It is this.
    case bytes(ByteStorage)
  }

  /// What became of the record, in a word.
  public var outcome: String
  /// Whether it is what it should be.
  public var isGood: Bool
  /// The archive that the answer brings.
  public var data = Part.none
  /// The lost values that it brings, as JSON.
  public var lost = Part.same
  /// What else it says.
  public var members: [(name: String, value: JSONTree)]

  /// Makes an answer.
  public init(_ outcome: String, isGood: Bool, members: [(name: String, value: JSONTree)] = []) {
    self.outcome = outcome
    self.isGood = isGood
    self.members = members
  }

  /// The answer to a record that cannot be handled.
  public init(_ error: ArchiveError) {
    self.init("failed", isGood: false, members: [("error", error.tree)])
  }
}

/// Answers records, one at a time.
public protocol RecordHandling {
  /// Answers a record.
  mutating func answer(_ record: Record) -> RecordAnswer
}
