// JSONPath (RFC 9535): a query as it was parsed, before anything is looked at.

import Basics

/// A query, well-formed and valid.
///
/// Besides the functions of RFC 9535 there are those that ask for what JSON does not have: `class`, `isa`, `size`, `type`.
public struct JSONPath: Sendable, CustomStringConvertible {
  /// The query as it was written.
  public let description: String
  let segments: [QuerySegment]

  /// Parses and checks a query.
  ///
  /// - Throws: `ArchiveError` with code `malformed`, its offset being the position in characters; `limit` for one that is
  ///   nested too deep.
  public init(parsing text: String) throws(ArchiveError) {
    var parser = JSONPathParser(text)
    segments = try parser.parse()
    description = text
  }

  /// Whether the query leads to one value at most.
  public var isSingular: Bool { segments.isSingular }
}

/// A step of a query, from each value to some of its children, or to some of all that is below it.
struct QuerySegment: Sendable {
  let isDescendant: Bool
  let selectors: [QuerySelector]
}

extension [QuerySegment] {
  /// Whether each step leads to one value at most (RFC 9535, 2.3.5.1).
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

/// Which children a segment leads to.
enum QuerySelector: Sendable {
  case name(String)
  case wildcard
  /// An element, from the end if it is negative.
  case index(Int)
  case slice(QuerySlice)
  case filter(QueryCondition)
}

/// Elements from one position to another (RFC 9535, 2.3.4).
struct QuerySlice: Sendable {
  let start: Int?
  let end: Int?
  let step: Int

  /// The position that comes as the number-th in an array of so many elements; nil if there are fewer.
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

/// What a filter asks of a value.
indirect enum QueryCondition: Sendable {
  case any([QueryCondition])
  case all([QueryCondition])
  case not(QueryCondition)
  case comparison(QueryOperand, QueryComparison, QueryOperand)
  /// Whether a query leads anywhere.
  case exists(Subquery)
  case function(QueryCall)
}

/// How two values are compared.
enum QueryComparison: String, Sendable, CaseIterable {
  // The longer ones come first, as they must be tried.
  case equal = "=="
  case unequal = "!="
  case atMost = "<="
  case atLeast = ">="
  case less = "<"
  case greater = ">"
}

/// A value that is compared or given to a function.
enum QueryOperand: Sendable {
  case literal(QueryLiteral)
  /// The value that a query leads to, which is one at most.
  case query(Subquery)
  case call(QueryCall)
}

/// A value that stands in a query.
enum QueryLiteral: Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  case string(String)
}

/// A query within a filter.
struct Subquery: Sendable {
  /// Whether it begins at the value that the filter asks about, not at the root.
  let isRelative: Bool
  let segments: [QuerySegment]
}

/// A function and what it is called with.
struct QueryCall: Sendable {
  let function: QueryFunction
  let arguments: [QueryArgument]
}

/// What a function is called with.
enum QueryArgument: Sendable {
  case value(QueryOperand)
  case nodes(Subquery)
}
