// The objects of dropped classes, and the rest of the lists that contained them.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting

/// The numbers of the objects that become nil.
struct DroppedObjects {
  private let document: Document
  private let table: ValueTable
  /// For each number the rule that drops the object.
  private(set) var rules: [UInt64: Int] = [:]

  /// Looks for them.
  ///
  /// - Throws: `ArchiveError` with code `mismatch` if a top-level object is among them.
  init(
    in document: Document, top: UInt32, _ classes: StoredClasses, _ rules: SubstitutionRules,
    _ patch: TablePatch
  ) throws(ArchiveError) {
    self.document = document
    table = document.table
    guard !rules.substitutions.droppedClasses.isEmpty else { return }
    for (number, object) in classes.objects.enumerated() where !classes.isClassRecord(object) {
      guard let name = classes.className(of: object), let rule = rules.drop(of: name) else {
        continue
      }
      self.rules[UInt64(number)] = rule
    }
    guard !self.rules.isEmpty else { return }
    for (_, key, value) in table.members(of: top) where isDropped(value) {
      let key = table.text(at: key)?.string ?? "?"
      throw ArchiveError(
        .mismatch, "the root object has a class to be dropped; an archive needs its root",
        offset: document.fileOffset(of: value),
        path: GraphPath([.key("$top"), .key(key)]))
    }
    for rule in self.rules.values { rules.count(.droppedClass, rule, objects: 1) }
  }

  /// Whether a stored value is a UID that leads to a dropped object.
  func isDropped(_ index: UInt32) -> Bool { rule(of: index) != nil }

  /// The rule that drops the object of a stored UID, or nil.
  func rule(of index: UInt32) -> Int? {
    guard !rules.isEmpty, table.marker(of: index) >> 4 == Marker.uid else { return nil }
    return rules[table.uid(at: index)]
  }

  // MARK: Lists

  /// The lists of an object that change: the child, and the remaining elements.
  ///
  /// Lists of equal length correspond element by element: the keys and values of a dictionary.
  func lists(of object: UInt32) -> [(position: Int, left: [UInt32])] {
    if rules.isEmpty { return [] }
    var found: [(position: Int, elements: [UInt32])] = []
    for (position, key, list) in table.members(of: object) {
      guard let key = table.text(at: key),
        key.equals("NS.objects") || key.equals("NS.keys") || key.equals("NS.counts"),
        table.marker(of: list) >> 4 == Marker.array
      else { continue }
      found.append((position, table.children(of: list)))
    }
    guard let length = found.first?.elements.count,
      found.allSatisfy({ $0.elements.count == length })
    else { return [] }
    let kept = (0..<length).filter { element in
      !found.contains { isDropped($0.elements[element]) }
    }
    if kept.count == length { return [] }
    return found.map { list in (list.position, kept.map { list.elements[$0] }) }
  }

  /// The rest of an object whose elements have keys with numbers.
  struct Indexed {
    /// Its children, after dropped elements are removed and the others have moved up.
    var children: [UInt32]
    /// The number of elements, if the object has one: its position among the children,
    /// and its new value.
    var count: (position: Int, encoded: [UInt8])?
  }

  /// The rest of an object whose elements have keys with numbers, `NS.object.0` or `NS.object0` with `NS.count0`;
  /// nil if nothing changes.
  func withoutIndexed(_ object: UInt32) -> Indexed? {
    if rules.isEmpty { return nil }
    let (start, count) = table.counted(object)
    var positions = [[Int: Int]](repeating: [:], count: Self.prefixes.count)
    var lost: Set<Int> = []
    var total: Int?
    for position in 0..<count {
      guard let key = table.text(at: table.reference(start, position)), key.starts(with: 0x4E)
      else { continue }
      if key.equals("NS.count") { total = position }
      guard let (list, number) = Self.indexed(key.string) else { continue }
      positions[list][number] = position
      if isDropped(table.reference(start, count + position)) { lost.insert(number) }
    }
    if lost.isEmpty { return nil }
    var values = (0..<count).map { Optional(table.reference(start, count + $0)) }
    for list in positions {
      let numbers = list.keys.sorted()
      let left = numbers.filter { !lost.contains($0) }
      for (rank, number) in numbers.enumerated() {
        guard let target = list[number] else { continue }
        let source = rank < left.count ? list[left[rank]] : nil
        values[target] = source.map { table.reference(start, count + $0) }
      }
    }
    let kept = values.indices.filter { values[$0] != nil }
    var rest = Indexed(
      children: kept.map { table.reference(start, $0) } + kept.compactMap { values[$0] })
    if let total, let position = kept.firstIndex(of: total), let value = values[total],
      case .integer(let elements) = table.scalar(at: value), elements >= Int64(lost.count)
    {
      let left = elements - Int64(lost.count)
      rest.count = (kept.count + position, TablePatch.encoded(integer: left))
    }
    return rest
  }

  /// The keys of lists of elements, but for the number; longer ones come first.
  private static let prefixes = ["NS.key.", "NS.object.", "NS.count.", "NS.object", "NS.count"]

  private static func indexed(_ key: String) -> (list: Int, number: Int)? {
    for (list, prefix) in prefixes.enumerated() where key.hasPrefix(prefix) {
      let digits = key.utf8.dropFirst(prefix.utf8.count)
      guard digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
        let number = Int(Substring(digits))
      else { return nil }
      return (list, number)
    }
    return nil
  }

  /// Refuses to leave a hole in a table whose entries have no names: its reader stops at nil.
  fileprivate func refuseHoles(in object: UInt32, of name: String) throws(ArchiveError) {
    guard Self.tables.contains(name) else { return }
    if table.members(of: object).contains(where: { isDropped($0.value) }) {
      throw ArchiveError(
        .mismatch,
        "an entry of \(name) is of a class to be dropped; the entries after it would be lost",
        offset: document.fileOffset(of: object),
        path: StoredPath.find(object, from: document.top, in: table))
    }
  }

  private static let tables: Set<String> = [
    "NSMapTable", "NSConcreteMapTable", "NSHashTable", "NSConcreteHashTable", "NSPointerArray",
    "NSConcretePointerArray",
  ]
}

extension ArchiveSubstitution {
  /// Takes dropped objects out of lists and makes every other reference to them nil.
  mutating func drop(_ dropped: DroppedObjects) throws(ArchiveError) {
    guard !dropped.rules.isEmpty else { return }
    for index in 0..<UInt32(truncatingIfNeeded: table.count) where table.fault(at: index) == nil {
      guard let rule = dropped.rule(of: index) else { continue }
      rules.count(.droppedClass, rule, references: patch.uses(of: index))
      // UID 0 in as many bytes.
      let width = table.bytes(of: index).count - 1
      patch.replace(index, with: [table.marker(of: index)] + [UInt8](repeating: 0, count: width))
    }
    for object in classes.recordOf.keys.sorted() {
      try dropElements(of: object, dropped)
    }
  }

  private mutating func dropElements(
    of object: UInt32, _ dropped: DroppedObjects
  ) throws(ArchiveError) {
    if let name = classes.className(of: object) { try dropped.refuseHoles(in: object, of: name) }
    if let rest = dropped.withoutIndexed(object) {
      let own = try ownObject(object)
      currentObject[object] = own
      patch.setChildren(of: own, to: rest.children)
      if let count = rest.count {
        patch.setChild(of: own, at: count.position, to: patch.add(encoded: count.encoded))
      }
      return
    }
    for (position, left) in dropped.lists(of: object) {
      var holder = currentObject[object] ?? object
      let list = patch.children(of: holder)[position]
      if patch.uses(of: list) == 1, holder == object, patch.uses(of: object) == 1 {
        patch.setChildren(of: list, to: left)
        continue
      }
      if holder == object { holder = try ownObject(object) }
      currentObject[object] = holder
      patch.setChildren(of: own(list, for: [(holder, position)]), to: left)
    }
  }
}
