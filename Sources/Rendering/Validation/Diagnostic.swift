// One thing that is wrong with a file, whatever found it: a schema, a check of structure, or a reader.

import Basics
import KeyedArchives
import PropertyLists
import Schemas

/// A problem of a file as reports tell it.
public struct Diagnostic: Sendable, Equatable {
  /// What was violated: a keyword, the name of a lint, or the code of an error.
  public let rule: String
  /// Whether the rule is a lint, which has a line of documentation.
  public let isLint: Bool
  /// How much it matters.
  public let severity: Severity
  /// The problem in one line.
  public private(set) var message: String
  /// The place in the graph, nil where it is not known.
  public let path: String?
  /// The byte offset in the input, nil where it is not known.
  public let offset: Int?
  /// How many bytes it is about, nil where that is not known.
  public private(set) var byteCount: Int?
  /// The violation that it tells of; nil if it is none of a schema.
  public private(set) var violation: Violation?
  /// The line of a text that it is about, from 1; nil for binary files.
  public private(set) var line: Int?
  /// The line and column, for messages about a text.
  public private(set) var position: TextPosition?
  /// Whether it is about the end of the file, where no byte stands.
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

  /// What keeps a file from being read.
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

  /// What a check of structure found.
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

  /// The same problem with its line and its extent in a text; `total` is how many bytes the input has.
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

  /// The same problem, which stands for several of its kind.
  func first(of count: Int) -> Diagnostic {
    var copy = self
    copy.message += ", the first of \(Counted.number(count)) such objects"
    return copy
  }

  /// The problem as an object.
  var tree: JSONTree {
    .problem(("rule", rule), message, offset: offset, path: path)
  }

  /// The problem as it is written on standard error: `FILE:OFFSET: error: MESSAGE (at PATH)`, or `FILE:LINE:COLUMN: …`.
  public func line(file: String) -> String {
    let name = isLint ? "\(message) [\(rule)]" : message
    return severity.line(
      file: file, position: position, offset: offset, message: name, path: path)
  }
}
