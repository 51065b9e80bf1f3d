// Counts of many files in the memory of a few.

import ArchiveBasics
import ArchiveGraph
import ArchiveRendering
import Testing

@Suite struct ValidationSummaryTests {
  private static func report(_ name: String, faults: Int) -> FileReport {
    let fault = Diagnostic(rule: "rule\(faults % 2)", message: "wrong")
    return FileReport(file: name, format: "f", faults: Array(repeating: fault, count: faults))
  }

  /// Whatever order they come in, the files with the most faults are named, the first of equals first.
  @Test(arguments: [Array(0...30), Array((0...30).reversed()), (0...30).map { $0 * 7 % 31 }])
  func theWorstAreNamed(_ counts: [Int]) {
    var summary = ValidationSummary()
    for count in counts { summary.add(Self.report("file\(count)", faults: count)) }
    let lines = summary.lines
    #expect(lines[0] == "31 files: 1 valid, 30 invalid, 0 unreadable")
    #expect(lines[1] == "by file: (the 10 worst)")
    #expect(Array(lines[2..<12]) == (21...30).reversed().map { "  \($0)  file\($0)" })
    // 2 + 4 + … + 30, and 1 + 3 + … + 29.
    #expect(Array(lines[12...]) == ["by rule:", "  240  rule0", "  225  rule1"])
  }

  @Test func equalsStayInOrder() {
    var summary = ValidationSummary()
    for name in ["b", "a", "c"] { summary.add(Self.report(name, faults: 2)) }
    #expect(Array(summary.lines[2..<5]) == ["  2  b", "  2  a", "  2  c"])
  }

  @Test func nothingWrongNeedsNoLists() {
    var summary = ValidationSummary()
    for name in ["a", "b"] { summary.add(Self.report(name, faults: 0)) }
    #expect(summary.lines == ["2 files: 2 valid, 0 invalid, 0 unreadable"])
    #expect(summary.fileCount == 2)
  }
}
