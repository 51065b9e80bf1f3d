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
    className = graph.classIndex(of: node).map { graph.classes[$0].displayName }
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
      for position in 0..<pairs.count
      where graph.memberName(pairs, position)?.sameCharacters(as: key) == true {
        return position
      }
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
  private let table: ValueTable
  private let top: UInt32
  private let list: UInt32?
  private let objects: [UInt32]
  /// How many references reachable containers have to each value.
  private var counts: [UInt32]

  init(of side: StoredComparison.Side) {
    table = side.document.table
    top = side.document.top
    list = side.list
    objects = side.objects ?? []
    counts = []
    var counts = [UInt32](repeating: 0, count: table.count)
    walk(avoiding: nil) { child, _ in counts[Int(child)] &+= 1 }
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
    walk(avoiding: index) { child, holder in
      if child == index, holder != slot { isFound = true }
    }
    return isFound
  }

  /// Visits each reachable container once.
  private func walk(avoiding: UInt32?, _ visit: (UInt32, StoredMembers.Slot) -> Void) {
    var known = [Bool](repeating: false, count: table.count)
    var pending = [top]
    known[Int(top)] = true
    while let index = pending.popLast() {
      guard index != avoiding, index != list, let container = TableContainer(index, in: table)
      else { continue }
      for position in 0..<container.childCount {
        var child = container.child(position, in: table)
        if table.marker(of: child) >> 4 == Marker.uid, list != nil {
          let number = table.uid(at: child)
          guard number < UInt64(objects.count) else { continue }
          child = objects[Int(number)]
        }
        visit(child, StoredMembers.Slot(holder: index, position: position))
        if !known[Int(child)] {
          known[Int(child)] = true
          pending.append(child)
        }
      }
    }
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
