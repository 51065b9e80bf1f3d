// Which objects of two graphs belong together, where several references lead to an object.

import ArchiveBasics
import ArchiveGraph
import ArchiveWriting

/// Pairs of objects of two graphs.
///
/// Only objects, and containers of cycles, have an identity of their own; all other values are compared where their
/// containers are.
final class GraphPairing {
  /// Two values in two containers, at a position among the pairs of these.
  struct Meeting: Equatable {
    let holders: NodePair?
    let position: Int
  }

  /// What a meeting of two containers is.
  enum Decision {
    /// They are compared.
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
  private var partners: [Node: Node] = [:]
  private var origins: [Node: Node] = [:]
  private var meetings: [NodePair: Meeting] = [:]
  /// Where comparisons begin: at the roots, and at objects that are paired and that no pair of containers has in common.
  private(set) var beginnings: [NodePair] = []
  /// The pairs of objects of the same content.
  private var found: [NodePair] = []
  /// Digests of what is near an object, by which elements of lists are aligned.
  private var near: [ValueDigests.Side: [Node: ValueDigest]] = [:]
  /// How many objects each graph has of a digest.
  private var counts: [ValueDigest: (old: Int, new: Int)] = [:]
  /// The digests of containers that both graphs have.
  private var common: Set<ValueDigest> = []
  /// An object of the new graph for each digest.
  private var examples: [ValueDigest: Node] = [:]
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
    var all: (old: Set<ValueDigest>, new: Set<ValueDigest>) = ([], [])
    for entry in old.entries {
      let digest = try oldDigests.digest(of: entry.value.node)
      all.old.insert(digest)
      if oldDigests.hasIdentity(entry.value) { counts[digest, default: (0, 0)].old += 1 }
    }
    for entry in new.entries {
      let digest = try newDigests.digest(of: entry.value.node)
      all.new.insert(digest)
      if newDigests.hasIdentity(entry.value) {
        counts[digest, default: (0, 0)].new += 1
        if examples[digest] == nil { examples[digest] = entry.value.node }
      }
    }
    common = all.old.intersection(all.new)
    let changed = (
      old: try Self.changed(old, except: all.new), new: try Self.changed(new, except: all.old)
    )
    try pairUnique(changed.old, changed.new)
    found.reverse()
  }

  /// The containers that the other graph does not have, and those in them, which may be the old or new form of another.
  private static func changed(
    _ graph: ComparedGraph, except others: Set<ValueDigest>
  ) throws(ArchiveError) -> [ComparedValue] {
    var isChanged = [Bool](repeating: false, count: graph.entries.count)
    for (number, entry) in graph.entries.enumerated() {
      isChanged[number] = try !others.contains(graph.digests.digest(of: entry.value.node))
    }
    return graph.entries.indices.filter { number in
      isChanged[number] || graph.entries[number].origin.map { isChanged[$0.holder] } ?? false
    }.map { graph.entries[$0].value }
  }

  /// Pairs objects of which each graph has one with the same content, from the widest view of them to the narrowest.
  private func pairUnique(
    _ left: [ComparedValue], _ right: [ComparedValue]
  ) throws(ArchiveError) {
    let one = try old.digests.nearDigests(of: left, steps: Self.steps)
    let two = try new.digests.nearDigests(of: right, steps: Self.steps)
    near[.old] = Self.table(left, one[Self.elementSteps - 1])
    near[.new] = Self.table(right, two[Self.elementSteps - 1])
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
    _ left: [ComparedValue], _ right: [ComparedValue],
    _ digests: (ComparedValue, ValueDigests, Int) throws(ArchiveError) -> [ValueDigest]
  ) throws(ArchiveError) {
    var positions: [ValueDigest: (old: Int?, new: Int?)] = [:]
    for (position, value) in left.enumerated() where partners[value.node] == nil {
      guard try isChanged(value, old) else { continue }
      for digest in try digests(value, old.digests, position) {
        positions[digest] = (positions[digest] == nil ? position : nil, nil)
      }
    }
    var repeated: Set<ValueDigest> = []
    for (position, value) in right.enumerated() where origins[value.node] == nil {
      guard try isChanged(value, new) else { continue }
      for digest in try digests(value, new.digests, position) where positions[digest] != nil {
        if positions[digest]?.new != nil { repeated.insert(digest) }
        positions[digest]?.new = position
      }
    }
    let pairs = positions.compactMap { digest, found -> (old: Int, new: Int)? in
      guard let one = found.old, let two = found.new, !repeated.contains(digest) else {
        return nil
      }
      return (one, two)
    }
    // In an order that does not depend on digests, which are different in each process.
    for pair in pairs.sorted(by: { $0 < $1 }) {
      let (one, two) = (left[pair.old].node, right[pair.new].node)
      guard partners[one] == nil, origins[two] == nil else { continue }
      bind(one, two)
      found.append(NodePair(one, two))
    }
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

  private func bind(_ old: Node, _ new: Node) {
    if partners[old] == nil { partners[old] = new }
    if origins[new] == nil { origins[new] = old }
  }

  // MARK: Pairs

  /// Records where two containers are compared.
  func add(_ holders: NodePair, at meeting: Meeting) {
    meetings[holders] = meeting
    bind(holders.left, holders.right)
  }

  /// The next pair at which a comparison begins; nil at the end.
  func begin() -> NodePair? {
    var next: NodePair?
    if beginnings.isEmpty { next = NodePair(old.digests.graph.root, new.digests.graph.root) }
    while next == nil, let pair = found.popLast() {
      if meetings[pair] == nil { next = pair }
    }
    if let next { beginnings.append(next) }
    return next
  }

  /// Where two containers are compared; nil if they are not.
  func meeting(of holders: NodePair) -> Meeting? { meetings[holders] }

  /// What a meeting of two containers that differ is.
  func decision(
    _ left: ComparedValue, _ right: ComparedValue
  ) throws(ArchiveError) -> Decision {
    let (partner, origin) = (partners[left.node], origins[right.node])
    if partner == right.node { return .pair }
    let isIdentical = (old.digests.hasIdentity(left), new.digests.hasIdentity(right))
    if partner != nil, origin != nil { return .others }
    if isIdentical.0, try remains(left.node, of: .old) { return .others }
    if isIdentical.1, try remains(right.node, of: .new) { return .others }
    return try isAlike(left, right) ? .pair : .later
  }

  /// Whether two nodes are partners.
  func arePartners(_ left: Node, _ right: Node) -> Bool {
    !partners.isEmpty && old.opened(left).node == origins[new.opened(right).node]
  }

  /// Whether the other graph has an object, too.
  func remains(_ node: Node, of side: ValueDigests.Side) throws(ArchiveError) -> Bool {
    if (side == .old ? partners : origins)[node] != nil { return true }
    let digest = try (side == .old ? old : new).digests.digest(of: node)
    guard comparesDigests, let count = counts[digest] else { return false }
    return side == .old ? count.old <= count.new : count.new <= count.old
  }

  /// The path of an object that is shown elsewhere, or is in both graphs; nil for a value that is shown where it is.
  ///
  /// An object of the old graph that the new one has, too, is named by its path there.
  func path(of node: Node, of side: ValueDigests.Side) -> GraphPath? {
    let graph = side == .old ? old : new
    guard graph.digests.graph.isContainerOrData(node) else { return nil }
    let value = graph.opened(node)
    guard graph.digests.hasIdentity(value) else { return nil }
    if (try? remains(value.node, of: side)) == true {
      let digest = try? graph.digests.digest(of: value.node)
      let partner = partners[value.node] ?? digest.flatMap { examples[$0] }
      return new.shortestPath(of: side == .new ? value.node : partner ?? value.node)
    }
    return graph.isSharedObject(value) ? graph.shortestPath(of: value.node) : nil
  }

  /// What is equal for elements of lists that belong together.
  func token(
    of node: Node, of side: ValueDigests.Side
  ) throws(ArchiveError) -> ValueDigest {
    let graph = side == .old ? old : new
    let exact = try graph.digests.digest(of: node)
    guard graph.digests.graph.isContainerOrData(node) else { return exact }
    let value = graph.opened(node)
    let pair = side == .old ? partners[value.node].map { _ in value.node } : origins[value.node]
    if let pair {
      return DigestMaker.digest(.cycle) {
        $0.combine(UInt64(pair.document))
        $0.combine(UInt64(pair.index))
      }
    }
    guard graph.digests.isCyclic(value.node), !common.contains(exact) else { return exact }
    return near[side]?[value.node] ?? exact
  }

  /// Whether no more of the scalars that two objects have under the same names differ than are equal; objects to which both
  /// refer count as equal.
  private func isAlike(
    _ left: ComparedValue, _ right: ComparedValue
  ) throws(ArchiveError) -> Bool {
    guard left.className == right.className else { return false }
    guard case .members(let one, true) = left.content, case .members(let two, true) = right.content,
      let names = MemberNames(one, of: left.node, old.digests),
      let others = MemberNames(two, of: right.node, new.digests)
    else { return true }
    var score = 0
    for member in names.list {
      guard let other = others[member.name] else { continue }
      let (before, after) = (old.opened(member.value), new.opened(other.value))
      if before.isContainer, after.isContainer {
        if partners[before.node] == after.node { score += 1 }
        continue
      }
      let isSame =
        try old.digests.digest(of: member.value) == new.digests.digest(of: other.value)
      score += isSame ? 1 : -1
    }
    return score >= 0
  }
}

extension ValueDigests {
  /// A graph of the two that are compared.
  enum Side { case old, new }

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
  func isLeftOut(_ value: ComparedValue, _ position: Int) -> Bool {
    if case .members(let pairs, _) = value.content {
      return isLeftOut(pairs, position, of: value.node)
    }
    return isIgnored(position, of: value.node)
  }
}
