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

  /// Receives the pairs of objects before what differs; called only if objects are compared once.
  mutating func begin(_ pairing: GraphPairing)

  /// Receives the end; called only if objects are compared once.
  mutating func end() throws(ArchiveError)

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
  mutating func begin(_ pairing: GraphPairing) {}
  mutating func end() throws(ArchiveError) {}
}

/// Compares two graphs.
struct GraphDifference<Receiver: DifferenceReceiver>: ~Copyable {
  /// Two values that belong together, and their steps.
  private struct Pair {
    let oldStep: GraphPath.Step
    let newStep: GraphPath.Step
    let old: Node
    let new: Node
  }

  /// The pairs in two containers that are being compared.
  ///
  /// Not a `GraphWalk`: two graphs are walked in step.
  private struct Frame {
    /// The containers.
    let holders: NodePair
    let pairs: [Pair]
    var next = 0
  }

  private let old: ObjectGraph
  private let new: ObjectGraph
  private let oldDigests: ValueDigests
  private let newDigests: ValueDigests
  private var matching: ElementMatching
  private var pairing: GraphPairing?
  /// Whether objects are being paired, and nothing is reported.
  private var isPairing = false
  /// The number of the pair at which the comparison began, and its paths.
  private var beginning = 0
  private var start = PathPair(old: GraphPath(), new: GraphPath())
  private let rules: ComparisonRules
  private var stack: [Frame] = []
  private var opened: Set<NodePair> = []
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
    var digests = (
      old: ValueDigests(old, rules, ignoring: ignored.old),
      new: ValueDigests(new, rules, ignoring: ignored.new)
    )
    _ = try digests.old.digest(of: old.root)
    _ = try digests.new.digest(of: new.root)
    if !rules.isExact, digests.old.hasObjects != digests.new.hasObjects {
      rules = rules.forDifferentEnvelopes
      digests.old = ValueDigests(old, rules, ignoring: ignored.old)
      digests.new = ValueDigests(new, rules, ignoring: ignored.new)
    }
    self.rules = rules
    (oldDigests, newDigests) = digests
    var exact = rules
    exact.tolerance = nil
    matching = ElementMatching(
      old: digests.old, new: digests.new, key: options.key,
      keys: (
        ValueDigests(old, exact, ignoring: ignored.old),
        ValueDigests(new, exact, ignoring: ignored.new)
      ))
    isIgnored = ignored.old.isRootIgnored || ignored.new.isRootIgnored
  }

  private let isIgnored: Bool

  /// Compares the roots.
  ///
  /// - Throws: `ArchiveError` with code `limit` if values are too many or too deep, or what the receiver throws.
  mutating func run() throws(ArchiveError) {
    if isIgnored { return }
    if Receiver.comparesObjectsOnce, !rules.comparesForms,
      oldDigests.hasIdentities || newDigests.hasIdentities
    {
      if rules.tolerance == nil, try isSame(old.root, new.root) { return }
      try pairObjects()
    }
    try compareAll(old.root, new.root)
    guard let pairing else { return }
    for pair in pairing.beginnings.dropFirst() {
      beginning += 1
      start = PathPair(
        old: pairing.old.shortestPath(of: pair.left), new: pairing.new.shortestPath(of: pair.right))
      try compareAll(pair.left, pair.right)
    }
    try receiver.end()
  }

  private mutating func compareAll(_ oldNode: Node, _ newNode: Node) throws(ArchiveError) {
    try compare(oldNode, newNode)
    while let last = stack.indices.last {
      guard stack[last].next < stack[last].pairs.count else {
        leave(stack.removeLast().holders)
        continue
      }
      let pair = stack[last].pairs[stack[last].next]
      stack[last].next += 1
      try compare(pair.old, pair.new)
    }
  }

  /// Whether containers hold themselves.
  var hasCycles: Bool { oldDigests.hasCycles || newDigests.hasCycles }

  /// The members of a dictionary of one of the graphs by their names.
  func names(_ pairs: Pairs, _ side: ValueDigests.Side) -> MemberNames? {
    side == .old
      ? MemberNames(pairs, of: old.root, oldDigests)
      : MemberNames(pairs, of: new.root, newDigests)
  }

  /// Finds out which objects belong together, from the roots on, before anything is reported.
  private mutating func pairObjects() throws(ArchiveError) {
    let pairing = try GraphPairing(oldDigests, newDigests)
    self.pairing = pairing
    matching.pairing = pairing
    isPairing = true
    defer { isPairing = false }
    typealias Waiting = (old: Node, new: Node, meeting: GraphPairing.Meeting)
    var (waiting, later): ([Waiting], [Waiting]) = ([], [])
    var (next, nextLater) = (0, 0)
    while true {
      if next == waiting.count, nextLater == later.count {
        guard let pair = pairing.begin() else { break }
        let position = pairing.beginnings.count - 1
        waiting.append((pair.left, pair.right, .init(holders: nil, position: position)))
      }
      let isLast = next == waiting.count
      let found = isLast ? later[nextLater] : waiting[next]
      if isLast { nextLater += 1 } else { next += 1 }
      let left = ComparedValue(found.old, in: old, rules: rules)
      let right = ComparedValue(found.new, in: new, rules: rules)
      let holders = NodePair(left.node, right.node)
      guard left.isComparable(with: right, rules), pairing.meeting(of: holders) == nil else {
        continue
      }
      switch try pairing.decision(left, right) {
      case .others: continue
      case .later where !isLast:
        later.append(found)
        continue
      case .pair, .later: pairing.add(holders, at: found.meeting)
      }
      for (position, pair) in try children(left, right, (found.old, found.new)).enumerated() {
        waiting.append((pair.old, pair.new, .init(holders: holders, position: position)))
      }
    }
    receiver.begin(pairing)
  }

  /// The paths of the values that are being compared.
  private var paths: PathPair {
    let pairs = stack.lazy.map { $0.pairs[$0.next - 1] }
    return PathPair(
      old: start.old.appending(GraphPath(pairs.map(\.oldStep))),
      new: start.new.appending(GraphPath(pairs.map(\.newStep))))
  }

  // MARK: Two values

  private mutating func compare(_ oldNode: Node, _ newNode: Node) throws(ArchiveError) {
    try oldDigests.visit()
    if rules.tolerance == nil, try isSame(oldNode, newNode) { return }
    let left = ComparedValue(oldNode, in: old, rules: rules)
    let right = ComparedValue(newNode, in: new, rules: rules)
    guard left.isComparable(with: right, rules) else {
      if try !isEqual(left, right) { try replace(oldNode, by: newNode) }
      return
    }
    let holders = NodePair(left.node, right.node)
    if let pairing {
      let here = GraphPairing.Meeting(
        holders: stack.last?.holders, position: stack.last.map { $0.next - 1 } ?? beginning)
      guard let meeting = pairing.meeting(of: holders) else {
        return try replace(oldNode, by: newNode)
      }
      guard meeting == here else { return }
      pairing.holders = holders
    }
    if left.className != right.className,
      try !receiver.changeClass(oldNode, newNode, at: paths)
    {
      return
    }
    // Objects that contain themselves: what is compared further out is not compared again.
    guard opened.insert(holders).inserted else { return }
    guard stack.count < old.limits.depth else { throw .tooDeep(old.limits.depth) }
    stack.append(
      Frame(holders: holders, pairs: try children(left, right, (oldNode, newNode))))
  }

  /// Reports a value that has become another; objects that are known by their paths are other ones.
  private mutating func replace(_ oldNode: Node, by newNode: Node) throws(ArchiveError) {
    pairing?.holders = stack.last?.holders
    try receiver.replace(oldNode, by: newNode, at: paths)
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

  func isSame(_ oldNode: Node, _ newNode: Node) throws(ArchiveError) -> Bool {
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

  // MARK: Containers

  private mutating func leave(_ holders: NodePair) {
    opened.remove(holders)
  }

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
      if !isEqual, !isPairing { try replace(nodes.old, by: nodes.new) }
      return []
    }
    var pairs: [Pair] = []
    var removed: [(name: String, value: Node)] = []
    for member in one.list {
      guard let other = two[member.name] else {
        removed.append((member.name.text, member.value))
        continue
      }
      if rules.tolerance == nil, try isSame(member.value, other.value) { continue }
      let step = GraphPath.Step.key(member.name.text)
      pairs.append(Pair(oldStep: step, newStep: step, old: member.value, new: other.value))
    }
    let added = two.list.filter { one[$0.name] == nil }.map {
      (name: $0.name.text, value: $0.value)
    }
    if !isPairing, !removed.isEmpty || !added.isEmpty {
      try receiver.change(removed: removed, added: added, at: paths)
    }
    return pairs
  }

  /// Reports elements without a counterpart, and moved ones.
  private mutating func report(
    _ known: ListAlignment, _ one: Elements, _ two: Elements, isSet: Bool
  ) throws(ArchiveError) {
    var alignment = known
    if let pairing {
      // Partners that were found after the lists were aligned.
      let (old, new) = (old, new)
      func similarity(_ first: Int, _ second: Int) -> Int {
        pairing.arePartners(old.node(one, first), new.node(two, second)) ? 1 : 0
      }
      if !isSet { try alignment.matchChanged(similarity) }
      try alignment.matchMoved(similarity)
    }
    guard
      !alignment.removed.isEmpty || !alignment.added.isEmpty || !isSet && !alignment.moved.isEmpty
    else { return }
    try receiver.change(alignment, old: one, new: two, isSet: isSet, at: paths)
  }

  private mutating func compareElements(
    _ holders: NodePair, _ one: Elements, _ two: Elements, isSet: Bool
  ) throws(ArchiveError) -> [Pair] {
    let alignment: ListAlignment
    if let known = pairing?.alignments[holders] {
      alignment = known
    } else {
      alignment = try matching.align(one, of: holders.left, two, of: holders.right, isSet: isSet)
    }
    if isPairing {
      pairing?.alignments[holders] = alignment
    } else {
      try report(alignment, one, two, isSet: isSet)
    }
    if isSet, pairing == nil { return [] }
    var pairs: [Pair] = []
    for match in alignment.kept + alignment.moved {
      let (left, right) = (old.node(one, match.old), new.node(two, match.new))
      if rules.tolerance == nil, try isSame(left, right) { continue }
      pairs.append(
        Pair(oldStep: .index(match.old), newStep: .index(match.new), old: left, new: right))
    }
    return pairs
  }
}

// MARK: - A value as comparisons see it

/// A value and, for data with an archive, that of the archive's root.
struct ComparedValue {
  /// What kind of value it is.
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

/// Members by their names.
struct MemberNames {
  /// A member.
  struct Member {
    let name: CodePointString
    let value: Node
    /// Its position in the container.
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

  /// The member of a name; nil if there is none.
  subscript(name: CodePointString) -> Member? { positions[name].map { list[$0] } }
}
