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
  /// The number of values with this difference whose paths differ in nothing but the positions of elements.
  public internal(set) var count = 1

  /// Makes a difference.
  public init(kind: Kind, path: GraphPath, text: String) {
    (self.kind, self.path, self.text) = (kind, path, text)
  }
}

/// The differences found so far: one for each kind, text and path without the positions of elements.
///
/// All are counted. Beyond a number that nobody would read, those of one kind have the first one's path and text.
struct StoredDifferences {
  private struct Key: Hashable {
    let kind: StoredDifference.Kind
    let text: CodePointString?
    let pattern: Int
    let isSplit: Bool
  }

  private static let most = 10_000
  /// How many steps all paths in the list may have: a path may be long.
  private static let mostSteps = 1 << 20

  /// Differences for which the answers are not the same are told apart; nil if none need be.
  let split: ((StoredDifference.Kind, GraphPath) -> Bool)?
  var trails = PathTrails()
  private(set) var list: [StoredDifference] = []
  private var known: [Key: Int] = [:]
  private var stepCount = 0

  init(split: ((StoredDifference.Kind, GraphPath) -> Bool)? = nil) { self.split = split }

  /// Adds a difference of the value at a path.
  mutating func add(_ kind: StoredDifference.Kind, _ text: String, _ trail: Int) {
    let isSplit = split.map { $0(kind, trails.path(trail)) } ?? false
    let isFull = list.count >= Self.most || stepCount >= Self.mostSteps
    let key = Key(
      kind: kind, text: isFull ? nil : CodePointString(text),
      pattern: isFull ? PathTrails.root : trails.pattern(of: trail), isSplit: isSplit)
    if let position = known[key] {
      list[position].count += 1
      return
    }
    let path = trails.path(trail)
    stepCount += path.steps.count
    known[key] = list.count
    list.append(StoredDifference(kind: kind, path: path, text: text))
  }
}
