// What differs between two stored graphs, by kind, and the paths of the values that differ.

import ArchiveBasics
import ArchiveGraph

/// A difference between two stored graphs.
package struct StoredDifference: Sendable {
  /// What differs, as the table of losses in archtool-migrate(1) has it.
  package enum Kind: String, Sendable, CaseIterable {
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
  package let kind: Kind
  /// The path of the value in the first graph.
  package let path: GraphPath
  /// What the value is, and what it becomes: `NSArray, which becomes NSSet`.
  package let text: String
  /// The number of values with this difference whose paths differ in nothing but the positions of elements.
  package internal(set) var count = 1

  /// Makes a difference.
  package init(kind: Kind, path: GraphPath, text: String) {
    (self.kind, self.path, self.text) = (kind, path, text)
  }
}

/// The differences found so far: one for each kind, text and path without the positions of elements.
///
/// All are counted. Beyond a number that nobody would read, those of one kind have the first one's path and text.
package struct StoredDifferences {
  private struct Key: Hashable {
    let kind: StoredDifference.Kind
    let text: CodePointString?
    let pattern: Int
    let isSplit: Bool
  }

  private static let most = 10_000
  /// How many steps all paths in the list may have: a path may be long.
  private static let mostSteps = 1 << 20

  /// Differences for which the answers are not the same are separate; nil if none need be.
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

// MARK: - The paths of a walk: each value has its step and the number of its holder's path

/// The paths to values, of which each shares the beginning with others.
struct PathTrails {
  /// A path without the positions of its elements: the number of the one before, and a step.
  private struct Pattern: Hashable {
    let parent: Int
    let step: GraphPath.Step
  }

  /// The number of the empty path.
  static let root = -1

  private var steps: [(parent: Int, step: GraphPath.Step)] = []
  private var patterns: [Pattern: Int] = [:]
  /// The patterns of the paths that were looked at.
  private var ofTrails = [root: 0]

  /// The last step of a path, and the path before it.
  subscript(trail: Int) -> (parent: Int, step: GraphPath.Step) { steps[trail] }

  /// The number of a path that goes one step further.
  mutating func add(_ step: GraphPath.Step, after trail: Int) -> Int {
    steps.append((trail, step))
    return steps.count - 1
  }

  func path(_ trail: Int) -> GraphPath {
    var found: [GraphPath.Step] = []
    var current = trail
    while current != Self.root {
      found.append(steps[current].step)
      current = steps[current].parent
    }
    return GraphPath(found.reversed())
  }

  /// The number of a path without the positions of its elements.
  mutating func pattern(of trail: Int) -> Int {
    var open: [Int] = []
    var current = trail
    while ofTrails[current] == nil {
      open.append(current)
      current = steps[current].parent
    }
    var pattern = ofTrails[current] ?? 0
    for trail in open.reversed() {
      var step = steps[trail].step
      if case .index = step { step = .anyElement }
      let next = Pattern(parent: pattern, step: step)
      pattern = patterns[next] ?? patterns.count + 1
      patterns[next] = pattern
      ofTrails[trail] = pattern
    }
    return pattern
  }
}
