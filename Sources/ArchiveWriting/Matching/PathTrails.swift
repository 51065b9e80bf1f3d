// The paths of a walk: each value has its step and the number of its holder's path.

import ArchiveBasics
import KeyedArchives

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

  /// A path, for messages.
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
