// The end of a validation of several files: counts by file and by rule.

import Basics

/// Counts of a whole validation.
package struct ValidationSummary: Sendable {
  /// How many files are listed by name.
  private static let mostFiles = 10

  private var verdicts: [FileReport.Verdict: Int] = [:]
  private var files: [(name: String, count: Int)] = []
  private var rules: [String: Int] = [:]

  /// Makes an empty summary.
  package init() {}

  /// How many files were checked.
  package var fileCount: Int { verdicts.values.reduce(0, +) }

  /// Counts a file.
  package mutating func add(_ report: FileReport) {
    verdicts[report.verdict, default: 0] += 1
    if !report.isAccepted { insert(report.file, report.errorCount) }
    for diagnostic in report.diagnostics { rules[diagnostic.rule, default: 0] += 1 }
  }

  /// Keeps the files with the most problems, so that memory does not grow with the number of files.
  private mutating func insert(_ name: String, _ count: Int) {
    let position = files.firstIndex { $0.count < count } ?? files.count
    guard position < Self.mostFiles else { return }
    files.insert((name, count), at: position)
    if files.count > Self.mostFiles { files.removeLast() }
  }

  /// The summary's lines.
  package var lines: [String] {
    let counts = [FileReport.Verdict.valid, .invalid, .unreadable].map {
      "\(verdicts[$0] ?? 0) \($0.rawValue)"
    }
    let unknown = verdicts[.noSchema] ?? 0
    let others = unknown > 0 ? ["\(unknown) without a schema"] : []
    var lines = ["\(Counted.text(fileCount, "file")): " + (counts + others).joined(separator: ", ")]
    let bad = fileCount - (verdicts[.valid] ?? 0) - unknown
    if bad > 0 {
      lines.append("by file:" + (bad > files.count ? " (the \(files.count) worst)" : ""))
      lines += files.map { "  \($0.count)  \($0.name)" }
    }
    if !rules.isEmpty {
      lines.append("by rule:")
      let sorted = rules.sorted { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }
      lines += sorted.map { "  \($0.value)  \($0.key)" }
    }
    return lines
  }
}
