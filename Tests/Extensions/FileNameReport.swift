// Results as names of files, one per line. A report, added according to CONTRIBUTING.

import ArchiveBasics

/// A report of the files that do not fit.
final class FileNameReport: ValidationReportFormat {
  func add(_ report: FileReport, to output: inout OutputBuffer) throws(ArchiveError) {
    if report.verdict != .valid { output.bytes.append("\(report.file.shownPath)\n") }
  }

  func finish(to output: inout OutputBuffer) throws(ArchiveError) {}
}
