// Archives and JSON in strings, Base64, gzip and keyed archives, checked against Python; and what is refused.

import Foundation
import TestSupport
import Testing

@Suite struct LayeredDataTests {
  @Test(arguments: [1, 2]) func agreesWithPython(_ seed: Int) throws {
    let script = TestArchives.root.deletingLastPathComponent()
      .appendingPathComponent("Tests/Judges/layers.py").path
    let result = try Program.run(
      at: URL(fileURLWithPath: "/usr/bin/env"),
      ["python3", script, Program.folder + "/archtool", "60", "\(seed)"],
      environment: ["PYTHONDONTWRITEBYTECODE": "1"])
    #expect(result.status == 0, "\(result.text) \(result.errors)")
  }

  private static func defaults(_ members: [String: Any]) throws -> Data {
    try PropertyListSerialization.data(fromPropertyList: members, format: .xml, options: 0)
  }

  private static func gzip(_ data: Data) throws -> Data {
    try Program.run(at: URL(fileURLWithPath: "/bin/gzip"), ["-c"], input: data).output
  }

  @Test func editsJSONThatUserDefaultsHaveInAString() throws {
    let bench = try Workbench()
    let text = #"{"name":"a\/b", "list" : [1.50,{}], "last":"é"}"#
    try bench.write(try Self.defaults(["json": text, "other": 1]), to: "prefs")
    let result = try bench.run("set", "--at", "$.json", "--in-place", "prefs", "$.last", "\"x/y\"")
    #expect(result.status == 0, "\(result.errors)")
    let list = try PropertyListSerialization.propertyList(
      from: try Data(contentsOf: bench.url("prefs")), format: nil)
    let members = try #require(list as? [String: Any])
    let expected = #"{"name":"a\/b", "list" : [1.50,{}], "last":"x\/y"}"#
    #expect(members["json"] as? String == expected)
    #expect(members["other"] as? Int == 1)
  }

  /// A value that cannot be written as it was, and what the message says.
  static let refused: [(value: any Sendable, message: String)] = [
    ("bm90\nIGV2ZW4gbGluZXM=", "holds no archive"),
    ("only words", "holds no archive and no JSON"),
    (12, "no data value or string at $.v"),
    ("eyJh\nIjoxfQ==", "the Base64 has lines or padding"),
    ("data:, eyJhIjoxfQ==", "the Base64 has lines or padding"),
    ("-----BEGIN X-----\n\neyJhIjoxfQ==\n-----END X-----", "the Base64 has lines or padding"),
  ]

  @Test(arguments: refused.indices) func refusesWithThePath(_ index: Int) throws {
    let (value, message) = Self.refused[index]
    let bench = try Workbench()
    try bench.write(try Self.defaults(["v": value]), to: "prefs")
    let before = try Data(contentsOf: bench.url("prefs"))
    let result = try bench.run("set", "--at", "$.v", "--in-place", "prefs", "$.a", "2")
    #expect(result.status != 0)
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(try Data(contentsOf: bench.url("prefs")) == before)
  }

  @Test func refusesGzipOfSeveralParts() throws {
    let bench = try Workbench()
    let parts = try Self.gzip(Data("{\"a\":".utf8)) + Self.gzip(Data("1}".utf8))
    try bench.write(try Self.defaults(["v": parts]), to: "prefs")
    #expect(try bench.run("get", "--at", "$.v", "prefs", "$.a").text == "1\n")
    let result = try bench.run("set", "--at", "$.v", "prefs", "$.a", "2")
    #expect(result.status != 0)
    #expect(result.errors.contains("has several parts"), "\(result.errors)")
    #expect(result.errors.contains("$.v"), "\(result.errors)")
  }

  @Test func boundsWhatComesOut() throws {
    let bench = try Workbench()
    var bomb = Data(count: 1 << 26)
    for _ in 0..<2 { bomb = try Self.gzip(bomb) }
    try bench.write(try Self.defaults(["v": bomb, "w": bomb.base64EncodedString()]), to: "prefs")
    for path in ["$.v", "$.w"] {
      let result = try bench.run("dump", "--at", path, "prefs")
      #expect(result.status != 0, "\(path)")
    }
  }

  @Test func boundsTheLayers() throws {
    let bench = try Workbench()
    var text = Data("{\"a\":1}".utf8)
    for _ in 0..<40 { text = try Self.gzip(text) }
    try bench.write(try Self.defaults(["v": text]), to: "prefs")
    let result = try bench.run("dump", "--at", "$.v", "prefs")
    #expect(result.status != 0)
    #expect(result.errors.contains("more than 32 layers"), "\(result.errors)")
  }

  @Test func validatesTheLayersThatASchemaNames() throws {
    let schema = #"""
      {"type": "object", "properties": {
        "text": {"type": "string", "x-archived": {
          "x-archive": {"envelope": "json", "dates": "iso8601"}, "type": "object",
          "properties": {"on": {"type": "string", "x-plist-type": "date"}}, "required": ["on"]}},
        "movie": {"x-encoded": ["base64", "gzip"], "x-archived": {"$ref": "Movie@v1"}}}}
      """#
    let bench = try Workbench(["s.json": schema])
    let movie = try Self.gzip(try Workbench.archive("Movie/v1")).base64EncodedString()
    let good = #"{"on": "2020-01-02T03:04:05Z"}"#
    let cases: [([String: Any], String?)] = [
      (["text": good, "movie": movie], nil),
      (["text": #"{"on": 5}"#], "$.text⟨archive⟩.on"),
      (["text": "none"], "expected JSON"),
      (["movie": try Workbench.archive("Movie/v1").base64EncodedString()], "not gzip-compressed"),
      (["movie": try Workbench.archive("Movie/v1")], "not Base64"),
      (
        ["movie": try Self.gzip(try Workbench.archive("Person/v1")).base64EncodedString()],
        "$.movie⟨archive⟩"
      ),
    ]
    for (members, message) in cases {
      try bench.write(try Self.defaults(members), to: "prefs")
      let result = try bench.run("validate", "--schema-file", "s.json", "prefs")
      #expect((result.status == 0) == (message == nil), "\(result.text) \(result.errors)")
      if let message {
        #expect((result.text + result.errors).contains(message), "\(result.text) \(result.errors)")
      }
    }
  }

  static let invalidSchemas = [
    #"{"x-encoded": "base64"}"#, #"{"x-encoded": [], "x-archived": {"$ref": "Movie@v1"}}"#,
    #"{"x-encoded": ["rot13"], "x-archived": {"$ref": "Movie@v1"}}"#,
    #"{"x-encoded": 1, "x-archived": {"$ref": "Movie@v1"}}"#,
  ]

  @Test(arguments: invalidSchemas) func refusesLayersThatThereAreNot(_ schema: String) throws {
    let bench = try Workbench(["s.json": schema])
    try bench.copy("Movie/v1", to: "movie")
    let result = try bench.run("validate", "--schema-file", "s.json", "movie")
    #expect(result.status == 65)
    let isNamed = result.errors.contains("x-encoded") || result.errors.contains("layer")
    #expect(isNamed, "\(result.errors)")
  }

  /// The envelope of the inner archive, its layers as a schema names them, and the type of the value.
  static let lenses: [(envelope: String, layers: String, type: String)] = [
    ("json", "", "string"), ("json", #""x-encoded": "base64","#, "string"),
    ("dictionariable", #""x-encoded": ["base64", "gzip"],"#, "string"),
    ("dictionariable", #""x-encoded": "gzip","#, "data"),
    ("json", #""x-encoded": ["gzip", "archive"],"#, "data"),
  ]

  /// A lens leads into the layers, forward and back, and the check of lenses generates such values.
  @Test(arguments: lenses.indices) func migratesByALensWithin(_ index: Int) throws {
    let (envelope, layers, type) = Self.lenses[index]
    let bench = try Workbench()
    func family(_ name: String, _ envelope: String, _ members: [(String, String)], _ lens: String)
      throws
    {
      try bench.write(
        #"{"family": "\#(name)", "versions": ["v1", "v2"]}"#, to: "S/\(name)/family.json")
      for (version, (member, schema)) in zip(["v1", "v2"], members) {
        try bench.write(
          #"""
          {"x-archive": {"envelope": "\#(envelope)"}, "type": "object", "required": ["\#(member)"],
           "properties": {"\#(member)": \#(schema)}, "additionalProperties": false}
          """#, to: "S/\(name)/\(version).schema.json")
      }
      try bench.write(#"{"lens": [\#(lens)]}"#, to: "S/\(name)/v1-v2.lens.json")
    }
    let text = #"{"type": "string"}"#
    try family(
      "Note", envelope, [("name", text), ("title", text)],
      #"{"rename": {"source": "name", "destination": "title"}}"#)
    let holders = ["v1", "v2"].map { version in
      let exact = type == "data" ? #""x-plist-type": "data","# : #""x-plist-type": "string","#
      return (
        "note",
        #"{"type": "string", \#(exact) \#(layers) "x-archived": {"$ref": "Note@\#(version)"}}"#
      )
    }
    try family(
      "Prefs", "plist", holders,
      #"{"in": {"name": "note", "archive": {"from": "Note@v1", "to": "Note@v2"}}}"#)
    let check = try bench.run("schema", "check", "S", "--tries", "100")
    #expect(check.status == 0, "\(check.text) \(check.errors)")
    let sample = try bench.run(
      "schema", "sample", "--schemas", "S", "Prefs@v1", "--number", "5", "--output-dir", "samples")
    #expect(sample.status == 0, "\(sample.errors)")
    for name in try FileManager.default.contentsOfDirectory(atPath: bench.url("samples").path) {
      let file = "samples/" + name
      let forward = try bench.run(
        "migrate", "--schemas", "S", "--to", "v2", file, "-f", "-o", "new")
      #expect(forward.status == 0, "\(forward.errors)")
      let valid = try bench.run("validate", "--schemas", "S", "--schema", "Prefs@v2", "new")
      #expect(valid.status == 0, "\(valid.text) \(valid.errors)")
      let back = try bench.run("migrate", "--schemas", "S", "--to", "v1", "new", "-f", "-o", "old")
      #expect(back.status == 0, "\(back.errors)")
      let old = ["dump", "--format", "json", "--at", "$.note"]
      #expect(try bench.run(old + ["old"]).text == bench.run(old + [file]).text)
    }
  }
}
