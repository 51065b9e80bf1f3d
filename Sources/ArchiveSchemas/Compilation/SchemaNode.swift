// A compiled schema: what validation needs, without reading JSON again.

import ArchiveBasics
import ArchiveGraph
import ArchivePatterns
import ArchivePropertyLists
import ArchiveWriting

struct Edge {
  let schemaIndex: Int
  /// The keywords along the edge, as the end of a JSON Pointer, including the references that it follows.
  let pointer: String

  /// The keyword that the edge begins with.
  var keyword: String {
    String(pointer.dropFirst().prefix { $0 != "/" })
  }
}

struct SchemaNode {
  /// The number of its resource, from which the dynamic scope is built.
  let resource: Int
  /// Its location as a URI with a fragment.
  let location: String
  /// Whether nothing fits.
  var isFalse = false
  var types: ValueKinds?
  /// `x-plist-type`: the exact type in the property list.
  var plistTypes: ValueKinds?
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

/// The rules of a schema for one type of values; none at first.
protocol KeywordRules { init() }

struct NumberRules: KeywordRules {
  var minimum: NumberLimit?
  var maximum: NumberLimit?
  var exclusiveMinimum: NumberLimit?
  var exclusiveMaximum: NumberLimit?
  var multipleOf: NumberLimit?
}

/// A limit of `minimum`, `maximum` and their like.
struct NumberLimit {
  let exact: ExactNumber
  /// The same, if it is a finite real exactly.
  let real: Double?
  /// The limit as messages show it.
  let text: String

  init?(_ tree: JSONTree) {
    guard let exact = ExactNumber(tree) else { return nil }
    self.exact = exact
    real = ExactNumber(exact.real) == exact ? exact.real : nil
    if case .real(let number) = tree, Int64(exactly: number) == nil {
      text = "\(number)"
    } else {
      text = exact.text
    }
  }

  /// How a number compares to the limit: -1 below, 1 above; nil for NaN and what is no number.
  func order(of value: Value) -> Int? {
    if let real {
      // Integers of at most 53 bits are exact as reals.
      switch value {
      case .integer(let number) where number.magnitude < 1 << 53: return order(Double(number), real)
      case .real(let number): return number.isNaN ? nil : order(number, real)
      default: break
      }
    }
    if let number = ExactNumber(value) { return order(number, exact) }
    switch value {
    case .real(let number) where !number.isNaN: return number < 0 ? -1 : 1
    case .single(let number) where !number.isNaN: return number < 0 ? -1 : 1
    default: return nil
    }
  }

  private func order<Number: Comparable>(_ number: Number, _ limit: Number) -> Int {
    number < limit ? -1 : limit < number ? 1 : 0
  }
}

struct CountLimits {
  var minimum: Int?
  var maximum: Int?

  /// Whether any count is allowed.
  var isOpen: Bool { minimum == nil && maximum == nil }
}

struct StringRules: KeywordRules {
  var length = CountLimits()
  var pattern: ECMAPattern?
  /// Set only where formats are asserted.
  var format: StringFormat?
}

struct ObjectRules: KeywordRules {
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
  /// Whether members may be accepted by the fast path: their names alone tell which schemas apply.
  private(set) var mayPass = false
  /// The members, where they are read without counting references; nil if there are more than 64.
  ///
  /// `RuleStorage` gives them back.
  private(set) var stored: StoredMembers?
  /// Finds members by name if there are many.
  private var byName: [[UInt8]: Int] = [:]

  /// The position of a member; nil if the schema does not name it.
  ///
  /// The rules stay where they are: each copy counts references to all their tables.
  static func position(of key: Text, in rules: UnsafeMutablePointer<ObjectRules>) -> Int? {
    if !rules.pointee.byName.isEmpty { return rules.pointee.byName[Array(key.string.utf8)] }
    if let names = rules.pointee.stored?.names, key.isSevenBit || key.form == .utf8 {
      return names.firstIndex { haveSameBytes($0, key.bytes) }
    }
    return rules.pointee.properties.firstIndex { key.sameCharacters(as: $0.name) }
  }

  /// Completes the tables once all members are known.
  mutating func seal() {
    requiredBits = properties.enumerated().reduce(0) { bits, property in
      property.element.isRequired && property.offset < 64
        ? bits | 1 << UInt64(property.offset) : bits
    }
    onlyRequires = additional == nil && patterns.isEmpty && !properties.contains(where: \.isNamed)
    mayPass = !onlyRequires && patterns.isEmpty
    if properties.count <= 64 { stored = StoredMembers(properties) }
    guard properties.count > 32 else { return }
    for (position, property) in properties.enumerated() { byName[property.utf8] = position }
  }
}

/// The members that a schema names, in memory of its own.
struct StoredMembers {
  /// The number of each one's schema, -1 for those that only `required` names.
  let schemas: UnsafePointer<Int32>
  /// The name of each, in UTF-8.
  let names: UnsafeBufferPointer<ByteView>
  private let bytes: UnsafeMutableRawPointer

  init(_ properties: [ObjectRules.Property]) {
    let schemas = UnsafeMutablePointer<Int32>.allocate(capacity: properties.count)
    let names = UnsafeMutablePointer<ByteView>.allocate(capacity: properties.count)
    bytes = .allocate(byteCount: properties.reduce(0) { $0 + $1.utf8.count }, alignment: 1)
    var end = bytes
    for (position, property) in properties.enumerated() {
      let schemaIndex = property.isNamed ? property.edge.schemaIndex : -1
      (schemas + position).initialize(to: Int32(truncatingIfNeeded: schemaIndex))
      (names + position).initialize(to: ByteView(start: end, count: property.utf8.count))
      for byte in property.utf8 {
        end.storeBytes(of: byte, as: UInt8.self)
        end += 1
      }
    }
    self.schemas = UnsafePointer(schemas)
    self.names = UnsafeBufferPointer(start: names, count: properties.count)
  }

  func deallocate() {
    schemas.deallocate()
    names.deallocate()
    bytes.deallocate()
  }
}

struct ArrayRules: KeywordRules {
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
  /// `anyOf`, or `oneOf` if only one schema may fit.
  case choice([Edge], isExclusive: Bool)
  case none(Edge)
  case conditional(Edge, then: Edge?, otherwise: Edge?)
  /// `dependentSchemas`, and the schemas of `dependencies`.
  case dependent(name: String, Edge)
  /// `x-archived`: applies to the model of the archive in a data value.
  case archived(ArchivedRule)
}

/// Stores the rules of schemas, where validation reads them without counting references.
final class RuleStorage {
  private var cleanups: [() -> Void] = []
  private(set) var nodes: UnsafeMutablePointer<SchemaNode> = .allocate(capacity: 0)
  /// What each of them accepts by the fast path.
  private(set) var quickRules: UnsafeMutablePointer<QuickRule> = .allocate(capacity: 0)
  private(set) var count = 0

  deinit {
    for cleanup in cleanups { cleanup() }
    nodes.deinitialize(count: count)
    nodes.deallocate()
    quickRules.deallocate()
  }

  /// The rules of a schema for one type of values, made when they are first needed.
  func rules<Rules: KeywordRules>(
    _ known: inout UnsafeMutablePointer<Rules>?
  ) -> UnsafeMutablePointer<Rules> {
    if let known { return known }
    let rules = UnsafeMutablePointer<Rules>.allocate(capacity: 1)
    rules.initialize(to: Rules())
    cleanups.append {
      (rules.pointee as? ObjectRules)?.stored?.deallocate()
      rules.deinitialize(count: 1)
      rules.deallocate()
    }
    known = rules
    return rules
  }

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

// MARK: - The values of `enum` and `const`

/// Values, one of which a value must equal.
struct AllowedValues {
  /// `enum` or `const`.
  let keyword: String
  private static let mostListed = 16

  let expectation: String
  /// The canonical forms of the scalars among them.
  private let scalars: Set<[UInt8]>
  /// The lists and objects among them.
  private let others: Others?

  /// Lists and objects, in a separate graph.
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
    scalars = Set(trees.compactMap { CanonicalTable.form($0) })
    let others = trees.filter { $0.list != nil || $0.members != nil }
    self.others = others.isEmpty ? nil : Others(others)
    let listed = trees.prefix(Self.mostListed).map(Self.text).joined(separator: ", ")
    let rest = trees.count > Self.mostListed ? " and \(trees.count - Self.mostListed) others" : ""
    expectation = keyword == "const" ? listed : "one of \(listed)\(rest)"
  }

  private static func text(of tree: JSONTree) -> String {
    (tree.string ?? tree.compactText).shortened(to: 60)
  }

  /// Whether a value is one of them.
  ///
  /// - Parameter canonical: the numbers of the graph's values.
  /// - Throws: `ArchiveError` with code `limit` if the value is too deep to be compared.
  func contain(
    _ node: Node, _ value: Value, _ canonical: CanonicalTable
  ) throws(ArchiveError) -> Bool {
    // Schemas hold half of a surrogate pair as Swift strings do, so the value's is compared as one.
    if case .string(let text) = value { return scalars.contains(Array("s\(text.string)".utf8)) }
    if !value.isContainer { return scalars.contains(CanonicalTable.form(value)) }
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

  struct MemberRule {
    var acceptance = Acceptance.never
    /// The positions of required members, as bits.
    var required: UInt64 = 0
    /// The number of the schema of members without a position; 0 if they are not constrained.
    var others: Int32 = 0
    /// The numbers of the schemas by position, -1 for members that are only required; `RuleStorage` owns them.
    var schemas: UnsafePointer<Int32>?
  }

  struct ElementRule {
    var acceptance = Acceptance.never
    var items: Int32 = 0
  }

  /// Finds out what a schema certainly accepts.
  init(_ node: SchemaNode) {
    if Self.isPlain(node), node.applicators.isEmpty, !node.needsEvaluated { addContainers(node) }
    guard !node.isFalse, node.structure == nil, !node.isDeprecated, node.values.isEmpty,
      node.applicators.isEmpty
    else { return }
    if Self.allows(node, .null) { add(0x00...0x00) }
    if Self.allows(node, .boolean) { add(0x08...0x09) }
    addNumbers(node)
    addTexts(node)
  }

  /// Whether nothing is to be said of a container of an allowed type but of its parts.
  private static func isPlain(_ node: SchemaNode) -> Bool {
    !node.isFalse && node.plistTypes == nil && node.structure == nil && !node.isDeprecated
      && node.values.isEmpty && node.objects?.pointee.count.isOpen != false
      && node.arrays?.pointee.count.isOpen != false
      && node.objects?.pointee.dependents.isEmpty != false && node.arrays?.pointee.isUnique != true
  }

  private mutating func addContainers(_ node: SchemaNode) {
    let isUnconstrained = node.objects == nil && node.arrays == nil
    if node.types?.contains(.dictionary) != false {
      if isUnconstrained { members.acceptance = .always }
      if let rules = node.objects?.pointee, rules.mayPass, rules.names == nil,
        let schemas = rules.stored?.schemas
      {
        members = MemberRule(
          acceptance: .byParts, required: rules.requiredBits,
          others: Int32(truncatingIfNeeded: rules.additional?.schemaIndex ?? 0), schemas: schemas)
      }
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

  private mutating func addNumbers(_ node: SchemaNode) {
    // An integral real is an integer as well, which its marker does not tell.
    let integers = Self.allows(node, .storedInteger)
    let reals = Self.allows(node, .real)
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
    let strings = Self.allows(node, .text)
    guard let rules = node.strings?.pointee else {
      if strings { add(0x50...0x7F) }
      // JSON has strings in place of dates and data.
      if Self.allows(node, .date) { add(0x33...0x33) }
      if Self.allows(node, .data) { add(0x40...0x4F) }
      return
    }
    guard strings, rules.pattern == nil, rules.format == nil else { return }
    (shortest, longest) = (rules.length.minimum ?? 0, rules.length.maximum ?? .max)
  }

  private static func allows(_ node: SchemaNode, _ kinds: ValueKinds) -> Bool {
    node.types?.isSuperset(of: kinds) != false && node.plistTypes?.isSuperset(of: kinds) != false
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
    let bounds = [minimum, exclusiveMinimum, maximum, exclusiveMaximum]
    guard bounds.allSatisfy({ $0 == nil || $0?.real != nil }) else { return nil }
    if let real = minimum?.real { least = max(least, real) }
    if let real = exclusiveMinimum?.real { least = max(least, real.nextUp) }
    if let real = maximum?.real { most = min(most, real) }
    if let real = exclusiveMaximum?.real { most = min(most, real.nextDown) }
    return (least, most)
  }
}
