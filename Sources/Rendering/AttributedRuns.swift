// The runs of an attributed string, for trees that have a line for each.

import KeyedArchives
import ObjectGraph

/// The runs of an attributed string.
struct AttributedRuns {
  /// A run: its range, its text and its attributes.
  struct Run {
    let location: Int64
    let length: Int64
    let text: Text
    let attributes: Node
  }

  /// The runs, in order.
  let elements: Elements

  /// Finds the runs of an object; nil if it is no attributed string as the class registry shows one.
  init?(of value: Value, in graph: ObjectGraph) {
    guard case .object(_, let pairs) = value, pairs.count == 2,
      Self.name(pairs, 0, graph) == "string", Self.name(pairs, 1, graph) == "runs",
      case .array(let elements) = graph.value(of: graph.value(pairs, 1)), elements.count > 0,
      (0..<elements.count).allSatisfy({ Self.run(graph.node(elements, $0), graph) != nil })
    else { return nil }
    self.elements = elements
  }

  /// A run of the array of runs; nil for another value.
  static func run(_ node: Node, _ graph: ObjectGraph) -> Run? {
    guard case .dictionary(let pairs) = graph.value(of: node), pairs.count == 4,
      name(pairs, 0, graph) == "location", name(pairs, 1, graph) == "length",
      name(pairs, 2, graph) == "text", name(pairs, 3, graph) == "attributes",
      case .integer(let location) = graph.value(of: graph.value(pairs, 0)),
      case .integer(let length) = graph.value(of: graph.value(pairs, 1)),
      case .string(let text) = graph.value(of: graph.value(pairs, 2))
    else { return nil }
    return Run(location: location, length: length, text: text, attributes: graph.value(pairs, 3))
  }

  private static func name(_ pairs: Pairs, _ index: Int, _ graph: ObjectGraph) -> String? {
    graph.memberName(pairs, index)?.string
  }
}
