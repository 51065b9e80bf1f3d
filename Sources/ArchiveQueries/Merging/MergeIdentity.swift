// Objects that others refer to: a merge keeps them one object, or is refused.

import ArchiveBasics
import ArchiveGraph
import ArchiveWriting
import KeyedArchives

/// Requires that a version has changed values, and not which objects are the same.
///
/// Values are merged by their paths. An object that the base has under two paths must be one in the version, too.
struct MergeIdentity {
  private struct Pair: Hashable {
    let base: Node
    let version: Node
  }

  private struct Frame {
    let children: [(step: GraphPath.Step, pair: Pair)]
    var next = 0
  }

  private let base: ValueDigests
  private let version: ValueDigests
  private let matching: ElementMatching
  private var partners: [Node: Node] = [:]
  private var origins: [Node: Node] = [:]
  private var seen: Set<Pair> = []
  private var stack: [Frame] = []
  /// The objects whose identity matters; nil for all.
  private var relevant: Set<Node>?

  /// Prepares to check a version.
  ///
  /// - Parameter key: what identifies elements of lists, as for the merge.
  init(base: ObjectGraph, version: ObjectGraph, _ rules: ComparisonRules, key: ValuePath?) {
    self.base = ValueDigests(base, rules)
    self.version = ValueDigests(version, rules)
    matching = ElementMatching(
      old: self.base, new: self.version, key: key, keys: (self.base, self.version))
  }

  // MARK: Objects that both versions have

  /// Requires that each object of the base is one object of the version.
  ///
  /// - Parameter relevant: the objects of the version of which this is required; nil for all.
  /// - Throws: `ArchiveError` with code `mismatch` and the path of a reference that leads to another object now.
  mutating func requireSameObjects(where relevant: Set<Node>? = nil) throws(ArchiveError) {
    self.relevant = relevant
    try enter(Pair(base: base.graph.root, version: version.graph.root))
    while let last = stack.indices.last {
      guard stack[last].next < stack[last].children.count else {
        stack.removeLast()
        continue
      }
      stack[last].next += 1
      try enter(stack[last].children[stack[last].next - 1].pair)
    }
  }

  private mutating func enter(_ pair: Pair) throws(ArchiveError) {
    let old = ComparedValue(pair.base, in: base.graph, rules: base.rules)
    let new = ComparedValue(pair.version, in: version.graph, rules: version.rules)
    let pair = Pair(base: old.node, version: new.node)
    guard seen.insert(pair).inserted else { return }
    try requireSame(pair)
    guard old.isContainer, new.isContainer else { return }
    guard stack.count < base.graph.limits.depth else { throw .tooDeep(base.graph.limits.depth) }
    stack.append(Frame(children: try children(old, new)))
  }

  /// Requires that two containers are partners alone, if they have an identity.
  private mutating func requireSame(_ pair: Pair) throws(ArchiveError) {
    guard StoredMatching.hasIdentity(pair.base, in: base.graph),
      StoredMatching.hasIdentity(pair.version, in: version.graph)
    else { return }
    let (partner, origin) = (partners[pair.base], origins[pair.version])
    let isSame = partner ?? pair.version == pair.version && origin ?? pair.base == pair.base
    if !isSame, isRelevant(pair.version) || partner.map(isRelevant) == true {
      throw ArchiveError(
        .mismatch,
        "\(relevant == nil ? "theirs" : "ours") refers to another object here than the base does",
        path: GraphPath(stack.map { $0.children[$0.next - 1].step }))
    }
    partners[pair.base] = pair.version
    origins[pair.version] = pair.base
  }

  private func isRelevant(_ object: Node) -> Bool { relevant?.contains(object) ?? true }

  private func children(
    _ old: ComparedValue, _ new: ComparedValue
  ) throws(ArchiveError) -> [(step: GraphPath.Step, pair: Pair)] {
    switch (old.content, new.content) {
    case (.members(let members, _), .members(let others, _)):
      guard let one = MemberNames(members, of: old.node, base),
        let two = MemberNames(others, of: new.node, version)
      else { return [] }
      return two.list.compactMap { member in
        one[member.name].map {
          (.key(member.name.text), Pair(base: $0.value, version: member.value))
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
  ) throws(ArchiveError) -> [(step: GraphPath.Step, pair: Pair)] {
    let alignment = try matching.align(one, of: old, two, of: new, isSet: isSet)
    return (alignment.kept + alignment.moved).map {
      (
        .index($0.new),
        Pair(base: base.graph.node(one, $0.old), version: version.graph.node(two, $0.new))
      )
    }
  }
}
