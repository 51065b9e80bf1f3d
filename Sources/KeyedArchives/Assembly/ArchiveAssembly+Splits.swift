// Objects that several references lead to: a change to one of them must be a change to all.

import Basics
import ObjectGraph

extension ArchiveAssembly {
  /// Throws if an object would have to become two, one for a reference that was changed and one for another.
  ///
  /// References that lead back, as from a child to its parent, find what the object has become: a lens cannot name
  /// them, and the object is the same one.
  mutating func refuseSplits() throws(ArchiveError) {
    for (object, again, trail) in repeats where !isSame(.object(object), .object(again), depth: 0) {
      throw split(object, "it is also at \(path(trail)), where the lens makes another value of it")
    }
    let open = untouched.filter { changed[$0.target] != nil && $0.holder != $0.target }
    if open.isEmpty { return }
    let circles = ArchiveCircles(of: open.map(\.target)) { children(of: $0) }
    for (holder, target) in open where !circles.isTogether(holder, target) {
      throw split(
        target,
        "\(holder == 0 ? "another top-level key" : "another object (\(name(of: holder)))") refers to it as well, which the lens leaves as it is; let the lens change both"
      )
    }
  }

  private func split(_ object: Int, _ reason: String) -> ArchiveError {
    ArchiveError(
      .unrepresentable, "the object would become two: \(reason)",
      path: path(changed[object] ?? -1))
  }

  /// An object's number in the archive.
  private func name(of object: Int) -> String {
    guard let origin = origins[object] else { return "a new one" }
    return "number \(UInt32(truncatingIfNeeded: origin))"
  }

  /// Whether two objects were made alike.
  private func isSame(_ left: Part, _ right: Part, depth: Int) -> Bool {
    if left == right { return true }
    guard depth < 64 else { return false }
    switch (left, right) {
    case (.object(let a), .object(let b)):
      switch (contents[a], contents[b]) {
      case (.parts(let a), .parts(let b)): return isSame(a, b, depth: depth + 1)
      case (let a, let b): return a == b && a != .waiting
      }
    case (.list(let a), .list(let b)):
      return a.count == b.count && zip(a, b).allSatisfy { isSame($0, $1, depth: depth + 1) }
    case (.pairs(let a), .pairs(let b)):
      return a.count == b.count
        && zip(a, b).allSatisfy {
          isSame($0.key, $1.key, depth: depth + 1) && isSame($0.value, $1.value, depth: depth + 1)
        }
    default: return false
    }
  }
}

/// Which objects of an archive refer to one another in circles.
///
/// Robert Tarjan, "Depth-first search and linear graph algorithms", 1972; with a stack of its own.
struct ArchiveCircles {
  private var circle: [Int: Int] = [:]

  private struct Frame {
    let object: Int
    let children: [Int]
    var next = 0
  }

  /// Looks at what some objects reach.
  init(of starts: [Int], children: (Int) -> [Int]) {
    var indexes: [Int: Int] = [:]
    var low: [Int: Int] = [:]
    var open: [Int] = []
    var isOpen: Set<Int> = []
    var stack: [Frame] = []
    func begin(_ object: Int) {
      indexes[object] = indexes.count
      low[object] = indexes[object]
      open.append(object)
      isOpen.insert(object)
      stack.append(Frame(object: object, children: children(object)))
    }
    for start in starts where indexes[start] == nil {
      begin(start)
      while let frame = stack.last {
        if frame.next < frame.children.count {
          stack[stack.count - 1].next += 1
          let child = frame.children[frame.next]
          if child == 0 { continue }
          if indexes[child] == nil {
            begin(child)
          } else if isOpen.contains(child) {
            low[frame.object] = min(low[frame.object] ?? 0, indexes[child] ?? 0)
          }
          continue
        }
        stack.removeLast()
        if let parent = stack.last?.object {
          low[parent] = min(low[parent] ?? 0, low[frame.object] ?? 0)
        }
        guard low[frame.object] == indexes[frame.object] else { continue }
        while let object = open.popLast() {
          isOpen.remove(object)
          circle[object] = frame.object
          if object == frame.object { break }
        }
      }
    }
  }

  /// Whether two objects lead to one another.
  func isTogether(_ a: Int, _ b: Int) -> Bool { circle[a] != nil && circle[a] == circle[b] }
}
