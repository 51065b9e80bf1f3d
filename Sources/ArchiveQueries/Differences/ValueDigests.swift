// The digests of all values of a graph, computed when they are first needed.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import KeyedArchives

/// Computes digests of values in one graph.
///
/// A digest depends on a value alone, unless objects refer to one another in cycles: a reference to an object that is
/// being entered counts by how many containers are open around that object. Such digests can be compared while the same
/// containers are open in both graphs, and are not remembered.
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
    /// The outermost open container that a value in it refers to.
    var outermost = Int.max
  }

  let graph: ObjectGraph
  let rules: ComparisonRules
  /// Whether objects of applications' classes were seen.
  private(set) var hasObjects = false
  private let ignored: IgnoredValues
  /// The digests of values, and of containers that are open how many containers are open around them.
  private var known: [[ValueDigest]] = []
  private var depth = 0
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
  }

  // MARK: Open containers

  /// Counts a container as open around the values that are hashed from now on.
  func enter(_ node: Node) {
    if remembered(node) == .none { remember(.open(around: depth), of: node) }
    depth += 1
  }

  /// Counts the innermost container as open no more.
  func leave(_ node: Node) {
    depth -= 1
    if remembered(node) == .open(around: depth) { remember(.none, of: node) }
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
    if let depth = known.depth { return Self.cycle(depth) }
    if known != .none { return known }
    try visit()
    let value = ComparedValue(node, in: graph, rules: rules)
    if let digest = try leaf(value) { return digest }
    if let depth = remembered(value.node).depth { return Self.cycle(depth) }
    var stack = [Frame(value: value, count: begin(value))]
    while true {
      let last = stack.count - 1
      if stack[last].next < stack[last].count {
        if let child = try advance(&stack[last]) {
          guard stack.count < graph.limits.depth else { throw .tooDeep(graph.limits.depth) }
          stack.append(Frame(value: child, count: begin(child)))
        }
        continue
      }
      let frame = stack.removeLast()
      let digest = finish(frame)
      guard let holder = stack.indices.last else { return digest }
      stack[holder].outermost = min(stack[holder].outermost, frame.outermost)
      join(digest, to: &stack[holder])
    }
  }

  /// The digest of a member's name.
  func digest(ofName name: Text) -> ValueDigest {
    DigestMaker.digest(.string) { $0.combine(name) }
  }

  private static func cycle(_ depth: Int) -> ValueDigest {
    DigestMaker.digest(.cycle) { $0.combine(UInt64(depth)) }
  }

  // MARK: Containers

  private func begin(_ value: ComparedValue) -> Int {
    enter(value.node)
    return switch value.content {
    case .list(let elements), .set(let elements): elements.count
    // Each key, then its value.
    case .members(let pairs, _): pairs.count * 2
    case .scalar: 0
    }
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
        // Names of fields are stored with an escape.
        if pairs.isFields, let name = graph.memberName(pairs, pair) {
          frame.key = digest(ofName: name)
          return nil
        }
      } else {
        child = graph.value(pairs, pair)
      }
    case .scalar: return nil
    }
    try visit()
    let known = remembered(child)
    if known != .none {
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

  /// The positions of the elements that are compared.
  func compared(_ elements: Elements, of holder: Node) -> [Int] {
    (0..<elements.count).filter { !ignored.contains(holder, $0) }
  }

  /// Joins the digest of a child, or of a reference to an open container.
  private func join(_ known: ValueDigest, to frame: inout Frame) {
    var digest = known
    if let depth = known.depth {
      frame.outermost = min(frame.outermost, depth)
      digest = Self.cycle(depth)
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

  private func finish(_ frame: Frame) -> ValueDigest {
    let node = frame.value.node
    depth -= 1
    let kind: DigestMaker.Kind =
      switch frame.value.content {
      case .list: .list
      case .set: .set
      default: .members
      }
    if case .members(_, true) = frame.value.content { hasObjects = true }
    let digest = frame.joined.digest(kind, of: frame.value.className)
    // `depth` is that of this container again.
    remember(frame.outermost >= depth ? digest : .none, of: node)
    return digest
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

// MARK: - Digests of values: equal for values that a comparison treats as equal

/// 128 bits that are equal for equal values, and for different ones only by an accident that no file can bring about.
///
/// They are keyed with a random number of the process, and have no meaning outside it.
struct ValueDigest: Hashable {
  let first: UInt64
  let second: UInt64

  /// No value's digest.
  static let none = ValueDigest(first: 0, second: 0)

  /// A mark for a container that is being entered, with so many open containers around it.
  static func open(around depth: Int) -> ValueDigest {
    ValueDigest(first: 0, second: UInt64(depth + 1))
  }

  /// How many containers are open around the container that is marked with it; nil for a digest.
  var depth: Int? { first == 0 && second != 0 ? Int(truncatingIfNeeded: second) - 1 : nil }
}

/// Computes a digest: Swift's own keyed hash, twice.
struct DigestMaker {
  /// What kind of value is hashed, so that no two kinds give the same bits.
  enum Kind: UInt8 {
    case null, boolean, integer, single, real, date, data, string, uid
    case list, set, members, member, className, cycle
  }

  private var first = Hasher()
  private var second = Hasher()

  /// The digest of a value of a kind with what is combined.
  @inline(__always)
  static func digest(
    _ kind: Kind, _ combine: (inout DigestMaker) -> Void = { _ in }
  ) -> ValueDigest {
    var maker = DigestMaker(kind)
    combine(&maker)
    return maker.finalize()
  }

  init(_ kind: Kind) {
    first.combine(kind.rawValue)
    second.combine(~kind.rawValue)
  }

  mutating func combine(_ number: UInt64) {
    first.combine(number)
    second.combine(number)
  }

  mutating func combine(_ digest: ValueDigest) {
    first.combine(digest.first)
    second.combine(digest.second)
  }

  mutating func combine(_ bytes: ByteView) {
    first.combine(bytes: bytes)
    second.combine(bytes: bytes)
  }

  mutating func combine(_ text: Text) {
    text.withCharacterBytes { combine($0) }
  }

  mutating func combine(_ text: String) {
    var text = text
    text.withByteView { combine($0) }
  }

  func finalize() -> ValueDigest {
    ValueDigest(
      first: UInt64(bitPattern: Int64(first.finalize())),
      second: UInt64(bitPattern: Int64(second.finalize())))
  }
}

/// The digests of a container's children, joined one by one.
struct JoinedDigests {
  private var first: UInt64 = 0
  private var second: UInt64 = 0
  private var count: UInt64 = 0

  /// Joins the next child, whose position counts.
  mutating func append(_ digest: ValueDigest) {
    first = Self.mix(first ^ digest.first)
    second = Self.mix(second ^ digest.second)
    count &+= 1
  }

  /// Joins a child whose position does not count.
  mutating func add(_ digest: ValueDigest) {
    first &+= digest.first
    second &+= digest.second
    count &+= 1
  }

  /// The digest of a container of a kind.
  func digest(_ kind: DigestMaker.Kind, of className: String?) -> ValueDigest {
    DigestMaker.digest(kind) {
      $0.combine(ValueDigest(first: first, second: second))
      $0.combine(count)
      if let className { $0.combine(className) }
    }
  }

  /// A bijection that is not linear, so that sequences cannot cancel each other out (the finalizer of SplitMix64;
  /// Steele, Lea and Flood, 2014).
  private static func mix(_ number: UInt64) -> UInt64 {
    var bits = number &+ 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return bits ^ bits >> 31
  }
}
