// Archives in data values on their way between versions of their own families: each is a migration with its own proof.

import Basics
import FileTransactions
import ObjectGraph
import PropertyLists
import Schemas

/// Takes the archives that lenses lead into.
///
/// One thread at a time uses one.
final class ArchiveSteps {
  /// What became of an archive.
  struct Outcome {
    let bytes: [UInt8]
    /// What it lost, in words; nil if nothing.
    let loss: String?
    /// What a person should know of it.
    let warnings: [ArchiveError]

    init(_ archive: RewrittenArchive, loss: String?) {
      bytes = Array(archive.storage.bytes)
      self.loss = loss
      warnings = archive.details.warnings
    }
  }

  private struct Taken: Hashable {
    let place: InstanceLocation
    let bytes: [UInt8]
  }

  private struct Step: Hashable {
    let bytes: [UInt8]
    let step: ArchiveStep
  }

  /// Archives whose lenses lead into archives again go no deeper than this.
  private static let depthLimit = 16

  let catalog: SchemaCatalog
  private let limits: Limits
  /// How many archives lie around those that are migrated.
  let depth: Int
  private var migrations: [ArchiveStep: (strict: Migration, lossy: Migration)] = [:]
  /// What became of archives of the file: many places may refer to one.
  private var outcomes: [Step: Outcome] = [:]
  /// The warnings of the file's archives, with the paths to them.
  private(set) var warnings: [ArchiveError] = []
  /// What archives were before their steps, by the place and by what they have become.
  private var sources: [Taken: [UInt8]] = [:]

  init(catalog: SchemaCatalog, limits: Limits, depth: Int) {
    self.catalog = catalog
    self.limits = limits
    self.depth = depth
  }

  /// Forgets the archives of the file before.
  func begin() {
    sources = [:]
    outcomes = [:]
    warnings = []
  }

  /// Adds what a person should know of an archive.
  func warn(_ warnings: [ArchiveError]) { self.warnings += warnings }

  /// Takes an archive from one version to another.
  ///
  /// - Throws: `ArchiveError` with the path in the archive if it is refused.
  func take(_ bytes: [UInt8], _ step: ArchiveStep) throws(ArchiveError) -> Outcome {
    guard depth < Self.depthLimit else {
      throw ArchiveError(
        .limit, "archives are nested more than \(Self.depthLimit) levels deep", path: "$")
    }
    guard !bytes.withUnsafeBytes({ Formats.isCompressed($0) }) else {
      throw ArchiveError(
        .mismatch, "the archive is gzip-compressed, and would not be any more", path: "$")
    }
    let key = Step(bytes: bytes, step: step)
    if let known = outcomes[key] { return known }
    let outcome = try migrate(bytes, step)
    outcomes[key] = outcome
    return outcome
  }

  private func migrate(_ bytes: [UInt8], _ step: ArchiveStep) throws(ArchiveError) -> Outcome {
    var (strict, lossy) = try migrations(step)
    let storage = bytes.withUnsafeBytes { ByteStorage(copying: $0) }
    let input = RewriteInput(storage: storage, name: step.labels.source, path: nil)
    defer { migrations[step] = (strict, lossy) }
    let result = try strict.rewrite(input)
    if case .refused(let reason, _, let details) = result, details.migration?.losses != nil,
      case .changed(let archive) = try lossy.rewrite(input)
    {
      return Outcome(archive, loss: "the archive in it \(Losses.withoutRemedy(reason))")
    }
    switch result {
    case .changed(let archive): return Outcome(archive, loss: nil)
    case .unchanged(let reason, _):
      throw ArchiveError(.mismatch, "the archive \(reason)", path: "$")
    case .refused(let reason, let violations, _):
      let first = violations.first.map { ": \($0.message)" } ?? ""
      throw ArchiveError(
        .mismatch, "the archive \(reason)\(first)", path: violations.first?.path ?? "$")
    }
  }

  private func migrations(
    _ step: ArchiveStep
  ) throws(ArchiveError) -> (strict: Migration, lossy: Migration) {
    if let known = migrations[step] { return known }
    guard let family = catalog.family(step.family) else {
      throw ArchiveError(.mismatch, "no family \(step.family)", path: "$")
    }
    func migration(_ losses: Migration.LossPolicy) -> Migration {
      var migration = Migration(
        catalog: catalog, family: family,
        Migration.Request(from: step.source, to: step.target, losses: losses), limits: limits)
      migration.depth = depth + 1
      return migration
    }
    return (migration(.refuse), migration(.allow))
  }

  // MARK: The way back within one run

  /// Remembers what an archive was.
  func remember(_ place: InstanceLocation, _ bytes: [UInt8], from source: [UInt8]) {
    sources[Taken(place: place, bytes: bytes)] = source
  }

  /// What an archive was before its step in this run; its own migration has shown that the step leads back there.
  func source(_ place: InstanceLocation, of bytes: [UInt8]) -> [UInt8]? {
    sources[Taken(place: place, bytes: bytes)]
  }
}

// MARK: - The step that a lens takes with an archive in a data value: from one version of its family to another

/// Two versions of a family that archives in data values are taken between.
public struct ArchiveStep: Sendable, Hashable {
  /// The family's name.
  public let family: String
  /// The version that an archive is in.
  public let source: String
  /// The version that it becomes.
  public let target: String

  /// The labels of the versions: `Influence@v1`.
  var labels: (source: String, target: String) {
    ("\(family)@\(source)", "\(family)@\(target)")
  }

  /// The step that does forward what this one does in a direction.
  func looked(_ direction: LensDirection) -> ArchiveStep {
    direction == .forward
      ? self : ArchiveStep(family: family, source: target, target: source)
  }
}
