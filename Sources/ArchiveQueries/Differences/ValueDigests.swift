// The digests of all values of a graph, computed when they are first needed.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import KeyedArchives

/// Computes digests of values in one graph.
///
/// A digest depends on a value alone, also where objects refer to one another in cycles. Such objects are components of
/// the graph (Tarjan, 1972), whose digests are refined together until they distinguish no more of them (Hopcroft, 1971):
/// the last digest of an object and all last digests of its component say what can be reached from it.
final class ValueDigests {
  /// A container that is being hashed.
  ///
  /// Not a `GraphWalk`: a level joins the digests of its children.
  private struct Frame {
    let value: ComparedValue
    let count: Int
    var joined = JoinedDigests()
    var next = 0
    /// The digest of the key whose value comes next.
    var key = ValueDigest.none
    /// The number of the container, in the order in which containers are entered.
    let number: Int
    /// How many containers waited for their component before it.
    let waiting: Int
    /// The lowest number of an open container that can be reached from it.
    var lowest = Int.max
  }

  let graph: ObjectGraph
  let rules: ComparisonRules
  /// Whether objects of applications' classes were seen.
  private(set) var hasObjects = false
  /// Whether containers hold themselves.
  private(set) var hasCycles = false
  /// Whether several references lead to any value with an identity.
  private(set) var hasIdentities = false
  let ignored: IgnoredValues
  /// The digests of values, and the numbers of containers that are open or wait for their component.
  private var known: [[ValueDigest]] = []
  /// The finished containers whose component is not known yet.
  private var waiting: [ComparedValue] = []
  /// The digests of containers in cycles, by those that they would have as containers outside them.
  private var aliases: [ValueDigest: ValueDigest] = [:]
  private var entered = 0
  private var isRefining = false
  private var shared: NodeSet
  private var cyclic: NodeSet
  private var visited = 0
  private var openForms = 0
  private var limit = 0

  init(
    _ graph: ObjectGraph, _ rules: ComparisonRules,
    ignoring ignored: IgnoredValues = IgnoredValues()
  ) {
    self.graph = graph
    self.rules = rules
    self.ignored = ignored
    (shared, cyclic) = (NodeSet(in: graph), NodeSet(in: graph))
  }

  // MARK: Identity

  /// Whether a value is an object, or a container of a cycle to which several references lead: it differs from others of
  /// its value.
  func hasIdentity(_ value: ComparedValue) -> Bool {
    if case .members(_, true) = value.content { return true }
    return isShared(value.node) && value.isContainer && cyclic.contains(value.node)
  }

  /// Whether several references lead to a container.
  func isShared(_ node: Node) -> Bool { shared.contains(node) }

  func isCyclic(_ node: Node) -> Bool { cyclic.contains(node) }

  /// Records that a container was reached again.
  private func meet(_ node: Node) {
    guard !isRefining, graph.isContainerOrData(node), shared.insert(node) else { return }
    if !hasIdentities, hasIdentity(ComparedValue(node, in: graph, rules: rules)) {
      hasIdentities = true
    }
  }

  /// Counts a value that is looked at.
  ///
  /// - Throws: `ArchiveError` with code `limit` after too many.
  func visit() throws(ArchiveError) {
    visited += 1
    guard visited > limit else { return }
    // Archives in data values that were opened since raise the limit.
    limit = graph.expansionLimit
    if visited > limit {
      throw ArchiveError(.limit, "the comparison looks at over \(visited - 1) values")
    }
  }

  // MARK: Digests

  /// The digest of a value.
  ///
  /// - Throws: `ArchiveError` with code `limit` if values are too deep in one another or too many.
  func digest(of node: Node) throws(ArchiveError) -> ValueDigest {
    let known = remembered(node)
    if known != .none { return known.number == nil ? known : Self.cycle }
    try visit()
    let value = ComparedValue(node, in: graph, rules: rules)
    if let digest = try leaf(value) { return digest }
    let content = remembered(value.node)
    if content != .none { return content.number == nil ? content : Self.cycle }
    var stack = [enter(value)]
    while true {
      let last = stack.count - 1
      if stack[last].next < stack[last].count {
        if let child = try advance(&stack[last]) {
          stack.append(enter(child))
        }
        continue
      }
      let frame = stack.removeLast()
      let digest = try finish(frame)
      guard let holder = stack.indices.last else {
        // The form of an object may refer to what is open around it.
        for value in waiting[frame.waiting...] { remember(.none, of: value.node) }
        waiting.removeSubrange(frame.waiting...)
        return digest
      }
      if digest.number != nil { stack[holder].lowest = min(stack[holder].lowest, frame.lowest) }
      join(digest, to: &stack[holder])
    }
  }

  func digests(of elements: Elements) throws(ArchiveError) -> [ValueDigest] {
    try (0..<elements.count).map { (position) throws(ArchiveError) in
      try digest(of: graph.node(elements, position))
    }
  }

  func digest(ofName name: Text) -> ValueDigest {
    DigestMaker.digest(.string) { $0.combine(name) }
  }

  /// What counts in place of a container whose digest is not known yet.
  private static let cycle = DigestMaker.digest(.cycle)

  // MARK: Containers

  private func enter(_ value: ComparedValue) -> Frame {
    entered += 1
    remember(.open(entered), of: value.node)
    return frame(of: value, number: entered)
  }

  private func frame(of value: ComparedValue, number: Int = 0) -> Frame {
    Frame(value: value, count: value.childCount, number: number, waiting: waiting.count)
  }

  /// Hashes the next child of a container, unless it is a container that has to be entered first, which is returned.
  private func advance(_ frame: inout Frame) throws(ArchiveError) -> ComparedValue? {
    let position = frame.next
    frame.next += 1
    let child: Node
    switch frame.value.content {
    case .list(let elements), .set(let elements):
      if ignored.contains(frame.value.node, position) { return nil }
      child = graph.node(elements, position)
    case .members(let pairs, _):
      let pair = position / 2
      if position % 2 == 0 {
        if isLeftOut(pairs, pair, of: frame.value.node) {
          frame.next += 1
          return nil
        }
        child = graph.key(pairs, pair)
        if let key = keyDigest(pairs, pair) {
          frame.key = key
          return nil
        }
      } else {
        child = graph.value(pairs, pair)
      }
    case .scalar: return nil
    }
    if !isRefining { try visit() }
    let known = remembered(child)
    if known != .none {
      meet(child)
      join(known, to: &frame)
      return nil
    }
    let value = ComparedValue(child, in: graph, rules: rules)
    if let digest = try leaf(value) {
      join(digest, to: &frame)
      return nil
    }
    // Data with an archive is not its root.
    let content = value.node == child ? .none : remembered(value.node)
    guard content != .none else { return value }
    meet(value.node)
    join(content, to: &frame)
    return nil
  }

  /// Whether a member is not compared: an ignored one, or nil where the other graph may lack it.
  func isLeftOut(_ pairs: Pairs, _ pair: Int, of holder: Node) -> Bool {
    if ignored.contains(holder, pair) { return true }
    guard rules.comparesForms, pairs.isObject,
      case .null = graph.value(of: graph.value(pairs, pair))
    else { return false }
    return true
  }

  /// Whether a field of an object in a keyed archive is stored in the object itself.
  func isInline(_ pairs: Pairs, _ position: Int) -> Bool {
    graph.documents[Int(pairs.values.document)].archive != nil
      && graph.isInline(pairs.values, pairs.position(position))
  }

  func compared(_ elements: Elements, of holder: Node) -> [Int] {
    (0..<elements.count).filter { !ignored.contains(holder, $0) }
  }

  /// Joins the digest of a child, or of a reference to an open container.
  private func join(_ known: ValueDigest, to frame: inout Frame) {
    var digest = known
    if let number = known.number {
      frame.lowest = min(frame.lowest, number)
      digest = Self.cycle
    }
    switch frame.value.content {
    case .list: frame.joined.append(digest)
    case .set: frame.joined.add(digest)
    case .members where frame.next % 2 == 1: frame.key = digest
    case .members(let pairs, let isObject):
      let member = DigestMaker.digest(.member) {
        $0.combine(frame.key)
        $0.combine(digest)
        if rules.isExact, isObject { $0.combine(isInline(pairs, frame.next / 2 - 1) ? 1 : 0) }
      }
      frame.joined.add(member)
    case .scalar: break
    }
  }

  /// Ends a container.
  ///
  /// - Returns: its digest, or its number if that depends on a container that is still open.
  private func finish(_ frame: Frame) throws(ArchiveError) -> ValueDigest {
    if case .members(_, true) = frame.value.content { hasObjects = true }
    if frame.lowest > frame.number {
      let own = digest(of: frame)
      // What a container outside a cycle unfolds to may be what one in it does.
      let digest = aliases[own] ?? own
      remember(digest, of: frame.value.node)
      return digest
    }
    waiting.append(frame.value)
    if frame.lowest < frame.number { return remembered(frame.value.node) }
    let component = Array(waiting[frame.waiting...])
    waiting.removeSubrange(frame.waiting...)
    try close(component)
    return remembered(frame.value.node)
  }

  private func digest(of frame: Frame) -> ValueDigest {
    let kind: DigestMaker.Kind =
      switch frame.value.content {
      case .list: .list
      case .set: .set
      default: .members
      }
    return frame.joined.digest(kind, of: frame.value.className)
  }

  // MARK: Cycles

  /// How many digests are made at most, of a component of so many containers, to refine them: a ring of equal objects
  /// takes as many rounds as it has objects.
  private static func mostRounds(_ count: Int) -> Int { max(64, 2_000_000 / max(count, 1)) }

  /// Computes the digests of containers that can all be reached from one another.
  private func close(_ component: [ComparedValue]) throws(ArchiveError) {
    hasCycles = true
    for value in component {
      cyclic.insert(value.node)
      if shared.contains(value.node) { hasIdentities = true }
    }
    var distinct: Set<ValueDigest> = []
    var (count, rounds) = (1, 0)
    let mostRounds = Self.mostRounds(component.count)
    let digests = try refine(component) { digests in
      distinct = Set(digests)
      rounds += 1
      defer { count = distinct.count }
      return distinct.count > count && rounds < mostRounds
    }
    var whole = JoinedDigests()
    for digest in distinct { whole.add(digest) }
    // Digests that were not refined to the end are those of this graph alone.
    let isWhole = rounds < mostRounds
    let end = whole.digest(.cycle, of: isWhole ? nil : "\(ObjectIdentifier(self))")
    for (value, digest) in zip(component, digests) {
      remember(
        DigestMaker.digest(.cycle) {
          $0.combine(digest)
          $0.combine(end)
        }, of: value.node)
    }
    for value in component { aliases[try digestOfChildren(value)] = remembered(value.node) }
  }

  /// The digest of a container whose children have theirs.
  private func digestOfChildren(_ value: ComparedValue) throws(ArchiveError) -> ValueDigest {
    isRefining = true
    defer { isRefining = false }
    var frame = frame(of: value)
    while frame.next < frame.count { _ = try advance(&frame) }
    return digest(of: frame)
  }

  /// Computes digests of containers that depend on others of them only as far as some steps lead.
  ///
  /// - Parameter isGoingOn: receives the digests after each step, which are returned in the end.
  private func refine(
    _ values: [ComparedValue], while isGoingOn: ([ValueDigest]) -> Bool
  ) throws(ArchiveError) -> [ValueDigest] {
    for value in values { remember(Self.cycle, of: value.node) }
    while true {
      var digests: [ValueDigest] = []
      digests.reserveCapacity(values.count)
      for value in values { digests.append(try digestOfChildren(value)) }
      for (value, digest) in zip(values, digests) { remember(digest, of: value.node) }
      if !isGoingOn(digests) { return digests }
    }
  }

  /// The digest of a field's name, which is stored with an escape; nil for the key of a dictionary.
  private func keyDigest(_ pairs: Pairs, _ position: Int) -> ValueDigest? {
    pairs.isFields ? graph.memberName(pairs, position).map(digest(ofName:)) : nil
  }

  /// The digest of the scalars that a container has itself.
  func ownDigest(of value: ComparedValue) throws(ArchiveError) -> ValueDigest {
    var frame = frame(of: value)
    guard let container = value.container else { return digest(of: frame) }
    for position in 0..<container.childCount
    where !isLeftOut(container, position, of: value.node) {
      let child = container.child(position, in: graph)
      if graph.isContainerOrData(child),
        ComparedValue(child, in: graph, rules: rules).isContainer
      {
        continue
      }
      if case .members(let pairs, _) = value.content {
        if let key = keyDigest(pairs, position) {
          frame.key = key
        } else {
          frame.key = try digest(of: graph.key(pairs, position))
        }
        frame.next = 2 * position + 2
      }
      join(try digest(of: child), to: &frame)
    }
    return digest(of: frame)
  }

  /// Digests of containers by what is near them: first by their own scalars alone, then a step farther each.
  func nearDigests(
    of values: [ComparedValue], steps: Int
  ) throws(ArchiveError) -> [[ValueDigest]] {
    let exact = values.map { remembered($0.node) }
    var rounds: [[ValueDigest]] = [[]]
    for value in values { rounds[0].append(try ownDigest(of: value)) }
    _ = try refine(values) { digests in
      rounds.append(digests)
      return rounds.count < steps
    }
    for (value, digest) in zip(values, exact) { remember(digest, of: value.node) }
    return rounds
  }

  // MARK: Scalars

  /// The digest of a value without children, or of one with a Codable form; nil for a container.
  private func leaf(_ value: ComparedValue) throws(ArchiveError) -> ValueDigest? {
    if rules.comparesForms, openForms < 8, graph.isContainerOrData(value.node),
      let form = CodableForms.form(of: value.node, in: graph)
    {
      openForms += 1
      defer { openForms -= 1 }
      return try digest(of: form)
    }
    guard case .scalar(let scalar) = value.content else { return nil }
    let digest = digest(of: scalar, value.node)
    guard let name = value.className else {
      if case .string = scalar { remember(digest, of: value.node) }
      return digest
    }
    hasObjects = true
    return DigestMaker.digest(.className) {
      $0.combine(name)
      $0.combine(digest)
    }
  }

  private func digest(of value: Value, _ node: Node) -> ValueDigest {
    if let number = rules.scalars.number(value) {
      return digest(ofNumber: number)
    }
    switch value {
    case .date(let seconds):
      if rules.hasTextualDates, let text = Timestamp(secondsFromReference: seconds)?.text {
        return digest(ofText: text)
      }
      return DigestMaker.digest(.date) { $0.combine(rules.scalars.date(seconds)) }
    case .data(let bytes):
      if rules.hasTextualDates { return digest(ofText: Base64.text(bytes)) }
      return DigestMaker.digest(.data) { $0.combine(bytes) }
    case .string(let text): return digest(ofName: text)
    case .uid(let number): return DigestMaker.digest(.uid) { $0.combine(number) }
    default: return DigestMaker.digest(.null)
    }
  }

  private func digest(ofText text: String) -> ValueDigest {
    DigestMaker.digest(.string) { $0.combine(text) }
  }

  private func digest(ofNumber number: ScalarEquality.Number?) -> ValueDigest {
    switch number {
    case .integer(let number):
      if rules.hasTextualNumbers { return digest(ofText: "\(number)") }
      return DigestMaker.digest(.integer) {
        // Values within a tolerance of each other have one digest, and are compared themselves.
        if rules.tolerance != nil { return }
        $0.combine(UInt64(truncatingIfNeeded: number))
        $0.combine(UInt64(truncatingIfNeeded: number >> 64))
      }
    case .real(let bits):
      let real = Double(bitPattern: bits)
      if rules.hasTextualNumbers { return digest(ofText: "\(real)") }
      if rules.tolerance != nil, real.isFinite { return digest(ofNumber: .integer(0)) }
      return DigestMaker.digest(.real) { $0.combine(bits) }
    case .single(let bits): return DigestMaker.digest(.single) { $0.combine(UInt64(bits)) }
    case .boolean(let flag): return DigestMaker.digest(.boolean) { $0.combine(flag ? 1 : 0) }
    case nil: return DigestMaker.digest(.null)
    }
  }

  // MARK: Codable forms

  private func digest(of form: SyntheticValue) throws(ArchiveError) -> ValueDigest {
    switch form {
    case .boolean(let flag): return digest(ofNumber: rules.scalars.number(.boolean(flag)))
    case .integer(let number): return digest(ofNumber: rules.scalars.number(.integer(number)))
    case .real(let number): return digest(ofNumber: rules.scalars.number(number))
    case .string(let text): return digest(ofText: text)
    case .node(let node): return try digest(of: node)
    case .list(let items):
      var joined = JoinedDigests()
      for item in items { joined.append(try digest(of: item)) }
      return joined.digest(.list, of: nil)
    // Codable's forms of Foundation's values have no others.
    case .unsigned, .date, .data, .null, .pairs, .changed: return DigestMaker.digest(.null)
    case .members(let members):
      var joined = JoinedDigests()
      for (name, value) in members {
        let content = try digest(of: value)
        joined.add(
          DigestMaker.digest(.member) {
            $0.combine(digest(ofText: name))
            $0.combine(content)
          })
      }
      return joined.digest(.members, of: nil)
    }
  }

  // MARK: Memory

  private func remembered(_ node: Node) -> ValueDigest {
    guard Int(node.document) < known.count, Int(node.index) < known[Int(node.document)].count else {
      return .none
    }
    return known[Int(node.document)][Int(node.index)]
  }

  private func remember(_ digest: ValueDigest, of node: Node) {
    let document = Int(node.document)
    while known.count <= document { known.append([]) }
    if known[document].isEmpty {
      known[document] = Array(repeating: .none, count: graph.documents[document].table.count)
    }
    known[document][Int(node.index)] = digest
  }
}
