// The step that a lens takes with an archive in a data value: from one version of its family to another.

/// Two versions of a family that archives in data values are taken between.
public struct ArchiveStep: Sendable, Hashable {
  /// The family's name.
  public let family: String
  /// The version that an archive is in.
  public let source: String
  /// The version that it becomes.
  public let target: String

  /// The labels of the versions: `Influence@v1`.
  var labels: (source: String, target: String) {
    ("\(family)@\(source)", "\(family)@\(target)")
  }

  /// The step that does forward what this one does in a direction.
  func looked(_ direction: LensDirection) -> ArchiveStep {
    direction == .forward
      ? self : ArchiveStep(family: family, source: target, target: source)
  }
}
