// Validates an archive whose version is specified, or has to be detected.

import Basics
import KeyedArchives
import ObjectGraph

/// Validates archives against the versions of a catalog.
public struct Validation {
  /// The result for an archive.
  public struct Result {
    /// The version that the archive was validated against; nil if none fits.
    public let version: SchemaVersion?
    /// The root of the model in the archive; nil if no version fits.
    public let model: Node?
    /// The violations with a message, up to the requested number.
    public let violations: [Diagnostic]
    /// How many violations there are.
    public let violationCount: Int
    /// Warnings about values that fit, but not the class that decodes them.
    public let warnings: [Diagnostic]
    /// Why the version was chosen, or why none was; nil if it was specified.
    public let reason: String?
    /// What may help if no version fits: which one is nearest, unless it is far; nil if nothing does.
    public private(set) var hint: String?

    /// Makes the result for an archive that no version fits.
    init(nothingFits description: String, hint: String?) {
      self.init(
        version: nil, ValidationOutcome([]), of: nil,
        reason: description + (hint.map { "; \($0)" } ?? ""))
      self.hint = hint
    }

    init(version: SchemaVersion?, _ found: ValidationOutcome, of model: Node?, reason: String?) {
      self.version = version
      self.model = model
      violations = found.violations
      violationCount = found.violationCount
      warnings = found.warnings
      self.reason = reason
    }
  }

  private let catalog: SchemaCatalog
  private let family: SchemaFamily?
  private let version: SchemaVersion?

  private let mostViolations: Int

  /// Makes a validation.
  ///
  /// - Parameters:
  ///   - catalog: the families to try.
  ///   - family: the only family to try; nil for all.
  ///   - version: the only version of that family to try; nil for all.
  ///   - mostViolations: how many violations of an archive get a message; all are counted.
  public init(
    catalog: SchemaCatalog, family: SchemaFamily?, version: SchemaVersion?,
    mostViolations: Int = ValidationOutcome.usualViolations
  ) {
    self.mostViolations = mostViolations
    self.catalog = catalog
    self.family = family
    self.version = version
  }

  /// Validates an archive.
  ///
  /// - Throws: `ArchiveError` if the root's data begins as a property list but is not valid.
  public func run(_ graph: ObjectGraph) throws(ArchiveError) -> Result {
    if let error = graph.contentError(of: graph.root) { throw error.at(path: GraphPath()) }
    let model = UnwrappedModel(graph)
    if let version {
      let found = try version.examine(
        model, in: graph, family: family, mostViolations: mostViolations)
      return Result(version: version, found, of: model?.root, reason: nil)
    }
    guard let model, let detection = catalog.detect(model, in: graph, family: family) else {
      return nothingFits(model, in: graph)
    }
    let found = try detection.version.examine(
      detection.model.root, in: graph, family: detection.family, mostViolations: mostViolations)
    return Result(
      version: detection.version, found, of: model.root, reason: detection.candidate.reason)
  }

  /// Whether an archive of no version is invalid: one family was to be tried.
  public var isForOneFamily: Bool { family != nil }

  /// The result for an archive that no version fits, and which one is nearest.
  private func nothingFits(_ model: UnwrappedModel?, in graph: ObjectGraph) -> Result {
    let described = model.map { "envelope \($0.envelope.rawValue)" } ?? "no envelope that is known"
    let subject = family.map { "no version of \($0.name)" } ?? "no known schema"
    let nearest = model.flatMap { catalog.nearest(to: $0, in: graph, family: family) }
    var hints =
      nearest.map { ["the nearest is \($0.version.label), which \($0.obstacle(model))"] } ?? []
    // Its top-level keys say little about an archive that is of no family.
    if nearest != nil || family != nil || catalog.families.contains(where: { !$0.isBuiltIn }) {
      hints += [graph.unusualTopLevelKeys].compactMap { $0 }
    }
    return Result(
      nothingFits: "\(subject) fits (\(described))",
      hint: hints.isEmpty ? nil : hints.joined(separator: "; "))
  }
}
