// Where a move takes a value from, and where to.

import Basics
import KeyedArchives
import ObjectGraph

/// The locations of a move, whose target is what it is after the removal (RFC 6902, 4.4).
struct MoveLocations {
  /// The value.
  let node: Node
  /// Where it is.
  let source: EditLocation
  /// Where it goes, as it is before the removal.
  let target: EditLocation
  /// The path of the value after the move.
  let targetPath: GraphPath
  /// Whether it stays in one archive, and keeps its identity.
  let isInOneDocument: Bool

  /// Finds the locations; nil if the value is there already.
  ///
  /// - Throws: `ArchiveError` if there is no value, or the target is in it.
  init?(
    _ path: ValuePath, _ from: ValuePath, after batch: EditBatch
  ) throws(ArchiveError) {
    let graph = batch.graph
    source = try from.location(in: graph, after: batch)
    guard let node = try EditDraft.node(at: source, after: batch),
      let holder = source.nodes.last
    else {
      if source.steps.isEmpty {
        throw ArchiveError(.mismatch, "the root cannot be moved into itself", path: GraphPath())
      }
      throw EditDraft.missing(source)
    }
    self.node = node
    let plain = try path.location(in: graph, after: batch)
    if plain.steps == source.steps { return nil }
    if plain.steps.starts(with: source.steps) {
      throw ArchiveError(.mismatch, "a value cannot be moved into itself", path: source.path)
    }
    var removed: (Node, Int)?
    if case .index(let index)? = source.steps.last { removed = (holder, index) }
    let target = try path.location(in: graph, removed: removed, after: batch)
    self.target = target
    isInOneDocument = target.nodes.last?.document == holder.document && !target.steps.isEmpty
    targetPath = GraphPath(
      zip(target.nodes, target.steps).map { node, step in
        guard let removed, removed.0 == node, case .index(let index) = step, index > removed.1
        else { return step }
        return .index(index - 1)
      })
  }
}
