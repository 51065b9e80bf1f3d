// Validates a model against a compiled schema: one walk without recursion, every violation with its path.
//
// Each value under each schema that applies to it is a frame on a stack; values that a schema says nothing of, and
// scalars under schemas that only assert, need none.

import Basics
import ObjectGraph

/// Walks a model beside its schema.
struct Validator: ~Copyable {
  let graph: ObjectGraph
  let schema: CompiledSchema
  let errorPayloads: [SchemaFamily.ErrorPayload]
  let positions: PositionCache
  /// The numbers of values that were compared.
  let canonical: CanonicalTable
  /// The names of the members of the object that was asked for them last.
  var lastNames: (node: Node, names: Set<[UInt8]>)?
  var stack = FrameStack()
  /// The containers on the way to the value at hand.
  private var open: NodeSet
  private var visited = 0
  private var limit: Int
  /// What could not be decided, such as a regular expression that takes too long.
  var problem: ArchiveError?
  /// How many violations there are, those included that are not put into words because other schemas may fit.
  ///
  /// Taken back where a branch is given up, so that only equal counts mean anything.
  var failures = 0
  /// How many applicators on the way here are only trying their schemas.
  var trials = 0
  /// The violations outside of trials.
  var log: ViolationLog
  /// The archives in data values that fit.
  var fitting: Set<ArchiveFit> = []
  /// What fits the schema but not the class that decodes it.
  var warnings: [Violation] = []

  /// - Parameter mostViolations: how many violations are put into words; the others are counted.
  init(
    _ graph: ObjectGraph, _ schema: CompiledSchema, errorPayloads: [SchemaFamily.ErrorPayload],
    mostViolations: Int
  ) {
    log = ViolationLog(most: mostViolations)
    self.graph = graph
    self.schema = schema
    self.errorPayloads = errorPayloads
    positions = PositionCache(schema)
    canonical = CanonicalTable(of: graph)
    open = NodeSet(in: graph)
    limit = graph.validationLimit(schemaCount: schema.nodeCount)
  }

  /// Validates a value and all that it holds.
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
      // Archives in data values have added to what is to be walked.
      if visited > limit { limit = graph.validationLimit(schemaCount: schema.nodeCount) }
      // A value may be under several schemas at once, each with its frame.
      guard visited <= limit, stack.count <= graph.limits.depth &* 8 else {
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

  /// Goes on with the innermost value: far enough for one schema of one of its parts.
  @inline(__always)
  private mutating func step() {
    let frame = stack.top
    // A schema that is only tried need not be looked at further once it does not hold.
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
  /// - Parameter edge: the way to the schema, asked for only where it is needed.
  @inline(__always)
  mutating func enter(
    _ node: Node, _ place: Int, _ arrival: Arrival, _ edge: @autoclosure () -> Edge
  ) {
    if place == 0 { return }
    // What fails from here on is this schema's, before it has a frame and after.
    let start = (failures: failures, violations: log.violations.count)
    let rules = schema.nodes + place
    let value = value(of: node, arrival)
    if let types = rules.pointee.types, !Self.matches(value, types) {
      return reportType(types, value, node, UnframedValue(arrival, edge()))
    }
    switch value {
    case .array(let elements), .set(let elements), .orderedSet(let elements):
      guard assertsHold(rules, value, node, arrival, edge()) else { return }
      if let arrays = rules.pointee.arrays {
        checkArray(elements, arrays, node, UnframedValue(arrival, edge()))
      }
      push(node, .elements(elements), rules, arrival, edge(), start)
    case .dictionary(let pairs), .object(_, let pairs):
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

  /// The value of a node; a member's name is the one that its coder gave it.
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

  /// The assertions that any value may have; false if nothing more need be said of it.
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

  /// Whether a schema already applies to the same value on the way here: it would do so without end.
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

  /// Takes a finished value from the stack.
  private mutating func leave() {
    let frame = stack.pop()
    if frame.isFirst { open.remove(frame.node) }
    if case .archived = frame.arrival { remember(archiveOf: frame) }
    // Annotations of a schema that does not hold are dropped (Core section 7.7.1.2).
    guard frame.arrival.isInPlace, frame.isTracking, failures == frame.failures,
      let parent = stack.last, parent.pointee.isTracking
    else { return }
    parent.pointee.evaluated.formUnion(frame.evaluated)
  }

  /// Whether a value that holds itself needs no other look.
  ///
  /// An object may lead back to itself, as a child to its parent: it fits a schema if all else fits that it is being
  /// held against. A list or dictionary that holds itself is no value of any schema.
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

  /// JSON Schema's types: an integral real is an integer, and data and dates are strings as JSON shows them.
  @inline(__always)
  private static func matches(_ value: Value, _ types: TypeMask) -> Bool {
    switch value {
    case .null: return types.contains(.null)
    case .boolean: return types.contains(.boolean)
    case .integer, .unsigned: return !types.isDisjoint(with: [.integer, .number])
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
    case .integer, .unsigned: return types.contains(.integer)
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

// MARK: - Where a schema is content with a value and NSKeyedUnarchiver would not be: types that it does not coerce
//
// A schema speaks of values as JSON has them, in which 2009.0 is an integer; an object's own code decodes by type.
// Format facts: Apple's reference of NSKeyedUnarchiver, "Overview".

/// Finds fields that a class cannot decode by the method that the schema's type stands for.
enum CoercionCheck {
  /// What the decoding method of a type raises for a value that stands in an object itself.
  ///
  /// - Parameters:
  ///   - value: the field's value.
  ///   - types: what the schema allows; several types say nothing of the method.
  /// - Returns: nil if the method takes the value.
  static func objection(to value: Value, _ types: TypeMask) -> (method: String, exception: String)?
  {
    switch (types, value) {
    case (.integer, .real), (.integer, .single):
      return ("decodeInteger(forKey:)", "NSInvalidUnarchiveOperationException")
    case (.integer, .unsigned(let number)) where number > UInt64(Int64.max):
      return ("decodeInteger(forKey:)", "NSRangeException")
    case (.number, .integer), (.number, .unsigned):
      return ("decodeDouble(forKey:)", "NSInvalidUnarchiveOperationException")
    default: return nil
    }
  }
}

// MARK: - How long a validation may take

extension ObjectGraph {
  /// The steps that a validation may take, each a schema for a value.
  ///
  /// A value may be under every schema a few times over; beyond that shared values, or schemas that refer to one another
  /// in many ways, are multiplying.
  fileprivate func validationLimit(schemaCount: Int) -> Int {
    // Equal scalars are stored once: what counts is how often values are referred to, of which bytes are the bound.
    let values = documents.reduce(0) { sum, document in
      let table = document.table
      return sum + max(table.count, table.byteCount / max(table.referenceWidth, 1))
    }
    let (product, isOver) = values.multipliedReportingOverflow(by: schemaCount &* 4)
    return max(4_000_000, expansionLimit, isOver ? .max : product)
  }
}
