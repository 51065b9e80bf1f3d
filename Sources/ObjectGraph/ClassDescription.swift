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

  /// An unarchiver treats names that are equal in Unicode but differ in code points as those of two classes.
  public static func == (left: ClassDescription, right: ClassDescription) -> Bool {
    left.name.hasSameScalars(as: right.name) && left.chain.haveSameScalars(as: right.chain)
      && left.hints.haveSameScalars(as: right.hints) && left.versions == right.versions
      && left.displayName.hasSameScalars(as: right.displayName)
  }

  /// Equal code points give equal hashes; Swift's hash is equal for all names that Unicode considers equal.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(chain)
  }

  /// Whether only the name describes the class: it derives directly from NSObject and has no fallback classes.
  var isPlain: Bool {
    hints.isEmpty
      && (chain.isEmpty || chain.haveSameScalars(as: [name, "NSObject"])
        || chain.haveSameScalars(as: [name]))
  }
}
