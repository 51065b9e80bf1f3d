// Validates a model against a compiled schema: one walk without recursion that reports every violation with its path.
//
// Each value under each schema that applies to it is a frame on a stack; values that a schema does not constrain, and
// scalars under schemas with only assertions, need no frame.

import ArchiveBasics
import ArchiveGraph

struct Validator: ~Copyable {
  private typealias Frame = UnsafeMutablePointer<ValidationFrame>

  private let graph: ObjectGraph
  private let schema: CompiledSchema
  private let positions: PositionCache
  /// The numbers of the values that were compared.
  private let canonical: CanonicalTable
  private var names: MemberNames
  private var contents = ArchivedContents()
  private var fast: FastValidation
  /// Whether values may be accepted by the fast path.
  private let isQuick: Bool
  private var visited = 0
  private var limit: Int
  private var costLimit: Int
  private(set) var report: ValidationReport

  /// - Parameter mostViolations: how many violations get a message; the others are counted.
  init(
    _ graph: ObjectGraph, _ schema: CompiledSchema, errorPayloads: [SchemaFamily.ErrorPayload],
    mostViolations: Int
  ) {
    self.graph = graph
    self.schema = schema
    isQuick = schema.usesQuickRules
    let positions = PositionCache(graph)
    self.positions = positions
    canonical = CanonicalTable(of: graph)
    names = MemberNames(graph)
    fast = FastValidation(graph, schema, positions)
    limit = graph.validationLimit(schemaCount: schema.nodeCount)
    costLimit = graph.costLimit
    report = ValidationReport(
      graph, schema, errorPayloads: errorPayloads, mostViolations: mostViolations)
  }

  /// Validates a value and everything that it contains.
  ///
  /// - Throws: `ArchiveError` with code `limit` if the walk over shared values becomes too long.
  mutating func run(_ root: Node) throws(ArchiveError) {
    if schema.allowsList, case .array(let elements) = graph.value(of: root) {
      // A list of models is an array whose elements the whole schema applies to.
      let isFirst = report.path.open(root)
      report.path.push(
        ValidationFrame(
          node: root, edge: Edge(schemaIndex: 0, pointer: ""), arrival: .root,
          children: .elements(elements), count: elements.count, failures: 0, violations: 0,
          isTracking: false, isFirst: isFirst))
    } else {
      let start = schema.start
      enter(root, start.schemaIndex, .root, start)
    }
    while report.problem == nil, report.path.count > 0 {
      visited &+= 1
      // Archives in data values have extended what must be walked.
      if visited > limit { limit = graph.validationLimit(schemaCount: schema.nodeCount) }
      if report.cost > costLimit { costLimit = graph.costLimit }
      // Several schemas may apply to a value at once, each with its own frame.
      guard visited <= limit, report.cost <= costLimit,
        report.path.count <= graph.limits.depth &* 8
      else {
        throw ArchiveError(
          .limit, "validation is too deep or takes too many steps: values or schemas multiply",
          path: report.path.location())
      }
      step()
    }
    if let problem = report.problem { throw problem }
  }

  /// Continues with the innermost value, for one schema of one of its parts.
  @inline(__always)
  private mutating func step() {
    let frame = report.path.top
    // A schema that is only tried need not be checked further once it fails.
    if report.isTrying, frame.pointee.branch == 0, report.failures != frame.pointee.failures {
      return leave()
    }
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
  private mutating func enter(
    _ node: Node, _ schemaIndex: Int, _ arrival: Arrival, _ edge: @autoclosure () -> Edge
  ) {
    if schemaIndex == 0 { return }
    if isQuick, fast.accepts(node, schemaIndex, arrival, &report, &visited, limit, edge()) {
      return
    }
    // Failures from here on belong to this schema, before and after it has a frame.
    let start = (failures: report.failures, violations: report.log.violations.count)
    let rules = schema.nodes + schemaIndex
    let value = value(of: node, arrival)
    func subject() -> CheckedValue { CheckedValue(value, node, arrival, edge()) }
    if let types = rules.pointee.types, !types.contains(ValueKinds(value)) {
      return report.addType(types, subject())
    }
    guard assertsHold(rules, value, subject()) else { return }
    switch value {
    case .array(let elements), .set(let elements), .orderedSet(let elements):
      if let arrays = rules.pointee.arrays {
        ArrayRules.check(elements, arrays, subject(), canonical, &report)
      }
      push(node, .elements(elements), rules, arrival, edge(), start)
    case .dictionary(let pairs), .object(_, let pairs):
      if let objects = rules.pointee.objects {
        ObjectRules.check(pairs, objects, subject(), &names, &report)
      }
      push(node, .members(pairs), rules, arrival, edge(), start)
    default:
      if rules.pointee.numbers != nil || rules.pointee.strings != nil {
        SchemaNode.checkScalar(rules, subject(), &report)
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
      report.path.members?.isFields == true
    else { return value }
    return .string(text.unmangledKey)
  }

  /// Checks the assertions for any value; false if nothing more needs to be checked.
  @inline(__always)
  private mutating func assertsHold(
    _ rules: UnsafePointer<SchemaNode>, _ value: Value, _ subject: @autoclosure () -> CheckedValue
  ) -> Bool {
    if rules.pointee.isFalse {
      report.addForbidden(subject())
      return false
    }
    if let types = rules.pointee.plistTypes, !types.contains(ValueKinds(value)) {
      report.add("x-plist-type", types.text(of: ValueKinds.propertyListTypes), subject())
      return false
    }
    if rules.pointee.structure != nil, let rule = rules.pointee.structure {
      let before = report.failures
      rule.check(subject(), &report)
      if report.failures != before { return false }
    }
    if rules.pointee.isDeprecated {
      report.warn(Diagnostic.deprecation, "nothing, because it is deprecated", subject())
    }
    for values in rules.pointee.values where report.problem == nil {
      values.check(subject(), canonical, &report)
    }
    return true
  }

  @inline(__always)
  private mutating func push(
    _ node: Node, _ children: Children, _ rules: UnsafePointer<SchemaNode>, _ arrival: Arrival,
    _ edge: Edge, _ start: (failures: Int, violations: Int)
  ) {
    if case .nothing = children {
    } else if rules.pointee.objects == nil, rules.pointee.arrays == nil,
      rules.pointee.applicators.isEmpty, !rules.pointee.needsEvaluated
    {
      return
    }
    if arrival.isSameValue, report.path.repeats(edge.schemaIndex) {
      return report.end(with: SchemaLoops.error(schema.nodes[edge.schemaIndex].location))
    }
    let isFirst = !arrival.isSameValue && report.path.open(node)
    if !isFirst, !arrival.isSameValue, closesCycle(node, edge, arrival) { return }
    let inherits = arrival.isSameValue && report.path.top.pointee.isTracking
    report.path.push(
      ValidationFrame(
        node: node, edge: edge, arrival: arrival, children: children, count: children.count,
        failures: start.failures, violations: start.violations,
        isTracking: inherits || rules.pointee.needsEvaluated, isFirst: isFirst))
  }

  private mutating func leave() {
    let frame = report.path.top
    if let parent = report.path.parent, report.failures == frame.pointee.failures {
      switch frame.pointee.arrival {
      case .archived:
        contents.remember(parent.pointee.node, fits: frame.pointee.edge.schemaIndex)
      // The annotations of a failing schema are dropped (Core section 7.7.1.2).
      case .sameValue where frame.pointee.isTracking && parent.pointee.isTracking:
        parent.pointee.evaluated.formUnion(frame.pointee.evaluated)
      default: break
      }
    }
    report.path.pop()
  }

  /// Whether a value that contains itself needs no further check.
  ///
  /// An object may lead back to itself, as a child to its parent: it fits a schema if everything else fits that is
  /// being checked. A list or dictionary that contains itself fits no schema.
  private mutating func closesCycle(_ node: Node, _ edge: Edge, _ arrival: Arrival) -> Bool {
    let value = graph.value(of: node)
    guard case .object = value else {
      report.add(
        "cycle", "a value that does not contain itself", CheckedValue(value, node, arrival, edge))
      return true
    }
    return report.path.contains { $0.node == node && $0.edge.schemaIndex == edge.schemaIndex }
  }

  // MARK: Elements

  /// The schema of one element.
  @inline(__always)
  private mutating func stepElement(_ frame: Frame, _ elements: Elements) {
    let schemaIndex = frame.pointee.edge.schemaIndex
    let index = frame.pointee.next
    guard index < frame.pointee.count, let edge = edge(ofElement: index, schemaIndex) else {
      frame.pointee.next = 0
      frame.pointee.stage =
        schema.nodes[schemaIndex].arrays?.pointee.contains == nil ? .sameValue : .contains
      return
    }
    frame.pointee.next = index + 1
    if frame.pointee.isTracking { frame.pointee.evaluated.insert(index) }
    enter(graph.node(elements, index), edge.schemaIndex, .element(index), edge)
  }

  /// The schema of an element; for a list of models, the whole schema.
  @inline(__always)
  private func edge(ofElement index: Int, _ schemaIndex: Int) -> Edge? {
    if schemaIndex == 0 { return Edge(schemaIndex: schema.start.schemaIndex, pointer: "") }
    guard let rules = schema.nodes[schemaIndex].arrays else { return nil }
    if index < rules.pointee.prefix.count { return rules.pointee.prefix[index] }
    return rules.pointee.items
  }

  // MARK: contains

  /// Checks `contains` for one element; its violations are never reported.
  private mutating func stepContains(_ frame: Frame) {
    guard case .elements(let elements) = frame.pointee.children,
      let rules = schema.nodes[frame.pointee.edge.schemaIndex].arrays,
      let edge = rules.pointee.contains
    else {
      frame.pointee.stage = .sameValue
      return
    }
    let index = frame.pointee.next
    if frame.pointee.branch > 0 {
      if report.failures == frame.pointee.branchMark {
        frame.pointee.matches += 1
        if frame.pointee.isTracking { frame.pointee.evaluated.insert(index - 1) }
      }
      report.endTrial(since: frame.pointee.branchMark)
    }
    guard index < elements.count else {
      let matches = frame.pointee.matches
      (frame.pointee.next, frame.pointee.branch, frame.pointee.matches) = (0, 0, 0)
      frame.pointee.stage = .sameValue
      return finishContains(frame, matches, rules)
    }
    report.charge(1)
    frame.pointee.branchMark = report.failures
    report.beginTrial()
    (frame.pointee.next, frame.pointee.branch) = (index + 1, 1)
    enter(graph.node(elements, index), edge.schemaIndex, .element(index), edge)
  }

  private mutating func finishContains(
    _ frame: Frame, _ matches: Int, _ rules: UnsafeMutablePointer<ArrayRules>
  ) {
    let subject = report.current
    let found = "\(matches) in an array of \(frame.pointee.count)"
    let minimum = rules.pointee.minimumContains
    if matches < minimum {
      report.add(
        minimum == 1 ? "contains" : "minContains", "at least \(minimum) items that fit 'contains'",
        subject, found: found)
    }
    if let maximum = rules.pointee.maximumContains, matches > maximum {
      report.add(
        "maxContains", "at most \(maximum) items that fit 'contains'", subject, found: found)
    }
  }

  // MARK: Members

  /// Applies one schema to one member's value.
  @inline(__always)
  private mutating func stepMember(_ frame: Frame, _ pairs: Pairs) {
    let schemaIndex = frame.pointee.edge.schemaIndex
    guard let rules = schema.nodes[schemaIndex].objects else {
      frame.pointee.stage = .sameValue
      return
    }
    let index = frame.pointee.next
    guard index < frame.pointee.count, !rules.pointee.onlyRequires else {
      return finishMembers(frame, pairs, rules)
    }
    if frame.pointee.branch > 0 { return stepPatterns(frame, pairs, rules) }
    let position = positions.position(
      of: graph.key(pairs, index), isField: pairs.isFields, schemaIndex, rules)
    if position >= 0 {
      let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: position & 63)
      if frame.pointee.seen & bit != 0, position < 64 { reportRepeated(pairs, index) }
      frame.pointee.seen |= bit
    }
    // Patterns may match a member that `properties` does not name, or it is an additional one.
    guard position >= 0, rules.pointee.properties[position].isNamed else {
      (frame.pointee.branch, frame.pointee.matches) = (1, 0)
      return stepPatterns(frame, pairs, rules)
    }
    if frame.pointee.isTracking { frame.pointee.evaluated.insert(index) }
    if rules.pointee.patterns.isEmpty {
      frame.pointee.next = index + 1
    } else {
      (frame.pointee.branch, frame.pointee.matches) = (1, 1)
    }
    let target = rules.pointee.properties[position].edge.schemaIndex
    if pairs.isFields { DecodingMethods.check(pairs, index, target, &report) }
    enter(
      graph.value(pairs, index), target, .member(index), rules.pointee.properties[position].edge)
  }

  /// Applies one pattern to one member, and after the last the rule for unmatched members.
  @inline(never)
  private mutating func stepPatterns(
    _ frame: Frame, _ pairs: Pairs,
    _ rules: UnsafeMutablePointer<ObjectRules>
  ) {
    let index = frame.pointee.next
    let node = graph.value(pairs, index)
    while frame.pointee.branch <= rules.pointee.patterns.count, report.problem == nil {
      // The next step goes on here, if there is one.
      if report.cost > costLimit { return }
      let (pattern, edge) = rules.pointee.patterns[frame.pointee.branch - 1]
      frame.pointee.branch += 1
      guard let name = graph.memberName(pairs, index),
        report.matches(name.string, pattern, nil)
      else { continue }
      frame.pointee.matches += 1
      if frame.pointee.isTracking { frame.pointee.evaluated.insert(index) }
      return enter(node, edge.schemaIndex, .member(index), edge)
    }
    let isAdditional = frame.pointee.matches == 0
    (frame.pointee.branch, frame.pointee.matches) = (0, 0)
    frame.pointee.next = index + 1
    guard isAdditional, let edge = rules.pointee.additional else { return }
    if frame.pointee.isTracking { frame.pointee.evaluated.insert(index) }
    enter(node, edge.schemaIndex, .member(index), edge)
  }

  /// Checks what is known after all members were seen, or of one whose members only need to be there.
  private mutating func finishMembers(
    _ frame: Frame, _ pairs: Pairs, _ rules: UnsafeMutablePointer<ObjectRules>
  ) {
    frame.pointee.next = 0
    frame.pointee.stage = rules.pointee.names == nil ? .sameValue : .names
    let required = rules.pointee.requiredBits
    if rules.pointee.properties.count <= 64, !rules.pointee.onlyRequires {
      if frame.pointee.seen & required == required { return }
      // In a trial nobody asks which are missing.
      if report.isTrying { return report.countFailure() }
    }
    reportMissing(frame, pairs, rules)
  }

  @inline(never)
  private mutating func reportMissing(
    _ frame: Frame, _ pairs: Pairs, _ rules: UnsafeMutablePointer<ObjectRules>
  ) {
    let names = names.of(frame.pointee.node, pairs)
    let missing = rules.pointee.properties.filter { $0.isRequired && !names.contains($0.utf8) }
    if missing.isEmpty { return }
    // Where an error payload replaces a model, report that, not each missing member.
    if report.addErrorPayload(report.current, since: frame.pointee.violations) { return }
    for property in missing { report.addMissing(property) }
  }

  /// Reports a repeated key: it has two values, and decoders differ in which one they use.
  @inline(never)
  private mutating func reportRepeated(_ pairs: Pairs, _ index: Int) {
    let node = graph.value(pairs, index)
    let subject = CheckedValue(
      graph.value(of: node), node, .member(index), Edge(schemaIndex: 0, pointer: ""))
    report.add("uniqueKeys", "unique keys", subject, found: "the key again")
  }

  // MARK: Names

  /// Applies `propertyNames` to one member's name.
  private mutating func stepName(_ frame: Frame) {
    let index = frame.pointee.next
    guard index < frame.pointee.count, case .members(let pairs) = frame.pointee.children,
      let edge = schema.nodes[frame.pointee.edge.schemaIndex].objects?.pointee.names
    else {
      frame.pointee.next = 0
      frame.pointee.stage = .sameValue
      return
    }
    frame.pointee.next = index + 1
    enter(graph.key(pairs, index), edge.schemaIndex, .name(index), edge)
  }

  // MARK: The same value

  /// Continues with one schema of an applicator.
  private mutating func stepSameValue(_ frame: Frame) {
    let rules = schema.nodes + frame.pointee.edge.schemaIndex
    let next = frame.pointee.next
    guard next < rules.pointee.applicators.count else {
      frame.pointee.next = 0
      frame.pointee.stage = rules.pointee.needsEvaluated ? .unevaluated : .done
      return
    }
    frame.pointee.next = next + 1
    let node = frame.pointee.node
    switch rules.pointee.applicators[next] {
    case .reference(let edge): enterHere(node, edge)
    case .dynamic(let name, let edge): enterHere(node, report.path.dynamicTarget(name, edge))
    case .dependent(let name, let edge):
      guard case .members(let pairs) = frame.pointee.children,
        names.of(node, pairs).contains(Array(name.utf8))
      else { return }
      enterHere(node, edge)
    case .archived(let rule):
      guard let (root, edge) = contents.open(node, rule, &report) else { return }
      enter(root, edge.schemaIndex, .archived, edge)
    case let applicator:
      frame.pointee.next = next
      guard let edge = SchemaTrial.next(applicator, frame, &report) else { return }
      enterHere(node, edge)
    }
  }

  private mutating func enterHere(_ node: Node, _ edge: Edge) {
    enter(node, edge.schemaIndex, .sameValue, edge)
  }

  /// `unevaluatedItems` or `unevaluatedProperties` for one element or member.
  private mutating func stepUnevaluated(_ frame: Frame) {
    let rules = schema.nodes + frame.pointee.edge.schemaIndex
    let index = frame.pointee.next
    switch frame.pointee.children {
    case .elements(let elements):
      guard let edge = rules.pointee.unevaluatedItems, index < elements.count else { break }
      frame.pointee.next = index + 1
      guard frame.pointee.evaluated.insert(index) else { return }
      return enter(graph.node(elements, index), edge.schemaIndex, .element(index), edge)
    case .members(let pairs):
      guard let edge = rules.pointee.unevaluatedProperties, index < pairs.count else { break }
      frame.pointee.next = index + 1
      guard frame.pointee.evaluated.insert(index) else { return }
      return enter(graph.value(pairs, index), edge.schemaIndex, .member(index), edge)
    case .nothing: break
    }
    frame.pointee.stage = .done
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
  fileprivate var costLimit: Int { 10_000_000 + referenceCount &* 40 }

  /// The steps that a validation may take, each one schema for one value.
  ///
  /// Every schema may apply to a value a few times; beyond that, shared values, or schemas that refer to one another in
  /// many combinations, are multiplying.
  fileprivate func validationLimit(schemaCount: Int) -> Int {
    let (product, isOver) = referenceCount.multipliedReportingOverflow(by: schemaCount &* 4)
    return max(4_000_000, expansionLimit, isOver ? .max : product)
  }
}
