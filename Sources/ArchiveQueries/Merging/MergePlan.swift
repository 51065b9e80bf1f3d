// What has to be done to our version of a file so that it has the changes of theirs, too.

import ArchiveBasics
import ArchiveGraph
import ArchiveWriting

/// The operations that bring the changes of theirs into ours, and the conflicts.
struct MergePlan {
  /// The operations in order; their values are those of theirs.
  fileprivate(set) var operations: [PatchStep] = []
  /// What is left as it is in ours.
  fileprivate(set) var conflicts: [MergeConflict] = []
  /// The values that the operations replace, add or remove, by their containers.
  fileprivate(set) var changed: Set<MergedLocation> = []
  /// The lists and sets of ours whose elements the operations add, remove or move.
  fileprivate(set) var reordered: Set<Node> = []
  /// The objects of ours that the operations change, replace or remove.
  fileprivate(set) var touched: Set<Node> = []
  /// What the merged file must have: a value of theirs at a path, or none.
  fileprivate(set) var expectations: [(path: GraphPath, value: Node?)] = []

  /// Makes a plan.
  ///
  /// - Parameter key: the path from an element of a list to what identifies it; nil to align by content.
  /// - Throws: `ArchiveError` with code `limit` if values are too many or too deep.
  static func make(
    _ versions: MergedVersions, _ rules: ComparisonRules, key: ValuePath?
  ) throws(ArchiveError) -> MergePlan {
    var merge = VersionMerge(versions, rules, key: key)
    try merge.run()
    return merge.plan
  }
}

/// Where a value is: in a container of ours, and the step there in the merged file; nil for the root.
struct MergedLocation: Hashable {
  let holder: Node?
  let step: GraphPath.Step?
}

/// Walks through three versions in step, as far as they differ.
///
/// Where ours is as the base, a change of theirs is taken over; where theirs is as the base, or as ours, nothing has to
/// be done. Values that all three have are entered, and the rest are conflicts.
struct VersionMerge {
  struct Trio: Hashable {
    let base: Node
    let ours: Node
    let theirs: Node
  }

  /// A value that all have, and the step to it in the merged file.
  struct Child {
    let step: GraphPath.Step
    let trio: Trio
  }

  let versions: MergedVersions
  let rules: ComparisonRules
  let base: ValueDigests
  let ours: ValueDigests
  let theirs: ValueDigests
  let ourMatching: ElementMatching
  let theirMatching: ElementMatching
  private(set) var plan = MergePlan()
  private var walk = SteppedWalk<Trio, Child>()
  /// Objects of keyed archives, which are merged once, under the first path that leads to them.
  private var merged: Set<Trio> = []
  /// The container of ours that is being merged.
  private var holder: Node?

  init(_ versions: MergedVersions, _ rules: ComparisonRules, key: ValuePath?) {
    self.versions = versions
    self.rules = rules
    base = ValueDigests(versions.base, rules)
    ours = ValueDigests(versions.ours, rules)
    theirs = ValueDigests(versions.theirs, rules)
    ourMatching = ElementMatching(old: base, new: ours, key: key)
    theirMatching = ElementMatching(old: base, new: theirs, key: key)
  }

  mutating func run() throws(ArchiveError) {
    try merge(
      Trio(base: versions.base.root, ours: versions.ours.root, theirs: versions.theirs.root))
    while let child = walk.next() { try merge(child.trio) }
  }

  /// The path of the value that is being merged, in the merged file.
  var path: GraphPath { GraphPath(walk.path.map(\.step)) }

  // MARK: A value

  private mutating func merge(_ trio: Trio) throws(ArchiveError) {
    try base.visit()
    if try isUnchanged(trio) { return }
    if try ours.digest(of: trio.ours) == theirs.digest(of: trio.theirs) { return }
    holder = walk.holders?.ours
    let old = ComparedValue(trio.base, in: versions.base, rules: rules)
    let our = ComparedValue(trio.ours, in: versions.ours, rules: rules)
    let their = ComparedValue(trio.theirs, in: versions.theirs, rules: rules)
    guard old.isComparable(with: our, rules), old.isComparable(with: their, rules),
      their.className == old.className || their.className == our.className
    else { return try replace(trio) }
    let holders = Trio(base: old.node, ours: our.node, theirs: their.node)
    if walk.isOpen(holders) || isKeyed(holders.ours) && !merged.insert(holders).inserted { return }
    holder = holders.ours
    walk.enter(holders, try merge(old, our, their, holders, trio))
  }

  /// Merges what containers have, without their children.
  ///
  /// - Returns: the children to merge.
  private mutating func merge(
    _ old: ComparedValue, _ our: ComparedValue, _ their: ComparedValue, _ holders: Trio,
    _ trio: Trio
  ) throws(ArchiveError) -> [Child] {
    let isEmpty = versions.ours.isEmptyCollection(our.node)
    if isEmpty, isKeyed(our.node), versions.base.isEmptyCollection(old.node) {
      // One empty collection may be that of many objects; the change is for this path alone.
      try replace(trio)
      return []
    }
    switch (old.content, our.content, their.content) {
    case (.list(let old), .list(let our), .list(let their)):
      return try mergeLists(old, our, their, holders, trio)
    case (.set(let old), .set(let our), .set(let their)):
      try mergeSets(old, our, their, holders)
      return []
    case (.members(let old, _), .members(let our, _), .members(let their, _)):
      return try mergeMembers(old, our, their, holders, trio)
    default:
      try replace(trio)
      return []
    }
  }

  /// Whether a value of ours belongs to a keyed archive, whose objects have an identity.
  private func isKeyed(_ node: Node) -> Bool { versions.ours.document(of: node).archive != nil }

  /// Whether theirs has a value as the base has it.
  func isUnchanged(_ trio: Trio) throws(ArchiveError) -> Bool {
    try base.digest(of: trio.base) == theirs.digest(of: trio.theirs)
  }

  /// Whether ours has a value as the base has it.
  func isOurs(_ trio: Trio) throws(ArchiveError) -> Bool {
    try base.digest(of: trio.base) == ours.digest(of: trio.ours)
  }

  /// Takes a whole value of theirs, unless ours has changed it.
  mutating func replace(_ trio: Trio) throws(ArchiveError) {
    if try isOurs(trio) {
      plan.touched.insert(trio.ours)
      return add(.replace, at: path, value: trio.theirs)
    }
    conflict(.changed, path, trio.base, trio.ours, trio.theirs)
  }

  // MARK: Results

  func path(_ step: GraphPath.Step) -> GraphPath { path.appending(step) }

  /// Reports a conflict about single values, nil where a version has none.
  mutating func conflict(
    _ reason: MergeConflict.Reason, _ path: GraphPath, _ base: Node?, _ ours: Node?, _ theirs: Node?
  ) {
    plan.conflicts.append(
      MergeConflict(
        reason: reason, path: path, base: .init(base), ours: .init(ours), theirs: .init(theirs)))
  }

  mutating func add(_ kind: PatchKind, at path: GraphPath, value: Node? = nil) {
    // The path of a member leads one step further than that of the container that is being merged.
    let isMember = path.steps.count > walk.depth
    plan.changed.insert(
      MergedLocation(
        holder: isMember ? holder : walk.holders?.ours, step: path.steps.last))
    plan.expectations.append((path, value))
    append(PatchStep(kind: kind, path: path, value: value))
  }

  /// Plans operations on the elements of the container that is being merged.
  ///
  /// - Parameter elements: the new elements of a list, by their positions in the end.
  mutating func arrange(_ steps: [PatchStep], elements: [(position: Int, value: Node)] = []) {
    if let holder { plan.reordered.insert(holder) }
    for (position, value) in elements { plan.expectations.append((path(.index(position)), value)) }
    for step in steps { append(step) }
  }

  private mutating func append(_ step: PatchStep) {
    if let holder { plan.touched.insert(holder) }
    plan.operations.append(step)
  }
}

extension ObjectGraph {
  /// Whether a value is a collection without elements that never gets any.
  fileprivate func isEmptyCollection(_ node: Node) -> Bool {
    let isEmpty =
      switch value(of: node) {
      case .array(let elements), .set(let elements), .orderedSet(let elements): elements.count == 0
      case .dictionary(let pairs): pairs.count == 0
      default: false
      }
    guard isEmpty, let index = classIndex(of: node) else { return isEmpty }
    return FoundationClass.immutable(classes[index].name) == classes[index].name
  }
}

// MARK: - Dictionaries and objects of three versions

extension VersionMerge {
  /// Merges the members of three dictionaries or objects.
  ///
  /// - Returns: those that all have and that may have to be merged.
  mutating func mergeMembers(
    _ old: Pairs, _ our: Pairs, _ their: Pairs, _ holders: Trio, _ trio: Trio
  ) throws(ArchiveError) -> [Child] {
    guard let one = MemberNames(old, of: holders.base, base),
      let two = MemberNames(our, of: holders.ours, ours),
      let three = MemberNames(their, of: holders.theirs, theirs)
    else {
      // Keys that are not strings, or a repeated one.
      try replace(trio)
      return []
    }
    var children: [Child] = []
    for member in one.list where three[member.name] == nil {
      try merge(member.name, member.value, two[member.name]?.value, nil)
    }
    for member in three.list {
      let (known, kept) = (one[member.name], two[member.name])
      guard let before = known, let present = kept else {
        try merge(member.name, known?.value, kept?.value, member.value)
        continue
      }
      let child = Child(
        step: .key(member.name.text),
        trio: Trio(base: before.value, ours: present.value, theirs: member.value))
      let was = base.isInline(old, before.position)
      let isNow = theirs.isInline(their, member.position)
      if old.isObject, was != isNow, isNow != ours.isInline(our, present.position) {
        conflict(.storage, path(child.step), before.value, present.value, member.value)
      } else {
        children.append(child)
      }
    }
    return children
  }

  /// Merges a member that one version lacks, or two.
  private mutating func merge(
    _ name: CodePointString, _ before: Node?, _ present: Node?, _ after: Node?
  ) throws(ArchiveError) {
    let path = path(.key(name.text))
    switch (before, present, after) {
    case (let before?, let present?, nil):
      if try base.digest(of: before) == ours.digest(of: present) { return add(.remove, at: path) }
      conflict(.removedInTheirs, path, before, present, nil)
    case (nil, nil, let after?): add(.add, at: path, value: after)
    case (nil, let present?, let after?):
      if try ours.digest(of: present) == theirs.digest(of: after) { return }
      conflict(.added, path, nil, present, after)
    case (let before?, nil, let after?):
      if try base.digest(of: before) == theirs.digest(of: after) { return }
      conflict(.removedInOurs, path, before, nil, after)
    default: break
    }
  }

  // MARK: Lists and sets of three versions, aligned with that of the base

  /// Merges three lists.
  ///
  /// - Returns: the elements that all have, at their positions in the merged list.
  private mutating func mergeLists(
    _ old: Elements, _ our: Elements, _ their: Elements, _ holders: Trio, _ trio: Trio
  ) throws(ArchiveError) -> [Child] {
    var list = ListMerge(
      (try base.digests(of: old), try ours.digests(of: our), try theirs.digests(of: their)),
      ours: try ourMatching.align(old, of: holders.base, our, of: holders.ours, isSet: false),
      theirs: try theirMatching.align(
        old, of: holders.base, their, of: holders.theirs, isSet: false))
    guard let result = list.merge() else {
      // Both versions have put the elements into another order.
      try replace(trio)
      return []
    }
    plan(result, our, their)
    for conflict in result.conflicts { report(conflict, old, our, their) }
    return result.items.enumerated().compactMap { position, item in
      guard case .ours(let present, let partners?, _) = item else { return nil }
      return Child(
        step: .index(position),
        trio: Trio(
          base: versions.base.node(old, partners.base), ours: versions.ours.node(our, present),
          theirs: versions.theirs.node(their, partners.theirs)))
    }
  }

  /// Plans how the elements of ours become those of the merged list.
  private mutating func plan(
    _ result: ListMerge.Result, _ our: Elements, _ their: Elements
  ) {
    let alignment = result.alignment(ourCount: our.count)
    if alignment.removed.isEmpty, alignment.added.isEmpty, alignment.moved.isEmpty { return }
    let list = path
    var elements: [(position: Int, value: Node)] = []
    let steps = PatchStep.steps(alignment, oldCount: our.count, at: list) { position in
      guard case .theirs(let element) = result.items[position] else { return nil }
      let value = versions.theirs.node(their, element)
      elements.append((position, value))
      return value
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
        .removedInOurs, list.appending(.index(base)), versions.base.node(old, base), nil,
        versions.theirs.node(their, theirs))
    case .removedInTheirs(let base, let ours, let merged):
      self.conflict(
        .removedInTheirs, list.appending(.index(merged)), versions.base.node(old, base),
        versions.ours.node(our, ours), nil)
    case .elements(let base, let ours, let theirs, let merged):
      plan.conflicts.append(
        MergeConflict(
          reason: .elements, path: list, index: merged,
          base: .elements(base.map { versions.base.node(old, $0) }),
          ours: .elements(ours.map { versions.ours.node(our, $0) }),
          theirs: .elements(theirs.map { versions.theirs.node(their, $0) })))
    }
  }

  /// Merges three sets: what either has added is in the result, what either has removed is not.
  private mutating func mergeSets(
    _ old: Elements, _ our: Elements, _ their: Elements, _ holders: Trio
  ) throws(ArchiveError) {
    let ourAlignment = try ourMatching.align(
      old, of: holders.base, our, of: holders.ours, isSet: true)
    let theirAlignment = try theirMatching.align(
      old, of: holders.base, their, of: holders.theirs, isSet: true)
    if haveBothChanged(old, ourAlignment, theirAlignment) {
      return conflict(.elements, path, holders.base, holders.ours, holders.theirs)
    }
    var positions: [Int: Int] = [:]
    for match in ourAlignment.kept + ourAlignment.moved { positions[match.old] = match.new }
    let known = Set(try ours.digests(of: our))
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
