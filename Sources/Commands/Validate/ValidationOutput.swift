// Where the results of `archtool validate` go, in the format that is wanted.

import Basics
import CommandLineInterface
import Rendering

/// Reports file by file, and sums up.
struct ValidationOutput {
  private let session: Session
  private let isFailingFast: Bool
  /// The report on standard output; nil for text.
  private let format: (any ValidationReportFormat)?
  private var summary = ValidationSummary()
  private var problem: ArchiveError?
  private var hasFailed = false
  /// Whether no schema was found for one of the files.
  private var lacksSchema = false

  init(_ session: Session) throws {
    self.session = session
    let arguments = session.arguments
    let limit = try arguments.integer(of: .maximumErrors) ?? 0
    isFailingFast = arguments.has(.failFast)
    let name = arguments.value(of: .validationFormat) ?? "text"
    if arguments.has(.structure), name != "json", name != "ndjson" {
      throw UsageError(
        "'--structure' needs '--format json' or '--format ndjson'", command: "validate")
    }
    let structure =
      OutputStructure(rawValue: arguments.value(of: .structure) ?? "basic") ?? .basic
    switch name {
    case "json": format = JSONReport(structure: structure, limit: limit)
    case "ndjson": format = JSONReport(structure: structure, isLines: true, limit: limit)
    case "sarif": format = SARIFReport(version: Version.number, limit: limit)
    case "junit": format = JUnitReport(limit: limit)
    default: format = nil
    }
  }

  /// Whether the inputs that are left need not be looked at.
  var isEnough: Bool { isFailingFast && hasFailed || problem != nil }

  /// Reports a file.
  mutating func add(_ file: ValidatedFile) {
    for message in file.messages { session.tell(message) }
    session.merge(file.status)
    if file.report.verdict != .valid { hasFailed = true }
    summary.add(file.report)
    guard format == nil else {
      do throws(ArchiveError) {
        try format?.add(file.report, to: &session.output)
      } catch {
        problem = error
      }
      return
    }
    for line in file.lines { session.tell(line) }
    if session.isQuiet { return }
    if file.report.diagnostics.contains(where: { $0.rule == FileReport.noSchema }) {
      lacksSchema = true
    }
    session.output.bytes.append(file.report.summary.escapedLine + "\n")
    session.output.flushIfFull()
  }

  /// Writes what is left of the report, and the summary of several files.
  mutating func finish() throws(ArchiveError) {
    if let problem { throw problem }
    try format?.finish(to: &session.output)
    if lacksSchema {
      session.say(
        "archtool: --schemas DIR names schemas of your own; --format-only checks the form alone")
    }
    guard summary.fileCount > 1 else { return }
    for line in summary.lines { session.say(line) }
  }
}
