// Archives taken from one version of their family to another, and proved before anything is replaced.

import Basics
import KeyedArchives
import ObjectGraph
import Schemas

/// Takes archives between versions of their families.
public struct Migration {
  /// What happens to values that the lenses cannot carry.
  public enum LossPolicy: String, Sendable {
    /// An archive that would lose some is refused.
    case refuse
    /// They are lost.
    case allow
    /// They go into the file `FILE.lost.json` beside the archive.
    case keepBeside
    /// They go into the model's member `x-lost`.
    case keepInside
  }

  /// What is asked for.
  public struct Request: Sendable {
    /// The name of the version that archives are in; nil for whichever it is.
    public var source: String?
    /// The name of the version that they shall be in.
    public var target: String
    /// The versions that the way must lead through, in order.
    public var stations: [String]
    /// The class of the root object where the target's envelope is `nscoding`.
    public var className: String?
    /// What happens to values that the lenses cannot carry.
    public var losses: LossPolicy

    /// Makes a request.
    public init(
      from source: String? = nil, to target: String, via stations: [String] = [],
      className: String? = nil, losses: LossPolicy = .refuse
    ) {
      self.source = source
      self.target = target
      self.stations = stations
      self.className = className
      self.losses = losses
    }
  }

  /// The families that archives may be of.
  public let catalog: SchemaCatalog
  /// The only family to look for; nil for all.
  public let family: SchemaFamily?
  /// What is asked for.
  public let request: Request
  /// The bounds that hold for what is read.
  public let limits: Limits
  /// How many archives lie around those that are migrated.
  var depth = 0
  /// What takes the archives in data values; made when the first file comes, for one thread alone.
  private var archives: ArchiveSteps?
  /// The lenses of the families met so far.
  private var lenses: [String: FamilyLenses] = [:]

  /// Makes a migration.
  public init(
    catalog: SchemaCatalog, family: SchemaFamily? = nil, _ request: Request,
    limits: Limits = Limits()
  ) {
    self.catalog = catalog
    self.family = family
    self.request = request
    self.limits = limits
  }

  /// The lenses of a family, read when it is first met.
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
  /// The new bytes are decoded again, validated against the target's schema, and taken back through the lenses to be compared
  /// with the source value by value before they are given out.
  ///
  /// - Throws: `ArchiveError` if the archive cannot be decoded, or the target cannot express it.
  public mutating func rewrite(_ input: RewriteInput) throws(ArchiveError) -> Rewritten {
    let graph = try ArchiveReader(limits: limits, marksWide: true).read(input.storage)
    guard let model = UnwrappedModel(graph),
      let detection = catalog.detect(model, in: graph, family: family)
    else { return .refused(try nothingFits(graph), violations: []) }
    let family = detection.family
    let kept = try KeptRecord.find(
      for: input, graph, model, isOptional: request.losses == .allow)
    let version = try version(of: detection, kept, in: graph)
    guard let target = family.version(request.target) else {
      return .refused("\(family.name) has no version \(request.target)", violations: [])
    }
    let read = version.model(model, in: graph)
    let violations = try version.validate(read.root, in: graph, family: family)
    guard violations.isEmpty else {
      return .refused("does not fit \(version.label)", violations: violations)
    }
    if version === target {
      let details = MigrationDetails(
        family: family.name, source: target.name, target: target.name)
      return .unchanged(
        "is \(target.label) already", details: RewriteDetails(migration: details))
    }
    try WideIntegers.refuse(in: model.root, of: graph)
    if let source = request.source, version.name != source {
      return .refused("is \(version.label), not \(family.name)@\(source)", violations: [])
    }
    let lenses = try lenses(of: family)
    let way = lenses.path(
      from: version.name, to: target.name, via: request.stations)
    guard let way else {
      return .refused(
        "\(family.name) has no lens from \(version.name) to \(target.name)\(stations)",
        violations: [])
    }
    let travel = Travel(
      input: input.storage, graph: graph, model: read, kept: kept, family: family, source: version,
      target: target,
      way: way)
    let ambiguity = VersionAmbiguity(travel: travel, lenses: lenses)
    if request.source == nil, kept == nil, let reason = try ambiguity.refusal() {
      return .refused(reason, violations: [])
    }
    let archives = archives ?? ArchiveSteps(catalog: catalog, limits: limits, depth: depth)
    self.archives = archives
    archives.begin()
    let result = try MigrationRun(
      travel: travel, request: request, limits: limits, archives: archives
    ).run()
    // The version of an archive in an archive is told by the lens around it.
    if request.source == nil || depth > 0 { return result }
    return try ambiguity.warned(result, limits: limits)
  }

  /// The version that an archive is in: among those that it fits the one that is asked for, then the one that what was
  /// kept of it is of, then the one that is detected.
  private func version(
    of detection: Detection, _ kept: KeptRecord?, in graph: ObjectGraph
  ) throws(ArchiveError) -> SchemaVersion {
    let family = detection.family
    for name in [request.source, kept?.family == family.name ? kept?.version : nil] {
      guard let version = name.flatMap({ family.version($0) }) else { continue }
      if version === detection.version { return version }
      if try version.validate(graph, family: family).isEmpty { return version }
    }
    return detection.version
  }

  private var stations: String {
    request.stations.isEmpty ? "" : " by way of \(request.stations.joined(separator: ", "))"
  }

  /// Why an archive is of no version: the error of its root's data, or that nothing fits.
  private func nothingFits(_ graph: ObjectGraph) throws(ArchiveError) -> String {
    if let error = graph.contentError(of: graph.root) { throw error }
    let subject = family.map { "is not a \($0.name) archive" } ?? "fits no known schema"
    return subject + graph.unusualTopLevelKeys
  }
}

/// An archive and the way that it is to go.
struct Travel {
  /// The archive's bytes.
  let input: ByteStorage
  let graph: ObjectGraph
  let model: UnwrappedModel
  /// What an earlier migration kept of it; nil if nothing.
  let kept: KeptRecord?
  let family: SchemaFamily
  let source: SchemaVersion
  let target: SchemaVersion
  let way: [LensStep]

  /// Whether the root is a list of models.
  var isList: Bool {
    guard source.allowsList, case .array = graph.value(of: model.root) else { return false }
    return true
  }
}

extension SchemaVersion {
  /// The class of a new root object: what the schema names, or the first of the classes unless that is a pattern.
  var newRootClass: String? {
    if let name = schema.structure(schema.root)?.className { return name }
    return classPatterns.first.flatMap { $0.contains("*") ? nil : $0 }
  }
}
