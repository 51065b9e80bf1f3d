// The containers of a graph with their shortest paths, and those of a graph that is compared.

import ArchiveBasics
import ArchiveGraph
import ArchiveWriting

/// The containers of a graph, each once and breadth first, so that the path to each is a shortest one.
///
/// An archive in a data value counts as its root.
package struct PathTree {
  /// A container.
  package struct Entry {
    /// Its node.
    package let node: Node
    /// Its children.
    package let container: GraphContainer
    /// The number of the container on the shortest path, and the position there; nil at the root.
    package let origin: (holder: Int, position: Int)?
    /// How many references lead to it.
    package fileprivate(set) var references = 1
  }

  /// The containers, by their numbers.
  package private(set) var entries: [Entry] = []
  /// The references that are on no shortest path, as numbers of containers.
  private(set) var crossings: [(from: Int, to: Int)] = []
  private var numbers: [Node: Int] = [:]
  private let graph: ObjectGraph

  /// Walks over a graph.
  ///
  /// - Parameters:
  ///   - container: the children of a value; nil for a scalar.
  ///   - positions: the positions of those that are entered, in order.
  package init(
    _ graph: ObjectGraph, container: (Node) -> GraphContainer?,
    positions: (Node, GraphContainer) -> [Int]
  ) {
    self.graph = graph
    add(graph.root, nil, container)
    var next = 0
    while next < entries.count {
      let (node, children) = (entries[next].node, entries[next].container)
      for position in positions(node, children) {
        let child = children.child(position, in: graph)
        if graph.isContainerOrData(child) { add(child, (next, position), container) }
      }
      next += 1
    }
  }

  private mutating func add(
    _ child: Node, _ origin: (holder: Int, position: Int)?, _ container: (Node) -> GraphContainer?
  ) {
    let node = graph.opened(child).0
    if let known = numbers[node] {
      entries[known].references += 1
      if let origin { crossings.append((origin.holder, known)) }
    } else if let children = container(node) {
      numbers[node] = entries.count
      entries.append(Entry(node: node, container: children, origin: origin))
    }
  }

  /// The number of a container, or of the root of the archive in a data value; nil for any other value.
  package func number(of node: Node) -> Int? { numbers[graph.opened(node).0] }

  /// The shortest path of a container.
  package func path(of node: Node) -> GraphPath {
    var steps: [GraphPath.Step] = []
    var number = number(of: node)
    while let (holder, position) = number.flatMap({ entries[$0].origin }) {
      steps.append(entries[holder].container.step(position, in: graph))
      number = holder
    }
    return GraphPath(steps.reversed())
  }

  /// How many containers have their shortest path through each container, itself included.
  func sizes() -> [Int] {
    var sizes = [Int](repeating: 1, count: entries.count)
    for (number, entry) in entries.enumerated().reversed() {
      if let origin = entry.origin { sizes[origin.holder] += sizes[number] }
    }
    return sizes
  }

  /// The numbers of containers in document order: before all whose shortest path leads through them.
  func documentOrder(_ sizes: [Int]) -> [Int] {
    var order = [Int](repeating: 0, count: entries.count)
    // Where the next child of each container begins.
    var next = [Int](repeating: 1, count: entries.count)
    for (number, entry) in entries.enumerated() {
      guard let holder = entry.origin?.holder else { continue }
      order[number] = next[holder]
      next[holder] += sizes[number]
      next[number] = order[number] + 1
    }
    return order
  }
}

final class ComparedGraph {
  let digests: ValueDigests
  let tree: PathTree
  /// For each object that belongs to one of the other graph, the first of those.
  var partners: [Node: Node] = [:]
  /// Digests of what is near an object, by which elements of lists are aligned.
  var near: [Node: ValueDigest] = [:]
  /// How many objects there are of a digest, and the first of them.
  var counts: [ValueDigest: (count: Int, first: Node)] = [:]
  /// The containers in values that are equal where they are.
  private(set) var kept: NodeSet
  /// Digests of the scalars that containers have themselves.
  private var own: [Node: ValueDigest] = [:]
  private var shown: Set<Node> = []
  private lazy var documentOrder = tree.documentOrder(tree.sizes())
  private var graph: ObjectGraph { digests.graph }

  init(_ digests: ValueDigests) {
    self.digests = digests
    kept = NodeSet(in: digests.graph)
    let (graph, rules) = (digests.graph, digests.rules)
    tree = PathTree(graph) {
      ComparedValue($0, in: graph, rules: rules).container
    } positions: {
      node, container in
      (0..<container.childCount).filter { !digests.isLeftOut(container, $0, of: node) }
    }
  }

  /// The containers in the order of their shortest paths.
  var values: some Collection<ComparedValue> { tree.entries.lazy.map { self.opened($0.node) } }

  /// The value of a node, or of the archive in it.
  func opened(_ node: Node) -> ComparedValue {
    ComparedValue(node, in: graph, rules: digests.rules)
  }

  /// How many references lead to an object besides the one on its shortest path.
  func otherReferences(to node: Node) -> Int {
    guard isSharedObject(opened(node)), let number = tree.number(of: node) else { return 0 }
    return tree.entries[number].references - 1
  }

  /// Where a container is in document order.
  func position(of node: Node) -> Int { tree.number(of: node).map { documentOrder[$0] } ?? 0 }

  /// Whether several references lead to an object.
  func isSharedObject(_ value: ComparedValue) -> Bool {
    digests.isShared(value.node) && digests.hasIdentity(value)
  }

  /// Whether an object is shown here, with all its members: once, in the container on its shortest path.
  ///
  /// - Parameter holder: the container; nil if the object is in none that is shown.
  func isShownWhole(_ value: ComparedValue, in holder: Node?) -> Bool {
    guard isSharedObject(value) else { return true }
    if let holder, let origin = tree.number(of: value.node).flatMap({ tree.entries[$0].origin }),
      tree.entries[origin.holder].node != holder
    {
      return false
    }
    return shown.insert(value.node).inserted
  }

  /// The objects to which several references lead and that are not shown yet.
  func hiddenObjects() -> [Node] {
    values.filter { isSharedObject($0) && !shown.contains($0.node) }.map(\.node)
  }

  func ownDigest(of value: ComparedValue) throws(ArchiveError) -> ValueDigest {
    if let known = own[value.node] { return known }
    let digest = try digests.ownDigest(of: value)
    own[value.node] = digest
    return digest
  }

  /// Records that a value is equal where it is, and so are all containers that it leads to.
  func keep(_ node: Node) {
    var waiting = [node]
    while let value = waiting.popLast().map(opened) {
      guard let container = value.container, kept.insert(value.node) else { continue }
      for position in 0..<container.childCount {
        let child = container.child(position, in: graph)
        if graph.isContainerOrData(child) { waiting.append(child) }
      }
    }
  }

  // MARK: Parts that no reference enters or leaves

  /// For each container, whether all references to and from what is in it are in it, but for the one to itself.
  private lazy var isClosed: [Bool] = {
    let (sizes, own) = (tree.sizes(), documentOrder)
    // The ends of those that are on no shortest path, of what is in each container.
    var (lowest, highest) = (own, own)
    func reach(_ number: Int, _ low: Int, _ high: Int) {
      lowest[number] = min(lowest[number], low)
      highest[number] = max(highest[number], high)
    }
    var withoutObjects = NodeSet(in: graph)
    for (from, to) in tree.crossings where holdsObjects(tree.entries[to].node, &withoutObjects) {
      reach(from, own[to], own[to])
      reach(to, own[from], own[from])
    }
    for (number, entry) in tree.entries.enumerated().reversed() {
      if let origin = entry.origin { reach(origin.holder, lowest[number], highest[number]) }
    }
    return own.indices.map { lowest[$0] >= own[$0] && highest[$0] < own[$0] + sizes[$0] }
  }()

  /// Whether a value is a scalar, or a container of which this is true.
  func isClosedPart(_ node: Node) -> Bool { tree.number(of: node).map { isClosed[$0] } ?? true }

  /// Whether a container is an object or leads to one: whether its references matter, and not its value alone.
  private func holdsObjects(_ node: Node, _ withoutObjects: inout NodeSet) -> Bool {
    func isObject(_ node: Node) -> Bool {
      let value = opened(node)
      if digests.hasIdentity(value) || digests.isCyclic(node) { return true }
      let name = graph.classIndex(of: value.node).map { graph.classes[$0].name }
      return name.map { FoundationClass.immutable($0) != $0 } ?? false
    }
    if isObject(node) { return true }
    var found: [Node] = withoutObjects.insert(node) ? [node] : []
    var next = 0
    while next < found.count {
      guard let container = opened(found[next]).container else { continue }
      next += 1
      for position in 0..<container.childCount {
        let child = opened(container.child(position, in: graph))
        guard child.isContainer, withoutObjects.insert(child.node) else { continue }
        found.append(child.node)
        // What leads far is taken for more than a value.
        if isObject(child.node) || found.count > Self.mostValues {
          for node in found { withoutObjects.remove(node) }
          return true
        }
      }
    }
    return false
  }

  private static let mostValues = 1000
}
