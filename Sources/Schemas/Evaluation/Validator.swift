// Validates a model against a compiled schema: one walk without recursion that reports every violation with its path.
//
// Each value under each schema that applies to it is a frame on a stack; values that a schema does not constrain, and
// scalars under schemas with only assertions, need no frame.

import Basics
import ObjectGraph

/// Walks a model together with its schema.
struct Validator: ~Copyable {
  let graph: ObjectGraph
  let schema: CompiledSchema
  let errorPayloads: [SchemaFamily.ErrorPayload]
  let positions: PositionCache
  /// The numbers of the values that were compared.
  let canonical: CanonicalTable
  /// The object whose member names were requested last, with those names.
  var lastNames: (node: Node, names: Set<[UInt8]>)?
  var stack = RawStack<ValidationFrame>()
  /// The containers on the path to the current value.
  var open: NodeSet
  /// The containers below it that are being accepted at sight.
  var sights = RawStack<SightLevel>()
  var visited = 0
  private(set) var limit: Int
  /// What matches of patterns and elements of `contains` have cost, in steps: schemas may have any number of them.
  var charged = 0
  private(set) var chargeLimit: Int
  /// Whether values may be accepted at sight.
  let isQuick: Bool
  /// An error that prevented a decision, such as a regular expression that takes too long.
  var problem: ArchiveError?
  /// How many violations there are, including those without a message because other schemas may fit.
  ///
  /// It is reset when a branch is abandoned, so only the equality of two counts is meaningful.
  var failures = 0
  /// How many applicators on the current path are only trying their schemas.
  var trials = 0
  /// The violations outside of trials.
  var log: ViolationLog
  /// The archives in data values that fit.
  var fitting: Set<ArchiveFit> = []
  /// Values that fit the schema but not the class that decodes them.
  var warnings: [Diagnostic] = []

  /// - Parameter mostViolations: how many violations get a message; the others are counted.
  init(
    _ graph: ObjectGraph, _ schema: CompiledSchema, errorPayloads: [SchemaFamily.ErrorPayload],
    mostViolations: Int
  ) {
    log = ViolationLog(most: mostViolations)
    self.graph = graph
    self.schema = schema
    isQuick = schema.usesQuickRules
    self.errorPayloads = errorPayloads
    positions = PositionCache(schema)
    canonical = CanonicalTable(of: graph)
    open = NodeSet(in: graph)
    limit = graph.validationLimit(schemaCount: schema.nodeCount)
    chargeLimit = graph.chargeLimit
  }

  /// Validates a value and everything that it contains.
  ///
  /// - Throws: `ArchiveError` with code `limit` if the walk over shared values becomes too long.
  mutating func run(_ root: Node) throws(ArchiveError) {
    if schema.allowsList, case .array(let elements) = graph.value(of: root) {
      pushList(root, elements)
    } else {
      let start = schema.start
      enter(root, start.place, .root, start)
    }
    while !stack.isEmpty {
      visited &+= 1
      // Archives in data values have extended what must be walked.
      if visited > limit { limit = graph.validationLimit(schemaCount: schema.nodeCount) }
      if charged > chargeLimit { chargeLimit = graph.chargeLimit }
      // Several schemas may apply to a value at once, each with its own frame.
      guard visited <= limit, charged <= chargeLimit, stack.count <= graph.limits.depth &* 8 else {
        throw ArchiveError(
          .limit, "validation is too deep or takes too many steps: values or schemas multiply",
          path: path())
      }
      step()
      if let problem { throw problem }
    }
    if let problem { throw problem }
  }

  /// A list of models is an array whose elements the whole schema applies to.
  private mutating func pushList(_ node: Node, _ elements: Elements) {
    open.insert(node)
    stack.push(
      ValidationFrame(
        node: node, edge: Edge(place: 0, pointer: ""), arrival: .root,
        children: .elements(elements),
        count: elements.count, failures: 0, violations: 0, isTracking: false, isFirst: true))
  }

  /// Continues with the innermost value, for one schema of one of its parts.
  @inline(__always)
  private mutating func step() {
    let frame = stack.top
    // A schema that is only tried need not be checked further once it fails.
    if trials > 0, frame.pointee.branch == 0, failures != frame.pointee.failures { return leave() }
    switch frame.pointee.stage {
    case .children:
      switch frame.pointee.children {
      case .members(let pairs): stepMember(frame, pairs)
      case .elements(let elements): stepElement(frame, elements)
      case .nothing: frame.pointee.stage = .inPlace
      }
    case .names: stepName(frame)
    case .contains: stepContains(frame)
    case .inPlace: stepInPlace(frame)
    case .unevaluated: stepUnevaluated(frame)
    case .done: leave()
    }
  }

  // MARK: Entering and leaving

  /// Applies a schema to a value: its assertions now, the rest in a frame if there is any.
  ///
  /// - Parameter edge: the path to the schema, evaluated only if it is needed.
  @inline(__always)
  mutating func enter(
    _ node: Node, _ place: Int, _ arrival: Arrival, _ edge: @autoclosure () -> Edge
  ) {
    if place == 0 { return }
    if isQuick, acceptsAtSight(node, place, arrival, edge()) { return }
    // Failures from here on belong to this schema, before and after it has a frame.
    let start = (failures: failures, violations: log.violations.count)
    let rules = schema.nodes + place
    let value = value(of: node, arrival)
    if let types = rules.pointee.types, !Self.matches(value, types) {
      return reportType(types, value, node, UnframedValue(arrival, edge()))
    }
    switch value {
    case .array(let elements), .set(let elements), .orderedSet(let elements):
      if isQuick, (schema.quickRules + place).pointee.isPlain {
        return push(node, .elements(elements), rules, arrival, edge(), start)
      }
      guard assertsHold(rules, value, node, arrival, edge()) else { return }
      if let arrays = rules.pointee.arrays {
        checkArray(elements, arrays, node, UnframedValue(arrival, edge()))
      }
      push(node, .elements(elements), rules, arrival, edge(), start)
    case .dictionary(let pairs), .object(_, let pairs):
      if isQuick, (schema.quickRules + place).pointee.isPlain {
        return push(node, .members(pairs), rules, arrival, edge(), start)
      }
      guard assertsHold(rules, value, node, arrival, edge()) else { return }
      if let objects = rules.pointee.objects {
        checkObject(pairs, objects, value, node, UnframedValue(arrival, edge()))
      }
      push(node, .members(pairs), rules, arrival, edge(), start)
    default:
      guard assertsHold(rules, value, node, arrival, edge()) else { return }
      if rules.pointee.numbers != nil || rules.pointee.strings != nil {
        checkScalar(rules, value, node, UnframedValue(arrival, edge()))
      }
      if !rules.pointee.applicators.isEmpty { push(node, .nothing, rules, arrival, edge(), start) }
    }
  }

  /// The value of a node; for a member's name, the name that its coder gave it.
  @inline(__always)
  private func value(of node: Node, _ arrival: Arrival) -> Value {
    let value = graph.value(of: node)
    if case .name = arrival, case .null = value, let text = graph.text(of: node) {
      return .string(text)
    }
    guard case .name = arrival, case .string(let text) = value,
      case .members(let pairs)? = stack.last?.pointee.children, pairs.isFields
    else { return value }
    return .string(text.unmangledKey)
  }

  /// Checks the assertions for any value; false if nothing more needs to be checked.
  @inline(__always)
  private mutating func assertsHold(
    _ rules: UnsafePointer<SchemaNode>, _ value: Value, _ node: Node, _ arrival: Arrival,
    _ edge: @autoclosure () -> Edge
  ) -> Bool {
    if rules.pointee.isFalse {
      reportForbidden(value, node, UnframedValue(arrival, edge()))
      return false
    }
    if let types = rules.pointee.plistTypes, !Self.matchesExactly(value, types) {
      report("x-plist-type", types.text, value, node, UnframedValue(arrival, edge()))
      return false
    }
    if rules.pointee.structure != nil, let rule = rules.pointee.structure {
      let before = failures
      checkStructure(rule, value, node, UnframedValue(arrival, edge()))
      if failures != before { return false }
    }
    if rules.pointee.isDeprecated { warnOfDeprecated(value, node, UnframedValue(arrival, edge())) }
    if !rules.pointee.values.isEmpty {
      checkValues(rules, value, node, UnframedValue(arrival, edge()))
    }
    return true
  }

  @inline(__always)
  private mutating func push(
    _ node: Node, _ children: Children, _ rules: UnsafePointer<SchemaNode>, _ arrival: Arrival,
    _ edge: Edge,
    _ start: (failures: Int, violations: Int)
  ) {
    if case .nothing = children {
    } else if rules.pointee.objects == nil, rules.pointee.arrays == nil,
      rules.pointee.applicators.isEmpty,
      !rules.pointee.needsEvaluated
    {
      return
    }
    if arrival.isInPlace {
      if repeatsItself(edge.place) { return }
    }
    let isFirst = !arrival.isInPlace && open.insert(node)
    if !isFirst, !arrival.isInPlace, closesCycle(node, edge, arrival) { return }
    let inherits = arrival.isInPlace && stack.top.pointee.isTracking
    stack.push(
      ValidationFrame(
        node: node, edge: edge, arrival: arrival, children: children, count: children.count,
        failures: start.failures, violations: start.violations,
        isTracking: inherits || rules.pointee.needsEvaluated,
        isFirst: isFirst))
  }

  /// Whether a schema already applies to the same value on this path, which would never end.
  private mutating func repeatsItself(_ place: Int) -> Bool {
    for position in (0..<stack.count).reversed() {
      let frame = stack[position]
      if frame.pointee.edge.place == place {
        problem = SchemaLoops.error(schema.nodes[place].location)
        return true
      }
      if !frame.pointee.arrival.isInPlace { return false }
    }
    return false
  }

  /// Removes a value from the stack of which nothing but its members was to be checked.
  ///
  /// The two steps that the walk would take for that are counted.
  @inline(__always)
  mutating func leaveIfDone(_ frame: UnsafeMutablePointer<ValidationFrame>) {
    let rules = schema.nodes + frame.pointee.edge.place
    guard isQuick, frame.pointee.stage == .inPlace, rules.pointee.applicators.isEmpty,
      !rules.pointee.needsEvaluated, visited &+ 2 <= limit
    else { return }
    visited &+= 2
    leave()
  }

  /// Removes a finished value from the stack.
  private mutating func leave() {
    let frame = stack.top
    if frame.pointee.isFirst { open.remove(frame.pointee.node) }
    if case .archived = frame.pointee.arrival {
      remember(archiveOf: frame.pointee, in: stack.count > 1 ? stack[stack.count - 2] : nil)
    }
    // The annotations of a failing schema are dropped (Core section 7.7.1.2).
    if frame.pointee.arrival.isInPlace, frame.pointee.isTracking,
      failures == frame.pointee.failures, stack.count > 1
    {
      let parent = stack[stack.count - 2]
      if parent.pointee.isTracking { parent.pointee.evaluated.formUnion(frame.pointee.evaluated) }
    }
    stack.drop()
  }

  /// Whether a value that contains itself needs no further check.
  ///
  /// An object may lead back to itself, as a child to its parent: it fits a schema if everything else fits that is
  /// being checked. A list or dictionary that contains itself fits no schema.
  private mutating func closesCycle(_ node: Node, _ edge: Edge, _ arrival: Arrival) -> Bool {
    let value = graph.value(of: node)
    guard case .object = value else {
      report(
        "cycle", "a value that does not contain itself", value, node, UnframedValue(arrival, edge))
      return true
    }
    return (0..<stack.count).contains {
      stack[$0].pointee.node == node && stack[$0].pointee.edge.place == edge.place
    }
  }

  // MARK: Types

  /// JSON Schema's types: an integral real is an integer, and data and dates are strings, as in JSON.
  @inline(__always)
  private static func matches(_ value: Value, _ types: TypeMask) -> Bool {
    switch value {
    case .null: return types.contains(.null)
    case .boolean: return types.contains(.boolean)
    case .integer, .unsigned, .wide: return !types.isDisjoint(with: [.integer, .number])
    case .real(let number):
      return types.contains(.number) || types.contains(.integer) && isIntegral(Double(number))
    case .single(let number):
      return types.contains(.number) || types.contains(.integer) && isIntegral(Double(number))
    case .string, .date, .data: return types.contains(.string)
    case .array, .set, .orderedSet: return types.contains(.array)
    case .dictionary, .object: return types.contains(.object)
    case .uid: return types.contains(.object)
    }
  }

  private static func isIntegral(_ number: Double) -> Bool {
    number.isFinite && number == number.rounded()
  }

  private static func matchesExactly(_ value: Value, _ types: TypeMask) -> Bool {
    switch value {
    case .null: return types.contains(.null)
    case .boolean: return types.contains(.boolean)
    case .integer, .unsigned, .wide: return types.contains(.integer)
    case .real, .single: return types.contains(.real)
    case .string: return types.contains(.string)
    case .date: return types.contains(.date)
    case .data: return types.contains(.data)
    case .array, .set, .orderedSet: return types.contains(.array)
    case .dictionary, .object: return types.contains(.object)
    case .uid: return types.contains(.uid)
    }
  }
}

// MARK: - Values that a schema accepts but NSKeyedUnarchiver would not: types that it does not coerce
//
// A schema describes values as in JSON, where 2009.0 is an integer; an object's own code decodes by type.
// Format facts: Apple's reference of NSKeyedUnarchiver, "Overview".

/// Finds fields that a class cannot decode with the method for the schema's type.
enum CoercionCheck {
  /// The exception that the decoding method of a type raises for a value that an object stores directly.
  ///
  /// - Parameters:
  ///   - value: the field's value.
  ///   - types: the types that the schema allows; if there are several, the method is unknown.
  /// - Returns: nil if the method accepts the value.
  static func objection(to value: Value, _ types: TypeMask) -> (method: String, exception: String)?
  {
    switch (types, value) {
    case (.integer, .real), (.integer, .single):
      return ("decodeInteger(forKey:)", "NSInvalidUnarchiveOperationException")
    case (.integer, .unsigned), (.integer, .wide):
      return ("decodeInteger(forKey:)", "NSRangeException")
    case (.number, .integer), (.number, .unsigned), (.number, .wide):
      return ("decodeDouble(forKey:)", "NSInvalidUnarchiveOperationException")
    default: return nil
    }
  }
}

// MARK: - A limit on the duration of a validation

extension ObjectGraph {
  /// The most references to values: equal scalars are stored once, but the references are bounded by the bytes.
  private var referenceCount: Int {
    documents.reduce(0) { sum, document in
      let table = document.table
      return sum + max(table.count, table.byteCount / max(table.referenceWidth, 1))
    }
  }

  /// What matches of patterns and elements of `contains` may cost.
  fileprivate var chargeLimit: Int { 10_000_000 + referenceCount &* 40 }

  /// The steps that a validation may take, each one schema for one value.
  ///
  /// Every schema may apply to a value a few times; beyond that, shared values, or schemas that refer to one another in
  /// many combinations, are multiplying.
  fileprivate func validationLimit(schemaCount: Int) -> Int {
    let (product, isOver) = referenceCount.multipliedReportingOverflow(by: schemaCount &* 4)
    return max(4_000_000, expansionLimit, isOver ? .max : product)
  }
}

// MARK: - Values that are accepted in a loop, before the first that is validated in full
//
// Each counts as a step, so that a walk ends at the same value with and without this.

extension Validator {
  /// Passes over the members from the current one on whose values certainly fit.
  @inline(__always)
  mutating func passMembers(
    _ frame: UnsafeMutablePointer<ValidationFrame>, _ pairs: Pairs,
    _ rules: UnsafeMutablePointer<ObjectRules>
  ) {
    // What objects store directly may be of a type that their coder does not convert.
    guard !pairs.isFields, frame.pointee.branch == 0, !frame.pointee.isTracking,
      rules.pointee.mayPass
    else { return }
    let place = frame.pointee.edge.place
    let first = frame.pointee.next
    let end = min(frame.pointee.count, first &+ (limit &- visited))
    var index = first
    var seen = frame.pointee.seen
    while index < end {
      let position = positions.position(of: graph.key(pairs, index), false, place, rules, graph)
      guard position >= 0, position < 64 else { break }
      let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: position)
      let target = rules.pointee.namedPlaces[position]
      guard seen & bit == 0, target >= 0,
        Self.accepts(graph.value(pairs, index), schema.quickRules + target, target, graph)
      else { break }
      seen |= bit
      index &+= 1
    }
    frame.pointee.seen = seen
    frame.pointee.next = index
    visited &+= index &- first
  }

  /// Passes over the elements from the current one on that certainly fit.
  @inline(__always)
  mutating func passElements(
    _ frame: UnsafeMutablePointer<ValidationFrame>, _ elements: Elements
  ) {
    guard !frame.pointee.isTracking,
      let rules = (schema.nodes + frame.pointee.edge.place).pointee.arrays,
      rules.pointee.prefix.isEmpty, let target = rules.pointee.items?.place
    else { return }
    let first = frame.pointee.next
    let end = min(frame.pointee.count, first &+ (limit &- visited))
    var index = first
    while index < end,
      Self.accepts(graph.node(elements, index), schema.quickRules + target, target, graph)
    {
      index &+= 1
    }
    frame.pointee.next = index
    visited &+= index &- first
  }

  /// Whether a value certainly fits a schema; static, since a call on the validator would copy all of it.
  @inline(__always)
  private static func accepts(
    _ node: Node, _ rule: UnsafePointer<QuickRule>, _ place: Int, _ graph: ObjectGraph
  ) -> Bool {
    if place == 0 { return true }
    let stored = graph.storedPointer(of: node)
    if stored.load(as: UInt8.self) == 0x55, graph.isNullMark(node) { return false }
    return QuickRule.accepts(stored, rule)
  }
}
