// Evaluates filters for a value: conditions, comparisons and functions (RFC 9535, 2.3.5 and 2.4).

import ArchiveBasics
import ArchiveGraph
import ArchivePatterns

/// Evaluates the filters of one query in one graph.
final class QueryEvaluator {
  let graph: ObjectGraph
  private let root: Node
  private var limit = 0
  private var visited = 0
  private var patterns = QueryPatterns()

  init(_ graph: ObjectGraph, root: Node) {
    self.graph = graph
    self.root = root
  }

  /// Counts a visited value.
  func visit() throws(ArchiveError) {
    visited += 1
    guard visited > limit else { return }
    // Archives in data values that were opened since raise the limit.
    limit = graph.expansionLimit
    guard visited <= limit else {
      throw ArchiveError(.limit, "the query looks at over \(visited - 1) values")
    }
  }

  // MARK: Conditions

  /// Whether a condition holds for a value.
  func holds(_ condition: QueryCondition, for node: Node) throws(ArchiveError) -> Bool {
    switch condition {
    case .any(let parts):
      for part in parts where try holds(part, for: node) { return true }
      return false
    case .all(let parts):
      for part in parts where try !holds(part, for: node) { return false }
      return true
    case .not(let part): return try !holds(part, for: node)
    case .comparison(let left, let sign, let right):
      return try compare(try value(left, node), sign, try value(right, node))
    case .exists(let query):
      if query.segments.isSingular { return try single(query, node) != nil }
      var run = run(query, node)
      return try run.next() != nil
    case .function(let call): return try answer(call, node)
    }
  }

  private func compare(
    _ left: QueryValue, _ sign: QueryComparison, _ right: QueryValue
  ) throws(ArchiveError) -> Bool {
    switch sign {
    case .equal: try areEqual(left, right)
    case .unequal: try !areEqual(left, right)
    case .less: left.isLess(than: right)
    case .greater: right.isLess(than: left)
    case .atMost: if left.isLess(than: right) { true } else { try areEqual(left, right) }
    case .atLeast: if right.isLess(than: left) { true } else { try areEqual(left, right) }
    }
  }

  private func areEqual(_ left: QueryValue, _ right: QueryValue) throws(ArchiveError) -> Bool {
    if case .container(let left) = left, case .container(let right) = right {
      var equality = QueryEquality(self)
      return try equality.areEqual(left, right)
    }
    return left.equals(right)
  }

  // MARK: Values

  private func value(_ operand: QueryOperand, _ node: Node) throws(ArchiveError) -> QueryValue {
    switch operand {
    case .literal(let literal): QueryValue(literal)
    case .query(let query):
      try single(query, node).map { QueryValue($0, in: graph) } ?? .nothing
    case .call(let call): try result(of: call, node)
    }
  }

  /// The value of a query with at most one result.
  private func single(_ query: Subquery, _ node: Node) throws(ArchiveError) -> Node? {
    var current = query.isRelative ? node : root
    for segment in query.segments {
      try visit()
      guard let container = QueryContainer(current, in: graph) else { return nil }
      let position: Int? =
        switch segment.selectors[0] {
        case .name(let name): container.position(of: name, in: graph)
        case .index(let index): container.position(of: index)
        default: nil
        }
      guard let position else { return nil }
      current = container.child(position, in: graph)
    }
    return current
  }

  private func run(_ query: Subquery, _ node: Node) -> QueryRun {
    QueryRun(query.segments, from: query.isRelative ? node : root, self)
  }

  // MARK: Functions

  private func result(of call: QueryCall, _ node: Node) throws(ArchiveError) -> QueryValue {
    switch (call.function, call.arguments[0]) {
    case (.count, .nodes(let query)):
      var run = run(query, node)
      var count: Int64 = 0
      while try run.next() != nil { count += 1 }
      return .integer(Int128(count))
    case (.value, .nodes(let query)):
      var run = run(query, node)
      guard let first = try run.next(), try run.next() == nil else { return .nothing }
      return QueryValue(first, in: graph)
    case (.length, .value(let operand)):
      return try value(operand, node).length(in: graph)
    case (.class, .value(.query(let query))):
      guard let found = try description(query, node) else { return .nothing }
      return .literal(found.displayName)
    case (.size, .value(.query(let query))):
      return try single(query, node).map { QueryValue.size(of: $0, in: graph) } ?? .nothing
    case (.type, .value(.query(let query))):
      return try single(query, node).map { .literal(graph.value(of: $0).typeName) } ?? .nothing
    case (.type, .value(let operand)): return try value(operand, node).typeOfLiteral
    default: return .nothing
    }
  }

  private func answer(_ call: QueryCall, _ node: Node) throws(ArchiveError) -> Bool {
    guard case .value(let first) = call.arguments[0], case .value(let second) = call.arguments[1],
      let text = try value(second, node).text
    else { return false }
    if call.function == .isa {
      guard case .query(let query) = first, let found = try description(query, node) else {
        return false
      }
      return found.displayName.hasSameScalars(as: text)
        || found.chain.contains { $0.hasSameScalars(as: text) }
    }
    guard let subject = try value(first, node).text else { return false }
    let before = patterns.cost
    defer { visited += patterns.cost - before }
    return try patterns.matches(text, subject, isWhole: call.function == .match)
  }

  private func description(_ query: Subquery, _ node: Node) throws(ArchiveError)
    -> ClassDescription?
  {
    guard let value = try single(query, node), let index = graph.classIndex(of: value) else {
      return nil
    }
    return graph.classes[index]
  }
}

// MARK: - The functions of queries: those of RFC 9535, 2.4, and archtool's own

/// A function of a filter.
enum QueryFunction: String, Sendable, CaseIterable {
  // RFC 9535.
  case length, count, match, search, value
  // For features of archives that JSON lacks.
  /// The name of a value's class.
  case `class`
  /// Whether a value's class is a given class or one of its subclasses.
  case isa
  /// How many bytes a string or data has, or how many elements a container.
  case size
  /// The type of a value, as in a tree.
  case type

  /// The type of a parameter (RFC 9535, 2.4.1).
  enum Parameter: Sendable {
    case value
    case nodes
  }

  /// The types of the parameters, in order.
  var parameters: [Parameter] {
    switch self {
    case .length, .class, .size, .type: [.value]
    case .count, .value: [.nodes]
    case .match, .search, .isa: [.value, .value]
    }
  }

  /// Whether the result is true or false, not a value.
  var isLogical: Bool { [.match, .search, .isa].contains(self) }
}

// MARK: - The patterns of `match` and `search`: I-Regexp (RFC 9485), translated to ECMA-262

/// Compiled patterns, by their texts.
private struct QueryPatterns {
  /// The size of the cache: a pattern may come from the graph, with another one for each value.
  private static let capacity = 64

  private var compiled: [String: ECMAPattern?] = [:]
  /// What all matches have cost that take longer than to visit a value, in such visits.
  private(set) var cost = 0

  /// Whether a text matches a pattern.
  ///
  /// An invalid pattern matches nothing (RFC 9535, 2.4.6).
  ///
  /// - Parameter isWhole: whether the whole text must match, or only a part of it.
  /// - Throws: `ArchiveError` with code `limit` if matching takes too long.
  mutating func matches(
    _ pattern: String, _ text: String, isWhole: Bool
  ) throws(ArchiveError) -> Bool {
    let key = (isWhole ? "m" : "s") + pattern
    if compiled[key] == nil {
      if compiled.count >= Self.capacity { compiled = [:] }
      compiled[key] = .some(try Self.compile(pattern, isWhole: isWhole))
    }
    guard let expression = compiled[key] ?? nil else { return false }
    let before = expression.cost
    defer { cost &+= (expression.cost &- before) / 8 }
    do throws(PatternFault) {
      return try expression.matches(text)
    } catch {
      throw ArchiveError(.limit, "the pattern '\(pattern)': \(error.reason)")
    }
  }

  private static func compile(
    _ pattern: String, isWhole: Bool
  ) throws(ArchiveError) -> ECMAPattern? {
    // Elements beyond I-Regexp, such as \d, have the meaning of ECMA-262.
    let text = IRegexp(pattern)?.ecmaScript ?? pattern
    do throws(PatternFault) {
      return try ECMAPattern(isWhole ? "^(?:\(text))$" : text)
    } catch {
      if error.code == .syntax { return nil }
      throw ArchiveError(.unsupported, "the pattern '\(pattern)': \(error.reason)")
    }
  }
}
