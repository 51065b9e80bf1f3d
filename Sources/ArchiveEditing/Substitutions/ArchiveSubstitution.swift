// The rules applied to the stored values of one keyed archive.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import KeyedArchives

/// Edits a keyed archive's table according to the rules.
struct ArchiveSubstitution {
  let document: Document
  let table: ValueTable
  let parts: KeyedArchiveParts
  let classes: StoredClasses
  let rules: SubstitutionRules
  var patch: TablePatch
  private var texts = TextEdits()
  /// For stored values with several references, those in `$objects`.
  private lazy var objectPositions = sharedObjectPositions()
  /// For lists of names, which records of a hostile archive may share, the rules that change one of them.
  private var listRules: [UInt32: Set<Int>] = [:]
  /// Objects that were copied to be edited, since something else refers to them than `$objects`.
  var currentObject: [UInt32: UInt32] = [:]

  private init(
    _ document: Document, _ parts: KeyedArchiveParts, _ rules: SubstitutionRules,
    _ patch: TablePatch
  ) {
    self.document = document
    table = document.table
    self.parts = parts
    self.rules = rules
    self.patch = patch
    classes = StoredClasses(document, objects: parts.objects)
  }

  /// Applies the rules.
  ///
  /// - Returns: the edits, and what the archive was.
  /// - Throws: `ArchiveError` if a top-level object would be dropped, or a key would collide with another.
  static func apply(
    _ rules: SubstitutionRules, to document: Document, _ parts: KeyedArchiveParts,
    _ patch: TablePatch
  ) throws(ArchiveError) -> (patch: TablePatch, archive: SubstitutionVerification.Archive) {
    var substitution = ArchiveSubstitution(document, parts, rules, patch)
    let dropped = try DroppedObjects(
      in: document, top: parts.top, substitution.classes, rules, substitution.patch)
    try substitution.drop(dropped)
    try substitution.renameKeys()
    try substitution.renameTops()
    try substitution.renameClasses()
    substitution.setArchiver()
    substitution.texts.apply(to: &substitution.patch)
    return (
      substitution.patch, .init(parts: parts, classes: substitution.classes, dropped: dropped)
    )
  }

  // MARK: Containers of their own

  /// A container to edit in the role of some references: itself if it has no others, else a copy.
  mutating func own(_ container: UInt32, for references: [(holder: UInt32, position: Int)])
    -> UInt32
  {
    if patch.uses(of: container) == references.count { return container }
    let copy = patch.addCopy(of: container)
    for reference in references {
      patch.setChild(of: reference.holder, at: reference.position, to: copy)
    }
    return copy
  }

  /// A stored value of `$objects` to edit as such.
  mutating func ownObject(
    _ index: UInt32, and others: [(holder: UInt32, position: Int)] = []
  ) throws(ArchiveError) -> UInt32 {
    if patch.uses(of: index) == 1, others.isEmpty { return index }
    var references = others
    for position in objectPositions[index] ?? [] { references.append((parts.objects, position)) }
    if patch.uses(of: index) == references.count { return index }
    try parts.requireOwnObjects(in: patch, of: document)
    return own(index, for: references)
  }

  private func sharedObjectPositions() -> [UInt32: [Int]] {
    var positions: [UInt32: [Int]] = [:]
    for (number, index) in classes.objects.enumerated() where patch.uses(of: index) > 1 {
      positions[index, default: []].append(number)
    }
    return positions
  }

  // MARK: Classes

  private mutating func renameClasses() throws(ArchiveError) {
    guard !rules.substitutions.classRenames.isEmpty else { return }
    let holders = Dictionary(grouping: classes.inlineClasses, by: \.record)
    /// Arrays with names to be changed, and where class records refer to them.
    var lists: [UInt32: [(holder: UInt32, position: Int)]] = [:]
    var listOrder: [UInt32] = []
    for record in classes.records where countChanges(of: record) {
      let others = (holders[record] ?? []).map { (holder: $0.holder, position: $0.position) }
      let own = try ownObject(record, and: others)
      for (position, value, isList) in names(of: record) {
        if isList {
          if lists[value] == nil { listOrder.append(value) }
          lists[value, default: []].append((own, position))
        } else {
          rename(value, in: own, at: position)
        }
      }
    }
    for list in listOrder {
      let elements = patch.children(of: list)
      guard elements.contains(where: { renaming(at: $0) != nil }) else { continue }
      let own = own(list, for: lists[list] ?? [])
      // A class that gets the name of its neighbor occurs there once.
      let kept = rules.collapsed(elements.map { table.text(at: $0)?.string })
      let rest = kept.map { elements[$0] }
      if rest.count < elements.count { patch.setChildren(of: own, to: rest) }
      for (position, element) in rest.enumerated() { rename(element, in: own, at: position) }
    }
    for (record, count) in classes.objectCounts {
      guard let renaming = classes.names[record].flatMap({ rules.renaming(of: $0) }) else {
        continue
      }
      rules.count(.classRename, renaming.rule, objects: count)
    }
  }

  /// The locations of a record's names: its own, and the lists of its ancestors and its substitutes.
  private func names(of record: UInt32) -> [(position: Int, value: UInt32, isList: Bool)] {
    table.members(of: record).compactMap { position, key, value in
      guard let key = table.text(at: key) else { return nil }
      if key.equals("$classname") { return (position, value, false) }
      guard key.equals("$classes") || key.equals("$classhints"),
        table.marker(of: value) >> 4 == Marker.array
      else { return nil }
      return (position, value, true)
    }
  }

  /// Counts the rules that change a record; returns whether any does.
  private mutating func countChanges(of record: UInt32) -> Bool {
    var changed: Set<Int> = []
    for (_, value, isList) in names(of: record) {
      if isList {
        changed.formUnion(rulesChanging(list: value))
      } else if let renaming = renaming(at: value) {
        changed.insert(renaming.rule)
      }
    }
    for rule in changed { rules.count(.classRename, rule, records: 1) }
    return !changed.isEmpty
  }

  private mutating func rulesChanging(list: UInt32) -> Set<Int> {
    if let known = listRules[list] { return known }
    let found = Set(patch.children(of: list).compactMap { renaming(at: $0)?.rule })
    listRules[list] = found
    return found
  }

  private func renaming(at index: UInt32) -> SubstitutionRules.Renaming? {
    table.text(at: index).flatMap { rules.renaming(of: $0.string) }
  }

  private mutating func rename(_ text: UInt32, in container: UInt32, at position: Int) {
    guard let renaming = renaming(at: text) else { return }
    texts.replace(text, in: container, at: position, by: renaming.name)
  }

  // MARK: The archiver

  private mutating func setArchiver() {
    guard let archiver = rules.substitutions.archiver else { return }
    var isChanged = false
    for (position, key, value) in table.members(of: document.top)
    where table.text(at: key)?.equals("$archiver") == true {
      rules.match(.archiver)
      guard let text = table.text(at: value), !text.sameCharacters(as: archiver) else { continue }
      texts.replace(value, in: document.top, at: position, by: archiver)
      isChanged = true
    }
    if isChanged { rules.count(.archiver, records: 1) }
  }

  // MARK: Keys

  private mutating func renameKeys() throws(ArchiveError) {
    guard !rules.substitutions.keyRenames.isEmpty else { return }
    var done: Set<UInt32> = []
    for (number, object) in classes.objects.enumerated() where done.insert(object).inserted {
      guard let name = classes.className(of: object) else { continue }
      let numbers = rules.keyRenames(of: name)
      if numbers.isEmpty { continue }
      let current = currentObject[object] ?? object
      let renamed = try renaming(
        object, current, .keyRename, rules.keyRules(numbers),
        at: [.key("$objects"), .index(number)])
      if renamed.isEmpty { continue }
      rename(renamed, .keyRename, in: try current == object ? ownObject(object) : current)
    }
  }

  private mutating func renameTops() throws(ArchiveError) {
    let renamed = try renaming(
      parts.top, parts.top, .topRename, rules.topRules, at: [.key("$top")])
    if renamed.isEmpty { return }
    let holders = patch.children(of: document.top)
    let references = holders.indices.filter { holders[$0] == parts.top }
      .map { (holder: document.top, position: $0) }
    rename(renamed, .topRename, in: own(parts.top, for: references))
  }

  /// The keys of a container that change.
  ///
  /// - Parameter current: the container as it is edited.
  /// - Throws: `ArchiveError` with code `mismatch` if two keys would be the same.
  private func renaming(
    _ container: UInt32, _ current: UInt32, _ kind: SubstitutionCount.Kind,
    _ keyRules: [SubstitutionRules.KeyRule], at steps: [GraphPath.Step]
  ) throws(ArchiveError) -> [KeyRenaming.Change] {
    let children = patch.children(of: current)
    let keys = children.prefix(children.count / 2).map { table.text(at: $0)?.string }
    let renamed = KeyRenaming(keys, keyRules)
    for rule in renamed.matched { rules.match(kind, rule) }
    guard let collision = renamed.collision else { return renamed.changes }
    throw document.error(
      .mismatch, "the key '\(collision)' is there already; renaming another to it would lose one",
      at: container,
      path: GraphPath(steps + [.key(collision)]))
  }

  private mutating func rename(
    _ changes: [KeyRenaming.Change], _ kind: SubstitutionCount.Kind, in container: UInt32
  ) {
    let children = patch.children(of: container)
    let isTop = kind == .topRename
    for change in changes {
      texts.replace(
        children[change.position], in: container, at: change.position, by: change.key)
      rules.count(kind, change.rule, records: isTop ? 1 : 0, objects: isTop ? 0 : 1)
    }
  }
}

// MARK: - The class records of a keyed archive, and the objects of each class

/// The class records of a keyed archive, found in its stored values.
struct StoredClasses {
  let table: ValueTable
  /// The stored values of `$objects` by their numbers.
  let objects: [UInt32]
  /// The class records, in the order of their occurrence.
  private(set) var records: [UInt32] = []
  /// For each dictionary with a class its record.
  private(set) var recordOf: [UInt32: UInt32] = [:]
  /// The dictionaries with an inline class record, and its position among their children.
  private(set) var inlineClasses: [(holder: UInt32, position: Int, record: UInt32)] = []
  /// The stored names in the records.
  private(set) var names: [UInt32: String] = [:]
  private var isRecord: Set<UInt32> = []
  /// Dictionaries without a name, which a hostile archive may give to many objects for their class.
  private var isNoRecord: Set<UInt32> = []

  /// Looks through the values of a document.
  init(_ document: Document, objects list: UInt32) {
    table = document.table
    objects = table.children(of: list)
    for index in 0..<UInt32(truncatingIfNeeded: table.count)
    where table.fault(at: index) == nil && table.marker(of: index) >> 4 == Marker.dictionary {
      findClass(of: index)
    }
    for index in objects where isDictionary(index) && recordOf[index] == nil { add(index) }
  }

  /// The stored name of the class of a dictionary, or nil.
  func className(of dictionary: UInt32) -> String? {
    recordOf[dictionary].flatMap { names[$0] }
  }

  /// Whether a dictionary is a class record.
  func isClassRecord(_ index: UInt32) -> Bool { isRecord.contains(index) }

  private mutating func findClass(of dictionary: UInt32) {
    for (position, key, reference) in table.members(of: dictionary)
    where table.text(at: key)?.equals("$class") == true {
      guard let record = target(of: reference), isDictionary(record), add(record) else { continue }
      if record == reference { inlineClasses.append((dictionary, position, record)) }
      if recordOf[dictionary] == nil { recordOf[dictionary] = record }
    }
  }

  private func target(of reference: UInt32) -> UInt32? {
    guard table.marker(of: reference) >> 4 == Marker.uid else { return reference }
    return Int(exactly: table.uid(at: reference)).flatMap {
      objects.indices.contains($0) ? objects[$0] : nil
    }
  }

  /// Treats a dictionary as a class record if it has a name.
  @discardableResult
  private mutating func add(_ index: UInt32) -> Bool {
    if isRecord.contains(index) { return true }
    if isNoRecord.contains(index) { return false }
    guard let name = table.value("$classname", of: index).flatMap({ table.text(at: $0) }) else {
      isNoRecord.insert(index)
      return false
    }
    isRecord.insert(index)
    records.append(index)
    names[index] = name.string
    return true
  }

  private func isDictionary(_ index: UInt32) -> Bool {
    table.marker(of: index) >> 4 == Marker.dictionary
  }

  /// How many objects each class record has.
  var objectCounts: [UInt32: Int] { recordOf.values.reduce(into: [:]) { $0[$1, default: 0] += 1 } }
}

// MARK: - Strings to be replaced, decided together
//
// A string without other references is replaced in place, any other gets a new one beside it.

/// New strings for references to strings.
struct TextEdits {
  private struct Edit {
    let container: UInt32
    let position: Int
    let text: String
  }

  private var edits: [UInt32: [Edit]] = [:]
  private var order: [UInt32] = []

  /// Replaces the string of a reference.
  ///
  /// - Parameter old: the current string of the reference.
  mutating func replace(_ old: UInt32, in container: UInt32, at position: Int, by text: String) {
    if edits[old] == nil { order.append(old) }
    edits[old, default: []].append(Edit(container: container, position: position, text: text))
  }

  /// Makes the edits.
  ///
  /// Writers make equal strings one: what names a class may be a user's value as well, and is split from it here.
  func apply(to patch: inout TablePatch) {
    for old in order {
      guard let edits = edits[old], let first = edits.first else { continue }
      let isAlone = patch.uses(of: old) == edits.count
      if isAlone, edits.allSatisfy({ $0.text.utf8.elementsEqual(first.text.utf8) }) {
        patch.replace(old, with: TablePatch.encoded(first.text))
        continue
      }
      for edit in edits {
        patch.setChild(of: edit.container, at: edit.position, to: patch.add(edit.text))
      }
    }
  }
}
