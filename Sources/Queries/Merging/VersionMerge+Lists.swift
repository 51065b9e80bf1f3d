// Lists and sets of three versions, aligned with that of the base.

import Basics
import ObjectGraph

extension VersionMerge {
  /// Merges three lists.
  ///
  /// - Returns: the elements that all have, at their positions in the merged list.
  mutating func mergeLists(
    _ old: Elements, _ our: Elements, _ their: Elements, _ holders: Trio, _ trio: Trio
  ) throws(ArchiveError) -> [Child] {
    var list = ListMerge(
      ours: try ourMatching.align(old, of: holders.base, our, of: holders.ours, isSet: false),
      theirs: try theirMatching.align(
        old, of: holders.base, their, of: holders.theirs, isSet: false),
      counts: (old.count, our.count, their.count))
    let (base, ours, theirs) = (base, ours, theirs)
    let (graph, ourGraph, theirGraph) = (versions.base, versions.ours, versions.theirs)
    let result = try list.merge(
      isOurs: { (position, other) throws(ArchiveError) in
        try base.digest(of: graph.node(old, position))
          == ours.digest(of: ourGraph.node(our, other))
      },
      isTheirs: { (position, other) throws(ArchiveError) in
        try base.digest(of: graph.node(old, position))
          == theirs.digest(of: theirGraph.node(their, other))
      },
      isSame: { (position, other) throws(ArchiveError) in
        try ours.digest(of: ourGraph.node(our, position))
          == theirs.digest(of: theirGraph.node(their, other))
      })
    guard let result else {
      // Both versions have put the elements into another order.
      try replace(trio)
      return []
    }
    try plan(result, our, their)
    for conflict in result.conflicts { report(conflict, old, our, their) }
    return result.items.enumerated().compactMap { position, item in
      guard case .ours(let present, let partners?, _) = item else { return nil }
      return Child(
        step: .index(position),
        trio: Trio(
          base: graph.node(old, partners.base), ours: ourGraph.node(our, present),
          theirs: theirGraph.node(their, partners.theirs)))
    }
  }

  /// Plans how the elements of ours become those of the merged list.
  private mutating func plan(
    _ result: ListMerge.Result, _ our: Elements, _ their: Elements
  ) throws(ArchiveError) {
    let alignment = result.alignment(ourCount: our.count)
    if alignment.removed.isEmpty, alignment.added.isEmpty, alignment.moved.isEmpty { return }
    let list = path
    var steps = alignment.removed.reversed().map {
      PatchStep(kind: .remove, path: list.appending(.index($0)))
    }
    var elements: [(position: Int, value: Node)] = []
    var order = ElementOrder(alignment, oldCount: our.count)
    for change in order.changes() {
      switch change {
      case .add(let position, let index):
        guard case .theirs(let element) = result.items[position] else { continue }
        let value = versions.theirs.node(their, element)
        steps.append(PatchStep(kind: .add, path: list.appending(.index(index)), value: value))
        elements.append((position, value))
      case .move(let source, let target):
        steps.append(
          PatchStep(
            kind: .move, path: list.appending(.index(target)),
            source: list.appending(.index(source))))
      }
    }
    arrange(steps, elements: elements)
  }

  private mutating func report(
    _ conflict: ListMerge.Conflict, _ old: Elements, _ our: Elements, _ their: Elements
  ) {
    let list = path
    switch conflict {
    case .removedInOurs(let base, let theirs):
      self.conflict(
        MergeConflict(
          .removedInOurs, at: list.appending(.index(base)),
          base: .value(versions.base.node(old, base)), ours: .nothing,
          theirs: .value(versions.theirs.node(their, theirs))))
    case .removedInTheirs(let base, let ours, let merged):
      self.conflict(
        MergeConflict(
          .removedInTheirs, at: list.appending(.index(merged)),
          base: .value(versions.base.node(old, base)),
          ours: .value(versions.ours.node(our, ours)), theirs: .nothing))
    case .elements(let base, let ours, let theirs, let merged):
      self.conflict(
        MergeConflict(
          .elements, at: list, index: merged,
          base: .elements(base.map { versions.base.node(old, $0) }),
          ours: .elements(ours.map { versions.ours.node(our, $0) }),
          theirs: .elements(theirs.map { versions.theirs.node(their, $0) })))
    }
  }

  /// Merges three sets: what either has added is in the result, what either has removed is not.
  mutating func mergeSets(
    _ old: Elements, _ our: Elements, _ their: Elements, _ holders: Trio
  ) throws(ArchiveError) {
    let ourAlignment = try ourMatching.align(
      old, of: holders.base, our, of: holders.ours, isSet: true)
    let theirAlignment = try theirMatching.align(
      old, of: holders.base, their, of: holders.theirs, isSet: true)
    if haveBothChanged(old, ourAlignment, theirAlignment) {
      return conflict(
        MergeConflict(
          .elements, at: path, base: .value(holders.base), ours: .value(holders.ours),
          theirs: .value(holders.theirs)))
    }
    var positions: [Int: Int] = [:]
    for match in ourAlignment.kept + ourAlignment.moved { positions[match.old] = match.new }
    var known: Set<ValueDigest> = []
    for position in 0..<our.count {
      known.insert(try ours.digest(of: versions.ours.node(our, position)))
    }
    let set = path
    var steps = theirAlignment.removed.compactMap { positions[$0] }.sorted(by: >).map {
      PatchStep(kind: .remove, path: set.appending(.index($0)))
    }
    for position in theirAlignment.added {
      let element = versions.theirs.node(their, position)
      guard !known.contains(try theirs.digest(of: element)) else { continue }
      steps.append(PatchStep(kind: .add, path: set.appending(.key("-")), value: element))
    }
    if !steps.isEmpty { arrange(steps) }
  }

  /// Whether both versions lack a collection or an object that the base has in a set, and one of them may have changed it.
  private func haveBothChanged(
    _ old: Elements, _ ours: ListAlignment, _ theirs: ListAlignment
  ) -> Bool {
    guard !ours.added.isEmpty || !theirs.added.isEmpty else { return false }
    let removed = Set(ours.removed)
    return theirs.removed.contains { position in
      removed.contains(position)
        && versions.base.value(of: versions.base.node(old, position)).isContainer
    }
  }
}
