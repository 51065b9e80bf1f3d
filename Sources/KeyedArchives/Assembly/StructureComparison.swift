// Whether an assembled archive is as it should be: classes, storage, identity and values, object by object.
//
// It reads the written archive again, independently of its assembly.

import Basics
import ObjectGraph

/// Compares a partly changed model with the archive that was made from it.
public struct StructureComparison {
  /// A stored value of the source, and what should be the same.
  private struct Twins: Hashable {
    let document: UInt32
    let source: UInt32
    let target: UInt32
  }

  /// A changed container, and what became of it.
  private struct Changed {
    let node: Node
    let target: Node
    let path: GraphPath
    let isRoot: Bool
  }

  private let source: ObjectGraph
  private let target: ObjectGraph
  private let rootClass: String?
  private var numbers: [UInt64: UInt32] = [:]
  private var inverse: [UInt32: UInt64] = [:]
  private var twins: [Twins] = []
  private var compared: Set<Twins> = []
  private var changed: [Changed] = []
  private var known: Set<Node> = []
  private var difference: (path: GraphPath, what: String)?

  /// What differs first, and its path; nil if nothing does.
  ///
  /// - Parameters:
  ///   - root: the intended model, with the origins of changed values.
  ///   - targetRoot: the model in the archive that was made from it.
  ///   - rootClass: the requested class; nil for the root's own class.
  public static func firstDifference(
    _ root: Node, of source: ObjectGraph, _ targetRoot: Node, of target: ObjectGraph,
    rootClass: String?
  ) -> (path: GraphPath, what: String)? {
    var comparison = StructureComparison(source: source, target: target, rootClass: rootClass)
    comparison.bindRoots(root, targetRoot)
    comparison.compare(root, targetRoot, path: GraphPath(), isRoot: true)
    comparison.run()
    return comparison.difference
  }

  private init(source: ObjectGraph, target: ObjectGraph, rootClass: String?) {
    self.source = source
    self.target = target
    self.rootClass = rootClass
  }

  /// References to the root, as from a child to its parent, refer to its new form.
  private mutating func bindRoots(_ root: Node, _ targetRoot: Node) {
    let origin = source.origin(of: root)
    guard let old = origin == nil ? root : origin?.node, isStored(old),
      let number = self.number(of: old, in: source),
      let other = self.number(of: targetRoot, in: target)
    else { return }
    bind(ArchiveAssembly.key(old.document, number), other)
  }

  private func number(of node: Node, in graph: ObjectGraph) -> UInt32? {
    let (start, count) = graph.objectTable(of: node.document)
    let table = graph.documents[Int(node.document)].table
    guard let start else { return nil }
    return (0..<count).first { table.reference(start, $0) == node.index }.map {
      UInt32(truncatingIfNeeded: $0)
    }
  }

  private mutating func run() {
    while difference == nil {
      if let next = changed.popLast() {
        compareChanged(next)
      } else if let next = twins.popLast() {
        compareStored(next)
      } else {
        return
      }
    }
  }

  private mutating func fail(_ path: GraphPath, _ what: String) {
    if difference == nil { difference = (path, what) }
  }

  // MARK: Nodes

  private mutating func compare(_ node: Node, _ other: Node, path: GraphPath, isRoot: Bool) {
    let isAskedFor = isRoot && rootClass != nil
    if source.origin(of: node) != nil || isAskedFor {
      changed.append(Changed(node: node, target: other, path: path, isRoot: isRoot))
    } else if isStored(node) {
      twins.append(Twins(document: node.document, source: node.index, target: other.index))
    }
  }

  private func isStored(_ node: Node) -> Bool {
    source.documents[Int(node.document)].archive != nil
  }

  // MARK: Stored values

  private func storedPath(_ twins: Twins) -> GraphPath {
    GraphPath([.key("$objects"), .key("stored value \(twins.source)")])
  }

  /// Stored values are the same down to their keys, what they refer to being the same objects.
  private mutating func compareStored(_ pair: Twins) {
    let left = source.documents[Int(pair.document)].table
    let right = target.documents[0].table
    let kind = left.marker(of: pair.source) >> 4
    guard sameKind(kind, right.marker(of: pair.target) >> 4) else {
      return fail(storedPath(pair), "the type of a value differs")
    }
    if kind == Marker.uid {
      return compareReferences(
        pair.document, left.uid(at: pair.source), right.uid(at: pair.target), storedPath(pair))
    }
    guard kind >= Marker.array else {
      if !sameScalar(left, pair.source, right, pair.target) {
        fail(storedPath(pair), "a value differs")
      }
      return
    }
    // Containers that are stored in one another may share their parts.
    guard compared.insert(pair).inserted else { return }
    let (first, count) = left.counted(pair.source)
    let (second, otherCount) = right.counted(pair.target)
    guard count == otherCount else { return fail(storedPath(pair), "the number of values differs") }
    for position in 0..<(kind == Marker.dictionary ? count * 2 : count) {
      twins.append(
        Twins(
          document: pair.document, source: left.reference(first, position),
          target: right.reference(second, position)))
    }
  }

  private func sameKind(_ left: UInt8, _ right: UInt8) -> Bool {
    let texts = [Marker.ascii, Marker.utf16, Marker.utf8]
    return left == right || texts.contains(left) && texts.contains(right)
  }

  private func sameScalar(
    _ left: ValueTable, _ a: UInt32, _ right: ValueTable, _ b: UInt32
  ) -> Bool {
    if let text = left.text(at: a), let other = right.text(at: b) {
      return text.sameCharacters(as: other)
    }
    return left.bytes(of: a).elementsEqual(right.bytes(of: b))
  }

  /// Two references are the same if all others to the one object lead to the other.
  private mutating func compareReferences(
    _ document: UInt32, _ number: UInt64, _ other: UInt64, _ path: GraphPath
  ) {
    if number == 0 || other == 0 {
      if number != other { fail(path, "nil differs") }
      return
    }
    guard let number = UInt32(exactly: number), let other = UInt32(exactly: other) else {
      return fail(path, "an object number is out of range")
    }
    let key = ArchiveAssembly.key(document, number)
    if let known = numbers[key] {
      if known != other { fail(path, "a shared object was duplicated") }
      return
    }
    // Class records of several archives may have become one.
    if inverse[other] != nil, !isClassRecord(other) {
      return fail(path, "two objects were merged")
    }
    bind(key, other)
    guard let index = index(of: number, in: document, of: source),
      let twin = targetIndex(of: other)
    else { return fail(path, "an object is missing") }
    twins.append(Twins(document: document, source: index, target: twin))
  }

  private mutating func bind(_ key: UInt64, _ other: UInt32) {
    numbers[key] = other
    inverse[other] = key
  }

  private func index(of number: UInt32, in document: UInt32, of graph: ObjectGraph) -> UInt32? {
    let (start, count) = graph.objectTable(of: document)
    guard let start, number < count else { return nil }
    return graph.documents[Int(document)].table.reference(start, Int(number))
  }

  private func targetIndex(of number: UInt32) -> UInt32? { index(of: number, in: 0, of: target) }

  private func isClassRecord(_ number: UInt32) -> Bool {
    guard let index = targetIndex(of: number) else { return false }
    let table = target.documents[0].table
    return table.marker(of: index) >> 4 == Marker.dictionary
      && table.value("$classname", of: index) != nil
  }

  // MARK: Changed values

  private mutating func compareChanged(_ item: Changed) {
    guard known.insert(item.node).inserted else { return }
    let origin = source.origin(of: item.node)
    compareClass(item, origin)
    switch (source.value(of: item.node), target.value(of: item.target)) {
    case (.dictionary(let left), .dictionary(let right)),
      (.dictionary(let left), .object(_, let right)), (.object(_, let left), .object(_, let right)):
      guard left.count == right.count else {
        return fail(item.path, "the number of members differs")
      }
      for position in 0..<left.count {
        guard let name = source.memberName(left, position)?.string,
          target.memberName(right, position)?.sameCharacters(as: name) == true
        else { return fail(item.path, "a member's name differs") }
        compareHeld(
          source.value(left, position), held(left.values, left.position(position), origin),
          target.value(right, position),
          target.slot(right.values, right.position(position)), isField: right.isObject,
          item.path.appending(.key(name)), isRoot: false)
      }
    case (.array(let left), .array(let right)), (.set(let left), .set(let right)),
      (.orderedSet(let left), .orderedSet(let right)):
      guard left.count == right.count else {
        return fail(item.path, "the number of elements differs")
      }
      for position in 0..<left.count {
        compareHeld(
          source.node(left, position), held(left, position, origin), target.node(right, position),
          target.slot(right, position), isField: false, item.path.appending(.index(position)),
          isRoot: item.isRoot)
      }
    default: fail(item.path, "the type of a value differs")
    }
  }

  private func held(_ elements: Elements, _ position: Int, _ origin: Origin?) -> Origin.Part {
    if let origin {
      return position < origin.parts.count ? origin.parts[position] : Origin.Part(slot: nil)
    }
    return Origin.Part(slot: source.slot(elements, position))
  }

  /// A changed object keeps its class, unless it was given another.
  private mutating func compareClass(_ item: Changed, _ origin: Origin?) {
    let found = target.classIndex(of: item.target).map { target.classes[$0] }
    let isList: Bool
    if case .array = source.value(of: item.node) { isList = true } else { isList = false }
    if let name = origin?.newClass ?? (item.isRoot && !isList ? rootClass : nil) {
      if found?.name.hasSameScalars(as: name) != true {
        fail(item.path, "the class is not \(name)")
      }
      return
    }
    guard let old = origin == nil ? item.node : origin?.node, isStored(old),
      let description = source.classIndex(of: old).map({ source.classes[$0] })
    else { return }
    if found != description { fail(item.path, "the class or its superclasses differ") }
  }

  /// A member or an element is held as before, and is the same object.
  private mutating func compareHeld(
    _ node: Node, _ held: Origin.Part, _ other: Node, _ slot: Slot?, isField: Bool,
    _ path: GraphPath, isRoot: Bool
  ) {
    let number = slot.flatMap { target.objectNumber(in: $0) }
    if isField, let storage = held.storage, slot != nil, isScalar(node),
      (number == nil) != (storage == .inline)
    {
      return fail(path, "the value is not stored \(storage.rawValue)")
    }
    guard let old = held.slot, isStored(source.node(in: old)) else {
      return compareNew(node, other, path, isRoot)
    }
    let origin = source.origin(of: node)?.node ?? node
    let isSameObject = source.node(in: old) == origin
    let oldNumber = source.objectNumber(in: old)
    if isSameObject, held.storage == nil, slot != nil, isField,
      (oldNumber == nil) != (number == nil)
    {
      return fail(
        path, "a value that was stored \(oldNumber == nil ? "inline" : "boxed") is not any more")
    }
    guard isSameObject, let oldNumber, let number else {
      return compareNew(node, other, path, isRoot)
    }
    let key = ArchiveAssembly.key(old.document, oldNumber)
    if let known = numbers[key] {
      if known != number { fail(path, "a shared object was duplicated") }
      // Changed values are compared at the location of their change.
      if source.origin(of: node) != nil { compare(node, other, path: path, isRoot: isRoot) }
      return
    }
    if oldNumber != 0 {
      if inverse[number] != nil { return fail(path, "two objects were merged") }
      bind(key, number)
    }
    compare(node, other, path: path, isRoot: isRoot)
  }

  private func isScalar(_ node: Node) -> Bool { !source.value(of: node).isContainer }

  private mutating func compareNew(
    _ node: Node, _ other: Node, _ path: GraphPath, _ isRoot: Bool
  ) {
    if source.origin(of: node) != nil || isStored(node) {
      return compare(node, other, path: path, isRoot: isRoot)
    }
    if ModelComparison.firstDifference(node, of: source, other, of: target) != nil {
      fail(path, "a value differs")
    }
  }
}
