// Assigns numbers to values so that the numbers are equal exactly when the values are: each is examined once, however
// often it is compared.

import Basics

/// The numbers of a graph's values.
///
/// Scalars are equal by a rule, members and the elements of sets in any order, and objects of one class by their members.
package final class CanonicalTable {
  /// This does not use `GraphWalk`, because each level gathers the numbers of its values.
  private struct Frame {
    let node: Node
    let container: GraphContainer
    /// The kind of container, with the class of an object.
    let opening: [UInt8]
    var next = 0
    /// The numbers of the finished elements, or those of names and values in turn.
    var parts: [UInt32] = []
  }

  private let graph: ObjectGraph
  private let rule: ScalarEquality
  /// The text that JSON has for a value of a type that it does not have; nil if types and kinds of lists matter.
  private let jsonText: ((Value) -> String?)?
  /// Numbers by canonical form: of scalars, and of containers as the numbers of their parts.
  private var numbers: [[UInt8]: UInt32] = [:]
  /// The numbers of the containers that were already examined.
  private var known: [Node: UInt32] = [:]
  /// The containers that are being examined.
  private var open: Set<Node> = []
  /// The numbers of values of other graphs.
  private var others: [ObjectIdentifier: Set<UInt32>] = [:]

  /// Makes a table for the values of a graph.
  ///
  /// - Parameters:
  ///   - rule: when scalars are equal.
  ///   - jsonText: for values of JSON Schema, which are lists, objects and scalars alone: the text of a value of another type.
  package init(
    of graph: ObjectGraph, _ rule: ScalarEquality = .value, jsonText: ((Value) -> String?)? = nil
  ) {
    (self.graph, self.rule, self.jsonText) = (graph, rule, jsonText)
  }

  /// The number of a value.
  ///
  /// - Throws: `ArchiveError` with code `limit` if the value is too deep, or contains itself where JSON is compared; else
  ///   such a value equals itself alone.
  package func number(of node: Node) throws(ArchiveError) -> UInt32 {
    var stack: [Frame] = []
    defer { open = [] }
    var finished = try begin(node, &stack)
    while let top = stack.indices.last {
      if let number = finished { take(number, &stack[top]) }
      let next = stack[top].next
      guard next < stack[top].container.childCount else {
        finished = finish(stack.removeLast())
        continue
      }
      stack[top].next = next + 1
      finished = try begin(stack[top].container.child(next, in: graph), &stack)
    }
    return finished ?? 0
  }

  /// The numbers of values of another graph, which must stay while this is used.
  package func numbers(of nodes: [Node], in other: ObjectGraph) throws(ArchiveError) -> Set<UInt32>
  {
    if let known = others[ObjectIdentifier(other)] { return known }
    let foreign = CanonicalTable(of: other, rule, jsonText: jsonText)
    foreign.numbers = numbers
    var found: Set<UInt32> = []
    for node in nodes { found.insert(try foreign.number(of: node)) }
    numbers = foreign.numbers
    others[ObjectIdentifier(other)] = found
    return found
  }

  // MARK: Canonical forms

  private func number(ofSpelling bytes: [UInt8]) -> UInt32 {
    if let known = numbers[bytes] { return known }
    let number = UInt32(truncatingIfNeeded: numbers.count)
    numbers[bytes] = number
    return number
  }

  private func begin(_ node: Node, _ stack: inout [Frame]) throws(ArchiveError) -> UInt32? {
    let value = graph.value(of: node)
    guard let container = GraphContainer(value) else {
      return number(ofSpelling: scalar(value))
    }
    if let known = known[node] { return known }
    guard stack.count <= graph.limits.depth, jsonText == nil || !open.contains(node) else {
      throw ArchiveError(.limit, "the value is too deep to be compared, or contains itself")
    }
    guard open.insert(node).inserted else {
      let place = "@\(ObjectIdentifier(graph).hashValue) \(node.document) \(node.index)"
      return number(ofSpelling: Array(place.utf8))
    }
    stack.append(Frame(node: node, container: container, opening: opening(of: value)))
    return nil
  }

  private func opening(of value: Value) -> [UInt8] {
    switch value {
    case .set where jsonText == nil: return Array("<".utf8)
    case .orderedSet where jsonText == nil: return Array("(".utf8)
    case .array, .set, .orderedSet: return Array("[".utf8)
    case .object(let index, _):
      let name = graph.classes[index].name
      return Array("{\(name.utf8.count):\(name)".utf8)
    default: return Array("{".utf8)
    }
  }

  /// Adds a finished value to its container.
  private func take(_ number: UInt32, _ frame: inout Frame) {
    if case .members(let pairs) = frame.container {
      let position = frame.next - 1
      let name =
        graph.memberName(pairs, position).map { "s\($0.string)" }
        ?? "k\(graph.label(of: graph.key(pairs, position)))"
      frame.parts.append(self.number(ofSpelling: Array(name.utf8)))
    }
    frame.parts.append(number)
  }

  private func finish(_ frame: Frame) -> UInt32 {
    var parts = frame.parts
    open.remove(frame.node)
    if frame.opening == Array("<".utf8) { parts.sort() }
    if case .members = frame.container {
      let members = stride(from: 0, to: parts.count, by: 2).map { (parts[$0], parts[$0 + 1]) }
      parts = members.sorted { $0 < $1 }.flatMap { [$0.0, $0.1] }
    }
    var bytes = frame.opening + [0]
    bytes.reserveCapacity(bytes.count + parts.count * 4)
    for part in parts { withUnsafeBytes(of: part) { bytes.append(contentsOf: $0) } }
    let number = number(ofSpelling: bytes)
    known[frame.node] = number
    return number
  }

  private func scalar(_ value: Value) -> [UInt8] {
    switch rule.number(value) {
    case .boolean(let flag): return Array(flag ? "t".utf8 : "f".utf8)
    case .integer(let number): return Array("#\(number)".utf8)
    case .single(let bits): return Array("#f\(bits)".utf8)
    case .real(let bits): return Array("#r\(bits)".utf8)
    case nil: break
    }
    if let text = jsonText?(value) { return Array("s\(text)".utf8) }
    switch value {
    case .string(let text): return text.withCharacterBytes { Array("s".utf8) + $0 }
    case .uid(let number): return Array("u\(number)".utf8)
    case .date(let seconds): return Array("d\(rule.date(seconds))".utf8)
    case .data(let bytes): return Array("b".utf8) + bytes
    default: return Array("n".utf8)
    }
  }
}
