// A model as plain property-list values: what PropertyListEncoder writes, and what other envelopes start from.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import KeyedArchives

/// Copies a model value of any graph into a property list, encoded as by Codable.
package struct CodableCopy: ~Copyable {
  /// What happens to members that the shape does not have.
  package enum UnknownMembers: Sendable {
    /// They are copied.
    case keep
    /// They are left out.
    case drop
  }

  /// What becomes of nil.
  package enum Nulls: Sendable {
    /// As PropertyListEncoder writes it: members that are nil are left out, and "$null" represents nil in a list.
    case marked
    /// They are kept in lists, and members that are nil are left out.
    case keptInLists
    /// They are kept in lists, and as members that may be null; other members that are nil are left out.
    case keptWhereAllowed
    /// They are kept.
    case kept
  }

  enum Children {
    case elements(Elements)
    case members(Pairs)
    /// UUID and other keys that are not strings: alternating keys and values.
    case flat(Pairs)
  }

  /// Not a `GraphWalk`: a level also knows where what it makes belongs.
  struct Frame {
    let node: Node
    let children: Children
    let schemaIndex: Int
    let count: Int
    var next = 0
  }

  /// How far a copy has progressed.
  struct Walk: ~Copyable {
    var stack = RawStack<Frame>()
    /// The containers that are being copied.
    var open: NodeSet
    let limit: Int
    var visited = 0
  }

  private let graph: ObjectGraph
  private let shape: any TypeHints
  /// Whether containers are copied on the fast path: JSON has forms of its own for dates and data.
  private let isFast: Bool
  private var values: CodableValues
  private var fast: FastCopy
  private var walk: Walk

  private init(
    _ graph: ObjectGraph, _ document: UInt32, _ shape: any TypeHints, isFast: Bool,
    _ values: consuming CodableValues
  ) {
    self.graph = graph
    self.shape = shape
    self.isFast = isFast
    self.values = values
    fast = FastCopy(graph, document, shape)
    walk = Walk(open: NodeSet(in: graph), limit: graph.expansionLimit)
  }

  /// Copies a model value.
  ///
  /// - Parameters:
  ///   - root: the model value.
  ///   - shape: the types of its numbers, and its members.
  ///   - unknown: what happens to members that the shape does not have.
  ///   - nulls: what becomes of nil.
  ///   - json: the JSON notation of dates and data, for a value that is written as JSON.
  ///   - usesFastPath: whether containers are copied on the fast path; the copy is the same.
  /// - Returns: a property list of the value; shared references have become copies.
  /// - Throws: `ArchiveError` with code `cycle` and the path of a value that contains itself, `unrepresentable`
  ///   for one without a Codable form or that would be read as nil, `limit` if copies of shared values become too many.
  package static func copy(
    _ root: Node, of graph: ObjectGraph, shape: any TypeHints, unknown: UnknownMembers = .keep,
    nulls: Nulls = .marked, json: JSONCoding? = nil, usesFastPath: Bool = true
  ) throws(ArchiveError) -> Document {
    let capacity = graph.document(of: root).table.byteCount / 2
    var copy = CodableCopy(
      graph, root.document, shape, isFast: usesFastPath && json == nil,
      CodableValues(graph, shape, unknown, nulls, json, capacity: capacity))
    do throws(ArchiveError) {
      let top = try copy.run(root)
      return copy.values.builder.finish(top: top)
    } catch {
      throw error.at(path: copy.path)
    }
  }

  private mutating func run(_ root: Node) throws(ArchiveError) -> UInt32 {
    if let value = try copy(root, shape.root) { return value }
    if let value = try copyOpen() { return value }
    throw graph.unrepresentable("the model has no value", root)
  }

  /// Copies the values of the containers that are open; nil without any.
  private mutating func copyOpen() throws(ArchiveError) -> UInt32? {
    while !walk.stack.isEmpty {
      let level = walk.stack.count
      try copyChildren(of: walk.stack.top.pointee)
      guard walk.stack.count == level else { continue }
      let value = close(walk.stack.top.pointee)
      if walk.stack.isEmpty { return value }
      values.builder.append(value)
    }
    return nil
  }

  /// Copies the children of the innermost container from its next one on, until one is a container itself.
  private mutating func copyChildren(of frame: Frame) throws(ArchiveError) {
    var schemaIndex = 0
    if case .elements = frame.children { schemaIndex = shape.element(frame.schemaIndex) }
    while let index = nextChild(of: frame) {
      let node: Node
      switch frame.children {
      case .elements(let elements): node = graph.node(elements, index)
      case .flat(let pairs):
        node = index % 2 == 0 ? graph.key(pairs, index / 2) : graph.value(pairs, index / 2)
      case .members(let pairs):
        node = graph.value(pairs, index)
        if values.nulls != .kept, graph.isNull(node), leavesOut(node, pairs, index, frame) {
          continue
        }
        guard
          let key = try values.copy(
            ofKey: graph.key(pairs, index), isField: pairs.isFields, frame.schemaIndex)
        else { continue }
        values.builder.append(key.index)
        schemaIndex = key.member
      }
      guard let copied = try copy(node, schemaIndex) else { return }
      values.builder.append(copied)
    }
  }

  /// Goes on to the next child of the innermost container, of which errors tell; nil after the last.
  @inline(__always)
  private func nextChild(of frame: Frame) -> Int? {
    let index = walk.stack.top.pointee.next
    guard index < frame.count else { return nil }
    walk.stack.top.pointee.next = index &+ 1
    return index
  }

  /// Copies a value; a scalar that was copied at a place with the same tag before has its copy already.
  @inline(__always)
  private mutating func copy(_ node: Node, _ schemaIndex: Int) throws(ArchiveError) -> UInt32? {
    let tag = values.tag(of: schemaIndex)
    if let known = values.scalars.find(node, tag) {
      walk.visited &+= 1
      if walk.visited <= walk.limit { return known }
      walk.visited &-= 1
    }
    let isScalar = !graph.isContainerOrData(node)
    if isFast, !isScalar, fast.begin(node, schemaIndex, &values, &walk) {
      return try fast.finish(node.document, &values, &walk)
    }
    let copied = try begin(node, schemaIndex)
    if let copied, isScalar { values.scalars.set(node, tag, copied) }
    return copied
  }

  /// An optional member that is nil has no key at all; a value that is nil in a dictionary has the mark.
  ///
  /// Members are the fields of objects and those that the shape names; other keys are those of a dictionary, as far as known.
  /// A decoder reads either as nil, but only the mark keeps a dictionary's key.
  private func leavesOut(
    _ node: Node, _ pairs: Pairs, _ index: Int, _ frame: Frame
  ) -> Bool {
    if values.nulls == .keptInLists { return true }
    if values.nulls == .keptWhereAllowed {
      return graph.memberName(pairs, index).map {
        !shape.allowsNull($0.string, in: frame.schemaIndex)
      } ?? true
    }
    // The mark that it was read with is as the application wrote it.
    if graph.document(of: node).archive == nil, graph.isNullMark(node) { return false }
    return pairs.isFields
      || graph.memberName(pairs, index).map {
        shape.names($0.string, in: frame.schemaIndex)
      } ?? false
  }

  // MARK: Values

  /// Copies a scalar, or begins a container and gives nil.
  private mutating func begin(
    _ node: Node, _ schemaIndex: Int
  ) throws(ArchiveError) -> UInt32? {
    walk.visited &+= 1
    if walk.visited > walk.limit {
      throw graph.unrepresentable(
        "copies of shared values would be over \(walk.visited)", node, .limit)
    }
    let value = graph.value(of: node)
    if case .string(let text) = value {
      // A string that represents an object of another class, such as a URL; else the plain string.
      if graph.isContainerOrData(node), let form = try values.ownForm(of: node, schemaIndex) {
        return try values.add(form)
      }
      if values.nulls == .marked, text.equals("$null") {
        throw graph.unrepresentable(
          "the text \"$null\" would be read as nil in a property list", node)
      }
    }
    if let copied = try values.add(value, node, schemaIndex) { return copied }
    return try enter(value, node, schemaIndex)
  }

  private mutating func enter(
    _ value: Value, _ node: Node, _ schemaIndex: Int
  ) throws(ArchiveError) -> UInt32? {
    if case .object(let index, _) = value {
      if let form = values.form(of: node, schemaIndex) { return try values.add(form) }
      // An application's object is its fields; a framework's is more than the keys it happens to archive.
      let description = graph.classes[index]
      if ClassRegistry.isFoundation(description.name) {
        throw graph.unrepresentable(
          "\(description.displayName) has no Codable form that is known", node)
      }
    }
    guard walk.open.insert(node) else {
      throw graph.unrepresentable(
        "the value contains itself, which Codable cannot express", node, .cycle)
    }
    guard walk.stack.count < graph.limits.depth else {
      throw graph.unrepresentable(
        "values are nested more than \(graph.limits.depth) levels deep", node, .limit)
    }
    let (children, count): (Children, Int)
    switch value {
    // The elements of a set stay in their stored order.
    case .array(let elements), .orderedSet(let elements), .set(let elements):
      (children, count) = (.elements(elements), elements.count)
    case .object(_, let pairs): (children, count) = (.members(pairs), pairs.count)
    case .dictionary(let pairs):
      switch DictionaryKeys(of: pairs, in: graph) {
      case .names: (children, count) = (.members(pairs), pairs.count)
      case .inTurn: (children, count) = (.flat(pairs), pairs.count * 2)
      case .mixed:
        throw graph.unrepresentable("Codable has no dictionary with keys of several types", node)
      }
    default: return nil
    }
    values.builder.open()
    walk.stack.push(Frame(node: node, children: children, schemaIndex: schemaIndex, count: count))
    return nil
  }

  private mutating func close(_ frame: Frame) -> UInt32 {
    walk.stack.pop()
    walk.open.remove(frame.node)
    switch frame.children {
    case .members: return values.builder.closeDictionary()
    case .flat, .elements: return values.builder.close()
    }
  }

  private var path: GraphPath {
    var path = GraphPath()
    // A container of which nothing was copied yet may be empty.
    for level in 0..<walk.stack.count {
      let frame = walk.stack[level].pointee
      guard frame.next > 0 else { continue }
      let index = frame.next - 1
      switch frame.children {
      case .elements, .flat: path = path.appending(.index(index))
      case .members(let pairs):
        path = path.appending(.key(graph.keyText(of: graph.key(pairs, index))?.string ?? "?"))
      }
    }
    return path
  }
}
