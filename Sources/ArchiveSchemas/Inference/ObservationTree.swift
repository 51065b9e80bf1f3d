// Everything observed in the examples: a tree of locations as large as the schema, regardless of the amount of data.

import KeyedArchives

struct ObservationTree {
  /// The schema of a deeper model could not be read back: each container takes up to four levels of JSON.
  static let depthLimit = 56
  /// With more locations than this, a schema is too large for people to read.
  static let locationLimit = 100_000
  /// Dictionaries with more names than this are maps, whatever their values.
  private static let nameLimit = 1024

  /// The location of models that are roots.
  static let root = 0
  /// The location of models that are elements of a root array.
  static let listed = 1

  private(set) var locations = [ObservedLocation(depth: 0), ObservedLocation(depth: 0)]
  /// The locations of the fields of classes; a class has one, wherever its objects occur.
  private(set) var classes: [String: Int] = [:]
  /// The implementations of Foundation that wrote the objects, as far as these tell it.
  var foundations: Set<FoundationKind> = []
  /// The sizes of root arrays of models; nil if there were none.
  var lists: ObservedRange<Int>?
  var lastDictionary = 0
  /// How many different strings a location records.
  private let enumValues: Int

  init(enumValues: Int) { self.enumValues = enumValues }

  subscript(location: Int) -> ObservedLocation {
    get { locations[location] }
    _modify { yield &locations[location] }
  }

  // MARK: Locations

  /// The location of a class's fields.
  mutating func location(ofClass name: String) -> Int {
    if let known = classes[name] { return known }
    locations.append(ObservedLocation(depth: 0))
    classes[name] = locations.count - 1
    return locations.count - 1
  }

  mutating func addLocation(in outer: Int) -> Int {
    locations.append(ObservedLocation(depth: locations[outer].depth + 1))
    return locations.count - 1
  }

  mutating func elements(of location: Int) -> Int { part(\.elements, of: location) }

  /// The location of the models in the archives that a location's data values contain.
  mutating func archived(of location: Int) -> Int { part(\.archives.location, of: location) }

  /// The location of the values whose keys are not names of members.
  mutating func rest(of location: Int) -> Int { part(\.rest, of: location) }

  private mutating func part(
    _ path: WritableKeyPath<ObservedLocation, Int?>, of location: Int
  ) -> Int {
    if let known = locations[location][keyPath: path] { return known }
    let part = addLocation(in: location)
    locations[location][keyPath: path] = part
    return part
  }

  /// The number of a member; nil if its value belongs to `rest`.
  mutating func member(_ name: String, of location: Int, mayBecomeMap: Bool) -> Int? {
    if locations[location].isMap { return nil }
    if let known = locations[location].number(of: name) { return known < 0 ? nil : known }
    if mayBecomeMap, locations[location].members.count >= Self.nameLimit {
      makeMap(location)
      return nil
    }
    let value = addLocation(in: location)
    return locations[location].addMember(name, location: value)
  }

  /// Turns all members of a location into values of a map.
  mutating func makeMap(_ location: Int) {
    let rest = rest(of: location)
    for member in locations[location].members { merge(member.location, into: rest) }
    locations[location].becomeMap()
  }

  // MARK: Merging

  mutating func merge(_ other: ObservationTree) {
    for location in [Self.root, Self.listed] { merge(location, of: other, into: location) }
    for (name, source) in other.classes {
      merge(source, of: other, into: location(ofClass: name), isObject: true)
    }
    foundations.formUnion(other.foundations)
    if let sizes = other.lists {
      var all = lists ?? ObservedRange<Int>()
      all.merge(sizes)
      lists = all
    }
    lastDictionary = max(lastDictionary, other.lastDictionary)
  }

  /// Adds the observations of one location to those of another; the source is unchanged.
  ///
  /// The recursion is as deep as locations are nested, which `depthLimit` bounds.
  ///
  /// - Parameters:
  ///   - source: the location whose observations are added.
  ///   - tree: the tree that has it; nil for this one.
  ///   - target: the location to which they are added.
  ///   - isObject: whether the locations are of the fields of a class.
  mutating func merge(
    _ source: Int, of tree: ObservationTree? = nil, into target: Int, isObject: Bool = false
  ) {
    let other = tree?.locations[source] ?? locations[source]
    locations[target].kinds.formUnion(other.kinds)
    locations[target].numbers.merge(other.numbers)
    locations[target].strings.merge(other.strings, limit: enumValues)
    locations[target].counts.merge(other.counts)
    locations[target].dictionaries += other.dictionaries
    locations[target].classNames.formUnion(other.classNames)
    locations[target].structure.merge(other.structure)
    locations[target].archives.merge(other.archives)
    if let from = other.archives.location { merge(from, of: tree, into: archived(of: target)) }
    if let from = other.elements { merge(from, of: tree, into: elements(of: target)) }
    if let from = other.rest { merge(from, of: tree, into: rest(of: target)) }
    if other.isMap, !locations[target].isMap { makeMap(target) }
    mergeMembers(other, of: tree, into: target, isObject: isObject)
  }

  private mutating func mergeMembers(
    _ other: ObservedLocation, of tree: ObservationTree?, into target: Int, isObject: Bool
  ) {
    var numbers: [Int] = []
    for member in other.members {
      guard let number = self.member(member.name, of: target, mayBecomeMap: !isObject) else {
        merge(member.location, of: tree, into: rest(of: target))
        continue
      }
      numbers.append(number)
      locations[target].members[number].count += member.count
      merge(member.location, of: tree, into: locations[target].members[number].location)
    }
    guard numbers.count == other.members.count, !locations[target].isMap else { return }
    locations[target].order.merge(other.order, numbers: numbers)
  }
}

// MARK: - The order of a record's members, independent of the order of the examples

struct MemberOrder {
  /// With more pairs than this, no order is derived.
  private static let pairLimit = 8192
  /// With more names than this, nobody would miss an order.
  private static let nameLimit = 2048

  private struct Pair: Hashable {
    let first: Int
    let second: Int
  }

  private var pairs: Set<Pair> = []
  private var isUnordered = false

  /// Records that one member directly followed another, each by its number.
  mutating func add(_ first: Int, before second: Int) {
    guard !isUnordered else { return }
    pairs.insert(Pair(first: first, second: second))
    if pairs.count > Self.pairLimit {
      isUnordered = true
      pairs = []
    }
  }

  /// Adds the order of another record, whose members have other numbers here.
  mutating func merge(_ other: MemberOrder, numbers: [Int]) {
    if other.isUnordered { isUnordered = true }
    for pair in other.pairs { add(numbers[pair.first], before: numbers[pair.second]) }
  }

  /// The numbers of the members, sorted.
  ///
  /// They are in the order that no example contradicts, by name where the examples leave it open, and all by name where
  /// the examples disagree.
  func sorted(_ names: [String]) -> [Int] {
    let byName = names.indices.sorted { names[$0] < names[$1] }
    guard !isUnordered, names.count <= Self.nameLimit else { return byName }
    var waiting = [Int](repeating: 0, count: names.count)
    var followers = [[Int]](repeating: [], count: names.count)
    for pair in pairs {
      waiting[pair.second] += 1
      followers[pair.first].append(pair.second)
    }
    var rank = [Int](repeating: 0, count: names.count)
    for (position, member) in byName.enumerated() { rank[member] = position }
    var ready = Set(names.indices.filter { waiting[$0] == 0 })
    var result: [Int] = []
    while let next = ready.min(by: { rank[$0] < rank[$1] }) {
      ready.remove(next)
      result.append(next)
      for follower in followers[next] {
        waiting[follower] -= 1
        if waiting[follower] == 0 { ready.insert(follower) }
      }
    }
    return result.count == names.count ? result : byName
  }
}

// MARK: - Finds locations with the same shape

struct ShapeTable {
  private struct Shape: Hashable {
    struct Member: Hashable {
      let name: String
      let isRequired: Bool
      let shape: Int
    }

    let kinds: ValueKinds
    let classNames: Set<String>
    let elements: Int?
    let archived: Int?
    let rest: Int?
    let isMap: Bool
    let members: [Member]
  }

  private var known: [Shape: Int] = [:]
  /// The shape of each finished location.
  private(set) var shapes: [Int: Int] = [:]
  private let mapNames: Int

  init(mapNames: Int) { self.mapNames = mapNames }

  /// Finds the shape of a location and of all locations in it, innermost first.
  ///
  /// Records that look like maps become maps.
  ///
  /// - Returns: the shape's number.
  mutating func settle(_ location: Int, in tree: inout ObservationTree) -> Int {
    let elements = tree[location].elements.map { settle($0, in: &tree) }
    let archived = tree[location].archives.location.map { settle($0, in: &tree) }
    var members: [Shape.Member] = []
    let dictionaries = tree[location].dictionaries
    for member in tree[location].members {
      let shape = settle(member.location, in: &tree)
      let isRequired = member.count == dictionaries
      members.append(Shape.Member(name: member.name, isRequired: isRequired, shape: shape))
    }
    if looksLikeMap(tree[location], Set(members.map(\.shape))) {
      tree.makeMap(location)
      members = []
    }
    // 64, 64.5 and an occasional 1 that is stored as a boolean have the same shape.
    var kinds = tree[location].kinds
    if !kinds.isDisjoint(with: .number) { kinds = kinds.union(.number).subtracting(.boolean) }
    let shape = Shape(
      kinds: kinds, classNames: tree[location].classNames, elements: elements, archived: archived,
      rest: tree[location].rest.map { settle($0, in: &tree) }, isMap: tree[location].isMap,
      members: members.sorted { $0.name < $1.name })
    let number = known[shape] ?? known.count
    known[shape] = number
    shapes[location] = number
    return number
  }

  private func looksLikeMap(_ location: ObservedLocation, _ memberShapes: Set<Int>) -> Bool {
    // A class's fields are a record, however many it has.
    location.kinds.contains(.dictionary) && location.members.count >= max(mapNames, 1)
      && location.dictionaries > 1 && memberShapes.count == 1
      && location.members.allSatisfy { $0.count * 2 <= location.dictionaries }
  }
}
