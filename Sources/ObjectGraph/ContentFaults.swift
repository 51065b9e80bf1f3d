// Data values that begin like an archive but cannot be decoded: found by a walk that decodes all data values.

import Basics

/// A walk over everything reachable from a node, each node once, including the archives in data values.
struct ContentFaults: ~Copyable {
  private let graph: ObjectGraph
  private var walk: GraphWalk<GraphContainer>
  private var visited: NodeSet
  private var faults: [ArchiveError] = []
  private var isTooDeep = false

  private init(_ graph: ObjectGraph) {
    self.graph = graph
    visited = NodeSet(in: graph)
    walk = GraphWalk(in: graph, limit: graph.limits.depth)
  }

  /// Decodes every data value reachable from a node; reports each one that begins like an archive but cannot be decoded.
  static func find(from root: Node, in graph: ObjectGraph) -> [ArchiveError] {
    var search = ContentFaults(graph)
    search.look(at: root)
    while let event = search.walk.next() {
      if case .child(let node, _, _) = event { search.look(at: node) }
    }
    return search.faults
  }

  private mutating func look(at node: Node) {
    guard graph.mayHold(node) else { return }
    let value = graph.value(of: node)
    if case .data = value {
      if let content = graph.content(of: node) {
        enter(.content(content), of: node)
      } else if let error = graph.contentError(of: node), visited.insert(node) {
        faults.append(error.below(path: walk.path))
      }
    } else if let container = GraphContainer(value) {
      enter(container, of: node)
    }
  }

  private mutating func enter(_ container: GraphContainer, of node: Node) {
    guard container.childCount > 0, visited.insert(node) else { return }
    guard walk.isAtLimit else { return walk.enter(container) }
    if !isTooDeep {
      faults.append(.tooDeep(walk.limit, offset: graph.fileOffset(of: node)))
    }
    isTooDeep = true
  }
}

extension ObjectGraph {
  /// Opens every data value that a node leads to, at any depth of nesting.
  ///
  /// - Returns: for each that begins as an archive and cannot be opened why, with its path.
  public func contentFaults(from root: Node) -> [ArchiveError] {
    ContentFaults.find(from: root, in: self)
  }

  /// The name in a path, `⟨kind⟩`, of the archive whose root a node is.
  public func contentKind(of node: Node) -> String {
    let document = document(of: node)
    // A typedstream is shown as an archive of its objects, but has no keys.
    return document.isKeyedArchive ? "keyed archive" : document.encoding.name
  }
}
