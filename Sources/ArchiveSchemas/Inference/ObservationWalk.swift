// One walk over a model that records what occurs at each location.

import ArchiveBasics
import ArchiveGraph
import ArchiveWriting
import KeyedArchives

/// Walks a model once, and each container once per location.
struct ObservationWalk {
  /// This does not use `GraphWalk`: a level also stores the observations at its location.
  private struct Frame {
    let node: Node
    let children: GraphContainer
    let location: Int
    let isObject: Bool
    /// The number of the dictionary; 0 for arrays.
    let dictionary: Int
    var next = 0
    /// The number of the previous member; -1 at the beginning.
    var previous = -1
  }

  private struct Visit: Hashable {
    let node: Node
    let location: Int
  }

  private(set) var tree: ObservationTree
  private let graph: ObjectGraph
  private let options: SchemaInference.Options
  private var stack: [Frame] = []
  private var open: NodeSet
  /// The containers that were visited, each with the location where it was found.
  private var visited: Set<Visit> = []
  private var steps = 0
  /// The archives of an application's objects, whose decoder requires classes and storage.
  private var objectArchives: Set<UInt32> = []
  /// The archives of dictionaries, whose other values have classes as well.
  private var dictionaryArchives: Set<UInt32> = []
  private var limit: Int

  init(_ graph: ObjectGraph, _ tree: ObservationTree, _ options: SchemaInference.Options) {
    self.graph = graph
    self.tree = tree
    self.options = options
    open = NodeSet(in: graph)
    limit = graph.expansionLimit
    note(graph.unwrapModel()?.envelope, of: 0)
  }

  private mutating func note(_ envelope: Envelope?, of document: UInt32) {
    if envelope == .nscoding { objectArchives.insert(document) }
    if envelope == .dictionariable { dictionaryArchives.insert(document) }
  }

  /// Records a model and everything that it contains.
  ///
  /// - Throws: `ArchiveError` with code `cycle` for a plain value that contains itself, `limit` for a model that is too
  ///   deep or has too many different locations.
  mutating func run(_ root: Node) throws(ArchiveError) {
    if case .array(let elements) = graph.value(of: root), isList(elements) {
      var sizes = tree.lists ?? ObservedRange<Int>()
      sizes.add(elements.count)
      tree.lists = sizes
      guard elements.count > 0 else { return }
      push(root, .elements(elements), ObservationTree.listed)
    } else {
      try observe(root, ObservationTree.root)
    }
    while let frame = stack.last {
      guard frame.next < frame.children.childCount else {
        stack.removeLast()
        open.remove(frame.node)
        continue
      }
      steps += 1
      // Archives in data values have extended what must be walked.
      if steps > limit { limit = graph.expansionLimit }
      guard steps <= limit, tree.locations.count <= ObservationTree.locationLimit else {
        throw problem(.limit, "the model has too many values to infer a schema", nil)
      }
      stack[stack.count - 1].next = frame.next + 1
      try step(frame)
    }
  }

  /// Whether a root array is a list of models: only dictionaries and objects.
  private func isList(_ elements: Elements) -> Bool {
    (0..<elements.count).allSatisfy { position in
      switch graph.value(of: graph.node(elements, position)) {
      case .dictionary, .object: true
      default: false
      }
    }
  }

  private mutating func step(_ frame: Frame) throws(ArchiveError) {
    guard case .members(let pairs) = frame.children else {
      let isRootList = stack.count == 1 && frame.location == ObservationTree.listed
      let location = isRootList ? frame.location : tree.elements(of: frame.location)
      return try observe(frame.children.child(frame.next, in: graph), location)
    }
    let value = graph.value(pairs, frame.next)
    let slot = pairs.isObject ? graph.slot(pairs.values, pairs.position(frame.next)) : nil
    guard keyClass(of: graph.key(pairs, frame.next)) == .string,
      let name = graph.memberName(pairs, frame.next)?.string,
      let number = tree.member(name, of: frame.location, mayBecomeMap: !frame.isObject)
    else { return try observe(value, tree.rest(of: frame.location)) }
    note(number, in: frame)
    try observe(value, tree[frame.location].members[number].location, slot)
  }

  /// The class of a dictionary's key; nil for a class of no schema.
  private func keyClass(of key: Node) -> KeyClass? {
    if graph.text(of: key) != nil { return .string }
    return graph.classDescription(graph.value(of: key), key).flatMap {
      KeyClass(className: $0.name)
    }
  }

  /// Counts a member once per dictionary, and records the member before it.
  private mutating func note(_ number: Int, in frame: Frame) {
    guard tree[frame.location].members[number].last != frame.dictionary else { return }
    tree[frame.location].members[number].last = frame.dictionary
    tree[frame.location].members[number].count += 1
    if frame.previous >= 0 { tree[frame.location].order.add(frame.previous, before: number) }
    stack[stack.count - 1].previous = number
  }

  // MARK: Values

  private mutating func observe(
    _ node: Node, _ location: Int, _ slot: Slot? = nil
  ) throws(ArchiveError) {
    if objectArchives.contains(node.document) {
      observeStructure(node, location, slot)
    } else if dictionaryArchives.contains(node.document) {
      observeClass(node, location)
    }
    switch graph.value(of: node) {
    case .null: tree[location].kinds.insert(.null)
    case .boolean: tree[location].kinds.insert(.boolean)
    case .integer(let number): add(Int128(number), location)
    case .unsigned(let number): add(Int128(number), location)
    case .wide(let number): add(number.number, location)
    case .real(let number): add(number, location)
    case .single(let number): add(Double(number), location)
    case .date: tree[location].kinds.insert(.date)
    case .data:
      tree[location].kinds.insert(.data)
      try observeArchive(in: node, location)
    case .uid: tree[location].kinds.insert(.uid)
    case .string(let text): add(text, location)
    case .array(let elements), .set(let elements), .orderedSet(let elements):
      tree[location].kinds.insert(.array)
      tree[location].counts.add(elements.count)
      try enter(node, .elements(elements), location)
    case .dictionary(let pairs):
      tree[location].kinds.insert(.dictionary)
      if graph.document(of: node).isKeyedArchive, !pairs.isFields {
        let classes = Set((0..<pairs.count).map { keyClass(of: graph.key(pairs, $0)) })
        for keyClass in classes { tree[location].structure.add(keyOf: keyClass) }
      }
      try enter(node, .members(pairs), location)
    case .object(let index, let pairs):
      let name = Self.shortName(ClassName(stored: graph.classes[index].name))
      tree[location].classNames.insert(name)
      if let kind = FoundationKind(writerOf: node, in: graph) { tree.foundations.insert(kind) }
      try enter(node, .members(pairs), tree.location(ofClass: name), isObject: true)
    }
  }

  private mutating func observeArchive(in node: Node, _ location: Int) throws(ArchiveError) {
    let model = graph.content(of: node).flatMap { graph.unwrapModel(content: $0) }
    guard tree[location].archives.add(model), let model else { return }
    note(model.envelope, of: model.root.document)
    try requireDepth(tree[location].depth < ObservationTree.depthLimit, node)
    try observe(model.root, tree.archived(of: location))
  }

  /// Records what an archive of objects stores in addition to a value.
  private mutating func observeStructure(_ node: Node, _ location: Int, _ slot: Slot?) {
    let description = graph.classIndex(of: node).map { graph.classes[$0] }
    switch graph.value(of: node) {
    case .null: return
    case .boolean, .integer, .unsigned, .wide, .real, .single, .data:
      if let slot {
        tree[location].structure.add(
          graph.objectNumber(in: slot) == nil ? FieldStorage.inline : .boxed)
      }
      if description != nil { tree[location].structure.add(description) }
    case .object(let index, _):
      let name = Self.shortName(ClassName(stored: graph.classes[index].name))
      let fields = tree.location(ofClass: name)
      tree[fields].structure.add(graph.classes[index])
    default: tree[location].structure.add(description)
    }
  }

  /// Records the class of a value in an archive of dictionaries.
  private mutating func observeClass(_ node: Node, _ location: Int) {
    switch graph.value(of: node) {
    case .null, .dictionary, .object: return
    default:
      tree[location].structure.add(graph.classIndex(of: node).map { graph.classes[$0] })
    }
  }

  /// A class's own name, without its module and its enclosing types.
  static func shortName(_ name: ClassName) -> String { name.plainComponents.last ?? name.stored }

  private mutating func add(_ number: Int128, _ location: Int) {
    tree[location].kinds.insert(.storedInteger)
    tree[location].numbers.add(number)
  }

  private mutating func add(_ number: Double, _ location: Int) {
    tree[location].kinds.formUnion(.real)
    tree[location].numbers.add(number)
  }

  private mutating func add(_ text: Text, _ location: Int) {
    tree[location].kinds.insert(.text)
    tree[location].strings.count += 1
    if options.hasRanges {
      let string = text.string
      tree[location].strings.lengths.add(string.unicodeScalars.count)
      tree[location].strings.add(string, options)
    } else if !tree[location].strings.isExhausted {
      tree[location].strings.add(text.string, options)
    }
  }

  // MARK: Containers

  private mutating func enter(
    _ node: Node, _ children: GraphContainer, _ location: Int, isObject: Bool = false
  ) throws(ArchiveError) {
    if open.contains(node), isPlainCycle(to: node) {
      throw problem(.cycle, "a plain value contains itself, which no schema can describe", node)
    }
    guard visited.insert(Visit(node: node, location: location)).inserted else { return }
    try requireDepth(isObject || tree[location].depth < ObservationTree.depthLimit, node)
    try requireDepth(stack.count < graph.limits.depth, of: graph.limits.depth, node)
    push(node, children, location, isObject: isObject)
  }

  private func requireDepth(
    _ isWithin: Bool, of limit: Int = ObservationTree.depthLimit, _ node: Node
  ) throws(ArchiveError) {
    if isWithin { return }
    throw problem(.limit, "values are nested more than \(limit) levels deep", node)
  }

  private mutating func push(
    _ node: Node, _ children: GraphContainer, _ location: Int, isObject: Bool = false
  ) {
    var number = 0
    if case .members = children {
      tree[location].dictionaries += 1
      tree.lastDictionary += 1
      number = tree.lastDictionary
    }
    open.insert(node)
    stack.append(
      Frame(
        node: node, children: children, location: location, isObject: isObject, dictionary: number))
  }

  /// Whether an open container leads back to itself without an object; an object's class ends the nesting of locations.
  private func isPlainCycle(to node: Node) -> Bool {
    for frame in stack.reversed() {
      if frame.isObject { return false }
      if frame.node == node { return true }
    }
    return false
  }

  private func problem(
    _ code: ArchiveError.Code, _ message: String, _ node: Node?
  ) -> ArchiveError {
    var path = GraphPath()
    // A container with no visited elements may be empty.
    for frame in stack where frame.next > 0 {
      if case .members(let pairs) = frame.children {
        path = path.appending(.key(graph.memberName(pairs, frame.next - 1)?.string ?? "?"))
      } else {
        path = path.appending(.index(frame.next - 1))
      }
    }
    return ArchiveError(
      code, message, offset: node.flatMap { graph.fileOffset(of: $0) }, path: path)
  }
}
