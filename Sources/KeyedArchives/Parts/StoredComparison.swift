// The stored values of two documents compared, from a value of each on, following UIDs on both sides.

import ObjectGraph

/// Compares stored values and everything that they refer to, down to the bytes of scalars and to sharing.
struct StoredComparison {
  /// A document, and its objects if it is a keyed archive.
  struct Side {
    let document: Document
    /// The stored values of `$objects` by their numbers; nil in a plain property list.
    let objects: [UInt32]?
    /// The stored array `$objects`, which is compared object by object as UIDs lead to them.
    let list: UInt32?

    init(_ document: Document, _ parts: KeyedArchiveParts?) {
      self.document = document
      list = parts?.objects
      objects = parts.map { parts in
        let (start, count) = document.table.counted(parts.objects)
        return (0..<count).map { document.table.reference(start, $0) }
      }
    }
  }

  private struct Step: Hashable {
    let old: UInt32
    let new: UInt32
  }

  /// What became of the children of an edited container.
  struct Edited {
    /// Children that must be there, by their stored values before, with their positions after the edit.
    let kept: [(value: UInt32, position: Int)]
    /// How many children there are after the edit.
    let count: Int
  }

  private let old: Side
  private let new: Side
  /// For edited containers the positions that are compared, with those in the new one; for a scalar none.
  private let edited: [UInt32: [(old: Int, new: Int)]]
  /// What became of containers that an edit changed.
  private let changed: [UInt32: Edited]
  /// The numbers of objects that others have replaced.
  private let replaced: Set<UInt64>
  /// When scalars are the same; nil if their bytes must be.
  private let scalars: ScalarEquality?
  /// Whether a scalar may differ from the one beside it.
  private let isReplaced: (UInt32, UInt32) -> Bool
  private var pending: [Step] = []
  private var seen: Set<Step> = []
  private var numbers: [UInt64: UInt64] = [:]
  private var oldNumbers: [UInt64: UInt64] = [:]

  init(
    _ old: Side, _ new: Side, edited: [UInt32: [(old: Int, new: Int)]] = [:],
    changed: [UInt32: Edited] = [:], replaced: Set<UInt64> = [], scalars: ScalarEquality? = nil,
    isReplaced: @escaping (UInt32, UInt32) -> Bool = { _, _ in false }
  ) {
    self.old = old
    self.new = new
    self.edited = edited
    self.changed = changed
    self.replaced = replaced
    self.scalars = scalars
    self.isReplaced = isReplaced
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
  func partners(of indices: Set<UInt32>) -> [UInt32: UInt32] {
    var partners: [UInt32: UInt32] = [:]
    for step in seen where indices.contains(step.old) {
      partners[step.old] = min(step.new, partners[step.old] ?? .max)
    }
    return partners
  }

  /// Whether two values, and all that they lead to, are the same.
  mutating func isSame(_ left: UInt32, _ right: UInt32) -> Bool {
    expect(left, right)
    while let step = pending.popLast() {
      guard compare(step) else { return false }
    }
    return true
  }

  private mutating func expect(_ left: UInt32, _ right: UInt32) {
    let step = Step(old: left, new: right)
    if seen.insert(step).inserted { pending.append(step) }
  }

  private mutating func compare(_ step: Step) -> Bool {
    let (left, right) = (old.document.table, new.document.table)
    let kind = left.marker(of: step.old) >> 4
    if kind < Marker.array, edited[step.old] != nil { return true }
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
    if changed[step.old] == nil, isSameRecord(step.old, step.new) { return true }
    let (children, others) = (Self.children(step.old, left), Self.children(step.new, right))
    if let positions = edited[step.old] {
      for pair in positions {
        guard children.indices.contains(pair.old), others.indices.contains(pair.new) else {
          return false
        }
        expect(children[pair.old], others[pair.new])
      }
      return true
    }
    if let edit = changed[step.old] {
      guard others.count == edit.count else { return false }
      for kept in edit.kept { expect(kept.value, others[kept.position]) }
      return true
    }
    guard children.count == others.count else { return false }
    for (child, other) in zip(children, others) { expect(child, other) }
    return true
  }

  /// An object has one number on either side, so that sharing is preserved.
  private mutating func follow(_ left: UInt64, _ right: UInt64) -> Bool {
    if let known = numbers[left] { return known == right }
    numbers[left] = right
    let other = oldNumbers.updateValue(left, forKey: right)
    guard let place = Int(exactly: left), let newPlace = Int(exactly: right),
      let objects = old.objects, objects.indices.contains(place),
      let others = new.objects, others.indices.contains(newPlace)
    else { return false }
    if replaced.contains(left) { return other == nil }
    // Only class records become one.
    if other != nil { return isSameRecord(objects[place], others[newPlace]) }
    expect(objects[place], others[newPlace])
    return true
  }

  private func isSameRecord(_ left: UInt32, _ right: UInt32) -> Bool {
    guard let content = ClassRecords.content(of: left, in: old.document.table) else { return false }
    return content == ClassRecords.content(of: right, in: new.document.table)
  }

  private static func children(_ index: UInt32, _ table: ValueTable) -> [UInt32] {
    let (start, count) = table.counted(index)
    let isDictionary = table.marker(of: index) >> 4 == Marker.dictionary
    return (0..<(isDictionary ? count * 2 : count)).map { table.reference(start, $0) }
  }
}
