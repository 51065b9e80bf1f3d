// In which order the members of a record stand, whatever the order of the examples.

/// Which member was seen right behind which.
struct MemberOrder {
  /// More pairs than this are no order.
  private static let pairLimit = 8192
  /// More names than this stand in no order that a person would miss.
  private static let nameLimit = 2048

  private struct Pair: Hashable {
    let first: Int
    let second: Int
  }

  private var pairs: Set<Pair> = []
  private var isUnordered = false

  /// Notes that one member was seen right behind another, each by its number.
  mutating func add(_ first: Int, before second: Int) {
    guard !isUnordered else { return }
    pairs.insert(Pair(first: first, second: second))
    if pairs.count > Self.pairLimit {
      isUnordered = true
      pairs = []
    }
  }

  /// Adds what another record knows, whose members have other numbers here.
  mutating func merge(_ other: MemberOrder, numbers: [Int]) {
    if other.isUnordered { isUnordered = true }
    for pair in other.pairs { add(numbers[pair.first], before: numbers[pair.second]) }
  }

  /// The numbers of the members: in the order that no example contradicts, by name where the examples leave it open,
  /// and all by name where they disagree.
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
