// A walk through several graphs in step, down to what differs.

/// Containers of several graphs, each in the one before, whose parts are walked one after another.
///
/// Not a `GraphWalk`: the parts are those that the graphs have in common.
struct SteppedWalk<Holders: Hashable, Part> {
  private var levels: [(holders: Holders, parts: [Part], next: Int)] = []
  private var open: Set<Holders> = []

  /// How many containers are around the current part.
  var depth: Int { levels.count }

  /// The containers of the current part.
  var holders: Holders? { levels.last?.holders }

  /// The parts that lead to the current one, and that itself.
  var path: some Sequence<Part> { levels.lazy.map { $0.parts[$0.next - 1] } }

  /// Whether containers hold the current part: objects may contain themselves.
  func isOpen(_ holders: Holders) -> Bool { open.contains(holders) }

  /// Enters containers, which are the current part.
  mutating func enter(_ holders: Holders, _ parts: [Part]) {
    open.insert(holders)
    levels.append((holders, parts, 0))
  }

  /// Moves on to the next part; nil at the end.
  mutating func next() -> Part? {
    while let last = levels.indices.last {
      guard levels[last].next < levels[last].parts.count else {
        open.remove(levels.removeLast().holders)
        continue
      }
      levels[last].next += 1
      return levels[last].parts[levels[last].next - 1]
    }
    return nil
  }
}
