// Validating an archive whose version is given, or has to be found.

import Basics
import KeyedArchives
import ObjectGraph

/// Validates archives against the versions of a catalog.
public struct Validation {
  /// What came of an archive.
  public struct Result {
    /// The version that the archive was held against; nil if none fits.
    public let version: SchemaVersion?
    /// What does not fit, as much of it as was wanted in words.
    public let violations: [Violation]
    /// How much does not fit.
    public let violationCount: Int
    /// What fits, but not the class that decodes it.
    public let warnings: [Violation]
    /// Why the version was chosen, or why none was; nil if it was given.
    public let reason: String?

    init(version: SchemaVersion?, _ found: ValidationOutcome, reason: String?) {
      self.version = version
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
  ///   - version: the only version of it to try; nil for all.
  ///   - mostViolations: how many violations of an archive are put into words; all are counted.
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
  /// - Throws: `ArchiveError` if the root's data begins as a property list and is none.
  public func run(_ graph: ObjectGraph) throws(ArchiveError) -> Result {
    // To take the envelope off is to look into the root's data, where an error may be.
    let model = UnwrappedModel(graph)
    if let error = graph.contentError(of: graph.root) { throw error.at(path: "$") }
    if let version {
      let found = try version.examine(
        model, in: graph, family: family, mostViolations: mostViolations)
      return Result(version: version, found, reason: nil)
    }
    guard let model, let detection = catalog.detect(model, in: graph, family: family) else {
      return Result(version: nil, ValidationOutcome([]), reason: nothingFits(model, in: graph))
    }
    let found = try detection.version.examine(
      detection.model.root, in: graph, family: detection.family, mostViolations: mostViolations)
    return Result(
      version: detection.version, found, reason: detection.candidate.reason)
  }

  /// Why an archive is of no version, and which comes nearest.
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
