// The elements of a merged list: those of ours, with what theirs has added and without what it has removed.

/// Merges the positions of three lists, two of which are aligned with the first.
///
/// Elements that all three have separate the lists into parts. A part that only one version has changed is that of this
/// version; one that both have changed in different ways is a conflict (as in diff3; Khanna, Kunal and Pierce, 2007).
/// Lists whose elements were moved have no such parts: one version may have moved elements if the other has only removed
/// some.
struct ListMerge {
  enum Item {
    /// An element of ours, with its partners if all have it.
    case ours(Int, (base: Int, theirs: Int)?, isMoved: Bool)
    /// An element that theirs has added.
    case theirs(Int)
  }

  /// What cannot be merged; `merged` is a position in the merged list.
  enum Conflict {
    case removedInOurs(base: Int, theirs: Int)
    case removedInTheirs(base: Int, ours: Int, merged: Int)
    case elements(base: Range<Int>, ours: Range<Int>, theirs: Range<Int>, merged: Int)
  }

  struct Result {
    var items: [Item] = []
    var conflicts: [Conflict] = []

    /// The merged list aligned with ours.
    func alignment(ourCount: Int) -> ListAlignment {
      var kept: [ListAlignment.Match] = []
      var moved: [ListAlignment.Match] = []
      var added: [Int] = []
      var isLeft = [Bool](repeating: true, count: ourCount)
      for (position, item) in items.enumerated() {
        switch item {
        case .theirs: added.append(position)
        case .ours(let element, _, let isMoved):
          isLeft[element] = false
          let match = ListAlignment.Match(old: element, new: position)
          if isMoved { moved.append(match) } else { kept.append(match) }
        }
      }
      return ListAlignment(
        kept: kept, moved: moved, removed: isLeft.indices.filter { isLeft[$0] }, added: added)
    }
  }

  typealias Digests = (base: [ValueDigest], ours: [ValueDigest], theirs: [ValueDigest])

  private let ours: ListAlignment
  private let theirs: ListAlignment
  private let digests: Digests
  /// For each element of the base its position in a version; nil if it was removed there.
  private var inOurs: [Int?]
  private var inTheirs: [Int?]
  private var result = Result()

  init(_ digests: Digests, ours: ListAlignment, theirs: ListAlignment) {
    self.digests = digests
    self.ours = ours
    self.theirs = theirs
    inOurs = Self.positions(ours, digests.base.count)
    inTheirs = Self.positions(theirs, digests.base.count)
  }

  private static func positions(_ alignment: ListAlignment, _ count: Int) -> [Int?] {
    var positions = [Int?](repeating: nil, count: count)
    for match in alignment.kept + alignment.moved { positions[match.old] = match.new }
    return positions
  }

  /// Merges the lists.
  ///
  /// - Returns: nil if both have changed the order.
  mutating func merge() -> Result? {
    if isSameOrder {
      removeOnly()
    } else if theirs.moved.isEmpty, ours.moved.isEmpty {
      mergeParts()
    } else if theirs.moved.isEmpty, theirs.added.isEmpty {
      removeOnly()
    } else if ours.moved.isEmpty, ours.added.isEmpty {
      for base in theirs.removed {
        if let position = inOurs[base], !isOurs(base, position) { return nil }
      }
      applyTheirOrder()
    } else {
      return nil
    }
    return result
  }

  // MARK: Moved elements

  /// Whether both have moved, removed and added the same elements.
  private var isSameOrder: Bool {
    digests.ours.count == digests.theirs.count && inOurs == inTheirs
      && zip(ours.added, theirs.added).allSatisfy {
        $0 == $1 && digests.ours[$0] == digests.theirs[$1]
      }
  }

  /// Ours keeps its order; what theirs has removed goes.
  private mutating func removeOnly() {
    var origins = [Int?](repeating: nil, count: digests.ours.count)
    for (base, position) in inOurs.enumerated() {
      if let position { origins[position] = base }
    }
    for position in 0..<digests.ours.count {
      keep(position, of: origins[position])
    }
    for base in 0..<digests.base.count where inOurs[base] == nil {
      missInOurs(base)
    }
  }

  /// Theirs gives the order of elements of which ours has only removed some.
  private mutating func applyTheirOrder() {
    var origins = [Int?](repeating: nil, count: digests.theirs.count)
    var isMoved = [Bool](repeating: false, count: digests.theirs.count)
    for match in theirs.kept + theirs.moved { origins[match.new] = match.old }
    for match in theirs.moved { isMoved[match.new] = true }
    for position in 0..<digests.theirs.count {
      guard let base = origins[position] else {
        result.items.append(.theirs(position))
        continue
      }
      guard let ours = inOurs[base] else {
        missInOurs(base)
        continue
      }
      result.items.append(.ours(ours, (base, position), isMoved: isMoved[position]))
    }
  }

  // MARK: Parts

  private mutating func mergeParts() {
    var start = (base: 0, ours: 0, theirs: 0)
    for base in 0..<digests.base.count {
      guard let our = inOurs[base], let their = inTheirs[base] else { continue }
      mergePart(start.base..<base, start.ours..<our, start.theirs..<their)
      result.items.append(.ours(our, (base, their), isMoved: false))
      start = (base + 1, our + 1, their + 1)
    }
    mergePart(
      start.base..<digests.base.count, start.ours..<digests.ours.count,
      start.theirs..<digests.theirs.count)
  }

  /// Merges what is between two elements that all have.
  private mutating func mergePart(
    _ base: Range<Int>, _ our: Range<Int>, _ their: Range<Int>
  ) {
    var origins: [Int: Int] = [:]
    var theirKept: Set<Int> = []
    for element in base {
      if let position = inOurs[element] { origins[position] = element }
      if let position = inTheirs[element] { theirKept.insert(position) }
    }
    let ourAdded = our.filter { origins[$0] == nil }
    let theirAdded = their.filter { !theirKept.contains($0) }
    // An added element may be what became of a removed one.
    let isChangedInOurs = !ourAdded.isEmpty || base.contains { inOurs[$0] == nil }
    let isChangedInTheirs = !theirAdded.isEmpty || base.contains { inTheirs[$0] == nil }
    if isChangedInOurs, isChangedInTheirs, !(ourAdded.isEmpty && theirAdded.isEmpty) {
      if digests.ours[our] != digests.theirs[their] {
        result.conflicts.append(
          .elements(base: base, ours: our, theirs: their, merged: result.items.count))
      }
      result.items += our.map { .ours($0, nil, isMoved: false) }
      return
    }
    for position in our { keep(position, of: origins[position]) }
    for element in base where inOurs[element] == nil { missInOurs(element) }
    result.items += theirAdded.map { .theirs($0) }
  }

  // MARK: Elements

  /// Whether an element of ours is as in the base.
  private func isOurs(_ base: Int, _ position: Int) -> Bool {
    digests.base[base] == digests.ours[position]
  }

  /// Keeps an element of ours, unless theirs has removed it.
  ///
  /// - Parameter origin: the element of the base that it was.
  private mutating func keep(_ position: Int, of origin: Int?) {
    guard let origin else {
      return result.items.append(.ours(position, nil, isMoved: false))
    }
    if let theirs = inTheirs[origin] {
      return result.items.append(.ours(position, (origin, theirs), isMoved: false))
    }
    if isOurs(origin, position) { return }
    result.conflicts.append(
      .removedInTheirs(base: origin, ours: position, merged: result.items.count))
    result.items.append(.ours(position, nil, isMoved: false))
  }

  /// Reports an element that ours has removed, if theirs has changed it.
  private mutating func missInOurs(_ base: Int) {
    guard let their = inTheirs[base], digests.base[base] != digests.theirs[their] else {
      return
    }
    result.conflicts.append(.removedInOurs(base: base, theirs: their))
  }
}
