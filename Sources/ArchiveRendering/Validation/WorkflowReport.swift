// Results as GitHub workflow commands; GitHub shows each problem beside the file.

import ArchiveBasics

/// A report in workflow commands: `::error file=Movie,title=required::missing required member`.
///
/// The syntax is that of "Workflow commands for GitHub Actions": `%`, carriage returns and line feeds are encoded in
/// messages, and colons and commas in properties too. A binary file has no lines, so its message includes the location.
final class WorkflowReport: ValidationReportFormat {
  private let limit: Int

  init(_ options: ReportFormat.Options) { limit = options.limit }

  func add(
    _ report: FileReport, to output: inout OutputBuffer
  ) throws(ArchiveError) {
    let (shown, hidden) = report.shown(limit: limit)
    for diagnostic in shown {
      var properties = [("file", report.file.shownPath)]
      if let position = diagnostic.position {
        properties += [("line", "\(position.line)"), ("col", "\(position.column)")]
      } else if let line = diagnostic.line {
        properties.append(("line", "\(line)"))
      }
      properties.append(("title", diagnostic.rule))
      let line = diagnostic.line(file: report.file).escapedLine
      let command = diagnostic.severity == .note ? "notice" : diagnostic.severity.rawValue
      output.bytes.append(Self.command(command, properties, line))
    }
    if report.verdict == .noSchema {
      let properties = [("file", report.file.shownPath), ("title", FileReport.noSchema)]
      output.bytes.append(Self.command("notice", properties, report.summary.escapedLine))
    }
    if hidden > 0 {
      let message = "\(Counted.text(hidden, "more violation")) of \(report.file.escapedLine)"
      output.bytes.append(Self.command("notice", [("file", report.file.shownPath)], message))
    }
    output.flushIfFull()
  }

  /// Does nothing, because no output remains.
  func finish(to output: inout OutputBuffer) throws(ArchiveError) {}

  private static func command(
    _ name: String, _ properties: [(String, String)], _ message: String
  ) -> String {
    let list = properties.map { "\($0)=\(encoded($1, ":,"))" }.joined(separator: ",")
    return "::\(name) \(list)::\(encoded(message, ""))\n"
  }

  private static func encoded(_ text: String, _ more: String) -> String {
    text.escaping {
      ("%\r\n" + more).unicodeScalars.contains($0)
        ? "%" + String($0.value, radix: 16, width: 2, uppercase: true) : nil
    }
  }
}
