// Integers of over 64 bits, which a migration or a conversion would round or cut off.

import Basics
import ObjectGraph

/// Finds integers that no envelope writes.
public enum WideIntegers {
  private enum Way {
    case elements(Elements)
    case members(Pairs)
  }

  private struct Frame {
    let way: Way
    var next = 0
  }

  /// Throws at the first integer of a model that takes over 64 bits.
  ///
  /// - Throws: `ArchiveError` with code `unrepresentable` and its path.
  public static func refuse(in root: Node, of graph: ObjectGraph) throws(ArchiveError) {
    guard graph.documents.contains(where: { has($0.table) }) else { return }
    var known = NodeSet(in: graph)
    var stack: [Frame] = []
    var node = root
    while true {
      if isWide(node, graph) { throw problem(node, stack, graph) }
      // A frame of its own only for what may be met again.
      if let way = way(into: node, graph), known.insert(node) { stack.append(Frame(way: way)) }
      guard let next = step(&stack, graph) else { return }
      node = next
    }
  }

  /// The value to look at next; nil at the end.
  private static func step(_ stack: inout [Frame], _ graph: ObjectGraph) -> Node? {
    while let frame = stack.last {
      let index = frame.next
      stack[stack.count - 1].next += 1
      switch frame.way {
      case .elements(let elements) where index < elements.count:
        return graph.node(elements, index)
      case .members(let pairs) where index < pairs.count: return graph.value(pairs, index)
      default: stack.removeLast()
      }
    }
    return nil
  }

  private static func way(into node: Node, _ graph: ObjectGraph) -> Way? {
    switch graph.value(of: node) {
    case .array(let elements), .set(let elements), .orderedSet(let elements): .elements(elements)
    case .dictionary(let pairs), .object(_, let pairs): .members(pairs)
    default: nil
    }
  }

  private static func has(_ table: ValueTable) -> Bool {
    (0..<table.count).contains { isWide(UInt32(truncatingIfNeeded: $0), table) }
  }

  private static func isWide(_ node: Node, _ graph: ObjectGraph) -> Bool {
    isWide(node.index, graph.document(of: node).table)
  }

  private static func isWide(_ index: UInt32, _ table: ValueTable) -> Bool {
    guard let wide = table.wideInteger(at: index) else { return false }
    return Int64(exactly: wide) == nil && UInt64(exactly: wide) == nil
  }

  private static func problem(
    _ node: Node, _ stack: [Frame], _ graph: ObjectGraph
  ) -> ArchiveError {
    var path = GraphPath()
    for frame in stack {
      let index = max(frame.next - 1, 0)
      switch frame.way {
      case .elements: path = path.appending(.index(index))
      case .members(let pairs):
        path = path.appending(.key(graph.memberName(pairs, index)?.string ?? "?"))
      }
    }
    return ArchiveError(
      .unrepresentable, "the integer takes over 64 bits, and would become another number",
      offset: graph.fileOffset(of: node), path: path.description)
  }
}
