// Whether the elements of a set differ from one another, also in large sets.

import ArchiveBasics
import ArchiveGraph
import ArchiveWriting
import KeyedArchives

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
    guard let container = GraphContainer(graph.value(of: node)) else {
      add(node, graph.value(of: node), to: &hasher)
      return hasher.finalize()
    }
    add(container, to: &hasher)
    switch container {
    case .elements(let elements):
      for position in 0..<elements.count {
        addShallow(graph.node(elements, position), to: &hasher)
      }
    case .members(let pairs):
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
    case .pairs, .content: break
    }
    return hasher.finalize()
  }

  private func addShallow(_ node: Node, to hasher: inout Hasher) {
    let value = graph.value(of: node)
    if let container = GraphContainer(value) {
      add(container, to: &hasher)
    } else {
      add(node, value, to: &hasher)
    }
  }

  private func add(_ container: GraphContainer, to hasher: inout Hasher) {
    hasher.combine(container.childCount)
    if case .elements = container { hasher.combine("list") }
  }

  private func add(_ node: Node, _ value: Value, to hasher: inout Hasher) {
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
