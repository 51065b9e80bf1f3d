// The proof that new bytes are the old ones but for the names that the rules are for: both tables walked side by
// side, each value in the role that it has in the archive.

import Basics
import ObjectGraph

/// Compares the stored values of an input with those of its rewriting.
struct SubstitutionProof {
  /// The roles of a keyed archive's values.
  struct Archive {
    let parts: KeyedArchiveParts
    let classes: StoredClasses
    let dropped: DroppedObjects
  }

  private enum Role: UInt8 {
    /// Any value: equal, UIDs of dropped objects nil.
    case value
    /// The outermost dictionary of an archive.
    case archive
    /// `$objects`.
    case objects
    /// A class record.
    case record
    /// A class's name, and a list of such.
    case name, names
    /// The archiver's name.
    case archiver
    /// `$top`.
    case tops
  }

  private struct Step: Hashable {
    let old: UInt32
    let new: UInt32
    let role: UInt8
  }

  private let old: ValueTable
  private let new: ValueTable
  private let oldDocument: Document
  private let newDocument: Document
  private let archive: Archive?
  private let nested: [UInt32: [UInt8]]
  private let rules: SubstitutionRules
  /// `$objects` of both, if objects may have been removed; they are then compared where UIDs lead to them.
  private let objectLists: (old: [UInt32], new: [UInt32])?
  /// For each object number that was followed the new one.
  private var numbers: [UInt64: UInt64] = [:]
  private var pending: [Step] = []
  private var seen: Set<Step> = []

  /// Prepares a comparison.
  ///
  /// - Parameters:
  ///   - old: the input.
  ///   - new: its rewriting, read again.
  ///   - archive: the parts of the input, if it is a keyed archive.
  ///   - newObjects: `$objects` of the rewriting, if objects may have been removed.
  ///   - nested: data values of the input that became others, which were proved already.
  ///   - rules: the rules.
  init(
    old: Document, new: Document, archive: Archive?, newObjects: UInt32? = nil,
    nested: [UInt32: [UInt8]], rules: SubstitutionRules
  ) {
    oldDocument = old
    newDocument = new
    self.old = old.table
    self.new = new.table
    self.archive = archive
    objectLists = newObjects.flatMap { newObjects in
      archive.map { archive in
        (archive.classes.objects, Self.list(newObjects, in: new.table))
      }
    }
    self.nested = nested
    self.rules = rules
  }

  /// Compares all that the tops reach.
  ///
  /// - Throws: `ArchiveError` with code `unrepresentable` at the first unexpected value.
  mutating func run() throws(ArchiveError) {
    expect(oldDocument.top, newDocument.top, archive == nil ? .value : .archive)
    if objectLists?.old.isEmpty == false, !follow(0, 0) { throw difference(at: oldDocument.top) }
    while let step = pending.popLast() {
      guard try compare(step) else { throw difference(at: step.old) }
    }
    guard areObjectsInOrder else { throw difference(at: archive?.parts.objects ?? 0) }
  }

  // MARK: Numbers

  /// Follows a UID on both sides.
  private mutating func follow(_ oldNumber: UInt64, _ newNumber: UInt64) -> Bool {
    guard let objectLists else { return oldNumber == newNumber }
    if let known = numbers[oldNumber] { return known == newNumber }
    numbers[oldNumber] = newNumber
    guard let oldPlace = Int(exactly: oldNumber), oldPlace < objectLists.old.count,
      let newPlace = Int(exactly: newNumber), newPlace < objectLists.new.count
    else { return false }
    let object = objectLists.old[oldPlace]
    let isRecord = archive?.classes.isClassRecord(object) == true
    expect(object, objectLists.new[newPlace], isRecord ? .record : .value)
    return true
  }

  /// Whether the new objects are those that UIDs lead to, and no others, in the order that they had.
  private var areObjectsInOrder: Bool {
    guard let objectLists else { return true }
    return numbers.keys.sorted().map { numbers[$0] ?? .max }
      .elementsEqual(0..<UInt64(objectLists.new.count))
  }

  private func difference(at index: UInt32) -> ArchiveError {
    ArchiveError(
      .unrepresentable, "the rewritten archive would not be the old one under new names",
      offset: oldDocument.fileOffset(of: index),
      path: StoredPath.find(index, from: oldDocument.top, in: old))
  }

  private mutating func expect(_ old: UInt32, _ new: UInt32, _ role: Role) {
    let step = Step(old: old, new: new, role: role.rawValue)
    if seen.insert(step).inserted { pending.append(step) }
  }

  private mutating func compare(_ step: Step) throws(ArchiveError) -> Bool {
    switch Role(rawValue: step.role) ?? .value {
    case .name: return isText(step.new, renaming(at: step.old)) ?? same(step)
    case .archiver:
      guard old.text(at: step.old) != nil else { return same(step) }
      return isText(step.new, rules.substitutions.archiver) ?? same(step)
    case .names: return names(step)
    case .objects: return objects(step)
    case .archive: return members(step, Self.partRole)
    case .record: return members(step, Self.recordRole)
    case .tops: return tops(step)
    case .value: return value(step)
    }
  }

  // MARK: Names

  private func renaming(at index: UInt32) -> String? {
    old.text(at: index).flatMap { rules.renaming(of: $0.string)?.name }
  }

  /// Whether a new value is a string; nil if no string is expected.
  private func isText(_ index: UInt32, _ text: String?) -> Bool? {
    guard let text else { return nil }
    return new.text(at: index)?.sameCharacters(as: text) == true
  }

  /// Compares a chain, in which a class that got the name of its neighbor occurs once.
  private mutating func names(_ step: Step) -> Bool {
    guard old.marker(of: step.old) >> 4 == Marker.array else { return same(step) }
    let names = Self.list(step.old, in: old)
    let kept = rules.collapsed(names.map { old.text(at: $0)?.string })
    return new.marker(of: step.new) >> 4 == Marker.array
      && elements(kept.map { names[$0] }, Self.list(step.new, in: new), .name)
  }

  private static func partRole(_ key: Text?) -> Role {
    guard let key else { return .value }
    if key.equals("$objects") { return .objects }
    if key.equals("$top") { return .tops }
    return key.equals("$archiver") ? .archiver : .value
  }

  private static func recordRole(_ key: Text?) -> Role {
    guard let key else { return .value }
    if key.equals("$classname") { return .name }
    return key.equals("$classes") || key.equals("$classhints") ? .names : .value
  }

  // MARK: Values

  private mutating func value(_ step: Step) -> Bool {
    guard old.marker(of: step.old) >> 4 == Marker.dictionary, let archive,
      let name = archive.classes.className(of: step.old)
    else { return same(step) }
    return object(step, archive, rules.keyRenames(of: name))
  }

  /// Compares scalars; leaves what containers hold to the steps that follow.
  private mutating func same(_ step: Step) -> Bool {
    let kind = old.marker(of: step.old) >> 4
    switch kind {
    case Marker.dictionary: return members(step) { _ in .value }
    case Marker.array, Marker.set, Marker.orderedSet: return elements(step, .value)
    case Marker.uid where archive?.dropped.isDropped(step.old) == true:
      return new.marker(of: step.new) >> 4 == Marker.uid && new.uid(at: step.new) == 0
    case Marker.uid where objectLists != nil:
      return new.marker(of: step.new) >> 4 == Marker.uid
        && follow(old.uid(at: step.old), new.uid(at: step.new))
    default:
      let bytes = new.bytes(of: step.new)
      if let expected = nested[step.old] { return bytes.elementsEqual(expected) }
      return bytes.elementsEqual(old.bytes(of: step.old))
    }
  }

  private mutating func elements(_ step: Step, _ role: Role) -> Bool {
    let kind = old.marker(of: step.old) >> 4
    guard kind == Marker.array || kind == Marker.set || kind == Marker.orderedSet else {
      return same(step)
    }
    return new.marker(of: step.new) >> 4 == kind
      && elements(Self.list(step.old, in: old), Self.list(step.new, in: new), role)
  }

  private mutating func elements(_ left: [UInt32], _ right: [UInt32], _ role: Role) -> Bool {
    guard left.count == right.count else { return false }
    for (a, b) in zip(left, right) { expect(a, b, role) }
    return true
  }

  private mutating func objects(_ step: Step) -> Bool {
    if objectLists != nil { return true }
    let left = Self.list(step.old, in: old)
    let right = Self.list(step.new, in: new)
    guard left.count == right.count else { return false }
    for (a, b) in zip(left, right) {
      expect(a, b, archive?.classes.isClassRecord(a) == true ? .record : .value)
    }
    return true
  }

  private mutating func members(_ step: Step, _ role: (Text?) -> Role) -> Bool {
    guard old.marker(of: step.old) >> 4 == Marker.dictionary else { return same(step) }
    guard new.marker(of: step.new) >> 4 == Marker.dictionary else { return false }
    let left = Self.list(step.old, in: old)
    let right = Self.list(step.new, in: new)
    guard left.count == right.count else { return false }
    for position in 0..<left.count / 2 {
      expect(left[position], right[position], .value)
      let value = left.count / 2 + position
      expect(left[value], right[value], role(old.text(at: left[position])))
    }
    return true
  }

  /// Compares the top-level keys as the rules rename them, and what they lead to.
  private mutating func tops(_ step: Step) -> Bool {
    guard old.marker(of: step.old) >> 4 == Marker.dictionary else { return same(step) }
    guard new.marker(of: step.new) >> 4 == Marker.dictionary else { return false }
    let left = Self.list(step.old, in: old)
    let right = Self.list(step.new, in: new)
    guard left.count == right.count else { return false }
    let pairs = left.count / 2
    let renamed = KeyRenaming(left.prefix(pairs).map { old.text(at: $0)?.string }, rules.topRules)
    let keys = Dictionary(uniqueKeysWithValues: renamed.changes.map { ($0.position, $0.key) })
    for position in 0..<pairs {
      if let key = keys[position] {
        guard isText(right[position], key) == true else { return false }
      } else {
        expect(left[position], right[position], .value)
      }
      expect(left[pairs + position], right[pairs + position], .value)
    }
    return true
  }

  private static func list(_ index: UInt32, in table: ValueTable) -> [UInt32] {
    let (start, count) = table.counted(index)
    let isDictionary = table.marker(of: index) >> 4 == Marker.dictionary
    return (0..<(isDictionary ? count * 2 : count)).map { table.reference(start, $0) }
  }

  // MARK: Objects

  /// Compares an object: its keys as the rules rename them, its lists without dropped elements.
  private mutating func object(
    _ step: Step, _ archive: Archive, _ keyRules: [Int]
  ) -> Bool {
    guard new.marker(of: step.new) >> 4 == Marker.dictionary else { return false }
    let rest = archive.dropped.withoutIndexed(step.old)
    let left = rest?.children ?? Self.list(step.old, in: old)
    let right = Self.list(step.new, in: new)
    guard left.count == right.count else { return false }
    let lists = archive.dropped.lists(of: step.old)
    let pairs = left.count / 2
    let renamed = KeyRenaming(
      left.prefix(pairs).map { old.text(at: $0)?.string },
      rules.keyRules(keyRules))
    let keys = Dictionary(uniqueKeysWithValues: renamed.changes.map { ($0.position, $0.key) })
    for position in 0..<pairs {
      if let key = keys[position] {
        guard isText(right[position], key) == true else { return false }
      } else {
        expect(left[position], right[position], .value)
      }
      let value = pairs + position
      if let count = rest?.count, count.position == value {
        guard new.bytes(of: right[value]).elementsEqual(count.encoded) else { return false }
      } else if let rest = lists.first(where: { $0.position == value })?.left {
        guard new.marker(of: right[value]) >> 4 == Marker.array,
          elements(rest, Self.list(right[value], in: new), .value)
        else { return false }
      } else {
        let isRecord =
          archive.classes.isClassRecord(left[value])
          && old.text(at: left[position])?.equals("$class") == true
        expect(left[value], right[value], isRecord ? .record : .value)
      }
    }
    return true
  }
}
