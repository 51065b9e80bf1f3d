// The effect of a migration on one archive: the path through the versions, the operations, the losses.

import Basics
import KeyedArchives

/// The migration of one archive.
public struct MigrationDetails: Sendable {
  /// An operation of a lens, in the direction in which it is applied.
  public struct Operation: Sendable {
    /// The lens: `v1-v2`.
    public let lens: String
    /// The direction of the lens.
    public let direction: LensDirection
    /// The operation's location in the lens: `/lens/1`.
    public let pointer: String
    /// Its effect: `remove note`.
    public let title: String
  }

  /// The route of an archive to its target.
  public struct Route: Sendable {
    /// The versions on the path, including source and target.
    public let versions: [String]
    /// The operations in order.
    public let operations: [Operation]
    /// The lenses on the path that cannot be inverted.
    public let oneWay: [String]

    /// Makes a route.
    public init(versions: [String], operations: [Operation], oneWay: [String]) {
      self.versions = versions
      self.operations = operations
      self.oneWay = oneWay
    }
  }

  /// The name of the family.
  public let family: String
  /// The name of the version that the archive is in.
  public let source: String
  /// The name of the version to migrate to.
  public let target: String
  /// The route; nil for an archive that is already in its target version.
  public var route: Route?
  /// The losses; nil if they are unknown, because a lens or the target refused the archive.
  public var losses: [MigrationLoss]?
  /// How many kept values have no location to be restored to.
  public var orphanedCount = 0
  /// The path of the value that caused a refusal, if there was one.
  public var refusedAt: GraphPath?
  /// Whether that value has the right type, and an operation refuses its content.
  var refusesContent = false

  /// Makes the details of an archive that is in its target version.
  public init(family: String, source: String, target: String) {
    self.family = family
    self.source = source
    self.target = target
  }

  /// `WeatherFeed@v1 to v2`.
  public var summary: String { "\(family)@\(source) to \(target)" }

  /// Whether the inverse migration restores everything; nil if that is unknown.
  ///
  /// If there is no inverse, nothing shows that no value is lost.
  public var isLossless: Bool? {
    losses.map { $0.isEmpty && route?.oneWay.isEmpty != false }
  }
}
