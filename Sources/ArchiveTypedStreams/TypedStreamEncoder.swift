// A graph as a typedstream: Foundation's values as these classes archive themselves, other objects by their groups.
//
// Layouts and versions: python-typedstream, types/foundation.py.

import ArchiveBasics
import ArchiveGraph

/// Turns graphs into typedstreams.
package struct TypedStreamEncoder: ~Copyable {
  /// What the values of an object are.
  private enum Layout {
    /// The elements of a list, or keys and values in turn: their number, then each of them.
    case list, pairs
    /// Values of an object that has groups: the types of each group, and those of all.
    case groups([[EncodedType]], [EncodedType])
    /// The base of a URL, if it has one, and the relative part.
    case url
  }

  /// A list of types, and as many values.
  private typealias Group = (list: Int, values: ArraySlice<StreamValue>)

  /// A value, and where it is held: equal strings and numbers are one value of a table, but may be several objects.
  struct Child: Hashable {
    let node: Node
    /// Its number among the objects of an archive, unless the node is that object alone.
    let number: UInt32?
  }

  /// Not a `GraphWalk`: a level collects what it encodes.
  private struct Frame {
    let object: Int
    let layout: Layout
    let nodes: [Child]
    var values: [StreamValue] = []
  }

  let graph: ObjectGraph
  var contents = StreamContents()
  private var objectNumbers: [Child: Int] = [:]
  private var classNumbers: [[String]: Int] = [:]
  /// The lists of types by their texts.
  private var lists: [String: Int] = [:]
  /// Bytes that the contents point into.
  private var storage: [ByteStorage] = []
  private var stack: [Frame] = []

  private init(_ graph: ObjectGraph) { self.graph = graph }

  /// Encodes a value with all its content.
  ///
  /// - Parameters:
  ///   - root: the root object.
  ///   - graph: its graph; shared references stay shared, and cycles stay cycles.
  ///   - isBigEndian: the byte order.
  ///   - version: the version of the format.
  ///   - systemVersion: the version of the system that wrote it.
  /// - Throws: `ArchiveError` with code `unrepresentable` at an object whose values have names, since
  ///   typedstreams cannot represent, or with code `limit`.
  package static func encode(
    _ root: Node, of graph: ObjectGraph, isBigEndian: Bool = false, version: UInt8 = 4,
    systemVersion: Int64 = 1000
  ) throws(ArchiveError) -> ByteBuffer {
    var encoder = TypedStreamEncoder(graph)
    encoder.contents.tables.isBigEndian = isBigEndian
    encoder.contents.tables.version = version
    encoder.contents.tables.systemVersion = systemVersion
    try encoder.run(root)
    return TypedStreamWriter.write(&encoder.contents)
  }

  private mutating func run(_ root: Node) throws(ArchiveError) {
    // The groups of a stream without a root object are those of an object that is not written.
    if graph.document(of: root).archive?.topDictionary == root.index,
      case .dictionary(let pairs) = graph.value(of: root), let (groups, nodes) = groups(of: pairs)
    {
      let layout = Layout.groups(groups, Array(groups.joined()))
      _ = push(Child(node: root, number: nil), [], nodes, layout)
      try finishAll()
      contents.tops = contents.objects[0].pointee.groups
      return
    }
    let value = try beginObject(Child(node: root, number: nil))
    try finishAll()
    contents.tops = add([group("@", [value])])
  }

  private mutating func finishAll() throws(ArchiveError) {
    while let frame = stack.last {
      guard frame.values.count < frame.nodes.count else {
        stack.removeLast()
        finish(frame)
        continue
      }
      // Containers that begin are pushed above their container.
      let level = stack.count
      let child = try begin(frame.nodes[frame.values.count], in: frame)
      stack[level - 1].values.append(child)
    }
  }

  /// A key as it is meant: archivers put a `$` before top-level keys that begin with it.
  private func key(_ pairs: Pairs, _ position: Int) -> Child {
    let key = child(pairs.keys, pairs.position(position))
    guard pairs.isFields, let name = graph.memberName(pairs, position),
      graph.text(of: key.node)?.sameCharacters(as: name) == false
    else { return key }
    return Child(node: graph.add(.string(name.string), near: key.node), number: nil)
  }

  func child(_ elements: Elements, _ position: Int) -> Child {
    let node = graph.node(elements, position)
    // Each container is one object.
    guard graph.document(of: node).table.marker(of: node.index) >> 4 < Marker.array else {
      return Child(node: node, number: nil)
    }
    let slot = graph.slot(elements, position)
    return Child(node: node, number: slot.flatMap { graph.objectNumber(in: $0) })
  }

  private mutating func finish(_ frame: Frame) {
    let groups: [Group]
    switch frame.layout {
    case .list:
      let type = contents.objects[frame.object].pointee.classNumber ?? 0
      let isSet = contents.tables.classes[type].name.hasSuffix("Set")
      groups = counted(isSet ? "I" : "i", frame.values.count, frame.values)
    case .pairs: groups = counted("i", frame.values.count / 2, frame.values)
    case .groups(let lists, _):
      var rest = frame.values[...]
      groups = lists.map { types in
        defer { rest = rest.dropFirst(types.count) }
        return (list(types), rest.prefix(types.count))
      }
    case .url:
      let hasBase: Int64 = frame.values.count == 1 ? 0 : 1
      groups = [group("c", [.integer(hasBase)])] + frame.values.map { group("@", [$0]) }
    }
    contents.objects[frame.object].pointee.groups = add(groups)
  }

  private mutating func counted(
    _ type: String, _ count: Int, _ values: [StreamValue]
  ) -> [Group] {
    let objects = list([.scalar(UInt8(ascii: "@"))])
    return [group(type, [.integer(Int64(count))])] + values.map { (objects, [$0]) }
  }

  private mutating func group(_ type: String, _ values: ArraySlice<StreamValue>) -> Group {
    (list(type.utf8.map { .scalar($0) }), values)
  }

  /// The number of a list of types.
  private mutating func list(_ types: [EncodedType]) -> Int {
    let text = types.map(\.text).joined()
    if let known = lists[text] { return known }
    let number = contents.tables.add(types)
    lists[text] = number
    return number
  }

  private mutating func add(_ groups: [Group]) -> StreamRange {
    let start = contents.tables.groups.count
    for (list, values) in groups {
      let range = contents.tables.add(values)
      contents.tables.addGroup(list, range)
    }
    return StreamRange(start: start, count: groups.count)
  }

  // MARK: Objects

  /// The value for a child: an object, or within an object that has groups a value of the group's type.
  private mutating func begin(_ child: Child, in frame: Frame) throws(ArchiveError) -> StreamValue {
    guard case .groups(_, let types) = frame.layout else { return try beginObject(child) }
    return try inline(child, types[frame.values.count])
  }

  mutating func beginObject(_ child: Child) throws(ArchiveError) -> StreamValue {
    if let known = objectNumbers[child] { return .object(known) }
    let node = child.node
    let value = graph.value(of: node)
    switch value {
    case .null:
      return graph.classIndex(of: node) == nil && graph.document(of: node).archive != nil
        ? .null : object(child, Self.chain("NSNull"), [])
    case .boolean(let flag): return number(child, .boolean(flag))
    case .integer(let integer): return number(child, .integer(integer))
    case .unsigned(let integer): return number(child, .unsigned(integer))
    case .real(let real): return number(child, .real(real))
    case .single(let real): return number(child, .single(real))
    case .date(let seconds):
      return object(child, Self.chain("NSDate"), [group("d", [.real(seconds)])])
    case .string(let text):
      if let url = url(child) { return url }
      guard has(node, Self.stringClasses) else { throw nameless(node) }
      guard !text.hasLoneSurrogate else {
        throw graph.unrepresentable("a typedstream cannot represent a lone surrogate", node)
      }
      return string(child, text)
    case .data(let bytes):
      guard has(node, Self.dataClasses) else { throw nameless(node) }
      return data(child, bytes)
    case .uid(let number):
      throw graph.unrepresentable("a typedstream cannot represent UID \(number)", node)
    case .wide(let number):
      throw graph.unrepresentable("a typedstream cannot represent the integer \(number)", node)
    case .array, .set, .orderedSet, .dictionary, .object: return try container(child, value)
    }
  }

  private mutating func container(
    _ child: Child, _ value: Value
  ) throws(ArchiveError) -> StreamValue {
    let node = child.node
    // In the stream an object and its group are a level each.
    let deepest = graph.limits.depth / 2 - 1
    guard stack.count < deepest else {
      throw graph.unrepresentable(
        "values are nested more than \(deepest) levels deep, too deep for a typedstream", node,
        .limit)
    }
    let isMutable = className(of: node)?.hasPrefix("NSMutable") == true
    switch value {
    case .array(let elements):
      return push(child, Self.chain("NSArray", isMutable), nodes(elements))
    case .set(let elements): return push(child, Self.chain("NSSet", isMutable), nodes(elements))
    case .dictionary(let pairs):
      let nodes = (0..<pairs.count).flatMap {
        [key(pairs, $0), self.child(pairs.values, pairs.position($0))]
      }
      return push(child, Self.chain("NSDictionary", isMutable), nodes, .pairs)
    case .object(let index, let pairs):
      // What is shown may have names for the values that are stored.
      let fields = graph.objectFields(of: node)?.fields ?? pairs
      guard let (groups, nodes) = groups(of: fields) else { break }
      return push(
        child, versionedChain(of: node, graph.classes[index]), nodes,
        .groups(groups, Array(groups.joined())))
    default: break
    }
    throw nameless(node)
  }

  private static let stringClasses: Set<String> = ["NSString", "NSMutableString"]
  private static let dataClasses: Set<String> = ["NSData", "NSMutableData"]

  /// Whether a value has no specific class, or one that a stream keeps.
  private func has(_ node: Node, _ classes: Set<String>) -> Bool {
    className(of: node).map { classes.contains($0) } ?? true
  }

  private func nameless(_ node: Node) -> ArchiveError {
    let name = className(of: node) ?? "an ordered set"
    return graph.unrepresentable("a typedstream has no names for the values of \(name)", node)
  }

  private static func chain(_ name: String, _ isMutable: Bool = false) -> [String] {
    StreamLayout.chains[isMutable ? "NSMutable" + name.dropFirst(2) : name] ?? []
  }

  private func className(of node: Node) -> String? {
    graph.classDescription(of: node)?.name
  }

  private mutating func push(
    _ child: Child, _ chain: [String], _ nodes: [Child], _ layout: Layout = .list
  ) -> StreamValue {
    let number = add(child, chain)
    stack.append(Frame(object: number, layout: layout, nodes: nodes))
    return .object(number)
  }

  private func nodes(_ elements: Elements) -> [Child] {
    (0..<elements.count).map { child(elements, $0) }
  }

  private mutating func object(
    _ child: Child, _ chain: [String], _ groups: [Group]
  ) -> StreamValue {
    let number = add(child, chain)
    contents.objects[number].pointee.groups = add(groups)
    return .object(number)
  }

  private mutating func add(_ child: Child, _ chain: [String]) -> Int {
    let number = contents.objects.count
    contents.objects.push(
      StreamObject(
        number: number, offset: 0, classNumber: type(chain), groups: .empty, values: 0))
    objectNumbers[child] = number
    return number
  }

  /// The number of a class, given as `Name:version` from itself to its root.
  mutating func type(_ chain: [String]) -> Int? {
    var number: Int?
    for length in 1...max(chain.count, 1) where !chain.isEmpty {
      let part = Array(chain.suffix(length))
      if let known = classNumbers[part] {
        number = known
        continue
      }
      let fields = part[0].split(separator: ":", omittingEmptySubsequences: false)
      let name = fields.dropLast().joined(separator: ":")
      contents.tables.classes.append(
        TypedClass(name: name, version: fields.last.flatMap { Int64($0) } ?? 0, superclass: number))
      number = contents.tables.classes.count - 1
      classNumbers[part] = number
    }
    return number
  }

  // MARK: Values

  private mutating func number(_ child: Child, _ value: StreamValue) -> StreamValue {
    let type = StreamLayout.type(ofNumber: value)
    let encoding = StreamValue.text(keep(Array(type.utf8)))
    return object(
      child, Self.chain("NSNumber"), [group("*", [encoding]), group(type, [value])])
  }

  private mutating func string(_ child: Child, _ text: Text) -> StreamValue {
    let characters = StreamValue.text(keep(Array(text.string.utf8)))
    let isMutable = className(of: child.node) == "NSMutableString"
    return object(
      child, Self.chain("NSString", isMutable), [group("+", [characters])])
  }

  private mutating func data(_ child: Child, _ bytes: ByteView) -> StreamValue {
    let isMutable = className(of: child.node) == "NSMutableData"
    let array = EncodedType.array(bytes.count, .scalar(UInt8(ascii: "c")))
    return object(
      child, Self.chain("NSData", isMutable),
      [group("i", [.integer(Int64(bytes.count))]), (list([array]), [.data(bytes)])])
  }

  private mutating func url(_ child: Child) -> StreamValue? {
    guard className(of: child.node) == "NSURL",
      let fields = graph.objectFields(of: child.node)?.fields
    else { return nil }
    var base: Child?
    var relative: Child?
    for position in 0..<fields.count {
      let name = graph.memberName(fields, position)
      let value = self.child(fields.values, fields.position(position))
      if name?.equals("NS.base") == true, case .string = graph.value(of: value.node) {
        base = value
      }
      if name?.equals("NS.relative") == true { relative = value }
    }
    guard let relative else { return nil }
    return push(
      child, Self.chain("NSURL"), (base.map { [$0] } ?? []) + [relative], .url)
  }

  mutating func keep(_ bytes: [UInt8]) -> ByteView {
    let owner = ByteStorage(copying: bytes)
    storage.append(owner)
    return owner.bytes
  }
}

// MARK: - Graphs of typedstreams written again: objects whose values are in groups, as their

extension TypedStreamEncoder {
  // MARK: Groups

  /// The types of each group of an object that was read from a typedstream, and the nodes of its values.
  func groups(of pairs: Pairs) -> ([[EncodedType]], [Child])? {
    var encodings: String?
    var nodes: [Int: Child] = [:]
    for position in 0..<pairs.count {
      guard let key = graph.memberName(pairs, position)?.string else { return nil }
      let value = graph.value(pairs, position)
      if key == "$types" {
        encodings = graph.text(of: value)?.string
      } else if key.hasPrefix("$"), let number = Int(key.dropFirst()) {
        nodes[number] = child(pairs.values, pairs.position(position))
      } else {
        return nil
      }
    }
    guard let encodings else { return nil }
    var groups: [[EncodedType]] = []
    for text in encodings.split(separator: " ") {
      guard let types = try? EncodedType.parse(Array(text.utf8), offset: 0) else { return nil }
      groups.append(types)
    }
    let ordered = (0..<nodes.count).compactMap { nodes[$0] }
    guard ordered.count == nodes.count, ordered.count == groups.joined().count
    else { return nil }
    return (groups, ordered)
  }

  /// The class of an object with the versions of its record; 0 without a version.
  func versionedChain(of node: Node, _ description: ClassDescription) -> [String] {
    let pairs = graph.storedPairs(of: node)
    for position in 0..<pairs.count
    where graph.text(of: graph.key(pairs, position))?.equals("$class") == true {
      let chain = versionedChain(ofRecord: graph.value(pairs, position))
      if !chain.isEmpty { return chain }
    }
    return (description.chain.isEmpty ? [description.name] : description.chain).map { $0 + ":0" }
  }

  func versionedChain(ofRecord record: Node) -> [String] {
    guard case .dictionary(let pairs) = graph.storedValue(of: record) else { return [] }
    var names: [String] = []
    var versions: [Int64] = []
    for position in 0..<pairs.count {
      guard let key = graph.text(of: graph.key(pairs, position)),
        case .array(let list) = graph.storedValue(of: graph.value(pairs, position))
      else { continue }
      for index in 0..<list.count {
        switch graph.storedValue(of: graph.node(list, index)) {
        case .string(let text) where key.equals("$classes"): names.append(text.string)
        case .integer(let version) where key.equals("$versions"): versions.append(version)
        default: break
        }
      }
    }
    return names.enumerated().map { "\($1):\($0 < versions.count ? versions[$0] : 0)" }
  }

  /// An inline value, encoded as its type requires.
  mutating func inline(_ child: Child, _ type: EncodedType) throws(ArchiveError) -> StreamValue {
    let node = child.node
    switch (type, graph.storedValue(of: node)) {
    case (.scalar(UInt8(ascii: "@")), _): return try beginObject(child)
    case (.array(let count, let element), .data(let bytes))
    where bytes.count == count && element.isCharacter:
      return .data(bytes)
    case (.array(let count, let element), .array(let elements)) where elements.count == count:
      return .array(try inline(elements, repeatElement(element, count: count)))
    case (.structure(_, let fields), .array(let elements)) where fields.count == elements.count:
      return .structure(try inline(elements, fields))
    case (.scalar(UInt8(ascii: "#")), _): return try classValue(node)
    case (.scalar(let code), let value):
      if let scalar = scalar(value, node), scalar.fits(code) { return scalar }
    default: break
    }
    throw graph.unrepresentable(
      "the value does not fit the type \(type.text)\(type.explanation)", node)
  }

  private mutating func inline(
    _ elements: Elements, _ types: some Sequence<EncodedType>
  ) throws(ArchiveError) -> StreamRange {
    var values: [StreamValue] = []
    for (position, type) in types.enumerated() {
      values.append(try inline(child(elements, position), type))
    }
    return contents.tables.add(values)
  }

  mutating func scalar(_ value: Value, _ node: Node) -> StreamValue? {
    switch value {
    case .boolean(let flag): return .boolean(flag)
    case .integer(let number): return .integer(number)
    case .unsigned(let number): return .unsigned(number)
    case .real(let number): return .real(number)
    case .single(let number): return .single(number)
    case .string(let text):
      // The UID 0 instead of a name.
      if text.equals("$null"), graph.objectNumber(of: node) == 0 { return .null }
      if text.hasLoneSurrogate { return nil }
      return .text(keep(Array(text.string.utf8)))
    case .null: return .null
    default: return nil
    }
  }

  mutating func classValue(_ node: Node) throws(ArchiveError) -> StreamValue {
    if case .null = graph.value(of: node) { return .null }
    let names = versionedChain(ofRecord: node)
    guard let number = type(names) else {
      throw graph.unrepresentable("the value does not fit the type #, which holds a class", node)
    }
    return .type(number)
  }
}
