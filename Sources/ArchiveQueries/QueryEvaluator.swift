// Evaluates filters for a value: conditions, comparisons and functions (RFC 9535, 2.3.5 and 2.4).

import ArchiveBasics
import ArchiveGraph
import ArchivePatterns

final class QueryEvaluator {
  let graph: ObjectGraph
  private let root: Node
  /// How often a `..` in a filter visits an object.
  var visits: QueryRun.Visits
  private var limit = 0
  private var visited = 0
  private var patterns = QueryPatterns()

  init(_ graph: ObjectGraph, root: Node, visits: QueryRun.Visits) {
    self.graph = graph
    self.root = root
    self.visits = visits
  }

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
      let (one, other) = (try value(left, node), try value(right, node))
      if try compare(one, sign, other) { return true }
      guard sign == .equal else { return false }
      if try describesData(left, node, as: other) { return true }
      return try describesData(right, node, as: one)
    case .exists(let query):
      if query.segments.isSingular { return try single(query, node) != nil }
      var run = run(query, node)
      return try run.next() != nil
    case .function(let call): return try answer(call, node)
    }
  }

  /// Whether a value is the class or the type of data whose archive has others.
  private func describesData(
    _ operand: QueryOperand, _ node: Node, as other: QueryValue
  ) throws(ArchiveError) -> Bool {
    guard case .call(let call) = operand, call.function == .class || call.function == .type,
      case .query(let query) = call.arguments[0], let found = try single(query, node),
      graph.archiveRoot(in: found) != nil
    else { return false }
    return graph.holds(found) { other.equals(description(call.function, $0)) }
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
        case .name(let name): container.position(of: .key(name), in: graph)
        case .index(let index): container.position(of: index)
        default: nil
        }
      guard let position else { return nil }
      current = container.child(position, in: graph)
    }
    return current
  }

  private func run(_ query: Subquery, _ node: Node) -> QueryRun {
    QueryRun(
      query.segments, from: query.isRelative ? node : root, self, visits: visits)
  }

  // MARK: Functions

  private func result(of call: QueryCall, _ node: Node) throws(ArchiveError) -> QueryValue {
    switch (call.function, call.arguments[0]) {
    case (.count, .query(let query)):
      var run = run(query, node)
      var count: Int64 = 0
      while try run.next() != nil { count += 1 }
      return .integer(Int128(count))
    case (.value, .query(let query)):
      var run = run(query, node)
      guard let first = try run.next(), try run.next() == nil else { return .nothing }
      return QueryValue(first, in: graph)
    case (.length, let operand):
      return try value(operand, node).length(in: graph)
    case (.size, .query(let query)):
      return try single(query, node).map { QueryValue.size(of: $0, in: graph) } ?? .nothing
    case (.class, .query(let query)), (.type, .query(let query)):
      return try single(query, node).map {
        description(call.function, graph.opened($0).node)
      } ?? .nothing
    case (.type, let operand): return try value(operand, node).typeOfLiteral
    default: return .nothing
    }
  }

  private func answer(_ call: QueryCall, _ node: Node) throws(ArchiveError) -> Bool {
    let first = call.arguments[0]
    guard let text = try value(call.arguments[1], node).text else { return false }
    if call.function == .isa {
      guard case .query(let query) = first, let found = try single(query, node) else {
        return false
      }
      return graph.holds(found) {
        guard let index = graph.classIndex(of: $0) else { return false }
        return graph.classes[index].displayName.hasSameScalars(as: text)
          || graph.classes[index].chain.contains { $0.hasSameScalars(as: text) }
      }
    }
    guard let subject = try value(first, node).text else { return false }
    let before = patterns.cost
    defer { visited += patterns.cost - before }
    return try patterns.matches(text, subject, isWhole: call.function == .match)
  }

  /// The name of the class or of the type of a value; nothing without a class.
  private func description(_ function: QueryFunction, _ node: Node) -> QueryValue {
    if function == .type { return .literal(graph.value(of: node).typeName) }
    return graph.classIndex(of: node).map { .literal(graph.classes[$0].displayName) } ?? .nothing
  }
}

// MARK: - The functions of queries: those of RFC 9535, 2.4, and archtool's own

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

// MARK: - Interoperable regular expressions (RFC 9485), translated to ECMA-262

struct IRegexp {
  /// The same expression for ECMA-262 with the flag `u` (RFC 9485, 5.3), without anchors.
  private(set) var ecmaScript = ""

  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var open = 0

  /// Checks an expression; nil if it is invalid.
  init?(_ text: String) {
    scalars = Array(text.unicodeScalars)
    while position < scalars.count { guard piece() else { return nil } }
    guard open == 0 else { return nil }
  }

  /// Reads an atom with its quantifier, a bar or a bracket.
  private mutating func piece() -> Bool {
    let scalar = scalars[position]
    position += 1
    switch scalar {
    case "(":
      open += 1
      // Groups do not capture.
      ecmaScript += "(?:"
      return true
    case "|":
      ecmaScript += "|"
      return true
    case ")":
      open -= 1
      ecmaScript += ")"
      return open >= 0 && quantifier()
    case ".":
      ecmaScript += "[^\\n\\r]"
      return quantifier()
    case "[": return classExpression() && quantifier()
    case "\\": return escape(inClass: false) && quantifier()
    case "*", "+", "?", "]", "{", "}": return false
    default:
      ecmaScript.unicodeScalars.append(scalar)
      return quantifier()
    }
  }

  private mutating func quantifier() -> Bool {
    guard position < scalars.count else { return true }
    switch scalars[position] {
    case "*", "+", "?":
      ecmaScript.unicodeScalars.append(scalars[position])
      position += 1
      return true
    case "{":
      guard let end = scalars[position...].firstIndex(of: "}") else { return false }
      let parts = scalars[(position + 1)..<end].split(
        separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
      guard let first = parts.first, !first.isEmpty,
        parts.allSatisfy({ $0.allSatisfy { ("0"..."9").contains($0) } })
      else { return false }
      ecmaScript.unicodeScalars.append(contentsOf: scalars[position...end])
      position = end + 1
      return true
    default: return true
    }
  }

  /// `[^a-z\p{L}-]`, whose opening bracket was already read.
  private mutating func classExpression() -> Bool {
    ecmaScript += "["
    if position < scalars.count, scalars[position] == "^" {
      ecmaScript += "^"
      position += 1
    }
    var isFirst = true
    while position < scalars.count {
      let scalar = scalars[position]
      if scalar == "]", !isFirst {
        ecmaScript += "]"
        position += 1
        return true
      }
      guard scalar != "[", scalar != "]" else { return false }
      position += 1
      if scalar == "\\" {
        guard escape(inClass: true) else { return false }
      } else if scalar == "-" {
        // Between characters it forms a range, which is checked when the expression is compiled; at the ends it is a
        // character.
        let isLast = position < scalars.count && scalars[position] == "]"
        ecmaScript += isFirst || isLast ? "\\-" : "-"
      } else {
        ecmaScript.unicodeScalars.append(scalar)
      }
      isFirst = false
    }
    return false
  }

  /// `\.`, `\n` or `\p{Lu}`, whose backslash was already read.
  private mutating func escape(inClass: Bool) -> Bool {
    guard position < scalars.count else { return false }
    let scalar = scalars[position]
    position += 1
    switch scalar {
    case "-":
      // ECMA-262 allows this escape in classes only.
      ecmaScript += inClass ? "\\-" : "-"
      return true
    case "(", ")", "*", "+", ".", "?", "[", "\\", "]", "^", "n", "r", "t", "{", "|", "}":
      ecmaScript += "\\"
      ecmaScript.unicodeScalars.append(scalar)
      return true
    case "p", "P":
      guard position < scalars.count, scalars[position] == "{",
        let end = scalars[position...].firstIndex(of: "}")
      else { return false }
      let name = String(String.UnicodeScalarView(scalars[(position + 1)..<end]))
      guard Self.categories.contains(name) else { return false }
      ecmaScript += "\\\(scalar){\(name)}"
      position = end + 1
      return true
    default: return false
    }
  }

  /// General categories of Unicode, except that of surrogates.
  private static let categories: Set<String> = [
    "L", "Ll", "Lm", "Lo", "Lt", "Lu", "M", "Mc", "Me", "Mn", "N", "Nd", "Nl", "No", "P", "Pc",
    "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "Z", "Zl", "Zp", "Zs", "S", "Sc", "Sk", "Sm", "So", "C",
    "Cc", "Cf", "Cn", "Co",
  ]
}
