// The options of `archtool validate`: the amount of output, when it stops, and the exit status.

import Foundation
import TestSupport
import Testing

@Suite struct ValidateOptionTests {
  static let wrong = TestArchives.root.appendingPathComponent("Broken/wrong-types-v2").path
  static let movie = TestArchives.root.appendingPathComponent("Movie/v1").path
  static let badMovie = TestArchives.root.appendingPathComponent("Broken/movie-year-string").path
  static let truncated = TestArchives.root.appendingPathComponent("Broken/truncated").path

  // MARK: How much is told

  @Test(arguments: [(0, 5), (1, 1), (4, 4), (5, 5), (99, 5)])
  func noMoreErrorsThanWantedAreShown(_ limit: Int, _ shown: Int) throws {
    let bench = try Workbench()
    let result = try bench.run("validate", "--max-errors", "\(limit)", Self.wrong)
    let lines = result.errors.split(separator: "\n")
    #expect(lines.count { $0.contains(": error: expected ") } == shown)
    let hidden = lines.filter { $0.contains("not shown") }
    let rest =
      shown == 4
      ? "\(Self.wrong): 1 more violation is not shown"
      : "\(Self.wrong): \(5 - shown) more violations are not shown"
    #expect(hidden.map(String.init) == (shown < 5 ? [rest] : []))
    // The verdict counts all of them.
    #expect(result.text.hasSuffix(", 5 violations\n"))
    #expect(result.status == 1)
    let arguments = ["--max-errors", "\(limit)", Self.wrong]
    let unit = try #require(try bench.validate(arguments).first)
    #expect(unit.errors?.count == shown)
    #expect(unit.errorCount == 5)
  }

  /// Objects that nothing leads to are one line for people, and one result each for programs.
  @Test func unreachableObjectsAreOneWarning() throws {
    let orphans = (0..<1200).map { "<string>o\($0)</string>" }.joined()
    let bench = try Workbench([
      "f": """
      <plist version="1.0"><dict><key>$archiver</key><string>NSKeyedArchiver</string>
      <key>$version</key><integer>100000</integer><key>$top</key><dict><key>root</key>
      <dict><key>CF$UID</key><integer>1</integer></dict></dict><key>$objects</key>
      <array><string>$null</string><string>root</string>\(orphans)</array></dict></plist>
      """
    ])
    let result = try bench.run("validate", "--format-only", "--lint", "f")
    let lines = result.errors.split(separator: "\n").filter { $0.contains("unreachable-object") }
    #expect(lines.count == 1)
    #expect(
      lines.first?.hasSuffix(
        "warning: object 2, a string, cannot be reached from $top, the first of 1,200 such objects "
          + "[unreachable-object] (at $['$objects'][2])") == true, "\(result.errors)")
    #expect(result.status == 0)
    let units = try bench.validate(["--format-only", "--lint", "f"])
    #expect(units.first?.warnings?.count == 1200)
    let few = try bench.validate(["--format-only", "--lint", "--max-errors", "3", "f"])
    #expect(few.first?.warnings?.count == 3)
  }

  /// A schema that a shell hands over has the name that was typed.
  @Test func aSchemaOfADescriptorHasItsPath() throws {
    let bench = try Workbench(["f": "{}", "s": "{}"])
    let program = Program.folder + "/archtool"
    let result = try Program.run(
      at: URL(fileURLWithPath: "/bin/sh"),
      ["-c", "exec '\(program)' validate --schema-file /dev/fd/7 f 7<s"], in: bench.url("."))
    #expect(result.text == "f: valid, /dev/fd/7\n", "\(result.errors)")
  }

  @Test func quietLeavesErrorsAlone() throws {
    let bench = try Workbench()
    let result = try bench.run("validate", "-q", Self.movie, Self.badMovie, Self.truncated)
    #expect(result.text.isEmpty)
    let lines = result.errors.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.contains(": error: ") })
    #expect(result.status == 65)
  }

  @Test func quietReportsAreWhole() throws {
    let bench = try Workbench()
    for format in ["json", "ndjson", "sarif", "junit"] {
      let loud = try bench.run("validate", "--format", format, Self.movie, Self.badMovie)
      let quiet = try bench.run("validate", "--format", format, "-q", Self.movie, Self.badMovie)
      #expect(loud.output == quiet.output)
      #expect(quiet.errors.isEmpty, "\(quiet.errors)")
      #expect(loud.errors.contains("2 files: 1 valid, 1 invalid, 0 unreadable"))
    }
  }

  // MARK: When it stops

  @Test(arguments: ["text", "json", "sarif", "junit"])
  func failingFastLeavesTheRestUntouched(_ format: String) throws {
    let bench = try Workbench()
    // Had the last been looked at, the status would be 66.
    for (bad, status) in [(Self.badMovie, 1), (Self.truncated, 65)] as [(String, Int32)] {
      let result = try bench.run(
        "validate", "--format", format, "--fail-fast", Self.movie, bad, Self.wrong, "no-such-file")
      #expect(result.status == status)
      #expect(!(result.text + result.errors).contains("no-such-file"))
      #expect(!(result.text + result.errors).contains("wrong-types-v2"))
      #expect(result.errors.contains("2 files: 1 valid"))
    }
  }

  @Test func failingFastGoesOnPastWarnings() throws {
    let bench = try Workbench()
    let lint = TestArchives.root.appendingPathComponent("Graphs/conditional").path
    let units = try bench.validate([
      "--fail-fast", "--format-only", "--lint", lint, Self.truncated, Self.movie,
    ])
    #expect(units.map(\.verdict) == ["valid", "unreadable"])
    #expect(units.first?.notes?.map(\.rule) == ["ambiguous-null"])
  }

  /// What a finding's severity is, and what fails: the arguments, the verdict, and where the finding is.
  static let severities: [([String], String, String)] = [
    (["--lint"], "valid", "notes"), (["--lint", "--fail-on", "warning"], "valid", "notes"),
    (["--lint", "--fail-on", "note"], "invalid", "notes"),
    (["--rule", "ambiguous-null=warning"], "valid", "warnings"),
    (["--rule", "ambiguous-null=warning", "--fail-on", "warning"], "invalid", "warnings"),
    (["--rule", "ambiguous-null=error"], "invalid", "errors"),
    (["--lint", "--rule", "ambiguous-null=off", "--fail-on", "note"], "valid", ""),
    (["--rule", "single-real=error"], "valid", ""),
  ]

  @Test(arguments: severities)
  func aFindingHasTheSeverityOfItsRule(_ item: ([String], String, String)) throws {
    let bench = try Workbench()
    let lint = TestArchives.root.appendingPathComponent("Graphs/conditional").path
    let unit = try #require(
      try bench.validate(["--format-only"] + item.0 + [lint]).first)
    #expect(unit.verdict == item.1)
    let found = [("errors", unit.errors), ("warnings", unit.warnings), ("notes", unit.notes)]
    #expect(found.filter { $0.1?.isEmpty == false }.map(\.0) == (item.2.isEmpty ? [] : [item.2]))
    #expect(unit.errorCount == (item.1 == "invalid" ? 1 : 0))
    let text = try bench.run(["validate", "-q", "--format-only"] + item.0 + [lint])
    #expect(text.status == (item.1 == "invalid" ? 1 : 0))
    let junit = try bench.run(
      ["validate", "--format", "junit", "--format-only"] + item.0 + [lint])
    #expect(junit.text.contains("failures=\"\(item.1 == "invalid" ? 1 : 0)\""))
  }

  @Test(arguments: [
    ("x", "needs LINT=SEVERITY"), ("ambigous-null=off", "did you mean 'ambiguous-null'?"),
    ("ambiguous-null=loud", "'loud' is no severity"),
  ]) func rulesThatDoNotExistAreRefused(_ rule: String, _ message: String) throws {
    let result = try Workbench().run("validate", "--rule", rule, "x")
    #expect(result.status == 64)
    #expect(result.errors.contains(message), "\(result.errors)")
  }

  // MARK: What several come to

  struct Inputs: Sendable, CustomTestStringConvertible {
    let files: [String]
    let status: Int32
    var testDescription: String { "\(status)" }
  }

  @Test(arguments: [
    Inputs(files: [movie], status: 0), Inputs(files: [movie, badMovie], status: 1),
    Inputs(files: [badMovie, movie], status: 1), Inputs(files: [truncated, badMovie], status: 65),
    Inputs(files: [badMovie, truncated, movie], status: 65),
    Inputs(files: ["no-such-file", movie], status: 66),
    Inputs(files: [truncated, "no-such-file", badMovie], status: 66),
  ]) func theStatusIsTheWorst(_ inputs: Inputs) throws {
    for format in ["text", "ndjson"] {
      let result = try Workbench().run(["validate", "--format", format] + inputs.files)
      #expect(result.status == inputs.status)
    }
  }

  @Test func theSummaryCountsByFileAndByRule() throws {
    let bench = try Workbench()
    let missing = TestArchives.root.appendingPathComponent("Broken/missing-fields-v2").path
    let result = try bench.run(
      "validate", Self.badMovie, Self.movie, Self.wrong, missing, "no-such-file")
    let lines = result.errors.components(separatedBy: "\n")
    let start = try #require(lines.firstIndex { $0.hasPrefix("5 files:") })
    #expect(
      Array(lines[start...]) == [
        "5 files: 1 valid, 3 invalid, 1 unreadable", "by file:", "  5  \(Self.wrong)",
        "  3  \(missing)", "  1  \(Self.badMovie)", "  1  no-such-file", "by rule:", "  6  type",
        "  3  required", "  1  cannot-open", "",
      ])
    #expect(try !bench.run("validate", Self.wrong).errors.contains("by rule"))
  }

  /// A thousand bad files do not become a thousand lines of summary.
  @Test func theSummaryNamesTheWorst() throws {
    let bench = try Workbench(["schema.json": #"{"items": {"type": "string"}}"#])
    for count in 1...12 {
      let list = Array(repeating: "1", count: count).joined(separator: ",")
      try bench.write("[\(list)]", to: "lists/\(count).json")
    }
    let result = try bench.run("validate", "--schema-file", "schema.json", "-r", "lists")
    let lines = result.errors.components(separatedBy: "\n")
    let start = try #require(lines.firstIndex { $0.hasPrefix("by file:") })
    #expect(lines[start] == "by file: (the 10 worst)")
    let expected = (3...12).reversed().map { "  \($0)  lists/\($0).json" }
    #expect(Array(lines[(start + 1)...(start + 10)]) == expected)
    #expect(lines[start + 11] == "by rule:")
  }

  // MARK: Explanations

  @Test func theCaretStandsBelowTheValue() throws {
    let bench = try Workbench([
      "schema.json": """
      {"properties": {"text": {"type": "integer"}, "list": {"items": {"maxLength": 2}},
      "either": {"anyOf": [{"type": "integer"}, {"oneOf": [{"minLength": 9}, {"const": 1}]}]}}}
      """,
      "data.json": #"{"text": "four", "list": ["a", "long"], "either": "x y"}"#,
    ])
    let result = try bench.run(
      "validate", "--explain", "--schema-file", "schema.json", "data.json")
    let lines = result.errors.components(separatedBy: "\n")
    for (value, line) in [("\"four\"", "  text: \"four\""), ("\"long\"", "  [1]: \"long\"")] {
      let position = try #require(lines.firstIndex(of: line), "\(result.errors)")
      let column = line.count - value.count
      let caret = String(repeating: " ", count: column) + String(repeating: "^", count: value.count)
      #expect(lines[position + 1].hasPrefix(caret + " expected "))
      #expect(lines[position + 2].contains("schema.json#/properties/"))
    }
    // The causes are numbered, those of causes below them.
    let causes = lines.filter { $0.contains(#/^ +[0-9]\. /#) }
      .map { $0.prefix { $0 != "x" } }
    #expect(causes == ["  1. e", "  2. e", "    1. e", "    2. e"])
  }

  @Test func explanationsArePartOfTheText() throws {
    let result = try Workbench().run(
      "validate", "--explain", "--format", "json", Self.badMovie)
    #expect(result.status == 64)
  }

  /// Whatever looks at an input reads it as the command line says.
  @Test(arguments: [["--lint"], ["--allow-classes", "classes"]])
  func checksOfStructureReadJSON5(_ options: [String]) throws {
    let bench = try Workbench([
      "schema.json": #"{"type": "object"}"#, "data.json5": "{a: 1, /* b */ c: [2,],}",
      "classes": "NSDictionary\n",
    ])
    let arguments = ["validate", "--schema-file", "schema.json"] + options + ["data.json5"]
    let result = try bench.run(arguments + ["--json5"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(try bench.run(arguments).status == 65)
  }
}
