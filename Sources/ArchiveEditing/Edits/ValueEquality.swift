// Whether two values of graphs are equal by what they mean: numbers by value, members in any order.

import ArchiveBasics
import ArchiveGraph
import ArchiveWriting

/// Compares values of two graphs, each pair of containers once.
struct ValueEquality {
  private let left: ObjectGraph
  private let right: ObjectGraph
  private let rule: ScalarEquality
  private var known: Set<NodePair> = []
  private var waiting: [NodePair] = []

  /// - Parameter rule: when scalars are equal.
  init(_ left: ObjectGraph, _ right: ObjectGraph, _ rule: ScalarEquality = .value) {
    self.left = left
    self.right = right
    self.rule = rule
  }

  /// Whether two values are equal.
  mutating func areEqual(_ a: Node, _ b: Node) -> Bool {
    known = []
    waiting = [NodePair(a, b)]
    while let pair = waiting.popLast() {
      guard compare(pair) else { return false }
    }
    return true
  }

  private mutating func compare(_ pair: NodePair) -> Bool {
    let (a, b) = (left.value(of: pair.left), right.value(of: pair.right))
    if a.isContainer {
      return known.insert(pair).inserted ? compareContainers(a, b) : true
    }
    return rule.areEqual(a, b)
  }

  private mutating func compareContainers(_ a: Value, _ b: Value) -> Bool {
    switch (a, b) {
    case (.array(let a), .array(let b)), (.orderedSet(let a), .orderedSet(let b)):
      return compareElements(a, b)
    case (.set(let a), .set(let b)): return compareElements(a, b)
    case (.dictionary(let a), .dictionary(let b)): return compareMembers(a, b)
    case (.object(let one, let a), .object(let other, let b)):
      return CodePointString(left.classes[one].name) == CodePointString(right.classes[other].name)
        && compareMembers(a, b)
    default: return false
    }
  }

  private mutating func compareElements(_ a: Elements, _ b: Elements) -> Bool {
    guard a.count == b.count else { return false }
    for position in 0..<a.count {
      waiting.append(NodePair(left.node(a, position), right.node(b, position)))
    }
    return true
  }

  private mutating func compareMembers(_ a: Pairs, _ b: Pairs) -> Bool {
    guard a.count == b.count else { return false }
    var positions: [CodePointString: Int] = [:]
    for position in 0..<b.count {
      positions[Self.name(b, position, of: right)] = position
    }
    for position in 0..<a.count {
      guard let other = positions[Self.name(a, position, of: left)] else { return false }
      waiting.append(NodePair(left.value(a, position), right.value(b, other)))
    }
    return true
  }

  /// The name of a member; of a key that is no text its value, which no name is.
  private static func name(
    _ pairs: Pairs, _ position: Int, of graph: ObjectGraph
  ) -> CodePointString {
    if let name = graph.memberName(pairs, position) { return CodePointString(name.string) }
    return CodePointString("\u{0}\(StoredGraph(graph).name(pairs, position).text)")
  }
}

extension ObjectGraph {
  /// Whether a value is one in typed JSON already, so that an edit would change nothing: with its type, as a number has it
  /// that takes the type of the old one, and with its class, if the typed JSON names one.
  package func isAlready(_ value: TypedValue, at node: Node) throws(ArchiveError) -> Bool {
    let old = self.value(of: node)
    let new = try value.like(old)
    let other = ObjectGraph(limits: limits)
    let root = try other.add(typedJSON: new.json)
    // A class or a storage, also of what is inside, is compared as it is written.
    if ["$object", "$inline", "$boxed"].contains(where: { new.text.includes("\"\($0)\"") }) {
      return try TypedValue(node, of: self).text == new.text
    }
    guard old.typeName == other.value(of: root).typeName else { return false }
    var equality = ValueEquality(self, other, .stored)
    return equality.areEqual(node, root)
  }

  /// Whether a value equals one in typed JSON: numbers by their value, members in any order.
  ///
  /// A data value with an archive is compared by the archive's root, unless the other is data.
  ///
  /// - Throws: `ArchiveError` if the tags of the typed JSON are malformed.
  package func equals(_ value: TypedValue, at node: Node) throws(ArchiveError) -> Bool {
    let other = ObjectGraph(limits: limits)
    let root = try other.add(typedJSON: value.json)
    var equality = ValueEquality(self, other)
    if equality.areEqual(node, root) { return true }
    guard case .data = self.value(of: node), let content = content(of: node) else { return false }
    if case .data = other.value(of: root) { return false }
    return equality.areEqual(content, root)
  }
}

// MARK: - Whether the elements of a set differ from one another, also in large sets

/// Compares the elements of a set, those alone that may be equal: the ones with the same digest.
struct DistinctElements {
  /// The most comparisons of elements that are no plain values.
  private static let mostComparisons = 1 << 22

  private let graph: ObjectGraph

  /// Whether no two elements are equal, as NSSet compares them.
  ///
  /// - Throws: `ArchiveError` with code `limit` if too many elements may be equal.
  static func areDistinct(
    _ elements: Elements, in graph: ObjectGraph
  ) throws(ArchiveError) -> Bool {
    let digests = DistinctElements(graph: graph)
    var equality = ValueEquality(graph, graph, .number)
    var known: [Int: [Node]] = [:]
    var comparisons = 0
    for position in 0..<elements.count {
      let element = graph.node(elements, position)
      let digest = digests.digest(of: element)
      for other in known[digest] ?? [] {
        comparisons += 1
        guard comparisons <= mostComparisons else {
          throw ArchiveError(.limit, "the set has too many elements to compare")
        }
        if equality.areEqual(element, other) { return false }
      }
      known[digest, default: []].append(element)
    }
    return true
  }

  /// Equal for equal values; of a container its children count, and of those in them only how many there are.
  private func digest(of node: Node) -> Int {
    var hasher = Hasher()
    addShallow(node, to: &hasher)
    switch GraphContainer(graph.value(of: node)) {
    case .elements(let elements)?:
      for position in 0..<elements.count {
        addShallow(graph.node(elements, position), to: &hasher)
      }
    case .members(let pairs)?:
      // In any order.
      var sum = 0
      for position in 0..<pairs.count {
        var member = Hasher()
        if let name = graph.memberName(pairs, position)?.string {
          member.combine(CodePointString(name))
        }
        addShallow(graph.value(pairs, position), to: &member)
        sum &+= member.finalize()
      }
      hasher.combine(sum)
    case .pairs?, .content?, nil: break
    }
    return hasher.finalize()
  }

  private func addShallow(_ node: Node, to hasher: inout Hasher) {
    let value = graph.value(of: node)
    if let container = GraphContainer(value) {
      hasher.combine(container.childCount)
      if case .elements = container { hasher.combine("list") }
      return
    }
    if let number = ScalarEquality.number.number(value) { return hasher.combine(number) }
    switch value {
    case .string(let text): text.withCharacterBytes { hasher.combine(bytes: $0) }
    case .date(let seconds): hasher.combine(ScalarEquality.number.date(seconds))
    case .data(let bytes): hasher.combine(bytes: bytes)
    case .uid(let number): hasher.combine(number)
    case .null: hasher.combine("null")
    default: hasher.combine("other")
    }
  }
}
