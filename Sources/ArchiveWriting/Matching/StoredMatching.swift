// Two graphs matched object by object, as an unarchiver would see them: each pair of stored values once.
//
// It reads both graphs as they are stored, and shares no code with what writes archives.

import ArchiveBasics
import ArchiveGraph
import KeyedArchives

/// Two values that belong together.
package struct NodePair: Hashable {
  package let left: Node
  package let right: Node

  /// Makes a pair.
  package init(_ left: Node, _ right: Node) { (self.left, self.right) = (left, right) }
}

/// Matches the stored values of two graphs.
///
/// The numbers of objects, the order of fields, of a dictionary's entries and of a set's elements, and the layout of a
/// collection mean nothing to an unarchiver. Everything else counts: class chains, mutability, inline and boxed storage,
/// which references lead to one object, the classes of keys, nil and absence (which `containsValue(forKey:)` tells
/// apart), and values. Objects that never change and
/// have only a value (strings, numbers, dates, empty collections, `FoundationClass.isOfValues`) have no identity; nor have
/// immutable collections where an envelope came between that copies them. NSKeyedArchiver stores equal ones once.
package struct StoredMatching {
  /// What counts besides.
  private struct Policy {
    /// Whether it does not matter which immutable collections are one object.
    var areCollectionsValues = false
    /// A member of the root that is not compared.
    var ignoredMember: String?
    /// Whether the types of numbers, the records of classes, inline elements and the encodings of archives in data count.
    var isOfFiles = false
  }

  /// How a value is held, which determines the differences that matter.
  private enum Role {
    /// By the top of an archive, a collection, or a property list.
    case element
    /// In a field of an object: a number may be inline or boxed.
    case field
    /// As the key of a dictionary's entry.
    case key
  }

  /// Not a `GraphWalk`: two graphs are walked in step.
  private struct Step {
    /// The values as their holders store them: a UID, or the value itself.
    let pair: NodePair
    let role: Role
    let trail: Int
  }

  private let left: StoredGraph
  private let right: StoredGraph
  private let policy: Policy
  private var waiting: [Step] = []
  private var known: Set<NodePair> = []
  /// The records of classes that were matched.
  private var knownRecords: Set<NodePair> = []
  /// The objects that correspond to one another.
  private var partners: [Node: Node] = [:]
  private var origins: [Node: Node] = [:]
  private var differences: StoredDifferences

  /// Matches two values and everything that they lead to.
  ///
  /// - Parameters:
  ///   - areCollectionsValues: whether it does not matter which immutable collections are one object.
  ///   - ignoredMember: a member of the root that is not compared.
  ///   - split: differences for which it answers differently are separate.
  /// - Returns: all differences, in the order of the first graph, with the numbers of those that are alike.
  package static func differences(
    _ left: Node, of source: ObjectGraph, _ right: Node, of target: ObjectGraph,
    areCollectionsValues: Bool = false, ignoring ignoredMember: String? = nil,
    splitBy split: ((StoredDifference.Kind, GraphPath) -> Bool)? = nil
  ) -> [StoredDifference] {
    var matching = StoredMatching(
      source, target,
      Policy(areCollectionsValues: areCollectionsValues, ignoredMember: ignoredMember),
      StoredDifferences(split: split))
    matching.expect([(left, right, nil)], .element, PathTrails.root)
    return matching.run()
  }

  private init(
    _ left: ObjectGraph, _ right: ObjectGraph, _ policy: Policy,
    _ differences: StoredDifferences = StoredDifferences()
  ) {
    (self.left, self.right) = (StoredGraph(left), StoredGraph(right))
    self.policy = policy
    self.differences = differences
  }

  /// Whether the same references lead to one object each in two graphs, from pairs of equal values on.
  package static func shareAlike(
    _ pairs: [NodePair], of source: ObjectGraph, _ target: ObjectGraph
  ) -> Bool {
    var matching = StoredMatching(source, target, Policy(areCollectionsValues: true))
    matching.expect(pairs.map { ($0.left, $0.right, nil) }, .element, PathTrails.root)
    return matching.run().allSatisfy { $0.kind != .sharing }
  }

  /// Matches all that waits, and what that leads to.
  ///
  /// - Parameter isEnough: whether the first difference is all that is asked for.
  private mutating func run(untilFirst isEnough: Bool = false) -> [StoredDifference] {
    while !isEnough || differences.list.isEmpty, let step = waiting.popLast() { match(step) }
    return differences.list
  }

  // MARK: Differences

  private mutating func differ(_ kind: StoredDifference.Kind, _ text: String, _ trail: Int) {
    differences.add(kind, text, trail)
  }

  /// Takes note of values that are matched after those that wait already.
  private mutating func expect(
    _ pairs: [(left: Node, right: Node, step: GraphPath.Step?)], _ role: Role, _ trail: Int
  ) {
    for (one, other, step) in pairs.reversed() {
      let next = step.map { differences.trails.add($0, after: trail) } ?? trail
      waiting.append(Step(pair: NodePair(one, other), role: role, trail: next))
    }
  }

  // MARK: Values

  private mutating func match(_ step: Step) {
    let one = left.resolved(step.pair.left)
    let other = right.resolved(step.pair.right)
    if one.isNil || other.isNil {
      if !one.isNil || !other.isNil { differNil(one, other, step) }
      return
    }
    if policy.isOfFiles || step.role == .field, one.isBoxed != other.isBoxed, one.isArchived,
      other.isArchived
    {
      differ(
        .storage, one.isBoxed ? "boxed, which becomes inline" : "inline, which becomes boxed",
        step.trail)
    }
    let isIdentified =
      one.isBoxed && left.hasIdentity(one.node, policy.areCollectionsValues)
      || other.isBoxed && right.hasIdentity(other.node, policy.areCollectionsValues)
    if isIdentified, !bind(one.node, other.node, step.trail) { return }
    guard known.insert(NodePair(one.node, other.node)).inserted else { return }
    matchContents(one.node, other.node, step)
  }

  private mutating func differNil(
    _ one: StoredGraph.Resolved, _ other: StoredGraph.Resolved, _ step: Step
  ) {
    let (isNull, isOtherNull) = (left.isNull(one), right.isNull(other))
    guard isNull, isOtherNull else {
      return differ(
        .value, isNull ? "nil, which becomes a value" : "a value, which becomes nil", step.trail)
    }
    differ(
      .absence, one.isNil ? "nil, which becomes NSNull" : "NSNull, which becomes nil", step.trail)
  }

  /// Makes two objects correspond; false if one of them corresponds to another already.
  private mutating func bind(_ one: Node, _ other: Node, _ trail: Int) -> Bool {
    if let partner = partners[one], partner != other {
      differ(.sharing, "one object, which becomes two", trail)
      return false
    }
    if let origin = origins[other], origin != one {
      differ(.sharing, "two objects, which become one", trail)
      return false
    }
    partners[one] = other
    origins[other] = one
    return true
  }

  private mutating func matchContents(_ one: Node, _ other: Node, _ step: Step) {
    matchClasses(one, other, step)
    switch (left.content(of: one), right.content(of: other)) {
    case (.scalar(let value), .scalar(let counterpart)):
      matchScalars(value, counterpart, (one, other), step.trail)
    case (.list(let elements), .list(let others)):
      guard elements.count == others.count else {
        return differ(
          .value, "a list of \(elements.count), which becomes one of \(others.count)", step.trail)
      }
      expect(
        elements.indices.map { (elements[$0], others[$0], .index($0)) }, .element, step.trail)
    case (.set(let elements), .set(let others)):
      matchSets(elements, others, step.trail)
    case (.entries(let entries, let isObject), .entries(let others, let isOtherObject)):
      matchEntries(entries, others, isObject && isOtherObject, step)
    case (let content, let counterpart):
      differ(.value, "\(content.phrase), which becomes \(counterpart.phrase)", step.trail)
    }
    // What collections store beside their elements, and what a class's displayed value does not show.
    let further = (left.furtherFields(of: one), right.furtherFields(of: other))
    if !further.0.isEmpty || !further.1.isEmpty {
      matchEntries(further.0, further.1, true, step)
    }
  }

  private mutating func matchClasses(_ one: Node, _ other: Node, _ step: Step) {
    let (old, new) = (left.classDescription(of: one), right.classDescription(of: other))
    if old == new {
      if policy.isOfFiles, old != nil { matchRecords(one, other, step.trail) }
      return
    }
    let kind: StoredDifference.Kind = step.role == .key ? .key : .class
    guard let old, let new else {
      return differ(
        kind,
        "\(old?.displayName ?? "no class"), which becomes \(new?.displayName ?? "no class")",
        step.trail)
    }
    if old.name.hasSameScalars(as: new.name) {
      return differ(kind, "\(old.displayName), whose superclasses change", step.trail)
    }
    let isMutability = FoundationClass.immutable(old.name) == FoundationClass.immutable(new.name)
    differ(
      isMutability && kind == .class ? .mutability : kind,
      "\(old.displayName), which becomes \(new.displayName)", step.trail)
  }

  private mutating func matchScalars(
    _ value: Value, _ counterpart: Value, _ nodes: (left: Node, right: Node), _ trail: Int
  ) {
    // A boolean is a number in an archive, where NSNumber has both, and not in a property list.
    let rule: ScalarEquality =
      policy.isOfFiles ? .stored : left.isPlain(nodes.left) ? .exact : .model
    if rule.areEqual(value, counterpart) {
      switch (value, counterpart) {
      case (.single, .real):
        differ(.storage, "of single precision, which becomes double", trail)
      case (.real, .single):
        differ(.storage, "of double precision, which becomes single", trail)
      default: break
      }
    } else if case .data = value, case .data = counterpart,
      let content = left.graph.content(of: nodes.left),
      let other = right.graph.content(of: nodes.right)
    {
      if policy.isOfFiles { return matchDocuments(content.document, other.document, trail) }
      expect([(content, other, nil)], .element, trail)
    } else if !policy.isOfFiles, let content = left.graph.layeredArchive(in: nodes.left),
      let other = right.graph.layeredArchive(in: nodes.right), content.layers == other.layers
    {
      expect([(content.root, other.root, nil)], .element, trail)
    } else {
      differ(.value, "\(value.phrase), which becomes \(counterpart.phrase)", trail)
    }
  }

  // MARK: Containers

  private mutating func matchEntries(
    _ entries: [StoredGraph.Entry], _ others: [StoredGraph.Entry], _ areFields: Bool, _ step: Step
  ) {
    var positions: [CodePointString: [Int]] = [:]
    for (position, entry) in others.enumerated().reversed() {
      positions[entry.name, default: []].append(position)
    }
    var pairs: [(left: Node, right: Node, step: GraphPath.Step?)] = []
    var keys = pairs
    for entry in entries where !isIgnored(entry, step) {
      let member = GraphPath.Step.key(entry.name.text)
      guard let position = positions[entry.name]?.popLast() else {
        differMissing(left.resolved(entry.value), left, isGained: false, member, step.trail)
        continue
      }
      pairs.append((entry.value, others[position].value, member))
      if let key = entry.key, let counterpart = others[position].key {
        keys.append((key, counterpart, member))
      }
    }
    for entry in others
    where positions[entry.name]?.isEmpty == false && !isIgnored(entry, step) {
      _ = positions[entry.name]?.popLast()
      let member = GraphPath.Step.key(entry.name.text)
      differMissing(right.resolved(entry.value), right, isGained: true, member, step.trail)
    }
    expect(pairs, areFields ? .field : .element, step.trail)
    expect(keys, .key, step.trail)
  }

  private func isIgnored(_ entry: StoredGraph.Entry, _ step: Step) -> Bool {
    step.trail == PathTrails.root && entry.name.text == policy.ignoredMember
  }

  private mutating func differMissing(
    _ value: StoredGraph.Resolved, _ side: StoredGraph, isGained: Bool, _ step: GraphPath.Step,
    _ trail: Int
  ) {
    let missing = differences.trails.add(step, after: trail)
    let isNull = side.isNull(value)
    let text =
      isGained
      ? isNull ? "absent, which becomes null" : "absent, which becomes a value"
      : isNull ? "null, which becomes absent" : "a value, which becomes absent"
    differ(isNull ? .absence : .value, text, missing)
  }

  /// Elements of sets that have the same value correspond.
  private mutating func matchSets(_ elements: [Node], _ others: [Node], _ trail: Int) {
    guard elements.count == others.count else {
      return differ(
        .value, "a set of \(elements.count), which becomes one of \(others.count)", trail)
    }
    var positions: [[UInt8]: [Int]] = [:]
    for (position, node) in others.enumerated().reversed() {
      positions[right.digest(of: node), default: []].append(position)
    }
    var pairs: [(left: Node, right: Node, step: GraphPath.Step?)] = []
    for (position, node) in elements.enumerated() {
      guard let partner = positions[left.digest(of: node)]?.popLast() else {
        differ(
          .value, "an element, which is missing",
          differences.trails.add(.index(position), after: trail))
        continue
      }
      pairs.append((node, others[partner], .index(position)))
    }
    expect(pairs, .element, trail)
  }

  // MARK: Two files matched with all that they store: what a merge must not change unseen

  /// The path of a difference between two files; nil if both store the same.
  ///
  /// The numbers of objects may differ, and the order of members and of the elements of sets. Everything else counts, also
  /// what an unarchiver does not see: the archiver, the records of classes, the types of numbers, whether an element is
  /// stored inline, and how an archive in a data value is encoded.
  package static func firstDifference(
    betweenFiles left: ObjectGraph, _ right: ObjectGraph
  ) -> GraphPath? {
    var matching = StoredMatching(left, right, Policy(isOfFiles: true))
    matching.matchDocuments(0, 0, PathTrails.root, areFiles: true)
    return matching.run(untilFirst: true).first?.path
  }

  /// Whether it matters that an object is the same as another: not for values that never change.
  package static func hasIdentity(_ node: Node, in graph: ObjectGraph) -> Bool {
    let side = StoredGraph(graph)
    return !side.isPlain(node) && graph.classIndex(of: node) != nil && side.hasIdentity(node, false)
  }

  /// Matches what two documents store at their tops.
  ///
  /// - Parameter areFiles: whether they are the files themselves, of which a merge has one written anew; those in data
  ///   must have one encoding, also at the root, whose path is that of the file.
  private mutating func matchDocuments(
    _ one: UInt32, _ other: UInt32, _ trail: Int, areFiles: Bool = false
  ) {
    let (document, counterpart) = (
      left.graph.documents[Int(one)], right.graph.documents[Int(other)]
    )
    guard areFiles || document.encoding == counterpart.encoding,
      (document.archive == nil) == (counterpart.archive == nil)
    else {
      return differ(
        .value, "\(document.encoding.name), which becomes \(counterpart.encoding.name)", trail)
    }
    let top = Node(document: one, index: document.top)
    let otherTop = Node(document: other, index: counterpart.top)
    guard document.archive != nil else { return expect([(top, otherTop, nil)], .element, trail) }
    // Objects are matched where something refers to them, and what top-level keys lead to with its path.
    let (members, others) = (Members(top, left.graph), Members(otherTop, right.graph))
    let names = members.names + others.names.filter { members.values[$0] == nil }
    for name in names where name.text != "$objects" {
      let (value, pair) = (members.values[name], others.values[name])
      if name.text == "$top", let value, let pair {
        matchTops(value, pair, trail)
      } else if !areStored(value, pair) {
        differ(.value, "\(name.text), which changes", trail)
      }
    }
  }

  private mutating func matchTops(_ one: Node, _ other: Node, _ trail: Int) {
    let (tops, others) = (Members(one, left.graph), Members(other, right.graph))
    guard tops.count == others.count, tops.values.count == tops.count,
      tops.values.keys.allSatisfy({ others.values[$0] != nil })
    else {
      return differ(.value, "top-level keys, which change", trail)
    }
    // The root's path has no name.
    expect(
      tops.names.compactMap { name in
        guard let value = tops.values[name], let pair = others.values[name] else { return nil }
        return (value, pair, tops.count == 1 ? nil : .key(name.text))
      }, .element, trail)
  }

  /// Matches the records of two classes that have the same name and superclasses.
  private mutating func matchRecords(_ one: Node, _ other: Node, _ trail: Int) {
    let old = left.graph.slot(of: "$class", in: one).map { left.graph.node(in: $0) }
    let new = right.graph.slot(of: "$class", in: other).map { right.graph.node(in: $0) }
    if let old, let new, !knownRecords.insert(NodePair(old, new)).inserted { return }
    if !areStored(old, new) { differ(.class, "a class, whose record changes", trail) }
  }

  private func areStored(_ one: Node?, _ other: Node?) -> Bool {
    guard let one, let other else { return one == other }
    var comparison = StoredComparison(
      StoredComparison.Side(left.graph.document(of: one), nil),
      StoredComparison.Side(right.graph.document(of: other), nil), scalars: .stored)
    return comparison.isSame(one.index, other.index)
  }

  /// The members of a stored dictionary by their names.
  private struct Members {
    private(set) var values: [CodePointString: Node] = [:]
    private(set) var names: [CodePointString] = []
    let count: Int

    init(_ node: Node, _ graph: ObjectGraph) {
      let table = graph.document(of: node).table
      count = table.counted(node.index).count
      for (_, key, value) in table.members(of: node.index) {
        guard let text = table.text(at: key)?.string else { continue }
        let name = CodePointString(text)
        if values[name] == nil { names.append(name) }
        values[name] = Node(document: node.document, index: value)
      }
    }
  }
}
