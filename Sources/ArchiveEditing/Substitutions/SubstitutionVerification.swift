// The check that new bytes are the old ones but for the names that the rules are for: what is expected of each value
// in the role that it has in the archive.

import ArchiveBasics
import ArchiveGraph
import ArchiveWriting
import KeyedArchives

/// Compares the stored values of an input with those of its rewriting.
struct SubstitutionVerification {
  /// The roles of a keyed archive's values.
  struct Archive {
    let parts: KeyedArchiveParts
    let classes: StoredClasses
    let dropped: DroppedObjects
  }

  private enum Role: StoredComparison.Role {
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

  /// The input, and its rewriting, read again.
  let old: Document
  let new: Document
  /// The parts of the input, if it is a keyed archive.
  let archive: Archive?
  /// The parts of the rewriting, if objects may have been removed; they are then compared where UIDs lead to them.
  let newParts: KeyedArchiveParts?
  /// Data values of the input that became others, which were verified already.
  let nested: [UInt32: [UInt8]]
  let rules: SubstitutionRules

  private var table: ValueTable { old.table }

  /// Compares all that the tops reach.
  ///
  /// - Throws: `ArchiveError` with code `unrepresentable` at the first unexpected value.
  func run() throws(ArchiveError) {
    let sides = (
      StoredComparison.Side(old, newParts == nil ? nil : archive?.parts),
      StoredComparison.Side(new, newParts)
    )
    var comparison = StoredComparison(
      sides.0, sides.1,
      objectRole: { (archive?.classes.isClassRecord($0) == true ? Role.record : .value).rawValue },
      expecting: { expectation(of: $0, in: Role(rawValue: $1) ?? .value) })
    if sides.0.objects?.isEmpty == false, !comparison.follow(0, 0) {
      throw difference(at: old.top)
    }
    let role = archive == nil ? Role.value : .archive
    guard comparison.isSame(old.top, new.top, role.rawValue) else {
      throw difference(at: comparison.difference ?? old.top)
    }
    guard let objects = sides.1.objects else { return }
    // The new objects are those that UIDs lead to, and no others, in the order that they had.
    let numbers = comparison.numbers.sorted { $0.key < $1.key }.map(\.value)
    guard numbers.elementsEqual(0..<UInt64(objects.count)) else {
      throw difference(at: archive?.parts.objects ?? old.top)
    }
  }

  private func difference(at index: UInt32) -> ArchiveError {
    ArchiveError(
      .unrepresentable, "the rewritten archive would not be the old one under new names",
      offset: old.fileOffset(of: index), path: StoredPath.find(index, from: old.top, in: table))
  }

  private func expectation(of index: UInt32, in role: Role) -> StoredComparison.Expectation {
    let kind = table.marker(of: index) >> 4
    switch (role, kind) {
    case (.name, _):
      return text(table.text(at: index).flatMap { rules.renaming(of: $0.string)?.name })
    case (.archiver, _):
      return text(table.text(at: index).flatMap { _ in rules.substitutions.archiver })
    case (.names, Marker.array): return names(table.children(of: index))
    case (.objects, Marker.array) where newParts == nil:
      return list(table.children(of: index)) {
        archive?.classes.isClassRecord($0) == true ? .record : .value
      }
    case (.archive, Marker.dictionary): return members(index, Self.partRole)
    case (.record, Marker.dictionary): return members(index, Self.recordRole)
    case (.tops, Marker.dictionary): return renamed(table.children(of: index), rules.topRules)
    case (.value, Marker.dictionary):
      guard let archive, let name = archive.classes.className(of: index) else { return .same }
      return object(index, archive, rules.keyRules(rules.keyRenames(of: name)))
    case (_, Marker.uid): return archive?.dropped.isDropped(index) == true ? .noObject : .same
    case (_, Marker.data): return nested[index].map { .bytes($0) } ?? .same
    default: return .same
    }
  }

  // MARK: Names

  private func text(_ text: String?) -> StoredComparison.Expectation {
    text.map { .text($0) } ?? .same
  }

  /// A chain, in which a class that got the name of its neighbor occurs once.
  private func names(_ names: [UInt32]) -> StoredComparison.Expectation {
    list(rules.collapsed(names.map { table.text(at: $0)?.string }).map { names[$0] }) { _ in .name }
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

  // MARK: Containers

  private func list(
    _ children: [UInt32], _ role: (UInt32) -> Role
  ) -> StoredComparison.Expectation {
    let parts = children.enumerated().map { position, child in
      StoredComparison.Part.value(child, role(child).rawValue, at: position)
    }
    return .parts(parts, kind: Marker.array, count: parts.count)
  }

  private func members(
    _ index: UInt32, _ role: (Text?) -> Role
  ) -> StoredComparison.Expectation {
    let children = table.children(of: index)
    let pairs = children.count / 2
    return parts(children) { position in
      let role = position < pairs ? .value : role(table.text(at: children[position - pairs]))
      return .value(children[position], role.rawValue, at: position)
    }
  }

  private func parts(
    _ children: [UInt32], _ part: (Int) -> StoredComparison.Part
  ) -> StoredComparison.Expectation {
    .parts(children.indices.map(part), kind: Marker.dictionary, count: children.count)
  }

  /// A dictionary whose keys the rules rename.
  private func renamed(
    _ children: [UInt32], _ keyRules: [SubstitutionRules.KeyRule],
    _ value: (Int) -> StoredComparison.Part? = { _ in nil }
  ) -> StoredComparison.Expectation {
    let names = children.prefix(children.count / 2).map { table.text(at: $0)?.string }
    let renamed = KeyRenaming(names, keyRules)
    let keys = Dictionary(uniqueKeysWithValues: renamed.changes.map { ($0.position, $0.key) })
    return parts(children) { position in
      if let key = keys[position] { return .new(.text(key), at: position) }
      return value(position) ?? .value(children[position], Role.value.rawValue, at: position)
    }
  }

  /// An object: its keys as the rules rename them, its lists without dropped elements.
  private func object(
    _ index: UInt32, _ archive: Archive, _ keyRules: [SubstitutionRules.KeyRule]
  ) -> StoredComparison.Expectation {
    let rest = archive.dropped.withoutIndexed(index)
    let children = rest?.children ?? table.children(of: index)
    let lists = archive.dropped.lists(of: index)
    let pairs = children.count / 2
    return renamed(children, keyRules) { position in
      guard position >= pairs else { return nil }
      if let count = rest?.count, count.position == position {
        return .new(.bytes(count.encoded), at: position)
      }
      if let left = lists.first(where: { $0.position == position })?.left {
        return .new(list(left) { _ in .value }, at: position)
      }
      guard archive.classes.isClassRecord(children[position]),
        table.text(at: children[position - pairs])?.equals("$class") == true
      else { return nil }
      return .value(children[position], Role.record.rawValue, at: position)
    }
  }
}
