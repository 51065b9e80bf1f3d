// Checks the lenses that a file names: each one exists, and none is applied to one value endlessly.

import Basics

/// Checks the uses of named lenses.
enum LensUses {
  /// - Throws: `ArchiveError` with the location of an invalid use.
  static func check(_ lens: Lens) throws(ArchiveError) {
    try checkNames(lens, lens.named)
    for inner in lens.named.values { try checkNames(inner, lens.named) }
    for name in lens.named.keys.sorted() {
      // A lens may use itself on parts of a value, of which there are fewer with each step.
      var waiting = direct(lens.named[name])
      var met: Set<String> = []
      while let (next, pointer) = waiting.popLast() {
        if next == name {
          throw LensReader.fault(
            "'\(name)' would be applied to the same value forever: it may use itself only within 'in' or 'map'",
            pointer)
        }
        if met.insert(next).inserted { waiting += direct(lens.named[next]) }
      }
    }
    try checkCounts(lens)
  }

  /// A limit for uses that double from lens to lens and would practically never end.
  private static let countLimit = 10_000

  /// Counts how many lenses are applied to one value; none is applied to a value within itself.
  private static func checkCounts(_ lens: Lens) throws(ArchiveError) {
    var counts: [String: Int] = [:]
    for start in lens.named.keys.sorted() {
      var waiting = [start]
      while let name = waiting.last {
        let used = direct(lens.named[name])
        let unknown = used.filter { counts[$0.name] == nil }
        if unknown.isEmpty {
          counts[name] = try count(used, counts)
          waiting.removeLast()
        } else {
          waiting += unknown.map(\.name)
        }
      }
    }
    _ = try count(direct(lens), counts)
  }

  private static func count(
    _ uses: [(name: String, pointer: String)], _ counts: [String: Int]
  ) throws(ArchiveError) -> Int {
    var sum = 1
    for (name, pointer) in uses {
      // Each is within the limit, so nothing overflows.
      sum += counts[name] ?? 0
      if sum > countLimit {
        throw LensReader.fault(
          "with '\(name)', over \(countLimit) lenses would be applied to one value", pointer)
      }
    }
    return sum
  }

  /// Checks the names in nested lenses, whose depth is bounded.
  private static func checkNames(
    _ lens: Lens, _ named: [String: Lens]
  ) throws(ArchiveError) {
    for operation in lens.operations {
      if case .use(let name) = operation.kind, named[name] == nil {
        throw LensReader.fault(
          "'lenses' has no lens '\(name)'", operation.pointer + "/use")
      }
      if let inner = operation.inner { try checkNames(inner, named) }
    }
  }

  /// The lenses that one uses on exactly the value that it is applied to.
  private static func direct(_ lens: Lens?) -> [(name: String, pointer: String)] {
    (lens?.operations ?? []).flatMap { operation -> [(name: String, pointer: String)] in
      switch operation.kind {
      case .use(let name): [(name, operation.pointer)]
      case .when(_, _, let inner): direct(inner)
      default: []
      }
    }
  }
}
