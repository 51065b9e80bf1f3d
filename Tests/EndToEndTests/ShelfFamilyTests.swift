// A family of nested objects, migrated through its versions and back; the app's own classes decode every step.

import Foundation
import TestSupport
import Testing

@Suite struct ShelfFamilyTests {
  private let bench: Workbench

  init() throws {
    bench = try Workbench()
    try bench.copy("Families/Shelf/library.json", to: "library.json")
    let made = try bench.run(
      "convert", "--to", "keyed-archive", "library.json", "-o", "v1")
    #expect(made.status == 0, "\(made.errors)")
  }

  private func migrate(_ file: String, to version: String, _ options: String...) throws
    -> ProgramResult
  {
    let families = TestArchives.root.appendingPathComponent("Families").path
    return try bench.run(
      ["migrate", "--schemas", families, "--to", version, file, "-o", version + "-of-" + file]
        + options)
  }

  /// What the app's unarchiver makes of an archive.
  private func facts(_ file: String) throws -> NSDictionary {
    let result = try Program.run("FoundationJudge", ["shelf", bench.url(file).path])
    try #require(result.status == 0, "\(file): \(result.errors)")
    let value = try JSONSerialization.jsonObject(with: result.output)
    return try #require(value as? NSDictionary)
  }

  private func expected(person: String) -> NSDictionary {
    let ada: [String: Any] = ["class": person, "name": "Ada", "age": 36]
    let jane: [String: Any] = ["class": person, "name": "Jane", "age": 41]
    return [
      "class": "Library", "name": "City Library", "isOpen": true, "rating": 4.5, "owner": ada,
      "editor": ada, "ownerIsEditor": true,
      "books": [
        ["class": "Book", "title": "Notes", "pages": 66, "price": 12.5, "author": ada],
        [
          "class": "Novel", "title": "Emma", "pages": 474, "price": 9.99, "author": jane,
          "genre": "comedy",
        ],
      ] as [[String: Any]],
    ]
  }

  @Test func objectsKeepTheirClassesStorageAndSharing() throws {
    #expect(try facts("v1") == expected(person: "Person"))
    #expect(try migrate("v1", to: "v2").status == 0)
    #expect(try facts("v2-of-v1") == expected(person: "Person"))
    #expect(try migrate("v2-of-v1", to: "v3").status == 0)
    #expect(try facts("v3-of-v2-of-v1") == expected(person: "Member"))
    let back = try migrate("v3-of-v2-of-v1", to: "v1")
    #expect(back.status == 0, "\(back.errors)")
    #expect(try facts("v1-of-v3-of-v2-of-v1") == expected(person: "Person"))
    // Both are the same archive, down to the object table.
    let dumps = try ["v1", "v1-of-v3-of-v2-of-v1"].map {
      try bench.run("dump", "--typed", $0).text
    }
    #expect(dumps[0] == dumps[1])
  }

  @Test func codableValuesComeBackAsTheObjectsThatTheyWere() throws {
    #expect(try migrate("v1", to: "v3").status == 0)
    // A Novel among Books is no class that the schema tells.
    let refused = try migrate("v3-of-v1", to: "v4")
    #expect(refused.status == 1)
    #expect(refused.errors.contains("would lose the sharing of $.editor"))
    #expect(try migrate("v3-of-v1", to: "v4", "--keep-lost").status == 0)
    let judged = try Program.run(
      "FoundationJudge", ["codable", "Shelf", bench.url("v4-of-v3-of-v1").path])
    #expect(judged.status == 0, "\(judged.errors)")
    #expect(judged.text.contains(#""genre":"comedy""#))
    let back = try migrate("v4-of-v3-of-v1", to: "v3")
    #expect(back.status == 0, "\(back.errors)")
    #expect(try facts("v3-of-v4-of-v3-of-v1") == expected(person: "Member"))
  }

  @Test func theSchemaTellsTheClassesOfValuesThatHaveNone() throws {
    #expect(try migrate("v1", to: "v3").status == 0)
    #expect(try migrate("v3-of-v1", to: "v4", "--allow-loss").status == 0)
    let back = try migrate("v4-of-v3-of-v1", to: "v3")
    #expect(back.status == 0, "\(back.errors)")
    let books = try facts("v3-of-v4-of-v3-of-v1")["books"] as? [NSDictionary]
    #expect(books?.map { $0["class"] as? String } == ["Book", "Book"])
    let typed = try bench.run("dump", "--typed", "v3-of-v4-of-v3-of-v1").text
    #expect(typed.contains(#""pages": 66"#) && typed.contains(#""price": {"$boxed": 12.5}"#))
    #expect(typed.contains("NSMutableArray"))
  }

  @Test func lensesHold() throws {
    let families = TestArchives.root.appendingPathComponent("Families/Shelf").path
    let check = try bench.run("schema", "check", "--tries", "200", families)
    #expect(check.status == 0, "\(check.text) \(check.errors)")
  }

  /// Bytes of a class of their own are an object, whatever their value.
  @Test(arguments: ["inline", "boxed"]) func anObjectIsNotStoredAsANumber(_ storage: String) throws
  {
    let schema =
      #"{"x-archive": {"envelope": "nscoding", "classes": ["App.Box"]}, "type": "object"}"#
    try bench.write(#"{"family": "Box", "versions": ["v1", "v2"]}"#, to: "S/Box/family.json")
    for version in ["v1", "v2"] { try bench.write(schema, to: "S/Box/\(version).schema.json") }
    try bench.write(
      #"{"lens": [{"store": {"name": "d", "as": "\#(storage)"}}]}"#, to: "S/Box/v1-v2.lens.json")
    try bench.write(
      #"""
      {"$object": {"class": "App.Box", "classes": ["App.Box", "NSObject"], "fields": {
        "d": {"$object": {"class": "NSMutableData", "classes": ["NSMutableData", "NSData", "NSObject"],
          "fields": {"NS.data": {"$inline": {"$data": "YWJj"}}}}}}}}
      """#, to: "box.json")
    #expect(try bench.run("convert", "--to", "keyed-archive", "box.json", "-o", "box").status == 0)
    let result = try bench.run(
      "migrate", "--schemas", "S", "--from", "v1", "--to", "v2", "box", "-o", "new")
    #expect(result.status == 1)
    #expect(result.errors.contains("needs a number"))
  }

  /// Checkers that read with plistlib alone: what no lens names, and what an envelope holds, is the same, or the archive
  /// is refused.
  @Test(arguments: [1, 2], ["object_graphs", "edits", "merges"])
  func randomObjectsAreKeptOrRefused(_ seed: Int, _ judge: String) throws {
    let script = TestArchives.root.deletingLastPathComponent()
      .appendingPathComponent("Tests/Judges/\(judge).py").path
    let result = try Program.run(
      at: URL(fileURLWithPath: "/usr/bin/env"),
      ["python3", script, Program.folder + "/archtool", "240", "\(seed)"],
      environment: ["PYTHONDONTWRITEBYTECODE": "1"])
    #expect(result.status == 0, "\(result.text) \(result.errors)")
  }
}
