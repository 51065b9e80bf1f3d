// The objects of an archive that change: a change for one reference to an object must be a change for all.

import ArchiveBasics
import ArchiveGraph

/// The objects that are not as they are stored, and the references that lead to them.
struct ChangedObjects {
  /// What each object was made of first.
  private var changed: [Int: (trail: Int, node: Node)] = [:]
  /// Objects that were made again, because several references to them were processed.
  private var repeats: [(object: Int, again: Int, trail: Int)] = []
  /// References of changed objects that were left as they are: from which object to which.
  private var unchanged: [(holder: Int, target: Int)] = []
  /// The objects that the top-level values reach.
  private var reached: Set<Int> = []

  /// Of what an object was made; nil for one that is as it is stored.
  func source(of object: Int) -> Node? { changed[object]?.node }

  /// Remembers that an object changes.
  mutating func add(_ object: Int, from value: AssembledValue) {
    changed[object] = (value.trail, value.node)
  }

  /// Remembers the object that a changed one would be at another path.
  ///
  /// Both must be equal, which is known when everything is made.
  mutating func add(_ again: Int, for object: Int, from value: AssembledValue) {
    repeats.append((object, again, value.trail))
  }

  /// Remembers a reference that was left as it is.
  mutating func leave(_ target: Int, in holder: Int) { unchanged.append((holder, target)) }

  /// Finds the objects that a container leads to, and requires that none of them would have to become two, one for a
  /// reference that was changed and one for another.
  ///
  /// References back, as from a child to its parent, refer to the object's new form: a lens cannot name
  /// them, and the object is the same one.
  ///
  /// - Returns: the objects.
  consuming func reach(
    from top: Int, in objects: inout AssembledObjects, _ trails: PathTrails
  ) throws(ArchiveError) -> Set<Int> {
    let open = untouched(from: top, in: &objects)
    for (object, again, trail) in repeats where !objects.areSame(object, again) {
      throw split(
        object, "it is also at \(trails.path(trail)), where the lens makes another value of it",
        trails)
    }
    if open.isEmpty { return reached }
    let circles = ArchiveCircles(of: open.map(\.target)) { objects.targets(of: .inline($0)) }
    for (holder, target) in open where !circles.isTogether(holder, target) {
      let other = objects.origin(of: holder).map { "number \($0.number)" } ?? "a new one"
      throw split(
        target,
        "another object (\(other)) also refers to it, which the lens does not change; let the lens change both",
        trails)
    }
    return reached
  }

  /// The references to changed objects that no operation looked at.
  private mutating func untouched(
    from top: Int, in objects: inout AssembledObjects
  ) -> [(holder: Int, target: Int)] {
    var untouched: [(holder: Int, target: Int)] = []
    var waiting = objects.targets(of: .inline(top))
    while let object = waiting.popLast() {
      guard object != 0, reached.insert(object).inserted else { continue }
      let found = objects.targets(of: .inline(object))
      if case .stored = objects.contents[object] {
        for target in found where changed[target] != nil { untouched.append((object, target)) }
      }
      waiting += found
    }
    untouched += unchanged.filter { reached.contains($0.holder) && changed[$0.target] != nil }
    return untouched.filter { $0.holder != $0.target }
  }

  private func split(_ object: Int, _ reason: String, _ trails: PathTrails) -> ArchiveError {
    ArchiveError(
      .unrepresentable, "the shared object would be duplicated: \(reason)",
      path: trails.path(changed[object]?.trail ?? PathTrails.root))
  }
}

/// Which objects of an archive refer to one another in circles.
///
/// Robert Tarjan, "Depth-first search and linear graph algorithms", 1972; with a stack of its own.
private struct ArchiveCircles {
  /// For each object one of its circle.
  private var circle: [Int: Int] = [:]

  /// Not a `GraphWalk`: numbers of objects are walked, not values.
  private struct Frame {
    let object: Int
    let number: Int
    /// What it refers to, and was not looked at yet.
    var children: [Int]
    /// The lowest number of an open object that can be reached from it.
    var lowest: Int
    /// How many objects were open before it.
    let openCount: Int
  }

  /// Looks at what some objects reach.
  init(of starts: [Int], children: (Int) -> [Int]) {
    var numbers: [Int: Int] = [:]
    var open: [Int] = []
    var stack: [Frame] = []
    func begin(_ object: Int) {
      let number = numbers.count
      numbers[object] = number
      stack.append(
        Frame(
          object: object, number: number, children: children(object), lowest: number,
          openCount: open.count))
      open.append(object)
    }
    for start in starts where numbers[start] == nil {
      begin(start)
      while let top = stack.indices.last {
        if let child = stack[top].children.popLast() {
          guard child != 0, circle[child] == nil else { continue }
          if let number = numbers[child] {
            stack[top].lowest = min(stack[top].lowest, number)
          } else {
            begin(child)
          }
          continue
        }
        let frame = stack.removeLast()
        if top > 0 { stack[top - 1].lowest = min(stack[top - 1].lowest, frame.lowest) }
        guard frame.lowest == frame.number else { continue }
        for object in open[frame.openCount...] { circle[object] = frame.object }
        open.removeSubrange(frame.openCount...)
      }
    }
  }

  /// Whether two objects lead to one another.
  func isTogether(_ a: Int, _ b: Int) -> Bool { circle[a] != nil && circle[a] == circle[b] }
}
