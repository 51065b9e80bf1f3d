// Assigns numbers to values so that the numbers are equal exactly when JSON Schema treats the values as equal.
//
// 1 equals 1.0, and the order of members is irrelevant (JSON Schema Core 2020-12, section 4.2.2).

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists

/// The numbers of values; each value is examined once, however often it is compared.
final class CanonicalTable {
  /// This does not use `GraphWalk`, because each level gathers the numbers of its values.
  private struct Frame {
    let node: Node
    let children: GraphContainer
    var next = 0
    /// The kind of container, with the class of an object.
    let opening: [UInt8]
    /// The numbers of the finished elements, or those of keys and values in turn.
    var parts: [UInt32] = []
  }

  private let graph: ObjectGraph
  /// Numbers by canonical form: of scalars, and of containers as the numbers of their parts.
  private var numbers: [[UInt8]: UInt32] = [:]
  /// The numbers of the containers that were already examined.
  private var known: [Node: UInt32] = [:]
  /// The numbers of the values that schemas allow.
  private var allowed: [ObjectIdentifier: Set<UInt32>] = [:]

  init(of graph: ObjectGraph) { self.graph = graph }

  /// The number of a value.
  ///
  /// - Throws: `ArchiveError` with code `limit` if the value is too deep, such as one that contains itself.
  func number(of node: Node) throws(ArchiveError) -> UInt32 {
    var stack: [Frame] = []
    var finished = try begin(node, &stack)
    while let top = stack.indices.last {
      if let number = finished { append(number, to: &stack[top]) }
      let next = stack[top].next
      guard next < stack[top].children.childCount else {
        finished = finish(stack.removeLast())
        continue
      }
      stack[top].next = next + 1
      finished = try begin(stack[top].children.child(next, in: graph), &stack)
    }
    return finished ?? 0
  }

  /// The numbers of the values that a keyword allows.
  ///
  /// - Parameter owner: the keyword's values, which are in a separate graph.
  func numbers(of owner: AllowedValues.Others) throws(ArchiveError) -> Set<UInt32> {
    if let known = allowed[ObjectIdentifier(owner)] { return known }
    let foreign = CanonicalTable(of: owner.graph)
    foreign.numbers = numbers
    var found: Set<UInt32> = []
    for node in owner.nodes { found.insert(try foreign.number(of: node)) }
    numbers = foreign.numbers
    allowed[ObjectIdentifier(owner)] = found
    return found
  }

  // MARK: Canonical forms

  private func number(ofForm bytes: [UInt8]) -> UInt32 {
    if let known = numbers[bytes] { return known }
    let number = UInt32(truncatingIfNeeded: numbers.count)
    numbers[bytes] = number
    return number
  }

  private func begin(_ node: Node, _ stack: inout [Frame]) throws(ArchiveError) -> UInt32? {
    let value = graph.value(of: node)
    guard let children = GraphContainer(value) else { return number(ofForm: Self.form(value)) }
    if let known = known[node] { return known }
    guard stack.count <= graph.limits.depth else {
      throw ArchiveError(.limit, "the value is too deep to be compared, or contains itself")
    }
    var opening = "["
    if case .members = children { opening = "{" }
    if case .object(let index, _) = value {
      let name = graph.classes[index].name
      opening += "\(name.utf8.count):\(name)"
    }
    stack.append(Frame(node: node, children: children, opening: Array(opening.utf8)))
    return nil
  }

  private func append(_ number: UInt32, to frame: inout Frame) {
    if case .members(let pairs) = frame.children {
      frame.parts.append(self.number(ofKey: frame.next - 1, of: pairs))
    }
    frame.parts.append(number)
  }

  /// The number of a name, or of a key that is no text.
  private func number(ofKey position: Int, of pairs: Pairs) -> UInt32 {
    if let name = graph.memberName(pairs, position) {
      return number(ofForm: Array("s\(name.string)".utf8))
    }
    let key = graph.key(pairs, position)
    let value = graph.value(of: key)
    // A container is a key like no other: JSON has none.
    return number(
      ofForm: value.isContainer
        ? Array("K\(key.document):\(key.index)".utf8) : Array("k".utf8) + Self.form(value))
  }

  private func finish(_ frame: Frame) -> UInt32 {
    var parts = frame.parts
    if case .members = frame.children {
      let members = stride(from: 0, to: parts.count, by: 2).map { (parts[$0], parts[$0 + 1]) }
      parts = members.sorted { $0 < $1 }.flatMap { [$0.0, $0.1] }
    }
    var bytes = frame.opening + [0]
    bytes.reserveCapacity(bytes.count + parts.count * 4)
    for part in parts { withUnsafeBytes(of: part) { bytes.append(contentsOf: $0) } }
    let number = number(ofForm: bytes)
    known[frame.node] = number
    return number
  }

  static func form(_ value: Value) -> [UInt8] {
    if let number = ScalarEquality.value.number(value) { return form(number) }
    switch value {
    case .string(let text): return text.withCharacterBytes { Array("s".utf8) + $0 }
    case .uid(let number): return Array("u\(number)".utf8)
    default: return Array((JSONForm.text(of: value).map { "s\($0)" } ?? "n").utf8)
    }
  }

  /// The canonical form of a scalar in a schema; nil for a list or an object.
  static func form(_ tree: JSONTree) -> [UInt8]? {
    switch tree {
    case .null: Array("n".utf8)
    case .boolean(let flag): form(ScalarEquality.Number.boolean(flag))
    case .string(let text): Array("s\(text)".utf8)
    default: tree.number(.value).map(form)
    }
  }

  private static func form(_ number: ScalarEquality.Number) -> [UInt8] {
    switch number {
    case .boolean(let flag): Array(flag ? "t".utf8 : "f".utf8)
    case .integer(let number): Array("#\(number)".utf8)
    case .single(let bits): Array("#f\(bits)".utf8)
    case .real(let bits): Array("#r\(bits)".utf8)
    }
  }
}

// MARK: - Represents values that JSON has no type for as strings, as archtool's JSON output does

enum JSONForm {
  /// The JSON string of a date (ISO 8601) or of data (Base64); nil for any other value.
  static func text(of value: Value) -> String? {
    switch value {
    case .date(let seconds): JSONText.date(seconds)
    case .data(let bytes): SyntheticValue.base64(Array(bytes))
    default: nil
    }
  }
}

// MARK: - The exact numbers of a graph and of a JSON document

extension ExactNumber {
  /// A number of a JSON document.
  package init?(_ tree: JSONTree) {
    switch tree {
    case .integer(let number): self.init(Int128(number))
    case .unsigned(let number): self.init(Int128(number))
    case .wide(let number): self.init(number)
    case .real(let number): self.init(number)
    default: return nil
    }
  }

  /// The number as JSON.
  package var tree: JSONTree {
    guard let integer else { return .real(real) }
    if let small = Int(exactly: integer) { return .integer(small) }
    return UInt64(exactly: integer).map { .unsigned($0) } ?? .wide(integer)
  }

  /// The number of a value; nil if it is not a finite number.
  init?(_ value: Value) {
    switch value {
    case .real(let number): self.init(number)
    case .single(let number): self.init(number)
    default:
      guard case .integer(let number)? = ScalarEquality.value.number(value) else { return nil }
      self.init(number)
    }
  }
}
