// A compiled schema: what validation needs, without reading JSON again.

import ArchiveBasics
import ArchiveEditing
import ArchiveGraph
import ArchivePatterns
import ArchivePropertyLists
import ArchiveWriting
import KeyedArchives

/// An edge from one compiled schema to another.
struct Edge {
  /// The number of the schema that applies.
  let schemaIndex: Int
  /// The keywords along the edge, as the end of a JSON Pointer, including the references that it follows.
  let pointer: String

  /// The keyword that the edge begins with.
  var keyword: String {
    String(pointer.dropFirst().prefix { $0 != "/" })
  }
}

/// A compiled schema.
struct SchemaNode {
  /// The number of its resource, from which the dynamic scope is built.
  let resource: Int
  /// Its location as a URI with a fragment.
  let location: String
  /// Whether nothing fits.
  var isFalse = false
  var types: TypeMask?
  /// `x-plist-type`: the exact type in the property list.
  var plistTypes: TypeMask?
  /// `x-class`, `x-classes`, `x-storage`, `x-mutable`, `x-key-class`.
  var structure: StructureRule?
  /// `enum`, or `const` as the only value.
  var values: [AllowedValues] = []
  // Behind a pointer, since the rules are large and few schemas have them.
  var numbers: UnsafeMutablePointer<NumberRules>?
  var strings: UnsafeMutablePointer<StringRules>?
  var objects: UnsafeMutablePointer<ObjectRules>?
  var arrays: UnsafeMutablePointer<ArrayRules>?
  /// What applies to the same value, in order.
  var applicators: [Applicator] = []
  var unevaluatedItems: Edge?
  var unevaluatedProperties: Edge?
  var numberShape: NumberShape = .any
  /// `deprecated`: whether a value here causes a warning.
  var isDeprecated = false

  /// Whether annotations of what applies to the same value are needed.
  var needsEvaluated: Bool { unevaluatedItems != nil || unevaluatedProperties != nil }
}

/// The limits of numbers.
struct NumberRules {
  var minimum: NumberBound?
  var maximum: NumberBound?
  var exclusiveMinimum: NumberBound?
  var exclusiveMaximum: NumberBound?
  var multipleOf: (number: ExactNumber, text: String)?
}

/// The limits of a count.
struct CountLimits {
  var minimum: Int?
  var maximum: Int?

  /// Whether any count is allowed.
  var isOpen: Bool { minimum == nil && maximum == nil }
}

/// The limits of strings.
struct StringRules {
  var length = CountLimits()
  var pattern: ECMAPattern?
  /// Set only where formats are asserted.
  var format: StringFormat?
}

/// The rules for objects.
struct ObjectRules {
  /// A member that the schema names.
  struct Property {
    let name: String
    let utf8: [UInt8]
    /// Its schema; the one that accepts everything if only `required` names the member.
    let edge: Edge
    /// Whether `properties` names it.
    let isNamed: Bool
    let isRequired: Bool
  }

  var properties: [Property] = []
  var patterns: [(pattern: ECMAPattern, edge: Edge)] = []
  var additional: Edge?
  var names: Edge?
  var count = CountLimits()
  /// `dependentRequired`, and the lists of `dependencies`.
  var dependents: [(keyword: String, name: String, required: [String])] = []
  /// The positions, below 64, of required members, as bits.
  private(set) var requiredBits: UInt64 = 0

  /// Whether only the presence of members matters, not their values.
  private(set) var onlyRequires = false
  /// The number of each property's schema; -1 for those that only `required` names.
  private(set) var namedSchemas: [Int] = []
  /// Whether members may be accepted by the fast path: their names alone tell which schemas apply.
  private(set) var mayPass = false
  /// `namedSchemas`, where they are read without counting references; nil if there are more than 64.
  ///
  /// `RuleStorage` gives them back.
  private(set) var storedSchemas: UnsafePointer<Int32>?
  /// Finds members by name if there are many.
  private var byName: [[UInt8]: Int] = [:]

  /// The position of a member; nil if the schema does not name it.
  ///
  /// The rules stay where they are: each copy counts references to all their tables.
  static func position(of key: Text, in rules: UnsafeMutablePointer<ObjectRules>) -> Int? {
    if !rules.pointee.byName.isEmpty { return rules.pointee.byName[Array(key.string.utf8)] }
    let properties = rules.pointee.properties
    if key.isSevenBit || key.form == .utf8 {
      return properties.firstIndex {
        $0.utf8.count == key.byteCount && key.bytes.elementsEqual($0.utf8)
      }
    }
    return properties.firstIndex { key.sameCharacters(as: $0.name) }
  }

  /// Completes the tables once all members are known.
  mutating func seal() {
    namedSchemas = properties.map { $0.isNamed ? $0.edge.schemaIndex : -1 }
    storeSchemas()
    requiredBits = properties.enumerated().reduce(0) { bits, property in
      property.element.isRequired && property.offset < 64
        ? bits | 1 << UInt64(property.offset) : bits
    }
    onlyRequires = additional == nil && patterns.isEmpty && !properties.contains(where: \.isNamed)
    mayPass = !onlyRequires && patterns.isEmpty
    guard properties.count > 32 else { return }
    for (position, property) in properties.enumerated() { byName[property.utf8] = position }
  }

  private mutating func storeSchemas() {
    storedSchemas?.deallocate()
    storedSchemas = nil
    guard namedSchemas.count <= 64 else { return }
    let schemas = UnsafeMutablePointer<Int32>.allocate(capacity: namedSchemas.count)
    for (position, schemaIndex) in namedSchemas.enumerated() {
      (schemas + position).initialize(to: Int32(truncatingIfNeeded: schemaIndex))
    }
    storedSchemas = UnsafePointer(schemas)
  }
}

/// The rules for arrays.
struct ArrayRules {
  var prefix: [Edge] = []
  var items: Edge?
  var contains: Edge?
  var minimumContains = 1
  var maximumContains: Int?
  var count = CountLimits()
  var isUnique = false
}

/// A keyword whose schemas apply to the value itself.
enum Applicator {
  /// `$ref`, or one schema of `allOf`.
  case reference(Edge)
  /// `$dynamicRef`: the name, and the target to use if nothing in the dynamic scope overrides it.
  case dynamic(name: String, Edge)
  case any([Edge])
  case one([Edge])
  case none(Edge)
  case conditional(Edge, then: Edge?, otherwise: Edge?)
  /// `dependentSchemas`, and the schemas of `dependencies`.
  case dependent(name: String, Edge)
  /// `x-archived`: applies to the model of the archive in a data value.
  case archived(ArchivedRule)
}

/// Stores the rules of schemas, where validation reads them without counting references.
final class RuleStorage {
  /// Frees the rules.
  private var cleanups: [() -> Void] = []
  /// The finished schemas.
  private(set) var nodes: UnsafeMutablePointer<SchemaNode> = .allocate(capacity: 0)
  /// What each of them accepts by the fast path.
  private(set) var quickRules: UnsafeMutablePointer<QuickRule> = .allocate(capacity: 0)
  /// How many there are.
  private(set) var count = 0

  deinit {
    for cleanup in cleanups { cleanup() }
    nodes.deinitialize(count: count)
    nodes.deallocate()
    quickRules.deallocate()
  }

  /// The rules of a schema for one type of values, made when they are first needed.
  func rules<Rules>(
    _ known: inout UnsafeMutablePointer<Rules>?, _ new: @autoclosure () -> Rules
  ) -> UnsafeMutablePointer<Rules> {
    if let known { return known }
    let rules = UnsafeMutablePointer<Rules>.allocate(capacity: 1)
    rules.initialize(to: new())
    cleanups.append {
      (rules.pointee as? ObjectRules)?.storedSchemas?.deallocate()
      rules.deinitialize(count: 1)
      rules.deallocate()
    }
    known = rules
    return rules
  }

  /// Stores the finished schemas.
  func keep(_ finished: [SchemaNode]) {
    nodes.deallocate()
    count = finished.count
    nodes = .allocate(capacity: count)
    quickRules.deallocate()
    quickRules = .allocate(capacity: count)
    for (schemaIndex, node) in finished.enumerated() {
      (nodes + schemaIndex).initialize(to: node)
      (quickRules + schemaIndex).initialize(to: QuickRule(node))
    }
  }
}

// MARK: - Limits of numbers in a schema

/// A limit of `minimum`, `maximum` and their like.
struct NumberBound {
  private let exact: ExactNumber
  private let real: Double
  /// Whether `real` is the limit itself.
  private let isReal: Bool
  /// The limit as messages show it.
  let text: String

  /// The limit, if it is a finite real exactly.
  var exactReal: Double? { isReal && real.isFinite ? real : nil }

  /// Reads a limit; nil if the value is not a number.
  init?(_ tree: JSONTree) {
    guard let exact = ExactNumber(tree) else { return nil }
    self.exact = exact
    switch tree {
    case .integer(let number):
      (real, text) = (Double(number), "\(number)")
      isReal = number.magnitude < 1 << 53
    case .unsigned(let number): (real, isReal, text) = (Double(number), false, "\(number)")
    case .wide(let number): (real, isReal, text) = (Double(number), false, "\(number)")
    case .real(let number):
      (real, isReal) = (number, true)
      text = Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    default: return nil
    }
  }

  /// How a number compares to the limit; nil for NaN.
  enum Order { case below, equal, above }

  /// Compares a real.
  func order(of number: Double) -> Order? {
    if number.isNaN { return nil }
    if !isReal, let number = ExactNumber(number) { return order(of: number) }
    return number < real ? .below : number > real ? .above : .equal
  }

  /// Compares an integer.
  @inline(__always)
  func order(of number: Int64) -> Order {
    // Integers of at most 53 bits are exact as reals.
    if number.magnitude < 1 << 53, isReal {
      let value = Double(number)
      return value < real ? .below : value > real ? .above : .equal
    }
    return order(of: ExactNumber(Int128(number)))
  }

  /// Compares any number.
  func order(of number: ExactNumber) -> Order {
    number < exact ? .below : exact < number ? .above : .equal
  }
}

// MARK: - The types that JSON Schema and `x-plist-type` distinguish

/// A set of types.
struct TypeMask: OptionSet, Hashable {
  let rawValue: UInt16

  static let null = TypeMask(rawValue: 1)
  static let boolean = TypeMask(rawValue: 2)
  static let integer = TypeMask(rawValue: 4)
  static let number = TypeMask(rawValue: 8)
  static let string = TypeMask(rawValue: 16)
  static let array = TypeMask(rawValue: 32)
  static let object = TypeMask(rawValue: 64)
  static let data = TypeMask(rawValue: 128)
  static let date = TypeMask(rawValue: 256)
  static let uid = TypeMask(rawValue: 512)
  static let real = TypeMask(rawValue: 1024)

  /// The types that `type` may name.
  static let json: TypeMask = [
    .null, .boolean, .integer, .number, .string, .array, .object,
  ]
  /// The types that `x-plist-type` may name.
  static let propertyList: TypeMask = [
    .null, .boolean, .integer, .real, .string, .date, .data, .array, .object, .uid,
  ]

  private static let names: [(TypeMask, String)] = [
    (.null, "null"), (.boolean, "boolean"), (.integer, "integer"), (.number, "number"),
    (.string, "string"), (.array, "array"), (.object, "object"), (.data, "data"),
    (.date, "date"), (.uid, "uid"), (.real, "real"),
  ]

  init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The type with a name; nil if no type has it.
  init?(name: String) {
    guard let known = Self.names.first(where: { $0.1 == name }) else { return nil }
    self = known.0
  }

  /// The names of the types.
  var all: [String] { Self.names.filter { contains($0.0) }.map(\.1) }

  /// The types as text for people: `integer or null`.
  var text: String {
    let names = all
    guard let last = names.last, names.count > 1 else { return names.first ?? "nothing" }
    return names.dropLast().joined(separator: ", ") + " or " + last
  }
}

// MARK: - The values of `enum` and `const`

/// Values, one of which a value must equal.
struct AllowedValues {
  /// `enum` or `const`.
  let keyword: String
  /// How many values a message lists.
  private static let mostListed = 16

  /// The expectation as text.
  let expectation: String
  /// The strings among them, in UTF-8: Swift treats canonically equivalent strings as equal, JSON Schema does not.
  private let strings: Set<[UInt8]>
  /// The numbers and booleans among them.
  private let numbers: Set<ScalarEquality.Number>
  /// All others.
  private let others: Others?

  /// Null, lists and objects, in a separate graph.
  final class Others {
    let graph: ObjectGraph
    let nodes: [Node]

    init(_ trees: [JSONTree]) {
      graph = JSONTree.list(trees).makeGraph()
      guard case .array(let elements) = graph.value(of: graph.root) else {
        nodes = []
        return
      }
      nodes = (0..<elements.count).map { [graph] in graph.node(elements, $0) }
    }
  }

  init(keyword: String, _ trees: [JSONTree]) {
    self.keyword = keyword
    strings = Set(trees.compactMap { $0.string.map { Array($0.utf8) } })
    numbers = Set(trees.compactMap { Self.number(of: $0) })
    let others = trees.filter { $0.string == nil && Self.number(of: $0) == nil }
    self.others = others.isEmpty ? nil : Others(others)
    let listed = trees.prefix(Self.mostListed).map(Self.text).joined(separator: ", ")
    let rest = trees.count > Self.mostListed ? " and \(trees.count - Self.mostListed) others" : ""
    expectation = keyword == "const" ? listed : "one of \(listed)\(rest)"
  }

  private static func number(of tree: JSONTree) -> ScalarEquality.Number? {
    switch tree {
    case .boolean(let flag): .boolean(flag)
    case .integer(let number): .integer(Int128(number))
    case .unsigned(let number): .integer(Int128(number))
    case .wide(let number): .integer(number)
    case .real(let number): ScalarEquality.value.number(number)
    default: nil
    }
  }

  private static func text(of tree: JSONTree) -> String {
    if let string = tree.string {
      return string.count > 60 ? string.prefix(60) + "…" : string
    }
    let text = tree.compactText
    return text.count > 60 ? text.prefix(60) + "…" : text
  }

  /// Whether a value is one of them.
  ///
  /// - Parameter canonical: the numbers of the graph's values.
  /// - Throws: `ArchiveError` with code `limit` if the value is too deep to be compared.
  func contain(
    _ node: Node, _ value: Value, _ canonical: CanonicalTable
  ) throws(ArchiveError) -> Bool {
    if case .string(let text) = value { return strings.contains(Array(text.string.utf8)) }
    if let text = JSONForm.text(of: value) { return strings.contains(Array(text.utf8)) }
    if let number = ScalarEquality.value.number(value) { return numbers.contains(number) }
    guard let others else { return false }
    return try canonical.numbers(of: others).contains(canonical.number(of: node))
  }
}

// MARK: - What a schema accepts by the fast path: most scalars fit because of their marker byte alone

/// The stored scalars that certainly fit a schema, without a violation or a warning.
///
/// It never refuses: what it does not accept is validated in full. It is trivial, so reading it counts no references.
struct QuickRule {
  /// A bit for each marker byte below 0x80 whose values fit whatever they are.
  private var markers: (UInt64, UInt64) = (0, 0)
  /// The numbers that fit, both ends included, if the schema limits numbers.
  private var least = Double.infinity
  private var most = -Double.infinity
  private var acceptsIntegers = false
  private var acceptsReals = false
  /// How many characters a short ASCII string may have, if the schema limits strings by length.
  private var shortest = Int.max
  private var longest = -1
  /// Whether nothing is to be said of a container of an allowed type but of its parts.
  private(set) var isPlain = false
  /// What is to be said of the members of a dictionary, if they alone are checked.
  private(set) var members = MemberRule()
  /// What is to be said of the elements of a list, if they alone are checked.
  private(set) var elements = ElementRule()

  /// How a container is accepted by the fast path.
  enum Acceptance {
    /// Not: it is validated in full.
    case never
    /// Whatever it holds.
    case always
    /// If its parts are accepted.
    case byParts
  }

  /// The members of a dictionary.
  struct MemberRule {
    var acceptance = Acceptance.never
    /// The positions of required members, as bits.
    var required: UInt64 = 0
    /// The number of the schema of members without a position; 0 if they are not constrained.
    var others: Int32 = 0
    /// The numbers of the schemas by position, -1 for members that are only required; `RuleStorage` owns them.
    var schemas: UnsafePointer<Int32>?
  }

  /// The elements of a list.
  struct ElementRule {
    var acceptance = Acceptance.never
    /// The number of their schema.
    var items: Int32 = 0
  }

  /// Finds out what a schema certainly accepts.
  init(_ node: SchemaNode) {
    isPlain = Self.isPlain(node)
    if isPlain, node.applicators.isEmpty, !node.needsEvaluated { addContainers(node) }
    guard !node.isFalse, node.structure == nil, !node.isDeprecated, node.values.isEmpty,
      node.applicators.isEmpty
    else { return }
    addConstants(node)
    addNumbers(node)
    addTexts(node)
  }

  private static func isPlain(_ node: SchemaNode) -> Bool {
    !node.isFalse && node.plistTypes == nil && node.structure == nil && !node.isDeprecated
      && node.values.isEmpty && node.objects?.pointee.count.isOpen != false
      && node.arrays?.pointee.count.isOpen != false
      && node.objects?.pointee.dependents.isEmpty != false && node.arrays?.pointee.isUnique != true
  }

  private mutating func addContainers(_ node: SchemaNode) {
    let isUnconstrained = node.objects == nil && node.arrays == nil
    if node.types?.contains(.object) != false {
      if isUnconstrained { members.acceptance = .always }
      if let rules = node.objects { addMembers(rules.pointee) }
    }
    if node.types?.contains(.array) != false {
      if isUnconstrained { elements.acceptance = .always }
      if let rules = node.arrays?.pointee, rules.prefix.isEmpty, rules.contains == nil,
        let items = rules.items
      {
        elements = ElementRule(
          acceptance: .byParts, items: Int32(truncatingIfNeeded: items.schemaIndex))
      }
    }
  }

  private mutating func addMembers(_ rules: ObjectRules) {
    guard rules.mayPass, rules.names == nil, let schemas = rules.storedSchemas else { return }
    members = MemberRule(
      acceptance: .byParts, required: rules.requiredBits,
      others: Int32(truncatingIfNeeded: rules.additional?.schemaIndex ?? 0), schemas: schemas)
  }

  private mutating func addConstants(_ node: SchemaNode) {
    if Self.allows(node, .null, .null) { add(0x00...0x00) }
    if Self.allows(node, .boolean, .boolean) { add(0x08...0x09) }
  }

  private mutating func addNumbers(_ node: SchemaNode) {
    // An integral real is an integer as well, which its marker does not tell.
    let integers = Self.allows(node, [.integer, .number], .integer)
    let reals = Self.allows(node, .number, .real)
    guard let rules = node.numbers?.pointee else {
      if integers { add(0x10...0x13) }
      if reals { add(0x22...0x23) }
      return
    }
    guard rules.multipleOf == nil, let range = rules.range else { return }
    (acceptsIntegers, acceptsReals) = (integers, reals)
    (least, most) = (range.least, range.most)
  }

  private mutating func addTexts(_ node: SchemaNode) {
    let strings = Self.allows(node, .string, .string)
    guard let rules = node.strings?.pointee else {
      if strings { add(0x50...0x7F) }
      // JSON has strings in place of dates and data.
      if Self.allows(node, .string, .date) { add(0x33...0x33) }
      if Self.allows(node, .string, .data) { add(0x40...0x4F) }
      return
    }
    guard strings, rules.pattern == nil, rules.format == nil else { return }
    (shortest, longest) = (rules.length.minimum ?? 0, rules.length.maximum ?? .max)
  }

  /// Whether a schema allows a type of JSON that is one of a property list's types.
  private static func allows(_ node: SchemaNode, _ json: TypeMask, _ exact: TypeMask) -> Bool {
    if let types = node.types, types.isDisjoint(with: json) { return false }
    return node.plistTypes?.isSuperset(of: exact) ?? true
  }

  private mutating func add(_ range: ClosedRange<UInt8>) {
    for marker in range {
      let bit: UInt64 = 1 << UInt64(marker & 63)
      if marker < 0x40 { markers.0 |= bit } else { markers.1 |= bit }
    }
  }

  /// Whether all values with a marker fit a rule, which is read in place.
  @inline(__always)
  static func accepts(marker: UInt8, _ rule: UnsafePointer<QuickRule>) -> Bool {
    // UIDs and containers are never accepted.
    guard marker < 0x80 else { return false }
    let word = marker < 0x40 ? rule.pointee.markers.0 : rule.pointee.markers.1
    return word >> UInt64(marker & 63) & 1 != 0
  }

  /// Whether a stored value certainly fits a rule, which is read in place.
  ///
  /// - Parameter valuePointer: the value's marker byte, of a table that was checked; not one that represents nil.
  @inline(__always)
  static func accepts(_ valuePointer: UnsafeRawPointer, _ rule: UnsafePointer<QuickRule>) -> Bool {
    let marker = valuePointer.load(as: UInt8.self)
    if accepts(marker: marker, rule) { return true }
    switch marker {
    case 0x10, 0x11, 0x12, 0x13:
      guard rule.pointee.acceptsIntegers else { return false }
      let number = Int64(bitPattern: bigEndian(valuePointer + 1, 1 << Int(marker & 3)))
      // Integers of at most 53 bits are exact as reals.
      guard number.magnitude < 1 << 53 else { return false }
      return Double(number) >= rule.pointee.least && Double(number) <= rule.pointee.most
    case 0x23:
      guard rule.pointee.acceptsReals else { return false }
      let number = Double(bitPattern: bigEndian(valuePointer + 1, 8))
      return number >= rule.pointee.least && number <= rule.pointee.most
    case 0x50...0x5E:
      let length = Int(marker & 0x0F)
      return length >= rule.pointee.shortest && length <= rule.pointee.longest
    default: return false
    }
  }
}

extension NumberRules {
  /// The reals that are within all limits, both ends included; nil if a limit is not a real.
  fileprivate var range: (least: Double, most: Double)? {
    var least = -Double.infinity
    var most = Double.infinity
    for (bound, isExcluded) in [(minimum, false), (exclusiveMinimum, true)] {
      guard let bound else { continue }
      guard let real = bound.exactReal else { return nil }
      least = max(least, isExcluded ? real.nextUp : real)
    }
    for (bound, isExcluded) in [(maximum, false), (exclusiveMaximum, true)] {
      guard let bound else { continue }
      guard let real = bound.exactReal else { return nil }
      most = min(most, isExcluded ? real.nextDown : real)
    }
    return (least, most)
  }
}
