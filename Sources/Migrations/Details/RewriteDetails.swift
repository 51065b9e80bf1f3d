// What a rewriting did to one archive, or would do: values with types until a report, a plan, a record or a journal
// is written.

import Basics
import FileTransactions
import KeyedArchives
import PropertyLists

/// What is known of the rewriting of one archive.
public struct RewriteDetails: Sendable {
  /// The hashes that a plan holds a file to.
  public struct Hashes: Sendable {
    /// The SHA-256 of the bytes before.
    public let old: ContentHash
    /// The SHA-256 of the bytes after.
    public let new: ContentHash
  }

  /// An archive in a data value, and what was done to it.
  public struct Embedded: Sendable {
    /// The path of the data value.
    public let path: String
    /// What was done.
    public let details: RewriteDetails

    /// Makes an entry.
    public init(path: String, details: RewriteDetails) {
      self.path = path
      self.details = details
    }
  }

  /// The hashes, where the rewriting is planned.
  public var hashes: Hashes?
  /// The migration, where there is one.
  public var migration: MigrationDetails?
  /// The new names, where there are rules for them.
  public var rename: RenameDetails?
  /// The format, where the archive is converted.
  public var format: ConversionTarget?
  /// The archives in data values, where these are rewritten and not the file as a whole.
  public var embedded: [Embedded] = []
  /// What a person should know although all went well.
  public var warnings: [ArchiveError] = []

  /// Makes details.
  public init(
    migration: MigrationDetails? = nil, rename: RenameDetails? = nil,
    format: ConversionTarget? = nil, embedded: [Embedded] = [], warnings: [ArchiveError] = []
  ) {
    self.migration = migration
    self.rename = rename
    self.format = format
    self.embedded = embedded
    self.warnings = warnings
  }

  /// The same, its warnings with their lines and columns where the archive is a text.
  public func located(in bytes: UnsafeRawBufferPointer) -> RewriteDetails {
    var details = self
    details.warnings = warnings.map { $0.located(in: bytes) }
    return details
  }
}
