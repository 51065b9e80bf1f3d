// How a container of a graph stores its members: in itself, in lists of its own, or under keys with numbers.

import ArchiveBasics
import ArchiveGraph
import ArchiveWriting

/// The storage of the elements or members of a value.
struct StoredMembers {
  /// A position among the children of a stored container.
  struct Slot: Hashable {
    let holder: UInt32
    let position: Int
  }

  enum Layout {
    /// A list of elements: an array of a property list, or the list `NS.objects` of an object.
    case list(UInt32)
    /// The lists `NS.keys` and `NS.objects` of an object.
    case pairs(keys: UInt32, values: UInt32)
    /// The keys and values of a stored dictionary.
    case members(UInt32, Pairs)
    /// `NS.object.0`, …, and `NS.key.0`, … if the elements have keys.
    case numbered(UInt32, hasKeys: Bool)
  }

  let layout: Layout
  let node: Node
  let count: Int
  /// Whether keys are mangled as archivers do, and numbers are stored inline.
  let isFields: Bool
  /// Whether it is a set, whose elements differ from one another.
  let isSet: Bool
  private let table: ValueTable
  private let className: String?

  /// The stored container of the value itself.
  var owner: UInt32 { node.index }

  /// Finds the storage of a container.
  ///
  /// - Throws: `ArchiveError` with code `mismatch` if the value is not a container, or is derived from others.
  init(of node: Node, in archive: OpenedArchive) throws(ArchiveError) {
    let graph = archive.graph
    table = archive.table
    self.node = node
    className = graph.classDescription(of: node)?.displayName
    guard node.document == archive.number else { throw Self.derived }
    switch archive.value(of: node) {
    case .array(let elements):
      (layout, isSet) = (try Self.list(elements, node.index, table), false)
      (count, isFields) = (elements.count, false)
    case .set(let elements), .orderedSet(let elements):
      (layout, isSet) = (try Self.list(elements, node.index, table), true)
      (count, isFields) = (elements.count, false)
    case .dictionary(let pairs), .object(_, let pairs):
      layout = try Self.pairs(pairs, node.index, table)
      (count, isFields, isSet) = (pairs.count, pairs.isFields, false)
    default:
      throw ArchiveError(
        .mismatch, "\(graph.value(of: node).typeName) has no elements or members")
    }
  }

  static let derived = ArchiveError(
    .mismatch, "the value is derived from others and cannot be edited by itself")

  private static func list(
    _ elements: Elements, _ index: UInt32, _ table: ValueTable
  ) throws(ArchiveError) -> Layout {
    if let found = holder(of: elements, index, table), found.first == 0 {
      return .list(found.holder)
    }
    guard elements.width == 0, table.marker(of: index) >> 4 == Marker.dictionary else {
      throw derived
    }
    return .numbered(index, hasKeys: false)
  }

  private static func pairs(
    _ pairs: Pairs, _ index: UInt32, _ table: ValueTable
  ) throws(ArchiveError) -> Layout {
    if let found = holder(of: pairs.values, index, table) {
      if found.holder == index { return .members(index, pairs) }
      if let keys = holder(of: pairs.keys, index, table), keys.holder != found.holder {
        return .pairs(keys: keys.holder, values: found.holder)
      }
    }
    guard !pairs.isFields, pairs.keys.width == 0,
      table.marker(of: index) >> 4 == Marker.dictionary
    else { throw derived }
    return .numbered(index, hasKeys: true)
  }

  /// The container whose references elements are, and the position of the first.
  private static func holder(
    of elements: Elements, _ index: UInt32, _ table: ValueTable
  ) -> (holder: UInt32, first: Int)? {
    guard elements.width > 0, table.marker(of: index) >> 4 >= Marker.array else { return nil }
    let (start, count) = table.counted(index)
    guard table.marker(of: index) >> 4 == Marker.dictionary else {
      return start == elements.start ? (index, 0) : nil
    }
    if start + count * table.referenceWidth == elements.start { return (index, count) }
    for position in count..<count * 2 {
      let list = table.reference(start, position)
      let kind = table.marker(of: list) >> 4
      if kind >= Marker.array, kind != Marker.dictionary,
        table.counted(list).start == elements.start
      {
        return (list, 0)
      }
    }
    return nil
  }

  /// Requires a layout in which members can be added and removed: one without members of which nothing is known.
  func requireKnownLayout() throws(ArchiveError) {
    if case .members = layout { return }
    for member in table.members(of: owner) {
      let key = table.text(at: member.key)?.string ?? ""
      guard FoundationClass.isCollectionKey(key) else {
        throw ArchiveError(
          .mismatch,
          "the object of class \(className ?? "?") has the field '\(key)' beside its elements, and may not agree with other elements"
        )
      }
    }
  }

  // MARK: Slots

  /// The slot of a value.
  func value(_ index: Int) throws(ArchiveError) -> Slot {
    switch layout {
    case .list(let holder), .pairs(_, let holder): return Slot(holder: holder, position: index)
    case .members(let holder, let pairs):
      let count = table.counted(holder).count
      return Slot(holder: holder, position: count + pairs.position(index))
    case .numbered(let holder, _): return try numbered("NS.object.\(index)", holder, isKey: false)
    }
  }

  /// The slot of a key; nil for elements, and for keys that are part of a field's name.
  func key(_ index: Int) throws(ArchiveError) -> Slot? {
    switch layout {
    case .list: return nil
    case .pairs(let holder, _): return Slot(holder: holder, position: index)
    case .members(let holder, let pairs):
      return Slot(holder: holder, position: pairs.position(index))
    case .numbered(let holder, let hasKeys):
      return hasKeys ? try numbered("NS.key.\(index)", holder, isKey: false) : nil
    }
  }

  /// The slot of the value of a key with a number, or of the key itself.
  private func numbered(
    _ name: String, _ holder: UInt32, isKey: Bool
  ) throws(ArchiveError) -> Slot {
    let count = table.counted(holder).count
    for (position, key, _) in table.members(of: holder)
    where table.text(at: key)?.sameCharacters(as: name) == true {
      return Slot(holder: holder, position: isKey ? position - count : position)
    }
    throw Self.derived
  }

  /// The slot of the name of a key with a number.
  func name(_ name: String) throws(ArchiveError) -> Slot {
    try numbered(name, owner, isKey: true)
  }

  /// The containers that the storage consists of.
  var holders: [UInt32] {
    switch layout {
    case .list(let holder), .members(let holder, _), .numbered(let holder, _): [holder]
    case .pairs(let keys, let values): [keys, values]
    }
  }
}

extension GraphContainer {
  /// The position that a step leads to; nil if there is none.
  package func position(of step: GraphPath.Step, in graph: ObjectGraph) -> Int? {
    switch (self, step) {
    case (.elements(let elements), .index(let index)):
      return (0..<elements.count).contains(index) ? index : nil
    case (.members(let pairs), .key(let key)):
      if let position = graph.position(of: key, in: pairs) { return position }
      // A key that is not text is identified as dump shows it.
      guard key.utf8.first == UInt8(ascii: "#") else { return nil }
      return (0..<pairs.count).first { position in
        graph.memberName(pairs, position) == nil
          && graph.label(of: graph.key(pairs, position)) == key
      }
    default: return nil
    }
  }
}

// MARK: - Who refers to a stored value: references from what the top of a document reaches

/// The references of a document.
struct StoredReferences {
  private let side: StoredComparison.Side
  /// How many references reachable containers have to each value.
  private var counts: [UInt32]

  init(of side: StoredComparison.Side) {
    self.side = side
    var counts = [UInt32](repeating: 0, count: side.document.table.count)
    var walk = ReferenceWalk(side)
    walk.visit(side.document.top) { _, target, _ in counts[Int(target)] &+= 1 }
    self.counts = counts
  }

  /// How many references lead to a value.
  func count(of index: UInt32) -> Int { Int(counts[Int(index)]) }

  /// Whether a reference leads to a value on a path that does not pass through it, beside one.
  ///
  /// References back, from what the value itself contains, do not count.
  func hasOther(to index: UInt32, than slot: StoredMembers.Slot?) -> Bool {
    guard count(of: index) > (slot == nil ? 0 : 1) else { return false }
    var isFound = false
    var walk = ReferenceWalk(side)
    walk.visit(side.document.top, avoiding: index) { _, target, holder in
      if target == index, holder != slot { isFound = true }
    }
    return isFound
  }
}

/// A walk over stored values that follows UIDs and enters each container once.
struct ReferenceWalk {
  private let side: StoredComparison.Side
  /// Whether the document may have damaged values, which nobody looked at yet.
  private let mayBeDamaged: Bool
  /// The values that were reached.
  private(set) var known: [Bool]

  init(_ side: StoredComparison.Side, mayBeDamaged: Bool = false) {
    self.side = side
    self.mayBeDamaged = mayBeDamaged
    known = [Bool](repeating: false, count: side.document.table.count)
  }

  private func isDamaged(_ index: UInt32) -> Bool {
    mayBeDamaged && side.document.table.fault(at: index) != nil
  }

  /// A container whose references are followed; nil for a damaged one, and for the list of objects.
  private func container(_ index: UInt32) -> TableContainer? {
    index == side.list || isDamaged(index) ? nil : TableContainer(index, in: side.document.table)
  }

  /// The values that a container refers to; none for a damaged one.
  func children(of index: UInt32) -> [UInt32] {
    container(index) == nil ? [] : side.document.table.children(of: index)
  }

  /// The object that a UID leads to; nil for other values.
  func object(_ uid: UInt32) -> UInt32? {
    let table = side.document.table
    guard !isDamaged(uid), table.marker(of: uid) >> 4 == Marker.uid, let objects = side.objects
    else { return nil }
    let number = Int(truncatingIfNeeded: table.uid(at: uid))
    return objects.indices.contains(number) ? objects[number] : nil
  }

  /// Marks a value and all that it leads to.
  ///
  /// - Parameters:
  ///   - avoided: a value whose references are not followed.
  ///   - visit: receives each reference, what it leads to, and where it is.
  /// - Returns: whether nothing of that is damaged.
  @discardableResult
  mutating func visit(
    _ start: UInt32, avoiding avoided: UInt32? = nil,
    _ visit: (UInt32, UInt32, StoredMembers.Slot) -> Void = { _, _, _ in }
  ) -> Bool {
    var pending = [start]
    var isSound = true
    known[Int(start)] = true
    while let index = pending.popLast() {
      if isDamaged(index) { isSound = false }
      guard index != avoided, let container = container(index) else { continue }
      for position in 0..<container.childCount {
        let child = container.child(position, in: side.document.table)
        let target = object(child) ?? child
        visit(child, target, StoredMembers.Slot(holder: index, position: position))
        if known[Int(target)] { continue }
        known[Int(target)] = true
        pending.append(target)
      }
    }
    return isSound
  }
}

/// Paths to a value beside one, for messages.
enum OtherPaths {
  private static let most = 3

  /// Up to three paths from a root to a value, but for one: the shortest to each container that refers to it.
  static func find(
    to node: Node, besides path: GraphPath, from root: Node, at start: GraphPath,
    in graph: ObjectGraph
  ) -> [String] {
    var found: [String] = []
    var walk = StoredWalk(from: root, in: graph)
    while root != node, let holder = try? walk.next() {
      guard let container = walk.container else { continue }
      for position in 0..<container.childCount
      where container.child(position, in: graph) == node {
        let steps = walk.path(to: holder).steps + [container.step(position, in: graph)]
        let other = GraphPath(start.steps + steps)
        if other != path { found.append(other.description) }
        if found.count == most { return found }
      }
    }
    return found
  }
}
