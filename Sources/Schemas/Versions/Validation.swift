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
      return Result(
        version: nil, ValidationOutcome([]), of: nil, reason: nothingFits(model, in: graph))
    }
    let found = try detection.version.examine(
      detection.model.root, in: graph, family: detection.family, mostViolations: mostViolations)
    return Result(
      version: detection.version, found, of: model.root, reason: detection.candidate.reason)
  }

  /// Why no version fits an archive, and which one is nearest.
  private func nothingFits(_ model: UnwrappedModel?, in graph: ObjectGraph) -> String {
    let described = model.map { "envelope \($0.envelope.rawValue)" } ?? "no envelope that is known"
    let subject = family.map { "no version of \($0.name)" } ?? "no known schema"
    guard let model, let nearest = catalog.nearest(to: model, in: graph, family: family) else {
      return "\(subject) fits (\(described))" + graph.unusualTopLevelKeys
    }
    return
      "\(subject) fits (\(described)); the nearest is \(nearest.version.label), which \(nearest.obstacle(model))"
      + graph.unusualTopLevelKeys
  }
}
