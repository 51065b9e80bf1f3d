// Results for the dashboards of continuous integration: JUnit XML, one test case per file.

import ArchiveBasics

final class JUnitReport: ValidationReportFormat {
  private let limit: Int
  private var cases: [String] = []
  private var failures = 0
  private var errors = 0
  private var skipped = 0

  init(_ options: ReportFormat.Options) { limit = options.limit }

  func add(
    _ report: FileReport, to output: inout OutputBuffer
  ) throws(ArchiveError) {
    let schema = report.label ?? "no schema"
    var lines = [
      "    <testcase classname=\(Self.quoted(schema)) name=\(Self.quoted(report.file))>"
    ]
    let (shown, hidden) = report.shown(limit: limit)
    var text = shown.filter { $0.severity >= report.threshold }.map { $0.line(file: report.file) }
    if hidden > 0 { text.append("\(hidden) more are not shown") }
    switch report.verdict {
    case .valid: break
    case .noSchema:
      skipped += 1
      lines.append(
        "      <skipped type=\"\(FileReport.noSchema)\" message=\(Self.quoted(report.conclusion))/>"
      )
    case .invalid:
      failures += 1
      lines.append(Self.element("failure", report, text))
    case .unreadable:
      errors += 1
      lines.append(Self.element("error", report, text))
    }
    let remarks = shown.filter { $0.severity < report.threshold }.map { $0.line(file: report.file) }
    if !remarks.isEmpty {
      let text = Self.escaped(remarks.joined(separator: "\n"))
      lines.append("      <system-err>\(text)</system-err>")
    }
    cases.append(lines.joined(separator: "\n") + "\n    </testcase>\n")
  }

  func finish(to output: inout OutputBuffer) throws(ArchiveError) {
    let counts = "tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"\(errors)\""
    output.bytes.append(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="archtool" \(counts)>
        <testsuite name="archtool validate" \(counts) skipped="\(skipped)">

      """)
    for text in cases {
      output.bytes.append(text)
      output.flushIfFull()
    }
    output.bytes.append("  </testsuite>\n</testsuites>\n")
  }

  /// A failure or an error: the first problem is its message, all problems are its text.
  private static func element(_ name: String, _ report: FileReport, _ lines: [String]) -> String {
    let first = report.failures.first
    return
      "      <\(name) type=\(quoted(first?.rule ?? name)) message=\(quoted(report.summary))>"
      + escaped(lines.joined(separator: "\n")) + "</\(name)>"
  }

  private static func quoted(_ text: String) -> String { "\"" + escaped(text) + "\"" }

  private static func escaped(_ text: String) -> String { XMLText.escaped(text.shownPath) }
}

enum XMLText {
  /// Character data of XML 1.0; characters that XML does not allow are escaped as for terminals.
  static func escaped(_ text: String) -> String {
    text.escaping { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "\n": "&#10;"
      case "\t": "&#9;"
      case "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
      default: scalar.escapedForTerminal
      }
    }
  }
}
