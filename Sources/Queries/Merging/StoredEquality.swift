// Whether two files store the same: values, keys, classes, storage, and which objects are one.

import Basics
import KeyedArchives
import ObjectGraph

/// Compares two files down to their stored values.
///
/// The numbers of objects may differ, and the order of members and of the elements of sets. Everything else must be the
/// same, also what the values of a graph do not show: the archiver, the versions of classes, whether a value is stored
/// inline, and how an archive in a data value is encoded.
struct StoredEquality {
  /// Stored values that should be the same, before a UID is followed.
  private struct Pair: Hashable {
    let left: Node
    let right: Node
  }

  /// What is still to be compared.
  ///
  /// Not a `GraphWalk`: two files are walked in step, as they are stored.
  private struct Task {
    let pair: Pair
    let path: GraphPath
  }

  private let left: ValueDigests
  private let right: ValueDigests
  private var partners: [Node: Node] = [:]
  private var origins: [Node: Node] = [:]
  private var known: Set<Pair> = []
  private var waiting: [Task] = []

  /// The path of the first difference in the second file; nil if both store the same.
  ///
  /// - Throws: `ArchiveError` with code `limit` if values are too many or too deep.
  static func firstDifference(
    _ left: ObjectGraph, _ right: ObjectGraph, _ rules: ComparisonRules
  ) throws(ArchiveError) -> GraphPath? {
    var equality = StoredEquality(
      left: ValueDigests(left, rules), right: ValueDigests(right, rules))
    equality.add(
      Node(document: 0, index: left.documents[0].top),
      Node(document: 0, index: right.documents[0].top), GraphPath())
    while let task = equality.waiting.popLast() {
      if try !equality.compare(task) { return task.path }
    }
    return nil
  }

  private init(left: ValueDigests, right: ValueDigests) {
    self.left = left
    self.right = right
  }

  private mutating func add(_ one: Node, _ other: Node, _ path: GraphPath) {
    let pair = Pair(left: one, right: other)
    if known.insert(pair).inserted { waiting.append(Task(pair: pair, path: path)) }
  }

  private func table(_ node: Node, _ digests: ValueDigests) -> ValueTable {
    digests.graph.documents[Int(node.document)].table
  }

  // MARK: Stored values

  private mutating func compare(_ task: Task) throws(ArchiveError) -> Bool {
    let (one, other) = (task.pair.left, task.pair.right)
    let (ours, theirs) = (table(one, left), table(other, right))
    let (kind, otherKind) = (ours.marker(of: one.index) >> 4, theirs.marker(of: other.index) >> 4)
    if kind == Marker.uid, otherKind == kind, isArchive(one, left), isArchive(other, right) {
      return follow(one, ours.uid(at: one.index), other, theirs.uid(at: other.index))
    }
    guard kind >= Marker.array || otherKind >= Marker.array else {
      return ScalarEquality.stored.areSame(ours, one.index, theirs, other.index)
        || kind == Marker.data && haveSameContent(one, other, task.path)
    }
    guard kind == otherKind else { return false }
    return kind == Marker.dictionary
      ? try compareDictionaries(one, other, task.path) : compareLists(one, other, task.path)
  }

  private func isArchive(_ node: Node, _ digests: ValueDigests) -> Bool {
    digests.graph.documents[Int(node.document)].archive != nil
  }

  /// Whether two data values have archives of one encoding, which are compared then.
  private mutating func haveSameContent(_ one: Node, _ other: Node, _ path: GraphPath) -> Bool {
    guard let content = left.graph.content(of: one), let another = right.graph.content(of: other)
    else { return false }
    let (ours, theirs) = (left.graph.document(of: content), right.graph.document(of: another))
    guard ours.encoding == theirs.encoding else { return false }
    add(
      Node(document: content.document, index: ours.top),
      Node(document: another.document, index: theirs.top), path)
    return true
  }

  // MARK: Objects

  /// Whether two objects correspond to each other alone, if they have an identity.
  private mutating func follow(
    _ one: Node, _ number: UInt64, _ other: Node, _ otherNumber: UInt64
  ) -> Bool {
    guard number > 0, otherNumber > 0 else { return number == otherNumber }
    guard let target = object(number, one.document, left),
      let twin = object(otherNumber, other.document, right)
    else { return false }
    if Self.hasIdentity(target, left.graph) || Self.hasIdentity(twin, right.graph) {
      guard partners[target] ?? twin == twin, origins[twin] ?? target == target else {
        return false
      }
      partners[target] = twin
      origins[twin] = target
    }
    add(target, twin, GraphPath([.key("$objects"), .index(Int(otherNumber))]))
    return true
  }

  private func object(_ number: UInt64, _ document: UInt32, _ digests: ValueDigests) -> Node? {
    let (start, count) = digests.graph.objectTable(of: document)
    guard let start, number < UInt64(count) else { return nil }
    let table = digests.graph.documents[Int(document)].table
    return Node(document: document, index: table.reference(start, Int(number)))
  }

  /// Whether it matters that an object is the same as another: not for values that never change, nor for class records.
  static func hasIdentity(_ node: Node, _ graph: ObjectGraph) -> Bool {
    guard graph.documents[Int(node.document)].archive != nil,
      let index = graph.classIndex(of: node)
    else { return false }
    if graph.value(of: node).isContainer { return !graph.isEmptyCollection(node) }
    let name = graph.classes[index].name
    return FoundationClass.immutable(name) != name
  }

  // MARK: Containers

  private mutating func compareLists(_ one: Node, _ other: Node, _ path: GraphPath) -> Bool {
    let (ours, theirs) = (table(one, left), table(other, right))
    let (start, count) = ours.counted(one.index)
    let (otherStart, otherCount) = theirs.counted(other.index)
    guard count == otherCount else { return false }
    for position in 0..<count {
      add(
        Node(document: one.document, index: ours.reference(start, position)),
        Node(document: other.document, index: theirs.reference(otherStart, position)),
        path.appending(.index(position)))
    }
    return true
  }

  /// Compares stored dictionaries: objects, class records, the top of an archive, and those of property lists.
  private mutating func compareDictionaries(
    _ one: Node, _ other: Node, _ path: GraphPath
  ) throws(ArchiveError) -> Bool {
    let isTop =
      one.index == left.graph.document(of: one).top && isArchive(one, left)
      && other.index == right.graph.document(of: other).top && isArchive(other, right)
    // Objects are compared where something refers to them.
    var done: Set<String> = isTop ? ["$objects"] : []
    if !isTop, isArchive(one, left), isArchive(other, right),
      try compareUnordered(one, other, path)
    {
      done = ["NS.keys", "NS.objects"]
    }
    return compareMembers(one, other, path, besides: done)
  }

  private mutating func compareMembers(
    _ one: Node, _ other: Node, _ path: GraphPath, besides done: Set<String>
  ) -> Bool {
    let (ours, theirs) = (table(one, left), table(other, right))
    let (start, count) = ours.counted(one.index)
    let (otherStart, otherCount) = theirs.counted(other.index)
    guard count == otherCount else { return false }
    let positions = Self.positions(theirs, otherStart, otherCount)
    for position in 0..<count {
      let key = ours.reference(start, position)
      var partner = position
      var step = GraphPath.Step.index(position)
      if let positions {
        guard let name = ours.text(at: key)?.string, let found = positions[CodePointString(name)]
        else { return false }
        if done.contains(name) { continue }
        (partner, step) = (found, .key(name))
      } else {
        // Keys that are not strings, or repeated ones, are compared in their order.
        add(
          Node(document: one.document, index: key),
          Node(document: other.document, index: theirs.reference(otherStart, position)),
          path.appending(step))
      }
      add(
        Node(document: one.document, index: ours.reference(start, count + position)),
        Node(document: other.document, index: theirs.reference(otherStart, count + partner)),
        path.appending(step))
    }
    return true
  }

  /// The positions of keys; nil if one is not a string or is repeated.
  private static func positions(
    _ table: ValueTable, _ start: UnsafeRawPointer, _ count: Int
  ) -> [CodePointString: Int]? {
    var positions: [CodePointString: Int] = [:]
    for position in 0..<count {
      guard let name = table.text(at: table.reference(start, position))?.string,
        positions.updateValue(position, forKey: CodePointString(name)) == nil
      else { return nil }
    }
    return positions
  }

  // MARK: Collections without an order

  /// Compares what an NSDictionary or an NSSet holds, whatever its order.
  ///
  /// - Returns: whether the objects are such collections, and correspond.
  private mutating func compareUnordered(
    _ one: Node, _ other: Node, _ path: GraphPath
  ) throws(ArchiveError) -> Bool {
    switch (left.graph.value(of: one), right.graph.value(of: other)) {
    case (.dictionary(let ours), .dictionary(let theirs)):
      return compareEntries(ours, theirs, one, other, path)
    case (.set(let ours), .set(let theirs)):
      return try compareElements(ours, theirs, path)
    default: return false
    }
  }

  private mutating func compareEntries(
    _ ours: Pairs, _ theirs: Pairs, _ one: Node, _ other: Node, _ path: GraphPath
  ) -> Bool {
    guard ours.count == theirs.count, let names = MemberNames(ours, of: one, left),
      let others = MemberNames(theirs, of: other, right),
      names.list.allSatisfy({ others[$0.name] != nil })
    else { return false }
    var pairs: [(Slot, Slot, CodePointString)] = []
    for member in names.list {
      guard let partner = others[member.name] else { return false }
      for (elements, others) in [(ours.keys, theirs.keys), (ours.values, theirs.values)] {
        guard let slot = left.graph.slot(elements, ours.position(member.position)),
          let twin = right.graph.slot(others, theirs.position(partner.position))
        else { return false }
        pairs.append((slot, twin, member.name))
      }
    }
    for (slot, twin, name) in pairs { add(slot, twin, path.appending(.key(name.text))) }
    return true
  }

  private mutating func compareElements(
    _ ours: Elements, _ theirs: Elements, _ path: GraphPath
  ) throws(ArchiveError) -> Bool {
    guard ours.count == theirs.count, ours.width > 0, theirs.width > 0 else { return false }
    var waiting: [ValueDigest: [Int]] = [:]
    for position in (0..<theirs.count).reversed() {
      let digest = try right.digest(of: right.graph.node(theirs, position))
      waiting[digest, default: []].append(position)
    }
    var pairs: [(Slot, Slot, Int)] = []
    for position in 0..<ours.count {
      let digest = try left.digest(of: left.graph.node(ours, position))
      guard let partner = waiting[digest]?.popLast(),
        let slot = left.graph.slot(ours, position),
        let twin = right.graph.slot(theirs, partner)
      else { return false }
      pairs.append((slot, twin, partner))
    }
    for (slot, twin, position) in pairs { add(slot, twin, path.appending(.index(position))) }
    return true
  }

  private mutating func add(_ slot: Slot, _ other: Slot, _ path: GraphPath) {
    add(
      Node(document: slot.document, index: slot.reference),
      Node(document: other.document, index: other.reference), path)
  }
}
