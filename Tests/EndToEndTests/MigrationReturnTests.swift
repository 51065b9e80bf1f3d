// What a migration calls lossless comes back as it was by a second command: cases that once did not, nil fields, and
// random families.

import Foundation
import TestSupport
import Testing

@Suite struct MigrationReturnTests {
  private func judge(_ arguments: String...) throws {
    let script = TestArchives.root.deletingLastPathComponent()
      .appendingPathComponent("Tests/Judges/\(arguments[0]).py").path
    let result = try Program.run(
      at: URL(fileURLWithPath: "/usr/bin/env"),
      ["python3", script, Program.folder + "/archtool"] + arguments.dropFirst(),
      environment: ["PYTHONDONTWRITEBYTECODE": "1"])
    #expect(result.status == 0, "\(result.text) \(result.errors)")
  }

  @Test(arguments: [
    "location", "color", "color-from-json", "number-keys", "uuid-keys", "date-keys", "root-list",
    "root-list-of-dictionaries", "wrapped-null", "null-left-out", "required-null", "shared-list",
    "superclasses-of-dictionaries", "dictionary-without-class", "stored-across", "range",
    "added-set-from-json", "added-set", "added-ordered-set", "added-url", "text-to-number",
    "milliseconds", "separate-numbers", "base-of-a-url", "single-precision", "minus-zero",
    "empty-ordered-set", "renamed-to-superclass",
  ]) func comesBackOrIsRefused(_ name: String) throws {
    try judge("returns", name)
  }

  @Test func randomFamiliesComeBackOrAreRefused() throws {
    try judge("families", "20", "1", "--workers", "2")
  }

  /// Codable leaves nil out, and the schema as it is inferred requires the member.
  @Test(arguments: ["nil", "value"]) func nilFieldsComeBack(_ name: String) throws {
    let bench = try Workbench([
      "S/Bookmark/family.json": #"{"family": "Bookmark", "versions": ["v1", "v2"]}"#,
      "S/Bookmark/v2.schema.json": #"""
      {"x-archive": {"envelope": "codable"}, "type": "object", "required": ["title"],
       "properties": {"title": {"type": "string"}, "notes": {"type": "string"},
         "place": {"type": "object", "properties": {"city": {"type": "string"}}}},
       "additionalProperties": false}
      """#,
    ])
    let place =
      #"{"$object": {"class": "App.Place", "classes": ["App.Place", "NSObject"], "fields": {"city": null}}}"#
    for (file, notes, place) in [("nil", "null", "null"), ("value", #""n""#, place)] {
      try bench.write(
        #"""
        {"$object": {"class": "App.Bookmark", "classes": ["App.Bookmark", "NSObject"], "fields": {
          "title": "t", "notes": \#(notes), "place": \#(place)}}}
        """#, to: "\(file).json")
      #expect(
        try bench.run("convert", "--to", "keyed-archive", "\(file).json", "-o", file).status == 0)
    }
    let inferred = try bench.run(
      "schema", "infer", "nil", "value", "-o", "S/Bookmark/v1.schema.json")
    #expect(inferred.status == 0, "\(inferred.errors)")
    for (source, version, output) in [(name, "v2", "new"), ("new", "v1", "again")] {
      let result = try bench.run(
        "migrate", "--schemas", "S", "--to", version, source, "-o", output)
      try #require(result.status == 0, "\(result.errors)")
    }
    let dumps = try [name, "again"].map { try bench.run("dump", "--typed", $0).text }
    #expect(dumps[0] == dumps[1])
  }
}
