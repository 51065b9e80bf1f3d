// User defaults with archives of a family in their data values: schemas and lenses apply to those archives.

import Foundation
import TestSupport
import Testing

@Suite struct ArchivedModelTests {
  private let bench: Workbench

  init() throws {
    bench = try Workbench()
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.shelf.path)
    where name.hasSuffix(".json") {
      try bench.copy("Families/Shelf/" + name, to: "S/Shelf/" + name)
    }
    try bench.write(
      #"{"family": "Preferences", "versions": ["v1", "v2", "v3"]}"#,
      to: "S/Preferences/family.json")
    for (version, shelf) in [("v1", "v1"), ("v2", "v2"), ("v3", "v4")] {
      try bench.write(Self.schema(shelf), to: "S/Preferences/\(version).schema.json")
    }
    for (name, source, target) in [("v1-v2", "v1", "v2"), ("v2-v3", "v2", "v4")] {
      try bench.write(Self.lens(source, target), to: "S/Preferences/\(name).lens.json")
    }
    try bench.run("convert", "--to", "keyed-archive", "S/Shelf/library.json", "-o", "library")
    let library = try Data(contentsOf: bench.url("library"))
    try write(["launches": 3, "library": library, "backups": [library, library]], to: "defaults")
  }

  private static let shelf = TestArchives.root.appendingPathComponent("Families/Shelf")

  private static func schema(_ shelf: String) -> String {
    let data =
      #"{"type": "string", "x-plist-type": "data", "x-archived": {"$ref": "Shelf@\#(shelf)"}}"#
    return #"""
      {"x-archive": {"envelope": "plist"}, "type": "object", "required": ["launches", "library"],
       "properties": {"launches": {"type": "integer"}, "library": \#(data),
         "backups": {"type": "array", "items": \#(data)}},
       "additionalProperties": false}
      """#
  }

  private static func lens(_ source: String, _ target: String) -> String {
    let step = #""archive": {"from": "Shelf@\#(source)", "to": "Shelf@\#(target)"}"#
    return #"""
      {"lens": [{"in": {"name": "library", \#(step)}},
        {"in": {"name": "backups", "lens": [{"map": {"lens": [{"in": {\#(step)}}]}}]}}]}
      """#
  }

  private func write(_ value: [String: Any], to name: String) throws {
    try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0)
      .write(to: bench.url(name))
  }

  private func values(_ name: String) throws -> [String: Any] {
    let data = try Data(contentsOf: bench.url(name))
    let value = try PropertyListSerialization.propertyList(from: data, format: nil)
    return try #require(value as? [String: Any])
  }

  private func migrate(_ file: String, _ options: String...) throws -> ProgramResult {
    try bench.run(["migrate", "--schemas", "S", file] + options)
  }

  /// What the app's own classes decode of the archives of a file, the first and those of the list.
  private func titles(_ name: String) throws -> [String] {
    let values = try values(name)
    let archives = [values["library"] as? Data] + (values["backups"] as? [Data] ?? [])
    return try archives.map { archive in
      try #require(archive).write(to: bench.url("part"))
      let result = try Program.run("FoundationJudge", ["shelf", bench.url("part").path])
      try #require(result.status == 0, "\(result.errors)")
      let facts = try JSONSerialization.jsonObject(with: result.output) as? [String: Any]
      return try #require(facts?["name"] as? String)
    }
  }

  @Test func lensesTakeArchivesAlongAndBack() throws {
    let there = try migrate("defaults", "--to", "v2", "-o", "v2")
    #expect(there.status == 0, "\(there.errors)")
    #expect(try titles("v2") == Array(repeating: "City Library", count: 3))
    let dump = try bench.run("dump", "--typed", "v2").text
    #expect(!dump.contains(#""title": "City Library""#))
    #expect(try migrate("v2", "--to", "v1", "-o", "v1").status == 0)
    #expect(try values("v1") as NSDictionary == values("defaults") as NSDictionary)
  }

  @Test func whatAnArchiveLosesIsRefusedOrKept() throws {
    #expect(try migrate("defaults", "--to", "v2", "-o", "v2").status == 0)
    let refused = try migrate("v2", "--to", "v3", "-o", "v3")
    #expect(refused.status == 1)
    #expect(refused.errors.contains("would lose the sharing of $.editor"))
    let kept = try migrate("v2", "--to", "v3", "-o", "v3", "--keep-lost")
    #expect(kept.status == 0, "\(kept.errors)")
    let back = try migrate("v3", "--to", "v2", "-o", "again")
    #expect(back.status == 0, "\(back.errors)")
    #expect(try Data(contentsOf: bench.url("again")) == Data(contentsOf: bench.url("v2")))
  }

  @Test func schemasLookIntoTheArchives() throws {
    let found = try bench.run("validate", "--schemas", "S", "defaults")
    #expect(found.status == 0)
    #expect(found.text.contains("Preferences@v1"))
    let library = try Data(contentsOf: bench.url("library"))
    let plist = try PropertyListSerialization.data(
      fromPropertyList: ["a": 1], format: .binary, options: 0)
    try write(
      ["launches": 1, "library": Data("abc".utf8), "backups": [library, plist]], to: "bad")
    let bad = try bench.run("validate", "--schemas", "S", "--schema", "Preferences@v1", "bad")
    #expect(bad.status == 1)
    #expect(
      bad.errors.contains("an archive of Shelf@v1, found data without one (at $.library)"))
    #expect(bad.errors.contains("the envelope plist (at $.backups[1])"))
  }

  @Test func aPathLeadsIntoTheArchive() throws {
    let typed = try String(contentsOf: bench.url("S/Shelf/library.json"), encoding: .utf8)
      .replacingOccurrences(of: #""City Library""#, with: "7")
    try bench.write(typed, to: "wrong.json")
    #expect(
      try bench.run("convert", "--to", "keyed-archive", "wrong.json", "-o", "wrong").status == 0)
    try write(["launches": 1, "library": Data(contentsOf: bench.url("wrong"))], to: "defaults")
    let result = try bench.run(
      "validate", "--schemas", "S", "--schema", "Preferences@v1", "defaults")
    #expect(result.status == 1)
    #expect(result.errors.contains("$.library⟨archive⟩.title"), "\(result.errors)")
  }

  @Test func examplesTellTheSchemaOfTheirArchives() throws {
    let inferred = try bench.run("schema", "infer", "defaults", "-o", "inferred.json")
    #expect(inferred.status == 0, "\(inferred.errors)")
    #expect(
      try String(contentsOf: bench.url("inferred.json"), encoding: .utf8).contains("Shelf.Library"))
    #expect(try bench.run("validate", "--schema-file", "inferred.json", "defaults").status == 0)
    let values = try values("defaults")
    try write(
      ["launches": 3, "library": Data("abc".utf8), "backups": values["backups"] ?? []], to: "bad")
    #expect(try bench.run("validate", "--schema-file", "inferred.json", "bad").status == 1)
  }

  @Test func lensesIntoArchivesAreTried() throws {
    let sound = try bench.run("schema", "check", "--tries", "200", "S")
    #expect(sound.status == 0, "\(sound.text) \(sound.errors)")
    try bench.write(Self.lens("v2", "v3"), to: "S/Preferences/v1-v2.lens.json")
    let wrong = try bench.run("schema", "check", "--tries", "200", "S")
    #expect(wrong.status == 1)
    #expect(wrong.errors.contains("forward: the archive is Shelf@v1, not Shelf@v2, such as"))
  }

  @Test func versionsThatHoldOtherArchivesDiffer() throws {
    let same = try bench.run(
      "schema", "diff", "--schemas", "S", "S/Preferences/v1.schema.json",
      "S/Preferences/v1.schema.json")
    #expect(same.status == 0, "\(same.text) \(same.errors)")
    let result = try bench.run(
      "schema", "diff", "--schemas", "S", "S/Preferences/v1.schema.json",
      "S/Preferences/v2.schema.json")
    #expect(result.status == 1)
    #expect(result.text.contains("breaks backward: unexpected member 'title'"), "\(result.text)")
  }

  /// What is said of a file alone is said of it within another as well.
  @Test func warningsOfTheArchiveAreReported() throws {
    for version in ["v1", "v2"] {
      try bench.write(
        #"{"x-archive": {"envelope": "plist"}, "type": "object", "required": ["\#(version)"], "properties": {"\#(version)": {}, "more": {}}, "additionalProperties": false}"#,
        to: "S/Note/\(version).schema.json")
      try bench.write(
        #"{"x-archive": {"envelope": "plist"}, "type": "object", "required": ["held"], "properties": {"held": {"x-archived": {"$ref": "Note@\#(version)"}}}}"#,
        to: "S/Holder/\(version).schema.json")
    }
    for name in ["Note", "Holder"] {
      try bench.write(
        #"{"family": "\#(name)", "versions": ["v1", "v2"]}"#, to: "S/\(name)/family.json")
    }
    try bench.write(
      #"{"lens": [{"rename": {"source": "v1", "destination": "v2"}}, {"add": {"name": "more", "default": {"$date": "2020-01-01T00:00:00.25Z"}}}]}"#,
      to: "S/Note/v1-v2.lens.json")
    try bench.write(
      #"{"lens": [{"in": {"name": "held", "archive": {"from": "Note@v1", "to": "Note@v2"}}}]}"#,
      to: "S/Holder/v1-v2.lens.json")
    let note = try PropertyListSerialization.data(
      fromPropertyList: ["v1": 1], format: .xml, options: 0)
    try note.write(to: bench.url("note"))
    try write(["held": note], to: "holder")
    let warning = "becomes a binary property list"
    #expect(try migrate("note", "--to", "v2", "-o", "note2").errors.contains(warning))
    let held = try migrate("holder", "--to", "v2", "-o", "holder2")
    #expect(held.status == 0, "\(held.errors)")
    #expect(held.errors.contains(warning), "\(held.errors)")
    #expect(held.errors.contains("$.held⟨archive⟩"), "\(held.errors)")
  }

  /// Lenses that lead into archives of their own family end where archives lie deep in archives.
  @Test func archivesInArchivesAreBounded() throws {
    let schema = #"""
      {"x-archive": {"envelope": "plist"}, "type": "object",
       "properties": {"VERSION": {"type": "integer"}, "in": {"x-archived": {"$ref": "Box@VERSION"}}},
       "required": ["VERSION"], "additionalProperties": false}
      """#
    for version in ["v1", "v2"] {
      try bench.write(
        schema.replacingOccurrences(of: "VERSION", with: version),
        to: "S/Box/\(version).schema.json")
    }
    try bench.write(#"{"family": "Box", "versions": ["v1", "v2"]}"#, to: "S/Box/family.json")
    try bench.write(
      #"{"lens": [{"rename": {"source": "v1", "destination": "v2"}}, {"in": {"name": "in", "archive": {"from": "Box@v1", "to": "Box@v2"}}}]}"#,
      to: "S/Box/v1-v2.lens.json")
    var value: [String: Any] = ["v1": 0]
    for depth in 1...40 {
      let data = try PropertyListSerialization.data(
        fromPropertyList: value, format: .binary, options: 0)
      value = ["v1": depth, "in": data]
      if depth == 3 || depth == 40 { try write(value, to: "box\(depth)") }
    }
    let few = try migrate("box3", "--to", "v2", "-o", "few")
    #expect(few.status == 0, "\(few.errors)")
    let many = try migrate("box40", "--to", "v2", "-o", "many")
    #expect([1, 65].contains(many.status), "\(many.status) \(many.errors)")
  }
}
