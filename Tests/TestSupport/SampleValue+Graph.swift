// Converts a graph that archtool read to a value of the tests, and the other way.

import ArchiveGraph

extension SampleValue {
  /// A graph whose root is the value; equal keys and scalars are stored once.
  package func makeGraph() -> ObjectGraph {
    let graph = ObjectGraph()
    _ = graph.add(document)
    return graph
  }

  /// The value of a node: that of its class where the graph knows one.
  package init(of node: Node, in graph: ObjectGraph) {
    switch graph.value(of: node) {
    case .null: self = .null
    case .boolean(let flag): self = .boolean(flag)
    case .integer(let number): self = .integer(number)
    case .unsigned(let number): self = .unsigned(number)
    // As Foundation reads it.
    case .wide(let number): self = .unsigned(number.low)
    case .real(let number): self = .real(number)
    case .single(let number): self = .real(Double(number))
    case .date(let seconds): self = .date(seconds)
    case .data(let bytes): self = .data(Array(bytes))
    case .string(let text): self = .string(text.string)
    case .uid(let number): self = .uid(number)
    case .array(let elements), .set(let elements), .orderedSet(let elements):
      self = .array(
        (0..<elements.count).map { SampleValue(of: graph.node(elements, $0), in: graph) })
    case .dictionary(let pairs), .object(_, let pairs):
      self = .dictionary(
        (0..<pairs.count).map {
          let key = graph.text(of: graph.key(pairs, $0))?.string ?? "?"
          return (key, SampleValue(of: graph.value(pairs, $0), in: graph))
        })
    }
  }

  /// The value with its dates rounded to seconds, as formats in text have them.
  package var withWholeSeconds: SampleValue {
    switch self {
    case .date(let seconds): .date(seconds.rounded(.toNearestOrEven))
    case .array(let elements): .array(elements.map(\.withWholeSeconds))
    case .dictionary(let pairs): .dictionary(pairs.map { ($0.0, $0.1.withWholeSeconds) })
    default: self
    }
  }
}
