// Writes the results of `archtool validate` in the selected format.

import ArchiveBasics
import ArchiveBatches
import ArchiveGraph
import ArchivePropertyLists
import ArchiveRendering
import CommandLineInterface
import KeyedArchives

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
    isFailingFast = arguments.has(.failFast)
    let row = arguments.value(of: .validationFormat).flatMap(ReportFormat.named)
    if arguments.has(.structure), row?.hasStructure != true {
      let names = ReportFormat.all.filter(\.hasStructure).map { "'--format \($0.name)'" }
      throw UsageError("'--structure' needs \(names.joined(separator: " or "))")
    }
    var options = ReportFormat.Options()
    options.structure = arguments.choice(of: .structure) ?? .basic
    options.limit = try arguments.integer(of: .maximumErrors) ?? 0
    options.version = Version.number
    format = row?.make(options)
  }

  /// Whether the remaining files need not be reported.
  private var shouldStop: Bool { isFailingFast && hasFailed || problem != nil }

  /// Reports a file, or the archives in one.
  ///
  /// - Returns: the entries to count and to add to the report of the run.
  mutating func add(_ files: [ValidatedFile]) -> [BatchEntry] {
    var entries: [BatchEntry] = []
    for file in files where !shouldStop {
      add(file)
      entries.append(BatchEntry(file))
    }
    return entries
  }

  private mutating func add(_ file: ValidatedFile) {
    for message in file.messages { session.post(message) }
    session.merge(file.status)
    if !file.report.isAccepted { hasFailed = true }
    summary.add(file.report)
    guard format == nil else {
      do throws(ArchiveError) {
        try format?.add(file.report, to: &session.output)
      } catch {
        problem = error
      }
      return
    }
    for line in file.lines { session.post(line) }
    if session.isQuiet { return }
    if file.report.verdict == .noSchema
      || file.report.diagnostics.contains(where: { $0.rule == FileReport.noSchema })
    {
      lacksSchema = true
    }
    session.output.bytes.append(file.report.summary(session.outputStyle) + "\n")
    session.output.flushIfFull()
  }

  /// Writes the remaining part of the report, and the summary of several files.
  mutating func finish() throws(ArchiveError) {
    if let problem { throw problem }
    try format?.finish(to: &session.output)
    if lacksSchema {
      // Advice that conflicts with the given options is left out.
      var advice: [String] = []
      if !session.arguments.has(.schemaFolders) {
        advice.append("--schemas DIR names your schemas")
      }
      if !isFormOnlyExcluded { advice.append("--format-only checks the form alone") }
      if !advice.isEmpty { session.printNote("archtool: " + advice.joined(separator: "; ")) }
    }
    guard summary.fileCount > 1 else { return }
    for line in summary.lines { session.printNote(line) }
  }

  private var isFormOnlyExcluded: Bool {
    let arguments = session.arguments
    return arguments.command.rules.contains { rule in
      guard case .exclusive(let options) = rule, options.contains(.formatOnly) else { return false }
      return options.contains(where: arguments.has)
    }
  }
}

extension OutputStructure: OptionChoice {}

extension BatchEntry {
  init(_ file: ValidatedFile) {
    let report = file.report
    // What is unreadable has failed; the other verdicts are outcomes by the same names.
    self.init(
      file: report.file, outcome: BatchOutcome(rawValue: report.verdict.rawValue) ?? .failed,
      summary: report.conclusion, bytes: file.byteCount, error: file.error)
    members = { report.members }
  }
}

// MARK: - The report on a file as lines for people

/// An opened input, for excerpts and lines.
struct ExaminedBytes {
  let storage: ByteStorage
  /// The graph of the input; nil if it could not be read.
  let graph: ObjectGraph?
  /// The root of the model that was validated; nil if none was.
  var model: Node?

  /// The format of the bytes, if they are lines of text.
  private var textFormat: (any PropertyListFormat.Type)? {
    let encoding = graph?.documents[0].encoding ?? Formats.all.detect(storage.bytes).encoding
    return encoding.flatMap { $0.isText ? Formats.all[$0] : nil }
  }

  /// Whether the lines of the file are not those of the text in it.
  private var isWrapped: Bool {
    if let graph { return !graph.wrappings.isEmpty }
    guard case .wrapped = Formats.all.detect(storage.bytes) else { return false }
    return true
  }

  /// A report with the lines of a text and the extents of its values.
  func located(_ report: FileReport) -> FileReport {
    guard !report.diagnostics.isEmpty, !isWrapped else { return report }
    let lines = textFormat.map { TextLines(of: storage.bytes, format: $0) }
    return report.located(in: lines, byteCount: storage.bytes.count)
  }
}

struct ReportText {
  private let limit: Int
  private let isExplaining: Bool
  private let isQuiet: Bool

  /// The report as text; nil if the options select another format.
  init?(_ arguments: ParsedArguments) throws {
    guard arguments.value(of: .validationFormat).flatMap(ReportFormat.named) == nil else {
      return nil
    }
    limit = try arguments.integer(of: .maximumErrors) ?? 0
    isExplaining = arguments.has(.explain)
    isQuiet = arguments.has(.quiet)
  }

  /// The lines on standard error.
  func lines(of report: FileReport, _ examined: ExaminedBytes?) -> [MessageLine] {
    let report = report.condensed
    let (shown, hidden) = report.shown(limit: limit)
    let excerpt = examined.flatMap { examined -> ValueExcerpt? in
      guard isExplaining, let graph = examined.graph else { return nil }
      return ValueExcerpt(of: examined.model ?? graph.root, in: graph)
    }
    var lines: [MessageLine] = []
    // For a file without a schema, the verdict already contains this.
    for diagnostic in shown where diagnostic.rule != FileReport.noSchema || isQuiet {
      lines.append(.problem(diagnostic.line(file: report.file)))
      if let excerpt { lines += excerpt.lines(for: diagnostic).map { .shown($0) } }
    }
    if hidden > 0 {
      let count = Counted.text(hidden, "more violation")
      lines.append(
        .problem("\(report.file): \(count) \(hidden == 1 ? "is" : "are") not shown"))
    }
    return lines
  }
}
