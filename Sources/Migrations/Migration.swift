// One archive taken from one version of its family to another, and proved before anything is replaced.

import KeyedArchives
import ObjectGraph
import PropertyLists
import Schemas

/// Takes archives between versions of their families.
public struct Migration {
  /// What became of an archive.
  public enum Outcome: ~Copyable {
    /// The bytes in the target version.
    case migrated(ByteBuffer, Summary)
    /// The archive is in the target version already, and stays as it is.
    case current(SchemaVersion)
    /// The archive does not fit the version that it should be in.
    case refused(Refusal)
  }

  /// What a migration did.
  public struct Summary {
    /// The version before.
    public let source: SchemaVersion
    /// The version after.
    public let target: SchemaVersion
    /// How many bytes the archive had.
    public let sourceBytes: Int
  }

  /// Why an archive was not migrated.
  public struct Refusal {
    /// The reason in one line.
    public let reason: String
    /// What does not fit, if that is the reason.
    public let violations: [Violation]
  }

  /// The families that archives may be of.
  public let catalog: SchemaCatalog
  /// The only family to look for; nil for all.
  public let family: SchemaFamily?
  /// The name of the version that archives are in.
  public let source: String
  /// The name of the version that they shall be in.
  public let target: String
  /// The class of the root object where the target's envelope is `nscoding`.
  public let className: String?
  /// The bounds that hold for what is read.
  public let limits: Limits

  /// Makes a migration.
  public init(
    catalog: SchemaCatalog, family: SchemaFamily? = nil, from source: String, to target: String,
    className: String? = nil, limits: Limits = Limits()
  ) {
    self.catalog = catalog
    self.family = family
    self.source = source
    self.target = target
    self.className = className
    self.limits = limits
  }

  /// Migrates one archive.
  ///
  /// The new bytes are decoded again, validated against the target's schema, and compared with the source value
  /// by value before they are given out.
  ///
  /// - Parameter storage: the archive's bytes.
  /// - Throws: `ArchiveError` if the archive cannot be decoded, or the target cannot express it.
  public func run(_ storage: ByteStorage) throws(ArchiveError) -> Outcome {
    let graph = try ArchiveReader(limits: limits).read(storage)
    guard let detection = catalog.detect(graph, family: family) else {
      return .refused(Refusal(reason: try nothingFits(graph), violations: []))
    }
    let (version, family) = (detection.version, detection.family)
    guard let target = family.version(target) else {
      return .refused(
        Refusal(reason: "\(family.name) has no version \(self.target)", violations: []))
    }
    let violations = try version.validate(detection.model.root, in: graph, family: family)
    guard violations.isEmpty else {
      return .refused(
        Refusal(reason: "does not fit \(version.label)", violations: violations))
    }
    if version === target { return .current(target) }
    guard version.name == source else {
      return .refused(
        Refusal(reason: "is \(version.label), not \(family.name)@\(source)", violations: []))
    }
    let bytes = try EnvelopeWriter.wrap(
      detection.model.root, of: graph, in: target.envelope ?? .plist, shape: target.schema,
      className: className ?? target.defaultClassName)
    let copy = try prove(bytes, detection.model, graph, target, family)
    return .migrated(
      copy,
      Summary(source: version, target: target, sourceBytes: storage.bytes.count))
  }

  /// Decodes the new bytes again, validates them and compares every value with the source's.
  private func prove(
    _ bytes: consuming ByteBuffer, _ model: UnwrappedModel, _ source: ObjectGraph,
    _ target: SchemaVersion, _ family: SchemaFamily
  ) throws(ArchiveError) -> ByteBuffer {
    let view = bytes.bytes
    let storage = ByteStorage(taking: view) { _ in }
    let graph = try ArchiveReader(limits: limits).read(storage)
    let violations = try target.validate(graph, family: family)
    if let first = violations.first {
      throw ArchiveError(
        .unrepresentable, "the value does not fit \(target.label): \(first.message)",
        path: first.path)
    }
    guard let result = UnwrappedModel(graph) else {
      throw ArchiveError(.unrepresentable, "the value has no place in \(target.label)")
    }
    if let path = ModelComparison.firstDifference(model.root, of: source, result.root, of: graph) {
      throw ArchiveError(
        .unrepresentable, "\(target.label) cannot keep the value as it is", path: path)
    }
    return bytes
  }

  /// Why an archive is of no version: the error of its root's data, or that nothing fits.
  private func nothingFits(_ graph: ObjectGraph) throws(ArchiveError) -> String {
    if let error = graph.contentError(of: graph.root) { throw error }
    let wanted = family.map { "is no \($0.name)" } ?? "fits no schema that is known"
    return wanted
  }
}

extension SchemaVersion {
  /// The first class of the version that is no pattern.
  var defaultClassName: String? { classPatterns.first { !$0.contains("*") } }
}
