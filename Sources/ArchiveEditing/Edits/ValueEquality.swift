// Whether two values of graphs are equal by what they mean: numbers by value, members in any order.

import ArchiveBasics
import ArchiveGraph
import ArchiveWriting
import KeyedArchives

/// Compares values of two graphs, each pair of containers once.
struct ValueEquality {
  private struct Pair: Hashable {
    let left: Node
    let right: Node
  }

  private let left: ObjectGraph
  private let right: ObjectGraph
  private let rule: ScalarEquality
  private var known: Set<Pair> = []
  private var waiting: [Pair] = []

  /// - Parameter rule: when scalars are equal.
  init(_ left: ObjectGraph, _ right: ObjectGraph, _ rule: ScalarEquality = .value) {
    self.left = left
    self.right = right
    self.rule = rule
  }

  /// Whether two values are equal.
  mutating func areEqual(_ a: Node, _ b: Node) -> Bool {
    known = []
    waiting = [Pair(left: a, right: b)]
    while let pair = waiting.popLast() {
      guard compare(pair) else { return false }
    }
    return true
  }

  private mutating func compare(_ pair: Pair) -> Bool {
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
      waiting.append(Pair(left: left.node(a, position), right: right.node(b, position)))
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
      waiting.append(Pair(left: left.value(a, position), right: right.value(b, other)))
    }
    return true
  }
}

extension ValueEquality {
  /// The name of a member; of a key that is no text its value, which no name is.
  private static func name(
    _ pairs: Pairs, _ position: Int, of graph: ObjectGraph
  ) -> CodePointString {
    if let name = graph.memberName(pairs, position) { return CodePointString(name.string) }
    return CodePointString("\u{0}\(StoredMatching.Side(graph).name(pairs, position).text)")
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
