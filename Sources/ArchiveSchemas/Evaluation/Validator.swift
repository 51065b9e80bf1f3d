// Validates a model against a compiled schema: one walk without recursion that reports every violation with its path.
//
// Each value under each schema that applies to it is a frame on a stack; values that a schema does not constrain, and
// scalars under schemas with only assertions, need no frame.

import ArchiveBasics
import ArchiveGraph

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
  /// The containers below it that are being accepted by the fast path.
  var fastLevels = RawStack<FastLevel>()
  var visited = 0
  private(set) var limit: Int
  /// What matches of patterns and elements of `contains` have cost, in steps: schemas may have any number of them.
  var charged = 0
  private(set) var chargeLimit: Int
  /// Whether values may be accepted by the fast path.
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
      enter(root, start.schemaIndex, .root, start)
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
        node: node, edge: Edge(schemaIndex: 0, pointer: ""), arrival: .root,
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
      case .nothing: frame.pointee.stage = .sameValue
      }
    case .names: stepName(frame)
    case .contains: stepContains(frame)
    case .sameValue: stepSameValue(frame)
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
    _ node: Node, _ schemaIndex: Int, _ arrival: Arrival, _ edge: @autoclosure () -> Edge
  ) {
    if schemaIndex == 0 { return }
    if isQuick, acceptsFast(node, schemaIndex, arrival, edge()) { return }
    // Failures from here on belong to this schema, before and after it has a frame.
    let start = (failures: failures, violations: log.violations.count)
    let rules = schema.nodes + schemaIndex
    let value = value(of: node, arrival)
    if let types = rules.pointee.types, !types.contains(ValueKinds(value)) {
      return reportType(types, CheckedValue(value, node, arrival, edge()))
    }
    guard assertsHold(rules, value, node, arrival, edge()) else { return }
    switch value {
    case .array(let elements), .set(let elements), .orderedSet(let elements):
      if let arrays = rules.pointee.arrays {
        checkArray(elements, arrays, CheckedValue(value, node, arrival, edge()))
      }
      push(node, .elements(elements), rules, arrival, edge(), start)
    case .dictionary(let pairs), .object(_, let pairs):
      if let objects = rules.pointee.objects {
        checkObject(pairs, objects, CheckedValue(value, node, arrival, edge()))
      }
      push(node, .members(pairs), rules, arrival, edge(), start)
    default:
      if rules.pointee.numbers != nil || rules.pointee.strings != nil {
        checkScalar(rules, CheckedValue(value, node, arrival, edge()))
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
      reportForbidden(CheckedValue(value, node, arrival, edge()))
      return false
    }
    if let types = rules.pointee.plistTypes, !types.contains(ValueKinds(value)) {
      report(
        "x-plist-type", types.text(of: ValueKinds.propertyListTypes),
        CheckedValue(value, node, arrival, edge()))
      return false
    }
    if rules.pointee.structure != nil, let rule = rules.pointee.structure {
      let before = failures
      checkStructure(rule, CheckedValue(value, node, arrival, edge()))
      if failures != before { return false }
    }
    if rules.pointee.isDeprecated { warnOfDeprecated(CheckedValue(value, node, arrival, edge())) }
    if !rules.pointee.values.isEmpty {
      checkValues(rules, CheckedValue(value, node, arrival, edge()))
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
    if arrival.isSameValue {
      if repeatsItself(edge.schemaIndex) { return }
    }
    let isFirst = !arrival.isSameValue && open.insert(node)
    if !isFirst, !arrival.isSameValue, closesCycle(node, edge, arrival) { return }
    let inherits = arrival.isSameValue && stack.top.pointee.isTracking
    stack.push(
      ValidationFrame(
        node: node, edge: edge, arrival: arrival, children: children, count: children.count,
        failures: start.failures, violations: start.violations,
        isTracking: inherits || rules.pointee.needsEvaluated,
        isFirst: isFirst))
  }

  /// Whether a schema already applies to the same value on this path, which would never end.
  private mutating func repeatsItself(_ schemaIndex: Int) -> Bool {
    for position in (0..<stack.count).reversed() {
      let frame = stack[position]
      if frame.pointee.edge.schemaIndex == schemaIndex {
        problem = SchemaLoops.error(schema.nodes[schemaIndex].location)
        return true
      }
      if !frame.pointee.arrival.isSameValue { return false }
    }
    return false
  }

  /// Removes a finished value from the stack.
  private mutating func leave() {
    let frame = stack.top
    if frame.pointee.isFirst { open.remove(frame.pointee.node) }
    if case .archived = frame.pointee.arrival {
      remember(archiveOf: frame.pointee, in: stack.count > 1 ? stack[stack.count - 2] : nil)
    }
    // The annotations of a failing schema are dropped (Core section 7.7.1.2).
    if frame.pointee.arrival.isSameValue, frame.pointee.isTracking,
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
        "cycle", "a value that does not contain itself", CheckedValue(value, node, arrival, edge))
      return true
    }
    return (0..<stack.count).contains {
      stack[$0].pointee.node == node && stack[$0].pointee.edge.schemaIndex == edge.schemaIndex
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

// MARK: - The state of the validator for a value that it has not finished

/// How a value was reached from the previous one.
enum Arrival {
  /// The root.
  case root
  /// The same value under another schema.
  case sameValue
  /// The value of a member, by its index.
  case member(Int)
  /// An element.
  case element(Int)
  /// The name of a member.
  case name(Int)
  /// The model of the archive that the value contains.
  case archived

  var isSameValue: Bool { if case .sameValue = self { true } else { false } }
}

/// The contents of a container.
enum Children {
  case nothing
  case elements(Elements)
  case members(Pairs)

  var count: Int {
    switch self {
    case .nothing: 0
    case .elements(let elements): elements.count
    case .members(let pairs): pairs.count
    }
  }
}

/// A value under a schema, and how far its validation has progressed.
///
/// This does not use `GraphWalk`: a level is a value under a schema, and validation is most costly here.
struct ValidationFrame {
  /// The groups of keywords, in the order in which they are checked.
  enum Stage {
    case children
    case names
    case contains
    case sameValue
    case unevaluated
    case done
  }

  let node: Node
  let edge: Edge
  let arrival: Arrival
  let children: Children
  let count: Int
  /// How many failures and how many violations there were before.
  let failures: Int
  let violations: Int
  /// Whether evaluated members or elements are recorded: the schema, or one that applied it, needs them.
  let isTracking: Bool
  /// Whether no earlier frame has the value.
  let isFirst: Bool
  var stage = Stage.children
  /// The current member, element or applicator.
  var next = 0
  /// The current schema if there are several, or the branch of an applicator; 0 before the first.
  var branch = 0
  /// How many failures there were before the current applicator or element, and before its branch.
  var mark = 0
  var branchMark = 0
  /// How many violations there were when the branches were checked again for the causes of a failure.
  ///
  /// It is -1 while the branches are only tried.
  var causeMark = -1
  /// How many violations had been counted at that time.
  var causeCount = 0
  /// How many branches or elements fit.
  var matches = 0
  /// The properties seen so far, by position, up to 64.
  var seen: UInt64 = 0
  /// The positions of evaluated members or elements, which `unevaluatedProperties` and `unevaluatedItems` skip.
  var evaluated = EvaluatedSet()
}

// MARK: - Remembers which property of a schema a key matches, by the key's node

/// Caches the positions of properties for the keys of one validation.
final class PositionCache {
  private struct Member: Equatable {
    var key = Node(document: .max, index: .max)
    var schemaIndex: Int32 = -1
    var isField = false
  }

  private let schema: CompiledSchema
  private let cache = DirectMappedCache<Member, Int32>(slots: 1024, empty: (Member(), -1))

  init(_ schema: CompiledSchema) { self.schema = schema }

  /// The position of a key's property; -1 if the schema does not name it.
  @inline(__always)
  func position(
    of key: Node, _ isField: Bool, _ schemaIndex: Int, _ rules: UnsafeMutablePointer<ObjectRules>,
    _ graph: ObjectGraph
  ) -> Int {
    // Keys of one dictionary are stored side by side, so neighbors must not collide.
    let hash = Int(key.index) &+ schemaIndex &* 67
    let member = Member(
      key: key, schemaIndex: Int32(truncatingIfNeeded: schemaIndex), isField: isField)
    return cache.find(member, hash: hash).map { Int($0) } ?? find(member, hash, rules, graph)
  }

  @inline(never)
  private func find(
    _ member: Member, _ hash: Int, _ rules: UnsafeMutablePointer<ObjectRules>, _ graph: ObjectGraph
  ) -> Int {
    var position = -1
    if let name = graph.keyText(of: member.key) {
      position =
        ObjectRules.position(of: member.isField ? name.unmangledKey : name, in: rules) ?? -1
    }
    cache.slot(hash).pointee = (member, Int32(position))
    return position
  }
}

// MARK: - Positions as bits, of which there are as many as a file has references

/// A set of positions.
struct EvaluatedSet {
  private var words: [UInt64] = []

  /// Adds a position; false if it was there.
  @discardableResult
  mutating func insert(_ position: Int) -> Bool {
    let (word, bit) = (position >> 6, UInt64(1) << UInt64(position & 63))
    while words.count <= word { words.append(0) }
    defer { words[word] |= bit }
    return words[word] & bit == 0
  }

  /// Adds all positions of another set.
  mutating func formUnion(_ other: EvaluatedSet) {
    while words.count < other.words.count { words.append(0) }
    for (index, word) in other.words.enumerated() { words[index] |= word }
  }
}
