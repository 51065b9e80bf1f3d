// Objects that others refer to: a merge keeps them one object, or is refused.

import ArchiveBasics
import ArchiveGraph
import ArchiveWriting

/// Requires that a version has changed values, and not which objects are the same.
///
/// Values are merged by their paths. An object that the base has under two paths must be one in the version, too.
struct MergeIdentity {
  private typealias Child = (step: GraphPath.Step, pair: NodePair)

  private let base: ValueDigests
  private let version: ValueDigests
  private let matching: ElementMatching
  private var partners: [Node: Node] = [:]
  private var origins: [Node: Node] = [:]
  private var seen: Set<NodePair> = []
  private var walk = SteppedWalk<NodePair, Child>()
  /// The objects whose identity matters; nil for all.
  private var relevant: Set<Node>?

  /// Prepares to check a version.
  ///
  /// - Parameter key: what identifies elements of lists, as for the merge.
  init(base: ObjectGraph, version: ObjectGraph, _ rules: ComparisonRules, key: ValuePath?) {
    self.base = ValueDigests(base, rules)
    self.version = ValueDigests(version, rules)
    matching = ElementMatching(old: self.base, new: self.version, key: key)
  }

  // MARK: Objects that both versions have

  /// Requires that each object of the base is one object of the version.
  ///
  /// - Parameter relevant: the objects of the version of which this is required; nil for all.
  /// - Throws: `ArchiveError` with code `mismatch` and the path of a reference that leads to another object now.
  mutating func requireSameObjects(where relevant: Set<Node>? = nil) throws(ArchiveError) {
    self.relevant = relevant
    try enter(NodePair(base.graph.root, version.graph.root))
    while let child = walk.next() { try enter(child.pair) }
  }

  private mutating func enter(_ pair: NodePair) throws(ArchiveError) {
    let old = ComparedValue(pair.left, in: base.graph, rules: base.rules)
    let new = ComparedValue(pair.right, in: version.graph, rules: version.rules)
    let pair = NodePair(old.node, new.node)
    guard seen.insert(pair).inserted else { return }
    try requireSame(pair)
    guard old.isContainer, new.isContainer else { return }
    guard walk.depth < base.graph.limits.depth else { throw .tooDeep(base.graph.limits.depth) }
    walk.enter(pair, try children(old, new))
  }

  /// Requires that two containers are partners alone, if they have an identity.
  private mutating func requireSame(_ pair: NodePair) throws(ArchiveError) {
    guard StoredMatching.hasIdentity(pair.left, in: base.graph),
      StoredMatching.hasIdentity(pair.right, in: version.graph)
    else { return }
    let (partner, origin) = (partners[pair.left], origins[pair.right])
    let isSame = partner ?? pair.right == pair.right && origin ?? pair.left == pair.left
    if !isSame, isRelevant(pair.right) || partner.map(isRelevant) == true {
      throw ArchiveError(
        .mismatch,
        "\(relevant == nil ? "theirs" : "ours") refers to another object here than the base does",
        path: GraphPath(walk.path.map(\.step)))
    }
    partners[pair.left] = pair.right
    origins[pair.right] = pair.left
  }

  private func isRelevant(_ object: Node) -> Bool { relevant?.contains(object) ?? true }

  private func children(
    _ old: ComparedValue, _ new: ComparedValue
  ) throws(ArchiveError) -> [Child] {
    switch (old.content, new.content) {
    case (.members(let members, _), .members(let others, _)):
      guard let one = MemberNames(members, of: old.node, base),
        let two = MemberNames(others, of: new.node, version)
      else { return [] }
      return two.list.compactMap { member in
        one[member.name].map {
          (.key(member.name.text), NodePair($0.value, member.value))
        }
      }
    case (.list(let one), .list(let two)):
      return try pairs(one, two, old.node, new.node, isSet: false)
    case (.set(let one), .set(let two)):
      return try pairs(one, two, old.node, new.node, isSet: true)
    default: return []
    }
  }

  private func pairs(
    _ one: Elements, _ two: Elements, _ old: Node, _ new: Node, isSet: Bool
  ) throws(ArchiveError) -> [Child] {
    let alignment = try matching.align(one, of: old, two, of: new, isSet: isSet)
    return (alignment.kept + alignment.moved).map {
      (
        .index($0.new),
        NodePair(base.graph.node(one, $0.old), version.graph.node(two, $0.new))
      )
    }
  }
}
