// An application's own families: where they are found, which of two takes precedence, and which commands use them.

import Foundation
import TestSupport
import Testing

@Suite struct FamilyFolderTests {
  /// The files of a family for JSON with one member.
  private static func family(
    _ name: String, member: String, title: String = "", in folder: String
  ) -> [String: String] {
    [
      "\(folder)/family.json": #"{"family": "\#(name)", "title": "\#(title)", "versions": ["v1"]}"#,
      "\(folder)/v1.schema.json": """
      {"x-archive": {"envelope": "json"}, "required": ["\(member)"],
      "properties": {"\(member)": {"type": "integer"}}, "additionalProperties": false}
      """,
    ]
  }

  private static func bench() throws -> Workbench {
    let parts = [
      family("Option", member: "option", in: "given/Option"),
      family("First", member: "first", in: "one/First"),
      family("Second", member: "second", in: "two"),
      family("Xdg", member: "xdg", in: "config/archtool/schemas/Xdg"),
      family("Home", member: "home", in: "home/.config/archtool/schemas/Home"),
    ]
    let bench = try Workbench(parts.reduce(into: [:]) { $0.merge($1) { $1 } })
    for name in ["option", "first", "second", "xdg", "home"] {
      try bench.write(#"{"\#(name)": 1}"#, to: "\(name).json")
    }
    return bench
  }

  // MARK: Where

  struct Places: Sendable, CustomTestStringConvertible {
    var arguments: [String] = []
    var environment: [String: String] = [:]
    /// The families that are known.
    let known: [String]
    var testDescription: String { "\(arguments) \(environment)" }
  }

  @Test(arguments: [
    Places(known: ["home"]), Places(arguments: ["--schemas", "given"], known: ["option", "home"]),
    Places(environment: ["ARCHTOOL_SCHEMAS": "one:two"], known: ["first", "second", "home"]),
    Places(environment: ["ARCHTOOL_SCHEMAS": "two"], known: ["second", "home"]),
    // What the environment names need not be there.
    Places(
      environment: ["ARCHTOOL_SCHEMAS": ":absent::one:"], known: ["first", "home"]),
    Places(environment: ["XDG_CONFIG_HOME": "ABSOLUTE/config"], known: ["xdg"]),
    // A relative path counts for nothing, as the XDG specification has it.
    Places(environment: ["XDG_CONFIG_HOME": "config"], known: ["home"]),
    Places(environment: ["HOME": "/nonexistent"], known: []),
    Places(
      arguments: ["--schemas", "given", "--schemas", "two"],
      environment: ["ARCHTOOL_SCHEMAS": "one", "XDG_CONFIG_HOME": "ABSOLUTE/config"],
      known: ["option", "first", "second", "xdg"]),
  ]) func familiesAreFound(_ places: Places) throws {
    let bench = try Self.bench()
    let environment = places.environment.mapValues {
      $0.replacingOccurrences(of: "ABSOLUTE/", with: bench.url("").path + "/")
    }
    let names = ["option", "first", "second", "xdg", "home"]
    let units = try bench.validate(
      places.arguments + names.map { "\($0).json" }, environment: environment)
    let known = zip(names, units).filter { $1.schema == "\($0.capitalized)@v1" && $1.valid }
    #expect(known.map(\.0).sorted() == places.known.sorted())
  }

  @Test func aFolderOfTheCommandLineMustBeThere() throws {
    let result = try Self.bench().run("validate", "--schemas", "absent", "home.json")
    #expect(result.status == 66)
    #expect(result.errors.hasPrefix("absent: error: "), "\(result.errors)")
  }

  // MARK: Which of two

  @Test func theFirstOfOneNameCounts() throws {
    let parts = [
      Self.family("Twin", member: "a", title: "first", in: "one/Twin"),
      Self.family("Twin", member: "b", title: "second", in: "two/Twin"),
      Self.family("Movie", member: "c", title: "ours", in: "one/Movie"),
    ]
    let bench = try Workbench(parts.reduce(into: [:]) { $0.merge($1) { $1 } })
    for (folders, title) in [(["one", "two"], "first"), (["two", "one"], "second")] {
      let list = try bench.run(
        ["schema", "list", "Twin", "Movie"] + folders.flatMap { ["--schemas", $0] })
      let place = title == "first" ? "one/Twin" : "two/Twin"
      #expect(list.text.contains("Twin: \(title), \(place)\n  Twin@v1  json\n"), "\(list.text)")
      #expect(list.text.contains("Movie: ours, one/Movie\n  Movie@v1  json\n"), "\(list.text)")
      let environment = ["ARCHTOOL_SCHEMAS": folders.joined(separator: ":")]
      #expect(
        try bench.run(["schema", "list", "Twin", "Movie"], environment: environment).text
          == list.text)
    }
    // The built-in family of the name is not tried any more.
    let movie = TestArchives.root.appendingPathComponent("Movie/v1").path
    #expect(try bench.run("validate", movie).status == 0)
    #expect(try bench.run("validate", "--schemas", "one", "--require-schema", movie).status == 1)
    // The command line counts before the environment.
    let both = try bench.run(
      ["schema", "list", "--schemas", "two", "Twin"], environment: ["ARCHTOOL_SCHEMAS": "one"])
    #expect(both.text.hasPrefix("Twin: second, two/Twin\n"))
  }

  // MARK: What is wrong with one

  @Test(arguments: [
    ("family.json", "{", "family.json:1:2: error"), ("family.json", "[]", "$.family"),
    ("family.json", #"{"versions": ["v1"]}"#, "$.family"),
    ("family.json", #"{"family": "a@b", "versions": ["v1"]}"#, "$.family"),
    ("family.json", #"{"family": "F"}"#, "$.versions"),
    ("family.json", #"{"family": "F", "versions": []}"#, "$.versions"),
    ("family.json", #"{"family": "F", "versions": ["v1", "v1"]}"#, "$.versions"),
    ("family.json", #"{"family": "F", "versions": ["v1", 2]}"#, "$.versions"),
    ("family.json", #"{"family": "F", "versions": ["../v1"]}"#, "$.versions"),
    ("v1.schema.json", "{", "v1.schema.json:1:2: error"), ("v1.schema.json", "{}", "x-archive"),
    ("v1.schema.json", #"{"x-archive": {}}"#, "must name an envelope"),
    ("v1.schema.json", #"{"x-archive": {"envelope": "zip"}}"#, "codable"),
    ("v1.schema.json", #"{"x-archive": {"envelope": "json", "list": 1}}"#, "['x-archive'].list"),
    (
      "v1.schema.json", #"{"x-archive": {"envelope": "nscoding", "classes": []}}"#,
      "['x-archive'].classes"
    ),
    (
      "v1.schema.json", #"{"x-archive": {"envelope": "json", "more": 1}}"#, "['x-archive'].more"
    ),
    (
      "v1.schema.json", #"{"x-archive": {"envelope": "json"}, "items": {"minimum": ""}}"#,
      "(at $.items.minimum)"
    ),
  ]) func isAnErrorOfItsFile(_ file: String, _ text: String, _ part: String) throws {
    let bench = try Workbench(Self.family("F", member: "f", in: "own/F"))
    try bench.write(text, to: "own/F/\(file)")
    try bench.write("{}", to: "data.json")
    for command in [["validate", "data.json"], ["info", "data.json"], ["schema", "list"]] {
      let result = try bench.run(command + ["--schemas", "own"])
      #expect(result.status == 65, "\(command)")
      #expect(result.errors.hasPrefix("own/F/\(file):"), "\(result.errors)")
      #expect(result.errors.contains(part), "\(result.errors)")
      #expect(result.text.isEmpty)
    }
  }

  @Test func aVersionWithoutItsSchemaCannotBeOpened() throws {
    let bench = try Workbench(["own/family.json": #"{"family": "F", "versions": ["v1"]}"#])
    let result = try bench.run("schema", "list", "--schemas", "own")
    #expect(result.status == 66)
    #expect(result.errors.hasPrefix("own/v1.schema.json: error: cannot open"))
  }

  // MARK: Who knows them

  @Test func infoAndMigrateKnowThem() throws {
    let schema = #""required": ["stops"], "properties": {"stops": {"items": {"type": "string"}}}"#
    let bench = try Workbench([
      "own/family.json": #"{"family": "Trip", "versions": ["v1", "v2"]}"#,
      "own/v1.schema.json": #"{"x-archive": {"envelope": "dictionariable"}, \#(schema)}"#,
      "own/v2.schema.json": #"{"x-archive": {"envelope": "codable"}, \#(schema)}"#,
      "trip.json": #"{"stops": ["Zürich", "東京"]}"#,
    ])
    try bench.run("convert", "--to", "keyed-archive", "trip.json", "-o", "trip")
    let info = try bench.run("info", "--schemas", "own", "trip")
    #expect(info.text.contains("\nschema: Trip@v1 (fits)\n"), "\(info.text)")
    #expect(try !bench.run("info", "trip").text.contains("Trip"))
    let migrated = try bench.run(
      "migrate", "--schemas", "own", "--from", "v1", "--to", "v2", "trip", "-o", "new")
    #expect(migrated.status == 0, "\(migrated.errors)")
    #expect(
      try bench.run("info", "--schemas", "own", "new").text.contains("schema: Trip@v2 (fits)"))
    let values = try bench.run("dump", "--format", "json", "new").output
    #expect(try TestArchives.json(values) == ["stops": ["Zürich", "東京"]] as NSDictionary)
    #expect(try bench.run("migrate", "--from", "v1", "--to", "v2", "trip", "-o", "x").status == 1)
  }
}
