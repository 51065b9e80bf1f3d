// Results for other programs: the output structures of JSON Schema 2020-12, one unit per file, with archtool's own
// members in addition to the standard ones, which Core section 12 allows.

import ArchiveBasics
import ArchivePropertyLists

/// A report in JSON: one document of all files, or a line for each.
final class JSONReport: ValidationReportFormat {
  private let options: ReportFormat.Options
  private let isLines: Bool
  private var units: [JSONTree] = []

  /// - Parameter isLines: whether each file is a separate line (NDJSON).
  init(_ options: ReportFormat.Options, isLines: Bool = false) {
    self.options = options
    self.isLines = isLines
  }

  /// Adds a file; a separate line is written immediately.
  func add(
    _ report: FileReport, to output: inout OutputBuffer
  ) throws(ArchiveError) {
    guard isLines else { return units.append(unit(of: report)) }
    try unit(of: report).write(isCompact: true, to: &output)
    // A reader of the lines need not wait for the next file.
    output.flush()
  }

  func finish(to output: inout OutputBuffer) throws(ArchiveError) {
    if !isLines { try JSONTree.list(units).write(to: &output) }
  }

  // MARK: Units

  private func unit(of report: FileReport) -> JSONTree {
    let (shown, _) = report.shown(limit: options.limit)
    func list(_ severity: Severity) -> JSONTree {
      .list(shown.filter { $0.severity == severity }.flatMap(units))
    }
    return .members(present: [
      "file": .string(report.file.shownPath), "valid": .boolean(report.isAccepted),
      "verdict": .string(report.verdict.rawValue), "schema": JSONTree(report.label),
      "reason": JSONTree(report.reason), "keywordLocation": "",
      "absoluteKeywordLocation": report.schema.map { .string($0) },
      "instanceLocation": "", "errorCount": .integer(report.errorCount),
      "errors": list(.error), "warnings": list(.warning),
      "notes": shown.contains { $0.severity == .note } ? list(.note) : nil,
    ])
  }

  private func units(of diagnostic: Diagnostic) -> [JSONTree] {
    let expectation = diagnostic.expectation
    let isFlat = options.structure == .basic
    let branches = isFlat ? [] : expectation.map(branches) ?? []
    let unit = JSONTree.members(present: [
      // A warning does not make a file invalid.
      "valid": .boolean(diagnostic.severity != .error),
      "keywordLocation": .string(expectation?.keywordLocation ?? ""),
      "absoluteKeywordLocation": expectation.map { .string($0.absoluteKeywordLocation) },
      "instanceLocation": .string(expectation?.instanceLocation ?? ""),
      "error": .string(diagnostic.message), "rule": .string(diagnostic.rule),
      "path": JSONTree(diagnostic.path?.description), "offset": JSONTree(diagnostic.offset),
      "length": JSONTree(diagnostic.byteCount),
      "expected": expectation.map { .string($0.expected) },
      "found": expectation.map { .string($0.found) },
      "errors": branches.isEmpty ? nil : .list(branches),
    ])
    guard isFlat, let expectation else { return [unit] }
    return [unit] + expectation.causes.flatMap { units(of: $0) }
  }

  /// The causes, grouped by schema; a schema with several causes becomes a separate unit (Core section 12.4.3).
  private func branches(of expectation: Expectation) -> [JSONTree] {
    var order: [String] = []
    var branches: [String: [Diagnostic]] = [:]
    for cause in expectation.causes {
      let location = cause.expectation?.keywordLocation ?? ""
      let rest = location.dropFirst(expectation.keywordLocation.count + 1)
      let branch = expectation.keywordLocation + "/" + rest.prefix { $0 != "/" }
      if branches[branch] == nil { order.append(branch) }
      branches[branch, default: []].append(cause)
    }
    return order.flatMap { branch -> [JSONTree] in
      let errors = (branches[branch] ?? []).flatMap { units(of: $0) }
      guard errors.count > 1 else { return errors }
      return [
        [
          "valid": false, "keywordLocation": .string(branch),
          "instanceLocation": .string(expectation.instanceLocation), "errors": .list(errors),
        ]
      ]
    }
  }
}
