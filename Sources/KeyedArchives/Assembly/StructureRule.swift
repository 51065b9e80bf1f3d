// A schema's requirements for archived values besides the values: classes, storage, mutability.

import ObjectGraph

/// What is known about the class and the storage of the values at one location of a model.
public struct StructureRule: Hashable, Sendable {
  /// Patterns of the class names that an object may have, best first; empty for any.
  public var classes: [String] = []
  /// The class and its superclasses up to the root; empty where they are not known.
  public var chain: [String] = []
  /// The possible storage of a field, best first; empty for any.
  public var storages: [FieldStorage] = []
  /// Whether a collection, string or data value is of a mutable class; nil for either.
  public var isMutable: Bool?

  /// Makes a rule without requirements.
  public init() {}

  /// The class that a new object gets: the first of the classes, unless that is a pattern.
  public var className: String? { classes.first.flatMap { $0.contains("*") ? nil : $0 } }

  /// The storage that a new value gets.
  public var storage: FieldStorage? { storages.first }

  /// The chain of a new object's class.
  public var newChain: [String]? {
    guard let className else { return nil }
    return FoundationClass.chain(of: className, declared: chain, replacing: nil)
  }
}
