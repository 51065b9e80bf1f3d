// One location in the models: the root, a member, the elements of an array, the fields of a class.

import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import KeyedArchives

struct ObservedLocation {
  struct Member {
    let name: String
    let location: Int
    /// How many dictionaries have it.
    var count = 0
    /// The number of the last dictionary that had it: a repeated key counts once.
    var last = 0
  }

  /// How many containers enclose the location, up to the root or the nearest object of a class.
  let depth: Int
  var kinds: ValueKinds = []
  var numbers = ObservedNumbers()
  var strings = ObservedStrings()
  var counts = ObservedRange<Int>()
  /// The location of the elements of arrays; nil if all were empty.
  var elements: Int?
  /// How many dictionaries there were.
  var dictionaries = 0
  var members: [Member] = []
  private(set) var numbersOfNames: [String: Int] = [:]
  var order = MemberOrder()
  /// The location of the values whose keys are not names of members.
  var rest: Int?
  /// Whether the dictionaries are maps: all values are in `rest`.
  var isMap = false
  /// What archives of objects stored in addition to the values.
  var structure = ObservedStructure()
  var archives = ObservedArchives()
  var classNames: Set<String> = []

  init(depth: Int) { self.depth = depth }

  /// The number of a member by its name; nil if there is none.
  ///
  /// - Returns: -1 for a name with other code points that is canonically equivalent in Unicode.
  func number(of name: String) -> Int? {
    guard let number = numbersOfNames[name] else { return nil }
    return members[number].name.utf8.elementsEqual(name.utf8) ? number : -1
  }

  /// Adds a member.
  ///
  /// - Returns: its number.
  mutating func addMember(_ name: String, location: Int) -> Int {
    members.append(Member(name: name, location: location))
    numbersOfNames[name] = members.count - 1
    return members.count - 1
  }

  /// Forgets the members, whose values have moved to `rest`.
  mutating func becomeMap() {
    isMap = true
    members = []
    numbersOfNames = [:]
    order = MemberOrder()
  }

  /// The members in the order in which a schema lists them.
  var sortedMembers: [Member] { order.sorted(members.map(\.name)).map { members[$0] } }
}

// MARK: - The range of the numbers, lengths and counts at one location: a fixed amount of data for any number of values

struct ObservedNumbers {
  var count = 0
  var integers = ObservedRange<Int128>()
  var reals = ObservedRange<Double>()
  /// Whether there were NaN or infinities, which are in no range.
  var isUnbounded = false

  mutating func add(_ number: Int128) {
    count += 1
    integers.add(number)
  }

  mutating func add(_ number: Double) {
    count += 1
    if number.isFinite { reals.add(number) } else { isUnbounded = true }
  }

  mutating func merge(_ other: ObservedNumbers) {
    count += other.count
    integers.merge(other.integers)
    reals.merge(other.reals)
    isUnbounded = isUnbounded || other.isUnbounded
  }
}

/// The range of numbers, lengths of strings or counts of arrays; nil without any.
struct ObservedRange<Number: Comparable & Sendable>: Sendable {
  private(set) var least: Number?
  private(set) var greatest: Number?

  mutating func add(_ number: Number) {
    least = min(least ?? number, number)
    greatest = max(greatest ?? number, number)
  }

  mutating func merge(_ other: ObservedRange) {
    for number in [other.least, other.greatest].compactMap({ $0 }) { add(number) }
  }
}

// MARK: - What the strings at one location have in common: a bounded amount of data for any number of strings

struct ObservedStrings {
  /// Longer strings are prose, not the names that an `enum` lists, and have no format.
  private static let longest = 256

  var count = 0
  var lengths = ObservedRange<Int>()
  /// How often each string occurred; empty once there are too many.
  private(set) var values: [String: Int] = [:]
  /// Whether there were too many different strings, or too long ones.
  private(set) var isOverflowing = false
  /// The formats that every string had so far; nil before the first.
  private(set) var formats: [StringFormat]?

  /// Whether another string can contribute only its length.
  var isExhausted: Bool { isOverflowing && formats?.isEmpty == true }

  mutating func add(_ text: String, _ options: SchemaInference.Options) {
    note(text, times: 1, limit: options.enumValues)
    let isShort = text.utf8.count <= Self.longest
    formats = (formats ?? options.formats).filter { isShort && $0.accepts(text) }
  }

  /// Records that some string could not be examined.
  private mutating func overflow() {
    isOverflowing = true
    values = [:]
  }

  private mutating func note(_ text: String, times: Int, limit: Int) {
    guard !isOverflowing else { return }
    guard text.utf8.count <= Self.longest else { return overflow() }
    if let index = values.index(forKey: text) {
      // Swift treats canonically equivalent strings as equal; an `enum` that lists one would reject the other.
      guard values[index].key.utf8.elementsEqual(text.utf8) else { return overflow() }
      values.values[index] += times
    } else if values.count < limit {
      values[text] = times
    } else {
      overflow()
    }
  }

  mutating func merge(_ other: ObservedStrings, limit: Int) {
    count += other.count
    lengths.merge(other.lengths)
    if let found = other.formats { formats = formats?.filter(found.contains) ?? found }
    if other.isOverflowing { return overflow() }
    for (text, times) in other.values { note(text, times: times, limit: limit) }
  }
}

// MARK: - The classes and the storage of the values at one location in objects

/// What keyed archives stored in addition to the values of a location.
struct ObservedStructure {
  /// How many classes of one location are recorded; locations with more have no common class.
  private static let mostClasses = 16

  private var classes: [ClassDescription: Int] = [:]
  private var isOverflowing = false
  private var storages: [FieldStorage: Int] = [:]
  /// Whether there was a value without its own class.
  private var hasOther = false
  /// The class of the keys of dictionaries; nil before the first.
  private var keyClass: KeyClass?
  /// Whether the keys have several classes, or one that no schema names.
  private(set) var hasMixedKeys = false

  mutating func add(keyOf keyClass: KeyClass?) {
    hasMixedKeys = hasMixedKeys || keyClass == nil || self.keyClass ?? keyClass != keyClass
    self.keyClass = keyClass
  }

  /// Records the class of a value; nil for strings, numbers and data, which name no class.
  mutating func add(_ description: ClassDescription?) {
    if let description { note(description, times: 1) } else { hasOther = true }
  }

  private mutating func note(_ description: ClassDescription, times: Int) {
    if classes.count < Self.mostClasses || classes[description] != nil {
      classes[description, default: 0] += times
    } else {
      isOverflowing = true
    }
  }

  mutating func add(_ storage: FieldStorage) { storages[storage, default: 0] += 1 }

  mutating func merge(_ other: ObservedStructure) {
    for (description, count) in other.classes { note(description, times: count) }
    for (storage, count) in other.storages { storages[storage, default: 0] += count }
    isOverflowing = isOverflowing || other.isOverflowing
    hasOther = hasOther || other.hasOther
    if let found = other.keyClass { add(keyOf: found) }
    hasMixedKeys = hasMixedKeys || other.hasMixedKeys
  }

  /// The keywords of the location: the classes that the type of the value does not imply, most frequent first.
  func keywords(isObject: Bool) -> [(String, JSONTree)] {
    var members: [(String, JSONTree)] = []
    if !classes.isEmpty, !isOverflowing, !hasOther {
      let sorted = classes.sorted {
        $0.value == $1.value ? $0.key.name < $1.key.name : $0.value > $1.value
      }.map(\.key)
      members += Self.classKeywords(sorted, isObject: isObject)
    }
    if let keyClass, keyClass != .string, !hasMixedKeys {
      members.append(("x-key-class", .string(keyClass.rawValue)))
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
    if !isObject, bases.count == 1, let base = bases.first {
      var members: [(String, JSONTree)] = []
      if !plain.contains(base) { members.append(("x-class", .string(base))) }
      if names.allSatisfy({ $0 != base }) { members.append(("x-mutable", .boolean(true))) }
      return members
    }
    if !isObject || names.count > 1 { return [("x-class", .list(names.map { .string($0) }))] }
    return [("x-class", .string(names[0]))]
      + (classes[0].chain.isEmpty
        ? [] : [("x-classes", .list(classes[0].chain.map { .string($0) }))])
  }

  private static func immutable(_ name: String) -> String {
    name.hasPrefix("NSMutable") ? "NS" + name.dropFirst("NSMutable".count) : name
  }
}

// MARK: - The archives in the data values of one location, and the rules of a schema for the archive around a model

/// What was observed in the archives in the data values of a location.
struct ObservedArchives {
  /// The common envelope; nil before the first archive.
  private(set) var envelope: Envelope?
  private var topKey: String?
  private var classNames: Set<ClassName> = []
  var location: Int?
  /// Whether there was data without an archive, or archives of several envelopes: no schema fits all of them.
  private(set) var isMixed = false

  /// Records a data value.
  ///
  /// - Parameter model: the model in it; nil if it contains no archive.
  /// - Returns: whether its model should be examined.
  mutating func add(_ model: UnwrappedModel?) -> Bool {
    guard let model, envelope == nil || envelope == model.envelope && topKey == model.topKey else {
      isMixed = true
      return false
    }
    envelope = model.envelope
    topKey = model.topKey
    if let name = model.className { classNames.insert(name) }
    return !isMixed
  }

  /// Adds the observations of another location, except for the models.
  mutating func merge(_ other: ObservedArchives) {
    isMixed = isMixed || other.isMixed
    guard let found = other.envelope else { return }
    if envelope != nil, envelope != found || topKey != other.topKey { isMixed = true }
    envelope = found
    topKey = other.topKey
    classNames.formUnion(other.classNames)
  }

  /// The `x-archive` of the models; nil if the data values have no common envelope.
  var archive: JSONTree? {
    guard let envelope, !isMixed else { return nil }
    return Self.archive(envelope, topKey: topKey, classNames: classNames, isList: false)
  }

  /// The rules of a schema for the archive around its model.
  static func archive(
    _ envelope: Envelope, topKey: String?, classNames: Set<ClassName>, isList: Bool,
    foundations: Set<FoundationKind> = []
  ) -> JSONTree {
    let hasClasses = envelope == .nscoding && !classNames.isEmpty
    let isApple = foundations != [.swiftCorelibs]
    return .members(present: [
      "envelope": .string(envelope.rawValue),
      "classes": hasClasses ? .list(classPatterns(classNames)) : nil,
      "key": topKey.flatMap { $0 == UnwrappedModel.rootKey ? nil : .string($0) },
      "keys": topKey == nil ? true : nil, "list": isList ? true : nil,
      // Apple's needs no word.
      "foundation": isApple ? nil : .string(FoundationKind.swiftCorelibs.rawValue),
    ])
  }

  /// Patterns of the names of the root object's class.
  ///
  /// The first is the stored name that new objects get; of several it is preferably not in the module of a playground,
  /// which changes from run to run. `*.Name` is for those and for other modules.
  private static func classPatterns(_ classNames: Set<ClassName>) -> [JSONTree] {
    let names = classNames.sorted { ($0.rank, $0.stored) < ($1.rank, $1.stored) }
    var patterns = names.prefix(1).map(\.stored)
    for short in Set(classNames.map(ObservationWalk.shortName)).sorted() {
      patterns.append("*." + short)
      if classNames.count > 1, !patterns.contains(short) { patterns.append(short) }
    }
    for name in names where !patterns.contains(where: { name.matches(pattern: $0) }) {
      patterns.append(name.stored)
    }
    return patterns.map { .string($0) }
  }
}

extension ClassName {
  fileprivate var rank: Int { module?.hasPrefix("__lldb_expr_") == true ? 1 : 0 }
}
