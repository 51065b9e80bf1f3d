// Holding archives and models against a version.

import Basics
import KeyedArchives
import ObjectGraph

/// What came of holding a value against a schema.
public struct Examination: Sendable {
  /// How many violations are put into words unless more or fewer are wanted.
  public static let usualViolations = 10_000

  /// The violations, as many as were wanted in words.
  public let violations: [Violation]
  /// How many violations there are.
  public let violationCount: Int
  /// What fits, but not the class that decodes it; and what the schema calls deprecated.
  public let warnings: [Violation]

  init(_ violations: [Violation], count: Int? = nil, warnings: [Violation] = []) {
    self.violations = violations
    violationCount = count ?? violations.count
    self.warnings = warnings
  }
}

extension SchemaVersion {
  /// Validates an archive against this version.
  ///
  /// - Parameters:
  ///   - graph: the archive.
  ///   - family: the family of the version, for the error payloads that it knows.
  /// - Returns: every violation; none if the archive fits.
  /// - Throws: `ArchiveError` with code `limit` if the model is too large to be walked.
  public func validate(
    _ graph: ObjectGraph, family: SchemaFamily? = nil
  ) throws(ArchiveError) -> [Violation] {
    try examine(graph, family: family).violations
  }

  /// Validates an archive against this version, and looks for what its class could not decode although it fits.
  ///
  /// - Parameter mostViolations: how many violations are put into words; all are counted.
  /// - Throws: as `validate(_:family:)`.
  public func examine(
    _ graph: ObjectGraph, family: SchemaFamily? = nil,
    mostViolations: Int = Examination.usualViolations
  ) throws(ArchiveError) -> Examination {
    let model = UnwrappedModel(graph)
    guard envelope != nil else {
      // Without a word on the envelope, the model is whatever the input holds.
      return try examine(
        model?.root ?? graph.root, in: graph, family: family, mostViolations: mostViolations)
    }
    let found = Validator.text(of: graph.value(of: graph.root), in: graph)
    let isEmpty = model.map { isEmptyList($0, in: graph) } ?? false
    if let mismatch = archive.mismatch(model, found: found, isEmptyList: isEmpty) {
      let isWrapped = model?.envelope == envelope
      return Examination([
        archiveViolation(mismatch, (isWrapped ? model?.root : nil) ?? graph.root, graph)
      ])
    }
    guard let model else { return Examination([]) }
    return try examine(
      self.model(model, in: graph).root, in: graph, family: family,
      mostViolations: mostViolations)
  }

  /// Validates a model value.
  public func validate(
    _ model: Node, in graph: ObjectGraph, family: SchemaFamily? = nil
  ) throws(ArchiveError) -> [Violation] {
    try examine(model, in: graph, family: family).violations
  }

  /// Validates a model value, and looks for what its class could not decode although it fits.
  public func examine(
    _ model: Node, in graph: ObjectGraph, family: SchemaFamily? = nil,
    mostViolations: Int = Examination.usualViolations
  ) throws(ArchiveError) -> Examination {
    var validator = Validator(
      graph, schema, errorPayloads: family?.errorPayloads ?? [], mostViolations: mostViolations)
    try validator.run(model)
    return Examination(
      validator.violations, count: validator.violationCount, warnings: validator.warnings)
  }

  /// Whether an archive is a list of no objects, which may be of any class.
  private func isEmptyList(_ model: UnwrappedModel, in graph: ObjectGraph) -> Bool {
    guard allowsList, envelope == .nscoding, model.envelope == .dictionariable,
      case .array(let elements) = graph.value(of: model.root)
    else { return false }
    return elements.count == 0
  }

  private func archiveViolation(
    _ mismatch: (expected: String, found: String), _ node: Node, _ graph: ObjectGraph
  ) -> Violation {
    Violation(
      rule: "x-archive", path: "$", expected: mismatch.expected, found: mismatch.found,
      offset: graph.fileOffset(of: node), keywordLocation: "/x-archive",
      absoluteKeywordLocation: schema.location + "/x-archive")
  }
}
