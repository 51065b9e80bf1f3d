// The effect of a rewriting on one archive: typed values, until a report, a plan, a record or a journal is written.

import Basics
import FileTransactions
import KeyedArchives
import PropertyLists

/// The details of the rewriting of one archive.
public struct RewriteDetails: Sendable {
  /// The hashes that a plan requires of a file.
  package struct Hashes: Sendable {
    /// The SHA-256 of the bytes before.
    package let old: ContentHash
    /// The SHA-256 of the bytes after.
    package let new: ContentHash
  }

  /// An archive in a data value, and the details of its rewriting.
  public struct Embedded: Sendable {
    /// The path of the data value.
    public let path: GraphPath
    /// The details of its rewriting.
    public let details: RewriteDetails

    /// Makes an entry.
    public init(path: GraphPath, details: RewriteDetails) {
      self.path = path
      self.details = details
    }
  }

  /// The hashes, if the rewriting is planned.
  package var hashes: Hashes?
  /// The migration, if there is one.
  public var migration: MigrationDetails?
  /// The replaced names, if there are rules for them.
  public var rename: RenameDetails?
  /// The format, if the archive is converted.
  public var format: ConversionTarget?
  /// The archives in data values, if those are rewritten and not the file as a whole.
  public var embedded: [Embedded] = []
  /// Warnings about a successful rewriting.
  public var warnings: [ArchiveError] = []
  /// What was missing of a damaged input whose rest was rewritten.
  public var losses: [ArchiveError] = []

  /// Makes details.
  public init(
    migration: MigrationDetails? = nil, rename: RenameDetails? = nil,
    format: ConversionTarget? = nil, embedded: [Embedded] = [], warnings: [ArchiveError] = [],
    losses: [ArchiveError] = []
  ) {
    self.migration = migration
    self.rename = rename
    self.format = format
    self.embedded = embedded
    self.warnings = warnings
    self.losses = losses
  }

  /// The same details, with lines and columns in the messages if the archive is text.
  public func located(in bytes: UnsafeRawBufferPointer) -> RewriteDetails {
    var details = self
    details.warnings = warnings.map { $0.located(in: bytes) }
    details.losses = losses.map { $0.located(in: bytes) }
    return details
  }
}
