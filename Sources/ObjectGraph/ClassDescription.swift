// A class as an archive names it.

import Basics

/// A class that objects of a graph have.
public struct ClassDescription: Hashable, Sendable {
  /// The name as stored, mangled or not.
  public let name: String
  /// The name as people read it.
  public let displayName: String
  /// The class and its superclasses up to the root, as stored; may be empty.
  public let chain: [String]
  /// The classes to take where the class itself is not there, the best first, as stored.
  public let hints: [String]
  /// The versions of the chain's classes, which typedstreams have; empty if they are all 0.
  public let versions: [Int64]

  /// Makes a description.
  public init(
    name: String, displayName: String, chain: [String], hints: [String] = [],
    versions: [Int64] = []
  ) {
    self.name = name
    self.displayName = displayName
    self.chain = chain
    self.hints = hints
    self.versions = versions
  }

  /// An unarchiver takes names that Unicode calls equal, but that are spelt differently, for those of two classes.
  public static func == (left: ClassDescription, right: ClassDescription) -> Bool {
    left.name.isSpelt(right.name) && left.chain.areSpelt(right.chain)
      && left.hints.areSpelt(right.hints) && left.versions == right.versions
      && left.displayName.isSpelt(right.displayName)
  }

  /// What is spelt alike has one hash: Swift takes the same of what Unicode calls equal.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(chain)
  }

  /// Whether nothing but the name says what the class is: it derives from NSObject alone, and no other stands in for it.
  var isPlain: Bool {
    hints.isEmpty
      && (chain.isEmpty || chain.areSpelt([name, "NSObject"]) || chain.areSpelt([name]))
  }
}
