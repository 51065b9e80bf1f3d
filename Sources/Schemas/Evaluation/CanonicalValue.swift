// Values as bytes that are equal exactly when the values are, as JSON Schema compares them: 1 is 1.0, the order of
// members means nothing (JSON Schema Core 2020-12, section 4.2.2).

import KeyedArchives
import ObjectGraph

/// The canonical spelling of values.
struct CanonicalValue {
  /// How many bytes one spelling may take: shared values multiply.
  private static let mostBytes = 1 << 28

  private struct Frame {
    let elements: Elements?
    let pairs: Pairs?
    let count: Int
    var next = 0
    /// The finished elements, or the members by key.
    var parts: [(key: [UInt8], value: [UInt8])] = []
    let opening: [UInt8]
  }

  private let graph: ObjectGraph
  private var stack: [Frame] = []
  private var visited = 0
  private var byteCount = 0

  /// The spelling of a value.
  ///
  /// - Throws: `ArchiveError` with code `limit` if the value is too large or holds itself.
  static func bytes(of node: Node, in graph: ObjectGraph) throws(ArchiveError) -> [UInt8] {
    var spelling = CanonicalValue(graph: graph)
    return try spelling.run(node)
  }

  private init(graph: ObjectGraph) { self.graph = graph }

  private mutating func run(_ root: Node) throws(ArchiveError) -> [UInt8] {
    var finished = try begin(root)
    while !stack.isEmpty {
      if let bytes = finished { take(bytes) }
      let top = stack.count - 1
      let frame = stack[top]
      guard frame.next < frame.count else {
        finished = finish(stack.removeLast())
        continue
      }
      stack[top].next += 1
      finished = try begin(
        frame.elements.map { graph.node($0, frame.next) }
          ?? frame.pairs.map { graph.value($0, frame.next) } ?? root)
    }
    return finished ?? []
  }

  /// Adds a finished value to the container that it is in.
  private mutating func take(_ bytes: [UInt8]) {
    let top = stack.count - 1
    var key: [UInt8] = []
    if let pairs = stack[top].pairs {
      key = Array((graph.memberName(pairs, stack[top].next - 1)?.string ?? "").utf8)
    }
    stack[top].parts.append((key, bytes))
  }

  private func finish(_ frame: Frame) -> [UInt8] {
    var bytes = frame.opening
    var parts = frame.parts
    if frame.pairs != nil { parts.sort { $0.key.lexicographicallyPrecedes($1.key) } }
    for part in parts {
      if frame.pairs != nil { bytes += Self.string(part.key) }
      bytes += part.value
    }
    return bytes + [UInt8(ascii: "]")]
  }

  /// The spelling of a scalar; a container is opened.
  private mutating func begin(_ node: Node) throws(ArchiveError) -> [UInt8]? {
    visited += 1
    guard visited <= graph.expansionLimit, stack.count <= graph.limits.depth,
      byteCount <= Self.mostBytes
    else { throw ArchiveError(.limit, "the value is too large to be compared") }
    let value = graph.value(of: node)
    switch value {
    case .array(let elements), .set(let elements), .orderedSet(let elements):
      stack.append(
        Frame(elements: elements, pairs: nil, count: elements.count, opening: Array("[".utf8)))
      return nil
    case .dictionary(let pairs):
      stack.append(
        Frame(elements: nil, pairs: pairs, count: pairs.count, opening: Array("{".utf8)))
      return nil
    case .object(let index, let pairs):
      let opening = Array("{".utf8) + Self.string(Array(graph.classes[index].name.utf8))
      stack.append(Frame(elements: nil, pairs: pairs, count: pairs.count, opening: opening))
      return nil
    default:
      let bytes = scalar(node, value)
      byteCount += bytes.count
      return bytes
    }
  }

  private func scalar(_ node: Node, _ value: Value) -> [UInt8] {
    switch value {
    case .boolean(let flag): return [UInt8(ascii: flag ? "t" : "f")]
    case .integer(let number) where !graph.isWide(node):
      // The commonest numbers without the detour of exact ones.
      if number % 10 != 0 { return Array("#\(number)e0".utf8) }
    case .string(let text): return Self.string(Array(text.string.utf8))
    case .uid(let number): return Array("u\(number);".utf8)
    case .null: return [UInt8(ascii: "n")]
    default: break
    }
    if let text = JSONForm.text(of: value) { return Self.string(Array(text.utf8)) }
    guard let number = graph.exactNumber(of: node, value) else { return Array("#nan".utf8) }
    return Array("#\(number.isNegative ? "-" : "")\(number.mantissa)e\(number.exponent)".utf8)
  }

  private static func string(_ utf8: [UInt8]) -> [UInt8] { Array("s\(utf8.count):".utf8) + utf8 }
}
