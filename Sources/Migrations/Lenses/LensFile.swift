// A lens between two versions of a family, as it lies beside their schemas.

/// A lens and the versions that it joins.
public struct LensFile: Sendable {
  /// The version that the forward direction starts from.
  public let source: String
  /// The version that it leads to.
  public let target: String
  /// The lens.
  public let lens: Lens
  /// Where it was read from; nil for the lens that joins versions with one model.
  public let path: String?

  /// `v1-v2`: how losses and errors name the lens.
  public var name: String { "\(source)-\(target)" }

  /// How lens files are called.
  static let suffix = ".lens.json"

  /// Makes a lens between versions.
  public init(source: String, target: String, lens: Lens, path: String? = nil) {
    self.source = source
    self.target = target
    self.lens = lens
    self.path = path
  }
}

/// A lens and the way it is looked through.
public struct LensStep: Sendable {
  /// The lens.
  public let file: LensFile
  /// The way.
  public let direction: LensDirection

  /// The version before.
  public var source: String { direction == .forward ? file.source : file.target }
  /// The version after.
  public var target: String { direction == .forward ? file.target : file.source }

  /// The operations in the order in which they are done.
  public var operations: [LensOperation] { file.lens.operations(direction) }

  /// Whether it goes back through a lens that leads forward only.
  public var isAgainstOneWay: Bool { file.lens.isOneWay && direction == .backward }

  /// The way back.
  public var reversed: LensStep { LensStep(file: file, direction: direction.reversed) }
}
