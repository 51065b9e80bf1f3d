// One problem in a file, found by a schema, a check of structure, or a reader.

import Basics
import KeyedArchives
import PropertyLists
import Schemas

/// A problem in a file, as reports show it.
public struct Diagnostic: Sendable, Equatable {
  /// The rule that was violated: a keyword, the name of a lint, or the code of an error.
  public let rule: String
  /// Whether the rule is a lint, which has a line of documentation.
  public let isLint: Bool
  /// Its severity.
  public let severity: Severity
  /// The problem in one line.
  public private(set) var message: String
  /// The path in the graph; nil if it is unknown.
  public let path: String?
  /// The byte offset in the input; nil if it is unknown.
  public let offset: Int?
  /// How many bytes it concerns; nil if that is unknown.
  public private(set) var byteCount: Int?
  /// The violation of a schema that it reports; nil if it is another problem.
  public private(set) var violation: Violation?
  /// The line of a text that it concerns, from 1; nil for binary files.
  public private(set) var line: Int?
  /// The line and column, for messages about a text.
  public private(set) var position: TextPosition?
  /// Whether it concerns the end of the file, where there is no byte.
  public private(set) var isAtEnd = false

  /// A violation of a schema.
  public init(_ violation: Violation, severity: Severity = .error) {
    rule = violation.rule
    isLint = false
    self.severity = severity
    message = violation.message
    path = violation.path
    offset = violation.offset
    byteCount = violation.byteCount
    position = violation.position
    self.violation = violation
  }

  /// An error that prevents a file from being read.
  public init(_ error: ArchiveError, severity: Severity = .error) {
    rule = error.code.rule
    isLint = false
    self.severity = severity
    message = error.message
    path = error.path
    offset = error.offset
    position = error.position
    byteCount = nil
    violation = nil
  }

  /// A problem of a whole file.
  public init(rule: String, message: String) {
    self.rule = rule
    isLint = false
    severity = .error
    self.message = message
    (path, offset, byteCount, violation) = (nil, nil, nil, nil)
  }

  /// A finding of a check of structure.
  public init(_ finding: IntegrityFinding) {
    rule = finding.lint.rawValue
    isLint = true
    severity = finding.lint.isAdvisory ? .warning : .error
    message = finding.message
    path = finding.path
    offset = finding.offset
    byteCount = finding.byteCount
    violation = nil
  }

  /// The same problem with its line and its extent in a text; `total` is the size of the input in bytes.
  func located(in text: TextLines?, isMeasured: Bool, byteCount total: Int) -> Diagnostic {
    var copy = self
    copy.isAtEnd = offset.map { $0 >= total } ?? false
    guard let text else { return copy }
    copy.line = offset.map(text.line(at:))
    copy.position = offset.flatMap(text.position(at:))
    guard isMeasured else { return copy }
    copy.byteCount = byteCount ?? offset.flatMap(text.byteCount(at:))
    copy.violation = violation?.measured(text.byteCount(at:))
    return copy
  }

  /// The same problem, as a representative of several of its kind.
  func first(of count: Int) -> Diagnostic {
    var copy = self
    copy.message += ", the first of \(Counted.number(count)) such objects"
    return copy
  }

  /// The problem as an object.
  var tree: JSONTree {
    .problem(("rule", rule), message, offset: offset, path: path)
  }

  /// The line for standard error: `FILE:OFFSET: error: MESSAGE (at PATH)`, or `FILE:LINE:COLUMN: …`.
  public func line(file: String) -> String {
    let name = isLint ? "\(message) [\(rule)]" : message
    return severity.line(
      file: file, position: position, offset: offset, message: name, path: path)
  }
}
