// What a migration did to one archive, or would do: the path through the versions, the operations, the losses.

import KeyedArchives

/// The migration of one archive.
public struct MigrationDetails: Sendable {
  /// An operation of a lens, in the direction in which it is applied.
  public struct Operation: Sendable {
    /// The lens: `v1-v2`.
    public let lens: String
    /// The direction of the lens.
    public let direction: LensDirection
    /// The operation's place in the lens: `/lens/1`.
    public let pointer: String
    /// What it does: `remove note`.
    public let title: String
  }

  /// How an archive gets to its target.
  public struct Route: Sendable {
    /// The versions on the path, source and target among them.
    public let versions: [String]
    /// The operations in their order.
    public let operations: [Operation]
    /// The lenses on the path that have no way back.
    public let oneWay: [String]

    /// Makes a route.
    public init(versions: [String], operations: [Operation], oneWay: [String]) {
      self.versions = versions
      self.operations = operations
      self.oneWay = oneWay
    }
  }

  /// Values that one operation cannot carry, or something that an envelope cannot hold.
  public enum Loss: Sendable {
    /// Values of a kind that an operation cannot carry.
    case values(LostGroup)
    /// Something beside the values, such as a class.
    case structure(StructureLoss)
  }

  /// The name of the family.
  public let family: String
  /// The name of the version that the archive is in.
  public let source: String
  /// The name of the version that it becomes.
  public let target: String
  /// How it gets there; nil for an archive that is in its target already.
  public var route: Route?
  /// What is lost; nil where that is not known, since a lens or the target refused the archive.
  public var losses: [Loss]?
  /// How many values that were kept have no place to go back to.
  public var orphanedCount = 0
  /// The path of the value for which the archive was refused, where it was.
  public var refusedAt: String?

  /// Makes the details of an archive that is in its target.
  public init(family: String, source: String, target: String) {
    self.family = family
    self.source = source
    self.target = target
  }

  /// `WeatherFeed@v1 to v2`.
  public var summary: String { "\(family)@\(source) to \(target)" }

  /// Whether the way back brings everything back; nil where that is not known.
  ///
  /// Without a way back nothing shows that no value is lost.
  public var isLossless: Bool? {
    losses.map { $0.isEmpty && route?.oneWay.isEmpty != false }
  }
}

/// Values of one kind that one operation cannot carry.
public struct LostGroup: Sendable {
  /// What about the values is lost.
  public let kind: LostValue.Kind
  /// The path of the first of them.
  public let path: String
  /// The lens.
  public let lens: String
  /// The operation's place in the lens.
  public let operation: String
  /// What the operation does.
  public let title: String
  /// What would come back of the first, where that shows the loss.
  public let note: String?
  /// How many there are.
  public internal(set) var count: Int

  init(_ first: LostValue) {
    kind = first.kind
    path = first.path
    lens = first.lens
    operation = first.operation
    title = first.title
    note = first.note
    count = 1
  }

  /// As in `the value $.steps[0].note and 4 more`.
  var wording: String {
    let more = count > 1 ? " and \(count - 1) more" : ""
    return "\(kind.wording) \(path)\(more)"
  }

  /// As in `, "007" comes back as "7"`; empty without a note.
  var remark: String { note.map { ", \($0)" } ?? "" }
}
