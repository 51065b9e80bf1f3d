// The values of an archive as an ordinary property list, for readers that know nothing of archives.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists

/// Copies what an unarchiver would give: Foundation's values as themselves, other objects as dictionaries.
///
/// An object is a dictionary of its fields with its class under `$class`; a field that is nil is left out. Sets are
/// arrays in stored order. What several objects share is one value of the copy.
package struct PlainCopy: ~Copyable {
  /// A copied graph.
  package struct Result: ~Copyable {
    package let document: Document
    /// How many fields of objects are nil and were left out.
    let nilFields: Int
    /// How many keys are numbers and became their digits.
    let numberKeys: Int
  }

  private let graph: ObjectGraph
  private var builder = GraphBuilder()
  private var walk: GraphWalk<GraphContainer>
  /// The nodes of the open containers, outermost first.
  private var holders: [Node] = []
  private var open: NodeSet
  private var copies: [Node: UInt32] = [:]
  private var nilFields = 0
  private var numberKeys = 0

  private init(_ graph: ObjectGraph) {
    self.graph = graph
    walk = GraphWalk(in: graph, limit: graph.limits.depth)
    open = NodeSet(in: graph)
  }

  /// Copies the root of a graph, or that of the archive in it.
  ///
  /// - Throws: `ArchiveError` with code `unrepresentable` at a cycle or a key that is not a string, or `limit`.
  static func copy(of graph: ObjectGraph) throws(ArchiveError) -> Result {
    var root = graph.root
    while let content = graph.content(of: root) { root = content }
    var copy = PlainCopy(graph)
    let top = try copy.run(root)
    return Result(
      document: copy.builder.finish(top: top), nilFields: copy.nilFields,
      numberKeys: copy.numberKeys)
  }

  private mutating func run(_ root: Node) throws(ArchiveError) -> UInt32 {
    if let scalar = try add(root) { return scalar }
    while let event = walk.next() {
      switch event {
      case .child(let child, let position, let container):
        try add(child, at: position, of: container)
      case .leave(let container):
        let index = close(container)
        guard walk.depth > 0 else { return index }
        builder.append(index)
      }
    }
    return builder.addNull()
  }

  // MARK: Containers

  /// Adds a scalar, which it returns, or enters a container.
  private mutating func add(_ node: Node) throws(ArchiveError) -> UInt32? {
    let value = graph.value(of: node)
    guard let container = GraphContainer(value) else { return builder.add(scalar: value) }
    if let copy = copies[node] { return copy }
    guard open.insert(node) else {
      throw ArchiveError(
        .unrepresentable, "an object that contains itself is no property list", path: walk.path)
    }
    try walk.enter(container, offset: nil)
    holders.append(node)
    builder.open()
    if case .object(let index, _) = value {
      builder.append(builder.add("$class"))
      builder.append(builder.add(graph.classes[index].displayName))
    }
    return nil
  }

  private mutating func add(
    _ child: Node, at position: Int, of container: GraphContainer
  ) throws(ArchiveError) {
    if case .members(let pairs) = container {
      if pairs.isObject, case .null = graph.value(of: child) {
        nilFields += 1
        return
      }
      guard let name = graph.memberName(pairs, position) else {
        builder.append(builder.add(try digits(pairs, position)))
        return try append(child)
      }
      if pairs.isObject, name.equals("$class") {
        throw ArchiveError(
          .unrepresentable, "the object has a field '$class' of its own", path: walk.path)
      }
      builder.append(builder.add(name))
    }
    try append(child)
  }

  private mutating func append(_ child: Node) throws(ArchiveError) {
    if let scalar = try add(child) { builder.append(scalar) }
  }

  /// The digits of a key that is a number.
  private mutating func digits(_ pairs: Pairs, _ position: Int) throws(ArchiveError) -> String {
    let digits: String
    switch graph.value(of: graph.key(pairs, position)) {
    case .integer(let number): digits = "\(number)"
    case .unsigned(let number): digits = "\(number)"
    case .wide(let number): digits = "\(number)"
    default:
      throw ArchiveError(.unrepresentable, "the key is not a string or integer", path: walk.path)
    }
    for other in 0..<pairs.count {
      if let name = graph.memberName(pairs, other), name.sameCharacters(as: digits) {
        throw ArchiveError(
          .unrepresentable, "the key \(digits) is there as a string, too", path: walk.path)
      }
    }
    numberKeys += 1
    return digits
  }

  private mutating func close(_ container: GraphContainer) -> UInt32 {
    let index: UInt32
    if case .members = container {
      index = builder.closeDictionary()
    } else {
      index = builder.close()
    }
    if let node = holders.popLast() {
      open.remove(node)
      copies[node] = index
    }
    return index
  }
}
