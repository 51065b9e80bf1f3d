// The table of report formats for validation.

import ArchiveBasics

/// A report format: its name, and a function that makes a report.
package struct ReportFormat: Sendable {
  /// The options of a report.
  package struct Options: Sendable {
    /// The structure of errors in JSON.
    package var structure = OutputStructure.basic
    /// How many errors of a file are written, 0 for all.
    package var limit = 0
    /// The version of the program.
    package var version = ""

    /// The options of a complete report.
    package init() {}
  }

  /// The name, as used with `--format`.
  package let name: String
  /// Its description, for the manual page.
  package let meaning: String
  /// Whether errors may be nested like the schemas.
  package var hasStructure = false
  /// Makes an empty report.
  package let make: @Sendable (Options) -> any ValidationReportFormat

  /// All formats of reports for programs.
  package static let all = [
    ReportFormat(
      name: "json",
      meaning:
        """
        An array with an output unit of JSON Schema 2020-12 for each file. With --structure \
        basic the errors of a file are a flat list, with detailed they are nested as the schemas \
        that did not fit.
        """,
      hasStructure: true
    ) { JSONReport($0) },
    ReportFormat(
      name: "ndjson",
      meaning:
        """
        The same units, each on a line as soon as its file is done.
        """,
      hasStructure: true
    ) { JSONReport($0, isLines: true) },
    ReportFormat(
      name: "sarif",
      meaning:
        """
        A log in SARIF 2.1.0 with one run, for code scanning. A region has byteOffset and \
        byteLength; its startLine, which code scanning asks for, is 1 where lines are not known, \
        as in binary files. The path in the graph is a logical location, and the places in \
        schema and instance are properties.
        """
    ) { SARIFReport($0) },
    ReportFormat(
      name: "junit",
      meaning:
        """
        JUnit XML with a test case for each file, for dashboards: the schema is its class name, \
        a file that is invalid a failure, one that is unreadable an error.
        """
    ) { JUnitReport($0) },
    ReportFormat(
      name: "github",
      meaning:
        """
        Workflow commands of GitHub Actions, ::error and ::warning, each with the file, its line \
        and column where it is a text, and the rule as its title.
        """
    ) { WorkflowReport($0) },
  ]

  /// The format with a name; nil for text, which is not one of them.
  package static func named(_ name: String) -> ReportFormat? { all.first { $0.name == name } }
}

// MARK: - The report formats for a whole validation

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
