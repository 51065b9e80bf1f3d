// Keyed archives written as Apple's NSKeyedArchiver lays them out.
//
// Layout facts: swift-corelibs-foundation, NSKeyedArchiver.swift. `$null` first, objects numbered as they are
// reached, a class record after the first object of the class, equal strings and numbers stored once.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import KeyedArchives

/// Writes values as keyed archives.
package struct KeyedWriter: ~Copyable {
  /// The form of the root.
  package enum Root: Sendable {
    /// The value itself: dictionaries as NSDictionary, lists as NSArray.
    case value
    /// A dictionary's members as the keys of an object of this class; a list contains such objects.
    case object(className: String)
  }

  private enum Children {
    case elements(Elements)
    /// Keys, then values, as NSDictionary encodes them.
    case dictionary(Pairs)
    /// The fields of an object, inline values staying inline.
    case fields(Pairs, className: String, chain: [String])
  }

  /// Not a `GraphWalk`: a level collects the UIDs of its children before it is written itself.
  private struct Frame {
    let uid: UInt32
    let children: Children
    let className: String
    let count: Int
    /// Where its UIDs begin on the stack of them.
    let base: Int
    var next = 0
  }

  private let graph: ObjectGraph
  private var builder: GraphBuilder
  /// For each object number its stored value.
  private var objects: [UInt32] = []
  private var numbers: [Node: UInt32] = [:]
  /// The object number of each stored scalar, or `.max`.
  private var scalarNumbers: [UInt32] = []
  private var classNumbers: [CodePointString: UInt32] = [:]
  private var keys: [CodePointString: UInt32] = [:]
  private var nullNumber: UInt32?
  /// The form of the elements of a list at the root.
  private var elementRoot = Root.value
  private var stack: [Frame] = []
  private var references: [UInt32] = []

  private init(_ graph: ObjectGraph, capacity: Int) {
    self.graph = graph
    builder = GraphBuilder(capacity: capacity)
    objects.append(builder.add("$null"))
  }

  /// Writes a value as the root of a keyed archive.
  ///
  /// - Parameters:
  ///   - value: the value; shared references stay shared, and cycles stay cycles.
  ///   - root: the form of the root.
  ///   - topKey: its top-level key.
  /// - Returns: the stored values of the archive, for `BinaryWriter`.
  /// - Throws: `ArchiveError` with code `unrepresentable` or `limit`.
  package static func document(
    _ value: Node, of graph: ObjectGraph, root: Root = .value,
    topKey: String = UnwrappedModel.rootKey
  ) throws(ArchiveError) -> Document {
    var writer = KeyedWriter(graph, capacity: graph.document(of: value).table.byteCount * 2)
    let uid = try writer.run(value, root)
    return writer.finish(root: uid, topKey)
  }

  /// Writes a keyed archive whose root is an NSData, as `archiveRootObject(_:)` does for encoded values.
  ///
  /// - Returns: the stored values of the archive, and the index of the data, which has no bytes yet.
  static func dataArchive(topKey: String) -> (document: Document, data: UInt32) {
    var writer = KeyedWriter(ObjectGraph(), capacity: 256)
    let data = writer.builder.add(data: ByteView())
    writer.objects.append(data)
    return (writer.finish(root: 1, topKey), data)
  }

  private consuming func finish(root: UInt32, _ topKey: String) -> Document {
    let uid = builder.add(uid: UInt64(root))
    return builder.finish(archive: objects, tops: [(storedKey(topKey), uid)])
  }

  // MARK: The walk

  private mutating func run(_ value: Node, _ root: Root) throws(ArchiveError) -> UInt32 {
    if case .array = graph.value(of: value) { elementRoot = root }
    let uid = try begin(value, root)
    while let frame = stack.last {
      guard frame.next < frame.count else {
        close(frame)
        continue
      }
      stack[stack.count - 1].next = frame.next + 1
      try step(frame)
    }
    return uid
  }

  private mutating func step(_ frame: Frame) throws(ArchiveError) {
    switch frame.children {
    case .elements(let elements):
      let root: Root = stack.count == 1 ? elementRoot : .value
      references.append(try beginMember(graph.node(elements, frame.next), root))
    case .dictionary(let pairs):
      guard frame.next < pairs.count else {
        references.append(try beginMember(graph.value(pairs, frame.next - pairs.count)))
        return
      }
      let key = graph.key(pairs, frame.next)
      // A key is not a value: "$null" is its text.
      if pairs.isFields, let name = graph.memberName(pairs, frame.next) {
        // The key of a field as it is meant, without the archiver's `$`.
        references.append(scalar(builder.add(name)))
      } else if graph.document(of: key).archive == nil, graph.isNullMark(key) {
        references.append(plainObject("NSString", [("NS.string", builder.add("$null"))]))
      } else {
        references.append(try beginMember(key))
      }
    case .fields(let pairs, _, _):
      references.append(try begin(graph.value(pairs, frame.next)))
    }
  }

  /// Collections cannot contain nil: NSNull represents it.
  private mutating func beginMember(
    _ node: Node, _ root: Root = .value
  ) throws(ArchiveError) -> UInt32 {
    if case .null = graph.value(of: node) { return nullObject() }
    return try begin(node, root)
  }

  private mutating func nullObject() -> UInt32 {
    if let nullNumber { return nullNumber }
    let uid = plainObject("NSNull", [])
    nullNumber = uid
    return uid
  }

  /// The number of a value's object; a container is encoded before anything that follows it.
  private mutating func begin(_ node: Node, _ root: Root = .value) throws(ArchiveError) -> UInt32 {
    let value = graph.value(of: node)
    switch value {
    case .null: return graph.classIndex(of: node) == nil ? 0 : nullObject()
    case .boolean, .integer, .unsigned, .wide, .real, .single, .data:
      return scalar(builder.add(scalar: value))
    case .string(let text):
      if let object = ownFields(of: node) {
        let description = graph.classes[object.index]
        return numbers[node]
          ?? pushFields(node, object.pairs, description.name, description.chain)
      }
      // A bare "$null" is nil to every decoder.
      if text.equals("$null") { return plainObject("NSString", [("NS.string", builder.add(text))]) }
      return scalar(builder.add(text))
    case .date(let seconds): return plainObject("NSDate", [("NS.time", builder.add(seconds))])
    case .uid:
      throw ArchiveError(
        .unrepresentable, "a UID from outside a keyed archive cannot be stored in one",
        offset: graph.fileOffset(of: node))
    default: break
    }
    if let known = numbers[node] { return known }
    guard stack.count < graph.limits.depth else {
      throw ArchiveError.tooDeep(graph.limits.depth)
    }
    return try enterContainer(value, node, root)
  }

  private mutating func enterContainer(
    _ value: Value, _ node: Node, _ root: Root
  ) throws(ArchiveError) -> UInt32 {
    switch value {
    case .array(let elements): return push(node, .elements(elements), elements.count, "NSArray")
    case .set(let elements): return push(node, .elements(elements), elements.count, "NSSet")
    case .orderedSet(let elements):
      return push(node, .elements(elements), elements.count, "NSOrderedSet")
    case .dictionary(let pairs), .object(_, let pairs):
      if case .object(let name) = root { return pushFields(node, pairs, name, [name, "NSObject"]) }
      // An application's object becomes the dictionary of its fields, as Dictionariable has it.
      guard case .object(let index, _) = value,
        ClassRegistry.isFoundation(graph.classes[index].name)
      else { return push(node, .dictionary(pairs), pairs.count * 2, "NSDictionary") }
      let description = graph.classes[index]
      let stored = graph.objectFields(of: node)?.fields ?? pairs
      let names = (0..<stored.count).compactMap { graph.memberName(stored, $0)?.string }
      if let objection = ClassRegistry.objection(
        toFields: names, of: description.name, description.chain)
      {
        throw ArchiveError(.unrepresentable, objection, offset: graph.fileOffset(of: node))
      }
      return pushFields(node, stored, description.name, description.chain)
    default: return 0
    }
  }

  /// The stored fields of an object whose plain value is a string of another class: a URL, a UUID.
  private func ownFields(of node: Node) -> (pairs: Pairs, index: ClassIndex)? {
    guard graph.isContainerOrData(node), let object = graph.objectFields(of: node),
      !NSStringClass.classNames.contains(graph.classes[object.class].name)
    else { return nil }
    return (object.fields, object.class)
  }

  // MARK: Objects

  private mutating func push(_ node: Node, _ children: Children, _ count: Int, _ name: String)
    -> UInt32
  {
    let uid = UInt32(objects.count)
    objects.append(.max)
    numbers[node] = uid
    // The number of this object itself is put down first, in its holder's part of the stack.
    let base = stack.isEmpty ? 0 : references.count + 1
    stack.append(Frame(uid: uid, children: children, className: name, count: count, base: base))
    return uid
  }

  private mutating func pushFields(
    _ node: Node, _ pairs: Pairs, _ name: String, _ chain: [String]
  ) -> UInt32 {
    push(node, .fields(pairs, className: name, chain: chain), pairs.count, name)
  }

  private mutating func close(_ frame: Frame) {
    stack.removeLast()
    switch frame.children {
    case .elements(let elements):
      builder.open()
      if frame.className == "NSOrderedSet" {
        // Ordered sets keep the older form, a key for each element.
        for position in 0..<elements.count {
          append("NS.object.\(position)", uid: references[frame.base + position])
        }
      } else {
        append("NS.objects", list: frame.base..<references.count)
      }
      appendClass(frame.className)
    case .dictionary(let pairs):
      builder.open()
      append("NS.keys", list: frame.base..<frame.base + pairs.count)
      append("NS.objects", list: frame.base + pairs.count..<references.count)
      appendClass(frame.className)
    case .fields(let pairs, let name, let chain):
      closeFields(pairs, name, chain, frame)
    }
    references.removeSubrange(frame.base...)
    objects[Int(frame.uid)] = builder.closeDictionary()
  }

  private mutating func closeFields(
    _ pairs: Pairs, _ name: String, _ chain: [String], _ frame: Frame
  ) {
    builder.open()
    for position in 0..<pairs.count {
      guard let key = fieldKey(pairs, position) else { continue }
      // A number that stood in the object itself stays there.
      if let inline = inlineScalar(graph.value(pairs, position), pairs, position) {
        builder.append(builder.add(key))
        builder.append(inline)
      } else {
        append(key, uid: references[frame.base + position])
      }
    }
    appendClass(name, chain)
  }

  /// The key of a field as it is stored; nil for a second `$class`, which no archiver writes.
  private func fieldKey(_ pairs: Pairs, _ position: Int) -> String? {
    let key = graph.keyText(of: graph.key(pairs, position))?.string ?? ""
    if pairs.isFields { return key == "$class" ? nil : key }
    return storedKey(key)
  }

  private mutating func inlineScalar(_ node: Node, _ pairs: Pairs, _ position: Int) -> UInt32? {
    guard graph.document(of: node).archive != nil,
      graph.isInline(pairs.values, pairs.position(position))
    else { return nil }
    let value = graph.value(of: node)
    switch value {
    case .boolean, .integer, .real, .single, .data: return builder.add(scalar: value)
    default: return nil
    }
  }

  private mutating func scalar(_ stored: UInt32) -> UInt32 {
    while scalarNumbers.count <= Int(stored) { scalarNumbers.append(.max) }
    if scalarNumbers[Int(stored)] == .max {
      scalarNumbers[Int(stored)] = UInt32(objects.count)
      objects.append(stored)
    }
    return scalarNumbers[Int(stored)]
  }

  /// An object of a Foundation class with inline fields.
  private mutating func plainObject(_ name: String, _ fields: [(String, UInt32)]) -> UInt32 {
    let uid = UInt32(objects.count)
    objects.append(.max)
    builder.open(fields)
    appendClass(name)
    objects[Int(uid)] = builder.closeDictionary()
    return uid
  }

  // MARK: Keys

  private mutating func append(_ name: String, uid: UInt32) {
    builder.append(key(name))
    builder.append(builder.add(uid: UInt64(uid)))
  }

  private mutating func append(_ name: String, list: Range<Int>) {
    builder.append(key(name))
    let uids = references[list].map { builder.add(uid: UInt64($0)) }
    builder.append(builder.add(list: uids))
  }

  private mutating func key(_ name: String) -> UInt32 {
    if let known = keys[CodePointString(name)] { return known }
    let index = builder.add(name)
    keys[CodePointString(name)] = index
    return index
  }

  /// Foundation's classes derive from NSObject through what their mutable forms derive from.
  private mutating func appendClass(_ name: String, _ chain: [String]? = nil) {
    builder.append(key("$class"))
    if let known = classNumbers[CodePointString(name)] {
      return builder.append(builder.add(uid: UInt64(known)))
    }
    let uid = UInt32(objects.count)
    classNumbers[CodePointString(name)] = uid
    let record = builder.classRecord(name, chain: chain ?? [name, "NSObject"])
    objects.append(record)
    builder.append(builder.add(uid: UInt64(uid)))
  }
}
