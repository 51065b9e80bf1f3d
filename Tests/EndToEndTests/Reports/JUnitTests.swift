// JUnit for dashboards, read by another project's parser.

import Foundation
import TestSupport
import Testing

@Suite struct JUnitTests {
  /// Debian's Python, since its junitparser is not that of another one on the path.
  static let python = URL(fileURLWithPath: "/usr/bin/python3")
  static let hasParser: Bool = {
    do {
      return try Program.run(at: python, ["-c", "import junitparser"]).status == 0
    } catch {
      return false
    }
  }()

  /// Prints what junitparser makes of standard input, as JSON.
  private static let script = """
    import json, sys
    from junitparser import JUnitXml
    suites = JUnitXml.fromstring(sys.stdin.buffer.read())
    def case(each):
        return {
            "name": each.name, "classname": each.classname, "systemErrors": each.system_err,
            "results": [{"kind": type(result).__name__, "type": result.type,
                         "message": result.message, "text": result.text}
                        for result in each.result]}
    print(json.dumps({
        "name": suites.name, "counts": [suites.tests, suites.failures, suites.errors],
        "suites": [{"name": suite.name, "cases": [case(each) for each in suite],
                    "counts": [suite.tests, suite.failures, suite.errors, suite.skipped]}
                   for suite in suites]}))
    """

  struct Report: Decodable {
    struct Suite: Decodable {
      let name: String
      let cases: [Case]
      let counts: [Int]
    }

    struct Case: Decodable {
      let name: String
      let classname: String
      let systemErrors: String?
      let results: [Result]
    }

    struct Result: Decodable {
      let kind: String
      let type: String
      let message: String
      let text: String?
    }

    let name: String
    let counts: [Int]
    let suites: [Suite]
  }

  private static func report(
    _ bench: Workbench, _ arguments: [String]
  ) throws -> (Report, ProgramResult) {
    let written = try bench.run(["validate", "--format", "junit"] + arguments)
    let read = try Program.run(at: python, ["-c", script], input: written.output)
    #expect(read.status == 0, "\(read.errors)")
    return (try JSONDecoder().decode(Report.self, from: read.output), written)
  }

  @Test(.enabled(if: hasParser, "python3-junitparser is not installed"))
  func countsAndNamesAreThoseOfTheFiles() throws {
    let bench = try Workbench()
    let paths = ["Movie/v1", "Broken/movie-year-string", "Broken/truncated", "Movie/v2"]
    let files = paths.map { TestArchives.root.appendingPathComponent($0).path } + ["no-such-file"]
    let (report, written) = try Self.report(bench, files)
    #expect(written.status == 66)
    #expect(report.counts == [5, 1, 2])
    #expect(report.suites.map(\.counts) == [[5, 1, 2, 0]])
    let cases = report.suites[0].cases
    #expect(cases.map(\.name) == files)
    #expect(cases.map { $0.results.map(\.kind) } == [[], ["Failure"], ["Error"], [], ["Error"]])
    #expect(cases.prefix(2).map(\.classname) == ["Movie@v1", "Movie@v1"])
    let failure = try #require(cases[1].results.first)
    #expect(failure.type == "type")
    #expect(failure.message.hasSuffix("1 violation"))
    #expect(failure.text?.contains("error: expected integer, found string \"2009\"") == true)
  }

  /// Names and values with what XML escapes, what it cannot carry, and what it would change in an attribute.
  @Test(.enabled(if: hasParser, "python3-junitparser is not installed"))
  func textsSurviveTheirEscaping() throws {
    let names = ["<a>&\"b\"'c'.json", "line\nbreak\tand  spaces.json", "]]>.json", "雨💡é.json"]
    let bench = try Workbench(["schema.json": #"{"properties": {"<k>&": {"type": "integer"}}}"#])
    for name in names { try bench.write(#"{"<k>&": "<v> & \"w\""}"#, to: name) }
    let (report, _) = try Self.report(bench, ["--schema-file", "schema.json"] + names)
    let cases = try #require(report.suites.first).cases
    #expect(cases.map(\.name) == names)
    for (each, name) in zip(cases, names) {
      let failure = try #require(each.results.first)
      #expect(failure.message.hasPrefix("\(name): invalid, schema.json"), "\(failure.message)")
      #expect(failure.text?.contains("expected integer, found string \"<v> & ") == true)
      #expect(failure.text?.contains("(at $['<k>&'])") == true)
    }
  }

  /// XML 1.0 has no character for most controls: a report with one could not be read at all.
  @Test(.enabled(if: hasParser, "python3-junitparser is not installed"))
  func controlCharactersDoNotBreakTheDocument() throws {
    let bench = try Workbench(["schema.json": #"{"additionalProperties": {"type": "integer"}}"#])
    let keys = (Array(0..<0x20) + [0x7F, 0x85, 0x9F, 0xFFFE, 0xFFFF]).map { code in
      let digits = String(code, radix: 16)
      return "\"k\\u" + String(repeating: "0", count: 4 - digits.count) + digits + "\": \"v\""
    }
    try bench.write("{" + keys.joined(separator: ", ") + "}", to: "a\u{1}\u{1B}b")
    let arguments = ["--schema-file", "schema.json", "a\u{1}\u{1B}b"]
    let (report, _) = try Self.report(bench, arguments)
    let text = try #require(report.suites.first?.cases.first?.results.first?.text)
    #expect(text.components(separatedBy: "error: expected integer").count == keys.count + 1)
    #expect(
      !text.unicodeScalars.contains { ($0.value < 0x20 && $0 != "\n" && $0 != "\t") })
    #expect(!report.suites[0].cases[0].name.unicodeScalars.contains { $0.value < 0x20 })
  }

  @Test(.enabled(if: hasParser, "python3-junitparser is not installed"))
  func warningsAreNoFailures() throws {
    let bench = try Workbench()
    let file = TestArchives.root.appendingPathComponent("Graphs/conditional").path
    let (report, _) = try Self.report(bench, ["--format-only", "--lint", file])
    #expect(report.counts == [1, 0, 0])
    let each = try #require(report.suites.first?.cases.first)
    #expect(each.results.isEmpty)
    #expect(each.systemErrors?.contains("[ambiguous-null]") == true)
  }

  @Test(.enabled(if: hasParser, "python3-junitparser is not installed"))
  func whatIsNotShownIsCounted() throws {
    let bench = try Workbench()
    let file = TestArchives.root.appendingPathComponent("Broken/wrong-types-v2").path
    let (report, _) = try Self.report(bench, ["--max-errors", "2", file])
    let failure = try #require(report.suites.first?.cases.first?.results.first)
    #expect(failure.text?.split(separator: "\n").count == 3)
    #expect(failure.text?.hasSuffix("3 more are not shown") == true)
    #expect(failure.message.hasSuffix("5 violations"))
  }
}
