// What operations of lenses need: the values that they apply to, losses, and errors.

import ArchiveBasics
import ArchiveGraph
import ArchiveWriting
import KeyedArchives

/// Where a lens is applied, for locations and messages.
struct LensPosition {
  let lens: String
  let direction: LensDirection
  var operation = LensOperation(kind: .use(name: ""), pointer: "")
  var elements: [InstanceLocation.Element] = []
  /// The path of the value in the model.
  var path = GraphPath()

  var location: InstanceLocation {
    InstanceLocation(lens: lens, operation: operation.pointer, elements: elements)
  }

  /// The number of the innermost element among those that are identified by position.
  var level: Int { elements.count { if case .index = $0 { true } else { false } } - 1 }

  /// The path of a member, or without a name of the value.
  func path(to member: String?) -> GraphPath { member.map { path.appending(.key($0)) } ?? path }
}

extension LensInterpreter {
  // MARK: Values

  static let object = "an object with string keys"

  /// The members of a value, which must be an object.
  ///
  /// - Parameters:
  ///   - name: the member that the value is; nil for the value that the operation is applied to.
  ///   - wanted: the expected value, for the message about another.
  mutating func members(
    _ value: LensValue, at name: String? = nil, wanted: String = LensInterpreter.object
  ) throws(ArchiveError) -> [LensValue.Member] {
    guard let members = value.open(in: graph) else {
      throw problem(wanting: wanted, value, member: name)
    }
    try count(members.count, value)
    return members
  }

  /// The elements of a value, which must be a list.
  mutating func items(
    _ value: LensValue, at name: String? = nil
  ) throws(ArchiveError) -> [LensValue] {
    guard let items = value.openList(in: graph) else {
      throw problem(wanting: "a list", value, member: name)
    }
    try count(items.count, value)
    return items
  }

  /// The member that an operation applies to, or without a name the value itself; nil if it is absent.
  mutating func subject(_ name: String?, _ value: LensValue) throws(ArchiveError) -> LensValue? {
    guard let name else { return value }
    return try members(value)[name]
  }

  /// The same; nil also if it is null.
  mutating func target(_ name: String?, _ value: LensValue) throws(ArchiveError) -> LensValue? {
    try subject(name, value).flatMap { $0.isNull(in: graph) ? nil : $0 }
  }

  /// Counts work, since lists with shared elements could make a walk arbitrarily long.
  mutating func count(_ more: Int, _ value: LensValue) throws(ArchiveError) {
    visited &+= more &+ 1
    if visited > graph.expansionLimit {
      throw problem(
        "visits more than \(visited) values; shared ones may be multiplying", value, code: .limit)
    }
  }

  /// Whether two values are equal: numbers by value; a boolean is not a number.
  func areSame(_ value: LensValue, _ other: LensValue) -> Bool {
    var equality = LensEquality(graph: graph)
    return equality.areSame(value, other)
  }

  // MARK: Losses

  /// The value that was kept at this operation.
  mutating func keptValue() -> LostValue? { losses.keptValue(at: position.location) }

  mutating func lose(
    _ kind: LostValue.Kind, _ member: String? = nil, value: SyntheticValue? = nil,
    became: SyntheticValue? = nil, note: String? = nil, storage: FieldStorage? = nil,
    archiveLoss: ArchiveLoss? = nil
  ) {
    let value = value.map { settled($0) }
    let loss = LostValue(
      location: position.location, kind: kind, title: position.operation.title,
      path: position.path(to: member), value: value, became: became, note: note, storage: storage,
      archiveLoss: archiveLoss)
    let isTolerated = position.operation.ignoresAbsence && (kind == .absent || isNull(value))
    losses.add(loss, isTolerated: isTolerated)
  }

  func isNull(_ form: SyntheticValue?) -> Bool {
    form.map { LensValue(form: $0).isNull(in: graph) } ?? false
  }

  /// A form that can be examined again: a changed value keeps its classes and its storage as a value of the graph.
  func settled(_ form: SyntheticValue) -> SyntheticValue {
    switch form {
    case .changed, .list: .node(graph.add(form, near: root))
    default: form
    }
  }

  // MARK: Problems

  /// An error about a value that is not what the operation needs.
  func problem(wanting wanted: String, _ value: LensValue, member: String? = nil) -> ArchiveError {
    problem("needs \(wanted), found \(value.kind(in: graph))", value, member: member)
  }

  /// An error about a value that the operation cannot be applied to.
  func problem(
    _ message: String, _ value: LensValue?, member: String? = nil,
    code: ArchiveError.Code = .mismatch, about subject: ArchiveError.Subject? = nil
  ) -> ArchiveError {
    var offset: Int?
    if case .node(let node) = value?.content { offset = graph.fileOffset(of: node) }
    let operation = position.operation
    return ArchiveError(
      code,
      "the operation \(operation.pointer) of the lens \(position.lens) (\(operation.title)) \(message)",
      offset: offset, path: position.path(to: member), about: subject)
  }
}

// MARK: - The equality of values, for defaults and conditions

/// Compares values, down to a depth.
private struct LensEquality {
  private static let depthLimit = 200

  let graph: ObjectGraph
  /// How many values were compared.
  var count = 0

  /// Whether two values are equal: numbers by value; a boolean is not a number.
  ///
  /// Values that are too deep or too large to compare count as different, so that they are not lost silently.
  mutating func areSame(_ value: LensValue, _ other: LensValue, depth: Int = 0) -> Bool {
    if case .node(let one) = value.content, case .node(let two) = other.content, one == two {
      return true
    }
    count += 1
    guard depth < Self.depthLimit, count < graph.expansionLimit else { return false }
    if let scalar = value.scalar(in: graph) {
      guard let form = other.scalar(in: graph) else {
        // A URL or a decimal number in Codable's form.
        return other.parts(in: graph).flatMap { value.parts(in: graph)?.isSame(as: $0) } ?? false
      }
      return scalar.isSameScalar(as: form) || isDecimal(value, as: form)
    }
    if let (items, isOrdered) = value.elements(in: graph) {
      guard var others = other.elements(in: graph)?.items, items.count == others.count else {
        return false
      }
      return items.allSatisfy { item in
        let match = others.prefix(isOrdered ? 1 : others.count).firstIndex {
          areSame(item, $0, depth: depth + 1)
        }
        return match.map { others.remove(at: $0) } != nil
      }
    }
    guard let members = value.open(in: graph), let others = other.open(in: graph),
      members.count == others.count
    else { return false }
    let found = Dictionary(others.map { (CodePointString($0.name), $0.value) }) { $1 }
    return members.allSatisfy { member in
      found[CodePointString(member.name)].map { areSame(member.value, $0, depth: depth + 1) }
        ?? false
    }
  }

  /// Whether a value is the object of a decimal number that a form is the number of.
  private func isDecimal(_ value: LensValue, as form: SyntheticValue) -> Bool {
    guard case .node(let node) = value.content,
      CodableForms.form(of: node, in: graph) != nil, let parts = value.parts(in: graph),
      let number = FrameworkType.decimal.value(of: parts)
    else { return false }
    return FrameworkType.decimal.value(of: form)?.isSame(as: number) == true
  }
}

extension SyntheticValue {
  /// A scalar as it appears in messages.
  var display: String {
    switch self {
    case .string(let text): "\"\(text.prefix(60))\""
    case .integer(let number): "\(number)"
    case .unsigned(let number): "\(number)"
    case .real(let number): "\(number)"
    case .boolean(let flag): "\(flag)"
    case .date(let seconds): Timestamp(secondsFromReference: seconds)?.text ?? "a date"
    default: kind
    }
  }
}
