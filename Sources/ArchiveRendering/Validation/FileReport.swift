// The validation report of one input.

import ArchiveBasics
import ArchivePropertyLists
import ArchiveSchemas
import KeyedArchives

/// The result of validating one input.
package struct FileReport: Sendable {
  /// The verdict on an input.
  package enum Verdict: String, Sendable {
    /// The input fits its schema, or is well formed if only that was checked.
    case valid
    /// The input is well formed, and no known schema is for it.
    case noSchema
    /// The input can be read but is not valid.
    case invalid
    /// The input cannot be opened or decoded.
    case unreadable
  }

  /// The rule for a file without a known schema.
  package static let noSchema = "schema"

  /// The input's name.
  package let file: String
  /// The verdict.
  package let verdict: Verdict
  /// The version that it was validated against, or its format if only that was checked; nil if no version fits.
  package let label: String?
  /// The URI of the schema; nil if there is none.
  package let schema: String?
  /// What the input is, if no known schema is for it and none is required; nil otherwise.
  package private(set) var format: String?
  /// Why the version was chosen, or why none was.
  package let reason: String?
  /// What may help if there is no schema, such as the nearest version.
  private var hint: String?
  /// The errors, then the warnings.
  package private(set) var diagnostics: [Diagnostic]
  /// The least severity that makes the input invalid.
  package let threshold: Severity
  /// How many problems make the input invalid; `diagnostics` may contain fewer.
  package let errorCount: Int

  /// Makes a report on an input that was validated against a schema.
  ///
  /// - Parameters:
  ///   - faults: the findings of the checks of structure.
  ///   - format: what the input is, if it may be without a schema; nil if that is an error.
  ///   - includesDeprecated: whether values that the schema marks as deprecated are reported.
  ///   - threshold: the least severity that makes the input invalid.
  package init(
    file: String, _ result: ValidationOutcome, faults: [Diagnostic] = [],
    format: String? = nil, includesDeprecated: Bool = false, threshold: Severity = .error
  ) {
    self.file = file
    self.threshold = threshold
    label = result.version?.label
    schema = result.version?.schema.location
    reason = result.reason
    var found = result.violations
    if result.version == nil, format == nil {
      found.append(
        Diagnostic(rule: Self.noSchema, message: result.reason ?? "no known schema fits"))
    }
    let warnings = result.warnings.filter {
      includesDeprecated || $0.rule != Diagnostic.deprecation
    }
    found += faults + warnings
    diagnostics = Self.sorted(found)
    let failures = diagnostics.count { $0.severity >= threshold }
    errorCount = failures + result.violationCount - result.violations.count
    verdict = failures > 0 ? .invalid : result.version == nil ? .noSchema : .valid
    guard result.version == nil, let format else { return }
    self.format = format
    hint = result.hint
  }

  private init(
    _ file: String, _ verdict: Verdict, _ diagnostics: [Diagnostic], errorCount: Int,
    label: String? = nil, reason: String? = nil, threshold: Severity = .error
  ) {
    (self.file, self.verdict, self.label, self.reason) = (file, verdict, label, reason)
    (self.diagnostics, self.errorCount, self.threshold) = (diagnostics, errorCount, threshold)
    schema = nil
  }

  /// Makes a report on an input of which only the format was checked.
  package init(
    file: String, format: String, faults: [Diagnostic] = [], threshold: Severity = .error
  ) {
    let count = faults.count { $0.severity >= threshold }
    self.init(
      file, count > 0 ? .invalid : .valid, Self.sorted(faults), errorCount: count, label: format,
      threshold: threshold)
  }

  /// Makes a report on an input that cannot be read.
  package init(file: String, unreadable faults: [Diagnostic]) {
    self.init(file, .unreadable, faults, errorCount: faults.count { $0.severity == .error })
  }

  /// Makes a report on an input that can be read, but has nothing at the path that was to be checked.
  package init(file: String, missing fault: Diagnostic) {
    self.init(file, .invalid, [fault], errorCount: 1, reason: fault.message)
  }

  /// Errors before warnings and these before notes, each in the order in which they were found.
  private static func sorted(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    Severity.allCases.reversed().flatMap { severity in
      diagnostics.filter { $0.severity == severity }
    }
  }

  /// Whether the verdict is no reason to stop: nothing is wrong with the input.
  package var isAccepted: Bool { verdict == .valid || verdict == .noSchema }

  /// The problems that make the input invalid.
  package var failures: [Diagnostic] { diagnostics.filter { $0.severity >= threshold } }

  /// What does not make the input invalid.
  package var remarks: [Diagnostic] { diagnostics.filter { $0.severity < threshold } }

  /// The report for people: all unreachable objects are one warning, since there may be thousands.
  package var condensed: FileReport {
    let rule = Lint.unreachableObject.rawValue
    let count = diagnostics.count { $0.rule == rule }
    guard count > 1, let first = diagnostics.firstIndex(where: { $0.rule == rule }) else {
      return self
    }
    var rest = diagnostics.filter { $0.rule != rule }
    // Earlier ones belong to other rules, so the index is still valid.
    var representative = diagnostics[first]
    representative.message += ", the first of \(Counted.number(count)) such objects"
    rest.insert(representative, at: first)
    return with(rest)
  }

  /// The verdict in one line: `FILE: valid, WeatherFeed@v2 (envelope codable, 2 of 2 required members)`.
  package var summary: String { "\(file): \(conclusion)" }

  /// The verdict in one line for a terminal, with the color of what it means.
  package func summary(_ style: TerminalStyle) -> String {
    let (name, words) = (file.escapedLine, conclusion.escapedLine)
    guard style.isOn else { return "\(name): \(words)" }
    // What follows the first words explains them.
    let end = words.utf8.firstIndex { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "(") }
    var head = String(words[..<(end ?? words.endIndex)])
    let rest = String(words[(end ?? words.endIndex)...])
    let gap = head.hasSuffix(" ") ? String(head.removeLast()) : ""
    let styled =
      switch verdict {
      case .valid: style.green(head)
      case .noSchema: style.yellow(head)
      case .invalid, .unreadable: style.red(head)
      }
    return "\(name): \(styled)\(gap)\(rest)"
  }

  /// The verdict without the file.
  package var conclusion: String {
    switch verdict {
    case .unreadable:
      if diagnostics.first?.rule == ArchiveError.Code.cannotOpen.rule { return "cannot be opened" }
      return "cannot be decoded, \(Counted.text(errorCount, "fault"))"
    case .valid: return "valid, \(label ?? "")\(because)"
    case .noSchema:
      return "no schema (well-formed \(format ?? "file"))" + (hint.map { "; \($0)" } ?? "")
    case .invalid:
      if let format {
        return "invalid, no schema (\(format)), \(Counted.text(errorCount, "violation"))"
      }
      // The file itself has no problem.
      guard let label else {
        let missesValue = diagnostics.first?.rule == ArchiveError.Code.missingValue.rule
        return reason.map { missesValue ? "invalid, \($0)" : $0 } ?? "no known schema fits"
      }
      return "invalid, \(label)\(because), \(Counted.text(errorCount, "violation"))"
    }
  }

  /// The members for the report of a run: the schema, and the first violations.
  package var members: [(String, JSONTree)] {
    if verdict == .unreadable { return [] }
    let schema = ("schema", label.map { JSONTree.string($0) } ?? .null)
    if isAccepted { return [schema] }
    return [
      schema, ("violations", .list(failures.prefix(10).map(\.tree))),
      ("violationCount", .integer(errorCount)),
    ]
  }

  private var because: String { reason.map { " (\($0))" } ?? "" }

  /// The problems to show: at most `limit` that make the input invalid, and as many others; 0 for all.
  package func shown(limit: Int) -> (diagnostics: [Diagnostic], hidden: Int) {
    let listed = limit > 0 ? failures.prefix(limit) : failures[...]
    let others = limit > 0 ? remarks.prefix(limit) : remarks[...]
    return (Array(listed + others), errorCount - listed.count)
  }
}

extension FileReport {
  /// The same report, with the lines and extents of its problems in a text, none beyond the last byte.
  ///
  /// - Parameters:
  ///   - lines: nil for an input without lines.
  ///   - total: the size of the input in bytes.
  package func located(in lines: TextLines?, byteCount total: Int) -> FileReport {
    // Where a text cannot be read, no value begins.
    let isMeasured = verdict != .unreadable
    return with(
      diagnostics.map {
        $0.located(in: lines, isMeasured: isMeasured, byteCount: total)
      })
  }

  private func with(_ diagnostics: [Diagnostic]) -> FileReport {
    var copy = self
    copy.diagnostics = diagnostics
    return copy
  }
}

extension Diagnostic {
  /// The same problem with its line and its extent in a text; `total` is the size of the input in bytes.
  fileprivate func located(in text: TextLines?, isMeasured: Bool, byteCount total: Int)
    -> Diagnostic
  {
    var copy = self
    copy.isAtEnd = offset.map { $0 >= total } ?? false
    guard let text else { return copy }
    if isMeasured { copy = copy.measured(text.byteCount(at:)) }
    copy.line = offset.map(text.lines.line(at:))
    copy.position = offset.flatMap { text.positions?.position(at: $0) }
    return copy
  }
}

// MARK: - The end of a validation of several files: counts by file and by rule

/// Counts of a whole validation.
package struct ValidationSummary: Sendable {
  private static let mostFiles = 10

  private var verdicts: [FileReport.Verdict: Int] = [:]
  private var files: [(name: String, count: Int)] = []
  private var rules: [String: Int] = [:]

  /// Makes an empty summary.
  package init() {}

  /// How many files were checked.
  package var fileCount: Int { verdicts.values.reduce(0, +) }

  /// Counts a file.
  package mutating func add(_ report: FileReport) {
    verdicts[report.verdict, default: 0] += 1
    if !report.isAccepted { insert(report.file, report.errorCount) }
    for diagnostic in report.diagnostics { rules[diagnostic.rule, default: 0] += 1 }
  }

  /// Keeps the files with the most problems, so that memory does not grow with the number of files.
  private mutating func insert(_ name: String, _ count: Int) {
    let position = files.firstIndex { $0.count < count } ?? files.count
    guard position < Self.mostFiles else { return }
    files.insert((name, count), at: position)
    if files.count > Self.mostFiles { files.removeLast() }
  }

  /// The summary's lines.
  package var lines: [String] {
    let counts = [FileReport.Verdict.valid, .invalid, .unreadable].map {
      "\(verdicts[$0] ?? 0) \($0.rawValue)"
    }
    let unknown = verdicts[.noSchema] ?? 0
    let others = unknown > 0 ? ["\(unknown) without a schema"] : []
    var lines = ["\(Counted.text(fileCount, "file")): " + (counts + others).joined(separator: ", ")]
    let bad = fileCount - (verdicts[.valid] ?? 0) - unknown
    if bad > 0 {
      lines.append("by file:" + (bad > files.count ? " (the \(files.count) worst)" : ""))
      lines += files.map { "  \($0.count)  \($0.name)" }
    }
    if !rules.isEmpty {
      lines.append("by rule:")
      let sorted = rules.sorted { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }
      lines += sorted.map { "  \($0.value)  \($0.key)" }
    }
    return lines
  }
}

// MARK: - Describes the rules of a report, in a sentence each

enum RuleDescription {
  /// The description of the rule that a problem violates.
  static func text(of diagnostic: Diagnostic) -> String {
    if diagnostic.isLint, let lint = Lint(rawValue: diagnostic.rule) {
      return lint.explanation.prefix(1).uppercased() + lint.explanation.dropFirst()
        + (lint.explanation.hasSuffix(".") ? "" : ".")
    }
    if diagnostic.rule == ArchiveError.Code.missingValue.rule {
      return "The path of --at leads to data in the file."
    }
    if diagnostic.expectation == nil { return "The file can be read and a schema fits it." }
    switch diagnostic.rule {
    case "error-payload": return "The archive has the model, not an error of a service."
    case "x-archive": return "The archive has the envelope and the class that its schema names."
    case "x-plist-type": return "The value has the property list type that its schema names."
    case "x-class": return "The object is of the class that its schema names, or derives from it."
    case "x-classes": return "The object's superclasses are those that its schema names."
    case "x-storage": return "The object stores the value as its schema says: inline or boxed."
    case "x-archived": return "The data has the archive that its schema names."
    case "x-mutable": return "The object is mutable, or not, as its schema says."
    case "uniqueKeys": return "No key is repeated."
    case "cycle": return "No value contains itself."
    case Diagnostic.deprecation: return "No value is present that the schema marks as deprecated."
    case "coercion": return "The class decodes the value with the method for its type."
    default: return "The value fits the keyword '\(diagnostic.rule)' of its schema."
    }
  }
}
