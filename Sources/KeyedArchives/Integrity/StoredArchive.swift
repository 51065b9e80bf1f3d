// A keyed archive whose objects may be broken: objects by number, UIDs followed where they can be.

import ArchiveBasics
import ArchiveGraph

/// The objects and classes of a keyed archive under check.
final class StoredArchive {
  /// An object of `$objects` with a class.
  struct Object {
    let container: StoredContainer
    /// The value of `$class`.
    let classReference: UInt32?
  }

  struct ClassRecord {
    /// Its name, cut if it is long.
    let name: String
    let family: (any ClassFamily.Type)?
    /// Its own name and those of its ancestors, cut if they are long.
    let chain: [String]
    /// Whether a class of the frameworks other than NSObject is among its ancestors, or is itself one.
    let isOfFramework: Bool
  }

  private static let mostAncestors = 32

  unowned let input: CheckedInput
  /// `$objects`.
  let objects: StoredContainer
  /// `$top`.
  let top: StoredContainer?
  /// The objects that can be read, each once even if `$objects` lists it repeatedly.
  private(set) lazy var distinct: [(number: Int, index: UInt32)] = distinctObjects()
  /// Every object with a class, by number.
  private(set) lazy var instances: [Object] = distinct.compactMap { instance($0.number) }
  /// The class records that objects use, by index.
  private(set) lazy var usedRecords: Set<UInt32> = Set(instances.compactMap { recordIndex(of: $0) })
  private var records: [UInt32: ClassRecord?] = [:]

  init?(_ input: CheckedInput) {
    guard input.parts.isArchive(in: input), let objects = input.parts.members.objects,
      let list = input.array(objects)
    else { return nil }
    self.input = input
    self.objects = list
    top = input.parts.members.top.flatMap { input.dictionary($0) }
  }

  /// Whether it is a compiled nib, keyed or sequential: Interface Builder chose its classes, and its conditional objects.
  private(set) lazy var isNib: Bool = usedRecords.contains {
    record($0)?.name == "NSIBObjectData"
  }

  /// The stored index of an object, or nil.
  func object(_ number: Int) -> UInt32? {
    number >= 0 && number < objects.count ? input.reference(objects, number) : nil
  }

  /// The value that a reference leads to, through `$objects` if it is a UID; nil if that leads nowhere.
  func follow(_ index: UInt32) -> UInt32? {
    guard let number = input.uid(index) else { return index }
    return Int(exactly: number).flatMap { object($0) }
  }

  /// The value of a field of an object; nil if it is missing or dangling.
  func field(_ key: KnownKey, of object: StoredContainer) -> UInt32? {
    input.position(of: key, in: object).flatMap { element(object, object.count + $0) }
  }

  func array(_ key: KnownKey, of object: StoredContainer) -> StoredContainer? {
    field(key, of: object).flatMap { input.array($0) }
  }

  /// What the reference at a position of a container leads to.
  func element(_ container: StoredContainer, _ position: Int) -> UInt32? {
    input.reference(container, position).flatMap { follow($0) }
  }

  /// The objects that are NSDictionary or derive from it.
  var dictionaries: some Sequence<StoredContainer> {
    instances.lazy.filter { self.record(of: $0)?.family == NSDictionaryClass.self }.map(\.container)
  }

  /// Whether a value decodes as nil.
  func isNil(_ index: UInt32) -> Bool {
    input.kind(index) == Marker.singleton && input.table.marker(of: index) == 0
      || input.text(index)?.equals("$null") == true
  }

  // MARK: Classes

  /// The index that an object's `$class` leads to.
  func recordIndex(of object: Object) -> UInt32? { object.classReference.flatMap { follow($0) } }

  /// The class of an object; nil if its class is not a record.
  func record(of object: Object) -> ClassRecord? { recordIndex(of: object).flatMap { record($0) } }

  /// The class of a stored dictionary, or nil.
  func record(ofStored dictionary: StoredContainer) -> ClassRecord? {
    field(.classReference, of: dictionary).flatMap { record($0) }
  }

  /// The class record at an index, or nil.
  func record(_ index: UInt32) -> ClassRecord? {
    if let known = records[index] { return known }
    let record = readRecord(index)
    records[index] = .some(record)
    return record
  }

  private func readRecord(_ index: UInt32) -> ClassRecord? {
    guard let dictionary = input.dictionary(index),
      let name = field(.className, of: dictionary).flatMap({ input.text($0) })
    else { return nil }
    let string = input.excerpt(name)
    let ancestors = names(.classChain, of: dictionary)
    let isOfFramework = ([string] + ancestors).contains {
      $0 != "NSObject" && ClassRegistry.isFoundation($0)
    }
    return ClassRecord(
      name: string,
      family: ClassRegistry.family(of: string)
        ?? ClassRegistry.family(ofAncestors: ancestors + names(.classHints, of: dictionary)),
      chain: [string] + ancestors,
      isOfFramework: isOfFramework)
  }

  private func names(_ key: KnownKey, of record: StoredContainer) -> [String] {
    guard let list = array(key, of: record) else { return [] }
    return (0..<min(list.count, Self.mostAncestors)).compactMap { position in
      element(list, position).flatMap { input.text($0) }.map { input.excerpt($0) }
    }
  }

  private func distinctObjects() -> [(number: Int, index: UInt32)] {
    var seen = [Bool](repeating: false, count: input.table.count)
    var distinct: [(number: Int, index: UInt32)] = []
    for number in 0..<objects.count {
      guard let index = object(number), !seen[Int(index)] else { continue }
      seen[Int(index)] = true
      distinct.append((number, index))
    }
    return distinct
  }

  private func instance(_ number: Int) -> Object? {
    guard let container = object(number).flatMap({ input.dictionary($0) }),
      let position = input.position(of: .classReference, in: container)
    else { return nil }
    return Object(
      container: container, classReference: input.reference(container, container.count + position))
  }
}

// MARK: - A stored container of a table that may have broken values in it

/// The references of a stored container.
struct StoredContainer {
  let index: UInt32
  /// The first reference.
  let start: UnsafeRawPointer
  /// The number of elements or pairs.
  let count: Int
  /// Whether the references are keys followed by values.
  let isDictionary: Bool

}

extension StoredContainer: WalkedContainer {
  var childCount: Int { isDictionary ? count * 2 : count }

  /// The value that a reference leads to; nil if it leads nowhere.
  func child(_ position: Int, in input: CheckedInput) -> UInt32? {
    input.reference(self, position)
  }

  func step(_ position: Int, in input: CheckedInput) -> GraphPath.Step {
    input.step(self, position) ?? .index(position)
  }
}

// MARK: - Strings of a table identified by numbers, so that each is read once

/// Gives equal strings equal numbers.
final class StoredTexts {
  unowned let input: CheckedInput
  private var numbers: [UInt32]
  private var known: [String: UInt32] = [:]

  /// Represents values that are not strings.
  private static let none = UInt32.max - 1

  init(_ input: CheckedInput) {
    self.input = input
    numbers = [UInt32](repeating: .max, count: input.table.count)
  }

  /// The number of the string at an index: that of the first equal string; nil for other values.
  func number(_ index: UInt32) -> UInt32? {
    if numbers[Int(index)] == .max { numbers[Int(index)] = recognise(index) }
    let number = numbers[Int(index)]
    return number == Self.none ? nil : number
  }

  private func recognise(_ index: UInt32) -> UInt32 {
    guard let text = input.text(index) else { return Self.none }
    let string = text.string
    if let number = known[string] { return number }
    known[string] = index
    return index
  }
}

// MARK: - The outermost dictionary of a keyed archive, some of whose parts may be missing

/// The parts of a keyed archive, by their stored indexes.
struct StoredParts {
  private(set) var members = MarkedMembers<UInt32>()
  /// Whether a key or a value of the dictionary cannot be read, so that any part may be hidden.
  private(set) var hasBrokenParts = false

  /// Looks for the parts, where the encoding may hold an archive.
  init(_ input: CheckedInput) {
    guard input.document.encoding.isArchivePossible,
      let outermost = input.dictionary(input.document.top)
    else { return }
    for position in 0..<outermost.count {
      guard let keyIndex = input.reference(outermost, position), input.kind(keyIndex) != nil,
        let value = input.reference(outermost, outermost.count + position)
      else {
        hasBrokenParts = true
        continue
      }
      if let key = input.text(keyIndex) { members.note(value, key) }
    }
  }

  /// Whether the input means to be a keyed archive, as readers see it.
  func isArchive(in input: CheckedInput) -> Bool {
    guard let archiver = members.archiver, input.text(archiver) != nil else { return false }
    return members.objects != nil || members.top != nil || members.version != nil
  }

  /// Whether the input could be nothing else than a keyed archive, were it not for `$archiver`.
  func lacksArchiver(in input: CheckedInput) -> Bool {
    guard let objects = members.objects, let top = members.top, !isArchive(in: input) else {
      return false
    }
    return input.array(objects) != nil && input.dictionary(top) != nil
  }
}

// MARK: - The path from the top to every stored value, found for all of them in one pass

/// The container of each stored value, by the shortest path from the top.
///
/// `StoredPath` searches for one value; of a thousand findings each would cost a walk.
struct StoredTree {
  /// The longest path that is shown.
  private static let mostSteps = 128

  private var parents: [UInt32]
  private var positions: [UInt32]
  private let top: UInt32
  /// Whether each container could be walked, so that values that were not reached are unreachable.
  private(set) var isComplete = true

  init(_ input: CheckedInput) {
    top = input.document.top
    parents = [UInt32](repeating: .max, count: input.table.count)
    positions = parents
    var queue = [top]
    var next = 0
    while next < queue.count {
      let index = queue[next]
      next += 1
      guard input.soundness.isWalkable(index) else {
        isComplete = false
        continue
      }
      guard let container = input.container(index) else { continue }
      for position in 0..<container.childCount {
        guard let child = input.reference(container, position), !contains(child) else { continue }
        parents[Int(child)] = index
        positions[Int(child)] = UInt32(truncatingIfNeeded: position)
        queue.append(child)
      }
    }
  }

  /// Whether a value can be reached from the top.
  func contains(_ index: UInt32) -> Bool { index == top || parents[Int(index)] != .max }

  /// The containers on the path to a value with the positions in them, outermost first; nil if it is not
  /// reached or too deep.
  func holders(of index: UInt32) -> [(container: UInt32, position: Int)]? {
    guard contains(index) else { return nil }
    var holders: [(container: UInt32, position: Int)] = []
    var current = index
    while current != top {
      guard holders.count < Self.mostSteps else { return nil }
      let parent = parents[Int(current)]
      holders.append((parent, Int(positions[Int(current)])))
      current = parent
    }
    return holders.reversed()
  }
}
