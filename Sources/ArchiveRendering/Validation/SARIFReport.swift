// Results for code scanning: SARIF 2.1.0 (OASIS, Static Analysis Results Interchange Format).

import ArchiveBasics
import ArchivePropertyLists

final class SARIFReport: ValidationReportFormat {
  private let options: ReportFormat.Options
  private var results: [JSONTree] = []
  /// What code scanning shows as facts about the run: a file without a schema has no problem.
  private var notifications: [JSONTree] = []
  private var rules: [(id: String, description: String)] = []
  private var ruleNumbers: [String: Int] = [:]
  private var isSuccessful = true

  init(_ options: ReportFormat.Options) { self.options = options }

  func add(
    _ report: FileReport, to output: inout OutputBuffer
  ) throws(ArchiveError) {
    if report.verdict == .unreadable { isSuccessful = false }
    if report.verdict == .noSchema { notifications.append(notification(report)) }
    for diagnostic in report.shown(limit: options.limit).diagnostics {
      results.append(result(diagnostic, report))
    }
  }

  func finish(to output: inout OutputBuffer) throws(ArchiveError) {
    let driver: JSONTree = .members([
      ("name", .string("archtool")), ("semanticVersion", .string(options.version)),
      (
        "rules",
        .list(
          rules.map { rule in
            .members([
              ("id", .string(rule.id)),
              ("shortDescription", .members([("text", .string(rule.description))])),
            ])
          })
      ),
    ])
    let run: JSONTree = .members([
      ("tool", .members([("driver", driver)])),
      ("invocations", .list([.members(invocation)])),
      // Offsets count bytes; columns are not included.
      ("results", .list(results)),
    ])
    try JSONTree.members([
      ("$schema", .string("https://json.schemastore.org/sarif-2.1.0.json")),
      ("version", .string("2.1.0")), ("runs", .list([run])),
    ]).write(to: &output)
  }

  private var invocation: [(String, JSONTree)] {
    let success: [(String, JSONTree)] = [("executionSuccessful", .boolean(isSuccessful))]
    if notifications.isEmpty { return success }
    return success + [("toolExecutionNotifications", .list(notifications))]
  }

  private func notification(_ report: FileReport) -> JSONTree {
    .members([
      ("level", .string("note")),
      ("message", .members([("text", .string(report.conclusion))])),
      (
        "locations",
        .list([
          .members([("physicalLocation", physicalLocation(report, [("startLine", .integer(1))]))])
        ])
      ),
    ])
  }

  // MARK: Results

  private func result(_ diagnostic: Diagnostic, _ report: FileReport) -> JSONTree {
    var location: [(String, JSONTree)] = [("physicalLocation", problemLocation(diagnostic, report))]
    if let path = diagnostic.path {
      location.append(
        ("logicalLocations", .list([.members([("fullyQualifiedName", .string(path.description))])]))
      )
    }
    var members: [(String, JSONTree)] = [
      ("ruleId", .string(diagnostic.rule)), ("ruleIndex", .integer(number(of: diagnostic))),
      ("level", .string(diagnostic.severity.rawValue)),
      ("message", .members([("text", .string(message(diagnostic)))])),
      ("locations", .list([.members(location)])),
    ]
    if let expectation = diagnostic.expectation {
      members.append(
        (
          "properties",
          .members([
            ("schema", .string(report.label ?? "")),
            ("keywordLocation", .string(expectation.keywordLocation)),
            ("instanceLocation", .string(expectation.instanceLocation)),
          ])
        ))
    }
    return .members(members)
  }

  private func message(_ diagnostic: Diagnostic) -> String {
    diagnostic.path.map { "\(diagnostic.message) (at \($0))" } ?? diagnostic.message
  }

  /// The file and the bytes, and also a line, which code scanning requires: a binary file is one line.
  private func problemLocation(_ diagnostic: Diagnostic, _ report: FileReport) -> JSONTree {
    var region: [(String, JSONTree)] = [("startLine", .integer(diagnostic.line ?? 1))]
    if let offset = diagnostic.offset {
      region.append(("byteOffset", .integer(offset)))
      region.append(
        ("byteLength", .integer(diagnostic.isAtEnd ? 0 : diagnostic.byteCount ?? 1)))
    }
    return physicalLocation(report, region)
  }

  private func physicalLocation(
    _ report: FileReport, _ region: [(String, JSONTree)]
  ) -> JSONTree {
    .members([
      ("artifactLocation", .members([("uri", .string(Self.reference(report.file)))])),
      ("region", .members(region)),
    ])
  }

  /// A path as a relative URI reference, or as a file URI if it is absolute.
  private static func reference(_ path: String) -> String {
    let bytes = path.pathBytes
    let isAbsolute = bytes.first == UInt8(ascii: "/")
    // Code scanning compares with paths in the repository, which do not begin with `./`.
    let rest = bytes.starts(with: "./".utf8) ? bytes.dropFirst(2) : bytes[...]
    return (isAbsolute ? "file://" : "") + PercentEncoding.encoded(bytes: rest, keeping: "/")
  }

  private func number(of diagnostic: Diagnostic) -> Int {
    if let known = ruleNumbers[diagnostic.rule] { return known }
    rules.append((diagnostic.rule, RuleDescription.text(of: diagnostic)))
    ruleNumbers[diagnostic.rule] = rules.count - 1
    return rules.count - 1
  }
}
