// The effect of a rewriting on one archive: typed values, until a report, a plan, a record or a journal is written.

import ArchiveBasics
import ArchiveEditing
import ArchivePropertyLists
import ArchiveWriting
import FileTransactions

/// The details of the rewriting of one archive.
package struct RewriteDetails: Sendable {
  /// The hashes that a plan requires of a file.
  package struct Hashes: Sendable {
    /// The SHA-256 of the bytes before.
    package let old: ContentHash
    /// The SHA-256 of the bytes after.
    package let new: ContentHash
  }

  /// An archive in a data value, and the details of its rewriting.
  package struct Embedded: Sendable {
    /// The path of the data value.
    package let path: GraphPath
    /// The details of its rewriting.
    package let details: RewriteDetails
  }

  /// The hashes, if the rewriting is planned.
  package var hashes: Hashes?
  /// The migration, if there is one.
  package var migration: MigrationDetails?
  /// How often each rule for names was applied, including those that changed nothing; nil without rules.
  package var rename: [SubstitutionCount]?
  /// The format, if the archive is converted.
  package var format: ConversionTarget?
  /// The archives in data values, if those are rewritten and not the file as a whole.
  package var embedded: [Embedded] = []
  /// Warnings about a successful rewriting.
  package var warnings: [ArchiveError] = []
  /// What was missing of a damaged input whose rest was rewritten.
  package var losses: [ArchiveError] = []

  /// Makes details.
  package init(
    migration: MigrationDetails? = nil, rename: [SubstitutionCount]? = nil,
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
  package func located(in bytes: ByteView) -> RewriteDetails {
    var details = self
    details.warnings = warnings.map { $0.located(in: bytes) }
    details.losses = losses.map { $0.located(in: bytes) }
    return details
  }
}

// MARK: - The details of a rewriting as members of JSON

extension RewriteDetails {
  /// The details as a list of members.
  package var members: [(String, JSONTree)] { members(versions: "path") }

  /// - Parameter versions: the key for the versions on the path; it must differ from that of a path in a graph beside
  ///   it.
  private func members(versions name: String) -> [(String, JSONTree)] {
    let archives = embedded.map { archive -> JSONTree in
      .members(
        [("path", .string(archive.path.description))]
          + archive.details.members(versions: "versions"))
    }
    let hashes = JSONTree.present([
      ("sha256", hashes.map { .string($0.old.description) }),
      ("newSha256", hashes.map { .string($0.new.description) }),
    ])
    let others = JSONTree.present([
      ("rules", rename.map { .list($0.map(\.tree)) }),
      ("format", format.map { .string($0.rawValue) }),
      ("at", archives.isEmpty ? nil : .list(archives)),
      ("warnings", warnings.isEmpty ? nil : .list(warnings.map(\.tree))),
    ])
    return hashes + (migration?.members(versions: name) ?? []) + others
  }
}

extension MigrationDetails {
  fileprivate func members(versions name: String) -> [(String, JSONTree)] {
    let start: [(String, JSONTree)] = [
      ("family", .string(family)), ("from", .string(source)), ("to", .string(target)),
    ]
    guard let path else { return start }
    let operations = path.flatMap { step in step.operations.map { step.tree(of: $0) } }
    let others = JSONTree.present([
      (name, .list(versions.map { .string($0) })), ("operations", .list(operations)),
      ("lossless", isLossless.map { .boolean($0) }),
      ("losses", losses.map { .list($0.map(\.tree)) }),
      ("oneWay", oneWay.isEmpty ? nil : .list(oneWay.map { .string($0) })),
      ("withoutPlace", orphanedCount > 0 ? .integer(orphanedCount) : nil),
      ("refusedAt", refusedAt.map { .string($0.description) }),
    ])
    return start + others
  }
}

extension LensStep {
  fileprivate func tree(of operation: LensOperation) -> JSONTree {
    .members([
      ("lens", .string(file.name)), ("direction", .string(direction.rawValue)),
      ("operation", .string(operation.pointer)), ("title", .string(operation.title)),
    ])
  }
}

extension MigrationLoss {
  fileprivate var tree: JSONTree {
    .members(present: [
      "lost": .string(kind.rawValue), "path": .string(path.description), "count": .integer(count),
      "title": .string(wording), "allowed": .boolean(isAllowed),
      "allowedBy": allowedBy == .family ? "family" : nil,
      "lens": cause.map { .string($0.lens) }, "operation": cause.map { .string($0.operation) },
      "detail": cause.map { .string($0.detail.rawValue) },
      "note": cause?.note.map { .string($0) },
    ])
  }
}

extension SubstitutionCount {
  fileprivate var tree: JSONTree {
    .members([
      ("kind", .string(kind.rawValue)), ("rule", .string(rule)),
      ("records", .integer(records)), ("objects", .integer(objects)),
      ("references", .integer(references)),
    ])
  }
}

// MARK: - The effect of a migration on one archive

/// The migration of one archive.
package struct MigrationDetails: Sendable {
  /// The name of the family.
  package let family: String
  /// The name of the version that the archive is in.
  package let source: String
  /// The name of the version to migrate to.
  package let target: String
  /// The lenses on the path, each with its direction; nil for an archive that is already in its target version.
  package var path: [LensStep]?
  /// The losses; nil if they are unknown, because a lens or the target refused the archive.
  package var losses: [MigrationLoss]?
  /// How many kept values have no location to be restored to.
  package var orphanedCount = 0
  /// The path of the value that caused a refusal, if there was one.
  package var refusedAt: GraphPath?
  /// Whether that value has the right type, and an operation refuses its content.
  var refusesContent = false

  /// `WeatherFeed@v1 to v2`.
  package var summary: String { "\(family)@\(source) to \(target)" }

  /// The versions on the path, including source and target.
  package var versions: [String] { [source] + (path ?? []).map(\.target) }

  /// The lenses on the path that cannot be inverted.
  package var oneWay: [String] { (path ?? []).oneWay }

  /// Whether the inverse migration restores everything; nil if that is unknown.
  ///
  /// If there is no inverse, nothing shows that no value is lost.
  package var isLossless: Bool? {
    losses.map { $0.isEmpty && oneWay.isEmpty }
  }
}
