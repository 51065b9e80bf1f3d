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
    return .members(
      [
        ("file", .string(report.file.shownPath)), ("valid", .boolean(report.isAccepted)),
        ("verdict", .string(report.verdict.rawValue)),
        ("schema", report.label.map { .string($0) } ?? .null),
        ("reason", report.reason.map { .string($0) } ?? .null),
        ("keywordLocation", .string("")),
        ("absoluteKeywordLocation", report.schema.map { .string($0) } ?? .null),
        ("instanceLocation", .string("")), ("errorCount", .integer(report.errorCount)),
        ("errors", list(.error)), ("warnings", list(.warning)), ("notes", list(.note)),
      ].filter { name, _ in
        switch name {
        case "absoluteKeywordLocation": report.schema != nil
        case "notes": shown.contains { $0.severity == .note }
        default: true
        }
      })
  }

  private func units(of diagnostic: Diagnostic) -> [JSONTree] {
    // A warning does not make a file invalid.
    let isError = diagnostic.severity == .error
    guard let expectation = diagnostic.expectation else {
      let location: [(String, JSONTree)] = [
        ("valid", .boolean(!isError)), ("keywordLocation", .string("")),
        ("instanceLocation", .string("")), ("error", .string(diagnostic.message)),
      ]
      return [.members(location + own(diagnostic))]
    }
    let members: [(String, JSONTree)] =
      [
        ("valid", .boolean(!isError)), ("keywordLocation", .string(expectation.keywordLocation)),
        ("absoluteKeywordLocation", .string(expectation.absoluteKeywordLocation)),
        ("instanceLocation", .string(expectation.instanceLocation)),
        ("error", .string(diagnostic.message)),
      ] + own(diagnostic)
      + [("expected", .string(expectation.expected)), ("found", .string(expectation.found))]
    if options.structure == .basic {
      return [.members(members)] + expectation.causes.flatMap { units(of: $0) }
    }
    let branches = branches(of: expectation)
    return [.members(branches.isEmpty ? members : members + [("errors", .list(branches))])]
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
        .members([
          ("valid", .boolean(false)), ("keywordLocation", .string(branch)),
          ("instanceLocation", .string(expectation.instanceLocation)), ("errors", .list(errors)),
        ])
      ]
    }
  }

  /// The members that archtool adds.
  private func own(_ diagnostic: Diagnostic) -> [(String, JSONTree)] {
    [
      ("rule", .string(diagnostic.rule)),
      ("path", diagnostic.path.map { .string($0.description) } ?? .null),
      ("offset", diagnostic.offset.map { .integer($0) } ?? .null),
      ("length", diagnostic.byteCount.map { .integer($0) } ?? .null),
    ]
  }
}
