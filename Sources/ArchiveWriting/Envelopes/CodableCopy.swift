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

  /// The copy of a key, the place of the member that it names, and the tag of that place.
  typealias KeyCopy = (index: UInt32, member: Int, tag: UInt32)

  let graph: ObjectGraph
  let shape: any TypeHints
  private let unknown: UnknownMembers
  let nulls: Nulls
  /// The JSON notation for types that JSON lacks; nil in a property list.
  let json: JSONCoding?
  /// Whether containers are copied on the fast path; tests compare both ways.
  private(set) var usesFastPath = true
  var builder: GraphBuilder
  var stack = RawStack<Frame>()
  /// The containers that are being copied on the fast path.
  var fastLevels = RawStack<CopiedContainer>()
  var open: NodeSet
  var visited = 0
  let limit: Int
  /// Where in `keyCopies` the keys are, by the place of the dictionary that has them: archives store each key once.
  var keys: NodeMemo
  /// The copies of keys.
  var keyCopies: [KeyCopy] = []
  /// The copies of scalars, by the tag of their place.
  var scalars: NodeMemo
  /// The copies of those that are the same at any place, in a large archive.
  var objects: ObjectMemo

  private init(
    _ graph: ObjectGraph, _ document: UInt32, _ shape: any TypeHints,
    _ unknown: UnknownMembers, _ nulls: Nulls, _ json: JSONCoding?, capacity: Int
  ) {
    self.json = json
    self.graph = graph
    self.shape = shape
    self.unknown = unknown
    self.nulls = nulls
    builder = GraphBuilder(capacity: capacity)
    open = NodeSet(in: graph)
    limit = graph.expansionLimit
    let count = graph.documents.reduce(0) { $0 + $1.table.count }
    keys = NodeMemo(for: min(count / 4, 1024))
    // Of an archive's values more than half are objects and references.
    scalars = NodeMemo(for: count / 2)
    objects = ObjectMemo(for: graph, document)
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
      graph, root.document, shape, unknown, nulls, json, capacity: capacity)
    copy.usesFastPath = usesFastPath
    let top = try copy.run(root)
    return copy.finish(top)
  }

  private consuming func finish(_ top: UInt32) -> Document { builder.finish(top: top) }

  private mutating func run(_ root: Node) throws(ArchiveError) -> UInt32 {
    if let value = try copy(root, shape.root) { return value }
    if let value = try copyOpen() { return value }
    throw problem(.unrepresentable, "the model has no value", root)
  }

  /// Copies the values of the containers that are open; nil without any.
  private mutating func copyOpen() throws(ArchiveError) -> UInt32? {
    while !stack.isEmpty {
      let level = stack.count
      try copyChildren(of: stack.top.pointee)
      guard stack.count == level else { continue }
      let value = close(stack.top.pointee)
      if stack.isEmpty { return value }
      builder.append(value)
    }
    return nil
  }

  /// Copies the children of the innermost container from its next one on, until one is a container itself.
  private mutating func copyChildren(of frame: Frame) throws(ArchiveError) {
    switch frame.children {
    case .elements(let elements):
      let schemaIndex = shape.element(frame.schemaIndex)
      while let index = nextChild(of: frame) {
        guard let copied = try copy(graph.node(elements, index), schemaIndex) else { return }
        builder.append(copied)
      }
    case .flat(let pairs):
      while let index = nextChild(of: frame) {
        let node = index % 2 == 0 ? graph.key(pairs, index / 2) : graph.value(pairs, index / 2)
        guard let copied = try copy(node, 0) else { return }
        builder.append(copied)
      }
    case .members(let pairs):
      while let index = nextChild(of: frame) {
        let node = graph.value(pairs, index)
        if nulls != .kept, graph.isNull(node), leavesOut(node, pairs, index, frame) { continue }
        guard
          let schemaIndex = try copyKey(graph.key(pairs, index), pairs.isFields, frame.schemaIndex)
        else {
          continue
        }
        guard let copied = try copy(node, schemaIndex) else { return }
        builder.append(copied)
      }
    }
  }

  /// Goes on to the next child of the innermost container, of which errors tell; nil after the last.
  @inline(__always)
  private func nextChild(of frame: Frame) -> Int? {
    let index = stack.top.pointee.next
    guard index < frame.count else { return nil }
    stack.top.pointee.next = index &+ 1
    return index
  }

  /// Copies a value; a scalar that was copied at a place with the same tag before has its copy already.
  @inline(__always)
  private mutating func copy(_ node: Node, _ schemaIndex: Int) throws(ArchiveError) -> UInt32? {
    let tag = tag(of: schemaIndex)
    if let known = scalars.find(node, tag) {
      visited &+= 1
      if visited <= limit { return known }
      visited &-= 1
    }
    switch try copyFast(node, schemaIndex) {
    case .nothing: break
    case .value(let copied): return copied
    case .frames: return nil
    }
    let copied = try begin(node, schemaIndex)
    if let copied, !graph.isContainerOrData(node) { scalars.set(node, tag, copied) }
    return copied
  }

  /// What distinguishes the copies of one scalar: the type of its number; for JSON the place also says what has a form.
  @inline(__always)
  func tag(of schemaIndex: Int) -> UInt32 {
    if json != nil { return UInt32(truncatingIfNeeded: schemaIndex) }
    switch shape.number(schemaIndex) {
    case .any: return 0
    case .boolean: return 1
    case .integer: return 2
    case .real: return 3
    }
  }

  /// An optional member that is nil has no key at all; a value that is nil in a dictionary has the mark.
  ///
  /// Members are the fields of objects and those that the shape names; other keys are those of a dictionary, as far as known.
  /// A decoder reads either as nil, but only the mark keeps a dictionary's key.
  private func leavesOut(
    _ node: Node, _ pairs: Pairs, _ index: Int, _ frame: Frame
  ) -> Bool {
    if nulls == .keptInLists { return true }
    if nulls == .keptWhereAllowed {
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

  /// Copies a member's key; nil if the member is left out.
  private mutating func copyKey(
    _ key: Node, _ isField: Bool, _ schemaIndex: Int
  ) throws(ArchiveError) -> Int? {
    if let known = keys.find(key, Self.keyTag(isField, schemaIndex)) {
      let copy = keyCopies[Int(known)]
      builder.append(copy.index)
      return copy.member
    }
    guard let copy = try newKeyCopy(key, isField, schemaIndex) else { return nil }
    builder.append(copy.index)
    return copy.member
  }

  /// The copy of a key that was not met at this place before; nil if the member is left out.
  mutating func newKeyCopy(
    _ key: Node, _ isField: Bool, _ schemaIndex: Int
  ) throws(ArchiveError) -> KeyCopy? {
    guard let copy = try keyCopy(key, isField, schemaIndex) else { return nil }
    keys.set(
      key, Self.keyTag(isField, schemaIndex), UInt32(truncatingIfNeeded: keyCopies.count))
    keyCopies.append(copy)
    return copy
  }

  /// What distinguishes the copies of one key.
  @inline(__always)
  static func keyTag(_ isField: Bool, _ schemaIndex: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: schemaIndex &* 2 &+ (isField ? 1 : 0))
  }

  /// The copy of a key; nil if the member is left out.
  @inline(never)
  private mutating func keyCopy(
    _ key: Node, _ isField: Bool, _ schemaIndex: Int
  ) throws(ArchiveError) -> KeyCopy? {
    // A key is not a value: "$null" is its text.
    if let text = graph.keyText(of: key) {
      let name = isField ? text.unmangledKey : text
      guard let member = shape.member(schemaIndex, name) ?? (unknown == .keep ? 0 : nil) else {
        return nil
      }
      let index =
        try snakeCaseName(name, key, schemaIndex).map { builder.add($0) } ?? builder.add(name)
      return (index, member, tag(of: member))
    }
    if case .integer(let number) = graph.value(of: key) {
      return (builder.add(String(number)), 0, tag(of: 0))
    }
    throw problem(.unrepresentable, "Codable has no form for a key of this type", key)
  }

  /// A member's name in snake case; nil if it stays as it is.
  private func snakeCaseName(
    _ name: Text, _ key: Node, _ schemaIndex: Int
  ) throws(ArchiveError) -> String? {
    guard json?.hasSnakeCaseKeys == true, shape.names(name.string, in: schemaIndex) else {
      return nil
    }
    guard let snakeCaseName = JSONCoding.snakeCase(name.string) else {
      throw problem(
        .unrepresentable, "JSONDecoder would not find '\(name.string)' from its snake case", key
      )
    }
    return snakeCaseName
  }

  // MARK: Values

  /// Copies a scalar, or begins a container and gives nil.
  mutating func begin(
    _ node: Node, _ schemaIndex: Int
  ) throws(ArchiveError) -> UInt32? {
    visited &+= 1
    if visited > limit {
      throw problem(.limit, "copies of shared values would be over \(visited)", node)
    }
    let value = graph.value(of: node)
    if case .string(let text) = value {
      // A string that represents an object of another class, such as a URL; else the plain string.
      if graph.isContainerOrData(node), let form = try ownForm(of: node, schemaIndex) {
        return try add(form)
      }
      if nulls == .marked, text.equals("$null") {
        throw problem(
          .unrepresentable, "the text \"$null\" would be read as nil in a property list", node)
      }
    }
    return try add(value, node, schemaIndex)
  }

  /// Adds a scalar, or begins a container and gives nil.
  ///
  /// - Parameter value: what the node is; a string is added as it is.
  @inline(__always)
  mutating func add(
    _ value: Value, _ node: Node, _ schemaIndex: Int
  ) throws(ArchiveError) -> UInt32? {
    switch value {
    case .null: return nulls == .marked ? builder.add("$null") : builder.addNull()
    case .boolean(let flag): return addBoolean(flag, schemaIndex)
    case .integer(let number): return addInteger(number, schemaIndex)
    case .unsigned(let number): return builder.add(unsigned: number)
    case .wide(let number): return builder.add(wide: number.number)
    case .real(let number): return addReal(number, schemaIndex)
    case .single(let number):
      let isKept =
        shape.number(schemaIndex) == .any || shape.number(schemaIndex) == .real && json == nil
      return isKept ? builder.add(number) : addReal(Double(number), schemaIndex)
    case .date(let seconds): return try addDate(seconds, node, schemaIndex)
    case .data(let bytes): return try addData(bytes, node, schemaIndex)
    case .array, .set, .orderedSet, .dictionary, .object: return try enter(value, node, schemaIndex)
    case .uid:
      throw problem(.unrepresentable, "Codable has no form for a UID outside a keyed archive", node)
    case .string(let text): return builder.add(text)
    }
  }

  private mutating func enter(
    _ value: Value, _ node: Node, _ schemaIndex: Int
  ) throws(ArchiveError) -> UInt32? {
    if case .object(let index, _) = value {
      if let form = self.form(of: node, schemaIndex) { return try add(form) }
      // An application's object is its fields; a framework's is more than the keys it happens to archive.
      let description = graph.classes[index]
      if ClassRegistry.isFoundation(description.name) {
        throw problem(
          .unrepresentable, "\(description.displayName) has no Codable form that is known", node)
      }
    }
    guard open.insert(node) else {
      throw problem(.cycle, "the value contains itself, which Codable cannot express", node)
    }
    guard stack.count < graph.limits.depth else {
      throw problem(.limit, "values are nested more than \(graph.limits.depth) levels deep", node)
    }
    let frame: Frame
    switch value {
    // The elements of a set stay in their stored order.
    case .array(let elements), .orderedSet(let elements), .set(let elements):
      frame = Frame(
        node: node, children: .elements(elements), schemaIndex: schemaIndex, count: elements.count)
    case .dictionary(let pairs):
      frame = try dictionaryFrame(pairs, node, schemaIndex)
    case .object(_, let pairs):
      frame = Frame(
        node: node, children: .members(pairs), schemaIndex: schemaIndex, count: pairs.count)
    default: return nil
    }
    builder.open()
    stack.push(frame)
    return nil
  }

  private mutating func close(_ frame: Frame) -> UInt32 {
    stack.pop()
    open.remove(frame.node)
    switch frame.children {
    case .members: return builder.closeDictionary()
    case .flat, .elements: return builder.close()
    }
  }

  private func dictionaryFrame(
    _ pairs: Pairs, _ node: Node, _ schemaIndex: Int
  ) throws(ArchiveError) -> Frame {
    switch DictionaryKeys(of: pairs, in: graph) {
    case .names:
      return Frame(
        node: node, children: .members(pairs), schemaIndex: schemaIndex, count: pairs.count)
    case .inTurn:
      return Frame(
        node: node, children: .flat(pairs), schemaIndex: schemaIndex, count: pairs.count * 2)
    case .mixed:
      throw problem(.unrepresentable, "Codable has no dictionary with keys of several types", node)
    }
  }

  // MARK: Problems

  /// A problem at a node, with the path of the containers that are open.
  func problem(_ code: ArchiveError.Code, _ message: String, _ node: Node) -> ArchiveError {
    var path = GraphPath()
    // A container of which nothing was copied yet may be empty.
    for level in 0..<stack.count {
      let frame = stack[level].pointee
      guard frame.next > 0 else { continue }
      let index = frame.next - 1
      switch frame.children {
      case .elements: path = path.appending(.index(index))
      case .flat: path = path.appending(.index(index))
      case .members(let pairs):
        path = path.appending(.key(graph.keyText(of: graph.key(pairs, index))?.string ?? "?"))
      }
    }
    return ArchiveError(
      code, message, offset: graph.fileOffset(of: node), path: path)
  }
}
