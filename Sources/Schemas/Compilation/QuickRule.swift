// What a schema accepts at sight: most scalars fit because of their marker byte alone.

import ObjectGraph

/// The stored scalars that certainly fit a schema, without a violation or a warning.
///
/// It never refuses: what it does not accept is validated in full. It is trivial, so reading it counts no references.
struct QuickRule {
  /// A bit for each marker byte below 0x80 whose values fit whatever they are.
  private var markers: (UInt64, UInt64) = (0, 0)
  /// The numbers that fit, both ends included, if the schema limits numbers.
  private var least = Double.infinity
  private var most = -Double.infinity
  private var takesIntegers = false
  private var takesReals = false
  /// How many characters a short ASCII string may have, if the schema limits strings by length.
  private var shortest = Int.max
  private var longest = -1
  /// Whether nothing is to be said of a container of an allowed type but of its parts.
  private(set) var isPlain = false
  /// What is to be said of the members of a dictionary, if they alone are checked.
  private(set) var members = MemberRule()
  /// What is to be said of the elements of a list, if they alone are checked.
  private(set) var elements = ElementRule()

  /// How a container is accepted at sight.
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
    var places: UnsafePointer<Int32>?
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
    let limits = [
      node.objects?.pointee.minimumCount, node.objects?.pointee.maximumCount,
      node.arrays?.pointee.minimumCount, node.arrays?.pointee.maximumCount,
    ]
    return !node.isFalse && node.plistTypes == nil && node.structure == nil && !node.isDeprecated
      && node.values.isEmpty && limits.allSatisfy { $0 == nil }
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
        elements = ElementRule(acceptance: .byParts, items: Int32(truncatingIfNeeded: items.place))
      }
    }
  }

  private mutating func addMembers(_ rules: ObjectRules) {
    guard rules.mayPass, rules.names == nil, let places = rules.storedPlaces else { return }
    members = MemberRule(
      acceptance: .byParts, required: rules.requiredBits,
      others: Int32(truncatingIfNeeded: rules.additional?.place ?? 0), places: places)
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
    (takesIntegers, takesReals) = (integers, reals)
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
    (shortest, longest) = (rules.minimumLength ?? 0, rules.maximumLength ?? .max)
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
  /// - Parameter place: the value's marker byte, of a table that was checked; not one that represents nil.
  @inline(__always)
  static func accepts(_ place: UnsafeRawPointer, _ rule: UnsafePointer<QuickRule>) -> Bool {
    let marker = place.load(as: UInt8.self)
    if accepts(marker: marker, rule) { return true }
    switch marker {
    case 0x10, 0x11, 0x12, 0x13:
      guard rule.pointee.takesIntegers else { return false }
      let number = Int64(bitPattern: bigEndian(place + 1, 1 << Int(marker & 3)))
      // Integers of at most 53 bits are exact as reals.
      guard number.magnitude < 1 << 53 else { return false }
      return Double(number) >= rule.pointee.least && Double(number) <= rule.pointee.most
    case 0x23:
      guard rule.pointee.takesReals else { return false }
      let number = Double(bitPattern: bigEndian(place + 1, 8))
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
