// The operations that put the elements of a list into their new order, one after another.

/// Puts elements in their new order, from the first position on.
///
/// The list consists of elements that are in their places and, here and there between them, of old ones that are moved
/// later.
struct ElementOrder {
  /// One operation, with the positions that count when it is done.
  enum Change: Equatable {
    /// The new element at a position of the new list is inserted.
    case add(new: Int, at: Int)
    /// An element is removed at a position, and inserted again at another.
    case move(from: Int, to: Int)
  }

  private enum Source {
    case kept(Int)
    case moved(Int)
    case added
  }

  private var sources: [(new: Int, source: Source)]
  private var waiting: CountedPositions
  private let movedPositions: [Int]
  /// For each moved element that was passed over, how many elements were in their places then.
  private var passed: [Int: Int] = [:]

  /// Prepares for the elements that remain once removed ones are gone.
  init(_ alignment: ListAlignment, oldCount: Int) {
    sources =
      alignment.kept.map { ($0.new, .kept($0.old)) }
      + alignment.moved.map { ($0.new, .moved($0.old)) } + alignment.added.map { ($0, .added) }
    sources.sort { $0.new < $1.new }
    waiting = CountedPositions(oldCount)
    for match in alignment.kept + alignment.moved { waiting.add(match.old, 1) }
    movedPositions = alignment.moved.map(\.old).sorted()
  }

  /// The operations in order.
  mutating func changes() -> [Change] {
    var changes: [Change] = []
    // The elements in their places, and the first moved element that was not passed over yet.
    var (placed, next) = (0, 0)
    var isMoved: Set<Int> = []
    for (new, source) in sources {
      switch source {
      case .kept(let old):
        while next < movedPositions.count, movedPositions[next] < old {
          if !isMoved.contains(movedPositions[next]) { passed[movedPositions[next]] = placed }
          next += 1
        }
        waiting.add(old, -1)
      case .moved(let old):
        let origin = (passed[old] ?? placed) + waiting.count(before: old)
        waiting.add(old, -1)
        isMoved.insert(old)
        passed[old] = nil
        let target = placed + passed.count
        if origin != target { changes.append(.move(from: origin, to: target)) }
      case .added: changes.append(.add(new: new, at: placed + passed.count))
      }
      placed += 1
    }
    return changes
  }
}

/// Numbers at positions whose sums are computed and changed in logarithmic time (Fenwick, 1994).
private struct CountedPositions {
  private var sums: [Int]

  init(_ count: Int) { sums = Array(repeating: 0, count: count + 1) }

  mutating func add(_ position: Int, _ number: Int) {
    var index = position + 1
    while index < sums.count {
      sums[index] += number
      index += index & -index
    }
  }

  /// The sum of the numbers before a position.
  func count(before position: Int) -> Int {
    var (sum, index) = (0, position)
    while index > 0 {
      sum += sums[index]
      index -= index & -index
    }
    return sum
  }
}
