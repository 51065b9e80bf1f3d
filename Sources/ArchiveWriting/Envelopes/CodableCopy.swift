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
    return copy.builder.finish(top: top)
  }

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

  // MARK: The scalars of a copied model, and the Codable forms of objects

  mutating func addDate(
    _ seconds: Double, _ node: Node, _ schemaIndex: Int?
  ) throws(ArchiveError) -> UInt32 {
    guard let json else { return builder.add(date: seconds) }
    if let schemaIndex, shape.exactType(schemaIndex) != .date {
      throw problem(
        .unrepresentable,
        "JSON has no dates; the schema must name this one with x-plist-type date, or a lens convert it",
        node)
    }
    switch json.encode(seconds) {
    case .number(let number)?: return builder.add(number)
    case .text(let text)?: return builder.add(text)
    case nil:
      throw problem(
        .unrepresentable,
        "the date cannot be written exactly as '\(json.datesName)' of x-archive; 'reference' can represent every date",
        node)
    }
  }

  mutating func addData(
    _ bytes: ByteView, _ node: Node, _ schemaIndex: Int
  ) throws(ArchiveError) -> UInt32 {
    guard json != nil else { return builder.add(data: bytes) }
    guard shape.exactType(schemaIndex) == .data else {
      throw problem(
        .unrepresentable,
        "JSON has no data; the schema must name this with x-plist-type data, or a lens convert it",
        node)
    }
    var text = ByteBuffer(capacity: bytes.count / 3 * 4 + 4)
    Base64.encode(bytes, to: &text)
    return builder.add(String(decoding: text.bytes, as: UTF8.self))
  }

  mutating func addBoolean(_ flag: Bool, _ schemaIndex: Int) -> UInt32 {
    switch shape.number(schemaIndex) {
    case .integer: return builder.add(Int64(flag ? 1 : 0))
    case .real: return builder.add(flag ? 1.0 : 0.0)
    case .any, .boolean: return builder.add(flag)
    }
  }

  mutating func addInteger(_ number: Int64, _ schemaIndex: Int) -> UInt32 {
    switch shape.number(schemaIndex) {
    case .real where Int64(exactly: Double(number)) == number: return builder.add(Double(number))
    case .boolean where number == 0 || number == 1: return builder.add(number == 1)
    default: return builder.add(number)
    }
  }

  mutating func addReal(_ number: Double, _ schemaIndex: Int) -> UInt32 {
    switch shape.number(schemaIndex) {
    // No integer and no boolean is -0.0.
    case _ where number == 0 && number.sign == .minus: break
    case .integer:
      if let integer = Int64(exactly: number) { return builder.add(integer) }
    case .boolean where number == 0 || number == 1: return builder.add(number == 1)
    default: break
    }
    return builder.add(number)
  }

  // MARK: Codable forms

  /// Codable's form; in JSON that of JSONEncoder, unless the schema names a member of the property list's.
  func form(of node: Node, _ schemaIndex: Int) -> SyntheticValue? {
    let form = CodableForms.form(of: node, in: graph)
    if json == nil { return form }
    if case .members(let members)? = form,
      members.contains(where: { shape.names($0.name, in: schemaIndex) })
    {
      return form
    }
    return CodableForms.jsonForm(of: node, in: graph)
  }

  /// The Codable form of an object whose value is a string, nil if that is the string itself.
  func ownForm(of node: Node, _ schemaIndex: Int) throws(ArchiveError) -> SyntheticValue? {
    if let form = self.form(of: node, schemaIndex) { return form }
    guard let index = graph.classIndex(of: node) else { return nil }
    // A predicate's text, for example, is for people; Codable encodes it differently.
    let description = graph.classes[index]
    guard ClassRegistry.isText(description) else {
      throw problem(
        .unrepresentable, "\(description.displayName) has no Codable form that is known", node)
    }
    return nil
  }

  mutating func add(_ form: SyntheticValue) throws(ArchiveError) -> UInt32 {
    switch form {
    case .node(let node): return try addScalar(node)
    case .list(let elements):
      var indexes: [UInt32] = []
      for element in elements { indexes.append(try add(element)) }
      return builder.add(list: indexes)
    case .members(let members):
      var pairs: [(UInt32, UInt32)] = []
      for (key, value) in members { pairs.append((builder.add(key), try add(value))) }
      return builder.add(pairs: pairs)
    case .string(let text): return builder.add(text)
    case .boolean(let flag): return builder.add(flag)
    case .integer(let number): return builder.add(number)
    case .real(let number): return builder.add(number)
    default: return builder.addNull()
    }
  }

  private mutating func addScalar(_ node: Node) throws(ArchiveError) -> UInt32 {
    let value = graph.value(of: node)
    if case .date(let seconds) = value { return try addDate(seconds, node, nil) }
    if case .null = value, nulls == .marked { return builder.add("$null") }
    return builder.add(scalar: value)
  }
}

// MARK: - The fast path: containers with all that they hold in one loop, which counts no references
//
// Before a value that needs more than that, the containers around it become frames, and their copying goes on there as
// without this: copies and errors are the same.

/// A container of which all parts so far were copied.
struct CopiedContainer {
  let index: UInt32
  let container: PlainContainer
  /// Its number in the shape, and that of its elements.
  let schemaIndex: Int
  let elementSchemaIndex: Int
  let elementTag: UInt32
  /// The next member or element.
  var next = 0
}

/// What came of copying a value on the fast path.
enum FastCopy {
  /// The value is to be copied otherwise.
  case nothing
  /// Its copy.
  case value(UInt32)
  /// Its copy was begun, and goes on in the innermost container.
  case frames
}

extension CodableCopy {
  /// Copies a container and its parts, or those before the first part that needs more.
  @inline(__always)
  mutating func copyFast(_ node: Node, _ schemaIndex: Int) throws(ArchiveError) -> FastCopy {
    // JSON has forms of its own for dates and data.
    guard usesFastPath, json == nil, graph.isContainerOrData(node) else { return .nothing }
    return try copyContainer(node, schemaIndex)
  }

  private mutating func copyContainer(
    _ node: Node, _ schemaIndex: Int
  ) throws(ArchiveError) -> FastCopy {
    let reader = DocumentReader(graph, node.document)
    guard visited < limit, stack.count &+ PlainContainer.fastDepthLimit < graph.limits.depth,
      let container = Self.container(node.index, reader), !open.contains(node)
    else { return .nothing }
    visited &+= 1
    begin(node.index, container, schemaIndex)
    if let copied = try finishFast(node.document, reader) { return .value(copied) }
    fallBackToFrames(node.document, reader)
    return .frames
  }

  /// A list, or a dictionary with names as keys; nil for other values.
  @inline(__always)
  private static func container(_ index: UInt32, _ reader: DocumentReader) -> PlainContainer? {
    guard let container = reader.container(index, at: reader.pointer(of: index)),
      container.kind != .set
    else { return nil }
    // The first key tells, as in `DictionaryKeys`.
    guard container.hasKeys, container.count > 0 else { return container }
    return isText(reader.pointer(of: reader.index(container.keys, 0))) ? container : nil
  }

  @inline(__always)
  private static func isText(_ valuePointer: UnsafeRawPointer) -> Bool {
    (Marker.ascii...Marker.utf8).contains(valuePointer.load(as: UInt8.self) >> 4)
  }

  private mutating func begin(_ index: UInt32, _ container: PlainContainer, _ schemaIndex: Int) {
    builder.open()
    let element = container.hasKeys ? 0 : shape.element(schemaIndex)
    fastLevels.push(
      CopiedContainer(
        index: index, container: container, schemaIndex: schemaIndex, elementSchemaIndex: element,
        elementTag: container.hasKeys ? 0 : tag(of: element)))
  }

  /// Copies the parts of the containers that were begun; nil before the first that needs more.
  private mutating func finishFast(
    _ document: UInt32, _ reader: DocumentReader
  ) throws(ArchiveError) -> UInt32? {
    while true {
      let level = fastLevels.top
      if level.pointee.next == level.pointee.container.count {
        let copied =
          level.pointee.container.hasKeys ? builder.closeDictionary() : builder.close()
        fastLevels.drop()
        if fastLevels.isEmpty { return copied }
        builder.append(copied)
        continue
      }
      guard let part = try copyScalars(level, document, reader) else {
        if level.pointee.next == level.pointee.container.count { continue }
        return nil
      }
      guard let container = Self.container(part.index, reader), visited < limit,
        fastLevels.count < PlainContainer.fastDepthLimit,
        !open.contains(Node(document: document, index: part.index)),
        !fastLevels.values(from: 0).contains(where: { $0.index == part.index })
      else { return nil }
      if let key = part.key { builder.append(key) }
      visited &+= 1
      level.pointee.next &+= 1
      begin(part.index, container, part.schemaIndex)
    }
  }

  /// Copies parts up to one that is a container, or needs more than a copy.
  ///
  /// - Returns: the container, its number in the shape, and the copy of its key; nil at the end, and before a scalar that
  ///   needs more.
  @inline(__always)
  private mutating func copyScalars(
    _ level: UnsafeMutablePointer<CopiedContainer>, _ document: UInt32, _ reader: DocumentReader
  ) throws(ArchiveError) -> (index: UInt32, schemaIndex: Int, key: UInt32?)? {
    let container = level.pointee.container
    let hasNumbers = objects.remembers(document, after: visited)
    var schemaIndex = level.pointee.elementSchemaIndex
    var tag = level.pointee.elementTag
    var next = level.pointee.next
    defer { level.pointee.next = next }
    while next < container.count {
      let number = hasNumbers ? reader.objectNumber(container.values, next) : nil
      // No object that is remembered is null.
      var copied = number.flatMap { objects.find($0) }
      let index = copied == nil ? reader.index(container.values, next, number: number) : 0
      var key: UInt32?
      if container.hasKeys {
        if copied == nil, nulls != .kept, Self.isNull(reader.pointer(of: index), reader) {
          return nil
        }
        guard let copy = try keyCopy(level, next, document, reader) else { return nil }
        guard copy.member >= 0 else {
          next &+= 1
          continue
        }
        (key, schemaIndex, tag) = (copy.index, copy.member, copy.tag)
      }
      guard visited < limit else { return nil }
      let node = Node(document: document, index: index)
      if copied == nil { copied = scalars.find(node, tag) }
      if copied != nil {
        visited &+= 1
      } else {
        let stored = reader.pointer(of: index)
        if reader.isContainerOrData(stored) { return (index, schemaIndex, key) }
        guard isPlain(stored, node) else { return nil }
        visited &+= 1
        guard let made = try add(reader.scalar(at: stored), node, schemaIndex) else { return nil }
        if let number, Self.isSameAnywhere(stored) {
          objects.set(number, made)
        } else {
          scalars.set(node, tag, made)
        }
        copied = made
      }
      if let key { builder.append(key) }
      if let copied { builder.append(copied) }
      next &+= 1
    }
    return nil
  }

  /// The copy of a key; nil if its member needs more, with the number -1 if it is left out.
  @inline(__always)
  private mutating func keyCopy(
    _ level: UnsafePointer<CopiedContainer>, _ position: Int, _ document: UInt32,
    _ reader: DocumentReader
  ) throws(ArchiveError) -> KeyCopy? {
    let index = reader.index(level.pointee.container.keys, position)
    let node = Node(document: document, index: index)
    if let known = keys.find(node, Self.keyTag(false, level.pointee.schemaIndex)) {
      return keyCopies[Int(known)]
    }
    guard Self.isText(reader.pointer(of: index)) else { return nil }
    return try newKeyCopy(node, false, level.pointee.schemaIndex) ?? (0, -1, 0)
  }

  /// Whether the value is null, or the string that represents it.
  @inline(__always)
  private static func isNull(_ valuePointer: UnsafeRawPointer, _ reader: DocumentReader) -> Bool {
    valuePointer.load(as: UInt8.self) == 0 || reader.isNullMark(valuePointer)
  }

  /// Whether the copy of a scalar is the same wherever it occurs: it is no number.
  @inline(__always)
  private static func isSameAnywhere(_ valuePointer: UnsafeRawPointer) -> Bool {
    (Marker.date...Marker.utf8).contains(valuePointer.load(as: UInt8.self) >> 4)
  }

  /// Whether a scalar is certainly copied without an error.
  @inline(__always)
  private func isPlain(_ valuePointer: UnsafeRawPointer, _ node: Node) -> Bool {
    let marker = valuePointer.load(as: UInt8.self)
    switch marker {
    case 0x00: return nulls != .marked
    case 0x08, 0x09, 0x10...0x14, 0x22, 0x23, 0x33, 0x40...0x4F: return true
    // "$null" has five characters; longer strings may have their count apart.
    case 0x50...0x7F where marker & 0x0F != 0x05 && marker & 0x0F != 0x0F: return true
    case 0x50...0x7F: return graph.text(of: node)?.equals("$null") == false
    default: return false
    }
  }

  /// Makes frames of the containers that were begun; the value that needs more is the next of the last.
  @inline(never)
  private mutating func fallBackToFrames(_ document: UInt32, _ reader: DocumentReader) {
    for position in 0..<fastLevels.count {
      let level = fastLevels[position].pointee
      let node = Node(document: document, index: level.index)
      open.insert(node)
      stack.push(
        Frame(
          node: node,
          children: level.container.hasKeys
            ? .members(reader.pairs(of: level.container, in: document))
            : .elements(reader.elements(of: level.container, in: document)),
          schemaIndex: level.schemaIndex, count: level.container.count, next: level.next))
    }
    fastLevels.truncate(to: 0)
  }
}

// MARK: - Codable's form of a dictionary: by names, or as a list of alternating keys and values

/// What Codable makes of a dictionary's keys.
///
/// Swift's Dictionary encodes String and Int keys as names, and a dictionary of any other keys as keys and values in turn.
enum DictionaryKeys {
  /// Names, integers among them.
  case names
  /// Keys and values in turn.
  case inTurn
  /// Keys of several types, for which Codable has no dictionary.
  case mixed

  private enum Kind: Hashable {
    case null, text, integer, number, boolean, date, data, container
    case object(String)
  }

  /// The kind of a dictionary's keys.
  init(of pairs: Pairs, in graph: ObjectGraph) {
    // The keys of most are strings, which their copying looks at.
    guard pairs.count > 0, graph.text(of: graph.key(pairs, 0)) == nil else {
      self = .names
      return
    }
    var kinds: Set<Kind> = []
    for position in 0..<pairs.count {
      kinds.insert(Self.kind(of: graph.key(pairs, position), in: graph))
    }
    if kinds == [.text] || kinds == [.integer] {
      self = .names
    } else {
      // A key that is nil is one of an optional type, and some of the reals may be integral.
      if kinds.remove(.null) != nil, kinds.isEmpty { kinds = [.null] }
      if kinds.contains(.number) { kinds.remove(.integer) }
      self = kinds.count == 1 ? .inTurn : .mixed
    }
  }

  private static func kind(of key: Node, in graph: ObjectGraph) -> Kind {
    switch graph.value(of: key) {
    case .null: return .null
    case .boolean: return .boolean
    case .integer: return .integer
    case .unsigned, .wide, .real, .single: return .number
    case .date: return .date
    case .data: return .data
    case .string:
      guard graph.isContainerOrData(key), let index = graph.classIndex(of: key) else {
        return .text
      }
      let name = FoundationClass.immutable(graph.classes[index].name)
      return name == "NSString" ? .text : .object(name)
    case .array, .set, .orderedSet, .dictionary: return .container
    case .object(let index, _): return .object(graph.classes[index].name)
    case .uid: return .integer
    }
  }
}
