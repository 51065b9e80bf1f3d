// A version is added to a family's folder completely or not at all.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import Foundation
import TestSupport
import Testing

@Suite struct FamilyWriterTests {
  private static let schema = JSONTree.members([("type", .string("object"))])

  private func family(_ folder: TemporaryFolder, _ name: String = "Movie") throws -> JSONTree {
    let data = try Data(contentsOf: folder.file("\(name)/family.json"))
    return try JSONTree(json: Array(data))
  }

  @Test func addsVersionsInOrder() throws {
    let folder = try TemporaryFolder()
    let writer = FamilyWriter(folder: folder.file("new/schemas").path)
    for version in ["v10", "v2", "v9", "v2b"] {
      try writer.write(Self.schema, family: "Movie", version: version, title: "A film")
    }
    let file = try family(folder, "new/schemas/Movie")
    #expect(file["versions"]?.strings == ["v2", "v2b", "v9", "v10"])
    #expect(file["title"]?.string == "A film")
    let names = try FileManager.default.contentsOfDirectory(
      atPath: folder.file("new/schemas/Movie").path)
    #expect(
      names.sorted() == [
        "family.json", "v10.schema.json", "v2.schema.json", "v2b.schema.json", "v9.schema.json",
      ])
  }

  @Test func keepsWhatTheFamilySays() throws {
    let folder = try TemporaryFolder()
    let writer = FamilyWriter(folder: folder.url.path)
    try FileManager.default.createDirectory(
      at: folder.file("Movie"), withIntermediateDirectories: true)
    let text = """
      {"create": {"list": "x"}, "family": "Movie", "versions": ["v3", "v1"], "title": "T"}
      """
    try Data(text.utf8).write(to: folder.file("Movie/family.json"))
    try writer.write(Self.schema, family: "Movie", version: "v2", title: "another")
    let file = try family(folder)
    #expect(file.members?.map(\.0) == ["create", "family", "versions", "title"])
    #expect(file["versions"]?.strings == ["v2", "v3", "v1"])
    #expect(file["title"]?.string == "T")
  }

  @Test func replacesOnlyWhenTold() throws {
    let folder = try TemporaryFolder()
    let writer = FamilyWriter(folder: folder.url.path)
    try writer.write(Self.schema, family: "Movie", version: "v1")
    let other = JSONTree.members([("type", .string("array"))])
    #expect(throws: ArchiveError(.cannotCreate, "")) {
      try writer.write(other, family: "Movie", version: "v1")
    }
    let file = folder.file("Movie/v1.schema.json")
    #expect(try JSONTree(json: Array(Data(contentsOf: file))) == Self.schema)
    try writer.write(other, family: "Movie", version: "v1", replacing: true)
    #expect(try JSONTree(json: Array(Data(contentsOf: file))) == other)
    #expect(try family(folder)["versions"]?.strings == ["v1"])
  }

  @Test func anotherFileIsNotTouched() throws {
    for text in ["{\"family\": \"Other\", \"versions\": []}", "{", "[]", "{\"family\": \"Movie\"}"]
    {
      let folder = try TemporaryFolder()
      try FileManager.default.createDirectory(
        at: folder.file("Movie"), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: folder.file("Movie/family.json"))
      #expect(throws: ArchiveError.self) {
        try FamilyWriter(folder: folder.url.path).write(
          Self.schema, family: "Movie", version: "v1")
      }
      #expect(try Data(contentsOf: folder.file("Movie/family.json")) == Data(text.utf8))
      #expect(!FileManager.default.fileExists(atPath: folder.file("Movie/v1.schema.json").path))
    }
  }

  @Test(arguments: ["", ".", "..", "a/b", "a@b", "a b", "-a", ".a", "a\u{0}", "a\n", "\\"])
  func refusesNames(_ name: String) throws {
    let folder = try TemporaryFolder()
    let writer = FamilyWriter(folder: folder.url.path)
    for (family, version) in [(name, "v1"), ("Movie", name)] {
      #expect(throws: ArchiveError(.outOfRange, "")) {
        try writer.write(Self.schema, family: family, version: version)
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }
}
