// Paths to one value in common notations: RFC 9535, JSON Pointer, plutil and PlistBuddy.

import ArchiveBasics
import ArchiveEditing
import ArchiveGraph
import ArchivePropertyLists

/// A path to a value, in any of the notations of ``PathStep``.
///
/// A path enters an archive in a data value automatically.
package struct ValuePath: Sendable, CustomStringConvertible {
  /// The path as written.
  package let description: String
  private(set) var steps: [PathStep]

  /// Reads a path.
  ///
  /// - Throws: `ArchiveError` with code `malformed`, whose offset is a position in characters.
  package init(parsing text: String) throws(ArchiveError) {
    description = text
    steps = try PathStep.steps(of: text)
  }

  /// The value at the path.
  ///
  /// - Throws: `ArchiveError` with code `missingValue` at the first step without a target; its path is the part that was
  ///   found.
  package func resolve(
    in graph: ObjectGraph, from start: Node? = nil
  ) throws(ArchiveError) -> (node: Node, path: GraphPath) {
    var node = start ?? graph.root
    var path = GraphPath()
    for (position, step) in steps.enumerated() {
      let certain = Self.certain(step, at: node, in: graph)
      do throws(ArchiveError) {
        node = try graph.node(at: GraphPath([certain]), from: node)
      } catch {
        throw ArchiveError(
          error.code, error.message + hint(steps[position...], at: node, in: graph),
          offset: error.offset, path: path)
      }
      path.steps.append(certain)
    }
    return (node, path)
  }

  /// How many keys are looked at for one that was meant.
  private static let mostKeys = 10_000

  /// What was likely meant by a step to a key that is not there: a key with a separator in it, or one with a similar name.
  ///
  /// - Parameter rest: that step and those after it.
  /// - Returns: the end of a message; empty if nothing is likely.
  func hint(_ rest: ArraySlice<PathStep>, at node: Node, in graph: ObjectGraph) -> String {
    guard let key = rest.first?.key,
      case .members(let pairs)? = GraphContainer(graph.opened(node).value),
      pairs.count <= Self.mostKeys
    else { return "" }
    let names = (0..<pairs.count).compactMap { graph.memberName(pairs, $0)?.string }
    var joined = key
    for next in rest.dropFirst() {
      guard let part = next.key else { break }
      joined += "." + part
      if names.contains(where: { CodePointString($0) == CodePointString(joined) }) {
        return "; the key '\(joined)' is written \(written(joined))"
      }
    }
    return Suggestion.nearest(to: key, among: names).map { "; did you mean '\($0)'?" } ?? ""
  }

  /// A key with dots in it, in the notation of the path.
  private func written(_ key: String) -> String {
    switch description.unicodeScalars.first {
    case "/": "/" + JSONPointer.escaped(key)
    case ":": ":" + key
    case "$": GraphPath([.key(key)]).description
    default: String(key.flatMap { $0 == "." ? ["\\", $0] : [$0] })
    }
  }

  func find(in graph: ObjectGraph, from start: Node) -> Node? {
    try? resolve(in: graph, from: start).node
  }

  /// Interprets a step for the value that it starts from.
  static func certain(_ step: PathStep, at node: Node, in graph: ObjectGraph) -> GraphPath.Step {
    switch step {
    case .one(let step): return step
    case .either(let text):
      guard let container = QueryContainer(node, in: graph), container.isList,
        let index = PathStep.index(text)
      else { return .key(text) }
      return .index(index)
    }
  }

  // MARK: The locations of edits

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
      var certain = Self.certain(step, at: node, in: graph)
      // `-` is the position after the last element of a list (RFC 6901, 4).
      if step == .either("-"), let container = QueryContainer(node, in: graph), container.isList {
        certain = .index(batch?.count(of: container.node) ?? container.count)
      }
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
    _ node: inout Node, _ location: inout EditLocation, _ graph: ObjectGraph, _ step: PathStep?
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
      case .stored(let position)?: return container.storedChild(position, in: graph)
      case nil: break
      }
      if let child = container.child(step, in: graph) { return child }
    }
    guard case .content = step else { throw EditDraft.missing(location) }
    throw ArchiveError(
      .mismatch, "there is no archive in a data value here", path: location.parentPath)
  }
}
