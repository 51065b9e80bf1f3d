// The report formats for a whole validation.

import Basics

/// A report of many files under construction.
package protocol ValidationReportFormat: AnyObject {
  /// Adds a file.
  ///
  /// - Parameter output: the destination of the report; formats that need all files first write nothing yet.
  func add(_ report: FileReport, to output: inout OutputBuffer) throws(ArchiveError)

  /// Writes the remaining part.
  func finish(to output: inout OutputBuffer) throws(ArchiveError)
}

/// The structure of errors in a JSON report (JSON Schema Core 2020-12, section 12.4).
package enum OutputStructure: String, CaseIterable, Sendable {
  /// A flat list.
  case basic
  /// Nested like the schemas that failed.
  case detailed
}
