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
    var members: [(String, JSONTree)] = []
    if let hashes {
      members.append(("sha256", .string(hashes.old.description)))
      members.append(("newSha256", .string(hashes.new.description)))
    }
    members += migration?.members(versions: name) ?? []
    if let rename { members.append(("rules", .list(rename.map(\.tree)))) }
    if let format { members.append(("format", .string(format.rawValue))) }
    if !embedded.isEmpty {
      let archives = embedded.map { archive -> JSONTree in
        .members(
          [("path", .string(archive.path.description))]
            + archive.details.members(versions: "versions"))
      }
      members.append(("at", .list(archives)))
    }
    if !warnings.isEmpty { members.append(("warnings", .list(warnings.map(\.tree)))) }
    return members
  }
}

extension MigrationDetails {
  fileprivate func members(versions name: String) -> [(String, JSONTree)] {
    var members: [(String, JSONTree)] = [
      ("family", .string(family)), ("from", .string(source)), ("to", .string(target)),
    ]
    guard let path else { return members }
    members.append((name, .list(versions.map { .string($0) })))
    members.append(
      (
        "operations", .list(path.flatMap { step in step.operations.map { step.tree(of: $0) } })
      ))
    if let isLossless, let losses {
      members.append(("lossless", .boolean(isLossless)))
      members.append(("losses", .list(losses.map(\.tree))))
    }
    if !oneWay.isEmpty { members.append(("oneWay", .list(oneWay.map { .string($0) }))) }
    if orphanedCount > 0 { members.append(("withoutPlace", .integer(orphanedCount))) }
    if let refusedAt { members.append(("refusedAt", .string(refusedAt.description))) }
    return members
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
    var members: [(String, JSONTree)] = [
      ("lost", .string(kind.rawValue)), ("path", .string(path.description)),
      ("count", .integer(count)), ("title", .string(wording)), ("allowed", .boolean(isAllowed)),
    ]
    if allowedBy == .family { members.append(("allowedBy", .string("family"))) }
    guard let cause else { return .members(members) }
    members += [
      ("lens", .string(cause.lens)), ("operation", .string(cause.operation)),
      ("detail", .string(cause.detail.rawValue)),
    ]
    if let note = cause.note { members.append(("note", .string(note))) }
    return .members(members)
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
