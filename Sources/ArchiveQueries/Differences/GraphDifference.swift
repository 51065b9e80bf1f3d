// What differs between two graphs, by meaning: not by object numbers, encodings, envelopes or the order of members.

import ArchiveBasics
import ArchiveGraph
import ArchiveWriting

/// The old and the new path of a value that both graphs have.
package struct PathPair: Sendable {
  /// The path in the old graph.
  package var old: GraphPath
  /// The path in the new graph.
  package var new: GraphPath
}

/// Options of a comparison.
package struct DifferenceOptions: Sendable {
  /// Values that are left out, in either graph.
  package var ignored: [JSONPath] = []
  /// Numbers that differ by at most this are equal; nil for exact comparison.
  package var tolerance: Double?
  /// The path from an element of a list to the value that identifies it; nil to align elements by content.
  package var key: ValuePath?
  /// Whether values that mean the same differ if they are stored in different ways.
  package var isExact = false

  /// Makes the options of an exact comparison.
  package init() {}
}

/// Receives what differs, containers before what they contain.
protocol DifferenceReceiver {
  /// Whether each object is compared once, and not at every path that leads to it.
  static var comparesObjectsOnce: Bool { get }

  /// Whether what differs is reported so that no object becomes two: of a container into which references from elsewhere
  /// lead, as a whole.
  static var keepsObjects: Bool { get }

  /// Receives the pairs of objects before what differs; called only if objects are compared once.
  mutating func begin(_ pairing: GraphPairing)

  /// Receives the end; called only if objects are compared once.
  mutating func end() throws(ArchiveError)

  /// Two containers are equal; called only if objects are kept.
  mutating func keep(_ old: Node, _ new: Node)

  /// Equal values are stored in different ways; called only if that counts and objects are compared once.
  mutating func store(_ change: StoredChange, _ old: Node, _ new: Node, at paths: PathPair)
    throws(ArchiveError)

  /// A value was replaced by one that has nothing in common with it.
  mutating func replace(_ old: Node, by new: Node, at paths: PathPair) throws(ArchiveError)

  /// An object has another class now.
  ///
  /// - Returns: whether its members are to be compared.
  mutating func changeClass(_ old: Node, _ new: Node, at paths: PathPair) throws(ArchiveError)
    -> Bool

  /// Members were removed from and added to a dictionary or an object.
  mutating func change(
    removed: [(name: String, value: Node)], added: [(name: String, value: Node)],
    at paths: PathPair) throws(ArchiveError)

  /// Elements of a list or a set were removed, added or moved.
  mutating func change(
    _ alignment: ListAlignment, old: Elements, new: Elements, isSet: Bool, at paths: PathPair
  ) throws(ArchiveError)
}

extension DifferenceReceiver {
  static var comparesObjectsOnce: Bool { false }
  static var keepsObjects: Bool { false }
  mutating func keep(_ old: Node, _ new: Node) {}
  mutating func store(_ change: StoredChange, _ old: Node, _ new: Node, at paths: PathPair) {}
  mutating func begin(_ pairing: GraphPairing) {}
  mutating func end() throws(ArchiveError) {}
}

struct GraphDifference<Receiver: DifferenceReceiver>: ~Copyable {
  /// Two values that belong together, and their steps.
  private struct Pair {
    let oldStep: GraphPath.Step
    let newStep: GraphPath.Step
    let old: Node
    let new: Node
    /// How the values are stored in different ways.
    var changes: [StoredChange] = []
    /// Whether the values stand at one place of two lists, and belong together if they have no other partner.
    var isPossible = false
  }

  private let old: ObjectGraph
  private let new: ObjectGraph
  private let oldDigests: ValueDigests
  private let newDigests: ValueDigests
  private var matching: ElementMatching
  private var pairing: GraphPairing?
  /// Whether objects are being paired, and nothing is reported.
  private var isPairing = false
  /// The containers that are being reported, and the values in them.
  private var position: (holders: NodePair, child: Pair?)?
  /// The containers of both graphs, if objects are kept.
  private var parts: (old: ComparedGraph, new: ComparedGraph)?
  /// The containers to which several references lead, of which parts were reported.
  private var divided: Set<NodePair> = []
  private let rules: ComparisonRules
  private var walk = SteppedWalk<NodePair, Pair>()
  private(set) var receiver: Receiver

  /// Prepares a comparison.
  ///
  /// - Throws: `ArchiveError` with code `limit` if values are too many or too deep.
  init(
    _ old: ObjectGraph, _ new: ObjectGraph, _ options: DifferenceOptions, receiver: Receiver
  ) throws(ArchiveError) {
    self.old = old
    self.new = new
    self.receiver = receiver
    let ignored = (
      old: try IgnoredValues(options.ignored, in: old),
      new: try IgnoredValues(options.ignored, in: new)
    )
    var rules = ComparisonRules(old, new, tolerance: options.tolerance)
    rules.isExact = options.isExact
    func makeDigests(_ rules: ComparisonRules) -> (old: ValueDigests, new: ValueDigests) {
      let one = ValueDigests(old, rules, ignoring: ignored.old)
      return (one, ValueDigests(new, rules, ignoring: ignored.new))
    }
    var digests = makeDigests(rules)
    _ = try digests.old.digest(of: old.root)
    _ = try digests.new.digest(of: new.root)
    if !rules.isExact, digests.old.hasObjects != digests.new.hasObjects {
      // Only one of the graphs has objects of applications' classes.
      (rules.comparesClasses, rules.comparesForms) = (false, true)
      digests = makeDigests(rules)
    }
    self.rules = rules
    (oldDigests, newDigests) = digests
    var exact = rules
    exact.tolerance = nil
    matching = ElementMatching(
      old: digests.old, new: digests.new, key: options.key, keys: makeDigests(exact))
    isIgnored = ignored.old.isRootIgnored || ignored.new.isRootIgnored
  }

  private let isIgnored: Bool

  /// Compares the roots.
  ///
  /// - Throws: `ArchiveError` with code `limit` if values are too many or too deep, or what the receiver throws.
  mutating func run() throws(ArchiveError) {
    if isIgnored { return }
    if Receiver.comparesObjectsOnce, !rules.comparesForms,
      rules.isExact || oldDigests.hasIdentities || newDigests.hasIdentities
    {
      if rules.tolerance == nil, !rules.isExact, try isSame(old.root, new.root) { return }
      try pairObjects()
      return try reportPairs()
    }
    if Receiver.keepsObjects, !rules.comparesForms,
      oldDigests.hasIdentities || newDigests.hasIdentities
    {
      parts = (ComparedGraph(oldDigests), ComparedGraph(newDigests))
    }
    try compare(old.root, new.root)
    while let pair = walk.next() { try compare(pair.old, pair.new) }
  }

  /// Finds out which objects belong together, from the roots on, before anything is reported.
  private mutating func pairObjects() throws(ArchiveError) {
    let pairing = try GraphPairing(oldDigests, newDigests)
    self.pairing = pairing
    matching.pairing = pairing
    isPairing = true
    defer { isPairing = false }
    typealias Waiting = (old: Node, new: Node, meeting: GraphPairing.Meeting, isPossible: Bool)
    var (waiting, later): ([Waiting], [Waiting]) = ([(old.root, new.root, nil, false)], [])
    var (next, nextLater) = (0, 0)
    while true {
      let isLast = next == waiting.count
      if isLast, let pair = pairing.begin() {
        waiting.append((pair.left, pair.right, nil, false))
        continue
      }
      if isLast, nextLater == later.count { return }
      let found = isLast ? later[nextLater] : waiting[next]
      if isLast { nextLater += 1 } else { next += 1 }
      let left = ComparedValue(found.old, in: old, rules: rules)
      let right = ComparedValue(found.new, in: new, rules: rules)
      let holders = NodePair(left.node, right.node)
      guard left.isComparable(with: right, rules), !pairing.areCompared(holders) else { continue }
      switch try pairing.decision(left, right) {
      case .others: continue
      case .later where !isLast:
        later.append(found)
        continue
      case .pair, .later:
        if found.isPossible, try !pairing.isPossible(left, right) { continue }
        pairing.add(holders, at: found.meeting)
      }
      for pair in try children(left, right, (found.old, found.new)) {
        let meeting: GraphPairing.Meeting = (holders, pair.oldStep, pair.newStep)
        let next: Waiting = (pair.old, pair.new, meeting, pair.isPossible)
        if pair.isPossible { later.append(next) } else { waiting.append(next) }
      }
    }
  }

  /// Reports what differs in each pair of containers, at their shortest paths.
  private mutating func reportPairs() throws(ArchiveError) {
    guard let pairing else { return }
    receiver.begin(pairing)
    let pairs = pairing.pairs()
    // Roots that have nothing in common.
    if !pairing.arePartners(old.root, new.root) { try compare(old.root, new.root) }
    for holders in pairs {
      position = (holders, nil)
      pairing.holders = holders
      let left = ComparedValue(holders.left, in: old, rules: rules)
      let right = ComparedValue(holders.right, in: new, rules: rules)
      if left.className != right.className {
        _ = try receiver.changeClass(left.node, right.node, at: paths)
      }
      for pair in try children(left, right, (left.node, right.node)) where !pair.isPossible {
        position = (holders, pair)
        var changes = pair.changes
        if rules.isExact, let change = pairing.sharing(pair.old, pair.new) {
          changes.append(change)
        }
        for change in changes { try receiver.store(change, pair.old, pair.new, at: paths) }
        try compare(pair.old, pair.new)
      }
    }
    try receiver.end()
  }

  /// The paths of the values that are being compared.
  private var paths: PathPair {
    if let pairing, let position {
      let paths = pairing.paths(of: position.holders)
      guard let child = position.child else { return paths }
      return PathPair(
        old: paths.old.appending(child.oldStep), new: paths.new.appending(child.newStep))
    }
    return PathPair(
      old: GraphPath(walk.path.map(\.oldStep)), new: GraphPath(walk.path.map(\.newStep)))
  }

  // MARK: Two values

  private mutating func compare(_ oldNode: Node, _ newNode: Node) throws(ArchiveError) {
    try oldDigests.visit()
    if rules.tolerance == nil, try isSame(oldNode, newNode) {
      // Equal roots are different by what they share only if that is asked for.
      if parts != nil, rules.isExact { receiver.keep(oldNode, newNode) }
      return
    }
    let left = ComparedValue(oldNode, in: old, rules: rules)
    let right = ComparedValue(newNode, in: new, rules: rules)
    guard left.isComparable(with: right, rules) else {
      if try isEqual(left, right) { return }
      if pairing != nil, let change = storedChange(left, right) {
        return try receiver.store(change, oldNode, newNode, at: paths)
      }
      return try receiver.replace(oldNode, by: newNode, at: paths)
    }
    if let pairing {
      if pairing.arePartners(left.node, right.node) { return }
      return try receiver.replace(oldNode, by: newNode, at: paths)
    }
    let holders = NodePair(left.node, right.node)
    if try !canBeDivided(left, right) {
      return try receiver.replace(oldNode, by: newNode, at: paths)
    }
    if left.className != right.className,
      try !receiver.changeClass(oldNode, newNode, at: paths)
    {
      return
    }
    // Objects that contain themselves: what is compared further out is not compared again.
    if walk.isOpen(holders) { return }
    walk.enter(holders, try children(left, right, (oldNode, newNode)))
  }

  /// What is different in how two equal scalars are stored; nil if they are not equal.
  private func storedChange(_ left: ComparedValue, _ right: ComparedValue) -> StoredChange? {
    guard rules.isExact, case .scalar(let one) = left.content,
      case .scalar(let two) = right.content,
      rules.areEqual(one, two)
    else { return nil }
    if left.className != right.className {
      return StoredChange(.changedClass, from: (left.node, old), to: (right.node, new))
    }
    func text(_ value: Value) -> String {
      switch value {
      case .single: "single precision"
      case .real: "double precision"
      default: value.typeName
      }
    }
    return StoredChange(kind: .storage, old: text(one), new: text(two))
  }

  // MARK: Parts that can be changed by themselves

  /// Whether what differs in two containers can be reported of its parts.
  ///
  /// That is not so if references from elsewhere lead into them, or out of them to objects: objects would become two. Nor
  /// is it of an object to which several references lead, which an edit of one of them copies. A value to which several
  /// lead is divided once.
  private mutating func canBeDivided(
    _ left: ComparedValue, _ right: ComparedValue
  ) throws(ArchiveError) -> Bool {
    guard Receiver.keepsObjects else { return true }
    if oldDigests.isShared(left.node) || newDigests.isShared(right.node),
      !divided.insert(NodePair(left.node, right.node)).inserted
    {
      return false
    }
    // Each value at the top of an archive is changed by itself.
    guard let parts, walk.depth > 0 || !new.hasSeveralTops else { return true }
    guard !parts.old.isSharedObject(left), !parts.new.isSharedObject(right),
      parts.old.isClosedPart(left.node), parts.new.isClosedPart(right.node)
    else { return false }
    let before = try open(left, parts.old)
    return try open(right, parts.new).allSatisfy { part, count in before[part] ?? 0 >= count }
  }

  /// The containers in a container that are not closed, by their names and digests.
  private func open(
    _ value: ComparedValue, _ graph: ComparedGraph
  ) throws(ArchiveError) -> [OpenPart: Int] {
    var parts: [OpenPart: Int] = [:]
    guard let container = value.container else { return parts }
    let digests = graph.digests
    for position in 0..<container.childCount
    where !digests.isLeftOut(container, position, of: value.node) {
      let child = container.child(position, in: digests.graph)
      if graph.isClosedPart(child) { continue }
      var name: CodePointString?
      if case .members(let pairs) = container {
        name = digests.graph.memberName(pairs, position).map { CodePointString($0.string) }
      }
      parts[OpenPart(name: name, digest: try digests.digest(of: child)), default: 0] += 1
    }
    return parts
  }

  /// Reports what differs between two containers themselves.
  ///
  /// - Returns: the children that both have and that may differ.
  private mutating func children(
    _ left: ComparedValue, _ right: ComparedValue, _ nodes: (old: Node, new: Node)
  ) throws(ArchiveError) -> [Pair] {
    let holders = NodePair(left.node, right.node)
    switch (left.content, right.content) {
    case (.list(let one), .list(let two)):
      return try compareElements(holders, one, two, isSet: false)
    case (.list(let one), .set(let two)), (.set(let one), .list(let two)),
      (.set(let one), .set(let two)):
      return try compareElements(holders, one, two, isSet: true)
    case (.members(let one, _), .members(let two, _)):
      return try compareMembers(holders, one, two, nodes)
    default: return []
    }
  }

  private func isSame(_ oldNode: Node, _ newNode: Node) throws(ArchiveError) -> Bool {
    try oldDigests.digest(of: oldNode) == newDigests.digest(of: newNode)
  }

  /// Whether values that cannot be compared by their children are equal.
  private func isEqual(_ left: ComparedValue, _ right: ComparedValue) throws(ArchiveError) -> Bool {
    guard let tolerance = rules.tolerance else {
      guard !rules.isExact, case .scalar(let one) = left.content,
        case .scalar(let two) = right.content, left.className == right.className
      else { return false }
      return rules.areEqual(one, two)
    }
    if case .scalar(let one) = left.content, case .scalar(let two) = right.content,
      let one = ScalarEquality.value.number(one),
      let two = ScalarEquality.value.number(two),
      let distance = one.distance(to: two)
    {
      return distance <= tolerance
    }
    return try isSame(left.node, right.node)
  }

  /// Whether two values need not be looked at, since they are equal.
  private mutating func isLeft(_ oldNode: Node, _ newNode: Node) throws(ArchiveError) -> Bool {
    if rules.tolerance != nil || rules.isExact && pairing != nil { return false }
    guard try isSame(oldNode, newNode) else { return false }
    guard old.isContainerOrData(oldNode) else { return true }
    if isPairing { pairing?.keep(oldNode, newNode) }
    if parts != nil { receiver.keep(oldNode, newNode) }
    return true
  }

  // MARK: Containers

  /// Reports the members that only one container has.
  ///
  /// - Returns: those that both have and that may differ.
  private mutating func compareMembers(
    _ holders: NodePair, _ oldPairs: Pairs, _ newPairs: Pairs, _ nodes: (old: Node, new: Node)
  ) throws(ArchiveError) -> [Pair] {
    guard let one = MemberNames(oldPairs, of: holders.left, oldDigests),
      let two = MemberNames(newPairs, of: holders.right, newDigests)
    else {
      // Keys that are not strings, or a repeated one.
      let isEqual = rules.tolerance == nil ? false : try isSame(nodes.old, nodes.new)
      if !isEqual, !isPairing { try receiver.replace(nodes.old, by: nodes.new, at: paths) }
      return []
    }
    var pairs: [Pair] = []
    var removed: [(name: String, value: Node)] = []
    for member in one.list {
      guard let other = two[member.name] else {
        removed.append((member.name.text, member.value))
        continue
      }
      if try isLeft(member.value, other.value) { continue }
      let step = GraphPath.Step.key(member.name.text)
      var pair = Pair(oldStep: step, newStep: step, old: member.value, new: other.value)
      if rules.isExact, pairing != nil {
        pair.changes = storedChanges((oldPairs, member.position), (newPairs, other.position))
      }
      pairs.append(pair)
    }
    let added = two.list.filter { one[$0.name] == nil }.map {
      (name: $0.name.text, value: $0.value)
    }
    if !isPairing, !removed.isEmpty || !added.isEmpty {
      try receiver.change(removed: removed, added: added, at: paths)
    }
    return pairs
  }

  /// How the storage of two members differs, and the classes of their keys.
  private func storedChanges(
    _ one: (pairs: Pairs, position: Int), _ two: (pairs: Pairs, position: Int)
  ) -> [StoredChange] {
    let documents = (Int(one.pairs.values.document), Int(two.pairs.values.document))
    guard old.documents[documents.0].archive != nil, new.documents[documents.1].archive != nil
    else { return [] }
    var changes: [StoredChange] = []
    let isInline = (
      oldDigests.isInline(one.pairs, one.position), newDigests.isInline(two.pairs, two.position)
    )
    if isInline.0 != isInline.1 {
      changes.append(
        StoredChange(
          kind: .storage, old: isInline.0 ? "inline" : "boxed",
          new: isInline.1 ? "inline" : "boxed"))
    }
    if !one.pairs.isFields, !two.pairs.isFields {
      let keys = (old.key(one.pairs, one.position), new.key(two.pairs, two.position))
      let classes = (
        StoredGraph(old).classDescription(of: keys.0),
        StoredGraph(new).classDescription(of: keys.1)
      )
      if classes.0 != classes.1 {
        changes.append(StoredChange(.key, from: (keys.0, old), to: (keys.1, new)))
      }
    }
    return changes
  }

  /// Reports elements without a counterpart, and moved ones.
  ///
  /// - Returns: the alignment with partners that were found after the lists were aligned.
  private mutating func report(
    _ known: ListAlignment, _ one: Elements, _ two: Elements, isSet: Bool
  ) throws(ArchiveError) -> ListAlignment {
    var alignment = known
    if let pairing {
      let (old, new) = (old, new)
      func similarity(_ first: Int, _ second: Int) -> Int {
        pairing.arePartners(old.node(one, first), new.node(two, second)) ? 1 : 0
      }
      if !isSet { try alignment.matchChanged(similarity) }
      try alignment.matchMoved(similarity)
    }
    if !alignment.removed.isEmpty || !alignment.added.isEmpty || !isSet && !alignment.moved.isEmpty
    {
      try receiver.change(alignment, old: one, new: two, isSet: isSet, at: paths)
    }
    return alignment
  }

  private mutating func compareElements(
    _ holders: NodePair, _ one: Elements, _ two: Elements, isSet: Bool
  ) throws(ArchiveError) -> [Pair] {
    var alignment: ListAlignment
    if let known = pairing?.alignments[holders] {
      alignment = known
    } else {
      alignment = try matching.align(one, of: holders.left, two, of: holders.right, isSet: isSet)
    }
    if isPairing {
      pairing?.alignments[holders] = alignment
    } else {
      alignment = try report(alignment, one, two, isSet: isSet)
    }
    if isSet, pairing == nil { return [] }
    var pairs: [Pair] = []
    func pair(_ match: ListAlignment.Match) -> Pair {
      Pair(
        oldStep: .index(match.old), newStep: .index(match.new), old: old.node(one, match.old),
        new: new.node(two, match.new))
    }
    for match in alignment.kept + alignment.moved {
      let pair = pair(match)
      if try !isLeft(pair.old, pair.new) { pairs.append(pair) }
    }
    guard isPairing, !isSet else { return pairs }
    for match in alignment.replaced {
      var pair = pair(match)
      pair.isPossible = true
      pairs.append(pair)
    }
    return pairs
  }
}

/// A container in another that references from elsewhere lead into.
private struct OpenPart: Hashable {
  /// The name of a member; nil for an element.
  let name: CodePointString?
  let digest: ValueDigest
}

/// How two equal values are stored in different ways.
struct StoredChange {
  let kind: Difference.Kind
  let old: String
  let new: String
}

extension StoredChange {
  /// Another class; where the names are the same, the superclasses are named.
  init(
    _ kind: Difference.Kind, from old: (node: Node, graph: ObjectGraph),
    to new: (node: Node, graph: ObjectGraph)
  ) {
    func description(_ node: Node, _ graph: ObjectGraph) -> ClassDescription? {
      graph.classIndex(of: node).map { graph.classes[$0] }
        ?? StoredGraph(graph).classDescription(of: node)
    }
    func text(_ description: ClassDescription?, _ parts: (ClassDescription) -> [String]) -> String {
      description.map { parts($0).joined(separator: ": ") } ?? "none"
    }
    let one = description(old.node, old.graph)
    let two = description(new.node, new.graph)
    let forms: [(ClassDescription) -> [String]] = [
      { [$0.displayName] }, { [$0.name] }, { $0.chain }, { $0.chain + ["hints"] + $0.hints },
    ]
    let different = forms.first { text(one, $0) != text(two, $0) } ?? forms[0]
    self.init(kind: kind, old: text(one, different), new: text(two, different))
  }
}

extension ObjectGraph {
  /// Whether the root is a dictionary of the values at the top of an archive.
  var hasSeveralTops: Bool { documents.first?.archive.map { $0.topKeys != ["root"] } ?? false }
}

// MARK: - A value as comparisons see it

/// A value and, for data with an archive, that of the archive's root.
struct ComparedValue {
  enum Content {
    case scalar(Value)
    /// The elements of an array or an ordered set.
    case list(Elements)
    case set(Elements)
    /// The members of a dictionary or of an object.
    case members(Pairs, isObject: Bool)
  }

  /// The value itself, or the root of the archive in it.
  let node: Node
  let content: Content
  /// The class as far as it is compared.
  let className: String?

  init(_ node: Node, in graph: ObjectGraph, rules: ComparisonRules) {
    let (node, value) = graph.opened(node)
    self.node = node
    className = rules.comparesClasses ? rules.className(of: node, value, in: graph) : nil
    switch value {
    case .array(let elements), .orderedSet(let elements): content = .list(elements)
    case .set(let elements): content = .set(elements)
    case .dictionary(let pairs): content = .members(pairs, isObject: false)
    case .object(_, let pairs): content = .members(pairs, isObject: true)
    default: content = .scalar(value)
    }
  }

  var isContainer: Bool { container != nil }

  /// The elements, or the values of members; nil for a scalar.
  var container: GraphContainer? {
    switch content {
    case .list(let elements), .set(let elements): .elements(elements)
    case .members(let pairs, _): .members(pairs)
    case .scalar: nil
    }
  }

  /// How many children are compared: elements, or each key and then its value.
  var childCount: Int {
    switch content {
    case .list(let elements), .set(let elements): elements.count
    case .members(let pairs, _): pairs.count * 2
    case .scalar: 0
    }
  }

  /// Whether two values have children that can be compared one by one.
  func isComparable(with other: ComparedValue, _ rules: ComparisonRules) -> Bool {
    switch (content, other.content) {
    case (.list, .list), (.set, .set): true
    case (.list, .set), (.set, .list): rules.comparesForms || rules.hasTextualDates
    case (.members(_, let isObject), .members(_, let isOther)):
      isObject == isOther || rules.comparesForms
    default: false
    }
  }
}

// MARK: - The members of a dictionary or an object, by their names

struct MemberNames {
  struct Member {
    let name: CodePointString
    let value: Node
    let position: Int
  }

  /// The members in stored order.
  private(set) var list: [Member] = []
  private var positions: [CodePointString: Int] = [:]

  /// Takes the members of a container that are compared; nil if a key is not a string, or is repeated.
  init?(_ pairs: Pairs, of holder: Node, _ digests: ValueDigests) {
    for position in 0..<pairs.count where !digests.isLeftOut(pairs, position, of: holder) {
      guard let text = digests.graph.memberName(pairs, position) else { return nil }
      let name = CodePointString(text.string)
      guard positions.updateValue(list.count, forKey: name) == nil else { return nil }
      list.append(
        Member(name: name, value: digests.graph.value(pairs, position), position: position))
    }
  }

  subscript(name: CodePointString) -> Member? { positions[name].map { list[$0] } }
}
