// Validates a model against a compiled schema: one walk, every violation with its path.

import KeyedArchives
import ObjectGraph

/// Walks a model beside its schema.
struct Validator {
  private enum Way {
    case elements(Elements)
    case members(Pairs)
  }

  private struct Frame {
    let node: Node
    let way: Way
    let place: Int
    let count: Int
    var next = 0
    /// The properties met so far, by position, up to 64.
    var seen: UInt64 = 0
    /// How many violations there were before.
    let violations: Int
  }

  private let graph: ObjectGraph
  private let schema: CompiledSchema
  private let errorPayloads: [SchemaFamily.ErrorPayload]
  private let positions: PositionCache
  private var stack: [Frame] = []
  private var open: NodeSet
  private var visited = 0
  private let limit: Int
  private(set) var violations: [Violation] = []
  /// What fits the schema but not the class that decodes it.
  private(set) var warnings: [Violation] = []

  init(_ graph: ObjectGraph, _ schema: CompiledSchema, errorPayloads: [SchemaFamily.ErrorPayload]) {
    self.graph = graph
    self.schema = schema
    self.errorPayloads = errorPayloads
    positions = PositionCache(schema)
    open = NodeSet(in: graph)
    limit = graph.expansionLimit
  }

  /// Validates a value and all that it holds.
  ///
  /// - Throws: `ArchiveError` with code `limit` if the walk over shared values becomes too long.
  mutating func run(_ root: Node) throws(ArchiveError) {
    if schema.allowsList, case .array(let elements) = graph.value(of: root) {
      push(root, .elements(elements), elements.count, schema.root)
    } else {
      check(root, schema.root)
    }
    while let frame = stack.last {
      guard frame.next < frame.count else {
        finish(frame)
        continue
      }
      visited &+= 1
      guard visited <= limit, stack.count <= graph.limits.depth else {
        throw ArchiveError(
          .limit, "the model has too many values or lies too deep to be validated", path: path())
      }
      step(frame)
    }
  }

  @inline(__always)
  private mutating func step(_ frame: Frame) {
    stack[stack.count - 1].next = frame.next + 1
    switch frame.way {
    case .elements(let elements):
      check(graph.node(elements, frame.next), schema.element(frame.place))
    case .members(let pairs):
      let key = graph.key(pairs, frame.next)
      let position = positions.position(of: key, pairs.isFields, frame.place, graph)
      if position >= 0 {
        let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: position & 63)
        if frame.seen & bit != 0, position < 64 { reportRepeated(pairs, frame.next) }
        stack[stack.count - 1].seen |= bit
        let place = schema.nodes[frame.place].properties[position].place
        check(graph.value(pairs, frame.next), place)
        if pairs.isFields { checkCoercion(pairs, frame.next, place) }
      } else {
        checkAdditional(pairs, frame.next, frame.place)
      }
    }
  }

  // MARK: Values

  private mutating func check(_ node: Node, _ place: Int) {
    let rules = schema.nodes[place]
    let value = graph.value(of: node)
    if let types = rules.types, !Self.matches(value, types) {
      if !reportErrorPayload(value, node) {
        report("type", types.text, value, node)
      }
      return
    }
    if let types = rules.plistType, !Self.matchesExactly(value, types) {
      return report("x-plist-type", types.text, value, node)
    }
    switch value {
    case .array(let elements), .set(let elements), .orderedSet(let elements):
      checkCount(elements.count, rules, value, node)
      enter(node, .elements(elements), elements.count, place)
    case .dictionary(let pairs), .object(_, let pairs):
      enter(node, .members(pairs), pairs.count, place)
    case .string(let text): checkString(text, rules, value, node)
    case .integer(let number): checkRange(Double(number), rules, value, node)
    case .unsigned(let number): checkRange(Double(number), rules, value, node)
    case .real(let number): checkRange(number, rules, value, node)
    case .single(let number): checkRange(Double(number), rules, value, node)
    default: break
    }
  }

  /// A scalar in an object itself is decoded by the method of its type, which coerces little.
  @inline(never)
  private mutating func checkCoercion(_ pairs: Pairs, _ index: Int, _ place: Int) {
    // A number in a box of its own is an object to its class, whose code takes what it needs of it.
    guard let types = schema.nodes[place].types,
      graph.isInline(pairs.values, pairs.position(index))
    else { return }
    let node = graph.value(pairs, index)
    let value = graph.value(of: node)
    guard let objection = CoercionCheck.objection(to: value, types) else { return }
    warnings.append(
      Violation(
        rule: "coercion", path: path(),
        expected: "what \(objection.method) takes, which raises an \(objection.exception) here",
        found: Self.text(of: value, in: graph), offset: graph.fileOffset(of: node)))
  }

  private mutating func enter(_ node: Node, _ way: Way, _ count: Int, _ place: Int) {
    guard open.insert(node) else {
      let value = graph.value(of: node)
      return report("cycle", "a value that does not hold itself", value, node)
    }
    push(node, way, count, place)
  }

  private mutating func push(_ node: Node, _ way: Way, _ count: Int, _ place: Int) {
    open.insert(node)
    stack.append(
      Frame(node: node, way: way, place: place, count: count, violations: violations.count))
  }

  private mutating func finish(_ frame: Frame) {
    stack.removeLast()
    open.remove(frame.node)
    guard case .members(let pairs) = frame.way else { return }
    let properties = schema.nodes[frame.place].properties
    let required = positions.required(frame.place)
    if properties.count <= 64, frame.seen & required == required { return }
    reportMissing(properties, frame, pairs)
  }

  @inline(never)
  private mutating func reportMissing(
    _ properties: [SchemaNode.Property], _ frame: Frame, _ pairs: Pairs
  ) {
    let keys = Set(
      (0..<pairs.count).compactMap {
        graph.memberName(pairs, $0)?.string
      })
    let missing = properties.filter { $0.isRequired && !keys.contains($0.name) }
    if missing.isEmpty { return }
    let value = graph.value(of: frame.node)
    // Where an error's payload stands in a model's place, that is what is wrong, not each of its members.
    let before = violations[..<frame.violations]
    if reportErrorPayload(value, frame.node), let report = violations.last {
      violations = before + [report]
      return
    }
    for property in missing {
      violations.append(
        Violation(
          rule: "required", path: path(.key(property.name)),
          expected: expectation(schema.nodes[property.place]),
          found: "no such member",
          offset: graph.fileOffset(of: frame.node)))
    }
  }

  /// A key that stands twice has two values, and decoders differ in which they take.
  @inline(never)
  private mutating func reportRepeated(_ pairs: Pairs, _ index: Int) {
    violations.append(
      Violation(
        rule: "uniqueKeys", path: path(), expected: "each key once", found: "the key again",
        offset: graph.fileOffset(of: graph.value(pairs, index))))
  }

  private func expectation(_ rules: SchemaNode) -> String {
    (rules.plistType ?? rules.types)?.text ?? "a value"
  }

  private mutating func checkAdditional(_ pairs: Pairs, _ index: Int, _ place: Int) {
    let node = graph.value(pairs, index)
    switch schema.nodes[place].additional {
    case .allowed: return
    case .schema(let place): check(node, place)
    case .forbidden:
      let found = graph.value(of: node)
      let name = graph.memberName(pairs, index)?.string ?? "?"
      violations.append(
        Violation(
          rule: "additionalProperties", path: path(),
          expected: "no member that the schema does not name",
          found: "\(Self.text(of: found, in: graph)) in '\(name)'",
          offset: graph.fileOffset(of: node)))
    }
  }

  // MARK: Keywords of one value

  private mutating func checkCount(
    _ count: Int, _ rules: SchemaNode, _ value: Value, _ node: Node
  ) {
    if let minimum = rules.minimumItems, count < minimum {
      report("minItems", "at least \(minimum) items", value, node)
    }
    if let maximum = rules.maximumItems, count > maximum {
      report("maxItems", "at most \(maximum) items", value, node)
    }
  }

  private mutating func checkString(
    _ text: Text, _ rules: SchemaNode, _ value: Value, _ node: Node
  ) {
    if rules.minimumLength != nil || rules.maximumLength != nil {
      let length = text.string.unicodeScalars.count
      if let minimum = rules.minimumLength, length < minimum {
        report("minLength", "at least \(minimum) characters", value, node)
      }
      if let maximum = rules.maximumLength, length > maximum {
        report("maxLength", "at most \(maximum) characters", value, node)
      }
    }
    if let allowed = rules.allowedStrings, !allowed.contains(text.string) {
      report("enum", "one of " + allowed.joined(separator: ", "), value, node)
    }
  }

  @inline(__always)
  private mutating func checkRange(
    _ number: Double, _ rules: SchemaNode, _ value: Value, _ node: Node
  ) {
    if let minimum = rules.minimum, !(number >= minimum) {
      report("minimum", "at least \(Self.text(of: minimum))", value, node)
    }
    if let maximum = rules.maximum, !(number <= maximum) {
      report("maximum", "at most \(Self.text(of: maximum))", value, node)
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
      return types.contains(.number) || types.contains(.integer) && number == number.rounded()
    case .single(let number):
      return types.contains(.number) || types.contains(.integer) && number == number.rounded()
    case .string, .date, .data: return types.contains(.string)
    case .array, .set, .orderedSet: return types.contains(.array)
    case .dictionary, .object: return types.contains(.object)
    case .uid: return types.contains(.object)
    }
  }

  private static func matchesExactly(_ value: Value, _ types: TypeMask) -> Bool {
    switch value {
    case .integer, .unsigned: return types.contains(.integer)
    case .real, .single: return types.contains(.real)
    case .date: return types.contains(.date)
    case .data: return types.contains(.data)
    case .uid: return types.contains(.uid)
    default: return false
    }
  }

  // MARK: Reports

  /// Names the payload of a service's error where the model should be; false if the value is none.
  private mutating func reportErrorPayload(_ value: Value, _ node: Node) -> Bool {
    for payload in errorPayloads {
      guard let found = ErrorPayloadReading(value, payload, graph) else { continue }
      violations.append(
        Violation(
          rule: "error-payload", path: path(),
          expected: "the model", found: "an \(payload.name): \(found.text)",
          offset: graph.fileOffset(of: node)))
      return true
    }
    return false
  }

  @inline(never)
  private mutating func report(_ rule: String, _ expected: String, _ value: Value, _ node: Node) {
    violations.append(
      Violation(
        rule: rule, path: path(), expected: expected,
        found: Self.text(of: value, in: graph), offset: graph.fileOffset(of: node)))
  }

  /// The place of the value at hand, or of a member that it lacks.
  private func path(_ last: GraphPath.Step? = nil) -> String {
    var path = GraphPath()
    for frame in stack {
      guard frame.next > 0 else { break }
      switch frame.way {
      case .elements: path = path.appending(.index(frame.next - 1))
      case .members(let pairs):
        let key = graph.memberName(pairs, frame.next - 1)?.string
        path = path.appending(.key(key ?? "?"))
      }
    }
    if let last { path = path.appending(last) }
    return path.description
  }

  /// A bound without a fraction that says nothing.
  private static func text(of bound: Double) -> String {
    Int64(exactly: bound).map { "\($0)" } ?? "\(bound)"
  }

  /// A value as a report names it: its type, and itself if it is short.
  static func text(of value: Value, in graph: ObjectGraph) -> String {
    switch value {
    case .null: return "null"
    case .boolean(let flag): return "boolean \(flag)"
    case .integer(let number): return "integer \(number)"
    case .unsigned(let number): return "integer \(number)"
    case .real(let number): return "real \(number)"
    case .single(let number): return "real \(number)"
    case .date(let seconds):
      return "date \(Timestamp(secondsFromReference: seconds)?.text ?? "\(seconds)")"
    case .data(let bytes): return "data of \(bytes.count) bytes"
    case .string(let text):
      let string = text.string
      return string.count > 60 ? "string \"\(string.prefix(60))…\"" : "string \"\(string)\""
    case .uid(let number): return "UID \(number)"
    case .array(let elements): return "array of \(elements.count)"
    case .set(let elements), .orderedSet(let elements): return "set of \(elements.count)"
    case .dictionary(let pairs): return "dictionary of \(pairs.count)"
    case .object(let index, _): return "object of class \(graph.classes[index].displayName)"
    }
  }
}
