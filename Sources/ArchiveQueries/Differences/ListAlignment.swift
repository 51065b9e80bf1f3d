// Which elements of two lists belong together: equal ones where they stay in order, then moved ones, then changed ones.

import ArchiveBasics

/// An alignment of two lists.
///
/// Elements that appear once on each side are aligned first (patience; Bram Cohen), then what is between them by the
/// shortest edit script (Myers, 1986) if that is short.
struct ListAlignment {
  /// An element of the old list and one of the new list.
  struct Match: Equatable {
    let old: Int
    let new: Int
  }

  /// Elements in the same order in both lists, equal or changed.
  private(set) var kept: [Match] = []
  /// Elements that are elsewhere in the new list, by their new positions.
  private(set) var moved: [Match] = []
  private(set) var removed: [Int] = []
  private(set) var added: [Int] = []

  /// Counts elements as kept that were changed.
  ///
  /// - Parameter similarity: how much an old and a new element have in common; 0 if they have nothing.
  mutating func matchChanged(
    _ similarity: (Int, Int) throws(ArchiveError) -> Int
  ) throws(ArchiveError) {
    var changed: [Match] = []
    for gap in gaps { changed += try ChangedElements.pairs(gap.old, gap.new, similarity) }
    if changed.isEmpty { return }
    discard(changed)
    kept = (kept + changed).sorted { $0.old < $1.old }
  }

  /// Old and new elements without a counterpart that stand at one place between others, in their order.
  var replaced: [Match] { gaps.flatMap { zip($0.old, $0.new).map(Match.init) } }

  /// The elements without a counterpart between those that were kept, where both lists have some.
  private var gaps: [(old: [Int], new: [Int])] {
    guard !removed.isEmpty, !added.isEmpty else { return [] }
    var gaps: [(old: [Int], new: [Int])] = []
    var (oldStart, newStart) = (removed[...], added[...])
    for end in kept + [Match(old: .max, new: .max)] {
      let old = oldStart.prefix { $0 < end.old }
      let new = newStart.prefix { $0 < end.new }
      oldStart = oldStart[old.endIndex...]
      newStart = newStart[new.endIndex...]
      if !old.isEmpty, !new.isEmpty { gaps.append((Array(old), Array(new))) }
    }
    return gaps
  }

  /// Counts elements as moved that were changed and are between others now.
  mutating func matchMoved(
    _ similarity: (Int, Int) throws(ArchiveError) -> Int
  ) throws(ArchiveError) {
    let changed = try ChangedElements.pairs(removed, added, similarity)
    guard !changed.isEmpty else { return }
    discard(changed)
    // As few elements as possible are moved.
    let all = (kept + moved + changed).sorted { $0.old < $1.old }
    kept = EqualElements.longestIncreasing(all)
    let inOrder = Set(kept.map(\.old))
    moved = all.filter { !inOrder.contains($0.old) }.sorted { $0.new < $1.new }
  }

  /// Counts elements neither as removed nor as added any more.
  private mutating func discard(_ changed: [Match]) {
    let (old, new) = (Set(changed.map(\.old)), Set(changed.map(\.new)))
    removed.removeAll { old.contains($0) }
    added.removeAll { new.contains($0) }
  }

  /// The alignment of lists of which some elements were left out.
  ///
  /// - Parameters:
  ///   - old: the positions of the old elements that were aligned.
  ///   - new: those of the new elements.
  func renumbered(_ old: [Int], _ new: [Int]) -> ListAlignment {
    var alignment = self
    alignment.kept = kept.map { Match(old: old[$0.old], new: new[$0.new]) }
    alignment.moved = moved.map { Match(old: old[$0.old], new: new[$0.new]) }
    alignment.removed = removed.map { old[$0] }
    alignment.added = added.map { new[$0] }
    return alignment
  }

  /// Sorts the elements into kept, moved, removed and added ones.
  private mutating func match(_ equal: [Match], _ old: [ValueDigest], _ new: [ValueDigest]) {
    kept = equal
    var isKept = [Bool](repeating: false, count: old.count)
    var isFound = [Bool](repeating: false, count: new.count)
    for match in equal {
      isKept[match.old] = true
      isFound[match.new] = true
    }
    var left: [ValueDigest: [Int]] = [:]
    for position in old.indices.reversed() where !isKept[position] {
      left[old[position], default: []].append(position)
    }
    for position in new.indices where !isFound[position] {
      guard let source = left[new[position]]?.popLast() else {
        added.append(position)
        continue
      }
      moved.append(Match(old: source, new: position))
      isKept[source] = true
    }
    removed = old.indices.filter { !isKept[$0] }
  }
}

extension ListAlignment {
  /// Aligns two lists.
  ///
  /// - Parameters:
  ///   - old: the digests of the old elements, or of their keys.
  ///   - new: those of the new elements.
  init(_ old: [ValueDigest], _ new: [ValueDigest]) {
    self.init()
    var equal = EqualElements(old, new)
    equal.align()
    match(equal.matches, old, new)
  }
}

/// The longest common subsequence of two lists, or a good approximation of it.
private struct EqualElements {
  /// The greatest length of an edit script between two anchors; longer ones take too long to find.
  private static let editLimit = 256

  private let old: [ValueDigest]
  private let new: [ValueDigest]
  private(set) var matches: [ListAlignment.Match] = []
  private var waiting: [(old: Range<Int>, new: Range<Int>)] = []

  init(_ old: [ValueDigest], _ new: [ValueDigest]) {
    self.old = old
    self.new = new
    waiting = [(old.indices, new.indices)]
  }

  mutating func align() {
    while let (old, new) = waiting.popLast() { align(old, new) }
    matches.sort { $0.old < $1.old }
  }

  private mutating func align(_ oldRange: Range<Int>, _ newRange: Range<Int>) {
    var (oldRange, newRange) = (oldRange, newRange)
    while let first = oldRange.first, let other = newRange.first, old[first] == new[other] {
      matches.append(.init(old: first, new: other))
      oldRange = first + 1..<oldRange.upperBound
      newRange = other + 1..<newRange.upperBound
    }
    while let last = oldRange.last, let other = newRange.last, old[last] == new[other] {
      matches.append(.init(old: last, new: other))
      oldRange = oldRange.lowerBound..<last
      newRange = newRange.lowerBound..<other
    }
    guard !oldRange.isEmpty, !newRange.isEmpty else { return }
    let anchors = anchors(oldRange, newRange)
    guard !anchors.isEmpty else { return edit(oldRange, newRange) }
    var (oldStart, newStart) = (oldRange.lowerBound, newRange.lowerBound)
    for anchor in anchors {
      waiting.append((oldStart..<anchor.old, newStart..<anchor.new))
      matches.append(anchor)
      (oldStart, newStart) = (anchor.old + 1, anchor.new + 1)
    }
    waiting.append((oldStart..<oldRange.upperBound, newStart..<newRange.upperBound))
  }

  /// The elements that appear once in each range, as many of them as are in the same order.
  private func anchors(_ oldRange: Range<Int>, _ newRange: Range<Int>) -> [ListAlignment.Match] {
    var positions: [ValueDigest: (old: Int, new: Int)] = [:]
    for position in oldRange {
      let isFirst = positions[old[position]] == nil
      positions[old[position]] = (isFirst ? position : -2, -1)
    }
    for position in newRange {
      guard let known = positions[new[position]] else { continue }
      positions[new[position]]?.new = known.new == -1 ? position : -2
    }
    let unique = oldRange.compactMap { position -> ListAlignment.Match? in
      guard let found = positions[old[position]], found.old >= 0, found.new >= 0 else { return nil }
      return .init(old: position, new: found.new)
    }
    return Self.longestIncreasing(unique)
  }

  /// The longest subsequence whose new positions increase.
  static func longestIncreasing(_ matches: [ListAlignment.Match]) -> [ListAlignment.Match] {
    // For each length, the match that ends a subsequence of that length at the least new position.
    var ends: [Int] = []
    var previous = [Int](repeating: -1, count: matches.count)
    for (index, match) in matches.enumerated() {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if matches[ends[middle]].new < match.new { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[index] = ends[low - 1] }
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var longest: [ListAlignment.Match] = []
    var index = ends.last ?? -1
    while index >= 0 {
      longest.append(matches[index])
      index = previous[index]
    }
    return longest.reversed()
  }

  // MARK: Myers

  /// Matches what the shortest edit script keeps, unless the script is too long.
  private mutating func edit(_ oldRange: Range<Int>, _ newRange: Range<Int>) {
    let (height, width) = (oldRange.count, newRange.count)
    let limit = min(height + width, Self.editLimit)
    // For each diagonal, how far into the old range the script has come; offset so that indexes are positive.
    var reached = [Int](repeating: 0, count: 2 * limit + 3)
    var history: [[Int]] = []
    for edits in 0...limit {
      history.append(reached)
      for diagonal in stride(from: -edits, through: edits, by: 2) {
        let index = diagonal + limit + 1
        let isDown =
          diagonal == -edits || diagonal != edits && reached[index - 1] < reached[index + 1]
        var x = isDown ? reached[index + 1] : reached[index - 1] + 1
        var y = x - diagonal
        while x < height, y >= 0, y < width,
          old[oldRange.lowerBound + x] == new[newRange.lowerBound + y]
        {
          (x, y) = (x + 1, y + 1)
        }
        reached[index] = x
        if x >= height, y >= width {
          return trace(history, limit, from: (height, width), at: (oldRange, newRange))
        }
      }
    }
  }

  /// Follows the edit script back, matching the elements on its diagonals.
  private mutating func trace(
    _ history: [[Int]], _ limit: Int, from end: (Int, Int), at ranges: (Range<Int>, Range<Int>)
  ) {
    var (x, y) = end
    for edits in history.indices.reversed() {
      let reached = history[edits]
      let diagonal = x - y
      let index = diagonal + limit + 1
      let isDown =
        diagonal == -edits || diagonal != edits && reached[index - 1] < reached[index + 1]
      let before = isDown ? diagonal + 1 : diagonal - 1
      let start = edits == 0 ? 0 : reached[before + limit + 1]
      let other = start - before
      let stop = edits == 0 ? 0 : isDown ? start : start + 1
      while x > stop, y > 0 {
        (x, y) = (x - 1, y - 1)
        matches.append(.init(old: ranges.0.lowerBound + x, new: ranges.1.lowerBound + y))
      }
      (x, y) = (start, other)
    }
  }
}

/// Elements that were changed: removed and added ones between two kept ones that have much in common.
private enum ChangedElements {
  /// The greatest number of pairs whose similarity is computed between two kept elements.
  private static let pairLimit = 2_500

  /// The pairs in order that have the most in common together.
  static func pairs(
    _ old: [Int], _ new: [Int], _ similarity: (Int, Int) throws(ArchiveError) -> Int
  ) throws(ArchiveError) -> [ListAlignment.Match] {
    guard old.count * new.count <= pairLimit else {
      var pairs: [ListAlignment.Match] = []
      for (left, right) in zip(old, new) where try similarity(left, right) > 0 {
        pairs.append(.init(old: left, new: right))
      }
      return pairs
    }
    let width = new.count + 1
    var similarities = [Int](repeating: 0, count: old.count * new.count)
    // The most that the rest of both lists has in common, from each pair of positions on.
    var best = [Int](repeating: 0, count: (old.count + 1) * width)
    for row in old.indices.reversed() {
      for column in new.indices.reversed() {
        let value = try similarity(old[row], new[column])
        similarities[row * new.count + column] = value
        let matched = value > 0 ? value + best[(row + 1) * width + column + 1] : 0
        best[row * width + column] = max(
          matched, best[(row + 1) * width + column], best[row * width + column + 1])
      }
    }
    var pairs: [ListAlignment.Match] = []
    var (row, column) = (0, 0)
    while row < old.count, column < new.count {
      let value = similarities[row * new.count + column]
      if value > 0,
        best[row * width + column] == value + best[(row + 1) * width + column + 1]
      {
        pairs.append(.init(old: old[row], new: new[column]))
        (row, column) = (row + 1, column + 1)
      } else if best[row * width + column] == best[(row + 1) * width + column] {
        row += 1
      } else {
        column += 1
      }
    }
    return pairs
  }
}
