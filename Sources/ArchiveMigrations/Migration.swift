// Migrates archives from one version of their family to another, and verifies the result before anything is replaced.

import ArchiveBasics
import ArchiveGraph
import ArchiveSchemas
import ArchiveWriting
import KeyedArchives

/// Migrates archives between versions of their families.
package struct Migration {
  /// The parameters of a migration.
  package struct Request: Sendable {
    /// The name of the version that archives must have; nil for any.
    package var source: String?
    /// The name of the version to migrate to.
    package var target: String
    /// The versions that the path must include, in order.
    package var intermediateVersions: [String]
    /// The class of the root object if the target's envelope is `nscoding`.
    package var className: String?
    /// The classes of objects that the target's schema leaves open, by their paths.
    package var classes: [(path: DataPath, name: String)] = []
    /// Whether objects whose class the target's schema leaves open become dictionaries.
    package var allowsPlainContainers = false
    /// The storage of numbers whose storage the target's schema leaves open; nil to refuse them.
    package var openStorage: FieldStorage?
    /// The treatment of what is lost.
    package var losses: LossPolicy
    /// Which rules of the archives' families for losses count as well.
    package var familyLosses = LossPolicy.FamilyUse.all
    /// Whether an archive need not be taken back if comparing its values shows the result; tests compare both ways.
    package var usesFastVerification = true

    /// Makes a request.
    package init(
      from source: String? = nil, to target: String, via intermediateVersions: [String] = [],
      className: String? = nil, losses: LossPolicy = LossPolicy()
    ) {
      self.source = source
      self.target = target
      self.intermediateVersions = intermediateVersions
      self.className = className
      self.losses = losses
    }
  }

  /// The possible families of the archives.
  package let catalog: SchemaCatalog
  /// The only family to try; nil for all.
  package let family: SchemaFamily?
  /// The parameters.
  package let request: Request
  /// The limits for reading.
  package let limits: Limits
  /// Whether values may be lost when an archive is taken back.
  var isForgiving = false
  /// Counts what the archives of a run lose although nobody named it; nil if nobody asks.
  package var tally: LossTally?
  /// How many archives enclose those that are migrated.
  var depth = 0
  /// Migrates the archives in data values; created for the first file, for use by one thread only.
  var archives: ArchiveSteps?
  /// The lenses of the families used so far.
  var lenses: [String: FamilyLenses] = [:]

  /// Makes a migration.
  package init(
    catalog: SchemaCatalog, family: SchemaFamily? = nil, _ request: Request,
    limits: Limits = Limits()
  ) {
    self.catalog = catalog
    self.family = family
    self.request = request
    self.limits = limits
  }

  /// The lenses of a family, read when they are first needed.
  private mutating func lenses(
    of family: SchemaFamily
  ) throws(ArchiveError) -> FamilyLenses {
    if let known = lenses[family.name] { return known }
    let found = try FamilyLenses(of: family)
    lenses[family.name] = found
    return found
  }
}

extension Migration: ArchiveRewriting {
  /// Migrates one archive.
  ///
  /// Before the new bytes are returned, they are decoded again, validated against the target's schema, taken back by
  /// the code of the opposite migration, and matched with the source object by object.
  ///
  /// - Throws: `ArchiveError` if the archive cannot be decoded, or the target cannot express it.
  package mutating func rewrite(_ input: RewriteInput) throws(ArchiveError) -> Rewritten {
    let graph = try ArchiveReader(limits: limits, marksWide: true).read(input.storage)
    let task: MigrationTask
    switch try prepare(input, graph) {
    case .ended(let result): return result
    case .task(let prepared): task = prepared
    }
    let ambiguity = VersionAmbiguity(task: task)
    if request.source == nil, task.kept == nil, let reason = try ambiguity.refusal() {
      return .refused(reason)
    }
    task.archives.begin()
    let result = try task.run()
    let losses = task.request.losses
    if case .changed(let archive) = result, losses.keeping == nil || losses.isKeptByFamily {
      tally?.add(archive.details.migration?.losses ?? [], isKept: losses.isKeptByFamily)
    }
    // The version of a nested archive is determined by the enclosing lens.
    if request.source == nil || depth > 0 { return result }
    return try ambiguity.warned(result, limits: limits)
  }

  /// Takes an archive back that a migration has just made; what a schema does not determine is plain.
  ///
  /// - Parameter graph: the archive, read from the input's bytes.
  /// - Returns: the bytes of the archive, and the classes and storage that nothing determines.
  /// - Throws: `ArchiveError` if the archive could not be migrated.
  mutating func migrateBack(
    _ input: RewriteInput, _ graph: ObjectGraph
  ) throws(ArchiveError) -> ArchiveEncoding.Result {
    var task: MigrationTask
    switch try prepare(input, graph) {
    case .task(let prepared): task = prepared
    case .ended(.refused(let reason, let violations, _)):
      throw ArchiveError(
        .mismatch, violations.first.map { "\(reason): \($0.message)" } ?? reason,
        path: violations.first?.path)
    case .ended(.unchanged(let reason, _)): throw ArchiveError(.mismatch, reason)
    case .ended(.changed): throw ArchiveError(.mismatch, "is changed already")
    }
    if let refusal = task.oneWayRefusal { throw ArchiveError(.mismatch, refusal) }
    (task.isGoingBack, task.isLenient) = (true, true)
    task.archives.isForgiving = isForgiving
    let transformed = try Transformation(task)
    let losses = Losses(task.request.losses, lost: transformed.lost)
    if !isForgiving, let first = losses.refused.first {
      throw ArchiveError(
        .unrepresentable, "would lose \(Losses.summary(losses.refused))", path: first.path)
    }
    return try ArchiveEncoding(task: task).encode(transformed.root)
  }

  /// An archive that can be migrated, or the result for one that is not.
  private enum Preparation {
    case task(MigrationTask)
    case ended(Rewritten)
  }

  /// Finds out what is to be done with an archive.
  private mutating func prepare(
    _ input: RewriteInput, _ graph: ObjectGraph
  ) throws(ArchiveError) -> Preparation {
    guard let model = graph.unwrapModel(),
      let detection = catalog.detect(model, in: graph, family: family)
    else { return .ended(.refused(try nothingFits(graph))) }
    let family = detection.family
    let kept = try LostValues.find(
      for: input, graph, model, isOptional: request.losses.allowsAll)
    let version = try version(of: detection, kept, in: graph)
    guard let target = family.version(request.target) else {
      return .ended(.refused("\(family.name) has no version \(request.target)"))
    }
    let read = version.model(model, in: graph)
    let violations = try version.validate(read.root, in: graph, family: family)
    guard violations.isEmpty else {
      return .ended(.refused("does not fit \(version.label)", violations: violations))
    }
    if version === target {
      let details = MigrationDetails(
        family: family.name, source: target.name, target: target.name)
      return .ended(
        .unchanged("is \(target.label) already", details: RewriteDetails(migration: details)))
    }
    try WideIntegers.refuse(in: model.root, of: graph)
    if let source = request.source, version.name != source {
      return .ended(.refused("is \(version.label), not \(family.name)@\(source)"))
    }
    let lenses = try lenses(of: family)
    let path = lenses.path(
      from: version.name, to: target.name, via: request.intermediateVersions)
    guard let path else {
      let via = request.intermediateVersions.joined(separator: ", ")
      return .ended(
        .refused(
          "\(family.name) has no lens from \(version.name) to \(target.name)"
            + (via.isEmpty ? "" : " by way of \(via)")))
    }
    let archives = archives ?? ArchiveSteps(catalog: catalog, limits: limits, depth: depth)
    self.archives = archives
    var request = request
    let versions = [version.name] + path.map(\.target)
    request.losses = request.losses.joined(
      with: family.losses.rules(along: versions), request.familyLosses)
    return .task(
      MigrationTask(
        input: input.storage, graph: graph, model: read, kept: kept, family: family,
        source: version, target: target, path: path, lenses: lenses, request: request,
        limits: limits,
        archives: archives))
  }

  /// The version of an archive.
  ///
  /// Among those that it fits, it is the requested one, otherwise that of its kept values, otherwise the detected one.
  private func version(
    of detection: Detection, _ kept: LostValues?, in graph: ObjectGraph
  ) throws(ArchiveError) -> SchemaVersion {
    let family = detection.family
    for name in [request.source, kept?.family == family.name ? kept?.version : nil] {
      guard let version = name.flatMap({ family.version($0) }) else { continue }
      if version === detection.version { return version }
      if try version.validate(graph, family: family).isEmpty { return version }
    }
    return detection.version
  }

  /// Why an archive is of no version: the error of its root's data, or that no version fits.
  private func nothingFits(_ graph: ObjectGraph) throws(ArchiveError) -> String {
    if let error = graph.contentError(of: graph.root) { throw error }
    let subject = family.map { "is not a \($0.name) archive" } ?? "fits no known schema"
    return subject + (graph.unusualTopLevelKeys.map { "; \($0)" } ?? "")
  }
}
