// The classes and the storage of the values that were seen in one place of objects.

import ObjectGraph
import PropertyLists

/// What keyed archives kept beside the values of a place.
struct ObservedStructure {
  /// How many classes of one place are remembered; places with more have no class in common.
  private static let mostClasses = 16

  private var classes: [ClassDescription: Int] = [:]
  private var isOverflowing = false
  private var storages: [FieldStorage: Int] = [:]
  /// Whether there was a value without a class of its own.
  private var hasOther = false

  /// Notes the class of a value; nil for strings, numbers and data, which name none.
  mutating func add(_ description: ClassDescription?) {
    guard let description else {
      hasOther = true
      return
    }
    guard classes.count < Self.mostClasses || classes[description] != nil else {
      isOverflowing = true
      return
    }
    classes[description, default: 0] += 1
  }

  /// Notes how an object holds a number or data.
  mutating func add(_ storage: FieldStorage) { storages[storage, default: 0] += 1 }

  /// Adds what was seen elsewhere.
  mutating func merge(_ other: ObservedStructure) {
    for (description, count) in other.classes where classes.count < Self.mostClasses {
      classes[description, default: 0] += count
    }
    for (storage, count) in other.storages { storages[storage, default: 0] += count }
    isOverflowing = isOverflowing || other.isOverflowing
    hasOther = hasOther || other.hasOther
  }

  /// The keywords of the place: the classes that are not what the type of the value implies, most frequent first.
  func keywords(isObject: Bool) -> [(String, JSONTree)] {
    var members: [(String, JSONTree)] = []
    if !classes.isEmpty, !isOverflowing, !hasOther {
      let sorted = classes.sorted {
        $0.value == $1.value ? $0.key.name < $1.key.name : $0.value > $1.value
      }.map(\.key)
      members += Self.classKeywords(sorted, isObject: isObject)
    }
    let storages = storages.sorted {
      $0.value == $1.value ? $0.key.rawValue > $1.key.rawValue : $0.value > $1.value
    }.map { JSONTree.string($0.key.rawValue) }
    if let first = storages.first {
      members.append(("x-storage", storages.count == 1 ? first : .list(storages)))
    }
    return members
  }

  private static let plain: Set<String> = ["NSArray", "NSString", "NSData", "NSDate", "NSNumber"]

  private static func classKeywords(
    _ classes: [ClassDescription], isObject: Bool
  ) -> [(String, JSONTree)] {
    let names = classes.map(\.name)
    let bases = Set(names.map(immutable))
    if bases.count == 1, let base = bases.first, isObject ? false : true {
      var members: [(String, JSONTree)] = []
      if !plain.contains(base) { members.append(("x-class", .string(base))) }
      if names.allSatisfy({ $0 != base }) { members.append(("x-mutable", .boolean(true))) }
      return members
    }
    guard isObject else { return [("x-class", .list(names.map { .string($0) }))] }
    if names.count > 1 { return [("x-class", .list(names.map { .string($0) }))] }
    return [("x-class", .string(names[0]))]
      + (classes[0].chain.isEmpty
        ? [] : [("x-classes", .list(classes[0].chain.map { .string($0) }))])
  }

  private static func immutable(_ name: String) -> String {
    name.hasPrefix("NSMutable") ? "NS" + name.dropFirst("NSMutable".count) : name
  }
}
