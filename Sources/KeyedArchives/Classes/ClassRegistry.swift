// The known classes by their names: the rows of `Framework`, and those that applications register.

import ArchiveGraph
import ArchiveTypedStreams

/// The class families that archtool knows.
package enum ClassRegistry {
  private static let byName: [String: any ClassFamily.Type] = {
    var table: [String: any ClassFamily.Type] = [:]
    for family in families {
      for name in family.classNames { table[name] = family }
    }
    return table
  }()

  /// The frameworks with their classes, and what is shown of an object of each, for the manual.
  package static var listing: [(framework: String, classes: [(names: [String], shown: String)])] {
    Framework.all.map { ($0.name, $0.classes.map { (names: $0.classNames, shown: $0.shown) }) }
  }

  private static var families: [Family] { Framework.all.flatMap(\.classes) }

  private typealias Family = any FrameworkClass.Type

  /// What families declare, by the names of their classes or of some of them.
  private static func table<Fact>(
    names: (Family) -> [String] = { $0.classNames }, _ fact: (Family) -> Fact?
  ) -> [String: Fact] {
    var table: [String: Fact] = [:]
    for family in families {
      guard let fact = fact(family) else { continue }
      for name in names(family) { table[name] = fact }
    }
    return table
  }

  /// The Codable forms by the names of the classes that have one.
  static let codableForms: [String: CodableForm] = table(
    names: { $0.codableForm?.names ?? $0.classNames }, { $0.codableForm })

  /// How objects are written, by the names of their classes.
  static let storedForms: [String: StoredForm] = table { $0.storedForm }

  /// What fields must hold that readers and NSKeyedUnarchiver need, by the names of the classes, each with the name of its
  /// family.
  static let fieldRules: [String: (family: String, rules: [FieldRule])] = {
    let objects = FieldRule(.objects, [Marker.array], "an array")
    let rules: [(family: Family, rules: [FieldRule])] = [
      (NSArrayClass.self, [objects]), (NSSetClass.self, [objects]),
      (NSOrderedSetClass.self, [objects]),
      (NSDictionaryClass.self, [FieldRule(.keys, [Marker.array], "an array"), objects]),
      (NSStringClass.self, [FieldRule(.string, FieldRule.texts, "a string")]),
      (NSDataClass.self, [FieldRule(.data, [Marker.data], "data")]),
      (NSDateClass.self, [FieldRule(.time, [Marker.real, Marker.integer], "a real")]),
      (NSURLClass.self, [FieldRule(.relative, FieldRule.texts, "a string")]),
      (NSUUIDClass.self, [FieldRule(.uuidBytes, [Marker.data], "data of 16 bytes", byteCount: 16)]),
    ]
    return rules.reduce(into: [:]) { table, row in
      for name in row.family.classNames { table[name] = (row.family.classNames[0], row.rules) }
    }
  }()

  /// Whether readers derive a field from the others, so that objects without it are the same: a time zone's transitions.
  package static func isDerived(_ key: String, of name: String) -> Bool {
    key == "NS.data" && NSTimeZoneClass.classNames.contains(name)
  }

  /// How typedstreams lay objects out, by the names of the classes.
  static let streamLayouts: [String: StreamLayout] = [
    "NSArray": .list, "NSMutableArray": .list, "NSSet": .list, "NSMutableSet": .list,
    "NSDictionary": .dictionary, "NSMutableDictionary": .dictionary, "NSString": .string,
    "NSMutableString": .mutableString, "NSAttributedString": .attributedString,
    "NSMutableAttributedString": .attributedString, "NSData": .data, "NSMutableData": .mutableData,
    "NSDate": .date, "NSCalendarDate": .date, "NSNumber": .number, "NSValue": .value,
    "NSNull": .null, "NSURL": .url, "NSColor": .color,
  ]

  /// The family of a class, nil if it is not known.
  package static func family(of name: String) -> (any ClassFamily.Type)? {
    commonFamily(of: name) ?? byName[name]
  }

  /// The families that most archives know no others than: found without making the table of all.
  private static func commonFamily(of name: String) -> (any ClassFamily.Type)? {
    if NSDictionaryClass.classNames.contains(name) { return NSDictionaryClass.self }
    if NSArrayClass.classNames.contains(name) { return NSArrayClass.self }
    if NSStringClass.classNames.contains(name) { return NSStringClass.self }
    if NSDataClass.classNames.contains(name) { return NSDataClass.self }
    return NSDateClass.classNames.contains(name) ? NSDateClass.self : nil
  }

  /// What an object of a family is if `NS.objects`, and for a dictionary `NS.keys`, are stored arrays of equal number.
  ///
  /// Its value is then kept instead of asked for. Unknown for families that give anything else for it, or a fault.
  static func resolvedKind(of family: any ClassFamily.Type) -> ResolvedTable.Kind {
    if family == NSDictionaryClass.self { return .dictionary }
    if family == NSArrayClass.self { return .array }
    if family == NSSetClass.self { return .set }
    return family == NSOrderedSetClass.self ? .orderedSet : .unknown
  }

  /// The family of the nearest ancestor that is known; `chain` begins with the class itself.
  package static func family(ofAncestors chain: [String]) -> (any ClassFamily.Type)? {
    chain.lazy.compactMap { byName[$0] }.first
  }

  /// Whether objects of a class are strings, or UUIDs, which Codable encodes as strings.
  package static func isText(_ description: ClassDescription) -> Bool {
    let family = family(of: description.name) ?? family(ofAncestors: description.chain)
    return family == NSStringClass.self || family == NSUUIDClass.self
  }

  private static let jsonTags: [String: StaticString] = table { $0.jsonTag }

  /// The tag in JSON of resolved values: that of the class, or of its nearest ancestor that is known.
  @Sendable package static func jsonTag(of description: ClassDescription) -> StaticString? {
    if let tag = jsonTags[description.name] { return tag }
    let known = ([description.name] + description.chain).first { byName[$0] != nil }
    return known.flatMap { jsonTags[$0] }
  }

  /// Whether objects of a class are URLs.
  package static func isURL(_ description: ClassDescription) -> Bool {
    (family(of: description.name) ?? family(ofAncestors: description.chain)) == NSURLClass.self
  }

  /// Whether a class is one of Apple's frameworks by its prefix, and so keeps its class in every envelope.
  ///
  /// A class in a module is Swift's, and its name begins with that of the module: `UICatalog.Movie` is an application's.
  package static func isFoundation(_ name: String) -> Bool {
    guard Framework.hasClassPrefix(name) || mayBeQualified(name) else { return false }
    return isFoundation(ClassName(stored: name))
  }

  /// The same of a name whose parts are known.
  package static func isFoundation(_ name: ClassName) -> Bool {
    name.module.map { frameworkModules.contains($0) } ?? Framework.hasClassPrefix(name.stored)
  }

  private static let frameworkModules: Set<String> = [
    "Foundation", "FoundationEssentials", "FoundationNetworking", "FoundationInternationalization",
  ]

  /// Whether a name may be that of a class in a module of Foundation: marked so, or mangled.
  private static func mayBeQualified(_ name: String) -> Bool {
    name.hasPrefix("Foundation") || name.hasPrefix("_Tt") || name.hasPrefix("$s")
  }
}

// MARK: - Classes that an application registers, in addition to those of frameworks

/// The classes that an application has registered; none changes while a reader uses it, so that threads may share it.
package struct RegisteredClasses: Sendable {
  private let byName: [String: any ClassFamily.Type]

  /// Registers families; of two that name one class the first counts, and each counts before those of frameworks.
  package init(_ families: [any ClassFamily.Type] = []) {
    var table: [String: any ClassFamily.Type] = [:]
    for family in families {
      for name in family.classNames where table[name] == nil { table[name] = family }
    }
    byName = table
  }

  /// The family of a class, under its stored name or, for a class of Swift, the name that people read.
  subscript(name: String) -> (any ClassFamily.Type)? {
    if byName.isEmpty { return nil }
    return byName[name] ?? byName[ClassName(stored: name).display]
  }

  /// The family of the nearest ancestor that is registered.
  func family(ofAncestors chain: [String]) -> (any ClassFamily.Type)? {
    byName.isEmpty ? nil : chain.lazy.compactMap { self[$0] }.first
  }
}
