// Where the results of `archtool validate` go, in the format that is wanted.

import CommandLineInterface
import KeyedArchives
import ObjectGraph
import PropertyLists
import Rendering
import Schemas

/// An input that could be opened, for excerpts and lines.
struct Examined {
  let storage: ByteStorage
  /// What was read from it; nil if nothing could be.
  let graph: ObjectGraph?

  /// How the bytes are written, if they are lines of a text.
  var textEncoding: Encoding? {
    if let encoding = graph?.documents[0].encoding {
      return [.xmlPropertyList, .json, .openStepPropertyList].contains(encoding) ? encoding : nil
    }
    switch Sniffing.sniff(storage.bytes) {
    case .xml: return .xmlPropertyList
    case .json: return .json
    case .openStep: return .openStepPropertyList
    default: return nil
    }
  }

  /// Whether offsets count the bytes of another file than this one.
  var isCompressed: Bool {
    graph?.inflated != nil || Sniffing.sniff(storage.bytes) == .gzip
  }
}

/// Reports file by file, and sums up.
struct ValidationOutput {
  private let session: Session
  private let limit: Int
  private let isExplaining: Bool
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
    limit = try arguments.integer(of: .maximumErrors) ?? 0
    isExplaining = arguments.has(.explain)
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
  mutating func add(_ report: FileReport, _ examined: Examined?) {
    if report.verdict != .valid { hasFailed = true }
    summary.add(report)
    guard format != nil else { return show(report, examined) }
    do throws(ArchiveError) {
      try format?.add(located(report, examined), to: &session.output)
    } catch {
      problem = error
    }
  }

  /// The report with the lines of a text and the extents of its values.
  private func located(_ report: FileReport, _ examined: Examined?) -> FileReport {
    guard let examined, !report.diagnostics.isEmpty, !examined.isCompressed else { return report }
    let bytes = examined.storage.bytes
    let lines = examined.textEncoding.map { TextLines(of: bytes, encoding: $0) }
    return report.located(in: lines, byteCount: bytes.count)
  }

  private mutating func show(_ report: FileReport, _ examined: Examined?) {
    let report = located(report, examined).condensed
    let (shown, hidden) = report.shown(limit: limit)
    let excerpt = examined.flatMap { examined -> ValueExcerpt? in
      guard isExplaining, let graph = examined.graph else { return nil }
      return ValueExcerpt(of: UnwrappedModel(graph)?.root ?? graph.root, in: graph)
    }
    for diagnostic in shown {
      // The verdict says the same.
      if diagnostic.rule == FileReport.noSchema, !session.isQuiet {
        lacksSchema = true
        continue
      }
      let line = diagnostic.line(file: report.file)
      if diagnostic.severity == .error { session.complain(line) } else { session.warn(line) }
      guard let excerpt, let violation = diagnostic.violation else { continue }
      for line in excerpt.lines(for: violation) { session.show(line) }
    }
    if hidden > 0 {
      let count = Counted.text(hidden, "more violation")
      session.complain("\(report.file): \(count) \(hidden == 1 ? "is" : "are") not shown")
    }
    if session.isQuiet { return }
    session.output.bytes.append(report.summary.escapedLine + "\n")
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
