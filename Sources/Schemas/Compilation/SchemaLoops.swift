// Detects schemas that apply themselves to the same value forever: such a schema is meaningless (Core section 9.4.1).

import Basics
import ObjectGraph

/// Looks for cycles of keywords that apply to the same value.
enum SchemaLoops {
  /// Checks compiled schemas.
  ///
  /// - Throws: `ArchiveError` that names a schema of the cycle.
  static func check(_ nodes: [SchemaNode]) throws(ArchiveError) {
    // 0: not visited; 1: on the current path; 2: done.
    var states = [UInt8](repeating: 0, count: nodes.count)
    for start in nodes.indices where states[start] == 0 {
      var stack = [(place: start, targets: targets(of: nodes[start])[...])]
      states[start] = 1
      while let top = stack.last {
        guard let next = top.targets.first else {
          states[top.place] = 2
          stack.removeLast()
          continue
        }
        stack[stack.count - 1].targets = top.targets.dropFirst()
        if states[next] == 1 {
          throw error(nodes[next].location)
        }
        if states[next] == 0 {
          states[next] = 1
          stack.append((next, targets(of: nodes[next])[...]))
        }
      }
    }
  }

  /// An error about a schema in a cycle.
  ///
  /// - Parameter location: its URI with a fragment.
  static func error(_ location: String) -> ArchiveError {
    let pointer = PercentEncoding.decoded(String(location.drop { $0 != "#" }.dropFirst())) ?? ""
    let uri = String(location.prefix { $0 != "#" })
    return ArchiveError(
      .malformed, "the schema is wrong: it applies itself to the same value without end",
      path: GraphPath(pointer: pointer), file: uri.isEmpty ? nil : uri)
  }

  /// The schemas that apply to the same value; the target of `$dynamicRef` is known only later.
  private static func targets(of node: SchemaNode) -> [Int] {
    node.applicators.flatMap { applicator -> [Int] in
      switch applicator {
      case .reference(let edge), .none(let edge), .dependent(_, let edge): [edge.place]
      // An archive in a data value is another value.
      case .dynamic, .archived: []
      case .any(let edges), .one(let edges): edges.map(\.place)
      case .conditional(let condition, let then, let otherwise):
        [condition.place] + [then, otherwise].compactMap { $0?.place }
      }
    }
  }
}
