// Migrates archives in data values between versions of their own families; each migration is verified separately.

import ArchiveBasics
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting
import KeyedArchives

/// Migrates the archives that lenses lead into.
///
/// An instance is used by one thread at a time.
final class ArchiveSteps {
  struct Outcome {
    let bytes: [UInt8]
    /// What is lost; nil if nothing is.
    let loss: ArchiveLoss?
    let warnings: [ArchiveError]

    init(_ archive: RewrittenArchive, _ losses: [MigrationLoss]?, _ bytes: [UInt8]) {
      self.bytes = bytes
      loss = ArchiveLoss(losses ?? [])
      warnings = archive.details.warnings
    }
  }

  /// The nesting limit for archives whose lenses lead into archives again.
  private static let depthLimit = 16

  let catalog: SchemaCatalog
  private let limits: Limits
  /// How many archives enclose those that are migrated.
  let depth: Int
  private var migrations: [ArchiveStep: (strict: Migration, lossy: Migration)] = [:]
  /// The results for archives of the file, cached because many data values may refer to one.
  private var outcomes: [ArchiveStep: [[UInt8]: Outcome]] = [:]
  /// The archives that were taken back, by their bytes.
  private var returns: [ArchiveStep: [[UInt8]: [UInt8]]] = [:]
  /// Whether losses on the way back are no reason to refuse it.
  var isForgiving = false
  /// The warnings about the file's archives, with their paths.
  var warnings: [ArchiveError] = []
  /// The archives before their steps, by location and by the result.
  private var sources: [InstanceLocation: [[UInt8]: [UInt8]]] = [:]

  init(catalog: SchemaCatalog, limits: Limits, depth: Int) {
    self.catalog = catalog
    self.limits = limits
    self.depth = depth
  }

  /// Forgets the archives of the previous file.
  func begin() {
    sources = [:]
    (outcomes, returns) = ([:], [:])
    warnings = []
  }

  /// Migrates an archive from one version to another, in the layers that are around it.
  ///
  /// - Parameter isText: whether the bytes are those of a string.
  /// - Throws: `ArchiveError` with the path in the archive if it is refused.
  func migrated(
    _ bytes: [UInt8], _ step: ArchiveStep, isText: Bool = false
  ) throws(ArchiveError) -> Outcome {
    try requireDepth()
    if let known = outcomes[step]?[bytes] { return known }
    let outcome = try migrate(bytes, step, isText)
    outcomes[step, default: [:]][bytes] = outcome
    return outcome
  }

  /// Takes an archive back, as its step does in the opposite migration, without verifying that again.
  ///
  /// - Throws: `ArchiveError` with the path in the archive if it is refused.
  func migrateBack(
    _ bytes: [UInt8], _ step: ArchiveStep, isText: Bool = false
  ) throws(ArchiveError) -> [UInt8] {
    try requireDepth()
    if let known = returns[step]?[bytes] { return known }
    var (strict, lossy) = try migrations(step)
    let layered = try layered(bytes)
    let storage = layered.content
    let graph = try ArchiveReader(limits: limits, marksWide: true).read(storage)
    strict.isForgiving = isForgiving
    let result = try strict.migrateBack(
      RewriteInput(storage: storage, name: step.labels.source, path: nil), graph)
    strict.isForgiving = false
    migrations[step] = (strict, lossy)
    let returned = try Self.wrapped(result.bytes, in: layered, isText)
    returns[step, default: [:]][bytes] = returned
    return returned
  }

  private func requireDepth() throws(ArchiveError) {
    guard depth < Self.depthLimit else {
      throw ArchiveError(
        .limit, "archives are nested more than \(Self.depthLimit) levels deep", path: GraphPath())
    }
  }

  /// The bytes without the layers around them.
  private func layered(_ bytes: [UInt8]) throws(ArchiveError) -> LayeredData {
    var allowance = limits.inflation(of: bytes.count)
    return try LayeredData(ByteStorage(copying: bytes), limits: limits, allowance: &allowance)
  }

  /// An archive in the layers of another.
  private static func wrapped(
    _ archive: ByteStorage, in layers: LayeredData, _ isText: Bool
  ) throws(ArchiveError) -> [UInt8] {
    do throws(ArchiveError) {
      let storage = try layers.wrapped(archive)
      let bytes = withExtendedLifetime(storage) { Array(storage.bytes) }
      guard isText, String(validating: bytes, as: UTF8.self) == nil else { return bytes }
      throw ArchiveError(.unrepresentable, "the string cannot hold the new archive")
    } catch {
      throw error.path == nil ? error.at(path: GraphPath()) : error
    }
  }

  private func migrate(
    _ bytes: [UInt8], _ step: ArchiveStep, _ isText: Bool
  ) throws(ArchiveError) -> Outcome {
    var (strict, lossy) = try migrations(step)
    let layered = try layered(bytes)
    let input = RewriteInput(storage: layered.content, name: step.labels.source, path: nil)
    defer { migrations[step] = (strict, lossy) }
    let result = try strict.rewrite(input)
    if case .refused(_, _, let details) = result, let losses = details.migration?.losses,
      case .changed(let archive) = try lossy.rewrite(input)
    {
      return Outcome(archive, losses, try Self.wrapped(archive.storage, in: layered, isText))
    }
    switch result {
    case .changed(let archive):
      return Outcome(
        archive, archive.details.migration?.losses,
        try Self.wrapped(archive.storage, in: layered, isText))
    case .unchanged(let reason, _):
      throw ArchiveError(.mismatch, "the archive \(reason)", path: GraphPath())
    case .refused(let reason, let violations, let details):
      let first = violations.first.map { ": \($0.message)" } ?? ""
      let isOfContent = details.migration?.refusesContent == true
      let isOfOperation = details.migration != nil && details.migration?.losses == nil
      let start = isOfOperation ? "the archive is refused: " : "the archive "
      throw ArchiveError(
        .mismatch, "\(start)\(reason)\(first)", path: violations.first?.path ?? GraphPath(),
        about: isOfContent ? .refusedContent : nil)
    }
  }

  private func migrations(
    _ step: ArchiveStep
  ) throws(ArchiveError) -> (strict: Migration, lossy: Migration) {
    if let known = migrations[step] { return known }
    guard let family = catalog.family(step.family) else {
      throw ArchiveError(.mismatch, "no family \(step.family)", path: GraphPath())
    }
    func migration(_ losses: LossPolicy) -> Migration {
      var request = Migration.Request(from: step.source, to: step.target, losses: losses)
      // Nothing is kept beside or inside an archive in another.
      request.familyLosses = .allowances
      var migration = Migration(catalog: catalog, family: family, request, limits: limits)
      migration.depth = depth + 1
      return migration
    }
    return (migration(LossPolicy()), migration(.allowAll))
  }

  // MARK: The inverse within one run

  /// Stores the original bytes of an archive whose losses are reported with it.
  func remember(_ location: InstanceLocation, _ bytes: [UInt8], from source: [UInt8]) {
    sources[location, default: [:]][bytes] = source
  }

  /// An archive before its step in this run, if the step lost something.
  func source(_ location: InstanceLocation, of bytes: [UInt8]) -> [UInt8]? {
    sources[location]?[bytes]
  }
}

// MARK: - What an archive in a data value loses

/// What an archive in a data value loses, which is a loss of that value.
struct ArchiveLoss: Sendable, Hashable {
  /// The losses in words.
  let text: String
  /// The kind that matters most.
  let kind: StoredDifference.Kind
  /// Whether the archive's own family allows them all.
  let isAllowed: Bool

  /// Summarizes losses; nil if there are none.
  init?(_ losses: [MigrationLoss]) {
    let refused = losses.filter { !$0.isAllowed }
    guard
      let worst = refused.first(where: { !$0.kind.isEnvelopes }) ?? refused.first
        ?? losses.first(where: { !$0.kind.isEnvelopes }) ?? losses.first
    else { return nil }
    text = "the archive in it would lose \(Losses.summary(losses))"
    kind = worst.kind
    isAllowed = refused.isEmpty && losses.contains { $0.allowedBy == .family }
  }
}

// MARK: - A lens's step for an archive in a data value: from one version of its family to another

/// Two versions of a family, between which archives in data values are migrated.
struct ArchiveStep: Sendable, Hashable {
  let family: String
  /// The version that an archive is in.
  let source: String
  /// The version to migrate to.
  let target: String

  /// The labels of the versions: `Influence@v1`.
  var labels: (source: String, target: String) {
    ("\(family)@\(source)", "\(family)@\(target)")
  }

  /// The step whose forward direction equals this step in a direction.
  func resolved(for direction: LensDirection) -> ArchiveStep {
    direction == .forward
      ? self : ArchiveStep(family: family, source: target, target: source)
  }
}
