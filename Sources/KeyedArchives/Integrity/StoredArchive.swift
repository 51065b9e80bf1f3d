// A keyed archive whose objects may be broken: objects by number, UIDs followed where they can be.

import ObjectGraph

/// The objects and classes of a keyed archive under check.
final class StoredArchive {
  /// An object of `$objects` with a class.
  struct Object {
    let number: Int
    let container: StoredContainer
    /// The value of `$class`.
    let classReference: UInt32?
  }

  /// A class record.
  struct ClassRecord {
    let index: UInt32
    /// Its name, cut if it is long.
    let name: String
    let family: (any ArchivedClass.Type)?
    /// Its own name and those of its ancestors, cut if they are long.
    let chain: [String]
    /// Whether a class of the frameworks other than NSObject is among its ancestors, or is itself one.
    let isOfFramework: Bool
  }

  /// How many ancestors of a class are looked at.
  private static let mostAncestors = 32

  private unowned let input: CheckedInput
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
    guard input.parts.isArchive(in: input), let objects = input.parts.objects,
      let list = input.array(objects)
    else { return nil }
    self.input = input
    self.objects = list
    top = input.parts.top.flatMap { input.dictionary($0) }
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
    guard let position = input.position(of: key, in: object) else { return nil }
    return input.reference(object, object.count + position).flatMap { follow($0) }
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
      index: index, name: string,
      family: ClassRegistry.family(of: string)
        ?? ClassRegistry.family(ofAncestors: ancestors + names(.classHints, of: dictionary)),
      chain: [string] + ancestors,
      isOfFramework: isOfFramework)
  }

  private func names(_ key: KnownKey, of record: StoredContainer) -> [String] {
    guard let list = field(key, of: record).flatMap({ input.array($0) }) else { return [] }
    return (0..<min(list.count, Self.mostAncestors)).compactMap { position in
      input.reference(list, position).flatMap { follow($0) }.flatMap { input.text($0) }
        .map { input.excerpt($0) }
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
      number: number, container: container,
      classReference: input.reference(container, container.count + position))
  }
}
