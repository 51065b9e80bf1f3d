// A schema, compiled: what validation needs, without looking at JSON again.

import Basics
import KeyedArchives
import ObjectGraph
import RegularExpressions

/// The way from one compiled schema to another.
struct Edge {
  /// The number of the schema that applies.
  let place: Int
  /// The keywords that lead there, as the end of a JSON Pointer; references on the way are part of it.
  let pointer: String

  /// The keyword that the way begins with.
  var keyword: String {
    String(pointer.dropFirst().prefix { $0 != "/" })
  }
}

/// A compiled schema.
struct SchemaNode {
  /// The number of its resource: what the dynamic scope consists of.
  let resource: Int
  /// Its place as URI with fragment.
  let location: String
  /// Whether nothing fits.
  var isFalse = false
  var types: TypeMask?
  /// `x-plist-type`: the exact type in the property list.
  var plistTypes: TypeMask?
  /// `x-class`, `x-classes`, `x-storage`, `x-mutable`.
  var structure: StructureRule?
  /// `enum`, or `const` as the only value.
  var values: [AllowedValues] = []
  // Large, and few schemas have them.
  var numbers: UnsafeMutablePointer<NumberRules>?
  var strings: UnsafeMutablePointer<StringRules>?
  var objects: UnsafeMutablePointer<ObjectRules>?
  var arrays: UnsafeMutablePointer<ArrayRules>?
  /// What applies to the same value, in order.
  var applicators: [Applicator] = []
  var unevaluatedItems: Edge?
  var unevaluatedProperties: Edge?
  var numberShape: NumberShape = .any
  /// `deprecated`: whether a value here is worth a word.
  var isDeprecated = false

  init(resource: Int, location: String) {
    self.resource = resource
    self.location = location
  }

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

/// The limits of strings.
struct StringRules {
  var minimumLength: Int?
  var maximumLength: Int?
  var pattern: ECMAPattern?
  /// Set only where formats are asserted.
  var format: StringFormat?
}

/// What objects must be like.
struct ObjectRules {
  /// A member that the schema names.
  struct Property {
    let name: String
    let utf8: [UInt8]
    /// Its schema; the one that fits everything if only `required` names the member.
    let edge: Edge
    /// Whether `properties` names it.
    let isNamed: Bool
    let isRequired: Bool
  }

  var properties: [Property] = []
  var patterns: [(pattern: ECMAPattern, edge: Edge)] = []
  var additional: Edge?
  var names: Edge?
  var minimumCount: Int?
  var maximumCount: Int?
  /// `dependentRequired`, and the lists of `dependencies`.
  var dependents: [(keyword: String, name: String, required: [String])] = []
  /// The positions, below 64, of members that must be there, as bits.
  private(set) var requiredBits: UInt64 = 0

  /// Whether the values of members do not matter, only which there are.
  private(set) var onlyRequires = false
  /// Where members are found by name if there are many.
  private var byName: [[UInt8]: Int] = [:]

  /// The position of a member, nil if the schema does not name it.
  func position(of key: Text) -> Int? {
    if !byName.isEmpty { return byName[Array(key.string.utf8)] }
    if key.isSevenBit || key.form == .utf8 {
      return properties.firstIndex {
        $0.utf8.count == key.byteCount && key.bytes.elementsEqual($0.utf8)
      }
    }
    return properties.firstIndex { key.sameCharacters(as: $0.name) }
  }

  /// Completes the tables once all members are known.
  mutating func seal() {
    requiredBits = properties.enumerated().reduce(0) { bits, property in
      property.element.isRequired && property.offset < 64
        ? bits | 1 << UInt64(property.offset) : bits
    }
    onlyRequires = additional == nil && patterns.isEmpty && !properties.contains(where: \.isNamed)
    guard properties.count > 32 else { return }
    for (position, property) in properties.enumerated() { byName[property.utf8] = position }
  }
}

/// What arrays must be like.
struct ArrayRules {
  var prefix: [Edge] = []
  var items: Edge?
  var contains: Edge?
  var minimumContains = 1
  var maximumContains: Int?
  var minimumCount: Int?
  var maximumCount: Int?
  var isUnique = false

}

/// A keyword whose schemas apply to the value itself.
enum Applicator {
  /// `$ref`, or one schema of `allOf`.
  case reference(Edge)
  /// `$dynamicRef`: the name, and where it leads if nothing in the dynamic scope says otherwise.
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

/// The rules of a schema's parts, where validation reads them without counting references.
final class RuleStorage {
  private var objects: [UnsafeMutablePointer<ObjectRules>] = []
  private var arrays: [UnsafeMutablePointer<ArrayRules>] = []
  private var numbers: [UnsafeMutablePointer<NumberRules>] = []
  private var strings: [UnsafeMutablePointer<StringRules>] = []
  /// The finished schemas.
  private(set) var nodes: UnsafeMutablePointer<SchemaNode> = .allocate(capacity: 0)
  /// How many there are.
  private(set) var count = 0

  deinit {
    for rules in objects { Self.free(rules) }
    for rules in arrays { Self.free(rules) }
    for rules in numbers { Self.free(rules) }
    for rules in strings { Self.free(rules) }
    nodes.deinitialize(count: count)
    nodes.deallocate()
  }

  private static func free<Rules>(_ rules: UnsafeMutablePointer<Rules>) {
    rules.deinitialize(count: 1)
    rules.deallocate()
  }

  /// New rules of objects.
  func makeObjectRules() -> UnsafeMutablePointer<ObjectRules> {
    let rules = UnsafeMutablePointer<ObjectRules>.allocate(capacity: 1)
    rules.initialize(to: ObjectRules())
    objects.append(rules)
    return rules
  }

  /// New rules of arrays.
  func makeArrayRules() -> UnsafeMutablePointer<ArrayRules> {
    let rules = UnsafeMutablePointer<ArrayRules>.allocate(capacity: 1)
    rules.initialize(to: ArrayRules())
    arrays.append(rules)
    return rules
  }

  /// New rules of numbers.
  func makeNumberRules() -> UnsafeMutablePointer<NumberRules> {
    let rules = UnsafeMutablePointer<NumberRules>.allocate(capacity: 1)
    rules.initialize(to: NumberRules())
    numbers.append(rules)
    return rules
  }

  /// New rules of strings.
  func makeStringRules() -> UnsafeMutablePointer<StringRules> {
    let rules = UnsafeMutablePointer<StringRules>.allocate(capacity: 1)
    rules.initialize(to: StringRules())
    strings.append(rules)
    return rules
  }

  /// Keeps the finished schemas.
  func keep(_ finished: [SchemaNode]) {
    nodes.deallocate()
    count = finished.count
    nodes = .allocate(capacity: count)
    for (place, node) in finished.enumerated() { (nodes + place).initialize(to: node) }
  }
}
