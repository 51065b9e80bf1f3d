// JSONPath (RFC 9535): a parsed query, before it is evaluated.

import Basics

/// A query, well-formed and valid.
///
/// Besides the functions of RFC 9535, there are some about features that JSON lacks: `class`, `isa`, `size`, `type`.
public struct JSONPath: Sendable, CustomStringConvertible {
  /// The query as written.
  public let description: String
  let segments: [QuerySegment]

  /// Parses and checks a query.
  ///
  /// - Throws: `ArchiveError` with code `malformed`, whose offset is a position in characters; `limit` if the query is
  ///   nested too deeply.
  public init(parsing text: String) throws(ArchiveError) {
    var parser = JSONPathParser(text)
    segments = try parser.parse()
    description = text
  }

  /// Whether the query has at most one result.
  public var isSingular: Bool { segments.isSingular }
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

/// A condition that a filter requires of a value.
indirect enum QueryCondition: Sendable {
  case any([QueryCondition])
  case all([QueryCondition])
  case not(QueryCondition)
  case comparison(QueryOperand, QueryComparison, QueryOperand)
  /// Whether a query has a result.
  case exists(Subquery)
  case function(QueryCall)
}

/// How two values are compared.
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
  case literal(QueryLiteral)
  /// The value of a query with at most one result.
  case query(Subquery)
  case call(QueryCall)
}

/// A literal value in a query.
enum QueryLiteral: Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  case string(String)
}

/// A query within a filter.
struct Subquery: Sendable {
  /// Whether it begins at the filter's current value, not at the root.
  let isRelative: Bool
  let segments: [QuerySegment]
}

/// A function and its arguments.
struct QueryCall: Sendable {
  let function: QueryFunction
  let arguments: [QueryArgument]
}

/// An argument of a function.
enum QueryArgument: Sendable {
  case value(QueryOperand)
  case nodes(Subquery)
}
