// Containers that are referenced more than once, and those that contain themselves.

import ArchiveBasics

/// The result of a walk over the references of a graph.
///
/// Every dump begins with it: its stack is its own, since it skips what cannot hold others without leaving the loop.
public struct SharingAnalysis {
  /// Containers that more than one reference leads to.
  package private(set) var shared: NodeSet
  /// Containers that hold themselves, directly or through others.
  package private(set) var cyclic: NodeSet
  /// Whether there are any of these.
  package private(set) var hasCycles = false

  /// Not a `GraphWalk`: every dump begins with this walk, which stays in one level as long as it can.
  private struct Frame {
    let node: Node
    let container: GraphContainer
    let count: Int
    var next = 0
  }

  /// Finds only the containers that hold themselves; of those that are shared it may know none.
  ///
  /// - Throws: `ArchiveError` with code `limit` if containers are nested too deep.
  package init(cyclesOf root: Node, in graph: ObjectGraph) throws(ArchiveError) {
    if graph.isShallowTree || graph.hasForwardOrder(below: root) {
      self.init(withoutCyclesIn: graph)
    } else {
      try self.init(of: root, in: graph)
    }
  }

  /// The result for a graph in which no container holds itself.
  private init(withoutCyclesIn graph: ObjectGraph) {
    shared = NodeSet(in: graph)
    cyclic = NodeSet(in: graph)
  }

  /// Walks everything reachable from a node, each container once.
  ///
  /// - Parameter typed: whether objects of all classes are shown by their fields, and data is not decoded.
  /// - Throws: `ArchiveError` with code `limit` if containers are nested too deep.
  package init(of root: Node, in graph: ObjectGraph, typed: Bool = false) throws(ArchiveError) {
    self.init(withoutCyclesIn: graph)
    var known = NodeSet(in: graph)
    var open = NodeSet(in: graph)
    var stack = RawStack<Frame>()
    let depth = graph.limits.depth
    if let frame = Self.frame(of: root, in: graph, typed) {
      known.insert(root)
      open.insert(root)
      stack.push(frame)
    }
    while let last = stack.last {
      let top = last.pointee
      let level = stack.count
      var next = top.next
      while next < top.count, stack.count == level {
        next = Self.passScalars(top, next, in: graph)
        if next == top.count { break }
        let child = top.container.child(next, in: graph)
        next += 1
        guard graph.isContainerOrData(child) else { continue }
        guard known.insert(child) else {
          meet(child, isOpen: open.contains(child))
          continue
        }
        guard let frame = Self.frame(of: child, in: graph, typed) else { continue }
        guard level < depth else {
          throw .tooDeep(depth, offset: graph.fileOffset(of: child))
        }
        open.insert(child)
        stack.push(frame)
      }
      if stack.count == level {
        open.remove(top.node)
        stack.drop()
      } else {
        stack[level - 1].pointee.next = next
      }
    }
  }

  /// Records that a container was reached again.
  private mutating func meet(_ node: Node, isOpen: Bool) {
    shared.insert(node)
    guard isOpen else { return }
    cyclic.insert(node)
    hasCycles = true
  }

  private static func frame(of node: Node, in graph: ObjectGraph, _ typed: Bool) -> Frame? {
    let value = typed ? graph.typedValue(of: node) : graph.value(of: node)
    var container = GraphContainer(value, keys: true)
    if !typed, case .data = value { container = graph.content(of: node).map { .content($0) } }
    return container.map { Frame(node: node, container: $0, count: $0.childCount) }
  }

  /// The next child that may hold others, or the count; most are scalars.
  @inline(__always)
  private static func passScalars(_ frame: Frame, _ next: Int, in graph: ObjectGraph) -> Int {
    switch frame.container {
    case .elements(let elements):
      return passScalars(elements, next, elements.count, in: graph)
    case .pairs(let pairs):
      // The pair that is the class is between others.
      guard !pairs.isObject else { return next }
      var next = next
      if next < pairs.count { next = passScalars(pairs.keys, next, pairs.count, in: graph) }
      guard next >= pairs.count else { return next }
      return pairs.count
        + passScalars(pairs.values, next - pairs.count, pairs.count, in: graph)
    case .members, .content: return next
    }
  }

  @inline(__always)
  private static func passScalars(
    _ elements: Elements, _ next: Int, _ count: Int, in graph: ObjectGraph
  ) -> Int {
    guard elements.width > 0 else { return next }
    let reader = DocumentReader(graph, elements.document)
    var next = next
    while next < count {
      let kind = reader.pointer(of: reader.index(elements.start, next)).load(as: UInt8.self) >> 4
      if kind >= Marker.array || kind == Marker.data { break }
      next &+= 1
    }
    return next
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
  /// False says nothing. Where several threads may write what was read, a walk has to open all that they share.
  package func hasForwardOrder(below root: Node) -> Bool {
    guard documents.count == 1, documents[0].hasOnlyStoredContainers,
      documents[0].encoding.isTable, !limits.dividesAll
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
    let kind = views[Int(node.document)].table.marker(of: node.index) >> 4
    return kind >= Marker.array || kind == Marker.data
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
