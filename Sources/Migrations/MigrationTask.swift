// One archive on its way from version to version: transformed by lenses, encoded in its envelope, verified.

import Basics
import FileTransactions
import KeyedArchives
import ObjectGraph
import Schemas

/// An archive and its migration path.
struct MigrationTask {
  /// The archive's bytes.
  let input: ByteStorage
  let graph: ObjectGraph
  let model: UnwrappedModel
  /// The values that an earlier migration kept for it; nil if there are none.
  let kept: KeptRecord?
  let family: SchemaFamily
  let source: SchemaVersion
  let target: SchemaVersion
  let way: [LensStep]
  /// The lenses of the family.
  let lenses: FamilyLenses
  let request: Migration.Request
  let limits: Limits
  /// Migrates the archives in data values.
  let archives: ArchiveSteps
  /// Whether the archive was made by a migration in the opposite direction, to verify it.
  var isGoingBack = false
  /// Whether classes and storage that nothing determines are plain ones, not refused.
  var isLenient = false

  /// Whether the root is a list of models.
  var isList: Bool {
    guard source.allowsList, case .array = graph.value(of: model.root) else { return false }
    return true
  }

  /// Whether no lens on the path changes anything.
  var isIdentity: Bool { way.allSatisfy(\.file.lens.isIdentity) }

  /// Whether the source is a keyed archive of objects.
  var isSourceOfObjects: Bool { model.envelope.isOfObjects }

  /// Whether the archive keeps its envelope, so that parts that no lens changes keep their stored form.
  var keepsStructure: Bool {
    model.envelope == target.envelope && target.envelope?.isOfObjects == true
  }

  /// What is lost without a question, which depends on the envelopes.
  var policy: LossPolicy { keepsStructure ? request.losses.withinEnvelope : request.losses }

  /// Whether lost values are stored in the archive.
  var keepsInside: Bool { request.losses.keeping == .inside || kept?.isInside == true }

  /// The opposite migration, as a user would ask for it.
  func backward() -> Migration {
    var request = Migration.Request(
      from: target.name, to: source.name, via: request.intermediateVersions.reversed(),
      className: request.className == nil ? nil : model.className?.stored)
    request.usesFastVerification = self.request.usesFastVerification
    var migration = Migration(
      catalog: archives.catalog, family: family, request, limits: limits)
    migration.depth = archives.depth
    migration.archives = archives
    migration.lenses = [family.name: lenses]
    return migration
  }
}

// MARK: - The migration

extension MigrationTask {
  /// Migrates the archive; nothing is written.
  ///
  /// - Throws: `ArchiveError` for an error that is not a refusal.
  func run() throws(ArchiveError) -> Rewritten {
    if let refusal = oneWayRefusal { return refused(refusal, MigrationDetails(self)) }
    do throws(ArchiveError) {
      return try migrate()
    } catch {
      guard let reason = error.refusal else { throw error }
      var details = MigrationDetails(self, refusedAt: error.path)
      details.refusesContent = error.subject == .refusedContent
      return refused(reason, details)
    }
  }

  private func refused(_ reason: String, _ details: MigrationDetails) -> Rewritten {
    .refused(reason, violations: [], details: RewriteDetails(migration: details))
  }

  private func migrate() throws(ArchiveError) -> Rewritten {
    let transformed = try Transformation(self)
    let encoding = ArchiveEncoding(task: self)
    var losses = Losses(policy, lost: transformed.lost)
    var result = try encoding.encode(transformed.root)
    var verification = try Verification(of: result.bytes, self)
    // The way back shows the same, unless there is none, or kept values would hide what was written.
    let isRestored = !keepsStructure && !transformed.lost.isEmpty
    if isRestored || !oneWay.isEmpty { try verification.compare(with: transformed.root) }
    let isKept = request.losses.keeping != .none
    var kept = LostValues(
      family: family.name, version: target.name,
      values: transformed.carried + transformed.lost + transformed.tolerated)
    if oneWay.isEmpty {
      let record = kept.values.isEmpty ? nil : try kept.bytes(of: graph, beside: result.bytes)
      for difference in try verification.differences(record: record) { losses.add(difference) }
    }
    if !isKept, !losses.refused.isEmpty {
      return refused(losses.refusal, MigrationDetails(self, losses: losses))
    }
    if !isKept {
      kept.values = request.losses.allowsAll ? [] : transformed.carried
    } else if losses.concernsStructure {
      kept.values.append(original)
    } else if losses.isEmpty {
      kept.values = transformed.carried
    }
    let isInside = !kept.values.isEmpty && keepsInside && !request.losses.allowsAll
    if isInside {
      let root = try encoding.inside(transformed.root, kept)
      result = try encoding.encode(root)
      verification = try Verification(of: result.bytes, self)
    }
    let companion = try companion(of: result.bytes, kept, isInside: isInside)
    // The bytes with kept values inside are others than those that were taken back.
    if oneWay.isEmpty, isInside || isKept && !losses.isEmpty {
      let record: ByteStorage? = if case .written(let record) = companion { record } else { nil }
      // What not even kept values restore is lost, if that is allowed.
      let remaining = try verification.differences(record: record)
      if let first = remaining.first(where: { !policy.allows($0.kind, at: $0.path) }) {
        return refused(
          "the kept values would not restore the archive (--allow-loss ignores them): \(first.text) (at \(first.path))",
          MigrationDetails(self, losses: losses, orphaned: transformed.orphanCount))
      }
    }
    return .changed(
      RewrittenArchive(
        storage: result.bytes, summary: "\(source.label) to \(target.name)",
        details: RewriteDetails(
          migration: MigrationDetails(self, losses: losses, orphaned: transformed.orphanCount),
          warnings: result.warnings + graph.wrappingWarnings + archives.warnings
            + encoding.unusedClass),
        lost: companion))
  }

  // MARK: Kept values

  /// The original model, which is kept for its classes, its storage and its sharing.
  private var original: LostValue {
    LostValue(
      location: InstanceLocation(lens: source.name, operation: "", elements: []), kind: .structure,
      title: "classes and storage", path: GraphPath(), value: .node(model.root), became: nil)
  }

  /// The change to the file with lost values beside the archive.
  private func companion(
    of bytes: ByteStorage, _ kept: LostValues, isInside: Bool
  ) throws(ArchiveError) -> RewrittenArchive.Companion {
    if kept.values.isEmpty || isInside {
      return self.kept?.isInside == false ? .removed : .unchanged
    }
    return .written(try kept.bytes(of: graph, beside: bytes))
  }
}

extension LostValues {
  /// The bytes of the file beside an archive, which contain its SHA-256.
  fileprivate func bytes(
    of graph: ObjectGraph, beside archive: ByteStorage
  ) throws(ArchiveError) -> ByteStorage {
    try bytes(of: graph, hash: ContentHash(of: archive.bytes).description)
  }
}
