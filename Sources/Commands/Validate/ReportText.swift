// The report on a file as lines for people.

import Basics
import CommandLineInterface
import KeyedArchives
import ObjectGraph
import PropertyLists
import Rendering

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

  /// Whether offsets refer to the bytes of another file than this one.
  private var isCompressed: Bool {
    graph?.inflated != nil || Formats.isCompressed(storage.bytes)
  }

  /// A report with the lines of a text and the extents of its values.
  func located(_ report: FileReport) -> FileReport {
    guard !report.diagnostics.isEmpty, !isCompressed else { return report }
    let lines = textFormat.map { TextLines(of: storage.bytes, format: $0) }
    return report.located(in: lines, byteCount: storage.bytes.count)
  }
}

/// Writes reports as lines.
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
      let line = diagnostic.line(file: report.file)
      lines.append(diagnostic.severity == .error ? .error(line) : .warning(line))
      if let excerpt { lines += excerpt.lines(for: diagnostic).map { .shown($0) } }
    }
    if hidden > 0 {
      let count = Counted.text(hidden, "more violation")
      lines.append(
        .error("\(report.file): \(count) \(hidden == 1 ? "is" : "are") not shown"))
    }
    return lines
  }
}
