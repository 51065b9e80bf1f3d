// The archives in data values, and those that cannot be decoded: found by a walk that decodes all data values.

import ArchiveBasics

/// A walk over everything reachable from a node, each node once, including the archives in data values.
struct ContentSearch: ~Copyable {
  private let graph: ObjectGraph
  private var walk: GraphWalk<GraphContainer>
  private var visited: NodeSet
  private var found = FoundContents()
  private var isTooDeep = false

  private init(_ graph: ObjectGraph) {
    self.graph = graph
    visited = NodeSet(in: graph)
    walk = GraphWalk(in: graph, limit: graph.limits.depth)
  }

  /// Decodes every data value reachable from a node.
  static func find(from root: Node, in graph: ObjectGraph) -> FoundContents {
    var search = ContentSearch(graph)
    search.look(at: root)
    while let event = search.walk.nextHolder() {
      if case .child(let node, _, _) = event { search.look(at: node) }
    }
    return search.found
  }

  private mutating func look(at node: Node) {
    guard graph.isContainerOrData(node) else { return }
    let value = graph.value(of: node)
    if case .data = value {
      if let content = graph.content(of: node) {
        if !visited.contains(node) { found.contents.append((walk.path, content)) }
        enter(.content(content), of: node)
      } else if let error = graph.contentError(of: node), visited.insert(node) {
        let located = error.below(path: walk.path)
        // What the file itself holds at its root is its value.
        if error.isAboutData, !walk.path.steps.isEmpty {
          found.undecoded.append(located)
        } else {
          found.faults.append(located)
        }
      }
    } else if let container = GraphContainer(value) {
      enter(container, of: node)
    }
  }

  private mutating func enter(_ container: GraphContainer, of node: Node) {
    guard container.childCount > 0, visited.insert(node) else { return }
    guard walk.isAtLimit else { return walk.enter(container) }
    if !isTooDeep {
      found.faults.append(.tooDeep(walk.limit, offset: graph.fileOffset(of: node)))
    }
    isTooDeep = true
  }
}

/// What the data values hold that a node leads to.
public struct FoundContents {
  /// The archives and property lists in data values: the paths of the data values, and the roots of their contents.
  package internal(set) var contents: [(path: GraphPath, root: Node)] = []
  /// Why property lists in data values cannot be opened as archives, with their paths.
  package internal(set) var faults: [ArchiveError] = []
  /// Why data values that begin as a property list does are none, with their paths.
  package internal(set) var undecoded: [ArchiveError] = []
}

extension ArchiveError {
  /// Whether data that begin as a property list are none: they are data like others, such as a random hash.
  ///
  /// What can be decoded and is a faulty archive is more than a chance, and so is what exceeds a limit.
  package var isAboutData: Bool {
    guard code != .limit, case .content(let kind)? = path?.steps.first else { return false }
    return kind != ObjectGraph.archiveKind
  }
}

extension ObjectGraph {
  /// Opens every data value that a node leads to, at any depth of nesting.
  package func contents(from root: Node) -> FoundContents {
    ContentSearch.find(from: root, in: self)
  }

  /// Opens every data value that a node leads to, at any depth of nesting.
  ///
  /// - Returns: for each property list that cannot be opened as an archive why, with its path.
  package func contentFaults(from root: Node) -> [ArchiveError] {
    contents(from: root).faults
  }

  /// The name of keyed archives in paths.
  package static let archiveKind = "keyed archive"

  /// The name in a path, `⟨kind⟩`, of the archive whose root a node is.
  package func contentKind(of node: Node) -> String {
    let document = document(of: node)
    // A typedstream is shown as an archive of its objects, but has no keys.
    return document.isKeyedArchive ? Self.archiveKind : document.encoding.name
  }
}
