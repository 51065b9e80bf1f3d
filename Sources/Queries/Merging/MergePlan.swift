// What has to be done to our version of a file so that it has the changes of theirs, too.

import Basics
import KeyedArchives
import ObjectGraph

/// The operations that bring the changes of theirs into ours, and the conflicts.
struct MergePlan {
  /// The operations in order; their values are those of theirs.
  fileprivate(set) var operations: [PatchStep] = []
  /// What is left as it is in ours.
  fileprivate(set) var conflicts: [MergeConflict] = []
  /// The values that the operations replace, add or remove, under every path that leads to them.
  fileprivate(set) var changed: Set<GraphPath> = []
  /// The lists and sets whose elements the operations add, remove or move.
  fileprivate(set) var reordered: Set<GraphPath> = []
  /// The objects of ours that the operations change, replace or remove.
  fileprivate(set) var touched: Set<Node> = []
  /// What the merged file must have: a value of theirs at a path, or none.
  fileprivate(set) var expectations: [(path: GraphPath, value: Node?)] = []

  /// Whether a change of ours is one of the planned ones.
  ///
  /// - Parameter isOfElements: whether only elements of the list at the path come, go or move.
  func covers(_ path: GraphPath, isOfElements: Bool = false) -> Bool {
    if isOfElements, reordered.contains(path) { return true }
    return (0...path.steps.count).contains {
      changed.contains(GraphPath(Array(path.steps.prefix($0))))
    }
  }

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

/// Walks through three versions in step, as far as they differ.
///
/// Where ours is as the base, a change of theirs is taken over; where theirs is as the base, or as ours, nothing has to
/// be done. Values that all three have are entered, and the rest are conflicts.
struct VersionMerge {
  /// A value in the three versions.
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

  /// Not a `GraphWalk`: three graphs are walked in step.
  private struct Frame {
    let holders: Trio
    let children: [Child]
    let isRepeated: Bool
    var next = 0
  }

  let versions: MergedVersions
  let rules: ComparisonRules
  let base: ValueDigests
  let ours: ValueDigests
  let theirs: ValueDigests
  /// Aligns elements of the base with those of ours.
  let ourMatching: ElementMatching
  /// Aligns elements of the base with those of theirs.
  let theirMatching: ElementMatching
  private(set) var plan = MergePlan()
  private var stack: [Frame] = []
  private var opened: Set<Trio> = []
  /// Objects of keyed archives that were merged under another path, and are changed once.
  private var merged: Set<Trio> = []
  private var isRepeated = false
  /// The container of ours that is being merged.
  private var holder: Node?

  init(_ versions: MergedVersions, _ rules: ComparisonRules, key: ValuePath?) {
    self.versions = versions
    self.rules = rules
    base = ValueDigests(versions.base, rules)
    ours = ValueDigests(versions.ours, rules)
    theirs = ValueDigests(versions.theirs, rules)
    ourMatching = ElementMatching(old: base, new: ours, key: key, keys: (base, ours))
    theirMatching = ElementMatching(old: base, new: theirs, key: key, keys: (base, theirs))
  }

  mutating func run() throws(ArchiveError) {
    try merge(
      Trio(base: versions.base.root, ours: versions.ours.root, theirs: versions.theirs.root))
    while let last = stack.indices.last {
      guard stack[last].next < stack[last].children.count else {
        leave(stack.removeLast())
        continue
      }
      stack[last].next += 1
      try merge(stack[last].children[stack[last].next - 1].trio)
    }
  }

  /// The path of the value that is being merged, in the merged file.
  var path: GraphPath { GraphPath(stack.map { $0.children[$0.next - 1].step }) }

  // MARK: A value

  private mutating func merge(_ trio: Trio) throws(ArchiveError) {
    try base.visit()
    if try isUnchanged(trio) { return }
    if try isDone(trio) { return }
    holder = stack.last?.holders.ours
    let old = ComparedValue(trio.base, in: versions.base, rules: rules)
    let our = ComparedValue(trio.ours, in: versions.ours, rules: rules)
    let their = ComparedValue(trio.theirs, in: versions.theirs, rules: rules)
    guard old.isComparable(with: our, rules), old.isComparable(with: their, rules),
      their.className == old.className || their.className == our.className
    else { return try replace(trio) }
    let holders = Trio(base: old.node, ours: our.node, theirs: their.node)
    // Objects that contain themselves.
    guard opened.insert(holders).inserted else { return }
    guard stack.count < versions.base.limits.depth else {
      throw .tooDeep(versions.base.limits.depth)
    }
    base.enter(holders.base)
    ours.enter(holders.ours)
    theirs.enter(holders.theirs)
    let frame = Frame(
      holders: holders, children: [],
      isRepeated: isRepeated || isKeyed(holders.ours) && !merged.insert(holders).inserted)
    isRepeated = frame.isRepeated
    holder = holders.ours
    let children = try merge(old, our, their, holders, trio)
    stack.append(Frame(holders: holders, children: children, isRepeated: frame.isRepeated))
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

  private mutating func leave(_ frame: Frame) {
    base.leave(frame.holders.base)
    ours.leave(frame.holders.ours)
    theirs.leave(frame.holders.theirs)
    opened.remove(frame.holders)
    isRepeated = stack.last?.isRepeated ?? false
  }

  /// Whether a value of ours belongs to a keyed archive, whose objects have an identity.
  private func isKeyed(_ node: Node) -> Bool { versions.ours.document(of: node).archive != nil }

  /// Whether theirs has a value as the base has it.
  func isUnchanged(_ trio: Trio) throws(ArchiveError) -> Bool {
    try base.digest(of: trio.base) == theirs.digest(of: trio.theirs)
  }

  /// Whether theirs has a value as ours has it.
  private func isDone(_ trio: Trio) throws(ArchiveError) -> Bool {
    try ours.digest(of: trio.ours) == theirs.digest(of: trio.theirs)
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
    conflict(
      MergeConflict(
        .changed, at: path, base: .value(trio.base), ours: .value(trio.ours),
        theirs: .value(trio.theirs)))
  }

  // MARK: Results

  /// The path of a child of the container that is being merged.
  func path(_ step: GraphPath.Step) -> GraphPath { path.appending(step) }

  mutating func conflict(_ conflict: MergeConflict) {
    if !isRepeated { plan.conflicts.append(conflict) }
  }

  /// Plans an operation on a value.
  mutating func add(_ kind: PatchOperation.Kind, at path: GraphPath, value: Node? = nil) {
    plan.changed.insert(path)
    plan.expectations.append((path, value))
    append(PatchStep(kind: kind, path: path, value: value))
  }

  /// Plans operations on the elements of the container that is being merged.
  ///
  /// - Parameter elements: the new elements of a list, by their positions in the end.
  mutating func arrange(_ steps: [PatchStep], elements: [(position: Int, value: Node)] = []) {
    plan.reordered.insert(path)
    for (position, value) in elements { plan.expectations.append((path(.index(position)), value)) }
    for step in steps { append(step) }
  }

  private mutating func append(_ step: PatchStep) {
    if let holder { plan.touched.insert(holder) }
    if !isRepeated { plan.operations.append(step) }
  }
}

extension ObjectGraph {
  /// Whether a value is a collection without elements that never gets any.
  func isEmptyCollection(_ node: Node) -> Bool {
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
