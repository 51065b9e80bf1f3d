// Which objects of two graphs belong together, where several references lead to an object.

import ArchiveBasics
import ArchiveGraph
import ArchiveWriting

/// Pairs of objects of two graphs.
///
/// Only objects, and containers of cycles, have an identity of their own; all other values are compared where their
/// containers are.
final class GraphPairing {
  /// Where two containers met: the containers that hold them, and the steps there; nil where a comparison began.
  typealias Meeting = (holders: NodePair, old: GraphPath.Step, new: GraphPath.Step)?

  /// What a meeting of two containers is.
  enum Decision {
    /// They are compared, also if at least one of them is a copy of another that is.
    case pair
    /// They are compared if no other partner is found for either.
    case later
    /// At least one of them belongs to another.
    case others
  }

  let old: ComparedGraph
  let new: ComparedGraph
  /// The containers whose elements or members are being reported, or that hold a value.
  var holders: NodePair?
  /// The alignments of lists and sets that were compared.
  var alignments: [NodePair: ListAlignment] = [:]
  private var meetings: [NodePair: Meeting] = [:]
  /// How many pairs may be copies of others.
  private var copies: Int
  /// The pairs of objects of the same content.
  private var found: [NodePair] = []
  /// The digests of containers that both graphs have.
  private var common: Set<ValueDigest> = []
  /// The pairs that are shared in different ways, and were reported.
  private var shared: Set<NodePair> = []
  private let comparesDigests: Bool

  /// How far digests of what is near an object lead.
  private static let steps = 4
  /// How far they lead for the elements of a list.
  private static let elementSteps = 2

  /// Prepares for two graphs, and pairs the objects whose content appears once in each of them.
  ///
  /// - Throws: `ArchiveError` with code `limit` if values are too many or too deep.
  init(_ oldDigests: ValueDigests, _ newDigests: ValueDigests) throws(ArchiveError) {
    old = ComparedGraph(oldDigests)
    new = ComparedGraph(newDigests)
    comparesDigests = oldDigests.rules.tolerance == nil
    copies = old.tree.entries.count + new.tree.entries.count
    common = try Self.count(old).intersection(Self.count(new))
    try pairUnique(changed(old), changed(new))
    found.reverse()
  }

  /// Counts the objects of each digest.
  ///
  /// - Returns: the digests of all containers.
  private static func count(_ graph: ComparedGraph) throws(ArchiveError) -> Set<ValueDigest> {
    var all: Set<ValueDigest> = []
    for value in graph.values {
      let digest = try graph.digests.digest(of: value.node)
      all.insert(digest)
      if graph.digests.hasIdentity(value) {
        graph.counts[digest, default: (0, value.node)].count += 1
      }
    }
    return all
  }

  /// The containers that the other graph does not have, and those in them, which may be the old or new form of another.
  private func changed(_ graph: ComparedGraph) throws(ArchiveError) -> [ComparedValue] {
    let entries = graph.tree.entries
    var isChanged = [Bool](repeating: false, count: entries.count)
    for (number, entry) in entries.enumerated() {
      isChanged[number] = try !common.contains(graph.digests.digest(of: entry.node))
    }
    return entries.indices.filter { number in
      isChanged[number] || entries[number].origin.map { isChanged[$0.holder] } ?? false
    }.map { graph.opened(entries[$0].node) }
  }

  /// Pairs objects of which each graph has one with the same content, from the widest view of them to the narrowest.
  private func pairUnique(
    _ left: [ComparedValue], _ right: [ComparedValue]
  ) throws(ArchiveError) {
    let one = try old.digests.nearDigests(of: left, steps: Self.steps)
    let two = try new.digests.nearDigests(of: right, steps: Self.steps)
    old.near = Self.table(left, one[Self.elementSteps - 1])
    new.near = Self.table(right, two[Self.elementSteps - 1])
    for step in (0..<Self.steps).reversed() {
      try pairUnique(left, right) { (value, digests, position) throws(ArchiveError) in
        guard step > 0 || digests.hasText(value) else { return [] }
        return [(digests === old.digests ? one : two)[step][position]]
      }
    }
    try pairUnique(left, right) { (value, digests, _) throws(ArchiveError) in
      try digests.textDigests(of: value)
    }
  }

  /// Pairs the objects of which each graph has one with the same digest, and no other partner.
  private func pairUnique(
    _ left: [ComparedValue], _ right: [ComparedValue], _ digests: Digests
  ) throws(ArchiveError) {
    let (one, two) = (try unique(left, old, digests), try unique(right, new, digests))
    let pairs = one.compactMap { digest, position in
      two[digest].map { (old: position, new: $0) }
    }
    // In an order that does not depend on digests, which are different in each process.
    for pair in pairs.sorted(by: { $0 < $1 }) {
      let (one, two) = (left[pair.old].node, right[pair.new].node)
      guard old.partners[one] == nil, new.partners[two] == nil else { continue }
      bind(one, two)
      found.append(NodePair(one, two))
    }
  }

  /// Digests of a value at a position.
  private typealias Digests = (ComparedValue, ValueDigests, Int) throws(ArchiveError) ->
    [ValueDigest]

  /// The positions of changed objects without a partner, by the digests that no other of them has.
  private func unique(
    _ values: [ComparedValue], _ graph: ComparedGraph, _ digests: Digests
  ) throws(ArchiveError) -> [ValueDigest: Int] {
    var positions: [ValueDigest: Int?] = [:]
    for (position, value) in values.enumerated() where graph.partners[value.node] == nil {
      guard try isChanged(value, graph) else { continue }
      for digest in try digests(value, graph.digests, position) {
        positions[digest] = .some(positions[digest] == nil ? position : nil)
      }
    }
    return positions.compactMapValues { $0 }
  }

  /// Whether a value is an object that only one of the graphs has as it is.
  private func isChanged(
    _ value: ComparedValue, _ graph: ComparedGraph
  ) throws(ArchiveError) -> Bool {
    guard graph.digests.hasIdentity(value) else { return false }
    return try !common.contains(graph.digests.digest(of: value.node))
  }

  private static func table(
    _ values: [ComparedValue], _ digests: [ValueDigest]
  ) -> [Node: ValueDigest] {
    Dictionary(zip(values.map(\.node), digests)) { first, _ in first }
  }

  private func bind(_ left: Node, _ right: Node) {
    if old.partners[left] == nil { old.partners[left] = right }
    if new.partners[right] == nil { new.partners[right] = left }
  }

  // MARK: Pairs

  /// Records where two containers are compared.
  func add(_ holders: NodePair, at meeting: Meeting) {
    meetings[holders] = meeting
    bind(holders.left, holders.right)
  }

  /// Records that two values are equal where they are, and so all that they lead to.
  func keep(_ left: Node, _ right: Node) {
    old.keep(left)
    new.keep(right)
  }

  /// The next pair of objects of the same content that was not compared yet; nil at the end.
  func begin() -> NodePair? {
    while let pair = found.popLast() {
      if meetings[pair] == nil { return pair }
    }
    return nil
  }

  /// Where two containers met; nil where a comparison began, or if they are not compared.
  func meeting(of holders: NodePair) -> Meeting { meetings[holders] ?? nil }

  func areCompared(_ holders: NodePair) -> Bool { meetings[holders] != nil }

  /// The pairs of containers that are compared, in document order.
  func pairs() -> [NodePair] {
    meetings.keys.map { (new.position(of: $0.right), old.position(of: $0.left), $0) }
      .sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
  }

  /// The paths of two containers that are compared: of objects their shortest ones, of values those where they met.
  func paths(of holders: NodePair) -> PathPair {
    var steps: (old: [GraphPath.Step], new: [GraphPath.Step]) = ([], [])
    var holders = holders
    while let meeting = meeting(of: holders), !hasIdentity(holders) {
      steps.old.append(meeting.old)
      steps.new.append(meeting.new)
      holders = meeting.holders
    }
    return PathPair(
      old: old.tree.path(of: holders.left).appending(GraphPath(steps.old.reversed())),
      new: new.tree.path(of: holders.right).appending(GraphPath(steps.new.reversed())))
  }

  private func hasIdentity(_ pair: NodePair) -> Bool {
    old.digests.hasIdentity(old.opened(pair.left))
      && new.digests.hasIdentity(new.opened(pair.right))
  }

  /// What a meeting of two containers that differ is.
  func decision(
    _ left: ComparedValue, _ right: ComparedValue
  ) throws(ArchiveError) -> Decision {
    let isBound = (
      old: old.partners[left.node] != nil, new: new.partners[right.node] != nil
    )
    if old.partners[left.node] == right.node { return .pair }
    if old.digests.rules.isExact, !isBound.old, !isBound.new,
      try old.digests.digest(of: left.node) == new.digests.digest(of: right.node)
    {
      return .pair
    }
    let isIdentified = (
      old: old.digests.hasIdentity(left), new: new.digests.hasIdentity(right)
    )
    var mayRemain = false
    for (value, graph, isFree) in [
      (left, old, !isBound.old && isIdentified.old),
      (right, new, !isBound.new && isIdentified.new),
    ] where isFree {
      guard try remains(value.node, of: graph) else { continue }
      // An object without a text, to which one reference leads, is known by its place: another may be alike by chance.
      if graph.kept.contains(value.node) || graph.digests.isShared(value.node)
        || graph.digests.hasText(value)
      {
        return .others
      }
      mayRemain = true
    }
    if mayRemain { return .later }
    if isBound.old && (isBound.new || isIdentified.old) || isBound.new && isIdentified.new {
      guard copies > 0, try isCopy(left, right) else { return .others }
      copies -= 1
      return .pair
    }
    return try isAlike(left, right) ? .pair : .later
  }

  /// Whether two nodes are partners, or copies of such.
  func arePartners(_ left: Node, _ right: Node) -> Bool {
    if old.partners.isEmpty { return false }
    let (one, two) = (old.opened(left).node, new.opened(right).node)
    return old.partners[one] == two || new.partners[two] == one
      || meetings[NodePair(one, two)] != nil
  }

  /// How two equal objects are shared in different ways, reported once; nil if there is no difference.
  func sharing(_ left: Node, _ right: Node) -> StoredChange? {
    let pair = NodePair(old.opened(left).node, new.opened(right).node)
    guard StoredMatching.hasIdentity(pair.left, in: old.digests.graph),
      StoredMatching.hasIdentity(pair.right, in: new.digests.graph)
    else { return nil }
    if !old.opened(left).isContainer {
      guard old.partners[pair.left] != pair.right else { return nil }
      bind(pair.left, pair.right)
    } else if !arePartners(left, right) {
      return nil
    }
    let isOne = (
      old.partners[pair.left] == pair.right, new.partners[pair.right] == pair.left
    )
    guard !isOne.0 || !isOne.1, shared.insert(pair).inserted else { return nil }
    let texts = ["one object", "two objects"]
    return StoredChange(
      kind: .sharing, old: texts[isOne.0 ? 1 : 0], new: texts[isOne.0 ? 0 : 1])
  }

  /// Whether what is near two objects is equal, other partners apart.
  private func isCopy(_ left: ComparedValue, _ right: ComparedValue) throws(ArchiveError) -> Bool {
    var waiting = [NodePair(left.node, right.node)]
    var known = Set(waiting)
    while let pair = waiting.popLast() {
      let (one, two) = (old.opened(pair.left), new.opened(pair.right))
      guard one.className == two.className, one.isComparable(with: two, old.digests.rules),
        try old.ownDigest(of: one) == new.ownDigest(of: two),
        let children = try children(one, two)
      else { return false }
      for child in children where known.insert(child).inserted {
        if arePartners(child.left, child.right) { continue }
        let (digest, other) = (
          try old.digests.digest(of: child.left), try new.digests.digest(of: child.right)
        )
        if digest == other { continue }
        waiting.append(child)
        if known.count > Self.mostCopied { return true }
      }
    }
    return true
  }

  /// How many pairs near two objects are looked at.
  private static let mostCopied = 64

  /// The containers in two containers, by their names or positions; nil if these are others.
  private func children(
    _ left: ComparedValue, _ right: ComparedValue
  ) throws(ArchiveError) -> [NodePair]? {
    var pairs: [NodePair] = []
    func add(_ one: Node, _ two: Node) -> Bool {
      let (one, two) = (old.opened(one), new.opened(two))
      guard one.isContainer, two.isContainer else { return !one.isContainer && !two.isContainer }
      pairs.append(NodePair(one.node, two.node))
      return true
    }
    switch (left.content, right.content) {
    case (.list(let one), .list(let two)):
      let areAll =
        one.count == two.count
        && (0..<one.count).allSatisfy {
          add(old.digests.graph.node(one, $0), new.digests.graph.node(two, $0))
        }
      return areAll ? pairs : nil
    case (.members(let one, _), .members(let two, _)):
      guard let names = MemberNames(one, of: left.node, old.digests),
        let others = MemberNames(two, of: right.node, new.digests),
        names.list.count == others.list.count
      else { return nil }
      for member in names.list {
        guard let other = others[member.name], add(member.value, other.value) else { return nil }
      }
      return pairs
    default:
      return try old.digests.digest(of: left.node) == new.digests.digest(of: right.node) ? [] : nil
    }
  }

  /// Whether the other graph has an object, too.
  func remains(_ node: Node, of graph: ComparedGraph) throws(ArchiveError) -> Bool {
    if graph.partners[node] != nil || graph.kept.contains(node) { return true }
    let digest = try graph.digests.digest(of: node)
    let others = (graph === old ? new : old).counts[digest]?.count ?? 0
    return comparesDigests && others > 0 && graph.counts[digest]?.count ?? 0 <= others
  }

  /// The path of an object that is shown elsewhere, or is in both graphs; nil for a value that is shown where it is.
  ///
  /// An object of the old graph that the new one has, too, is named by its path there.
  func path(of node: Node, of graph: ComparedGraph) -> GraphPath? {
    guard graph.digests.graph.isContainerOrData(node) else { return nil }
    let value = graph.opened(node)
    guard graph.digests.hasIdentity(value) else { return nil }
    if (try? remains(value.node, of: graph)) == true {
      let digest = try? graph.digests.digest(of: value.node)
      let partner = old.partners[value.node] ?? digest.flatMap { new.counts[$0]?.first }
      return new.tree.path(of: graph === new ? value.node : partner ?? value.node)
    }
    return graph.isSharedObject(value) ? graph.tree.path(of: value.node) : nil
  }

  /// What is equal for elements of lists that belong together.
  func token(
    of node: Node, of graph: ComparedGraph
  ) throws(ArchiveError) -> ValueDigest {
    let exact = try graph.digests.digest(of: node)
    guard graph.digests.graph.isContainerOrData(node) else { return exact }
    let value = graph.opened(node)
    // Copies have the token of the object that they are copies of.
    let pair =
      graph === old
      ? old.partners[value.node].map { new.partners[$0] ?? value.node } : new.partners[value.node]
    if let pair {
      return DigestMaker.digest(.cycle) {
        $0.combine(UInt64(pair.document))
        $0.combine(UInt64(pair.index))
      }
    }
    guard graph.digests.isCyclic(value.node), !common.contains(exact) else { return exact }
    return graph.near[value.node] ?? exact
  }

  /// Whether no more of the scalars that two objects have under the same names differ than are equal; objects to which both
  /// refer count as equal.
  private func isAlike(
    _ left: ComparedValue, _ right: ComparedValue
  ) throws(ArchiveError) -> Bool {
    guard let members = try common(left, right) else { return left.className == right.className }
    return left.className == right.className && members.equal >= members.different
  }

  /// Whether two elements at one position of a list may be the old and the new form of one: objects of which all scalars
  /// differ are others, if there are several.
  func isPossible(_ left: ComparedValue, _ right: ComparedValue) throws(ArchiveError) -> Bool {
    guard left.className == right.className, left.isComparable(with: right, old.digests.rules)
    else { return false }
    guard let members = try common(left, right) else { return true }
    return members.equal > 0 || members.different < 2
  }

  /// How many members of two objects are equal, and how many scalars under the same names differ; nil for other
  /// containers.
  private func common(
    _ left: ComparedValue, _ right: ComparedValue
  ) throws(ArchiveError) -> (equal: Int, different: Int)? {
    guard case .members(let one, true) = left.content, case .members(let two, true) = right.content,
      let names = MemberNames(one, of: left.node, old.digests),
      let others = MemberNames(two, of: right.node, new.digests)
    else { return nil }
    var count = (equal: 0, different: 0)
    for member in names.list {
      guard let other = others[member.name] else { continue }
      let (before, after) = (old.opened(member.value), new.opened(other.value))
      if before.isContainer, after.isContainer {
        if old.partners[before.node] == after.node { count.equal += 1 }
      } else if try old.digests.digest(of: member.value) == new.digests.digest(of: other.value) {
        count.equal += 1
      } else {
        count.different += 1
      }
    }
    return count
  }
}

extension ValueDigests {
  /// Whether an object has a text of its own, by which it may be recognized.
  func hasText(_ value: ComparedValue) -> Bool {
    guard case .members(let pairs, _) = value.content else { return false }
    return (0..<pairs.count).contains { isText(graph.value(pairs, $0)) }
  }

  /// Digests of the texts of an object with its class and their names.
  func textDigests(of value: ComparedValue) throws(ArchiveError) -> [ValueDigest] {
    guard case .members(let pairs, _) = value.content else { return [] }
    var digests: [ValueDigest] = []
    for position in 0..<pairs.count where isText(graph.value(pairs, position)) {
      var joined = JoinedDigests()
      joined.append(try digest(of: graph.key(pairs, position)))
      joined.append(try digest(of: graph.value(pairs, position)))
      digests.append(joined.digest(.member, of: value.className))
    }
    return digests
  }

  private func isText(_ node: Node) -> Bool {
    if case .string = graph.value(of: node) { true } else { false }
  }

  /// Whether a child is not compared.
  func isLeftOut(_ container: GraphContainer, _ position: Int, of holder: Node) -> Bool {
    if case .members(let pairs) = container { return isLeftOut(pairs, position, of: holder) }
    return ignored.contains(holder, position)
  }
}
