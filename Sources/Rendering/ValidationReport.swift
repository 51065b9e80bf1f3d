// What validation found, for people and for programs.

import ObjectGraph
import PropertyLists
import Schemas

/// The result of validating one input.
public struct ValidationReport {
  /// The input's name.
  public let file: String
  /// The version that it was held against; nil if none fits.
  public let version: SchemaVersion?
  /// What does not fit.
  public let violations: [Violation]
  /// What fits, but not the class that decodes it.
  public let warnings: [Violation]
  /// Why no version was chosen.
  public let reason: String?
  /// What the input is, where its format alone was looked at.
  public let format: String?

  /// Makes a report.
  public init(file: String, _ result: Validation.Result) {
    self.file = file
    version = result.version
    violations = result.violations
    warnings = result.warnings
    reason = result.reason
    format = nil
  }

  /// Makes a report on an input that is well formed.
  public init(file: String, format: String) {
    self.file = file
    self.format = format
    (version, reason) = (nil, nil)
    (violations, warnings) = ([], [])
  }

  /// Whether the input fits.
  public var isValid: Bool { format != nil || version != nil && violations.isEmpty }

  /// The verdict in one line: `FILE: valid, WeatherFeed@v2`.
  public var verdict: String {
    if let format { return "\(file): valid, \(format)" }
    guard let version else { return "\(file): invalid, \(reason ?? "no known schema fits")" }
    if violations.isEmpty { return "\(file): valid, \(version.label)" }
    let count = violations.count == 1 ? "1 violation" : "\(violations.count) violations"
    return "\(file): invalid, \(version.label), \(count)"
  }

  /// A violation as it is written on standard error.
  public static func line(_ violation: Violation, file: String) -> String {
    ArchiveError(
      .malformed, violation.message, offset: violation.offset, path: violation.path
    ).line(file: file)
  }

  /// The warnings as they are written on standard error, at most `limit`, 0 for all.
  public func warningLines(limit: Int) -> [String] {
    (limit == 0 ? warnings[...] : warnings.prefix(limit)).map { warning in
      ArchiveError(
        .mismatch, warning.message, offset: warning.offset, path: warning.path
      ).line(file: file, severity: "warning")
    }
  }

  /// A line a problem; at most `limit` of them, 0 for all.
  public func lines(limit: Int) -> [String] {
    if version == nil, format == nil {
      return [ArchiveError(.malformed, reason ?? "no known schema fits").line(file: file)]
    }
    let shown = limit == 0 ? violations[...] : violations.prefix(limit)
    var lines = shown.map { Self.line($0, file: file) }
    if shown.count < violations.count {
      lines.append("\(file): \(violations.count - shown.count) more violations are not shown")
    }
    return lines
  }

  /// The result for programs.
  public func report(limit: Int) -> JSONTree {
    if let format {
      return .members([
        ("file", .string(file)), ("isValid", .boolean(true)), ("format", .string(format)),
      ])
    }
    return .members([
      ("file", .string(file)), ("isValid", .boolean(isValid)),
      ("schema", version.map { .string($0.label) } ?? .null),
      ("reason", reason.map { .string($0) } ?? .null),
      ("violationCount", .integer(violations.count)),
      ("violations", Self.list(violations, limit)), ("warnings", Self.list(warnings, limit)),
    ])
  }

  private static func list(_ violations: [Violation], _ limit: Int) -> JSONTree {
    let shown = limit == 0 ? violations[...] : violations.prefix(limit)
    return .list(
      shown.map { violation in
        .members([
          ("path", .string(violation.path)), ("rule", .string(violation.rule)),
          ("expected", .string(violation.expected)), ("found", .string(violation.found)),
          ("offset", violation.offset.map { .integer($0) } ?? .null),
        ])
      })
  }
}
