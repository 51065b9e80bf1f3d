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
    let value = graph.value(of: node)
    if case .wide = value {
      throw ArchiveError(
        .unrepresentable, "the integer has more than 64 bits and would change",
        offset: graph.fileOffset(of: node), path: walk.path)
    }
    // Only containers are recorded: they may occur again.
    if let container = GraphContainer(value, keys: true), known.insert(node) {
      walk.enter(container)
    }
  }

  private static func has(_ table: ValueTable) -> Bool {
    (0..<UInt32(truncatingIfNeeded: table.count)).contains {
      if table.marker(of: $0) == 0x14, case .wide = table.scalar(at: $0) { true } else { false }
    }
  }
}
