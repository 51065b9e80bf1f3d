// Composes violations, with their locations in the value and in the schema.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists

/// A value that a rule applies to.
struct CheckedValue {
  let value: Value
  let node: Node
  /// How it was reached from the innermost frame, and the edge to its schema; nil for the value of that frame.
  let arrival: Arrival?
  let edge: Edge?

  init(_ value: Value, _ node: Node, _ arrival: Arrival? = nil, _ edge: Edge? = nil) {
    (self.value, self.node, self.arrival, self.edge) = (value, node, arrival, edge)
  }
}

extension Validator {
  // MARK: Reports

  /// Adds a violation; while schemas are only tried, it is just counted.
  mutating func record(_ violation: @autoclosure () -> Diagnostic) {
    failures += 1
    guard trials == 0, log.count() else { return }
    log.add(violation())
  }

  /// Adds a violation.
  ///
  /// - Parameters:
  ///   - found: what was found in place of the value's text.
  ///   - keywordSuffix: the location within the keyword's value.
  @inline(never)
  mutating func report(
    _ rule: String, _ expected: @autoclosure () -> String, _ subject: CheckedValue,
    found: String? = nil, keywordSuffix: String = "", causes: [Diagnostic] = []
  ) {
    failures += 1
    guard trials == 0, log.count() else { return }
    log.add(
      violation(
        rule, expected(), subject, found: found, keywordSuffix: keywordSuffix, causes: causes))
  }

  @inline(never)
  mutating func reportType(_ types: ValueKinds, _ subject: CheckedValue) {
    if !reportErrorPayload(subject) { report("type", types.text(of: ValueKinds.types), subject) }
  }

  /// Reports a value that the schema `false` rejects.
  @inline(never)
  mutating func reportForbidden(_ subject: CheckedValue) {
    guard trials == 0 else {
      failures += 1
      return
    }
    let keyword = subject.edge?.keyword ?? ""
    var found = Self.text(of: subject.value, in: graph)
    var wording: String?
    if case .member(let index)? = subject.arrival,
      case .members(let pairs)? = stack.last?.pointee.children
    {
      let name = graph.memberName(pairs, index)?.string ?? "?"
      wording = "unexpected member '\(name)' (\(found))"
      found += " in '\(name)'"
    }
    let expected =
      switch keyword {
      case "additionalProperties", "unevaluatedProperties":
        "no member that the schema does not name"
      case "items", "unevaluatedItems": "no more items"
      default: "no value here"
      }
    let violation = violation(
      keyword.isEmpty ? "false" : keyword, expected, subject, found: found, isSchema: true,
      wording: wording)
    record(violation)
  }

  /// Warns about a value that the schema marks as deprecated (Validation section 9.3), if warnings are requested.
  @inline(never)
  mutating func warnOfDeprecated(_ subject: CheckedValue) {
    guard trials == 0 else { return }
    warnings.append(
      violation(
        Diagnostic.deprecation, "nothing, because it is deprecated", subject, severity: .warning))
  }

  /// Reports an error payload of a service in place of the model; false if the value is not a payload.
  mutating func reportErrorPayload(_ subject: CheckedValue) -> Bool {
    for payload in errorPayloads where trials == 0 {
      guard let text = payload.text(of: subject.value, in: graph) else { continue }
      report("error-payload", "the model", subject, found: "an \(payload.name): \(text)")
      return true
    }
    return false
  }

  /// A violation for a member that the innermost object lacks.
  func missingViolation(_ property: ObjectRules.Property, _ node: Node) -> Diagnostic {
    let rules = schema.nodes + property.edge.schemaIndex
    let schemaIndex = stack.top.pointee.edge.schemaIndex
    let type =
      rules.pointee.plistTypes?.text(of: ValueKinds.propertyListTypes)
      ?? rules.pointee.types?.text(of: ValueKinds.types)
    return Diagnostic(
      rule: "required",
      message: "missing required member '\(property.name)'" + (type.map { " (\($0))" } ?? ""),
      path: path().appending(.key(property.name)), offset: graph.fileOffset(of: node),
      byteCount: byteCount(of: node),
      expectation: Expectation(
        expected: type ?? "a value", found: "no such member",
        instanceLocation: steps(nil).pointer, keywordLocation: keywordLocation(nil) + "/required",
        absoluteKeywordLocation: schema.nodes[schemaIndex].location + "/required"))
  }

  /// A violation of a rule by a value.
  func violation(
    _ rule: String, _ expected: String, _ subject: CheckedValue, found: String? = nil,
    severity: Severity = .error, keywordSuffix: String = "", isSchema: Bool = false,
    causes: [Diagnostic] = [], wording: String? = nil
  ) -> Diagnostic {
    let found = found ?? Self.text(of: subject.value, in: graph)
    let node = subject.node
    let schemaIndex = subject.edge?.schemaIndex ?? stack.last?.pointee.edge.schemaIndex ?? 0
    let steps = steps(subject)
    let end = isSchema ? "" : "/" + rule + keywordSuffix
    // The schema `false` has no location except that of its keyword.
    let parent =
      stack.last.map { schema.nodes[$0.pointee.edge.schemaIndex].location } ?? schema.location
    let absolute =
      isSchema
      ? parent + PercentEncoding.encoded(subject.edge?.pointer ?? "")
      : schema.nodes[schemaIndex].location + PercentEncoding.encoded(end)
    return Diagnostic(
      rule: rule, severity: severity, message: wording ?? "expected \(expected), found \(found)",
      path: GraphPath(steps), offset: graph.fileOffset(of: node), byteCount: byteCount(of: node),
      expectation: Expectation(
        expected: expected, found: found, instanceLocation: steps.pointer,
        keywordLocation: keywordLocation(subject) + end, absoluteKeywordLocation: absolute,
        causes: causes))
  }

  /// How many bytes a value occupies at its offset; known only if the file contains it unchanged.
  private func byteCount(of node: Node) -> Int? {
    let document = graph.document(of: node)
    return document.fileOffset == nil ? nil : document.table.bytes(of: node.index).count
  }

  // MARK: Locations

  /// The path of a value, or without one that of the innermost frame.
  func path(_ subject: CheckedValue? = nil) -> GraphPath { GraphPath(steps(subject)) }

  private func steps(_ subject: CheckedValue?) -> [GraphPath.Step] {
    var steps: [GraphPath.Step] = []
    for index in 0..<stack.count where index > 0 {
      let children = stack[index - 1].pointee.children
      if let step = step(stack[index].pointee.arrival, children) { steps.append(step) }
    }
    if let arrival = subject?.arrival, let frame = stack.last,
      let step = step(arrival, frame.pointee.children)
    {
      steps.append(step)
    }
    return steps
  }

  private func step(_ arrival: Arrival, _ children: Children) -> GraphPath.Step? {
    switch (arrival, children) {
    case (.element(let index), _): return .index(index)
    case (.member(let index), .members(let pairs)), (.name(let index), .members(let pairs)):
      return .key(graph.memberName(pairs, index)?.string ?? "?")
    case (.archived, _): return .content("archive")
    default: return nil
    }
  }

  /// The path through the schemas to that of a value, or without one to that of the innermost frame.
  private func keywordLocation(_ subject: CheckedValue?) -> String {
    (0..<stack.count).map { stack[$0].pointee.edge.pointer }.joined()
      + (subject?.edge?.pointer ?? "")
  }

  // MARK: Text

  /// A value as a report shows it: its type, and its contents if they are short.
  static func text(of value: Value, in graph: ObjectGraph) -> String {
    switch value {
    case .null: return "null"
    case .boolean(let flag): return "boolean \(flag)"
    case .integer(let number): return "integer \(number)"
    case .unsigned(let number): return "integer \(number)"
    case .wide(let number): return "integer \(number)"
    case .real(let number): return "real \(number)"
    case .single(let number): return "real \(number)"
    case .date(let seconds):
      return "date \(Timestamp(secondsFromReference: seconds)?.text ?? "\(seconds)")"
    case .data(let bytes): return "data of \(Counted.text(bytes.count, "byte"))"
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

extension [GraphPath.Step] {
  /// The steps as JSON Pointer.
  fileprivate var pointer: String {
    map { step in
      switch step {
      case .key(let key): "/" + JSONPointer.escaped(key)
      case .index(let index): "/\(index)"
      case .content(let kind): "/" + JSONPointer.escaped(kind)
      case .anyMember, .anyElement: "/*"
      }
    }.joined()
  }
}

// MARK: - The error payload of a service, recognized in place of a model

extension SchemaFamily.ErrorPayload {
  /// `Unauthorized: Api Authorization failed`; nil if the value lacks one of the members or it is not a string.
  func text(of value: Value, in graph: ObjectGraph) -> String? {
    guard case .dictionary(let pairs) = value, pairs.count <= 16 else { return nil }
    var texts: [String: String] = [:]
    for position in 0..<pairs.count {
      guard let key = graph.keyText(of: graph.key(pairs, position))?.string,
        case .string(let text) = graph.value(of: graph.value(pairs, position))
      else { continue }
      texts[key] = text.string
    }
    guard let code = texts[code], let message = texts[message] else { return nil }
    return "\(code): \(message)"
  }
}

// MARK: - The violations of a validation in progress

/// The violations of a validation: all are counted, the first of them get a message.
struct ViolationLog {
  /// The most bytes of all messages, since very many long paths would help nobody.
  private static let mostBytes = 1 << 23
  /// How many violations of a schema that was tried may be causes of a failure.
  private static let mostCauses = 64
  /// How many nested applicators report the causes of their failure.
  private static let deepestCauses = 16

  private let most: Int
  /// How many applicators on the current path are looking for the causes of their failure.
  private var causeDepth = 0
  private var wordedBytes = 0
  /// The violations with a message.
  private(set) var violations: [Diagnostic] = []
  /// How many violations there are.
  private(set) var total = 0

  /// - Parameter most: how many violations get a message.
  init(most: Int) { self.most = most }

  /// Counts a violation.
  ///
  /// - Returns: whether it gets a message.
  mutating func count() -> Bool {
    total += 1
    return violations.count < most + causeDepth * Self.mostCauses && wordedBytes < Self.mostBytes
  }

  /// Adds a violation that was counted.
  mutating func add(_ violation: Diagnostic) {
    let expectation = violation.expectation
    // The JSON Pointer is about as long as the path.
    wordedBytes &+= (expectation?.instanceLocation.utf8.count ?? 0) &+ 256
    wordedBytes &+= expectation?.found.utf8.count ?? 0
    violations.append(violation)
  }

  /// Begins to look for the causes of a failure.
  ///
  /// - Returns: the arguments for `endCauses`; nil if too many searches are in progress.
  mutating func beginCauses() -> (Int, Int)? {
    guard causeDepth < Self.deepestCauses else { return nil }
    causeDepth += 1
    return (violations.count, total)
  }

  /// Removes and returns what was added since the search for causes began.
  mutating func endCauses(from mark: Int, count: Int) -> [Diagnostic] {
    causeDepth -= 1
    let causes = Array(violations[mark...])
    violations.removeSubrange(mark...)
    total = count
    return causes
  }

  /// Keeps only the last of the violations since a mark; false if there are none.
  mutating func keepLast(from mark: Int) -> Bool {
    guard let last = violations.last, mark < violations.count else { return false }
    total -= violations.count - mark - 1
    violations.replaceSubrange(mark..., with: [last])
    return true
  }
}
