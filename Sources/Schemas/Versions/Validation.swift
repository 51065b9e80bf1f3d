// Validating an archive whose version is given, or has to be found.

import KeyedArchives
import ObjectGraph

/// Validates archives against the versions of a catalog.
public struct Validation {
  /// What came of an archive.
  public struct Result {
    /// The version that the archive was held against; nil if none fits.
    public let version: SchemaVersion?
    /// What does not fit.
    public let violations: [Violation]
    /// What fits, but not the class that decodes it.
    public var warnings: [Violation] = []
    /// Why the version was chosen, or why none was; nil if it was given.
    public let reason: String?
  }

  private let catalog: SchemaCatalog
  private let family: SchemaFamily?
  private let version: SchemaVersion?

  /// Makes a validation.
  ///
  /// - Parameters:
  ///   - catalog: the families to try.
  ///   - family: the only family to try; nil for all.
  ///   - version: the only version of it to try; nil for all.
  public init(catalog: SchemaCatalog, family: SchemaFamily?, version: SchemaVersion?) {
    self.catalog = catalog
    self.family = family
    self.version = version
  }

  /// Validates an archive.
  ///
  /// - Throws: `ArchiveError` if the root's data begins as a property list and is none.
  public func run(_ graph: ObjectGraph) throws(ArchiveError) -> Result {
    // The root's data is looked into first.
    _ = UnwrappedModel(graph)
    if let error = graph.contentError(of: graph.root) { throw error.at(path: "$") }
    if let version {
      let found = try version.examine(graph, family: family)
      return Result(
        version: version, violations: found.violations, warnings: found.warnings, reason: nil)
    }
    guard let detection = catalog.detect(graph, family: family) else {
      return Result(version: nil, violations: [], reason: nothingFits(graph))
    }
    let found = try detection.version.examine(
      detection.model.root, in: graph, family: detection.family)
    return Result(
      version: detection.version, violations: found.violations, warnings: found.warnings,
      reason: detection.candidate.reason)
  }

  /// Why an archive is of no version, and which comes nearest.
  private func nothingFits(_ graph: ObjectGraph) -> String {
    let model = UnwrappedModel(graph)
    let described = model.map { "envelope \($0.envelope.rawValue)" } ?? "no envelope that is known"
    let subject = family.map { "no version of \($0.name)" } ?? "no known schema"
    guard let nearest = catalog.nearest(to: graph, family: family) else {
      return "\(subject) fits (\(described))"
    }
    return
      "\(subject) fits (\(described)); the nearest is \(nearest.version.label), which \(nearest.obstacle(model))"
  }
}
