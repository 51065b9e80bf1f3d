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
    case fields(Pairs)
  }

  /// Not a `GraphWalk`: a level collects the UIDs of its children before it is written itself.
  private struct Frame {
    let uid: UInt32
    let children: Children
    let type: ClassDescription
    let count: Int
    /// Where its UIDs begin on the stack of them.
    let base: Int
    var next = 0
  }

  private let graph: ObjectGraph
  private var objects: NumberedObjects
  private var numbers: [Node: UInt32] = [:]
  /// The form of the elements of a list at the root.
  private var elementRoot = Root.value
  private var stack: [Frame] = []
  private var references: [UInt32] = []

  private init(_ graph: ObjectGraph, capacity: Int) {
    self.graph = graph
    objects = NumberedObjects(capacity: capacity)
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
    let data = writer.objects.builder.add(data: ByteView())
    let number = writer.objects.add(data)
    return (writer.finish(root: number, topKey), data)
  }

  private consuming func finish(root: UInt32, _ topKey: String) -> Document {
    let uid = objects.uid(root)
    return objects.finish(tops: [(storedKey(topKey), uid)])
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
        references.append(objects.scalar(objects.builder.add(name)))
      } else if graph.document(of: key).archive == nil, graph.isNullMark(key) {
        references.append(object("NSString", "NS.string", objects.builder.add("$null")))
      } else {
        references.append(try beginMember(key))
      }
    case .fields(let pairs):
      references.append(try begin(graph.value(pairs, frame.next)))
    }
  }

  /// Collections cannot contain nil: NSNull represents it.
  private mutating func beginMember(
    _ node: Node, _ root: Root = .value
  ) throws(ArchiveError) -> UInt32 {
    if case .null = graph.value(of: node) { return objects.null() }
    return try begin(node, root)
  }

  /// The number of a value's object; a container is encoded before anything that follows it.
  private mutating func begin(_ node: Node, _ root: Root = .value) throws(ArchiveError) -> UInt32 {
    let value = graph.value(of: node)
    switch value {
    case .null: return graph.classIndex(of: node) == nil ? 0 : objects.null()
    case .boolean, .integer, .unsigned, .wide, .real, .single, .data:
      return objects.scalar(objects.builder.add(scalar: value))
    case .string(let text):
      if let object = ownFields(of: node) {
        let type = graph.classes[object.index]
        return numbers[node] ?? pushFields(node, object.pairs, type.name, type.chain)
      }
      let stored = objects.builder.add(text)
      // A bare "$null" is nil to every decoder.
      return text.equals("$null")
        ? object("NSString", "NS.string", stored) : objects.scalar(stored)
    case .date(let seconds): return object("NSDate", "NS.time", objects.builder.add(seconds))
    case .uid:
      throw graph.unrepresentable(
        "a UID from outside a keyed archive cannot be stored in one", node)
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
        throw graph.unrepresentable(objection, node)
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

  private mutating func object(_ name: String, _ key: String, _ stored: UInt32) -> UInt32 {
    objects.object(name, [(key, stored)])
  }

  private mutating func push(
    _ node: Node, _ children: Children, _ count: Int, _ name: String, _ chain: [String]? = nil
  ) -> UInt32 {
    let uid = objects.add()
    numbers[node] = uid
    // The number of this object itself is put down first, in its holder's part of the stack.
    let base = stack.isEmpty ? 0 : references.count + 1
    let type = ClassDescription(name: name, displayName: name, chain: chain ?? [name, "NSObject"])
    stack.append(Frame(uid: uid, children: children, type: type, count: count, base: base))
    return uid
  }

  private mutating func pushFields(
    _ node: Node, _ pairs: Pairs, _ name: String, _ chain: [String]
  ) -> UInt32 {
    push(node, .fields(pairs), pairs.count, name, chain)
  }

  private mutating func close(_ frame: Frame) {
    stack.removeLast()
    objects.builder.open()
    switch frame.children {
    case .elements(let elements):
      if frame.type.name == "NSOrderedSet" {
        // Ordered sets keep the older form, a key for each element.
        for position in 0..<elements.count {
          append("NS.object.\(position)", uid: references[frame.base + position])
        }
      } else {
        append("NS.objects", list: frame.base..<references.count)
      }
    case .dictionary(let pairs):
      append("NS.keys", list: frame.base..<frame.base + pairs.count)
      append("NS.objects", list: frame.base + pairs.count..<references.count)
    case .fields(let pairs): appendFields(pairs, frame)
    }
    references.removeSubrange(frame.base...)
    objects.appendClass(frame.type)
    objects.set(frame.uid, to: objects.builder.closeDictionary())
  }

  private mutating func appendFields(_ pairs: Pairs, _ frame: Frame) {
    for position in 0..<pairs.count {
      guard let key = fieldKey(pairs, position) else { continue }
      // A number that stood in the object itself stays there.
      if let inline = inlineScalar(graph.value(pairs, position), pairs, position) {
        objects.builder.append(objects.builder.add(key))
        objects.builder.append(inline)
      } else {
        append(key, uid: references[frame.base + position])
      }
    }
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
    case .boolean, .integer, .real, .single, .data: return objects.builder.add(scalar: value)
    default: return nil
    }
  }

  private mutating func append(_ name: String, uid: UInt32) {
    objects.builder.append(objects.builder.add(name))
    objects.builder.append(objects.uid(uid))
  }

  private mutating func append(_ name: String, list: Range<Int>) {
    objects.builder.append(objects.builder.add(name))
    let uids = references[list].map { objects.uid($0) }
    objects.builder.append(objects.builder.add(list: uids))
  }
}
