// Which version of which family an archive is, and whether it fits.

import KeyedArchives
import ObjectGraph

/// A version that an archive is taken for.
public struct Detection {
  /// The version.
  public let version: SchemaVersion
  /// Its family.
  public let family: SchemaFamily
  /// The model in the archive.
  public let model: UnwrappedModel
  /// How many of the members that the version requires the model has, of how many.
  public let score: (present: Int, required: Int)
}

extension SchemaCatalog {
  /// Finds the version whose envelope an archive has, and most of whose required members its model has.
  ///
  /// - Parameter family: the only family to look at; nil for all.
  /// - Returns: nil if no version has the envelope and any member, and no error payload stands in its place.
  public func detect(_ graph: ObjectGraph, family only: SchemaFamily? = nil) -> Detection? {
    guard let model = UnwrappedModel(graph) else { return nil }
    let members = Self.members(of: model, in: graph)
    var best: (detection: Detection, share: Double)?
    for family in only.map({ [$0] }) ?? families {
      for version in family.versions where Self.fits(version, model) {
        let required = version.schema.requiredMembers
        let present = required.filter { members.contains($0) }.count
        let isError = Self.isErrorPayload(model, family, graph)
        // The class of an object tells its family even where the object is empty.
        let isNamed = version.envelope == .nscoding
        guard present > 0 || isError || isNamed || only != nil else { continue }
        // Members that the version does not know count against it, so that of two that fit the nearer wins.
        let unknown = members.subtracting(version.schema.members).count
        let share =
          isError ? 0.5 : Double(present) / Double(max(required.count + unknown, 1))
        if best == nil || share > best?.share ?? 0 {
          let detection = Detection(
            version: version, family: family, model: model, score: (present, required.count))
          best = (detection, share)
        }
      }
    }
    return best?.detection
  }

  private static func fits(_ version: SchemaVersion, _ model: UnwrappedModel) -> Bool {
    guard version.envelope == model.envelope else { return false }
    guard version.envelope == .nscoding, let name = model.className else { return true }
    return version.classPatterns.contains { name.matches(pattern: $0) }
  }

  /// The names of the members of a model, or of the first model of a list.
  private static func members(of model: UnwrappedModel, in graph: ObjectGraph) -> Set<String> {
    var value = graph.value(of: model.root)
    if case .array(let elements) = value, elements.count > 0 {
      value = graph.value(of: graph.node(elements, 0))
    }
    switch value {
    case .dictionary(let pairs), .object(_, let pairs):
      // A model has few members; what has thousands is none.
      guard pairs.count <= 4096 else { return [] }
      return Set(
        (0..<pairs.count).compactMap {
          graph.memberName(pairs, $0)?.string
        })
    default: return []
    }
  }

  private static func isErrorPayload(
    _ model: UnwrappedModel, _ family: SchemaFamily, _ graph: ObjectGraph
  ) -> Bool {
    let value = graph.value(of: model.root)
    return family.errorPayloads.contains { ErrorPayloadReading(value, $0, graph) != nil }
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
    _ graph: ObjectGraph, family: SchemaFamily
  ) throws(ArchiveError) -> [Violation] {
    try examine(graph, family: family).violations
  }

  /// Validates an archive against this version, and looks for what its class could not decode although it fits.
  ///
  /// - Throws: as `validate(_:family:)`.
  public func examine(
    _ graph: ObjectGraph, family: SchemaFamily
  ) throws(ArchiveError) -> (violations: [Violation], warnings: [Violation]) {
    guard let model = UnwrappedModel(graph), model.envelope == envelope else {
      return ([envelopeViolation(graph)], [])
    }
    if envelope == .nscoding, let name = model.className,
      !classPatterns.contains(where: { name.matches(pattern: $0) })
    {
      let violation = Violation(
        rule: "x-archive", path: "$",
        expected: "an object of class \(classPatterns.joined(separator: " or "))",
        found: "class \(name.display)", offset: graph.fileOffset(of: model.root))
      return ([violation], [])
    }
    return try examine(model.root, in: graph, family: family)
  }

  /// Validates a model value.
  public func validate(
    _ model: Node, in graph: ObjectGraph, family: SchemaFamily
  ) throws(ArchiveError) -> [Violation] {
    try examine(model, in: graph, family: family).violations
  }

  /// Validates a model value, and looks for what its class could not decode although it fits.
  public func examine(
    _ model: Node, in graph: ObjectGraph, family: SchemaFamily
  ) throws(ArchiveError) -> (violations: [Violation], warnings: [Violation]) {
    var validator = Validator(graph, schema, errorPayloads: family.errorPayloads)
    try validator.run(model)
    return (validator.violations, validator.warnings)
  }

  private func envelopeViolation(_ graph: ObjectGraph) -> Violation {
    let found = UnwrappedModel(graph).map { "the envelope \($0.envelope.rawValue)" }
    return Violation(
      rule: "x-archive", path: "$", expected: "the envelope \(envelope.rawValue)",
      found: found ?? Validator.text(of: graph.value(of: graph.root), in: graph),
      offset: graph.fileOffset(of: graph.root))
  }
}
