// Containers that are referenced more than once, and those that contain themselves.

import ArchiveBasics

/// The result of a walk over the references of a graph.
///
/// Every dump begins with it.
public struct SharingAnalysis {
  /// Containers that more than one reference leads to.
  package var shared: NodeSet
  /// Containers that hold themselves, directly or through others.
  package private(set) var cyclic: NodeSet
  /// Whether there are any of these.
  package private(set) var hasCycles = false
  /// How far from the root each shared container is by its shortest path, if a walk depth first goes far below that.
  private var distances: [Node: Int]?

  /// Strings and data with more bytes are longer than a reference to them.
  package static let longText = 64
  /// How many levels deep people read a tree.
  package static let readableDepth = 100
  /// How many levels deep other programs read JSON; what `ForwardOrder` accepts is not deeper.
  private static let usualDepth = 512

  /// Finds only the containers that hold themselves; of those that are shared it may know none.
  ///
  /// - Throws: `ArchiveError` with code `limit` if containers are nested too deep.
  package init(cyclesOf root: Node, in graph: ObjectGraph) throws(ArchiveError) {
    if graph.isShallowTree || graph.hasForwardOrder(below: root) {
      self.init(withoutCyclesIn: graph)
    } else {
      try self.init(of: root, in: graph, depth: Self.usualDepth)
    }
  }

  /// The result for a graph in which no container holds itself, or whose cycles are known otherwise.
  package init(withoutCyclesIn graph: ObjectGraph) {
    shared = NodeSet(in: graph)
    cyclic = NodeSet(in: graph)
  }

  /// Walks everything reachable from a node, each container once.
  ///
  /// - Parameters:
  ///   - typed: whether objects of all classes are shown by their fields, and data is not decoded.
  ///   - texts: whether long strings are looked at as well, not containers alone.
  ///   - depth: the depth below which a shared container is better shown where it is nearest to the root.
  /// - Throws: `ArchiveError` with code `limit` if containers are nested too deep.
  package init(
    of root: Node, in graph: ObjectGraph, typed: Bool = false, texts: Bool = false,
    depth: Int = readableDepth
  ) throws(ArchiveError) {
    self.init(withoutCyclesIn: graph)
    var deepest = 0
    var known = NodeSet(in: graph)
    var open = NodeSet(in: graph)
    var nodes = RawStack<Node>()
    var walk = GraphWalk<GraphContainer>(in: graph, limit: typed ? graph.limits.depth : .max)
    var next: Node? = root
    while true {
      if let node = next,
        graph.isContainerOrData(node)
          || texts && (graph.text(of: node)?.byteCount ?? 0) > Self.longText
      {
        if !known.insert(node) {
          meet(node, isOpen: open.contains(node))
        } else if let container = Self.container(node, in: graph, typed) {
          try walk.enter(container, offset: graph.fileOffset(of: node))
          deepest = max(deepest, walk.depth)
          open.insert(node)
          nodes.push(node)
        }
      }
      switch texts ? walk.next() : walk.nextHolder() {
      case .child(let child, _, _)?: next = child
      case .leave?:
        open.remove(nodes.pop())
        next = nil
      case nil:
        if !typed, deepest > min(depth, graph.limits.depth) {
          try measure(from: root, in: graph)
        }
        return
      }
    }
  }

  /// Finds how far from the root each shared container is.
  private mutating func measure(from root: Node, in graph: ObjectGraph) throws(ArchiveError) {
    var walk = StoredWalk(from: root, in: graph)
    var found: [Node: Int] = [:]
    var levels = [0]
    while let number = try walk.next() {
      var level = levels[number] + 1
      // Data and the root of the archive in it are shown as one.
      if case .content? = walk.container { level -= 1 }
      guard level <= graph.limits.depth else {
        throw .tooDeep(graph.limits.depth, offset: graph.fileOffset(of: walk.node(number)))
      }
      for child in walk.children(of: number) {
        levels.append(level)
        let node = walk.node(child)
        if level < levels[number] + 1 || shared.contains(node) { found[node] = level }
      }
    }
    distances = found
  }

  /// Whether each shared container is shown where it is nearest to the root.
  package var isByDistance: Bool { distances != nil }

  /// Whether a container is to be shown nearer to the root than at a depth.
  package func isNearer(_ node: Node, than depth: Int) -> Bool {
    guard let distance = distances?[node] else { return false }
    return distance < depth
  }

  /// Records that a container was reached again.
  private mutating func meet(_ node: Node, isOpen: Bool) {
    shared.insert(node)
    guard isOpen else { return }
    cyclic.insert(node)
    hasCycles = true
  }

  private static func container(
    _ node: Node, in graph: ObjectGraph, _ typed: Bool
  ) -> GraphContainer? {
    let value = typed ? graph.typedValue(of: node) : graph.value(of: node)
    if !typed, case .data = value { return graph.content(of: node).map { .content($0) } }
    return GraphContainer(value, keys: true)
  }
}

extension ObjectGraph {
  /// Whether the reader of the only document saw that each container has one holder, and none is nested too deep.
  ///
  /// False says nothing.
  package var isShallowTree: Bool {
    guard documents.count == 1, documents[0].hasOnlyStoredContainers,
      let depth = documents[0].treeDepth
    else { return false }
    return depth <= limits.depth
  }

  /// Whether the numbers of the objects show that no container below a value holds itself, or is nested too deep.
  ///
  /// False says nothing.
  package func hasForwardOrder(below root: Node) -> Bool {
    guard documents.count == 1, documents[0].hasOnlyStoredContainers,
      documents[0].encoding.isTable, limits.largeInputs.usesForwardOrder
    else { return false }
    return ForwardOrder.holds(below: root, in: self)
  }

  /// The value of a node without loss: the object itself, if a class has more than its plain value.
  package func typedValue(of node: Node) -> Value {
    let value = value(of: node)
    guard isContainerOrData(node), let object = objectFields(of: node) else { return value }
    let description = classes[object.class]
    switch (value, description.name) {
    case (.array, "NSArray"), (.set, "NSSet"), (.orderedSet, "NSOrderedSet"),
      (.dictionary, "NSDictionary"), (.date, "NSDate"):
      return description.isPlain && !hidesStorage(value, object.fields)
        ? value : .object(object.class, object.fields)
    default: return .object(object.class, object.fields)
    }
  }

  /// Whether the elements of a collection, each with its own key, include one that is stored inline: a list of
  /// their nodes does not show that.
  private func hidesStorage(_ value: Value, _ fields: Pairs) -> Bool {
    switch value {
    case .array(let elements), .set(let elements), .orderedSet(let elements):
      guard elements.width == 0 else { return false }
    case .dictionary(let pairs):
      guard pairs.values.width == 0 else { return false }
    default: return false
    }
    return (0..<fields.count).contains { isInline(fields.values, fields.position($0)) }
  }

  /// Whether a node may hold others: a container, or data that may be an archive.
  ///
  /// Reads one byte.
  @inlinable
  public func isContainerOrData(_ node: Node) -> Bool {
    DocumentReader(self, node.document).isContainerOrData(node.index)
  }

  /// Whether a node may be a string or a date, or data with an archive of one.
  @inlinable @inline(__always)
  public func mayBeText(_ node: Node) -> Bool {
    let view = views + Int(node.document)
    let kind = view.pointee.table.marker(of: node.index) >> 4
    if kind >= Marker.date && kind <= Marker.utf8 { return true }
    guard kind == Marker.dictionary, view.pointee.interpreter != nil else { return false }
    // What is resolved is a collection, or an object that is shown by its fields.
    return (view.pointee.resolved?.entry(of: node.index)?.pointee.kind ?? .unknown) == .unknown
  }
}
