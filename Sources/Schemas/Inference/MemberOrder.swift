// The order of a record's members, independent of the order of the examples.

/// Records which member directly followed which.
struct MemberOrder {
  /// With more pairs than this, no order is derived.
  private static let pairLimit = 8192
  /// With more names than this, nobody would miss an order.
  private static let nameLimit = 2048

  private struct Pair: Hashable {
    let first: Int
    let second: Int
  }

  private var pairs: Set<Pair> = []
  private var isUnordered = false

  /// Records that one member directly followed another, each by its number.
  mutating func add(_ first: Int, before second: Int) {
    guard !isUnordered else { return }
    pairs.insert(Pair(first: first, second: second))
    if pairs.count > Self.pairLimit {
      isUnordered = true
      pairs = []
    }
  }

  /// Adds the order of another record, whose members have other numbers here.
  mutating func merge(_ other: MemberOrder, numbers: [Int]) {
    if other.isUnordered { isUnordered = true }
    for pair in other.pairs { add(numbers[pair.first], before: numbers[pair.second]) }
  }

  /// The numbers of the members, sorted.
  ///
  /// They are in the order that no example contradicts, by name where the examples leave it open, and all by name where
  /// the examples disagree.
  func sorted(_ names: [String]) -> [Int] {
    let byName = names.indices.sorted { names[$0] < names[$1] }
    guard !isUnordered, names.count <= Self.nameLimit else { return byName }
    var waiting = [Int](repeating: 0, count: names.count)
    var followers = [[Int]](repeating: [], count: names.count)
    for pair in pairs {
      waiting[pair.second] += 1
      followers[pair.first].append(pair.second)
    }
    var rank = [Int](repeating: 0, count: names.count)
    for (position, member) in byName.enumerated() { rank[member] = position }
    var ready = Set(names.indices.filter { waiting[$0] == 0 })
    var result: [Int] = []
    while let next = ready.min(by: { rank[$0] < rank[$1] }) {
      ready.remove(next)
      result.append(next)
      for follower in followers[next] {
        waiting[follower] -= 1
        if waiting[follower] == 0 { ready.insert(follower) }
      }
    }
    return result.count == names.count ? result : byName
  }
}
