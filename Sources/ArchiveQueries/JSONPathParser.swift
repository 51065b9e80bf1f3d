// The grammar of RFC 9535, with the type checks that it requires.

import ArchiveBasics
import ArchivePropertyLists

struct JSONPathParser {
  /// How deep filters, brackets and calls may be nested.
  private static let depthLimit = 100
  /// How many segments and selectors a query may have.
  private static let sizeLimit = 10_000
  /// The integers that JSON represents exactly (RFC 7493, 2.2).
  private static let integers = -9_007_199_254_740_991...9_007_199_254_740_991

  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var depth = 0
  private var size = 0

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  mutating func parse() throws(ArchiveError) -> [QuerySegment] {
    guard skip("$") else { throw problem("a query begins with '$'") }
    let segments = try self.segments()
    guard position == scalars.count else {
      throw problem(
        scalars[position].isBlank
          ? "a query must not end in blanks" : "expected '.' or '[', found \(found)")
    }
    return segments
  }

  /// A literal that is the whole of a text; nil if it is none.
  static func literal(_ text: String) -> JSONTree? {
    var parser = JSONPathParser(text)
    do throws(ArchiveError) {
      let literal = try parser.optionalLiteral()
      return parser.position == parser.scalars.count ? literal : nil
    } catch {
      return nil
    }
  }

  // MARK: Segments

  private mutating func segments() throws(ArchiveError) -> [QuerySegment] {
    var segments: [QuerySegment] = []
    while true {
      let start = position
      skipBlanks()
      guard let next = peek(), next == "." || next == "[" else {
        position = start
        return segments
      }
      try grow()
      segments.append(try segment())
    }
  }

  private mutating func segment() throws(ArchiveError) -> QuerySegment {
    if peek() == "[" {
      return QuerySegment(isDescendant: false, selectors: try bracketed())
    }
    position += 1
    let isDescendant = skip(".")
    if isDescendant, peek() == "[" {
      return QuerySegment(isDescendant: true, selectors: try bracketed())
    }
    if skip("*") { return QuerySegment(isDescendant: isDescendant, selectors: [.wildcard]) }
    guard let first = peek(), first.isNameFirst else {
      throw problem("expected a name or '*' after '.', found \(found)")
    }
    let name = text { $0.isNameFirst || $0.isDigit }
    return QuerySegment(isDescendant: isDescendant, selectors: [.name(name)])
  }

  private mutating func bracketed() throws(ArchiveError) -> [QuerySelector] {
    position += 1
    var selectors: [QuerySelector] = []
    repeat {
      skipBlanks()
      try grow()
      selectors.append(try selector())
      skipBlanks()
    } while skip(",")
    guard skip("]") else { throw problem("expected ',' or ']', found \(found)") }
    return selectors
  }

  private mutating func selector() throws(ArchiveError) -> QuerySelector {
    switch peek() {
    case "'", "\"": return .name(try string())
    case "*":
      position += 1
      return .wildcard
    case "?":
      position += 1
      skipBlanks()
      return .filter(try condition())
    default: return try indexOrSlice()
    }
  }

  private mutating func indexOrSlice() throws(ArchiveError) -> QuerySelector {
    let start = try optionalInteger()
    guard skip(afterBlanks: ":") else {
      guard let start else {
        throw problem("expected a name in quotes, a number, '*', ':' or '?', found \(found)")
      }
      return .index(start)
    }
    skipBlanks()
    let end = try optionalInteger()
    var step: Int?
    if skip(afterBlanks: ":") {
      let afterColon = position
      skipBlanks()
      step = try optionalInteger()
      if step == nil { position = afterColon }
    }
    return .slice(QuerySlice(start: start, end: end, step: step ?? 1))
  }

  /// An integer without leading zeros and without `-0`.
  private mutating func optionalInteger() throws(ArchiveError) -> Int? {
    guard let first = peek(), first == "-" || first.isDigit else { return nil }
    let start = position
    let sign = skip("-") ? "-" : ""
    let digits = text { $0.isDigit }
    guard !digits.isEmpty else { throw problem("expected a digit after '-', found \(found)") }
    guard digits == "0" ? sign.isEmpty : digits.first != "0" else {
      throw problem("an integer has no leading zeros and no '-0'", at: start)
    }
    guard let number = Int(sign + digits), Self.integers.contains(number) else {
      throw problem("an integer must be within ±(2^53 - 1)", at: start)
    }
    return number
  }

  // MARK: Conditions

  private mutating func condition() throws(ArchiveError) -> QueryCondition {
    try nest()
    defer { depth -= 1 }
    return try joined(
      "||", { .any($0) },
      { parser throws(ArchiveError) in
        try parser.joined(
          "&&", { .all($0) },
          { parser throws(ArchiveError) in try parser.basicCondition() })
      })
  }

  private mutating func joined(
    _ sign: String, _ join: ([QueryCondition]) -> QueryCondition,
    _ part: (inout JSONPathParser) throws(ArchiveError) -> QueryCondition
  ) throws(ArchiveError) -> QueryCondition {
    var parts = [try part(&self)]
    while skip(afterBlanks: sign) {
      try grow()
      skipBlanks()
      parts.append(try part(&self))
    }
    return parts.count == 1 ? parts[0] : join(parts)
  }

  private mutating func basicCondition() throws(ArchiveError) -> QueryCondition {
    if peek() == "!" {
      position += 1
      skipBlanks()
      return .not(try peek() == "(" ? parenthesized() : test())
    }
    if peek() == "(" { return try parenthesized() }
    let start = position
    if let literal = try optionalLiteral() {
      guard let sign = comparison() else {
        throw problem("a literal must be compared with something", at: start)
      }
      return .comparison(.literal(literal), sign, try operand())
    }
    let test = try self.test(mayBeCompared: true)
    let end = position
    guard let sign = comparison() else { return test }
    switch test {
    case .exists(let query):
      try requireSingular(query, at: start)
      return .comparison(.query(query), sign, try operand())
    case .function(let call) where !call.function.isLogical:
      return .comparison(.call(call), sign, try operand())
    default:
      throw problem(
        "what '\(name(of: test))' says is true or false and cannot be compared", at: end)
    }
  }

  private mutating func parenthesized() throws(ArchiveError) -> QueryCondition {
    position += 1
    skipBlanks()
    let inner = try condition()
    skipBlanks()
    guard skip(")") else { throw problem("expected ')', found \(found)") }
    return inner
  }

  /// A query or a call with a Boolean result.
  ///
  /// - Parameter mayBeCompared: whether a comparison may follow, which a call with a value needs.
  private mutating func test(mayBeCompared: Bool = false) throws(ArchiveError) -> QueryCondition {
    let start = position
    if let query = try optionalSubquery() { return .exists(query) }
    guard let call = try optionalCall() else {
      throw problem("expected a query, a function, a literal or '(', found \(found)")
    }
    if !call.function.isLogical {
      let end = position
      let isCompared = mayBeCompared && comparison() != nil
      position = end
      guard isCompared else {
        throw problem(
          "what '\(call.function.rawValue)' gives must be compared with something", at: start)
      }
    }
    return .function(call)
  }

  private mutating func operand() throws(ArchiveError) -> QueryOperand {
    let start = position
    if let literal = try optionalLiteral() { return .literal(literal) }
    if let query = try optionalSubquery() {
      try requireSingular(query, at: start)
      return .query(query)
    }
    guard let call = try optionalCall() else {
      throw problem("expected a query, a function or a literal, found \(found)")
    }
    guard !call.function.isLogical else {
      throw problem(
        "what '\(call.function.rawValue)' says is true or false and is no value", at: start)
    }
    return .call(call)
  }

  private mutating func requireSingular(_ query: Subquery, at start: Int) throws(ArchiveError) {
    guard !query.segments.isSingular else { return }
    throw problem("a query that may lead to several values is no value", at: start)
  }

  private mutating func comparison() -> QueryComparison? {
    let start = position
    skipBlanks()
    for sign in QueryComparison.allCases where skip(sign.rawValue) {
      skipBlanks()
      return sign
    }
    position = start
    return nil
  }

  private mutating func optionalSubquery() throws(ArchiveError) -> Subquery? {
    guard let first = peek(), first == "@" || first == "$" else { return nil }
    position += 1
    return Subquery(isRelative: first == "@", segments: try segments())
  }

  // MARK: Functions

  private mutating func optionalCall() throws(ArchiveError) -> QueryCall? {
    let start = position
    guard let first = peek(), ("a"..."z").contains(first) else { return nil }
    let name = text { ("a"..."z").contains($0) || $0 == "_" || $0.isDigit }
    guard skip("(") else {
      position = start
      return nil
    }
    guard let function = QueryFunction(rawValue: name) else {
      position = start
      let names = QueryFunction.allCases.map { $0.rawValue }.joined(separator: ", ")
      throw problem("there is no function '\(name)'; there are \(names)")
    }
    let arguments = try self.arguments(of: function, at: start)
    return QueryCall(function: function, arguments: arguments)
  }

  private mutating func arguments(
    of function: QueryFunction, at start: Int
  ) throws(ArchiveError) -> [QueryOperand] {
    try nest()
    defer { depth -= 1 }
    var arguments: [QueryOperand] = []
    skipBlanks()
    if !skip(")") {
      repeat {
        skipBlanks()
        guard arguments.count < function.parameters.count else { break }
        arguments.append(try argument(function.parameters[arguments.count], of: function))
        skipBlanks()
      } while skip(",")
      guard skip(")") else {
        throw arguments.count == function.parameters.count && peek() != nil
          ? problem("'\(function.rawValue)' takes \(Counted.text(arguments.count, "argument"))")
          : problem("expected ',' or ')', found \(found)")
      }
    }
    guard arguments.count == function.parameters.count else {
      position = start
      let count = Counted.text(function.parameters.count, "argument")
      throw problem("'\(function.rawValue)' takes \(count), not \(arguments.count)")
    }
    return arguments
  }

  private mutating func argument(
    _ parameter: QueryFunction.Parameter, of function: QueryFunction
  ) throws(ArchiveError) -> QueryOperand {
    if parameter == .value { return try operand() }
    guard let query = try optionalSubquery() else {
      throw problem("'\(function.rawValue)' takes a query, found \(found)")
    }
    return .query(query)
  }

  // MARK: Literals

  private mutating func optionalLiteral() throws(ArchiveError) -> JSONTree? {
    guard let first = peek() else { return nil }
    if first == "'" || first == "\"" { return .string(try string()) }
    if first == "-" || first.isDigit { return try number() }
    for (word, literal) in Self.words {
      let start = position
      guard skip(word) else { continue }
      if let next = peek(), next.isNameFirst || next.isDigit || next == "(" {
        position = start
        continue
      }
      return literal
    }
    return nil
  }

  private static let words: [(String, JSONTree)] = [
    ("true", true), ("false", false), ("null", .null),
  ]

  /// `(int / "-0") [ frac ] [ exp ]`.
  private mutating func number() throws(ArchiveError) -> JSONTree {
    let start = position
    _ = skip("-")
    let whole = text { $0.isDigit }
    guard !whole.isEmpty, whole == "0" || whole.first != "0" else {
      throw problem("a number has no leading zeros", at: start)
    }
    var isReal = false
    if skip(".") {
      isReal = true
      guard !text(while: { $0.isDigit }).isEmpty else {
        throw problem("expected a digit after '.', found \(found)")
      }
    }
    if skip("e") || skip("E") {
      isReal = true
      if !skip("-") { _ = skip("+") }
      guard !text(while: { $0.isDigit }).isEmpty else {
        throw problem("expected a digit of the exponent, found \(found)")
      }
    }
    let digits = String(String.UnicodeScalarView(scalars[start..<position]))
    if !isReal, let integer = Int(digits) { return .integer(integer) }
    guard let real = Double(digits), real.isFinite else {
      throw problem("the number is too large", at: start)
    }
    return .real(real)
  }

  private mutating func string() throws(ArchiveError) -> String {
    let quote = scalars[position]
    position += 1
    var string = String.UnicodeScalarView()
    while let scalar = peek() {
      guard scalar.value >= 0x20 else {
        throw problem("a control character must be escaped in a string")
      }
      position += 1
      if scalar == quote { return String(string) }
      string.append(scalar == "\\" ? try escape(in: quote) : scalar)
    }
    throw problem("the string has no closing \(quote)")
  }

  private mutating func escape(in quote: Unicode.Scalar) throws(ArchiveError) -> Unicode.Scalar {
    let scalar = peek()
    position += 1
    switch scalar {
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "/": return "/"
    case "\\": return "\\"
    case quote: return quote
    case "u":
      do throws(ArchiveError) {
        return try EscapedScalar.read(scalars, &position)
      } catch {
        throw problem(error.message)
      }
    default:
      position -= 1
      throw problem("there is no escape '\\\(scalar.map { String($0) } ?? "")'")
    }
  }

  // MARK: Characters

  private mutating func grow() throws(ArchiveError) {
    size += 1
    guard size <= Self.sizeLimit else {
      throw ArchiveError(
        .limit, "a query may have at most \(Self.sizeLimit) parts", offset: position)
    }
  }

  private mutating func nest() throws(ArchiveError) {
    depth += 1
    guard depth <= Self.depthLimit else {
      throw ArchiveError(
        .limit, "a query may be nested at most \(Self.depthLimit) deep", offset: position)
    }
  }

  private mutating func skipBlanks() {
    while let next = peek(), next.isBlank { position += 1 }
  }

  private func peek() -> Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private mutating func skip(_ word: String) -> Bool {
    let word = word.unicodeScalars
    guard scalars[position...].starts(with: word) else { return false }
    position += word.count
    return true
  }

  /// Skips blanks and a word after them, or nothing.
  private mutating func skip(afterBlanks word: String) -> Bool {
    let start = position
    skipBlanks()
    if skip(word) { return true }
    position = start
    return false
  }

  private mutating func text(while belongs: (Unicode.Scalar) -> Bool) -> String {
    let run = scalars[position...].prefix { belongs($0) }
    position += run.count
    return String(String.UnicodeScalarView(run))
  }

  private func name(of test: QueryCondition) -> String {
    if case .function(let call) = test { call.function.rawValue } else { "" }
  }

  /// The character at the position, for messages.
  private var found: String { peek().map { "'\($0)'" } ?? "the end" }

  private func problem(_ message: String, at start: Int? = nil) -> ArchiveError {
    ArchiveError(.malformed, message, offset: min(start ?? position, scalars.count))
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }

  /// Whether a name without quotes may begin with the character.
  fileprivate var isNameFirst: Bool {
    value >= 0x80 || self == "_" || ("a"..."z").contains(self) || ("A"..."Z").contains(self)
  }

  fileprivate var isBlank: Bool {
    self == " " || self == "\t" || self == "\n" || self == "\r"
  }
}

// MARK: - JSONPath (RFC 9535): a parsed query, before it is evaluated

/// A query, well-formed and valid.
///
/// Besides the functions of RFC 9535, there are some about features that JSON lacks: `class`, `isa`, `size`, `type`.
package struct JSONPath: Sendable, CustomStringConvertible {
  /// The query as written.
  package let description: String
  let segments: [QuerySegment]

  /// `$..*`: every value below the root.
  static let descendants = JSONPath(
    description: "$..*", segments: [QuerySegment(isDescendant: true, selectors: [.wildcard])])
}

extension JSONPath {
  /// Parses and checks a query.
  ///
  /// - Throws: `ArchiveError` with code `malformed`, whose offset is a position in characters; `limit` if the query is
  ///   nested too deeply.
  package init(parsing text: String) throws(ArchiveError) {
    var parser = JSONPathParser(text)
    self.init(description: text, segments: try parser.parse())
  }
}

/// A step of a query, from each value to some of its children, or to some of its descendants.
struct QuerySegment: Sendable {
  let isDescendant: Bool
  let selectors: [QuerySelector]
}

extension [QuerySegment] {
  /// Whether each step has at most one result (RFC 9535, 2.3.5.1).
  var isSingular: Bool {
    allSatisfy { segment in
      guard !segment.isDescendant, segment.selectors.count == 1 else { return false }
      return switch segment.selectors[0] {
      case .name, .index: true
      case .wildcard, .slice, .filter: false
      }
    }
  }
}

/// The children that a segment selects.
enum QuerySelector: Sendable {
  case name(String)
  case wildcard
  /// An element, counted from the end if negative.
  case index(Int)
  case slice(QuerySlice)
  case filter(QueryCondition)
}

/// Elements from one position to another (RFC 9535, 2.3.4).
struct QuerySlice: Sendable {
  let start: Int?
  let end: Int?
  let step: Int

  /// The position of the element with a number in the slice, for an array of a given size; nil if there are fewer.
  func position(_ number: Int, count: Int) -> Int? {
    func normal(_ position: Int) -> Int { position >= 0 ? position : count + position }
    let (distance, isOver) = number.multipliedReportingOverflow(by: step)
    guard !isOver, step != 0 else { return nil }
    if step > 0 {
      let lower = min(max(normal(start ?? 0), 0), count)
      let upper = min(max(normal(end ?? count), 0), count)
      return distance < upper - lower ? lower + distance : nil
    }
    let upper = min(max(start.map(normal) ?? count - 1, -1), count - 1)
    let lower = min(max(end.map(normal) ?? -1, -1), count - 1)
    return distance > lower - upper ? upper + distance : nil
  }
}

indirect enum QueryCondition: Sendable {
  case any([QueryCondition])
  case all([QueryCondition])
  case not(QueryCondition)
  case comparison(QueryOperand, QueryComparison, QueryOperand)
  /// Whether a query has a result.
  case exists(Subquery)
  case function(QueryCall)
}

enum QueryComparison: String, Sendable, CaseIterable {
  // The longer operators come first, because they must be tried first.
  case equal = "=="
  case unequal = "!="
  case atMost = "<="
  case atLeast = ">="
  case less = "<"
  case greater = ">"
}

/// A value that is compared or passed to a function.
enum QueryOperand: Sendable {
  /// A scalar.
  case literal(JSONTree)
  /// The value of a query with at most one result; as the argument of some functions, all results of any query.
  case query(Subquery)
  case call(QueryCall)
}

struct Subquery: Sendable {
  /// Whether it begins at the filter's current value, not at the root.
  let isRelative: Bool
  let segments: [QuerySegment]
}

struct QueryCall: Sendable {
  let function: QueryFunction
  let arguments: [QueryOperand]
}
