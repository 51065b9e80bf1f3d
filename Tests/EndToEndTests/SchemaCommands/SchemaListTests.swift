// `archtool schema list` and `schema show`: the known schemas, as written.

import Foundation
import TestSupport
import Testing

@Suite struct SchemaListTests {
  static let repository = TestArchives.root.deletingLastPathComponent()
  static let families = TestArchives.root.appendingPathComponent("Families").path

  /// The schema files of the families that are built in, by `NAME@VERSION`.
  static func builtIn() throws -> [String: URL] {
    let folder = repository.appendingPathComponent("Sources/ArchiveSchemas/Families")
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return names.filter { $0.hasSuffix(".schema.json") }.reduce(into: [:]) { files, path in
      let parts = path.split(separator: "/").last?.split(separator: ".") ?? []
      files["\(parts[0])@\(parts[1])"] = folder.appendingPathComponent(path)
    }
  }

  struct Family: Decodable {
    struct Version: Decodable {
      let version: String
      let envelope: String
      let schema: String
    }

    let family: String
    let title: String
    let folder: String?
    let versions: [Version]
  }

  @Test func everyFamilyIsListed() throws {
    let bench = try Workbench()
    let text = try bench.run("schema", "list", "--schemas", Self.families).text
    let json = try bench.run("schema", "list", "--format", "json", "--schemas", Self.families)
    let families = try JSONDecoder().decode([Family].self, from: json.output)
    let labels = families.flatMap { family in
      family.versions.map { "\(family.family)@\($0.version)" }
    }
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.families).sorted()
    let own = try folders.flatMap { name in
      let files = try FileManager.default.contentsOfDirectory(atPath: "\(Self.families)/\(name)")
      return files.filter { $0.hasSuffix(".schema.json") }
        .map { "\(name)@\($0.replacing(".schema.json", with: ""))" }
    }
    #expect(Set(labels) == Set(try Self.builtIn().keys).union(own))
    #expect(families.prefix(folders.count).map(\.family) == folders)
    #expect(families.map { $0.folder == nil } == families.indices.map { $0 >= folders.count })
    var expected = ""
    for family in families {
      expected += "\(family.family): \(family.title), \(family.folder ?? "built in")\n"
      for version in family.versions {
        expected += "  \(family.family)@\(version.version)  \(version.envelope)\n"
        #expect(version.schema == "urn:archtool:\(family.family):\(version.version)#")
      }
    }
    #expect(text == expected)
  }

  @Test func namesSelectFamilies() throws {
    let bench = try Workbench()
    let two = try bench.run("schema", "list", "Person", "Movie").text
    #expect(two.split(separator: "\n").map { $0.prefix { $0 != ":" && $0 != "@" } }.count == 8)
    #expect(two.hasPrefix("Person: ") && !two.contains("Actor"))
    let slip = try bench.run("schema", "list", "Moviee")
    #expect(slip.status == 64)
    #expect(slip.errors.contains("did you mean 'Movie'?"))
  }

  @Test func schemasAreShownAsTheyAreWritten() throws {
    let bench = try Workbench()
    for (label, file) in try Self.builtIn() {
      let shown = try bench.run("schema", "show", label)
      #expect(shown.status == 0)
      let written = try TestArchives.json(Data(contentsOf: file))
      #expect(try TestArchives.json(shown.output) == written, "\(label)")
    }
    let folder = TestArchives.root.appendingPathComponent("Families/Recipe")
    let shown = try bench.run("schema", "show", "--schemas", Self.families, "Recipe@v2").output
    let written = try Data(contentsOf: folder.appendingPathComponent("v2.schema.json"))
    #expect(try TestArchives.json(shown) == TestArchives.json(written))
    // A schema file is a schema as well.
    let path = folder.appendingPathComponent("v2.schema.json").path
    #expect(try bench.run("schema", "show", path).output == shown)
  }

  @Test func anOutputIsReplacedOnlyByForce() throws {
    let bench = try Workbench(["out.json": "precious"])
    #expect(try bench.run("schema", "show", "Movie@v1", "-o", "out.json").status == 73)
    #expect(try String(contentsOf: bench.url("out.json"), encoding: .utf8) == "precious")
    #expect(try bench.run("schema", "show", "Movie@v1", "-o", "out.json", "--force").status == 0)
    let shown = try bench.run("schema", "show", "Movie@v1").output
    #expect(try Data(contentsOf: bench.url("out.json")) == shown)
  }

  @Test(
    arguments: [
      ([], 64, "--meta"), (["Movie"], 64, "Movie@v1"), (["Movie@v9"], 64, "v9"),
      (["--meta", "Movie@v1"], 64, "--meta"), (["none.json"], 66, "none.json"),
    ] as [([String], Int32, String)])
  func whatCannotBeShownIsSaid(_ arguments: [String], _ status: Int32, _ part: String) throws {
    let result = try Workbench().run(["schema", "show"] + arguments)
    #expect(result.status == status)
    #expect(result.errors.contains(part), "\(result.errors)")
  }

  // MARK: The meta-schema

  @Test func theMetaSchemaAcceptsWhatIsRight() throws {
    let bench = try Workbench()
    let meta = try bench.run("schema", "show", "--meta", "-o", "meta.json")
    #expect(meta.status == 0, "\(meta.errors)")
    let fixtures = ["sarif-2.1.0-subset.schema.json", "output-2020-12.schema.json"]
    let files =
      try Self.builtIn().values.map(\.path).sorted() + fixtures.map { Workbench.fixture($0) }
      + ["Families/Recipe/v1.schema.json", "Families/Recipe/v2.schema.json"]
      .map { TestArchives.root.appendingPathComponent($0).path }
    let result = try bench.run(
      ["validate", "--schema-file", "meta.json", "--assert-formats", "meta.json"] + files)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.text.split(separator: "\n").count == files.count + 1)
  }

  @Test func theMetaSchemaRefusesWhatIsWrong() throws {
    let bench = try Workbench()
    try bench.run("schema", "show", "--meta", "-o", "meta.json")
    var names: [String] = []
    for (number, fault) in WrongSchemaTests.faults.enumerated() {
      let schema = #"{"items": {"anyOf": [{"\#(fault.keyword)": \#(fault.value)}]}}"#
      try bench.write(schema, to: "\(number).json")
      names.append("\(number).json")
    }
    let units = try bench.validate(
      ["--schema-file", "meta.json", "--assert-formats"] + names)
    try #require(units.count == names.count)
    for (unit, fault) in zip(units, WrongSchemaTests.faults) {
      #expect(unit.verdict == "invalid", "\(fault)")
      let places = (unit.errors ?? []).map(\.instanceLocation)
      #expect(places.allSatisfy { $0.hasPrefix("/items/anyOf/0/\(fault.keyword)") }, "\(fault)")
    }
  }
}
