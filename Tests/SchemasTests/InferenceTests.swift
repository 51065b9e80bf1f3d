// The conclusions from examples: tables of JSON texts with the derived schema.

import ArchiveBasics
import ArchiveEditing
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct InferenceTests {
  /// Examples, and the members of the schema beside its name and its envelope.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let examples: [String]
    let schema: String
    var options = SchemaInference.Options()
    var testDescription: String { name }
  }

  static func infer(
    _ graphs: [ObjectGraph], _ options: SchemaInference.Options = SchemaInference.Options()
  ) throws(ArchiveError) -> JSONTree {
    var inference = SchemaInference(options: options)
    for graph in graphs { try inference.add(graph) }
    return try inference.schema(family: "Example", version: "v1")
  }

  private static func text(_ tree: JSONTree) throws -> String {
    var output = OutputBuffer(descriptor: nil)
    try tree.write(to: &output)
    return String(decoding: output.bytes.bytes, as: UTF8.self)
  }

  @Test(arguments: cases) func concludes(_ item: Case) throws {
    let graphs = try item.examples.map { try readGraph(Data($0.utf8)) }
    let schema = try Self.infer(graphs, item.options)
    let head = ["$schema", "$id", "title"]
    let rest = schema.members?.filter { member in
      !head.contains(member.0) && (member.0 != "x-archive" || member.1["list"] != nil)
    }
    let expected = try JSONTree(json: Array(item.schema.utf8))
    let text = try Self.text(schema)
    #expect(JSONTree.members(rest ?? []) == expected, "\(text)")
  }

  @Test(arguments: cases) func theOrderOfExamplesMakesNoDifference(_ item: Case) throws {
    let graphs = try item.examples.map { try readGraph(Data($0.utf8)) }
    let schema = try Self.text(Self.infer(graphs, item.options))
    for rotation in 0..<graphs.count {
      let turned = Array(graphs[rotation...] + graphs[..<rotation])
      #expect(try Self.text(Self.infer(turned.reversed(), item.options)) == schema)
    }
  }

  @Test(arguments: cases) func examplesInSeveralInferencesAreMerged(_ item: Case) throws {
    let graphs = try item.examples.map { try readGraph(Data($0.utf8)) }
    let schema = try Self.text(Self.infer(graphs, item.options))
    for count in 1...graphs.count {
      var merged = SchemaInference(options: item.options)
      for first in stride(from: 0, to: graphs.count, by: count) {
        var part = SchemaInference(options: item.options)
        for graph in graphs[first..<min(first + count, graphs.count)] { try part.add(graph) }
        try merged.merge(part)
      }
      let tree = try merged.schema(family: "Example", version: "v1")
      #expect(try Self.text(tree) == schema)
    }
  }

  @Test func namesItselfAndItsEnvelope() throws {
    let graph = try readGraph(Data("{\"a\": 1}".utf8))
    var inference = SchemaInference()
    try inference.add(graph)
    let schema = try inference.schema(family: "Thing", version: "v3", title: "A thing")
    #expect(schema["$schema"]?.string == "https://json-schema.org/draft/2020-12/schema")
    #expect(schema["$id"]?.string == "urn:archtool:Thing:v3")
    #expect(schema["title"]?.string == "A thing")
    #expect(schema["x-archive"] == .members([("envelope", .string("json"))]))
    #expect(inference.exampleCount == 1)
  }

  @Test func membersKeepTheOrderThatTheExamplesAgreeOn() throws {
    let orders: [([String], [String])] = [
      (["{\"z\": 1, \"b\": 1}", "{\"z\": 1, \"m\": 1, \"b\": 1}"], ["z", "m", "b"]),
      (["{\"z\": 1, \"b\": 1}", "{\"b\": 1, \"z\": 1}"], ["b", "z"]),
      (["{\"z\": 1, \"b\": 1}", "{\"z\": 1, \"a\": 1}"], ["z", "a", "b"]),
    ]
    for (examples, names) in orders {
      let schema = try Self.infer(examples.map { try readGraph(Data($0.utf8)) })
      #expect(schema["properties"]?.members?.map(\.0) == names)
    }
  }

  @Test func oneSchemaHasOneEnvelope() throws {
    var inference = SchemaInference()
    try inference.add(try Self.archive("Movie/v1"))
    let before = try inference.schema(family: "Movie", version: "v1")
    #expect(throws: ArchiveError(.mismatch, "", path: GraphPath())) {
      try inference.add(try Self.archive("Movie/v2"))
    }
    #expect(throws: ArchiveError.self) {
      try inference.add(try Self.archive("Graphs/several-tops"))
    }
    #expect(try inference.schema(family: "Movie", version: "v1") == before)
    #expect(throws: ArchiveError.self) {
      try SchemaInference().schema(family: "Movie", version: "v1")
    }
  }

  static func archive(_ path: String) throws -> ObjectGraph {
    try readGraph(Data(contentsOf: TestArchives.root.appendingPathComponent(path)))
  }

  @Test func plainValuesThatHoldThemselvesAreRefused() throws {
    for path in ["Graphs/array-cycle", "Broken/person-cycle-v1"] {
      do throws(ArchiveError) {
        _ = try Self.infer([readGraph(archiveData(path))])
        Issue.record("\(path) has no schema")
      } catch {
        #expect(error.code == .cycle)
        #expect(error.path != nil)
      }
    }
  }

  private func archiveData(_ path: String) -> Data {
    FileManager.default.contents(atPath: TestArchives.root.appendingPathComponent(path).path)
      ?? Data()
  }

  @Test func classesThatHoldThemselvesAreDefinitions() throws {
    let schema = try Self.infer([Self.archive("Graphs/cycle")])
    #expect(schema["$ref"]?.string == "#/$defs/Person")
    let partner = schema.value(at: "/$defs/Person/properties/partner")
    #expect(partner == .members([("$ref", .string("#/$defs/Person"))]))
    #expect(
      schema["x-archive"]
        == .members([
          ("envelope", .string("nscoding")),
          ("classes", .list([.string("App.Person"), .string("*.Person")])),
        ]))
  }

  @Test func aLongListOfObjectsIsOneDefinition() throws {
    var list = ArchivedSample.object("App.Link", ["number": 0, "next": .null])
    for number in 1..<300 {
      list = .object(
        "App.Link", ["number": .inline(.integer(Int64(number))), "next": list])
    }
    let schema = try Self.infer([readGraph(list.archive)])
    let body = try #require(schema.value(at: "/$defs/Link/properties"))
    let storage = ("x-storage", JSONTree.list([.string("inline"), .string("boxed")]))
    let number = body["number"]
    #expect(
      number == .members([("type", .string("integer")), storage])
        || number == .members([("type", .string("integer")), ("x-storage", .string("inline"))]))
    let next = JSONTree.list([
      .members([("type", .string("null"))]), .members([("$ref", .string("#/$defs/Link"))]),
    ])
    #expect(body["next"] == .members([("anyOf", next)]))
  }

  @Test func modulesAndPlaygroundsAreOneClass() throws {
    let paths = ["v0-mirror-class", "v0-playground", "v0-nested-class", "v0-private-nested-class"]
    let schema = try Self.infer(paths.map { try Self.archive("Movie/\($0)") })
    let classes = schema.value(at: "/x-archive/classes")?.strings
    #expect(classes == ["Demo.MovieClass", "*.MovieClass", "MovieClass"])
    #expect(schema["$defs"] == nil)
    #expect(schema["required"]?.strings.sorted() == ["director", "name", "releaseYear"])
  }

  @Test(arguments: ["BrowserTabs", "StoredUser"])
  func objectsInSeveralInferencesAreMerged(_ family: String) throws {
    let names = family == "StoredUser" ? ["early", "guest", "known"] : ["era-1", "era-2", "era-3"]
    let graphs = try names.map { try Self.archive("Families/\(family)/samples/v1/\($0)") }
    var merged = SchemaInference()
    for graph in graphs {
      var part = SchemaInference()
      try part.add(graph)
      try merged.merge(part)
    }
    let tree = try merged.schema(family: "Example", version: "v1")
    #expect(try Self.text(tree) == Self.text(Self.infer(graphs)))
  }

  @Test func exactTypesOfPropertyLists() throws {
    let value = SampleValue.dictionary([
      ("day", .date(0)), ("bytes", .data([1])), ("real", .real(64)), ("large", .unsigned(.max)),
      ("either", .array([.date(0), .string("soon")])),
    ])
    let data = Data(BinaryWriter.write(value.document).array)
    let properties = try #require(try Self.infer([readGraph(data)])["properties"])
    let expected = """
      {"day": {"type": "string", "x-plist-type": "date"},
      "bytes": {"type": "string", "x-plist-type": "data"},
      "real": {"type": "number"},
      "large": {"type": "integer", "minimum": 0, "maximum": 18446744073709551615},
      "either": {"type": "array", "items": {"anyOf": [
        {"type": "string", "x-plist-type": "string"}, {"type": "string", "x-plist-type": "date"}]}}}
      """
    #expect(properties == (try JSONTree(json: Array(expected.utf8))))
  }

  @Test func sharingThatMultipliesCostsLittle() throws {
    var builder = GraphBuilder()
    var value = builder.add(Int64(1))
    for _ in 0..<50 {
      builder.open()
      builder.append(value)
      builder.append(value)
      value = builder.close()
    }
    _ = try Self.infer([readGraph(Data(BinaryWriter.write(builder.finish(top: value)).array))])
    var records = GraphBuilder()
    value = records.add(Int64(1))
    for _ in 0..<50 {
      let keys = [records.add("a"), records.add("b")]
      records.open()
      for key in keys {
        records.append(key)
        records.append(value)
      }
      value = records.closeDictionary()
    }
    // Every way through the members is a place of its own: no schema could list them.
    let data = Data(BinaryWriter.write(records.finish(top: value)).array)
    do throws(ArchiveError) {
      _ = try Self.infer([readGraph(data)])
      Issue.record("the schema would be endless")
    } catch {
      #expect(error.code == .limit)
    }
  }

  @Test func modelsThatAreTooDeepAreRefused() throws {
    for depth in [100, 5000] {
      let text =
        String(repeating: "{\"a\":", count: depth) + "1" + String(repeating: "}", count: depth)
      #expect(throws: ArchiveError.self) { try Self.infer([readGraph(Data(text.utf8))]) }
    }
    let text = String(repeating: "{\"a\":[", count: 28) + String(repeating: "]}", count: 28)
    let schema = try Self.text(Self.infer([readGraph(Data(text.utf8))]))
    #expect(throws: Never.self) { try JSONTree(json: Array(schema.utf8)) }
  }
}
