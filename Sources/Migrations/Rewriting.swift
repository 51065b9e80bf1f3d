// What every operation that replaces archives comes down to: bytes in, proved bytes out.

import Basics
import Schemas

/// An archive to be rewritten.
public struct RewriteInput: Sendable {
  /// The archive's bytes.
  public let storage: ByteStorage
  /// The bytes as they lie in the file, where an earlier step has made others of them.
  public let original: ByteStorage
  /// Its name in messages.
  public let name: String
  /// Its path, beside which companions such as `FILE.lost.json` lie; nil for standard input and records.
  public let path: String?
  /// The lost values that came with the archive, as a companion would hold them; nil if none came.
  public let lost: ByteStorage?

  /// Makes an input.
  public init(
    storage: ByteStorage, original: ByteStorage? = nil, name: String, path: String?,
    lost: ByteStorage? = nil
  ) {
    self.original = original ?? storage
    self.lost = lost
    self.storage = storage
    self.name = name
    self.path = path
  }
}

/// New bytes for an archive, proved to be what they should.
public struct RewrittenArchive: Sendable {
  /// The new bytes.
  public let storage: ByteStorage
  /// What was done, in one phrase: `WeatherFeed@v1 to v2`.
  public let summary: String
  /// The same for reports, plans, records and journals, with what a person should know of it.
  public var details: RewriteDetails
  /// What the file beside the new archive, `FILE.lost.json`, is to hold.
  public let lost: Companion
  /// What becomes of the file with lost values beside an archive.
  public enum Companion: Sendable {
    /// It stays as it is, or absent.
    case unchanged
    /// It gets these bytes.
    case written(ByteStorage)
    /// It is no longer needed: its values are in the archive again.
    case removed
  }

  /// Makes a result.
  public init(
    storage: ByteStorage, summary: String, details: RewriteDetails = RewriteDetails(),
    lost: Companion = .unchanged
  ) {
    self.storage = storage
    self.summary = summary
    self.details = details
    self.lost = lost
  }
}

/// What a rewriting makes of an archive.
public enum Rewritten: Sendable {
  /// New bytes.
  case changed(RewrittenArchive)
  /// Nothing is to be done, for this reason: `is WeatherFeed@v2 already`; with what is known of the archive.
  case unchanged(String, details: RewriteDetails = RewriteDetails())
  /// The archive is not what it should be, for this reason; with what does not fit, if that is it, and with what would
  /// have been done, as far as that is known.
  case refused(
    String, violations: [Violation], details: RewriteDetails = RewriteDetails())
}

/// Turns archives into archives.
///
/// One thread at a time uses one: each worker makes its own.
public protocol ArchiveRewriting {
  /// Rewrites one archive; nothing is written anywhere.
  ///
  /// - Throws: `ArchiveError` if the archive cannot be decoded, or the result cannot be proved.
  mutating func rewrite(_ input: RewriteInput) throws(ArchiveError) -> Rewritten
}
