// Writes the JSON of a schema from the observations.

import ArchiveBasics
import ArchivePropertyLists

struct SchemaEmission {
  /// Where values occurred: their container, and their name in it.
  private struct Occurrence: Hashable {
    let outer: Int
    let name: String
  }

  private typealias Members = [(String, JSONTree)]

  /// The types that JSON Schema distinguishes without `x-plist-type`.
  private static let plainTypes: ValueKinds = [
    .null, .boolean, .number, .text, .array, .dictionary,
  ]

  let isList: Bool
  private var tree: ObservationTree
  private let options: SchemaInference.Options
  private let family: String
  private var shapes: ShapeTable
  private var definitions = UniqueNames()
  /// The definitions that will be written to `$defs`.
  private var waiting: [(name: String, location: Int)] = []
  private var classNames: [String: String] = [:]
  private var shapeNames: [Int: String] = [:]
  /// The locations of each shape that is written to `$defs`, and the names of its members.
  private var groups: [Int: (locations: [Int], names: Set<String>)] = [:]

  init(_ tree: ObservationTree, _ options: SchemaInference.Options, family: String) {
    self.tree = tree
    self.options = options
    self.family = family
    shapes = ShapeTable(mapNames: options.mapNames)
    isList = Self.gatherRoots(&self.tree)
  }

  /// Merges models in lists with models that are roots.
  ///
  /// - Returns: whether models occur in lists. If a root array was not a list of models, all are plain arrays.
  private static func gatherRoots(_ tree: inout ObservationTree) -> Bool {
    guard let sizes = tree.lists else { return false }
    let hasModels = (sizes.greatest ?? 0) > 0
    let root = ObservationTree.root
    let isModel = !tree[root].classNames.isEmpty || tree[root].kinds.contains(.dictionary)
    if !tree[root].kinds.contains(.array), hasModels || isModel {
      tree.merge(ObservationTree.listed, into: root)
      return true
    }
    tree[root].kinds.insert(.array)
    tree[root].counts.merge(sizes)
    if hasModels { tree.merge(ObservationTree.listed, into: tree.elements(of: root)) }
    return false
  }

  /// The members of the schema that describe the model, `$defs` last.
  mutating func body() -> [(String, JSONTree)] {
    _ = shapes.settle(ObservationTree.root, in: &tree)
    for (_, location) in tree.classes { _ = shapes.settle(location, in: &tree) }
    findGroups()
    var members = rootBody()
    var bodies: Members = []
    var next = 0
    while next < waiting.count {
      let definition = waiting[next]
      bodies.append((definition.name, .members(alternatives(definition.location))))
      next += 1
    }
    if !bodies.isEmpty { members.append(("$defs", .members(bodies))) }
    return members
  }

  /// The root; an object whose class occurs nowhere else is described inline.
  private mutating func rootBody() -> Members {
    let root = tree[ObservationTree.root]
    if root.kinds.isEmpty, root.classNames.count == 1, let name = root.classNames.first,
      let location = tree.classes[name],
      // Its objects occur only at the root.
      !reachable().contains(where: {
        $0 != ObservationTree.root && tree[$0].classNames.contains(name)
      })
    {
      // The envelope specifies the classes of the root.
      return record(location).filter { $0.0 != "x-class" }
    }
    return alternatives(ObservationTree.root)
  }

  // MARK: Shapes at several locations

  /// Every location that the schema describes.
  private func reachable() -> [Int] {
    var locations = [ObservationTree.root] + tree.classes.values.sorted()
    var next = 0
    while next < locations.count {
      let location = tree[locations[next]]
      locations += location.members.map(\.location)
      locations += [location.elements, location.rest, location.archives.location].compactMap { $0 }
      next += 1
    }
    return locations
  }

  private mutating func findGroups() {
    var found: [Int: [(location: Int, occurrence: Occurrence)]] = [:]
    // Where locations occur in the schema; equal shapes are written once, and the locations in records follow their
    // shapes.
    var contexts: [Occurrence: Int] = [:]
    var waiting = [(ObservationTree.root, Occurrence(outer: -1, name: family))]
    waiting += tree.classes.sorted { $0.key < $1.key }.map {
      ($0.value, Occurrence(outer: -2, name: $0.key))
    }
    while let (location, occurrence) = waiting.popLast() {
      let inner = tree[location]
      var outer = contexts[occurrence] ?? -3 - contexts.count
      if isGroupable(inner), let shape = shapes.shapes[location] {
        if occurrence.outer != -1 { found[shape, default: []].append((location, occurrence)) }
        outer = shape
      } else {
        contexts[occurrence] = outer
      }
      for member in inner.members {
        waiting.append((member.location, Occurrence(outer: outer, name: member.name)))
      }
      let name = UniqueNames.singular(occurrence.name)
      for location in [inner.elements, inner.rest, inner.archives.location].compactMap({ $0 }) {
        waiting.append((location, Occurrence(outer: outer, name: name)))
      }
    }
    for (shape, all) in found where Set(all.map(\.occurrence)).count > 1 {
      groups[shape] = (all.map(\.location).sorted(), Set(all.map(\.occurrence.name)))
    }
  }

  /// Whether a location contains only records with more than one member.
  private func isGroupable(_ location: ObservedLocation) -> Bool {
    location.kinds == .dictionary && location.classNames.isEmpty && !location.isMap
      && location.members.count > 1
  }

  /// The name of the definition of a location's shape; nil if the location is described inline.
  private mutating func definition(of location: Int) -> String? {
    guard let shape = shapes.shapes[location], let group = groups[shape],
      isGroupable(tree[location])
    else { return nil }
    if let known = shapeNames[shape] { return known }
    let name = definitions.name(for: group.names)
    shapeNames[shape] = name
    let merged = tree.addLocation(in: ObservationTree.root)
    for location in group.locations { tree.merge(location, into: merged) }
    _ = shapes.settle(merged, in: &tree)
    waiting.append((name, merged))
    return name
  }

  private mutating func reference(toClass name: String) -> JSONTree {
    if let known = classNames[name] { return Self.reference(known) }
    let definition = definitions.name(for: [name])
    classNames[name] = definition
    if let location = tree.classes[name] {
      waiting.append((definition, location))
    }
    return Self.reference(definition)
  }

  private static func reference(_ name: String) -> JSONTree {
    .members([("$ref", .string("#/$defs/\(name)"))])
  }

  // MARK: Locations

  private mutating func schema(_ location: Int) -> JSONTree {
    if let name = definition(of: location) { return Self.reference(name) }
    return .members(alternatives(location))
  }

  /// What a location may contain: one schema, or `anyOf` several where one schema could not distinguish them.
  private mutating func alternatives(_ location: Int) -> Members {
    // The location of a class contains only its fields.
    if tree[location].kinds.isEmpty, tree[location].classNames.isEmpty,
      tree[location].dictionaries > 0
    {
      return record(location)
    }
    var all: [Members] = []
    let kinds = tree[location].kinds
    if !kinds.isDisjoint(with: Self.plainTypes) { all.append(plain(location)) }
    for (kind, type, exact) in [
      (ValueKinds.date, "string", "date"), (.data, "string", "data"), (.uid, "object", "uid"),
    ] where kinds.contains(kind) {
      let structure =
        kinds == kind && tree[location].classNames.isEmpty
        ? tree[location].structure.keywords(isObject: false) : []
      all.append(
        [("type", .string(type)), ("x-plist-type", .string(exact))] + structure
          + (kind == .data ? archived(location) : []))
    }
    for name in tree[location].classNames.sorted() {
      all.append(reference(toClass: name).members ?? [])
    }
    if all.count > 1 { return [("anyOf", .list(all.map { .members($0) }))] }
    return all.first ?? []
  }

  /// The schema of everything that JSON itself has types for.
  private mutating func plain(_ location: Int) -> Members {
    let kinds = tree[location].kinds.intersection(Self.plainTypes)
    var members: Members = [("type", Self.names(kinds, isExact: false))]
    if let exact = exactTypes(kinds) { members.append(("x-plist-type", exact)) }
    members += tree[location].structure.keywords(isObject: false)
    if kinds.contains(.text) { members += tree[location].stringKeywords(options) }
    if !kinds.isDisjoint(with: .number) { members += tree[location].range(options) }
    if kinds.contains(.array) { members += array(location) }
    if kinds.contains(.dictionary) { members += record(location).dropFirst() }
    return members
  }

  /// The types that distinguish text from dates and data.
  ///
  /// The keyword applies to all values of the location, so the other types are listed as well. Those of numbers are not
  /// distinguished: NSKeyedArchiver may store 64.0 as an integer 64 that it stored earlier.
  private func exactTypes(_ kinds: ValueKinds) -> JSONTree? {
    guard kinds.contains(.text) else { return nil }
    return Self.names(
      kinds.isDisjoint(with: .number) ? kinds : kinds.union(.number), isExact: true)
  }

  /// The names of types, containers first; what may have a fraction is a number, whole ones included.
  private static func names(_ kinds: ValueKinds, isExact: Bool) -> JSONTree {
    let hasFractions = kinds.contains(.real)
    let order: [(name: String, kinds: ValueKinds, isNamed: Bool)] = [
      ("object", .dictionary, true), ("array", .array, true), ("string", .text, true),
      ("number", .real, !isExact), ("integer", .storedInteger, isExact || !hasFractions),
      ("real", .real, isExact), ("boolean", .boolean, true), ("null", .null, true),
    ]
    let names = order.filter { $0.isNamed && kinds.contains($0.kinds) }
      .map { JSONTree.string($0.name) }
    return names.count == 1 ? names[0] : .list(names)
  }

  private mutating func archived(_ location: Int) -> Members {
    guard let archive = tree[location].archives.archive,
      let model = tree[location].archives.location
    else { return [] }
    return [("x-archived", .members([("x-archive", archive)] + (schema(model).members ?? [])))]
  }

  private mutating func array(_ location: Int) -> Members {
    var members: Members = []
    if let elements = tree[location].elements { members.append(("items", schema(elements))) }
    if options.hasRanges {
      members.append(("minItems", .integer(tree[location].counts.least ?? 0)))
      members.append(("maxItems", .integer(tree[location].counts.greatest ?? 0)))
    }
    return members
  }

  /// The schema of dictionaries, `type` first.
  private mutating func record(_ location: Int) -> Members {
    var members: Members = [("type", .string("object"))]
    let observed = tree[location]
    // The location of a class contains only its fields.
    if observed.kinds.isEmpty { members += observed.structure.keywords(isObject: true) }
    let sorted = observed.sortedMembers
    if !observed.isMap, !sorted.isEmpty || observed.rest == nil {
      members.append(("properties", .members(sorted.map { ($0.name, schema($0.location)) })))
    }
    let required = sorted.filter { $0.count == observed.dictionaries }
    if !required.isEmpty {
      members.append(("required", .list(required.map { .string($0.name) })))
    }
    if let rest = observed.rest {
      members.append(("additionalProperties", schema(rest)))
    } else if !options.isOpen {
      members.append(("additionalProperties", .boolean(false)))
    }
    return members
  }
}

// MARK: - The rules of a schema for the strings and the numbers at a location

extension ObservedLocation {
  fileprivate func stringKeywords(_ options: SchemaInference.Options) -> [(String, JSONTree)] {
    if let values = enumeration(options) { return [("enum", .list(values))] }
    var members: [(String, JSONTree)] = []
    if strings.count >= options.formatObservations, let format = strings.formats?.first {
      members.append(("format", .string(format.rawValue)))
    }
    if options.hasRanges {
      members.append(("minLength", .integer(strings.lengths.least ?? 0)))
      members.append(("maxLength", .integer(strings.lengths.greatest ?? 0)))
    }
    return members
  }

  /// The strings of an `enum`, which forbids everything else; only for locations with just strings and null.
  private func enumeration(_ options: SchemaInference.Options) -> [JSONTree]? {
    guard kinds.subtracting(.null) == .text, classNames.isEmpty, !strings.isOverflowing,
      !strings.values.isEmpty, strings.count >= options.enumObservations,
      strings.values.values.allSatisfy({ $0 >= options.enumRepetitions })
    else { return nil }
    let values = strings.values.keys.sorted().map { JSONTree.string($0) }
    return kinds.contains(.null) ? values + [.null] : values
  }

  fileprivate func range(_ options: SchemaInference.Options) -> [(String, JSONTree)] {
    let isBoolean =
      kinds.isSuperset(of: [.storedInteger, .boolean]) && !kinds.contains(.real)
      && numbers.count >= options.enumObservations && (numbers.integers.least ?? -1) >= 0
      && (numbers.integers.greatest ?? 2) <= 1
    if isBoolean { return [("minimum", .integer(0)), ("maximum", .integer(1))] }
    if options.hasRanges, !numbers.isUnbounded {
      return [("minimum", bound(numbers.integers.least, numbers.reals.least, isLeast: true))]
        + [("maximum", bound(numbers.integers.greatest, numbers.reals.greatest, isLeast: false))]
    }
    // A location of UInt64 must be distinguished from one of Int.
    if let least = numbers.integers.least, let greatest = numbers.integers.greatest, least >= 0,
      greatest > Int128(Int64.max), !kinds.contains(.real)
    {
      return [("minimum", .integer(0)), ("maximum", .unsigned(.max))]
    }
    return []
  }

  private func bound(_ integer: Int128?, _ real: Double?, isLeast: Bool) -> JSONTree {
    let whole = integer.map { ExactNumber.integer($0) }
    guard let real, let exact = ExactNumber(real) else { return whole?.tree ?? .integer(0) }
    guard let whole, isLeast ? whole <= exact : whole >= exact else { return .real(real) }
    return whole.tree
  }
}

// MARK: - Names of definitions, from the names of members and classes

extension UniqueNames {
  /// A name for the contents of members or a class with these names: `Measurement`, `ImperialOrMetric`.
  fileprivate mutating func name(for names: Set<String>) -> String {
    let base = names.sorted().prefix(3).map { Self.capitalised($0) }
      .filter { !$0.isEmpty }.joined(separator: "Or")
    return name(base.isEmpty ? "Shape" : base)
  }

  /// ASCII letters and digits, capitalized, so that neither pointers nor URIs need escapes.
  private static func capitalised(_ name: String) -> String {
    String(
      UniqueNames.words(name).map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined().prefix(60)
    )
  }

  /// The name of one element of a list: `topCityWeathers` contains a `topCityWeather`.
  static func singular(_ name: String) -> String {
    if name.hasSuffix("ies"), name.count > 4 { return name.dropLast(3) + "y" }
    for ending in ["sses", "xes", "ches", "shes"] where name.hasSuffix(ending) {
      return String(name.dropLast(2))
    }
    if name.hasSuffix("s"), !name.hasSuffix("ss"), name.count > 3 { return String(name.dropLast()) }
    return name
  }
}

/// The names of one scope: a name that is requested again gets a number.
struct UniqueNames {
  var known: Set<String> = []
  private var numbers: [String: Int] = [:]

  init(known: Set<String> = []) { self.known = known }

  mutating func name(_ stem: String) -> String {
    var name = stem
    while !known.insert(name).inserted {
      numbers[stem, default: 1] += 1
      name = "\(stem)\(numbers[stem, default: 1])"
    }
    return name
  }

  /// Runs of ASCII letters and digits.
  static func words(_ text: String) -> [String] {
    text.unicodeScalars.split {
      !$0.isASCII || !($0.properties.isAlphabetic || ("0"..."9").contains($0))
    }.map { String(Substring($0)) }
  }
}
