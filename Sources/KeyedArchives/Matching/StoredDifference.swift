// What differs between two stored graphs, by kind: the losses of a migration, and why an edit is refused.

import Basics

/// A difference between two stored graphs.
public struct StoredDifference: Sendable {
  /// What differs, as the table of losses in archtool-migrate(1) has it.
  public enum Kind: String, Sendable, CaseIterable {
    /// A member, an element or a digit.
    case value
    /// Whether a value is nil, null or absent.
    case absence
    /// Whether references lead to one object.
    case sharing
    /// The class of a dictionary's key.
    case key
    /// The class of an object, or its superclasses.
    case `class`
    /// Whether a value is inline or a separate object, and the precision of a real.
    case storage
    /// Whether a collection, a string or data is mutable.
    case mutability
  }

  /// The kind.
  public let kind: Kind
  /// The path of the value in the first graph.
  public let path: GraphPath
  /// What the value is, and what it becomes: `NSArray, which becomes NSSet`.
  public let text: String

  /// Makes a difference.
  public init(kind: Kind, path: GraphPath, text: String) {
    (self.kind, self.path, self.text) = (kind, path, text)
  }
}

/// The differences found so far, up to a number that nobody would read.
struct StoredDifferences {
  private static let most = 100_000

  private(set) var list: [StoredDifference] = []

  var isFull: Bool { list.count >= Self.most }

  mutating func add(_ difference: StoredDifference) { list.append(difference) }
}
