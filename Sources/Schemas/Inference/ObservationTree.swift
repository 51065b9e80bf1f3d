// Everything observed in the examples: a tree of locations as large as the schema, regardless of the amount of data.

import KeyedArchives

/// The observed locations of the models.
struct ObservationTree {
  /// The schema of a deeper model could not be read back: each container takes up to four levels of JSON.
  static let depthLimit = 56
  /// With more locations than this, a schema is too large for people to read.
  static let placeLimit = 100_000
  /// Dictionaries with more names than this are maps, whatever their values.
  private static let nameLimit = 1024

  /// The location of models that are roots.
  static let root = 0
  /// The location of models that are elements of a root array.
  static let listed = 1

  private(set) var places = [ObservedLocation(depth: 0), ObservedLocation(depth: 0)]
  /// The locations of the fields of classes; a class has one, wherever its objects occur.
  private(set) var classes: [String: Int] = [:]
  /// The implementations of Foundation that wrote the objects, as far as these tell it.
  var foundations: Set<FoundationKind> = []
  /// The sizes of root arrays of models; nil if there were none.
  var lists: ObservedRange?
  /// The number of the last dictionary.
  private var lastDictionary = 0
  /// How many different strings a location records.
  private let enumValues: Int

  init(enumValues: Int) { self.enumValues = enumValues }

  subscript(place: Int) -> ObservedLocation {
    get { places[place] }
    _modify { yield &places[place] }
  }

  mutating func nextDictionary() -> Int {
    lastDictionary += 1
    return lastDictionary
  }

  // MARK: Locations

  /// The location of a class's fields.
  mutating func place(ofClass name: String) -> Int {
    if let known = classes[name] { return known }
    places.append(ObservedLocation(depth: 0))
    classes[name] = places.count - 1
    return places.count - 1
  }

  /// Adds a location within another.
  mutating func addPlace(in outer: Int) -> Int {
    places.append(ObservedLocation(depth: places[outer].depth + 1))
    return places.count - 1
  }

  /// The location of the elements of a location's arrays.
  mutating func elements(of place: Int) -> Int {
    if let known = places[place].elements { return known }
    let elements = addPlace(in: place)
    places[place].elements = elements
    return elements
  }

  /// The location of the models in the archives that a location's data values contain.
  mutating func archived(of place: Int) -> Int {
    if let known = places[place].archives.place { return known }
    let model = addPlace(in: place)
    places[place].archives.place = model
    return model
  }

  /// The location of the values whose keys are not names of members.
  mutating func rest(of place: Int) -> Int {
    if let known = places[place].rest { return known }
    let rest = addPlace(in: place)
    places[place].rest = rest
    return rest
  }

  /// The number of a member; nil if its value belongs to `rest`.
  mutating func member(_ name: String, of place: Int, mayBecomeMap: Bool) -> Int? {
    if places[place].isMap { return nil }
    if let known = places[place].number(of: name) { return known < 0 ? nil : known }
    if mayBecomeMap, places[place].members.count >= Self.nameLimit {
      makeMap(place)
      return nil
    }
    let value = addPlace(in: place)
    return places[place].addMember(name, place: value)
  }

  /// Turns all members of a location into values of a map.
  mutating func makeMap(_ place: Int) {
    let rest = rest(of: place)
    for member in places[place].members { merge(member.place, into: rest) }
    places[place].becomeMap()
  }

  // MARK: Merging

  /// Adds the observations of one location to those of another; the source is unchanged.
  ///
  /// The recursion is as deep as locations are nested, which `depthLimit` bounds.
  mutating func merge(_ source: Int, into target: Int) {
    let other = places[source]
    places[target].kinds.formUnion(other.kinds)
    places[target].numbers.merge(other.numbers)
    places[target].strings.merge(other.strings, limit: enumValues)
    places[target].counts.merge(other.counts)
    places[target].dictionaries += other.dictionaries
    places[target].classNames.formUnion(other.classNames)
    places[target].structure.merge(other.structure)
    places[target].archives.merge(other.archives)
    if let from = other.archives.place { merge(from, into: archived(of: target)) }
    if let from = other.elements { merge(from, into: elements(of: target)) }
    if let from = other.rest { merge(from, into: rest(of: target)) }
    if other.isMap, !places[target].isMap { makeMap(target) }
    mergeMembers(other, into: target)
  }

  private mutating func mergeMembers(_ other: ObservedLocation, into target: Int) {
    var numbers: [Int] = []
    for member in other.members {
      guard let number = self.member(member.name, of: target, mayBecomeMap: true) else {
        merge(member.place, into: rest(of: target))
        continue
      }
      numbers.append(number)
      places[target].members[number].count += member.count
      merge(
        member.place, into: places[target].members[number].place)
    }
    guard numbers.count == other.members.count, !places[target].isMap else { return }
    places[target].order.merge(other.order, numbers: numbers)
  }
}
