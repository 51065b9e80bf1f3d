// Keyed archives: `$top` and `$objects` found and checked, objects with a class given their values.
//
// Format facts: swift-corelibs-foundation, NSKeyedArchiver.swift and NSKeyedUnarchiver.swift.

import ArchiveBasics
import ArchiveGraph

/// One keyed archive of a graph: interprets its stored dictionaries.
package final class KeyedArchive: ObjectInterpreter {
  package let table: ValueTable
  let keyCache = KeyCache()
  private let document: UInt32
  private let objects: UInt32
  /// `$top`, whose keys are mangled as those of objects are.
  private let top: UInt32
  /// Where objects with many keys have them: many others may refer to one, and ask for its fields each time.
  private var keyIndexes: [UnsafeRawPointer: KeyIndex] = [:]
  /// The names of objects of an interface, which may have many connections.
  var interfaceNames: [UInt32: String] = [:]
  /// The classes of those slots of `recentClasses` that several classes have.
  private var olderClasses: [UInt32: ClassEntry] = [:]
  private let registered: RegisteredClasses
  /// How much may still be read of class names, which records of a hostile archive may share.
  private var nameAllowance: ClassNameAllowance
  /// Objects of known classes that are not what their classes need; in recovery they keep their fields.
  private var faulty: Set<UInt32> = []
  /// Whether a family may show an object as a container that is not stored.
  private var derivesContainers = false
  /// The most recent classes by their records.
  private let recentClasses = DirectMappedCache<UInt32, ClassEntry?>(slots: 8, empty: (.max, nil))

  /// A class record, read once.
  private struct ClassEntry {
    let index: ClassIndex
    let family: (any ClassFamily.Type)?
    /// Whether the family is that of an ancestor.
    let isInherited: Bool
    /// What objects are that need no interpretation again; unknown for other families.
    let resolvedKind: ResolvedTable.Kind
  }

  /// The first positions of an object's keys, as far as they were asked for.
  private final class KeyIndex {
    /// Up to how many keys are compared one by one.
    static let fewKeys = 256
    /// How many bytes the longest key has that is looked for.
    static let longestKey = 1024

    var known: [KnownKey: Int] = [:]
    var named: [CodePointString: Int]?
    var hasOnlyFrameworkKeys: Bool?
  }

  private init(
    table: ValueTable, document: UInt32, objects: UInt32, top: UInt32,
    _ registered: RegisteredClasses
  ) {
    self.registered = registered
    self.top = top
    self.table = table
    self.document = document
    self.objects = objects
    nameAllowance = ClassNameAllowance(archiveSize: table.byteCount)
  }

  /// Resolves a document if it is a keyed archive.
  ///
  /// - Parameters:
  ///   - recovering: whether objects that are not well formed are warned of and keep their fields.
  ///   - classes: classes of the application.
  /// - Returns: whether it is one.
  /// - Throws: `ArchiveError` if it means to be one and is not well formed.
  @discardableResult
  package static func resolve(
    document: UInt32, in graph: ObjectGraph, recovering: Bool = false,
    classes: RegisteredClasses = RegisteredClasses()
  ) throws(ArchiveError) -> Bool {
    guard let parts = try KeyedArchiveParts(document: document, in: graph) else { return false }
    let table = graph.documents[Int(document)].table
    let archive = KeyedArchive(
      table: table, document: document, objects: parts.objects, top: parts.top, classes)
    graph.resolve(
      document: document, objects: parts.objects, facts: parts.facts(keys: [], nodes: []),
      interpreter: archive)
    try archive.checkObjects(in: graph, recovering: recovering)
    archive.setTops(parts, in: graph)
    return true
  }

  /// With the one top-level key `root` the archive's root is its object, else the dictionary of them all.
  private func setTops(_ parts: KeyedArchiveParts, in graph: ObjectGraph) {
    let pairs = graph.storedPairs(of: Node(document: document, index: parts.top))
    let keys = (0..<pairs.count).map { position in
      graph.text(of: graph.key(pairs, position))?.unmangledKey.string ?? ""
    }
    let nodes = (0..<pairs.count).map { graph.value(pairs, $0) }
    graph.setArchive(parts.facts(keys: keys, nodes: nodes), of: document)
    let isSingle = keys == ["root"]
    graph.setRoot(isSingle ? nodes[0] : Node(document: document, index: parts.top), of: document)
  }

  // MARK: Values

  /// The value of a stored dictionary: plain for the classes that archtool knows, else its fields.
  package override func value(of index: UInt32, document: UInt32, in graph: ObjectGraph) -> Value {
    let node = Node(document: document, index: index)
    let (start, count) = table.counted(index)
    guard let position = classPosition(start, count),
      let entry = classEntry(table.reference(start, count &+ position), in: graph)
    else {
      return .dictionary(graph.storedPairs(of: node, as: index == top ? .archive : .dictionary))
    }
    if let family = entry.family, !entry.isInherited || hasOnlyFrameworkKeys(node),
      faulty.isEmpty || !faulty.contains(index),
      let value = family.value(of: ArchivedObject(graph: graph, archive: self, node: node))
    {
      return value
    }
    return .object(entry.index, graph.storedPairs(of: node, as: .object(classPosition: position)))
  }

  /// The class of a stored dictionary, nil without one.
  package override func classIndex(
    of index: UInt32, document: UInt32, in graph: ObjectGraph
  ) -> ClassIndex? {
    guard table.marker(of: index) >> 4 == Marker.dictionary else { return nil }
    let (start, count) = table.counted(index)
    guard let position = classPosition(start, count) else { return nil }
    return classEntry(table.reference(start, count &+ position), in: graph)?.index
  }

  /// A summary of a stored dictionary in one line, if its class is known and has one.
  package override func summary(
    of index: UInt32, document: UInt32, in graph: ObjectGraph
  ) -> String? {
    let node = Node(document: document, index: index)
    guard graph.canDerive, let family = family(of: node), !faulty.contains(index) else {
      return nil
    }
    return family.summary(of: ArchivedObject(graph: graph, archive: self, node: node))
  }

  /// Whether a node is a stored dictionary: an object, or an inline dictionary.
  package func isDictionary(_ node: Node) -> Bool {
    node.document == document && table.marker(of: node.index) >> 4 == Marker.dictionary
  }

  /// Whether an object of a subclass adds no keys of its own, so that its ancestor's value is all of it.
  private func hasOnlyFrameworkKeys(_ node: Node) -> Bool {
    let (start, count) = table.counted(node.index)
    let index = keyIndex(start, count)
    if let known = index?.hasOnlyFrameworkKeys { return known }
    let result = (0..<count).allSatisfy { Framework.isKey(key(start, $0)) }
    index?.hasOnlyFrameworkKeys = result
    return result
  }

  /// A key, also one behind a UID; empty if it is not a string, or longer than any that a class has.
  private func key(_ start: UnsafeRawPointer, _ position: Int) -> String {
    guard let index = record(table.reference(start, position)), let text = table.text(at: index),
      text.byteCount <= KeyIndex.longestKey
    else { return "" }
    return text.string
  }

  /// The first position of a key among those of an object; nil if it is not there.
  func position(of key: KnownKey, among keys: Elements) -> Int? {
    if let index = keyIndex(keys.start, keys.count) { return index.known[key] }
    return (0..<keys.count).first { keyCache.key(table.reference(keys.start, $0), table) == key }
  }

  /// The first position of a key among those of an object; nil if it is not there.
  func position(of key: String, among keys: Elements) -> Int? {
    if let index = keyIndex(keys.start, keys.count) {
      let named = index.named ?? names(keys)
      index.named = named
      return named[CodePointString(key)]
    }
    return (0..<keys.count).first { position in
      guard let index = record(table.reference(keys.start, position)) else { return false }
      return table.text(at: index)?.sameCharacters(as: key) == true
    }
  }

  /// The positions of the keys of an object that has many; nil for others.
  @inline(__always)
  private func keyIndex(_ start: UnsafeRawPointer, _ count: Int) -> KeyIndex? {
    count <= KeyIndex.fewKeys ? nil : makeKeyIndex(start, count)
  }

  @inline(never)
  private func makeKeyIndex(_ start: UnsafeRawPointer, _ count: Int) -> KeyIndex {
    if let known = keyIndexes[start] { return known }
    let index = KeyIndex()
    for position in (0..<count).reversed() {
      index.known[keyCache.key(table.reference(start, position), table)] = position
    }
    keyIndexes[start] = index
    return index
  }

  private func names(_ keys: Elements) -> [CodePointString: Int] {
    var named: [CodePointString: Int] = [:]
    for position in (0..<keys.count).reversed() {
      named[CodePointString(key(keys.start, position))] = position
    }
    return named
  }

  /// The description of a node's class, nil for unknown classes.
  package func family(of node: Node) -> (any ClassFamily.Type)? {
    guard node.document == document, table.marker(of: node.index) >> 4 == Marker.dictionary else {
      return nil
    }
    let (start, count) = table.counted(node.index)
    guard let position = classPosition(start, count) else { return nil }
    return knownClass(record(table.reference(start, count &+ position)) ?? .max)?.family
  }

  @inline(__always)
  private func classPosition(_ start: UnsafeRawPointer, _ count: Int) -> Int? {
    if let index = keyIndex(start, count) { return index.known[.classReference] }
    for position in 0..<count
    where keyCache.key(table.reference(start, position), table) == .classReference {
      return position
    }
    return nil
  }

  // MARK: Classes

  /// The stored index that a reference to a class leads to, through `$objects`.
  @inline(__always)
  private func record(_ reference: UInt32) -> UInt32? {
    guard table.marker(of: reference) >> 4 == Marker.uid else { return reference }
    let number = table.uid(at: reference)
    let (start, count) = table.counted(objects)
    guard number < UInt64(count) else { return nil }
    return table.reference(start, Int(number))
  }

  @inline(__always)
  private func classEntry(_ reference: UInt32, in graph: ObjectGraph) -> ClassEntry? {
    guard let record = graph.followed(reference, in: document) ?? record(reference) else {
      return nil
    }
    return recentClasses.find(record, hash: Int(record)) ?? slowClassEntry(record, in: graph)
  }

  /// A class that was read; nil for others.
  private func knownClass(_ record: UInt32) -> ClassEntry? {
    recentClasses.find(record, hash: Int(record)) ?? olderClasses[record]
  }

  /// Takes note of a class that was read; most archives have one for each slot, and make no table.
  private func remember(_ entry: ClassEntry, _ record: UInt32) {
    let slot = recentClasses.slot(Int(record))
    if let previous = slot.pointee.value {
      olderClasses[slot.pointee.key] = previous
      olderClasses[record] = entry
    }
    slot.pointee = (record, entry)
  }

  @inline(never)
  private func slowClassEntry(_ record: UInt32, in graph: ObjectGraph) -> ClassEntry? {
    if let known = olderClasses[record] {
      recentClasses.slot(Int(record)).pointee = (record, known)
      return known
    }
    guard table.marker(of: record) >> 4 == Marker.dictionary, !nameAllowance.isExceeded else {
      return nil
    }
    var name: String?
    var chain: [String] = []
    var hints: [String] = []
    var versions: [Int64] = []
    let pairs = graph.storedPairs(of: Node(document: document, index: record))
    for position in 0..<pairs.count {
      let value = graph.node(pairs.values, position)
      switch keyCache.key(table.reference(pairs.keys.start, position), table) {
      case .className: name = nameAllowance.string(graph.text(of: value))
      case .classChain: chain = names(value, in: graph)
      case .classHints: hints = names(value, in: graph)
      case .classVersions: versions = numbers(value, in: graph)
      default: continue
      }
    }
    guard let name, !nameAllowance.isExceeded else {
      if let excess = nameAllowance.reportExcess() { graph.losses.append(excess) }
      return nil
    }
    let description = ClassDescription(
      name: name, displayName: ClassName(stored: name).display, chain: chain, hints: hints,
      versions: versions.contains { $0 != 0 } ? versions : [])
    let own = registered[name] ?? ClassRegistry.family(of: name)
    // Hints name the classes to take where the class itself is not there, the best first.
    let family =
      own ?? registered.family(ofAncestors: chain)
      ?? ClassRegistry.family(ofAncestors: chain + hints)
    let entry = ClassEntry(
      index: graph.classIndex(description), family: family, isInherited: own == nil,
      resolvedKind: Self.resolvedKind(family, isInherited: own == nil))
    remember(entry, record)
    return entry
  }

  /// What objects of a family are whose fields alone tell it.
  private static func resolvedKind(
    _ family: (any ClassFamily.Type)?, isInherited: Bool
  ) -> ResolvedTable.Kind {
    guard let family else { return .object }
    return isInherited ? .unknown : ClassRegistry.resolvedKind(of: family)
  }

  private func names(_ node: Node, in graph: ObjectGraph) -> [String] {
    guard case .array(let elements) = graph.storedValue(of: node) else { return [] }
    var names: [String] = []
    for position in 0..<elements.count where !nameAllowance.isExceeded {
      guard let name = nameAllowance.string(graph.text(of: graph.node(elements, position))) else {
        continue
      }
      names.append(name)
    }
    return names
  }

  /// The integers of a stored array; empty if it has others, or more than any chain has classes.
  private func numbers(_ node: Node, in graph: ObjectGraph) -> [Int64] {
    guard case .array(let elements) = graph.storedValue(of: node), elements.count <= 64 else {
      return []
    }
    var numbers: [Int64] = []
    for position in 0..<elements.count {
      guard case .integer(let number) = graph.storedValue(of: graph.node(elements, position))
      else { return [] }
      numbers.append(number)
    }
    return numbers
  }

  // MARK: Checks

  /// Checks each object of `$objects` that has a class, so that values can be read without failing later, and keeps what
  /// it is.
  private func checkObjects(in graph: ObjectGraph, recovering: Bool) throws(ArchiveError) {
    let (start, count) = table.counted(objects)
    // Objects with faults are warned of in recovery, and interpreted again each time.
    let resolved = recovering ? nil : ResolvedTable(for: table, objectCount: count)
    if let resolved {
      for number in 0..<count {
        let index = table.reference(start, number)
        resolved.declare(number, index, marker: table.marker(of: index))
      }
      resolved.seal()
    }
    let slots = resolved?.slots
    // The slots are the table's memory, which is not to go before the last of them is filled.
    defer { withExtendedLifetime(resolved) {} }
    var layout = ObjectLayout()
    for number in 0..<count {
      let index = table.reference(start, number)
      do {
        try checkObject(index, number, in: graph, slots, &layout)
      } catch {
        guard recovering else { throw error }
        faulty.insert(index)
        if graph.warnings.count < 200 { graph.warnings.append(error) }
      }
    }
    if let resolved {
      graph.setResolved(resolved, of: document, isStoredOnly: !derivesContainers)
    }
  }

  /// The message about an object with an invalid class.
  static let noClassRecord = "$class must refer to a class record, a dictionary with $classname"

  private func checkObject(
    _ index: UInt32, _ number: Int, in graph: ObjectGraph, _ slots: ResolvedTable.Slots?,
    _ layout: inout ObjectLayout
  ) throws(ArchiveError) {
    guard table.marker(of: index) >> 4 == Marker.dictionary else { return }
    let (keys, keyCount) = table.counted(index)
    layout.find(keys, keyCount, table, keyCache)
    guard let position = layout.classReference else { return }
    guard let entry = classEntry(table.reference(keys, keyCount &+ position), in: graph) else {
      if let excess = nameAllowance.excess {
        throw error(excess, at: number, index, graph, code: .limit)
      }
      throw error(Self.noClassRecord, at: number, index, graph)
    }
    if let slots, resolve(index, entry, keys, keyCount, layout, slots, in: graph) { return }
    guard let family = entry.family else { return }
    if !family.isLeaf { derivesContainers = true }
    let node = Node(document: document, index: index)
    if let fault = family.fault(in: ArchivedObject(graph: graph, archive: self, node: node)) {
      throw error(fault, at: number, index, graph)
    }
  }

  /// Keeps what an object is; false if only its family can say that, or whether it has a fault.
  @inline(__always)
  private func resolve(
    _ index: UInt32, _ entry: ClassEntry, _ keys: UnsafeRawPointer, _ keyCount: Int,
    _ layout: ObjectLayout, _ slots: ResolvedTable.Slots, in graph: ObjectGraph
  ) -> Bool {
    guard let classPosition = layout.classReference else { return false }
    let values = keys + keyCount &* table.referenceWidth
    switch entry.resolvedKind {
    case .unknown: return false
    case .object:
      slots.set(
        index, .object, class: entry.index, classPosition: classPosition, count: keyCount,
        first: keys, second: values)
    case .array, .set, .orderedSet:
      guard let list = storedArray(layout.objects, values, in: graph) else { return false }
      slots.set(
        index, entry.resolvedKind, class: entry.index, classPosition: classPosition,
        count: list.count, first: list.start, second: list.start)
    case .dictionary:
      guard let names = storedArray(layout.keys, values, in: graph),
        let list = storedArray(layout.objects, values, in: graph), names.count == list.count
      else { return false }
      slots.set(
        index, .dictionary, class: entry.index, classPosition: classPosition, count: list.count,
        first: names.start, second: list.start)
    }
    return true
  }

  /// The stored array that a field leads to; nil for others.
  @inline(__always)
  private func storedArray(
    _ position: Int?, _ values: UnsafeRawPointer, in graph: ObjectGraph
  ) -> (start: UnsafeRawPointer, count: Int)? {
    guard let position else { return nil }
    let index = graph.follow(table.reference(values, position), in: document).index
    return table.marker(of: index) >> 4 == Marker.array ? table.counted(index) : nil
  }

  private func error(
    _ message: String, at number: Int, _ index: UInt32, _ graph: ObjectGraph,
    code: ArchiveError.Code = .malformed
  ) -> ArchiveError {
    ArchiveError(
      code, message, offset: graph.documents[Int(document)].fileOffset(of: index),
      path: GraphPath([.key("$objects"), .index(number)]))
  }
}
