// The keywords of numbers and strings, and of whole values.

import ArchiveBasics
import ArchiveGraph
import ArchivePatterns
import ArchivePropertyLists

extension Validator {
  /// `enum` and `const`.
  @inline(never)
  mutating func checkValues(
    _ rules: UnsafePointer<SchemaNode>, _ subject: CheckedValue
  ) {
    for values in rules.pointee.values {
      do throws(ArchiveError) {
        if try values.contain(subject.node, subject.value, canonical) { continue }
      } catch {
        problem = error.at(path: path(subject))
        return
      }
      report(values.keyword, values.expectation, subject)
    }
  }

  /// The keywords of numbers and strings.
  @inline(__always)
  mutating func checkScalar(
    _ rules: UnsafePointer<SchemaNode>, _ subject: CheckedValue
  ) {
    switch subject.value {
    case .string(let text):
      if let strings = rules.pointee.strings { checkString(text, strings.pointee, subject) }
    case .integer, .unsigned, .wide, .real, .single:
      if let numbers = rules.pointee.numbers { checkNumber(numbers.pointee, subject) }
    case .date, .data:
      guard let strings = rules.pointee.strings, let form = JSONForm.text(of: subject.value)
      else { return }
      checkString(form, strings.pointee, subject)
    default: return
    }
  }

  // MARK: Numbers

  private mutating func checkNumber(_ rules: NumberRules, _ subject: CheckedValue) {
    let value = subject.value
    if let bound = rules.minimum, bound.order(of: value) ?? -1 < 0 {
      report("minimum", "at least \(bound.text)", subject)
    }
    if let bound = rules.maximum, bound.order(of: value) ?? 1 > 0 {
      report("maximum", "at most \(bound.text)", subject)
    }
    if let bound = rules.exclusiveMinimum, bound.order(of: value) ?? -1 <= 0 {
      report("exclusiveMinimum", "more than \(bound.text)", subject)
    }
    if let bound = rules.exclusiveMaximum, bound.order(of: value) ?? 1 >= 0 {
      report("exclusiveMaximum", "less than \(bound.text)", subject)
    }
    if let divisor = rules.multipleOf, ExactNumber(value)?.isMultiple(of: divisor.exact) != true {
      report("multipleOf", "a multiple of \(divisor.text)", subject)
    }
  }

  // MARK: Strings

  private mutating func checkString(_ text: Text, _ rules: StringRules, _ subject: CheckedValue) {
    // Handles the most common case without creating a string.
    if text.isSevenBit, rules.pattern == nil, rules.format == nil {
      return check(text.byteCount, rules.length, "Length", "character", subject)
    }
    checkString(text.string, rules, subject)
  }

  private mutating func checkString(
    _ string: String, _ rules: StringRules, _ subject: CheckedValue
  ) {
    // Characters are code points (Validation section 6.3.1).
    if !rules.length.isOpen {
      check(string.unicodeScalars.count, rules.length, "Length", "character", subject)
    }
    if let pattern = rules.pattern, !matches(string, pattern, subject) {
      report("pattern", "a string that matches \(pattern.source)", subject)
    }
    if let format = rules.format, !format.accepts(string) {
      report("format", "a string of the format \(format.rawValue)", subject)
    }
  }

  /// The keywords that limit a count.
  ///
  /// - Parameter suffix: the end of their names, after `min` and `max`.
  private mutating func check(
    _ count: Int, _ limits: CountLimits, _ suffix: StaticString, _ unit: String,
    _ subject: CheckedValue
  ) {
    if let minimum = limits.minimum, count < minimum {
      report("min\(suffix)", "at least \(Counted.text(minimum, unit))", subject)
    }
    if let maximum = limits.maximum, count > maximum {
      report("max\(suffix)", "at most \(Counted.text(maximum, unit))", subject)
    }
  }

  /// Whether a string matches, which counts as steps; if the answer cannot be determined, the validation ends.
  mutating func matches(
    _ string: String, _ pattern: ECMAPattern, _ subject: CheckedValue?
  ) -> Bool {
    let before = pattern.cost
    defer { charged &+= pattern.cost &- before }
    do {
      return try pattern.matches(string)
    } catch {
      problem = ArchiveError(
        .limit, "the pattern \(pattern.source) cannot be matched: \(error.reason)",
        path: path(subject))
      return true
    }
  }

  // MARK: Coercion

  /// Warns about a scalar that the decoding method of its type would not coerce, if an object stores it directly.
  @inline(never)
  private mutating func checkCoercion(_ pairs: Pairs, _ index: Int, _ schemaIndex: Int) {
    // A boxed number is an object to its class, whose code decides how to decode it.
    guard let types = schema.nodes[schemaIndex].types,
      graph.isInline(pairs.values, pairs.position(index))
    else { return }
    let node = graph.value(pairs, index)
    let value = graph.value(of: node)
    guard let objection = Self.objection(to: value, types), !isTrying else { return }
    let edge = Edge(schemaIndex: schemaIndex, pointer: "")
    warnings.append(
      violation(
        "coercion",
        "a value that \(objection.method) accepts (it raises \(objection.exception) here)",
        CheckedValue(value, node, .member(index), edge), severity: .warning))
  }

  /// The exception that the decoding method of a type raises for a value that an object stores directly.
  ///
  /// A schema describes values as in JSON, where 2009.0 is an integer; an object's own code decodes by type.
  /// Format facts: Apple's reference of NSKeyedUnarchiver, "Overview".
  ///
  /// - Parameter types: the types that the schema allows; if there are several, the method is unknown.
  /// - Returns: nil if the method accepts the value.
  private static func objection(
    to value: Value, _ types: ValueKinds
  ) -> (method: String, exception: String)? {
    switch (types, value) {
    case (.integer, .real), (.integer, .single):
      ("decodeInteger(forKey:)", "NSInvalidUnarchiveOperationException")
    case (.integer, .unsigned), (.integer, .wide):
      ("decodeInteger(forKey:)", "NSRangeException")
    case (.number, .integer), (.number, .unsigned), (.number, .wide):
      ("decodeDouble(forKey:)", "NSInvalidUnarchiveOperationException")
    default: nil
    }
  }

  /// Whether the current schema is one of several that are tried.
  private var isTrying: Bool {
    let keywords: Set<String> = ["anyOf", "oneOf", "not", "if", "contains"]
    return (0..<stack.count).contains { keywords.contains(stack[$0].pointee.edge.keyword) }
  }
}

// MARK: - The keywords of arrays; a schema treats sets as arrays

extension Validator {
  /// Checks an array as a whole.
  mutating func checkArray(
    _ elements: Elements, _ rules: UnsafeMutablePointer<ArrayRules>, _ subject: CheckedValue
  ) {
    check(elements.count, rules.pointee.count, "Items", "item", subject)
    if rules.pointee.isUnique { checkUnique(elements, subject) }
  }

  private mutating func checkUnique(_ elements: Elements, _ subject: CheckedValue) {
    var seen: [UInt32: Int] = [:]
    for index in 0..<elements.count {
      do throws(ArchiveError) {
        let number = try canonical.number(of: graph.node(elements, index))
        if let first = seen.updateValue(index, forKey: number) {
          report(
            "uniqueItems", "items that differ", subject,
            found: "the same at \(first) and \(index)")
          return
        }
      } catch {
        problem = error.at(path: path(subject))
        return
      }
    }
  }

  // MARK: Elements

  /// The schema of one element.
  @inline(__always)
  mutating func stepElement(_ frame: UnsafeMutablePointer<ValidationFrame>, _ elements: Elements) {
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
  mutating func stepContains(_ frame: UnsafeMutablePointer<ValidationFrame>) {
    guard case .elements(let elements) = frame.pointee.children,
      let rules = schema.nodes[frame.pointee.edge.schemaIndex].arrays,
      let edge = rules.pointee.contains
    else {
      frame.pointee.stage = .sameValue
      return
    }
    let index = frame.pointee.next
    if frame.pointee.branch > 0 {
      if failures == frame.pointee.branchMark {
        frame.pointee.matches += 1
        if frame.pointee.isTracking { frame.pointee.evaluated.insert(index - 1) }
      }
      failures = frame.pointee.branchMark
      trials -= 1
    }
    guard index < elements.count else {
      let matches = frame.pointee.matches
      (frame.pointee.next, frame.pointee.branch, frame.pointee.matches) = (0, 0, 0)
      frame.pointee.stage = .sameValue
      return finishContains(frame, matches, rules)
    }
    charged &+= 1
    frame.pointee.branchMark = failures
    trials += 1
    (frame.pointee.next, frame.pointee.branch) = (index + 1, 1)
    enter(graph.node(elements, index), edge.schemaIndex, .element(index), edge)
  }

  private mutating func finishContains(
    _ frame: UnsafeMutablePointer<ValidationFrame>, _ matches: Int,
    _ rules: UnsafeMutablePointer<ArrayRules>
  ) {
    let node = frame.pointee.node
    let subject = CheckedValue(graph.value(of: node), node)
    let found = "\(matches) in an array of \(frame.pointee.count)"
    let minimum = rules.pointee.minimumContains
    if matches < minimum {
      report(
        minimum == 1 ? "contains" : "minContains", "at least \(minimum) items that fit 'contains'",
        subject, found: found)
    }
    if let maximum = rules.pointee.maximumContains, matches > maximum {
      report(
        "maxContains", "at most \(maximum) items that fit 'contains'", subject, found: found)
    }
  }
}

// MARK: - The keywords of objects

extension Validator {
  /// Checks an object without examining its members' values.
  mutating func checkObject(
    _ pairs: Pairs, _ rules: UnsafeMutablePointer<ObjectRules>, _ subject: CheckedValue
  ) {
    check(pairs.count, rules.pointee.count, "Properties", "member", subject)
    if rules.pointee.dependents.isEmpty { return }
    let names = memberNames(pairs)
    for (keyword, name, required) in rules.pointee.dependents where names.contains(Array(name.utf8))
    {
      for other in required where !names.contains(Array(other.utf8)) {
        report(
          keyword, "a member '\(other)' beside '\(name)'", subject, keywordSuffix: "/" + name)
      }
    }
  }

  /// The names of an object's members, in UTF-8.
  func memberNames(_ pairs: Pairs) -> Set<[UInt8]> {
    Set((0..<pairs.count).compactMap { graph.memberName(pairs, $0).map { Array($0.string.utf8) } })
  }

  // MARK: Members

  /// Applies one schema to one member's value.
  @inline(__always)
  mutating func stepMember(_ frame: UnsafeMutablePointer<ValidationFrame>, _ pairs: Pairs) {
    let schemaIndex = frame.pointee.edge.schemaIndex
    guard let rules = schema.nodes[schemaIndex].objects else {
      frame.pointee.stage = .sameValue
      return
    }
    let index = frame.pointee.next
    guard index < frame.pointee.count else { return finishMembers(frame, pairs, rules) }
    if rules.pointee.onlyRequires { return finishNames(frame, pairs, rules) }
    if frame.pointee.branch > 0 { return stepPatterns(frame, pairs, rules) }
    let position = positions.position(
      of: graph.key(pairs, index), pairs.isFields, schemaIndex, rules, graph)
    guard position >= 0 else { return beginUnnamed(frame, pairs, rules) }
    let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: position & 63)
    if frame.pointee.seen & bit != 0, position < 64 { reportRepeated(pairs, index) }
    frame.pointee.seen |= bit
    guard rules.pointee.properties[position].isNamed else {
      return beginUnnamed(frame, pairs, rules)
    }
    if frame.pointee.isTracking { frame.pointee.evaluated.insert(index) }
    if rules.pointee.patterns.isEmpty {
      frame.pointee.next = index + 1
    } else {
      (frame.pointee.branch, frame.pointee.matches) = (1, 1)
    }
    let target = rules.pointee.properties[position].edge.schemaIndex
    if pairs.isFields { checkCoercion(pairs, index, target) }
    enter(
      graph.value(pairs, index), target, .member(index), rules.pointee.properties[position].edge)
  }

  /// Handles a member that `properties` does not name: patterns may match it, or it is an additional one.
  private mutating func beginUnnamed(
    _ frame: UnsafeMutablePointer<ValidationFrame>, _ pairs: Pairs,
    _ rules: UnsafeMutablePointer<ObjectRules>
  ) {
    (frame.pointee.branch, frame.pointee.matches) = (1, 0)
    stepPatterns(frame, pairs, rules)
  }

  /// Applies one pattern to one member, and after the last the rule for unmatched members.
  @inline(never)
  private mutating func stepPatterns(
    _ frame: UnsafeMutablePointer<ValidationFrame>, _ pairs: Pairs,
    _ rules: UnsafeMutablePointer<ObjectRules>
  ) {
    let index = frame.pointee.next
    let node = graph.value(pairs, index)
    while frame.pointee.branch <= rules.pointee.patterns.count, problem == nil {
      // The next step goes on here, if there is one.
      if charged > chargeLimit { return }
      let (pattern, edge) = rules.pointee.patterns[frame.pointee.branch - 1]
      frame.pointee.branch += 1
      guard let name = graph.memberName(pairs, index), matches(name.string, pattern, nil) else {
        continue
      }
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

  /// Whether an object has the required members, where their values are not constrained.
  private mutating func finishNames(
    _ frame: UnsafeMutablePointer<ValidationFrame>, _ pairs: Pairs,
    _ rules: UnsafeMutablePointer<ObjectRules>
  ) {
    frame.pointee.next = 0
    frame.pointee.stage = rules.pointee.names == nil ? .sameValue : .names
    let node = frame.pointee.node
    if rules.pointee.properties.contains(where: { !hasMember(node, pairs, $0.utf8) }) {
      reportMissing(frame, pairs, rules)
    }
  }

  /// Whether an object has a member; its names are gathered once for all lookups.
  mutating func hasMember(_ node: Node, _ pairs: Pairs, _ name: [UInt8]) -> Bool {
    if lastNames?.node != node { lastNames = (node, memberNames(pairs)) }
    return lastNames?.names.contains(name) == true
  }

  /// Checks what is known after all members were seen.
  private mutating func finishMembers(
    _ frame: UnsafeMutablePointer<ValidationFrame>, _ pairs: Pairs,
    _ rules: UnsafeMutablePointer<ObjectRules>
  ) {
    frame.pointee.next = 0
    frame.pointee.stage = rules.pointee.names == nil ? .sameValue : .names
    let required = rules.pointee.requiredBits
    if rules.pointee.properties.count <= 64, frame.pointee.seen & required == required { return }
    reportMissing(frame, pairs, rules)
  }

  @inline(never)
  private mutating func reportMissing(
    _ frame: UnsafeMutablePointer<ValidationFrame>, _ pairs: Pairs,
    _ rules: UnsafeMutablePointer<ObjectRules>
  ) {
    if trials > 0, rules.pointee.properties.count <= 64 {
      failures += 1
      return
    }
    let names = memberNames(pairs)
    let missing = rules.pointee.properties.filter { $0.isRequired && !names.contains($0.utf8) }
    if missing.isEmpty { return }
    let node = frame.pointee.node
    if trials > 0 {
      failures += 1
      return
    }
    // Where an error payload replaces a model, report that, not each missing member.
    let before = frame.pointee.violations
    if reportErrorPayload(CheckedValue(graph.value(of: node), node)), log.keepLast(from: before) {
      return
    }
    for property in missing {
      let violation = missingViolation(property, node)
      record(violation)
    }
  }

  /// Reports a repeated key: it has two values, and decoders differ in which one they use.
  @inline(never)
  private mutating func reportRepeated(_ pairs: Pairs, _ index: Int) {
    let node = graph.value(pairs, index)
    let subject = CheckedValue(
      graph.value(of: node), node, .member(index), Edge(schemaIndex: 0, pointer: ""))
    report("uniqueKeys", "unique keys", subject, found: "the key again")
  }

  // MARK: Names

  /// Applies `propertyNames` to one member's name.
  mutating func stepName(_ frame: UnsafeMutablePointer<ValidationFrame>) {
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
}

// MARK: - Assigns numbers to values so that the numbers are equal exactly when JSON Schema treats the values as equal
//
// 1 equals 1.0, and the order of members is irrelevant (JSON Schema Core 2020-12, section 4.2.2).

/// The numbers of values; each value is examined once, however often it is compared.
final class CanonicalTable {
  /// This does not use `GraphWalk`, because each level gathers the numbers of its values.
  private struct Frame {
    let node: Node
    let children: Children
    var next = 0
    /// The kind of container, with the class of an object.
    let opening: [UInt8]
    /// The numbers of the finished elements, or those of keys and values in turn.
    var parts: [UInt32] = []
  }

  private let graph: ObjectGraph
  /// Numbers by canonical form: of scalars, and of containers as the numbers of their parts.
  private var numbers: [[UInt8]: UInt32] = [:]
  /// The numbers of the containers that were already examined.
  private var known: [Node: UInt32] = [:]
  /// The numbers of the values that schemas allow.
  private var allowed: [ObjectIdentifier: Set<UInt32>] = [:]

  /// Makes a table for the values of a graph.
  init(of graph: ObjectGraph) { self.graph = graph }

  /// The number of a value.
  ///
  /// - Throws: `ArchiveError` with code `limit` if the value is too deep, such as one that contains itself.
  func number(of node: Node) throws(ArchiveError) -> UInt32 {
    var stack: [Frame] = []
    var finished = try begin(node, &stack)
    while let top = stack.indices.last {
      if let number = finished { append(number, to: &stack[top]) }
      let next = stack[top].next
      guard next < stack[top].children.count else {
        finished = finish(stack.removeLast())
        continue
      }
      stack[top].next = next + 1
      switch stack[top].children {
      case .elements(let elements): finished = try begin(graph.node(elements, next), &stack)
      case .members(let pairs): finished = try begin(graph.value(pairs, next), &stack)
      case .nothing: break
      }
    }
    return finished ?? 0
  }

  /// The numbers of the values that a keyword allows.
  ///
  /// - Parameter owner: the keyword's values, which are in a separate graph.
  func numbers(of owner: AllowedValues.Others) throws(ArchiveError) -> Set<UInt32> {
    if let known = allowed[ObjectIdentifier(owner)] { return known }
    let foreign = CanonicalTable(of: owner.graph)
    foreign.numbers = numbers
    var found: Set<UInt32> = []
    for node in owner.nodes { found.insert(try foreign.number(of: node)) }
    numbers = foreign.numbers
    allowed[ObjectIdentifier(owner)] = found
    return found
  }

  // MARK: Canonical forms

  private func number(ofForm bytes: [UInt8]) -> UInt32 {
    if let known = numbers[bytes] { return known }
    let number = UInt32(truncatingIfNeeded: numbers.count)
    numbers[bytes] = number
    return number
  }

  private func begin(_ node: Node, _ stack: inout [Frame]) throws(ArchiveError) -> UInt32? {
    let value = graph.value(of: node)
    guard value.isContainer else { return number(ofForm: Self.form(value)) }
    if let known = known[node] { return known }
    guard stack.count <= graph.limits.depth else {
      throw ArchiveError(.limit, "the value is too deep to be compared, or contains itself")
    }
    var opening = "["
    var children = Children.nothing
    switch value {
    case .array(let elements), .set(let elements), .orderedSet(let elements):
      children = .elements(elements)
    case .dictionary(let pairs): (opening, children) = ("{", .members(pairs))
    case .object(let index, let pairs):
      let name = graph.classes[index].name
      (opening, children) = ("{\(name.utf8.count):\(name)", .members(pairs))
    default: break
    }
    stack.append(Frame(node: node, children: children, opening: Array(opening.utf8)))
    return nil
  }

  /// Adds a finished value to its container.
  private func append(_ number: UInt32, to frame: inout Frame) {
    if case .members(let pairs) = frame.children {
      frame.parts.append(self.number(ofKey: frame.next - 1, of: pairs))
    }
    frame.parts.append(number)
  }

  /// The number of a name, or of a key that is no text.
  private func number(ofKey position: Int, of pairs: Pairs) -> UInt32 {
    if let name = graph.memberName(pairs, position) {
      return number(ofForm: Array("s\(name.string)".utf8))
    }
    let key = graph.key(pairs, position)
    let value = graph.value(of: key)
    // A container is a key like no other: JSON has none.
    return number(
      ofForm: value.isContainer
        ? Array("K\(key.document):\(key.index)".utf8) : Array("k".utf8) + Self.form(value))
  }

  private func finish(_ frame: Frame) -> UInt32 {
    var parts = frame.parts
    if case .members = frame.children {
      let members = stride(from: 0, to: parts.count, by: 2).map { (parts[$0], parts[$0 + 1]) }
      parts = members.sorted { $0 < $1 }.flatMap { [$0.0, $0.1] }
    }
    var bytes = frame.opening + [0]
    bytes.reserveCapacity(bytes.count + parts.count * 4)
    for part in parts { withUnsafeBytes(of: part) { bytes.append(contentsOf: $0) } }
    let number = number(ofForm: bytes)
    known[frame.node] = number
    return number
  }

  /// The canonical form of a scalar.
  static func form(_ value: Value) -> [UInt8] {
    if let number = ScalarEquality.value.number(value) { return form(number) }
    switch value {
    case .string(let text): return text.withCharacterBytes { Array("s".utf8) + $0 }
    case .uid(let number): return Array("u\(number)".utf8)
    default: return Array((JSONForm.text(of: value).map { "s\($0)" } ?? "n").utf8)
    }
  }

  /// The canonical form of a scalar in a schema; nil for a list or an object.
  static func form(_ tree: JSONTree) -> [UInt8]? {
    switch tree {
    case .null: Array("n".utf8)
    case .boolean(let flag): form(ScalarEquality.Number.boolean(flag))
    case .string(let text): Array("s\(text)".utf8)
    default: tree.number(.value).map(form)
    }
  }

  private static func form(_ number: ScalarEquality.Number) -> [UInt8] {
    switch number {
    case .boolean(let flag): Array(flag ? "t".utf8 : "f".utf8)
    case .integer(let number): Array("#\(number)".utf8)
    case .single(let bits): Array("#f\(bits)".utf8)
    case .real(let bits): Array("#r\(bits)".utf8)
    }
  }
}

// MARK: - Represents values that JSON has no type for as strings, as archtool's JSON output does

/// The strings that represent dates and data.
enum JSONForm {
  /// The JSON string of a date (ISO 8601) or of data (Base64); nil for any other value.
  static func text(of value: Value) -> String? {
    switch value {
    case .date(let seconds): JSONText.date(seconds)
    case .data(let bytes): SyntheticValue.base64(Array(bytes))
    default: nil
    }
  }
}

// MARK: - The exact numbers of a graph and of a JSON document

extension ExactNumber {
  /// A number of a JSON document.
  package init?(_ tree: JSONTree) {
    switch tree {
    case .integer(let number): self.init(Int128(number))
    case .unsigned(let number): self.init(Int128(number))
    case .wide(let number): self.init(number)
    case .real(let number): self.init(number)
    default: return nil
    }
  }

  /// The number as JSON.
  package var tree: JSONTree {
    guard let integer else { return .real(real) }
    if let small = Int(exactly: integer) { return .integer(small) }
    return UInt64(exactly: integer).map { .unsigned($0) } ?? .wide(integer)
  }

  /// The number of a value; nil if it is not a finite number.
  init?(_ value: Value) {
    switch value {
    case .real(let number): self.init(number)
    case .single(let number): self.init(number)
    default:
      guard case .integer(let number)? = ScalarEquality.value.number(value) else { return nil }
      self.init(number)
    }
  }
}
