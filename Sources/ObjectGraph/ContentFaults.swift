// Data values that begin as an archive does and are none: found by a walk that opens all that can be opened.

import Basics

/// A walk over all that a node leads to, each node once, into the archives that data values hold.
struct ContentFaults {
  private enum Children {
    case elements(Elements)
    case members(Pairs)
    case content(Node)
  }

  private struct Frame {
    let children: Children
    let count: Int
    var next = 0
  }

  private let graph: ObjectGraph
  private var visited: Set<Node> = []
  private var stack: [Frame] = []
  private var faults: [ArchiveError] = []
  private var isTooDeep = false

  private init(_ graph: ObjectGraph) { self.graph = graph }

  /// Opens every data value that a node leads to; tells each that cannot be opened although it begins as an archive.
  static func find(from root: Node, in graph: ObjectGraph) -> [ArchiveError] {
    var walk = ContentFaults(graph)
    walk.enter(root)
    while let frame = walk.stack.last {
      guard frame.next < frame.count else {
        walk.stack.removeLast()
        continue
      }
      walk.stack[walk.stack.count - 1].next += 1
      walk.enter(walk.child(of: frame))
    }
    return walk.faults
  }

  private mutating func enter(_ node: Node) {
    switch graph.value(of: node) {
    case .array(let elements), .set(let elements), .orderedSet(let elements):
      push(node, .elements(elements), elements.count)
    case .dictionary(let pairs), .object(_, let pairs): push(node, .members(pairs), pairs.count)
    case .data:
      if let content = graph.content(of: node) {
        push(node, .content(content), 1)
      } else if let error = graph.contentError(of: node), visited.insert(node).inserted {
        faults.append(error.below(path: GraphPath(stack.map(step)).description))
      }
    default: return
    }
  }

  private mutating func push(_ node: Node, _ children: Children, _ count: Int) {
    guard count > 0, visited.insert(node).inserted else { return }
    guard stack.count < graph.limits.depth else {
      if !isTooDeep {
        faults.append(
          ArchiveError(
            .limit, "values lie over \(graph.limits.depth) deep in one another",
            offset: graph.fileOffset(of: node)))
      }
      isTooDeep = true
      return
    }
    stack.append(Frame(children: children, count: count))
  }

  private func child(of frame: Frame) -> Node {
    switch frame.children {
    case .elements(let elements): graph.node(elements, frame.next)
    case .members(let pairs): graph.value(pairs, frame.next)
    case .content(let node): node
    }
  }

  /// The step that a frame is on, its counter being one ahead.
  private func step(of frame: Frame) -> GraphPath.Step {
    switch frame.children {
    case .elements: return .index(frame.next - 1)
    case .members(let pairs):
      let name = graph.memberName(pairs, frame.next - 1)?.string
      return .key(name ?? graph.label(of: graph.key(pairs, frame.next - 1)))
    case .content(let node): return .content(graph.contentKind(of: node))
    }
  }
}

extension ObjectGraph {
  /// Opens every data value that a node leads to, at any depth of nesting.
  ///
  /// - Returns: for each that begins as an archive and cannot be opened why, with its path.
  public func contentFaults(from root: Node) -> [ArchiveError] {
    ContentFaults.find(from: root, in: self)
  }

  /// What a `⟨kind⟩` in a path calls the archive that a node is the root of.
  public func contentKind(of node: Node) -> String {
    let document = document(of: node)
    // A typedstream is shown as an archive of its objects, and is none of keys.
    return document.isKeyedArchive ? "keyed archive" : document.encoding.name
  }
}
