// The stored values of two documents compared, from a value of each on, following UIDs on both sides.

import ArchiveBasics
import ArchiveGraph
import KeyedArchives

/// Compares stored values and everything that they refer to, down to the bytes of scalars and to sharing.
///
/// What else may be expected of a value than to be the same, is said by whoever has changed it.
package struct StoredComparison {
  /// A document, and its objects if it is a keyed archive.
  package struct Side {
    package let document: Document
    /// The stored values of `$objects` by their numbers; nil in a plain property list.
    package let objects: [UInt32]?
    /// The stored array `$objects`, which is compared object by object as UIDs lead to them.
    package let list: UInt32?

    package init(_ document: Document, _ parts: KeyedArchiveParts?) {
      self.document = document
      list = parts?.objects
      objects = parts.map { document.table.children(of: $0.objects) }
    }
  }

  /// What a value is for the one who says what is expected of it.
  package typealias Role = UInt8

  /// What is expected of a value.
  package enum Expectation {
    /// The same value, and all that it leads to.
    case same
    /// Any value, which is looked at elsewhere.
    case any
    /// A string.
    case text(String)
    /// A value stored as these bytes, the marker included.
    case bytes([UInt8])
    /// The UID of nil.
    case noObject
    /// A container of a kind with these parts; it has no others if there is a number of children.
    case parts([Part], kind: UInt8, count: Int?)
  }

  /// A child of a new container, by its position.
  package enum Part {
    /// What has become of an old value.
    case value(UInt32, Role, at: Int)
    /// A new value.
    case new(Expectation, at: Int)
  }

  private struct Step: Hashable {
    let old: UInt32
    let new: UInt32
    let role: Role
  }

  private let old: Side
  private let new: Side
  /// The numbers of objects that others have replaced.
  private let replaced: Set<UInt64>
  /// When scalars are the same; nil if their bytes must be.
  private let scalars: ScalarEquality?
  /// Whether a scalar may differ from the one beside it.
  private let isReplaced: (UInt32, UInt32) -> Bool
  /// What is expected of an old value in a role.
  private let expected: (UInt32, Role) -> Expectation
  /// The role of an object that a UID leads to.
  private let objectRole: (UInt32) -> Role
  private var pending: [Step] = []
  private var seen: Set<Step> = []
  /// For each object number that was followed the new one.
  package private(set) var numbers: [UInt64: UInt64] = [:]
  private var oldNumbers: [UInt64: UInt64] = [:]
  /// The old value that was found to differ last.
  package private(set) var difference: UInt32?

  package init(
    _ old: Side, _ new: Side, replaced: Set<UInt64> = [], scalars: ScalarEquality? = nil,
    isReplaced: @escaping (UInt32, UInt32) -> Bool = { _, _ in false },
    objectRole: @escaping (UInt32) -> Role = { _ in 0 },
    expecting expected: @escaping (UInt32, Role) -> Expectation = { _, _ in .same }
  ) {
    (self.old, self.new) = (old, new)
    self.replaced = replaced
    self.scalars = scalars
    self.isReplaced = isReplaced
    self.objectRole = objectRole
    self.expected = expected
  }

  /// Whether two documents, perhaps in different encodings, store the same values.
  ///
  /// - Parameter isReplaced: whether a scalar may differ from the one beside it.
  static func areSame(
    _ left: Document, _ right: Document,
    isReplaced: @escaping (UInt32, UInt32) -> Bool = { _, _ in false }
  ) -> Bool {
    var comparison = StoredComparison(
      Side(left, nil), Side(right, nil), scalars: .widened, isReplaced: isReplaced)
    return comparison.isSame(left.top, right.top)
  }

  /// For some values one that was compared with each, after a comparison.
  package func partners(of indices: Set<UInt32>) -> [UInt32: UInt32] {
    var partners: [UInt32: UInt32] = [:]
    for step in seen where indices.contains(step.old) {
      partners[step.old] = min(step.new, partners[step.old] ?? .max)
    }
    return partners
  }

  /// Whether two values, and all that they lead to, are as expected.
  package mutating func isSame(_ left: UInt32, _ right: UInt32, _ role: Role = 0) -> Bool {
    expect(left, right, role)
    while let step = pending.popLast() {
      guard compare(step) else {
        difference = step.old
        return false
      }
    }
    return true
  }

  private mutating func expect(_ left: UInt32, _ right: UInt32, _ role: Role) {
    let step = Step(old: left, new: right, role: role)
    if seen.insert(step).inserted { pending.append(step) }
  }

  private mutating func compare(_ step: Step) -> Bool {
    let expectation = expected(step.old, step.role)
    guard case .same = expectation else { return meets(step.new, expectation) }
    let (left, right) = (old.document.table, new.document.table)
    let kind = left.marker(of: step.old) >> 4
    if kind < Marker.array, let scalars {
      return scalars.areSame(left, step.old, right, step.new) || isReplaced(step.old, step.new)
    }
    guard right.marker(of: step.new) >> 4 == kind else { return false }
    if kind == Marker.uid, old.objects != nil, new.objects != nil {
      return follow(left.uid(at: step.old), right.uid(at: step.new))
    }
    guard kind >= Marker.array else {
      return left.bytes(of: step.old).elementsEqual(right.bytes(of: step.new))
    }
    if step.old == old.list, old.list != nil { return step.new == new.list }
    if isSameRecord(step.old, step.new) { return true }
    let (children, others) = (left.children(of: step.old), right.children(of: step.new))
    guard children.count == others.count else { return false }
    for (child, other) in zip(children, others) { expect(child, other, 0) }
    return true
  }

  /// Whether a new value is as expected; what became of old ones is compared afterwards.
  private mutating func meets(_ index: UInt32, _ expectation: Expectation) -> Bool {
    let table = new.document.table
    switch expectation {
    case .same: return false
    case .any: return true
    case .text(let text): return table.text(at: index)?.sameCharacters(as: text) == true
    case .bytes(let bytes): return table.bytes(of: index).elementsEqual(bytes)
    case .noObject: return table.marker(of: index) >> 4 == Marker.uid && table.uid(at: index) == 0
    case .parts(let parts, let kind, let count):
      guard table.marker(of: index) >> 4 == kind else { return false }
      let children = table.children(of: index)
      guard children.count == count ?? children.count else { return false }
      return parts.allSatisfy { part in
        switch part {
        case .value(let value, let role, let position):
          guard children.indices.contains(position) else { return false }
          expect(value, children[position], role)
          return true
        case .new(let expectation, let position):
          return children.indices.contains(position) && meets(children[position], expectation)
        }
      }
    }
  }

  /// Follows UIDs: an object has one number on either side, so that sharing is preserved.
  package mutating func follow(_ left: UInt64, _ right: UInt64) -> Bool {
    if let known = numbers[left] { return known == right }
    numbers[left] = right
    let other = oldNumbers.updateValue(left, forKey: right)
    guard let oldIndex = Int(exactly: left), let newIndex = Int(exactly: right),
      let objects = old.objects, objects.indices.contains(oldIndex),
      let others = new.objects, others.indices.contains(newIndex)
    else { return false }
    if replaced.contains(left) { return other == nil }
    // Only class records become one.
    if other != nil { return isSameRecord(objects[oldIndex], others[newIndex]) }
    expect(objects[oldIndex], others[newIndex], objectRole(objects[oldIndex]))
    return true
  }

  private func isSameRecord(_ left: UInt32, _ right: UInt32) -> Bool {
    guard let content = ClassRecords.content(of: left, in: old.document.table) else { return false }
    return content == ClassRecords.content(of: right, in: new.document.table)
  }
}

extension ValueTable {
  /// The stored children of a container: those of a dictionary are its keys and then its values.
  package func children(of index: UInt32) -> [UInt32] {
    guard let container = TableContainer(index, in: self) else { return [] }
    return (0..<container.childCount).map { container.child($0, in: self) }
  }

  /// The members of a stored dictionary, each with the position of its value among the children; none of another value.
  package func members(
    of index: UInt32
  ) -> LazyMapSequence<Range<Int>, (position: Int, key: UInt32, value: UInt32)> {
    let isDictionary = marker(of: index) >> 4 == Marker.dictionary
    let (start, count) = isDictionary ? counted(index) : (base, 0)
    return (count..<count * 2).lazy.map {
      ($0, reference(start, $0 - count), reference(start, $0))
    }
  }
}

// MARK: - The class records of an archive, so that equal ones of another need not be added

/// Class records by content: a name, the names of the ancestors, and those of substitutes.
package struct ClassRecords {
  /// Records of a hostile archive may share long lists of long names; longer ones than these are treated as different.
  private static let mostNames = 64
  private static let longestName = 1024

  private var numbers: [[CodePointString]: UInt64] = [:]

  /// Finds the records of an archive; none without one.
  package init(of side: StoredComparison.Side?) {
    guard let side else { return }
    for (number, object) in (side.objects ?? []).enumerated() {
      add(object, of: side.document.table, number: UInt64(number))
    }
  }

  /// Adds an object if it is a class record, unless an equal one exists.
  package mutating func add(_ object: UInt32, of table: ValueTable, number: UInt64) {
    guard let content = Self.content(of: object, in: table) else { return }
    if numbers[content] == nil { numbers[content] = number }
  }

  /// The number of a record equal to one of another archive, or nil.
  package func number(like object: UInt32, of table: ValueTable) -> UInt64? {
    Self.content(of: object, in: table).flatMap { numbers[$0] }
  }

  /// The number of a record of a name and superclasses without substitutes.
  subscript(name: String, chain: [String]) -> UInt64? {
    get { numbers[Self.content(name, chain)] }
    set { numbers[Self.content(name, chain)] = newValue }
  }

  private static func content(_ name: String, _ chain: [String]) -> [CodePointString] {
    (["$classes"] + chain + [end, "$classname", name, end]).map { CodePointString($0) }
  }

  /// No name is a single zero, so that members stay separate.
  private static let end = "\u{0}"

  /// The texts of a record, member by member; nil if it is not a record, or contains anything but names.
  package static func content(of object: UInt32, in table: ValueTable) -> [CodePointString]? {
    guard table.marker(of: object) >> 4 == Marker.dictionary,
      table.value("$classname", of: object) != nil
    else { return nil }
    guard table.counted(object).count <= 3 else { return nil }
    var members: [(key: String, texts: [String])] = []
    for (_, key, value) in table.members(of: object) {
      guard let key = table.text(at: key)?.string,
        ["$classname", "$classes", "$classhints"].contains(key),
        let texts = texts(at: value, in: table)
      else { return nil }
      members.append((key, texts))
    }
    members.sort { $0.key < $1.key }
    return members.flatMap { [$0.key] + $0.texts + [end] }.map { CodePointString($0) }
  }

  private static func texts(at index: UInt32, in table: ValueTable) -> [String]? {
    if let text = table.text(at: index) {
      return text.byteCount > longestName ? nil : [text.string]
    }
    guard table.marker(of: index) >> 4 == Marker.array else { return nil }
    let (start, count) = table.counted(index)
    guard count <= mostNames else { return nil }
    var found: [String] = []
    for position in 0..<count {
      guard let text = table.text(at: table.reference(start, position)),
        text.byteCount <= longestName
      else { return nil }
      found.append(text.string)
    }
    return found
  }
}
