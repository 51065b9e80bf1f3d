// The JSON that commands print fits the schemas that describe it, by archtool's own validator and by Python's.

import ArchiveRendering
import Foundation
import TestSupport
import Testing

@Suite struct OutputFormTests {
  /// A command whose output has a form.
  struct Sample: CustomTestStringConvertible, Sendable {
    let form: OutputForm
    let arguments: [String]
    var input = ""
    var testDescription: String { ([form.rawValue, ":"] + arguments).joined(separator: " ") }

    init(_ form: OutputForm, _ line: String, input: String = "") {
      self.form = form
      self.input = input
      arguments = line.split(separator: " ").map(String.init)
    }
  }

  static let samples = [
    Sample(.dump, "dump --format json Graphs/value-classes"),
    Sample(.dump, "get --format json WeatherFeed/v1-1-city $"),
    Sample(.dumpTyped, "dump --typed Graphs/mutable-collections"),
    Sample(.dumpTyped, "dump --typed Graphs/cycle"),
    Sample(.dumpTyped, "dump --typed Graphs/conditional"),
    Sample(.dumpTyped, "get --typed Graphs/mutable-collections $.inner"),
    Sample(.dumpTyped, "convert --to json --typed Graphs/xml-plist.plist"),
    Sample(.dumpResolved, "dump --typed=resolved Graphs/mutable-collections"),
    Sample(.dumpResolved, "dump --typed=resolved Graphs/array-cycle"),
    Sample(.dumpResolved, "dump --typed=resolved Graphs/cycle"),
    Sample(.dumpResolved, "get --typed=resolved Graphs/value-classes $"),
    Sample(.dumpLines, "dump --format ndjson -r ."),
    Sample(.dumpLines, "dump --typed=resolved --compact -r Graphs Apps TypedStreams Broken"),
    Sample(.dumpLines, "dump --typed --compact missing Movie/v1"),
    Sample(.dumpUnreachable, "dump --unreachable --format json Graphs/unknown-class"),
    Sample(.query, "query --format json $..name -r Movie Apps"),
    Sample(.queryLines, "query --format ndjson $..* -r Graphs Broken"),
    Sample(.queryLines, "query --format ndjson --typed $.* Movie/v1 missing"),
    Sample(.find, "find --format json --key * -r Movie Actor"),
    Sample(.findLines, "find --format ndjson --type date --type url --type object -r ."),
    Sample(
      .findLines, "find --typed=resolved --format ndjson --key * Graphs/value-classes missing"),
    Sample(.info, "info --format json -r ."),
    Sample(.classes, "classes --format json -r Apps Graphs TypedStreams Nibs"),
    Sample(.classesLines, "classes --format ndjson -r Apps Broken missing"),
    Sample(.scan, "scan --format json ."),
    Sample(.scanLines, "scan --format ndjson . missing"),
    Sample(.validate, "validate --format json --lint -r Movie WeatherFeed Broken"),
    Sample(.validate, "validate --format json --structure detailed -r Broken"),
    Sample(.validateLines, "validate --format ndjson --lint -r . missing"),
    Sample(.validateLines, "validate --format ndjson --format-only -r Graphs"),
    Sample(.diff, "diff --format json Movie/v1 Actor/v1"),
    Sample(.diff, "diff --format json --strict Movie/v1 Movie/v2"),
    Sample(.plan, "migrate --plan --format json --to v2 -r Movie WeatherFeed"),
    Sample(.report, "validate -q --report - -o /dev/null Movie/v1 missing"),
    Sample(
      .records, "validate --records",
      input: """
        {"id": 1, "data": "YnBsaXN0MDA=", "further": [1]}
        {"id": "two"}
        not a record
        """),
    Sample(.journalList, "journal list --format json"),
    Sample(.schemaList, "schema list --format json"),
    Sample(.schemaDiff, "schema diff --format json --family Movie v1 v2"),
    Sample(.schemaCheck, "schema check --format json Families Movie"),
  ]

  /// Each form is one of some command's output, so that no schema is checked by nothing.
  @Test func allFormsHaveSamples() {
    let tried = Set(Self.samples.map(\.form)).union([.journalShow])
    for form in OutputForm.allCases { #expect(tried.contains(form), "\(form)") }
  }

  @Test(arguments: samples.filter { $0.form != .report })
  func outputFitsItsSchema(_ sample: Sample) throws {
    let bench = try Workbench()
    let result = try Program.run(
      "archtool", sample.arguments, input: Data(sample.input.utf8), in: TestArchives.root,
      environment: ["XDG_STATE_HOME": bench.url("state").path])
    #expect(result.status != 64, "\(result.errors)")
    try Self.check([sample.form: [result.output]], bench)
  }

  /// What a run over files leaves: its report, its journal and the list of journals.
  @Test func recordsOfRunsFitTheirSchemas() throws {
    let bench = try Workbench()
    for name in ["v1", "v0-mirror-class", "v2"] { try bench.copy("Movie/" + name, to: "d/" + name) }
    try bench.copy("Broken/bad-trailer", to: "d/broken")
    var outputs: [OutputForm: [Data]] = [:]
    for line in [
      "migrate --to v2 --in-place -r d --journal j --report r1",
      "validate -q -r d --report r2", "dump -r d --report r3", "scan d --report r4",
      "rename-class NSArray=NSSet --in-place -r d --no-journal --report r5",
    ] {
      let words = line.split(separator: " ").map(String.init)
      let result = try bench.run(words)
      #expect(result.status != 64, "\(line): \(result.errors)")
      if let report = words.last {
        outputs[.report, default: []].append(try Data(contentsOf: bench.url(report)))
      }
    }
    outputs[.journalShow] = [
      try bench.run("journal", "show", "--files", "--format", "json", "j").output
    ]
    outputs[.journalList] = [try bench.run("journal", "list", "--format", "json", ".").output]
    let record =
      ["id": 1, "data": try Workbench.archive("Movie/v1").base64EncodedString()] as [String: Any]
    outputs[.records] = [
      try bench.run(
        ["migrate", "--to", "v2", "--records"],
        input: try JSONSerialization.data(withJSONObject: record) + Data("\n".utf8)
      ).output
    ]
    try Self.check(outputs, bench)
  }

  /// What the transcripts say fits as well.
  @Test func transcriptsFitTheSchemas() throws {
    var outputs: [OutputForm: [Data]] = [:]
    for file in TranscriptTests.files {
      let url = TranscriptTests.folder.appendingPathComponent(file)
      for step in Transcript(try String(contentsOf: url, encoding: .utf8)).steps {
        guard let form = Self.form(of: step.command) else { continue }
        // What a transcript says has the messages as well.
        let lines = step.output.components(separatedBy: "\n").filter {
          !Self.isLines(form) || $0.hasPrefix("{")
        }
        let output = Data(lines.joined(separator: "\n").utf8)
        guard Self.isLines(form) || (try? TestArchives.json(output)) != nil else { continue }
        outputs[form, default: []].append(output)
      }
    }
    #expect(outputs.values.map(\.count).reduce(0, +) > 15)
    try Self.check(outputs, try Workbench())
  }

  /// The form of what a command of a transcript prints, if nothing else is printed.
  private static func form(of command: String) -> OutputForm? {
    let line = command.components(separatedBy: "; ").last ?? ""
    guard command.components(separatedBy: "archtool ").count == 2, line.hasPrefix("archtool "),
      line.allSatisfy({ !"|<>".contains($0) || line.hasSuffix(" || true") }),
      !line.contains("--output-dir"), !line.contains("json-patch"), !line.contains(" -o ")
    else { return nil }
    let words = line.components(separatedBy: " ").dropFirst().map { $0 }
    let format = words.firstIndex(of: "--format").map { words[$0 + 1] }
    if words.contains("--typed"), words.count < 6, words[0] == "dump" { return .dumpTyped }
    guard format == "json" || format == "ndjson" else { return nil }
    let name = ["schema", "journal"].contains(words[0]) ? "\(words[0])-\(words[1])" : words[0]
    return OutputForm(rawValue: name + (format == "ndjson" ? "-lines" : ""))
  }

  // MARK: Checking

  /// Whether an output of a form is lines, each of which has it.
  private static func isLines(_ form: OutputForm) -> Bool {
    form.rawValue.hasSuffix("-lines") || [.plan, .report, .records].contains(form)
  }

  private static func check(_ outputs: [OutputForm: [Data]], _ bench: Workbench) throws {
    for (form, outputs) in outputs {
      var values: [Data] = []
      for output in outputs {
        values += isLines(form) ? output.split(separator: 0x0A).map { Data($0) } : [output]
      }
      #expect(!values.isEmpty, "\(form)")
      let list = Data("[".utf8) + Data(values.joined(separator: Data(",\n".utf8))) + Data("]".utf8)
      try bench.write(list, to: "\(form.rawValue).json")
      let schema = try bench.run("schema", "show", "--output-form", form.rawValue)
      #expect(schema.status == 0, "\(schema.errors)")
      // The schema is a resource of its own in that of the list.
      let wrapped =
        Data(
          #"{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "array", "items": "#
            .utf8)
        + schema.output + Data("}".utf8)
      try bench.write(wrapped, to: "\(form.rawValue).schema.json")
      let own = try bench.run(
        "validate", "--schema-file", "\(form.rawValue).schema.json", "--max-errors", "3",
        "\(form.rawValue).json")
      #expect(own.status == 0, "\(form.rawValue): \(own.errors.prefix(2000))")
      let other = try Program.run(
        at: URL(fileURLWithPath: "/usr/bin/env"),
        [
          "python3", "-c", judge, bench.url("\(form.rawValue).schema.json").path,
          bench.url("\(form.rawValue).json").path,
        ])
      #expect(other.status == 0, "\(form.rawValue): \(other.text.prefix(2000)) \(other.errors)")
    }
  }

  /// Python's validator, where it is installed.
  private static let judge = """
    import json, sys
    try:
        import jsonschema
    except ImportError:
        sys.exit()
    schema, value = [json.load(open(path)) for path in sys.argv[1:]]
    jsonschema.Draft202012Validator.check_schema(schema)
    for error in jsonschema.Draft202012Validator(schema).iter_errors(value):
        print(error.json_path, error.message[:300])
        sys.exit(1)
    """
}
