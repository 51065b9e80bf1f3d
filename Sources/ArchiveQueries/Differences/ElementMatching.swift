// Which elements of two lists or sets belong together, in two graphs that are compared.

import ArchiveBasics
import ArchiveGraph

/// Matches elements by their content, or by what identifies them.
struct ElementMatching {
  private let oldDigests: ValueDigests
  private let newDigests: ValueDigests
  /// The path from an element to the value that identifies it; nil to match by content.
  private let key: ValuePath?
  /// The digests of those values, which have to be exact.
  private let keys: (old: ValueDigests, new: ValueDigests)
  /// The pairs of objects, where each object is compared once.
  var pairing: GraphPairing?

  private var old: ObjectGraph { oldDigests.graph }
  private var new: ObjectGraph { newDigests.graph }
  private var rules: ComparisonRules { oldDigests.rules }

  /// - Parameter keys: the digests of what identifies elements; nil for those of the elements.
  init(
    old: ValueDigests, new: ValueDigests, key: ValuePath?,
    keys: (old: ValueDigests, new: ValueDigests)? = nil
  ) {
    (oldDigests, newDigests) = (old, new)
    (self.key, self.keys) = (key, keys ?? (old, new))
  }

  private func isSame(_ oldNode: Node, _ newNode: Node) throws(ArchiveError) -> Bool {
    if pairing?.arePartners(oldNode, newNode) == true { return true }
    return try oldDigests.digest(of: oldNode) == newDigests.digest(of: newNode)
  }

  /// What is equal for elements that belong together.
  private func token(
    of node: Node, _ digests: ValueDigests
  ) throws(ArchiveError) -> ValueDigest {
    guard let pairing else { return try digests.digest(of: node) }
    return try pairing.token(of: node, of: digests === oldDigests ? pairing.old : pairing.new)
  }

  /// Aligns the elements of two containers.
  ///
  /// - Throws: `ArchiveError` with code `limit` if values are too many or too deep.
  func align(
    _ one: Elements, of oldHolder: Node, _ two: Elements, of newHolder: Node, isSet: Bool
  ) throws(ArchiveError) -> ListAlignment {
    let left = oldDigests.compared(one, of: oldHolder)
    let right = newDigests.compared(two, of: newHolder)
    var alignment: ListAlignment
    if !isSet, let one = try identities(one, left, keys.old),
      let two = try identities(two, right, keys.new)
    {
      alignment = ListAlignment(one, two)
    } else {
      var tokens: (old: [ValueDigest], new: [ValueDigest]) = ([], [])
      for position in left { tokens.old.append(try token(of: old.node(one, position), oldDigests)) }
      for position in right {
        tokens.new.append(try token(of: new.node(two, position), newDigests))
      }
      alignment = ListAlignment(tokens.old, tokens.new)
      let similarity = { (first: Int, second: Int) throws(ArchiveError) in
        try self.similarity(old.node(one, left[first]), new.node(two, right[second]))
      }
      if !isSet { try alignment.matchChanged(similarity) }
      if pairing != nil { try alignment.matchMoved(similarity) }
    }
    return alignment.renumbered(left, right)
  }

  /// The digests of the values that identify the elements; nil if one lacks it, or two have the same.
  private func identities(
    _ elements: Elements, _ positions: [Int], _ digests: ValueDigests
  ) throws(ArchiveError) -> [ValueDigest]? {
    guard let key else { return nil }
    var keys: [ValueDigest] = []
    var known: Set<ValueDigest> = []
    for position in positions {
      guard let node = key.find(in: digests.graph, from: digests.graph.node(elements, position))
      else { return nil }
      let digest = try digests.digest(of: node)
      guard known.insert(digest).inserted else { return nil }
      keys.append(digest)
    }
    return keys
  }

  /// How much two elements have in common: 0 if one cannot have become the other.
  private func similarity(_ oldNode: Node, _ newNode: Node) throws(ArchiveError) -> Int {
    let left = ComparedValue(oldNode, in: old, rules: rules)
    let right = ComparedValue(newNode, in: new, rules: rules)
    if let pairing, left.isContainer, right.isContainer {
      guard case .pair = try pairing.decision(left, right) else { return 0 }
    }
    switch (left.content, right.content) {
    case (.scalar(let left), .scalar(let right)): return left.typeName == right.typeName ? 1 : 0
    case (.members(let one, _), .members(let two, _)):
      guard left.isComparable(with: right, rules), left.className == right.className else {
        return 0
      }
      return try 1 + 4 * common(one, two)
    case (.list(let one), .list(let two)): return try 1 + 4 * common(one, two)
    case (.set, .set): return 1
    default: return 0
    }
  }

  /// The greatest number of children that are compared to find how similar two containers are.
  private static var sampleSize: Int { 32 }

  private func common(_ one: Pairs, _ two: Pairs) throws(ArchiveError) -> Int {
    var values: [CodePointString: Node] = [:]
    for position in 0..<min(two.count, Self.sampleSize) {
      if let name = new.memberName(two, position) {
        values[CodePointString(name.string)] = new.value(two, position)
      }
    }
    var count = 0
    for position in 0..<min(one.count, Self.sampleSize) {
      if let name = old.memberName(one, position), let other = values[CodePointString(name.string)],
        try isSame(old.value(one, position), other)
      {
        count += 1
      }
    }
    return count
  }

  private func common(_ one: Elements, _ two: Elements) throws(ArchiveError) -> Int {
    var values: Set<ValueDigest> = []
    for position in 0..<min(two.count, Self.sampleSize) {
      values.insert(try newDigests.digest(of: new.node(two, position)))
    }
    var count = 0
    for position in 0..<min(one.count, Self.sampleSize)
    where values.contains(try oldDigests.digest(of: old.node(one, position))) {
      count += 1
    }
    return count
  }
}

// MARK: - The operations that put the elements of a list into their new order, one after another

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
