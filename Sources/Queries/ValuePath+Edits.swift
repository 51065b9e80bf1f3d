// The locations of edits: where a path leads, in a file or after edits that were not written yet.

import Basics
import KeyedArchives
import ObjectGraph

extension ValuePath {
  /// The location of an edit: the value at the path, or what is missing as the last step.
  ///
  /// - Parameters:
  ///   - graph: the graph.
  ///   - removed: an element of a list, by the list and its position, that is to be treated as removed.
  ///   - isAppending: whether the location is the one after the last element of the list at the path.
  ///   - batch: the edits to the graph so far.
  /// - Throws: `ArchiveError` with code `mismatch` at the first step but the last without a target, and at a value that
  ///   an edit of the batch has made.
  package func location(
    in graph: ObjectGraph, removed: (list: Node, position: Int)? = nil, isAppending: Bool = false,
    after batch: EditBatch? = nil
  ) throws(ArchiveError) -> EditLocation {
    var location = EditLocation()
    var node = graph.root
    for (position, step) in steps.enumerated() {
      enter(&node, &location, graph, step)
      var certain = Self.editStep(step, at: node, in: graph, batch)
      if let removed, removed.list == node, case .index(let index) = certain,
        index >= removed.position, step != .either("-")
      {
        certain = .index(index &+ 1)
      }
      location.append(certain, from: node)
      if position < steps.count - 1 || isAppending {
        let holder = node
        do throws(ArchiveError) {
          node = try child(of: holder, at: certain, location, graph, batch)
        } catch {
          guard error.subject == .missingKey else { throw error }
          throw error.noting(hint(steps[position...], at: holder, in: graph))
        }
      }
    }
    guard isAppending else { return location }
    enter(&node, &location, graph, nil)
    guard let container = QueryContainer(node, in: graph), container.isList else {
      let type = graph.value(of: node).typeName
      throw ArchiveError(
        .mismatch, "the value is no list but of type \(type)", path: location.path)
    }
    location.append(.index(batch?.count(of: node) ?? container.count), from: node)
    return location
  }

  /// Enters the archive in a data value, unless the next step says so itself.
  private func enter(
    _ node: inout Node, _ location: inout EditLocation, _ graph: ObjectGraph, _ step: Step?
  ) {
    if case .one(.content)? = step { return }
    while case .data = graph.value(of: node), let content = graph.content(of: node) {
      location.append(.content(graph.contentKind(of: content)), from: node)
      node = content
    }
  }

  private func child(
    of node: Node, at step: GraphPath.Step, _ location: EditLocation, _ graph: ObjectGraph,
    _ batch: EditBatch?
  ) throws(ArchiveError) -> Node {
    if case .content = step, let content = graph.content(of: node) { return content }
    if let container = QueryContainer(node, in: graph) {
      switch batch?.child(step, of: container.node) {
      case .changed?, .missing?: throw EditBatch.touched
      case .stored(let position)?: return container.child(position, in: graph)
      case nil: break
      }
      switch step {
      case .index(let index):
        if container.isList, index < container.count { return container.child(index, in: graph) }
      case .key(let key):
        if let position = container.position(of: key, in: graph) {
          return container.child(position, in: graph)
        }
      case .content, .anyMember, .anyElement: break
      }
    }
    guard case .content = step else { throw EditDraft.missing(location) }
    throw ArchiveError(
      .mismatch, "there is no archive in a data value here", path: location.parentPath)
  }

  /// As `certain`; `-` is the position after the last element of a list (RFC 6901, 4).
  private static func editStep(
    _ step: Step, at node: Node, in graph: ObjectGraph, _ batch: EditBatch?
  ) -> GraphPath.Step {
    if step == .either("-"), let container = QueryContainer(node, in: graph), container.isList {
      return .index(batch?.count(of: container.node) ?? container.count)
    }
    return certain(step, at: node, in: graph)
  }
}
