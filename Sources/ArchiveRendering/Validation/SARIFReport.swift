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
    let described = rules.map { rule -> JSONTree in
      ["id": .string(rule.id), "shortDescription": ["text": .string(rule.description)]]
    }
    let driver: JSONTree = [
      "name": "archtool", "semanticVersion": .string(options.version), "rules": .list(described),
    ]
    let invocation = JSONTree.members(present: [
      "executionSuccessful": .boolean(isSuccessful),
      "toolExecutionNotifications": notifications.isEmpty ? nil : .list(notifications),
    ])
    // Offsets count bytes; columns are not included.
    let run: JSONTree = [
      "tool": ["driver": driver], "invocations": [invocation], "results": .list(results),
    ]
    let log: JSONTree = [
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run],
    ]
    try log.write(to: &output)
  }

  private func notification(_ report: FileReport) -> JSONTree {
    [
      "level": "note", "message": ["text": .string(report.conclusion)],
      "locations": [["physicalLocation": physicalLocation(report, ["startLine": .integer(1)])]],
    ]
  }

  // MARK: Results

  private func result(_ diagnostic: Diagnostic, _ report: FileReport) -> JSONTree {
    let location = JSONTree.members(present: [
      "physicalLocation": problemLocation(diagnostic, report),
      "logicalLocations": diagnostic.path.map {
        [["fullyQualifiedName": .string($0.description)]]
      },
    ])
    return .members(present: [
      "ruleId": .string(diagnostic.rule), "ruleIndex": .integer(number(of: diagnostic)),
      "level": .string(diagnostic.severity.rawValue),
      "message": ["text": .string(message(diagnostic))], "locations": [location],
      "properties": diagnostic.expectation.map {
        [
          "schema": .string(report.label ?? ""), "keywordLocation": .string($0.keywordLocation),
          "instanceLocation": .string($0.instanceLocation),
        ]
      },
    ])
  }

  private func message(_ diagnostic: Diagnostic) -> String {
    diagnostic.path.map { "\(diagnostic.message) (at \($0))" } ?? diagnostic.message
  }

  /// The file and the bytes, and also a line, which code scanning requires: a binary file is one line.
  private func problemLocation(_ diagnostic: Diagnostic, _ report: FileReport) -> JSONTree {
    let length = diagnostic.isAtEnd ? 0 : diagnostic.byteCount ?? 1
    return physicalLocation(
      report,
      .members(present: [
        "startLine": .integer(diagnostic.line ?? 1),
        "byteOffset": diagnostic.offset.map { .integer($0) },
        "byteLength": diagnostic.offset.map { _ in .integer(length) },
      ]))
  }

  private func physicalLocation(_ report: FileReport, _ region: JSONTree) -> JSONTree {
    ["artifactLocation": ["uri": .string(Self.reference(report.file))], "region": region]
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
