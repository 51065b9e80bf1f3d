// What a validation finds: violations with their locations in the value and in the schema, warnings, and costs.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists

/// What a validation in progress has found, and where it is.
struct ValidationReport: ~Copyable {
  let graph: ObjectGraph
  let schema: CompiledSchema
  private let errorPayloads: [SchemaFamily.ErrorPayload]
  var path: ValidationPath
  /// How many violations there are, including those without a message because other schemas may fit.
  ///
  /// It is reset when a branch is abandoned, so only the equality of two counts is meaningful.
  private(set) var failures = 0
  /// How many applicators on the current path are only trying their schemas.
  private var trials = 0
  /// The violations outside of trials.
  private(set) var log: ViolationLog
  /// Values that fit the schema but not the class that decodes them.
  private(set) var warnings: [Diagnostic] = []
  /// An error that prevented a decision, such as a regular expression that takes too long.
  private(set) var problem: ArchiveError?
  /// What matches of patterns and elements of `contains` have cost, in steps: schemas may have any number of them.
  private(set) var cost = 0

  /// - Parameter mostViolations: how many violations get a message; the others are counted.
  init(
    _ graph: ObjectGraph, _ schema: CompiledSchema, errorPayloads: [SchemaFamily.ErrorPayload],
    mostViolations: Int
  ) {
    self.graph = graph
    self.schema = schema
    self.errorPayloads = errorPayloads
    path = ValidationPath(graph, schema)
    log = ViolationLog(most: mostViolations)
  }

  /// The value of the innermost frame.
  var current: CheckedValue {
    let node = path.top.pointee.node
    return CheckedValue(graph.value(of: node), node)
  }

  // MARK: Trials

  /// Whether the current schema is one that is only tried.
  @inline(__always)
  var isTrying: Bool { trials > 0 }

  mutating func beginTrial() { trials += 1 }

  /// Ends the trial of schemas and removes the failures since a mark.
  mutating func endTrial(since mark: Int) {
    trials -= 1
    failures = mark
  }

  /// Begins to look for the causes of a failure; nil in a trial, or if too many searches are in progress.
  mutating func beginCauses() -> (mark: Int, count: Int)? { isTrying ? nil : log.beginCauses() }

  /// Ends the search for causes and removes the failures since a mark.
  mutating func endCauses(_ start: (mark: Int, count: Int), since mark: Int) -> [Diagnostic] {
    failures = mark
    return log.endCauses(from: start.mark, count: start.count)
  }

  // MARK: Problems and costs

  /// Ends the validation with an error about a value, or without one about that of the innermost frame.
  mutating func end(with error: ArchiveError, _ subject: CheckedValue? = nil) {
    problem = error.at(path: path.location(subject))
  }

  mutating func charge(_ steps: Int) { cost &+= steps }

  // MARK: Violations

  /// Adds a violation; while schemas are only tried, it is just counted.
  ///
  /// - Parameters:
  ///   - found: what was found in place of the value's text.
  ///   - keywordSuffix: the location within the keyword's value.
  @inline(never)
  mutating func add(
    _ rule: String, _ expected: @autoclosure () -> String, _ subject: CheckedValue,
    found: String? = nil, keywordSuffix: String = "", causes: [Diagnostic] = []
  ) {
    guard countsWithMessage() else { return }
    log.add(
      violation(
        rule, expected(), subject, found: found, keywordSuffix: keywordSuffix, causes: causes))
  }

  /// Counts a violation of a schema that is only tried.
  mutating func countFailure() { failures += 1 }

  /// Counts a violation; false if it gets no message.
  private mutating func countsWithMessage() -> Bool {
    failures += 1
    return !isTrying && log.count()
  }

  @inline(never)
  mutating func addType(_ types: ValueKinds, _ subject: CheckedValue) {
    if !addErrorPayload(subject) { add("type", types.text(of: ValueKinds.types), subject) }
  }

  /// Reports a value that the schema `false` rejects.
  @inline(never)
  mutating func addForbidden(_ subject: CheckedValue) {
    guard countsWithMessage() else { return }
    let keyword = subject.edge?.keyword ?? ""
    var found = Self.text(of: subject.value, in: graph)
    var wording: String?
    if case .member(let index)? = subject.arrival, let pairs = path.members {
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
    log.add(
      violation(
        keyword.isEmpty ? "false" : keyword, expected, subject, found: found, isSchema: true,
        wording: wording))
  }

  /// Warns about a value that fits.
  @inline(never)
  mutating func warn(_ rule: String, _ expected: String, _ subject: CheckedValue) {
    guard !isTrying else { return }
    warnings.append(violation(rule, expected, subject, severity: .warning))
  }

  /// Reports an error payload of a service in place of the model; false if the value is not a payload.
  ///
  /// - Parameter mark: the number of violations before those of the payload's members, which it replaces.
  mutating func addErrorPayload(_ subject: CheckedValue, since mark: Int? = nil) -> Bool {
    for payload in errorPayloads where !isTrying {
      guard let text = payload.text(of: subject.value, in: graph) else { continue }
      add("error-payload", "the model", subject, found: "an \(payload.name): \(text)")
      return mark.map { log.keepLast(from: $0) } ?? true
    }
    return false
  }

  /// Adds a violation for a member that the innermost object lacks.
  mutating func addMissing(_ property: ObjectRules.Property) {
    guard countsWithMessage() else { return }
    let rules = schema.nodes + property.edge.schemaIndex
    let type =
      rules.pointee.plistTypes?.text(of: ValueKinds.propertyListTypes)
      ?? rules.pointee.types?.text(of: ValueKinds.types)
    log.add(
      violation(
        "required", type ?? "a value", current, found: "no such member",
        wording: "missing required member '\(property.name)'" + (type.map { " (\($0))" } ?? ""),
        missing: property.name))
  }

  private func violation(
    _ rule: String, _ expected: String, _ subject: CheckedValue, found: String? = nil,
    severity: Severity = .error, keywordSuffix: String = "", isSchema: Bool = false,
    causes: [Diagnostic] = [], wording: String? = nil, missing: String? = nil
  ) -> Diagnostic {
    let found = found ?? Self.text(of: subject.value, in: graph)
    let node = subject.node
    let schemaIndex = subject.edge?.schemaIndex ?? path.last?.pointee.edge.schemaIndex ?? 0
    let location = path.location(subject)
    let end = isSchema ? "" : "/" + rule + keywordSuffix
    // The schema `false` has no location except that of its keyword.
    let parent =
      path.last.map { schema.nodes[$0.pointee.edge.schemaIndex].location } ?? schema.location
    let absolute =
      isSchema
      ? parent + PercentEncoding.encoded(subject.edge?.pointer ?? "")
      : schema.nodes[schemaIndex].location + PercentEncoding.encoded(end)
    return Diagnostic(
      rule: rule, severity: severity, message: wording ?? "expected \(expected), found \(found)",
      path: missing.map { location.appending(.key($0)) } ?? location,
      offset: graph.fileOffset(of: node), byteCount: byteCount(of: node),
      expectation: Expectation(
        expected: expected, found: found, instanceLocation: location.pointer(showsContents: true),
        keywordLocation: path.keywordLocation(subject) + end, absoluteKeywordLocation: absolute,
        causes: causes))
  }

  /// How many bytes a value occupies at its offset; known only if the file contains it unchanged.
  private func byteCount(of node: Node) -> Int? {
    let document = graph.document(of: node)
    return document.fileOffset == nil ? nil : document.table.bytes(of: node.index).count
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
    case .string(let text): return "string \"\(text.string.shortened(to: 60))\""
    case .uid(let number): return "UID \(number)"
    case .array(let elements): return "array of \(elements.count)"
    case .set(let elements), .orderedSet(let elements): return "set of \(elements.count)"
    case .dictionary(let pairs): return "dictionary of \(pairs.count)"
    case .object(let index, _): return "object of class \(graph.classes[index].displayName)"
    }
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
