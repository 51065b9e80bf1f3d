// One archive on its way from version to version: transformed by lenses, encoded in its envelope, verified.

import ArchiveBasics
import ArchiveGraph
import ArchiveSchemas
import ArchiveWriting
import FileTransactions
import KeyedArchives

/// An archive and its migration path.
struct MigrationTask {
  /// The archive's bytes.
  let input: ByteStorage
  let graph: ObjectGraph
  let model: UnwrappedModel
  /// The values that an earlier migration kept for it; nil if there are none.
  let kept: LostValues?
  let family: SchemaFamily
  let source: SchemaVersion
  let target: SchemaVersion
  let path: [LensStep]
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
    if source.allowsList, case .array = graph.value(of: model.root) { true } else { false }
  }

  /// The names of the one-way lenses on the path.
  var oneWay: [String] { path.oneWay }

  /// Whether no lens on the path changes anything.
  var isIdentity: Bool { path.allSatisfy(\.file.lens.isIdentity) }

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
    request.familyLosses = .none
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
    .refused(reason, details: RewriteDetails(migration: details))
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
    let isKept = request.losses.keeping != nil
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

// MARK: - The first part of a migration: the lenses applied to the model

/// A model in its target version, and what the lenses could not carry.
struct Transformation {
  /// The model in the target's version, a value of the task's graph.
  let root: Node
  let lost: [LostValue]
  /// Values whose loss the lens declares to mean nothing: nil that became absent, or the other way.
  let tolerated: [LostValue]
  /// Values that were kept for a lens outside the path, and remain kept.
  let carried: [LostValue]
  /// How many kept values have no location to be restored to.
  let orphanCount: Int

  /// Applies the lenses of a task.
  ///
  /// - Throws: `ArchiveError` that names the operation that cannot be applied to a value.
  init(_ task: MigrationTask) throws(ArchiveError) {
    let kept = task.kept
    let result = try LensInterpreter.apply(
      task.path, to: task.model.root, of: task.graph, isList: task.isList,
      kept: kept?.values ?? [],
      anchoring: LostAnchoring(
        isRequested: task.keepsInside, isForgiving: task.request.losses.allowsAll),
      archives: task.archives, isGoingBack: task.isGoingBack)
    let names = Set(task.path.map(\.file.name))
    (lost, tolerated) = (result.lost, result.tolerated)
    carried = result.unused.filter {
      $0.kind == .structure ? $0.lens != task.target.name : !names.contains($0.lens)
    }
    orphanCount = result.unused.count { $0.kind != .structure && names.contains($0.lens) }
    root = NilMembers.added(to: result.root, of: task)
  }
}

/// Members that are absent and may be null: those that a model must have, and all fields of objects, because
/// `encode(_:forKey:)` stores nil as well.
private enum NilMembers {
  /// The model with these members as null, in an envelope that has nulls.
  static func added(to root: Node, of task: MigrationTask) -> Node {
    let schema = task.target.schema
    guard task.target.envelope?.hasNull == true, schema.hasNullableMembers else { return root }
    // What keeps its envelope has its fields.
    if task.keepsStructure, task.isIdentity { return root }
    let areRequired = task.target.envelope != .nscoding || task.keepsStructure
    let graph = task.graph
    let whole = LensValue(.node(root))
    var waiting = [(value: whole, schemaIndex: schema.root)]
    var visited = 0
    while let (value, index) = waiting.popLast(), visited < graph.expansionLimit {
      visited += 1
      // What a framework's class is made of is not an application's member.
      if let name = schema.structure(index)?.className, FoundationClass.isFramework(name) {
        continue
      }
      if let items = value.openList(in: graph) {
        waiting += items.map { ($0, schema.element(index)) }
      } else if let members = value.open(in: graph) {
        let added = schema.nullableMembers(index, areRequired: areRequired).filter { name in
          !members.contains { $0.isCalled(name) }
        }
        if !added.isEmpty {
          value.content = .members(members + added.map { LensValue.Member.null($0) })
        }
        waiting += members.map { ($0.value, schema.schemaIndex(of: $0.name, in: index)) }
      }
    }
    return graph.add(whole.form, near: root)
  }
}

extension Envelope {
  /// Whether a member may be nil or null in it, not only absent.
  var hasNull: Bool { isOfObjects || self == .json }
}
