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
  var isExact = false

  /// Makes the options of an exact comparison.
  package init() {}
}

/// Receives what differs, containers before what they contain.
protocol DifferenceReceiver {
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
  private let matching: ElementMatching
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
    try compare(old.root, new.root)
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

  /// The paths of the values that are being compared.
  private var paths: PathPair {
    let pairs = stack.lazy.map { $0.pairs[$0.next - 1] }
    return PathPair(
      old: GraphPath(pairs.map(\.oldStep)), new: GraphPath(pairs.map(\.newStep)))
  }

  // MARK: Two values

  private mutating func compare(_ oldNode: Node, _ newNode: Node) throws(ArchiveError) {
    try oldDigests.visit()
    if rules.tolerance == nil, try isSame(oldNode, newNode) { return }
    let left = ComparedValue(oldNode, in: old, rules: rules)
    let right = ComparedValue(newNode, in: new, rules: rules)
    guard left.isComparable(with: right, rules) else {
      if try !isEqual(left, right) { try receiver.replace(oldNode, by: newNode, at: paths) }
      return
    }
    if left.className != right.className,
      try !receiver.changeClass(oldNode, newNode, at: paths)
    {
      return
    }
    // Objects that contain themselves: what is compared further out is not compared again.
    let holders = NodePair(left.node, right.node)
    guard opened.insert(holders).inserted else { return }
    guard stack.count < old.limits.depth else { throw .tooDeep(old.limits.depth) }
    oldDigests.enter(holders.left)
    newDigests.enter(holders.right)
    let pairs: [Pair]
    switch (left.content, right.content) {
    case (.list(let one), .list(let two)): pairs = try compareLists(holders, one, two)
    case (.list(let one), .set(let two)), (.set(let one), .list(let two)),
      (.set(let one), .set(let two)):
      pairs = try compareSets(holders, one, two)
    case (.members(let one, _), .members(let two, _)):
      pairs = try compareMembers(holders, one, two, (oldNode, newNode))
    default: pairs = []
    }
    stack.append(Frame(holders: holders, pairs: pairs))
  }

  private func isSame(_ oldNode: Node, _ newNode: Node) throws(ArchiveError) -> Bool {
    try oldDigests.digest(of: oldNode) == newDigests.digest(of: newNode)
  }

  /// Whether values that cannot be compared by their children are equal.
  private func isEqual(_ left: ComparedValue, _ right: ComparedValue) throws(ArchiveError) -> Bool {
    guard let tolerance = rules.tolerance else { return false }
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
    oldDigests.leave(holders.left)
    newDigests.leave(holders.right)
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
      if !isEqual { try receiver.replace(nodes.old, by: nodes.new, at: paths) }
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
    if !removed.isEmpty || !added.isEmpty {
      try receiver.change(removed: removed, added: added, at: paths)
    }
    return pairs
  }

  private mutating func compareSets(
    _ holders: NodePair, _ one: Elements, _ two: Elements
  ) throws(ArchiveError) -> [Pair] {
    let alignment = try matching.align(one, of: holders.left, two, of: holders.right, isSet: true)
    if !alignment.removed.isEmpty || !alignment.added.isEmpty {
      try receiver.change(alignment, old: one, new: two, isSet: true, at: paths)
    }
    return []
  }

  private mutating func compareLists(
    _ holders: NodePair, _ one: Elements, _ two: Elements
  ) throws(ArchiveError) -> [Pair] {
    let alignment = try matching.align(one, of: holders.left, two, of: holders.right, isSet: false)
    if !alignment.removed.isEmpty || !alignment.added.isEmpty || !alignment.moved.isEmpty {
      try receiver.change(alignment, old: one, new: two, isSet: false, at: paths)
    }
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

// MARK: - One difference between two graphs, and all of them in order

/// One difference between two graphs.
package struct Difference: Sendable {
  /// What became of the value.
  package enum Kind: String, Sendable {
    case added, removed, changed, moved
    /// Only the class of an object is another.
    case changedClass = "class"
  }

  /// What became of the value.
  package let kind: Kind
  /// The path of the value in the old graph; nil if it was added.
  package let oldPath: GraphPath?
  /// The path of the value in the new graph; nil if it was removed.
  package let newPath: GraphPath?
  /// The value in the old graph; nil if it was added.
  package let old: Node?
  /// The value in the new graph; nil if it was removed.
  package let new: Node?

  /// The whole value of an input that did not exist.
  package static func added(_ root: Node) -> Difference {
    Difference(kind: .added, oldPath: nil, newPath: GraphPath(), old: nil, new: root)
  }

  /// The whole value of an input that does not exist any more.
  package static func removed(_ root: Node) -> Difference {
    Difference(kind: .removed, oldPath: GraphPath(), newPath: nil, old: root, new: nil)
  }

  /// Reports what differs between two graphs, containers before what they contain.
  ///
  /// - Parameter report: receives the differences.
  /// - Throws: `ArchiveError` with code `limit` if values are too many or too deep, or what `report` throws.
  package static func report(
    between old: ObjectGraph, and new: ObjectGraph,
    options: DifferenceOptions = DifferenceOptions(),
    _ report: @escaping (Difference) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    var difference = try GraphDifference(
      old, new, options, receiver: DifferenceList(old: old, new: new, report: report))
    try difference.run()
  }
}

/// Reports each change of a container as a difference of its own.
private struct DifferenceList: DifferenceReceiver {
  let old: ObjectGraph
  let new: ObjectGraph
  let report: (Difference) throws(ArchiveError) -> Void

  func replace(_ old: Node, by new: Node, at paths: PathPair) throws(ArchiveError) {
    try report(
      Difference(kind: .changed, oldPath: paths.old, newPath: paths.new, old: old, new: new))
  }

  func changeClass(_ old: Node, _ new: Node, at paths: PathPair) throws(ArchiveError) -> Bool {
    try report(
      Difference(kind: .changedClass, oldPath: paths.old, newPath: paths.new, old: old, new: new))
    return true
  }

  func change(
    removed: [(name: String, value: Node)], added: [(name: String, value: Node)],
    at paths: PathPair
  ) throws(ArchiveError) {
    for (name, value) in removed { try remove(value, at: paths.old.appending(.key(name))) }
    for (name, value) in added { try add(value, at: paths.new.appending(.key(name))) }
  }

  func change(
    _ alignment: ListAlignment, old oldElements: Elements, new newElements: Elements, isSet: Bool,
    at paths: PathPair
  ) throws(ArchiveError) {
    for position in alignment.removed {
      try remove(old.node(oldElements, position), at: paths.old.appending(.index(position)))
    }
    for position in alignment.added {
      try add(new.node(newElements, position), at: paths.new.appending(.index(position)))
    }
    guard !isSet else { return }
    for match in alignment.moved {
      try report(
        Difference(
          kind: .moved, oldPath: paths.old.appending(.index(match.old)),
          newPath: paths.new.appending(.index(match.new)), old: old.node(oldElements, match.old),
          new: new.node(newElements, match.new)))
    }
  }

  private func remove(_ value: Node, at path: GraphPath) throws(ArchiveError) {
    try report(Difference(kind: .removed, oldPath: path, newPath: nil, old: value, new: nil))
  }

  private func add(_ value: Node, at path: GraphPath) throws(ArchiveError) {
    try report(Difference(kind: .added, oldPath: nil, newPath: path, old: nil, new: value))
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

  var isContainer: Bool {
    if case .scalar = content { false } else { true }
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
