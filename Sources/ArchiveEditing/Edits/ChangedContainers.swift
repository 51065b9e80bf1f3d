// The stored containers that edits change, and the objects that edits add, replace and copy.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import KeyedArchives

/// The changes to the stored values of a document: everything that was not asked to change stays as it is stored.
struct ChangedContainers {
  typealias Slot = StoredMembers.Slot

  /// A child of a changed container, with its position before.
  struct Child {
    let value: UInt32
    var origin: Int?
    /// The stored value that it must equal after the edit; nil for a new one.
    var kept: UInt32?
  }

  private let host: OpenedArchive
  /// The values that were added.
  var patch: TablePatch
  /// The children of the changed containers.
  private(set) var lists: [UInt32: [Child]] = [:]
  /// Containers that were copied, with their copies.
  private(set) var copies: [UInt32: UInt32] = [:]
  /// Where the first container was that was copied.
  private(set) var copyStart: Slot?
  /// The numbers of objects that were replaced by others.
  private(set) var replaced: Set<UInt64> = []
  /// How many UIDs lead to each object, of the values up to `countedValues`.
  private var numberUses: [UInt32] = []
  private var countedValues = 0

  init(of host: OpenedArchive) {
    self.host = host
    patch = TablePatch(host.document)
  }

  // MARK: Children

  /// The container that is changed in place of one: its copy, if it was copied.
  func actual(_ holder: UInt32) -> UInt32 { copies[holder] ?? holder }

  func children(of holder: UInt32) -> [Child] {
    let holder = actual(holder)
    if let known = lists[holder] { return known }
    let originals = Dictionary(copies.map { ($1, $0) }) { first, _ in first }
    return patch.children(of: holder).enumerated().map {
      Child(value: $1, origin: $0, kept: originals[$1] ?? $1)
    }
  }

  func child(in slot: Slot) -> UInt32? {
    let holder = actual(slot.holder)
    if copies.isEmpty, lists[holder] == nil { return patch.child(of: holder, at: slot.position) }
    return children(of: holder).first { $0.origin == slot.position }?.value
  }

  func isUID(_ child: UInt32) -> Bool { host.isKeyed && patch.kind(of: child) == Marker.uid }

  /// Whether a value is a UID of an object that was replaced by another.
  func isReplaced(_ child: UInt32) -> Bool {
    isUID(child) && replaced.contains(patch.uid(at: child))
  }

  mutating func set(_ slot: Slot, to value: UInt32, kept: UInt32? = nil) {
    setChildren(
      of: slot.holder,
      to: children(of: slot.holder).map {
        $0.origin == slot.position ? Child(value: value, kept: kept) : $0
      })
  }

  /// Inserts a child before the one that is at a position now, or after the last.
  mutating func insert(
    _ value: UInt32, kept: UInt32? = nil, into holder: UInt32, before position: Int = .max
  ) {
    var list = children(of: holder)
    list.insert(Child(value: value, kept: kept), at: min(position, list.count))
    setChildren(of: holder, to: list)
  }

  mutating func remove(_ slot: Slot) {
    setChildren(
      of: slot.holder, to: children(of: slot.holder).filter { $0.origin != slot.position })
  }

  mutating func addMember(_ key: UInt32, _ value: UInt32, kept: UInt32? = nil, to holder: UInt32) {
    insert(key, into: holder, before: children(of: holder).count / 2)
    insert(value, kept: kept, into: holder)
  }

  private mutating func setChildren(of holder: UInt32, to list: [Child]) {
    lists[actual(holder)] = list
  }

  /// The values with the changed containers.
  func patched() -> TablePatch {
    var patch = patch
    for (holder, list) in lists { patch.setChildren(of: holder, to: list.map(\.value)) }
    return patch
  }

  // MARK: Keys with numbers

  /// Moves the values from a position on to the next keys; the last gets a new one.
  mutating func insertNumbered(
    _ child: UInt32, at index: Int, into holder: UInt32, _ members: StoredMembers
  ) throws(ArchiveError) {
    var list = children(of: holder)
    let positions = try valuePositions(of: "NS.object.", from: index, members, in: list)
    var next = Child(value: child)
    for position in positions { swap(&list[position], &next) }
    let name = patch.add("NS.object.\(members.count)")
    list.insert(Child(value: name), at: list.count / 2)
    list.append(next)
    setChildren(of: holder, to: list)
  }

  /// Moves the values after a position to the keys before; the last key goes.
  mutating func removeNumbered(
    _ index: Int, of holder: UInt32, _ hasKeys: Bool, _ members: StoredMembers
  ) throws(ArchiveError) {
    var list = children(of: holder)
    var gone: Set<Int> = []
    for prefix in hasKeys ? ["NS.object.", "NS.key."] : ["NS.object."] {
      let positions = try valuePositions(of: prefix, from: index, members, in: list)
      for (position, next) in zip(positions, positions.dropFirst()) { list[position] = list[next] }
      if let last = positions.last { gone.formUnion([last, last - list.count / 2]) }
    }
    setChildren(of: holder, to: list.indices.filter { !gone.contains($0) }.map { list[$0] })
  }

  /// Where a container has the values of keys with numbers.
  private func valuePositions(
    of prefix: String, from index: Int, _ members: StoredMembers, in list: [Child]
  ) throws(ArchiveError) -> [Int] {
    var positions: [Int] = []
    for position in index..<members.count {
      let key = try members.name("\(prefix)\(position)")
      guard let found = list.firstIndex(where: { $0.origin == key.position }) else {
        throw StoredMembers.derived
      }
      positions.append(found + list.count / 2)
    }
    return positions
  }

  // MARK: Objects

  /// The stored array `$objects`, which nothing else may share.
  func ownObjects() throws(ArchiveError) -> UInt32 {
    guard let parts = host.parts, patch.uses(of: parts.objects) == 1 else {
      throw Self.sharedStorage
    }
    return parts.objects
  }

  static let sharedStorage = ArchiveError(
    .mismatch, "another value shares the storage of a container, which archivers never write")

  /// Lists within objects, and the objects themselves, are stored once.
  func requireOwnStorage(_ members: StoredMembers) throws(ArchiveError) {
    for holder in members.holders where copies[holder] == nil {
      let isOwner = holder == members.owner
      if isOwner, !host.isKeyed || holder == host.document.top { continue }
      guard patch.uses(of: holder) == 1 else { throw Self.sharedStorage }
    }
  }

  /// Adds an object.
  ///
  /// - Returns: a UID that leads to it.
  mutating func addObject(_ value: UInt32) throws(ArchiveError) -> UInt32 {
    let objects = try ownObjects()
    let number = patch.childCount(of: objects)
    patch.append(value, to: objects)
    return patch.add(encoded: TablePatch.encoded(uid: UInt64(number)))
  }

  mutating func addObject(_ string: String) throws(ArchiveError) -> UInt32 {
    try addObject(patch.add(encoded: TablePatch.encoded(string)))
  }

  /// Puts another value in the place of an object.
  mutating func replaceObject(_ number: UInt64, by value: UInt32) throws(ArchiveError) {
    patch.setChild(of: try ownObjects(), at: Int(number), to: value)
    replaced.insert(number)
  }

  /// Copies a container, with the lists that it consists of, for the slot that holds it.
  ///
  /// - Parameter isFirst: whether the original stays where it was, so that only the copy of its content is compared.
  mutating func copy(
    _ members: StoredMembers, in slot: Slot, isFirst: Bool
  ) throws(ArchiveError) {
    guard let old = child(in: slot) else { throw StoredMembers.derived }
    let copy = patch.addCopy(of: members.owner)
    for holder in members.holders where holder != members.owner {
      let list = patch.addCopy(of: holder)
      copies[holder] = list
      for (index, child) in patch.children(of: copy).enumerated() where child == holder {
        patch.setChild(of: copy, at: index, to: list)
      }
    }
    copies[members.owner] = copy
    if isFirst { copyStart = slot }
    set(slot, to: isUID(old) ? try addObject(copy) : copy, kept: isFirst ? nil : old)
  }

  // MARK: The numbers of objects

  /// Gives a new object the number of the old one that it replaces, if nothing else refers to either.
  ///
  /// - Parameter count: how many values there were before the new ones.
  /// - Returns: whether the slot has the new object now.
  mutating func replaceObject(
    _ old: UInt32, in slot: Slot, by new: UInt32, after count: Int
  ) throws(ArchiveError) -> Bool {
    guard let parts = host.parts, actual(slot.holder) == slot.holder, isUID(old), isUID(new) else {
      return false
    }
    let (oldNumber, newNumber) = (patch.uid(at: old), patch.uid(at: new))
    guard oldNumber > 0, let object = patch.child(of: parts.objects, at: Int(newNumber)),
      object >= count, uses(ofNumber: oldNumber, before: count) == 1,
      !isUsed(newNumber, from: count)
    else { return false }
    try replaceObject(oldNumber, by: object)
    return true
  }

  /// How many references containers have to an object by its number, in the values before one.
  private mutating func uses(ofNumber number: UInt64, before end: Int) -> Int {
    guard let parts = host.parts else { return 0 }
    if numberUses.isEmpty {
      numberUses = [UInt32](repeating: 0, count: host.table.counted(parts.objects).count)
    }
    while countedValues < end {
      let index = UInt32(truncatingIfNeeded: countedValues)
      let isStored = countedValues < host.table.count
      countedValues += 1
      if isStored, host.table.fault(at: index) != nil { continue }
      guard patch.kind(of: index) == Marker.uid, let object = Int(exactly: patch.uid(at: index)),
        numberUses.indices.contains(object)
      else { continue }
      // The containers of a new one may not be in their final form yet.
      let uses = isStored ? patch.uses(of: index) : max(1, patch.uses(of: index))
      numberUses[object] &+= UInt32(clamping: uses)
    }
    guard let object = Int(exactly: number), numberUses.indices.contains(object) else { return 0 }
    return Int(numberUses[object])
  }

  /// Whether a container among the values from one on refers to an object by its number.
  private func isUsed(_ number: UInt64, from start: Int) -> Bool {
    (start..<patch.count).contains { index in
      let index = UInt32(truncatingIfNeeded: index)
      return patch.kind(of: index) == Marker.uid && patch.uid(at: index) == number
        && patch.uses(of: index) > 0
    }
  }
}
