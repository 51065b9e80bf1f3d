// The common form of all operations that replace archives: bytes in, verified bytes out.

import Basics
import KeyedArchives
import PropertyLists
import Schemas

/// An archive to be rewritten.
public struct RewriteInput: Sendable {
  /// The archive's bytes.
  public let storage: ByteStorage
  /// The bytes in the file, which differ if an earlier step has changed them.
  public let original: ByteStorage
  /// Its name in messages.
  public let name: String
  /// Its path, beside which companions such as `FILE.lost.json` are stored; nil for standard input and records.
  public let path: String?
  /// The lost values that were passed with the archive, in the form of a companion; nil if there are none.
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

/// Verified new bytes for an archive.
public struct RewrittenArchive: Sendable {
  /// The new bytes.
  public let storage: ByteStorage
  /// What was done, in one phrase: `WeatherFeed@v1 to v2`.
  public let summary: String
  /// The details for reports, plans, records and journals, with warnings.
  public var details: RewriteDetails
  /// The change to the file beside the new archive, `FILE.lost.json`.
  public let lost: Companion
  /// Whether the format is that of the old bytes in any case.
  public let keepsFormat: Bool
  /// The change to the file with lost values beside an archive.
  public enum Companion: Sendable {
    /// It is unchanged, or remains absent.
    case unchanged
    /// These bytes are written.
    case written(ByteStorage)
    /// It is no longer needed: its values are in the archive again.
    case removed
  }

  /// Makes a result.
  public init(
    storage: ByteStorage, summary: String, details: RewriteDetails = RewriteDetails(),
    lost: Companion = .unchanged, keepsFormat: Bool = false
  ) {
    self.storage = storage
    self.summary = summary
    self.details = details
    self.lost = lost
    self.keepsFormat = keepsFormat
  }

  /// What the old text had beside its values, and the new bytes have not.
  ///
  /// - Parameter isReplaced: whether the old text is gone.
  package func lostText(of old: ByteStorage, isReplaced: Bool) -> [ArchiveError] {
    ArchiveEditing.warnings(about: old, isReplaced: isReplaced) { encoding in
      keepsFormat || Formats.all.detect(storage.bytes).encoding == encoding
    }
  }
}

/// The result of rewriting an archive.
public enum Rewritten: Sendable {
  /// New bytes.
  case changed(RewrittenArchive)
  /// Nothing needs to be done, for this reason: `is WeatherFeed@v2 already`; with the known details of the archive.
  case unchanged(String, details: RewriteDetails = RewriteDetails())
  /// The archive is refused, for this reason.
  ///
  /// The violations are included if they are the reason, and the details of the rewriting as far as they are known.
  case refused(
    String, violations: [Diagnostic], details: RewriteDetails = RewriteDetails())
}

/// Rewrites archives.
///
/// An instance is used by one thread at a time: each worker makes its own.
public protocol ArchiveRewriting {
  /// Rewrites one archive, without writing files.
  ///
  /// - Throws: `ArchiveError` if the archive cannot be decoded, or the result cannot be verified.
  mutating func rewrite(_ input: RewriteInput) throws(ArchiveError) -> Rewritten
}
