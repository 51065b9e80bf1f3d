// Values as filters compare them (RFC 9535, 2.3.5.2.2), including types that JSON lacks.

import ArchiveBasics
import ArchiveEditing
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting

/// A value in a filter.
///
/// A date is compared with another date by time, and with a string as its JSON text; data is compared with a string as
/// Base64.
enum QueryValue {
  /// The value of a query without results.
  case nothing
  case null
  case boolean(Bool)
  case integer(Int128)
  case real(Double)
  /// A string of the query.
  case literal(String)
  /// A string of the graph.
  case string(Text)
  /// Seconds from 2001.
  case date(Double)
  case data(ByteView)
  case container(Node)

  /// The value of a query's literal, which is no container.
  init(_ literal: JSONTree) {
    switch literal {
    case .null: self = .null
    case .boolean(let flag): self = .boolean(flag)
    case .integer(let number): self = .integer(Int128(number))
    case .real(let number): self = .real(number)
    case .string(let text): self = .literal(text)
    case .unsigned, .wide, .list, .members: self = .nothing
    }
  }

  /// The value of a node; for data with an archive, that of the archive's root.
  init(_ node: Node, in graph: ObjectGraph) {
    self.init(stored: graph.opened(node).node, in: graph)
  }

  /// The value of a node; data is data, even with an archive.
  init(stored node: Node, in graph: ObjectGraph) {
    switch graph.value(of: node) {
    case .null: self = .null
    case .boolean(let flag): self = .boolean(flag)
    case .integer(let number): self = .integer(Int128(number))
    case .unsigned(let number): self = .integer(Int128(number))
    case .wide(let number): self = .integer(number.number)
    case .uid(let number): self = .integer(Int128(number))
    case .real(let number): self = .real(number)
    // Converted by its displayed digits: 0.1 in single precision is 0.1.
    case .single(let number): self = .real(number.shownValue)
    case .date(let seconds): self = .date(seconds)
    case .string(let text): self = .string(text)
    case .data(let bytes): self = .data(bytes)
    case .array, .set, .orderedSet, .dictionary, .object: self = .container(node)
    }
  }

  /// The characters of a string, or of a date in JSON; nil for any other value.
  var text: String? {
    switch self {
    case .literal(let text): text
    case .string(let text): text.string
    case .date(let seconds): Timestamp(secondsFromReference: seconds)?.text
    default: nil
    }
  }

  /// The text that data is shown as; nil for any other value.
  var dataText: String? {
    guard case .data(let bytes) = self else { return nil }
    return RecognizedData(bytes)?.beginning.map { _ in String(decoding: bytes, as: UTF8.self) }
  }

  /// The text of a resource of a web archive, in the encoding that the archive names; nil for any other value.
  func resourceText(_ holder: GraphContainer?, in graph: ObjectGraph) -> String? {
    // A resource has six members at most.
    guard case .data(let bytes) = self, case .members(let pairs)? = holder, pairs.count <= 16
    else { return nil }
    let position = (0..<pairs.count).first {
      graph.memberName(pairs, $0)?.equals("WebResourceTextEncodingName") == true
    }
    guard let position, let name = graph.text(of: graph.value(pairs, position)) else { return nil }
    return String(bytes, inEncodingNamed: name.string)
  }

  // MARK: Comparison

  /// Whether two values that are not both containers are equal.
  func equals(_ other: QueryValue) -> Bool {
    switch (self, other) {
    // Most numbers need no common form.
    case (.integer(let left), .integer(let right)): return left == right
    case (.real(let left), .real(let right)) where left == right: return true
    case (.boolean(let left), .boolean(let right)): return left == right
    case (.integer, _), (.real, _), (.boolean, _):
      return number == other.number
    case (.nothing, .nothing), (.null, .null): return true
    case (.literal(let left), .literal(let right)): return left.hasSameScalars(as: right)
    case (.string(let left), .string(let right)): return left.sameCharacters(as: right)
    case (.string(let left), .literal(let right)), (.literal(let right), .string(let left)):
      return left.sameCharacters(as: right)
    case (.date(let left), .date(let right)):
      return ScalarEquality.value.date(left) == ScalarEquality.value.date(right)
    case (.data(let left), .data(let right)): return haveSameBytes(left, right)
    case (.data(let bytes), .literal), (.data(let bytes), .string):
      return other.text?.hasSameScalars(as: Base64.text(bytes)) == true
    case (.literal, .data(let bytes)), (.string, .data(let bytes)):
      return text?.hasSameScalars(as: Base64.text(bytes)) == true
    case (.date, .literal), (.date, .string), (.literal, .date), (.string, .date):
      guard let left = seconds, let right = other.seconds else { return false }
      return left == right
    default: return false
    }
  }

  /// An integer as the real that it is; nil for one that no real may have.
  private static func real(_ integer: Int128) -> Double? {
    integer.magnitude <= 1 << 53 ? Double(integer) : nil
  }

  /// The form of a number or a boolean, which equal ones have in common; nil for other values.
  private var number: ScalarEquality.Number? {
    switch self {
    case .boolean(let flag): .boolean(flag)
    case .integer(let number): .integer(number)
    case .real(let number): ScalarEquality.value.number(number)
    default: nil
    }
  }

  /// Whether both are numbers, strings or dates, and this value is less than the other.
  func isLess(than other: QueryValue) -> Bool {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): return left < right
    case (.real(let left), .real(let right)): return left < right
    case (.integer(let left), .real(let right)):
      if let left = Self.real(left) { return left < right }
      return number.flatMap { one in other.number.map { one.isLess(than: $0) } } ?? false
    case (.real(let left), .integer(let right)):
      if let right = Self.real(right) { return left < right }
      return number.flatMap { one in other.number.map { one.isLess(than: $0) } } ?? false
    case (.date, _), (_, .date):
      guard let left = seconds, let right = other.seconds else { return false }
      return left < right
    case (.literal, .literal), (.literal, .string), (.string, .literal), (.string, .string):
      guard let left = text, let right = other.text else { return false }
      return left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
    default: return false
    }
  }

  /// Seconds from 2001, of a date or of a string with an RFC 3339 date.
  private var seconds: Double? {
    if case .date(let seconds) = self { return seconds }
    return text.flatMap { Timestamp(text: $0)?.secondsFromReference }
  }

  // MARK: Functions

  /// The result of `length`: characters of a string, elements or members of a container (RFC 9535, 2.4.4).
  func length(in graph: ObjectGraph) -> QueryValue {
    switch self {
    case .literal(let text): .integer(Int128(text.unicodeScalars.count))
    case .string(let text): .integer(Int128(text.string.unicodeScalars.count))
    case .container(let node):
      .integer(Int128(QueryContainer(node, in: graph)?.count ?? 0))
    default: .nothing
    }
  }

  /// The result of `size`: the bytes of data or of a string in UTF-8, the elements or members of a container.
  static func size(of node: Node, in graph: ObjectGraph) -> QueryValue {
    switch graph.value(of: node) {
    case .data(let bytes): .integer(Int128(bytes.count))
    case .string(let text): .integer(Int128(text.string.utf8.count))
    default: QueryContainer(node, in: graph).map { .integer(Int128($0.count)) } ?? .nothing
    }
  }

  /// The result of `type` for a value outside the graph.
  var typeOfLiteral: QueryValue {
    switch self {
    case .nothing, .container: .nothing
    case .null: .literal("null")
    case .boolean: .literal("boolean")
    case .integer: .literal("integer")
    case .real: .literal("real")
    case .literal, .string: .literal("string")
    case .date: .literal("date")
    case .data: .literal("data")
    }
  }
}

// MARK: - Whether two containers are equal

struct QueryEquality {
  private let evaluator: QueryEvaluator
  /// Pairs that were or will be compared: objects may refer to one another in cycles.
  private var known: Set<NodePair> = []
  private var waiting: [NodePair] = []

  init(_ evaluator: QueryEvaluator) { self.evaluator = evaluator }

  mutating func areEqual(_ left: Node, _ right: Node) throws(ArchiveError) -> Bool {
    compareLater(left, right)
    while let pair = waiting.popLast() {
      try evaluator.visit()
      guard try haveEqualChildren(pair) else { return false }
    }
    return true
  }

  private mutating func compareLater(_ left: Node, _ right: Node) {
    let pair = NodePair(left, right)
    if left != right, known.insert(pair).inserted { waiting.append(pair) }
  }

  private mutating func haveEqualChildren(_ pair: NodePair) throws(ArchiveError) -> Bool {
    let graph = evaluator.graph
    guard let left = QueryContainer(pair.left, in: graph),
      let right = QueryContainer(pair.right, in: graph), left.count == right.count,
      left.isList == right.isList
    else { return false }
    let names = left.isList ? nil : right.positions(in: graph)
    for position in 0..<left.count {
      var other: Int? = position
      if let names {
        guard case .key(let name) = left.step(position, in: graph) else { return false }
        other = names[CodePointString(name)]
      }
      guard let other else { return false }
      try evaluator.visit()
      let (one, two) = (left.child(position, in: graph), right.child(other, in: graph))
      switch (QueryValue(one, in: graph), QueryValue(two, in: graph)) {
      case (.container(let one), .container(let two)): compareLater(one, two)
      case (let one, let two): if !one.equals(two) { return false }
      }
    }
    return true
  }
}

// MARK: - The children of a value in a query

extension ObjectGraph {
  /// A value; for data with an archive, that of the archive's root.
  package func opened(_ node: Node) -> (node: Node, value: Value) {
    var (node, value) = (node, value(of: node))
    while case .data = value, let content = content(of: node) {
      (node, value) = (content, self.value(of: content))
    }
    return (node, value)
  }

  /// The root of the archive in a data value; nil for all others, most of which are known by one byte.
  package func archiveRoot(in node: Node) -> Node? {
    guard isContainerOrData(node), mayBeText(node), case .data = value(of: node) else { return nil }
    return content(of: node)
  }

  /// Whether a condition holds for a value or, if that is data with an archive, for the archive's root.
  func holds(_ node: Node, _ condition: (Node) -> Bool) -> Bool {
    var node = node
    while !condition(node) {
      guard let root = archiveRoot(in: node) else { return false }
      node = root
    }
    return true
  }
}

struct QueryContainer {
  /// The value that contains them: for an archive in a data value, the root of the archive.
  let node: Node
  private let container: GraphContainer

  /// The children of a value; nil if it cannot have any.
  init?(_ node: Node, in graph: ObjectGraph) {
    let (node, value) = graph.opened(node)
    guard let container = GraphContainer(value) else { return nil }
    self.node = node
    self.container = container
  }

  var count: Int { container.childCount }

  /// Whether the children are elements, not members.
  var isList: Bool {
    if case .elements = container { true } else { false }
  }

  /// The child at a position; those after the last are the stored fields that are shown in another form.
  func child(_ position: Int, in graph: ObjectGraph) -> Node {
    guard position >= count, let fields = graph.hiddenFields(of: node) else {
      return container.child(position, in: graph)
    }
    return graph.value(fields, position - count)
  }

  func step(_ position: Int, in graph: ObjectGraph) -> GraphPath.Step {
    guard position >= count, let fields = graph.hiddenFields(of: node) else {
      return container.step(position, in: graph)
    }
    return GraphContainer.members(fields).step(position - count, in: graph)
  }

  /// The position of the child that a step leads to, also by the stored name of a field that is shown in another form;
  /// nil if it leads nowhere.
  func position(of step: GraphPath.Step, in graph: ObjectGraph) -> Int? {
    if let position = container.position(of: step, in: graph) { return position }
    guard container.isDerived, let fields = graph.hiddenFields(of: node) else { return nil }
    return GraphContainer.members(fields).position(of: step, in: graph).map { count + $0 }
  }

  /// The child that a step leads to; nil if it leads nowhere.
  func child(_ step: GraphPath.Step, in graph: ObjectGraph) -> Node? {
    position(of: step, in: graph).map { child($0, in: graph) }
  }

  /// The child at a position of what edits see: the fields of an object that is shown by members made of them.
  func storedChild(_ position: Int, in graph: ObjectGraph) -> Node {
    graph.hiddenFields(of: node).map { graph.value($0, position) } ?? child(position, in: graph)
  }

  /// The position of an element, counted from the end if it is negative.
  func position(of index: Int) -> Int? {
    let position = index < 0 ? count + index : index
    return isList && (0..<count).contains(position) ? position : nil
  }

  func positions(in graph: ObjectGraph) -> [CodePointString: Int] {
    var positions: [CodePointString: Int] = [:]
    for position in 0..<count {
      if case .key(let name) = step(position, in: graph), positions[CodePointString(name)] == nil {
        positions[CodePointString(name)] = position
      }
    }
    return positions
  }
}
