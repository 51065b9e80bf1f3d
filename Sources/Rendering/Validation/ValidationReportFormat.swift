// The formats in which a whole validation is reported.

import Basics

/// A report of many files under construction.
public protocol ValidationReportFormat: AnyObject {
  /// Adds a file.
  ///
  /// - Parameter output: where the report goes; formats that need all files first write nothing yet.
  func add(_ report: FileReport, to output: inout OutputBuffer) throws(ArchiveError)

  /// Writes what is left.
  func finish(to output: inout OutputBuffer) throws(ArchiveError)
}

/// How errors lie in the JSON of a report (JSON Schema Core 2020-12, section 12.4).
public enum OutputStructure: String, CaseIterable, Sendable {
  /// A flat list.
  case basic
  /// Nested as the schemas that did not fit.
  case detailed
}
