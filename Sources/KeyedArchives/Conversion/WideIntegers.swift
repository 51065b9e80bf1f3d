// Integers of over 64 bits, which a migration or a conversion would round or cut off.

import Basics
import ObjectGraph

/// Finds integers that no envelope writes.
public enum WideIntegers {
  /// Throws at the first integer of a model that takes over 64 bits.
  ///
  /// - Throws: `ArchiveError` with code `unrepresentable` and its path.
  public static func refuse(in root: Node, of graph: ObjectGraph) throws(ArchiveError) {
    guard graph.documents.contains(where: { $0.mayHaveWideIntegers && has($0.table) }) else {
      return
    }
    var known = NodeSet(in: graph)
    var walk = GraphWalk<GraphContainer>(in: graph)
    try look(at: root, &known, &walk)
    while let event = walk.next() {
      if case .child(let node, _, _) = event { try look(at: node, &known, &walk) }
    }
  }

  private static func look(
    at node: Node, _ known: inout NodeSet, _ walk: inout GraphWalk<GraphContainer>
  ) throws(ArchiveError) {
    let graph = walk.context
    guard !isWide(node, graph) else {
      throw ArchiveError(
        .unrepresentable, "the integer has more than 64 bits and would change",
        offset: graph.fileOffset(of: node), path: walk.path)
    }
    // Only containers are recorded: they may occur again.
    if let container = GraphContainer(graph.value(of: node)), known.insert(node) {
      walk.enter(container)
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
}
