// All pairs of options of a command: the rules refuse two that have no effect together, or both show one.

import Foundation
import TestSupport
import Testing

/// What a command is tried on.
struct PairScenario: Sendable, CustomTestStringConvertible {
  let command: String
  /// Each option with a value, or none.
  let options: [String: String?]
  /// What an option needs beside it.
  var companions: [String: [String]] = [:]
  /// What stands behind the options; in one of them each pair must show.
  let operands: [[String]]
  /// Options that say how much is told, not what is done; QuietTests and EmptySelectionTests try them.
  var invisible: Set<String> = ["quiet", "color", "allow-empty"]
  /// Pairs of which one means the other, or that only differ in what is not here.
  var exempt: [[String]] = []

  var testDescription: String { command }
}

@Suite struct OptionPairTests {
  private static let selection: [String: String?] = [
    "recursive": nil, "include": "*b*", "exclude": "b-[ft]*", "files-from": "list", "null": nil,
    "color": "always", "quiet": nil,
  ]

  static let scenarios = [
    PairScenario(
      command: "dump",
      options: selection.merging([
        "at": "$.blob", "format": "json", "typed": nil, "raw": nil, "depth": "1",
        "no-nested": nil, "compact": nil, "offsets": nil, "hex": "$.blob.name", "recover": nil,
        "json5": nil, "output": "out", "force": nil,
      ]) { $1 },
      companions: ["force": ["--output=old"], "null": ["--files-from=list0"]],
      operands: [
        [
          "in/movie", "in/blob-broken", "in/broken", "in/five.json", "in/b-five.json",
          "in/twice.plist", "in/b-twice.plist", "in/blob", "in",
        ],
        ["in/blob", "in/blob-cut", "in/blob-twice", "in/blob-nested", "in"],
        ["in/blob-nested", "in/movie", "in/stream"], ["in/blob", "in"],
      ],
      exempt: [
        ["format", "typed"], ["format", "compact"], ["output", "force"], ["null", "files-from"],
      ]),
    PairScenario(
      command: "info",
      options: selection.merging(
        ["at": "$.blob", "schemas": "schemas", "json5": nil, "format": "json"]) { $1 },
      companions: ["null": ["--files-from=list0"]],
      operands: [
        [
          "in/movie", "in/broken", "in/five.json", "in/b-five.json", "in/twice.plist",
          "in/b-twice.plist", "in/blob", "in/blob-trip", "in/b-trip", "in/trip", "in",
        ],
        ["in"], ["in/blob-trip"],
      ],
      exempt: [["null", "files-from"]]),
    PairScenario(
      command: "validate",
      options: selection.merging([
        "at": "$.blob", "schema": "Movie@v2", "schema-file": "any.schema.json",
        "schemas": "schemas", "assert-formats": nil, "format-only": nil, "lint": nil,
        "allow-classes": "classes", "format": "ndjson", "structure": "detailed", "explain": nil,
        "max-errors": "1", "fail-fast": nil, "json5": nil, "allow-empty": nil,
      ]) { $1 },
      companions: ["null": ["--files-from=list0"], "structure": ["--format=json"]],
      operands: [
        [
          "in/b-errors.json", "in/movie", "in/broken", "in/five.json", "in/b-five.json",
          "in/twice.plist", "in/b-twice.plist", "in/blob", "in/wrong", "in/b-wrong", "in/lint",
          "in/b-lint", "in/b-trip", "in/trip", "in",
        ],
        [
          "--schema-file=any.schema.json", "in/b-errors.json", "in/errors.json", "in/format.json",
          "in/b-format.json", "in/five.json", "in/b-five.json", "in/movie", "in/b-twice.plist",
          "in",
        ],
        [
          "--schema-file=ref.schema.json", "in/b-errors.json", "in/movie", "in/lint",
          "in/five.json", "in",
        ],
        ["in/blob-wrong", "in/blob-lint", "in/blob-twice", "in/movie", "in/blob-trip"],
        ["--schema-file=any.schema.json", "in/blob-wrong", "in/blob-lint", "in/blob-format"],
        ["--include=none", "in/movie"],
        ["--schema-file=ref.schema.json", "--include=none", "in/movie"],
        ["in/lint", "in/movie", "in/b-lint"], ["in"],
        ["in/wrong", "in/errors.json", "in/five.json"],
        [
          "in/movie", "in/b-five.json", "in/b-trip", "in/trip", "in/wrong", "in/b-wrong",
          "in/sub/current",
          "in",
        ],
        ["in/movie", "in/sub/current"], ["in/trip", "in/wrong", "in/errors.json"],
        ["--schema-file=any.schema.json", "in/format.json", "in/b-errors.json"],
      ],
      // Of these one selects a schema in which the other has nothing to do.
      exempt: [
        ["null", "files-from"], ["format", "structure"], ["schema-file", "schemas"],
        ["schema", "schemas"], ["schema", "structure"], ["schema", "assert-formats"],
        ["schemas", "assert-formats"], ["allow-classes", "assert-formats"],
        ["format-only", "max-errors"],
      ]),
    PairScenario(
      command: "convert",
      options: selection.merging([
        "at": "$.blob", "to": "json", "typed": nil, "compact": nil, "no-tags": nil,
        "keys": "AppThing=name", "json5": nil, "output": "out", "in-place": nil, "backup": ".bak",
        "output-dir": "out", "force": nil, "allow-empty": nil,
      ]) { $1 },
      companions: [
        "force": ["--output=old", "--to=xml1"],
        "null": ["--files-from=list0", "--to=json", "--compact"],
        "backup": ["--in-place", "--no-journal", "--to=xml1"], "at": ["--to=xml1"],
        "typed": ["--to=json"],
        "compact": ["--to=json"],
        "no-tags": ["--to=xml1"], "keys": ["--to=xml1"], "json5": ["--to=xml1"],
        "output": ["--to=xml1"],
        "in-place": ["--to=xml1", "--no-journal"], "output-dir": ["--to=xml1"],
        "allow-empty": ["--to=xml1"],
        "recursive": ["--to=json", "--compact"], "include": ["--to=xml1", "--output-dir=out"],
        "exclude": ["--to=xml1", "--output-dir=out"],
        "files-from": ["--to=json", "--compact"], "color": ["--to=json"],
        "quiet": ["--to=xml1", "--in-place", "--no-journal"],
      ],
      operands: [
        ["in/tags.json"], ["in/b-tags.json"], ["in/five-tags.json"], ["in/five.json"],
        ["in/broken"],
        ["in/b-five.json"], ["in/twice.plist"],
        ["in/stream"], ["in/blob"], ["in/blob-tags"], ["in/movie"],
        [
          "in/movie", "in/b-tags.json", "in/tags.json", "in/five.json", "in/b-five.json",
          "in/stream", "in/blob",
        ],
        ["in"],
        ["--include=none", "in/movie"], ["in", "in/twice.plist", "in/backup"],
      ],
      exempt: [
        ["to", "compact"], ["to", "typed"], ["output", "force"], ["null", "files-from"],
        // One file is one file.
        ["include", "output"], ["exclude", "output"], ["include", "force"], ["exclude", "force"],
      ]),
  ]

  @Test(arguments: scenarios) func isRefusedOrHasBothEffects(_ scenario: PairScenario) throws {
    let trial = try PairTrial(scenario)
    let names = scenario.options.keys.sorted()
    for (position, first) in names.enumerated() {
      for second in names[(position + 1)...]
      where !scenario.exempt.contains([first, second])
        && !scenario.exempt.contains([second, first])
      {
        let idle = try trial.idle([first, second])
        #expect(
          idle.isEmpty,
          "--\(first) and --\(second): no effect of \(idle.sorted()); at last: \(trial.last)")
      }
    }
  }
}

/// Runs a command with options, and without one of them.
final class PairTrial {
  private struct Outcome: Equatable {
    let status: Int32
    let output: Data
    let errors: String
    let files: [String: Data]
  }

  private let scenario: PairScenario
  private var known: [[String]: Outcome] = [:]
  /// What the latest run said.
  private(set) var last = ""

  init(_ scenario: PairScenario) throws { self.scenario = scenario }

  /// The options that have no effect beside the others; none if they are refused together.
  func idle(_ names: [String]) throws -> Set<String> {
    var best: Set<String>?
    for operands in scenario.operands {
      let words = words(names)
      let whole = try outcome(words + operands)
      if whole.status == 64 { continue }
      let idle = try names.filter { name in
        if scenario.invisible.contains(name) { return false }
        return try outcome(words.filter { $0 != word(name) } + operands) == whole
      }
      if idle.count < best?.count ?? .max { best = Set(idle) }
      if idle.isEmpty { break }
    }
    return best ?? []
  }

  private func word(_ name: String) -> String {
    (scenario.options[name] ?? nil).map { "--\(name)=\($0)" } ?? "--\(name)"
  }

  private func words(_ names: [String]) -> [String] {
    var words: [String] = []
    for companion in names.flatMap({ scenario.companions[$0] ?? [] }) {
      let option = String(companion.dropFirst(2).prefix { $0 != "=" })
      if !names.contains(option), !words.contains(companion) { words.append(companion) }
    }
    return words + names.map(word)
  }

  private func outcome(_ words: [String]) throws -> Outcome {
    if let outcome = known[words] { return outcome }
    let bench = try PairBench()
    let result = try Program.run(
      "archtool", [scenario.command] + words, in: bench.folder.url,
      environment: ["HOME": bench.folder.url.path, "XDG_CONFIG_HOME": "", "ARCHTOOL_SCHEMAS": ""])
    let outcome = Outcome(
      status: result.status, output: result.output, errors: result.errors,
      files: try bench.changed())
    known[words] = outcome
    last = "\(words): \(result.status) \(result.errors)"
    return outcome
  }
}

/// A folder with inputs on which options show.
struct PairBench {
  let folder: TemporaryFolder
  private static let inputs: Result<[String: Data], any Error> = Result { try makeInputs() }

  init() throws {
    folder = try TemporaryFolder(inMemory: true)
    for (name, data) in try Self.inputs.get() {
      let url = folder.file(name)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: url)
    }
  }

  /// The files that are not as they were.
  func changed() throws -> [String: Data] {
    var files: [String: Data] = [:]
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
    let inputs = try Self.inputs.get()
    for name in names {
      guard let data = FileManager.default.contents(atPath: folder.file(name).path) else {
        continue
      }
      if data != inputs[name] { files[name] = data }
    }
    return files
  }

  private static func makeInputs() throws -> [String: Data] {
    let archive = { (path: String) in
      try Data(contentsOf: TestArchives.root.appendingPathComponent(path))
    }
    let twice = Data(
      "<plist version=\"1.0\"><dict><key>a</key><true/><key>a</key><false/></dict></plist>".utf8)
    let list = { (value: Any) in
      try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0)
    }
    let trip = try archive("Families/Itinerary/samples/v3/two-cities")
    let errors = Data(#"{"name":1,"director":2,"x":3}"#.utf8)
    let nested = try list(["inner": try archive("Movie/v1"), "deep": ["a": ["b": 1]]])
    var files: [String: Data] = [
      "in/movie": try archive("Movie/v1"), "in/sub/current": try archive("Movie/v2"),
      "in/broken": try archive("Broken/truncated"),
      "in/wrong": try archive("Broken/movie-year-string"),
      "in/b-wrong": try archive("Broken/wrong-types-v2"),
      "in/lint": try archive("Graphs/conditional"), "in/b-lint": try archive("Graphs/conditional"),
      "in/stream": try archive("TypedStreams/foundation"), "in/b-trip": trip, "in/trip": trip,
      "in/backup": twice,
      "in/twice.plist": twice, "in/b-twice.plist": twice, "in/five.json": Data("{a: 1,}".utf8),
      "in/b-five.json": Data("{a: 1,}".utf8), "in/errors.json": errors, "in/b-errors.json": errors,
      "in/format.json": Data(#"{"name":"x","zzz":1,"q":1}"#.utf8),
      "in/b-format.json": Data(#"{"name":"x","zzz":1,"q":1}"#.utf8),
      "in/b-tags.json": Data(#"{"a":{"$date":"2020-01-01T00:00:00Z"}}"#.utf8),
      "in/five-tags.json": Data(#"{a:{"$date":"2020-01-01T00:00:00Z"}}"#.utf8),
      "in/tags.json": Data(#"{"a":{"$date":"2020-01-01T00:00:00Z"}}"#.utf8),
      "list": Data("in/movie\nin/blob\nin/b-twice.plist\nin/wrong\nin/b-errors.json\n".utf8),
      "list0": Data("in/movie\0in/blob\0in/b-twice.plist\0in/wrong\0in/b-errors.json\0".utf8),
      "old": Data("old".utf8), "classes": Data("NSDictionary\n".utf8),
      "any.schema.json": Data(
        #"{"required":["zzz"],"anyOf":[{"type":"string"},{"required":["q"]}],"properties":{"name":{"format":"date","type":"string","deprecated":true}}}"#
          .utf8),
      "ref.schema.json": Data(#"{"properties":{"x":{"$ref":"other.json"}}}"#.utf8),
      "schemas/other.json": Data(#"{"type":"string"}"#.utf8),
    ]
    let blobs: [String: Data] = [
      "": try archive("Movie/v1"), "-cut": try archive("TypedStreams/foundation").prefix(130),
      "-twice": twice, "-nested": nested, "-wrong": try archive("Broken/movie-year-string"),
      "-broken": try archive("Broken/truncated"), "-lint": try archive("Graphs/conditional"),
      "-trip": trip, "-format": Data(#"{"name":"x","zzz":1,"q":1}"#.utf8),
      "-tags": Data(#"{"a":{"$date":"2020-01-01T00:00:00Z"}}"#.utf8),
    ]
    for (name, data) in blobs {
      files["in/blob" + name] = try list(["blob": data, "s": "x", "deep": ["a": ["b": "c"]]])
    }
    let family = TestArchives.root.appendingPathComponent("Families/Itinerary")
    for name in try FileManager.default.subpathsOfDirectory(atPath: family.path)
    where name.hasSuffix(".json") && !name.contains("samples") {
      files["schemas/Itinerary/" + name] = try Data(contentsOf: family.appendingPathComponent(name))
    }
    return files
  }
}
