// Schemas and models that multiply, recurse or contain themselves: a quick result or a quick error.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct HostileSchemaTests {
  private func version(_ schema: String) throws -> SchemaVersion {
    try SchemaVersion(
      family: "", name: "S.json", tree: JSONTree(json: Array(schema.utf8)), uri: "")
  }

  private func isValid(_ data: String, _ schema: String) throws -> Bool {
    try version(schema).validate(readGraph(Data(data.utf8))).isEmpty
  }

  /// `{"next": {"next": …}}`, deeper than any stack of calls would bear.
  @Test func deepModelsAreWalked() throws {
    let depth = 9_000
    let data =
      String(repeating: "{\"next\":", count: depth) + "1" + String(repeating: "}", count: depth)
    let schema = """
      {"anyOf": [{"type": "integer"}, {"properties": {"next": {"$ref": "#"}}, "required": ["next"],
      "type": "object"}]}
      """
    #expect(try isValid(data, schema))
    #expect(try !isValid(data.replacingOccurrences(of: "1", with: "\"x\""), schema))
  }

  private static func chain(_ length: Int) -> String {
    let definitions = (0..<length).map { "\"d\($0)\": {\"$ref\": \"#/$defs/d\($0 + 1)\"}" }
    return """
      {"$ref": "#/$defs/d0", "$defs": {\(definitions.joined(separator: ",")),
      "d\(length)": {"type": "string"}}}
      """
  }

  @Test func chainsOfReferencesAreFollowedOrRefused() throws {
    #expect(try isValid("\"x\"", Self.chain(100)))
    #expect(try !isValid("1", Self.chain(100)))
    let time = ProcessorTime.seconds {
      for length in [1_600, 20_000] {
        #expect(throws: ArchiveError.self) { _ = try version(Self.chain(length)) }
      }
    }
    // To follow each to its end takes the cube of their number.
    #expect(time < 60)
  }

  @Test func manyReferencesIntoOneObjectAreFound() throws {
    let numbers = 0..<4_000
    let properties = numbers.map { "\"p\($0)\": {\"$ref\": \"#/$defs/d\($0)\"}" }
    let definitions = numbers.map { "\"d\($0)\": {\"minimum\": \($0)}" }
    let schema = """
      {"properties": {\(properties.joined(separator: ","))},
      "$defs": {\(definitions.joined(separator: ","))}}
      """
    #expect(try isValid("{\"p3999\": 3999}", schema))
    #expect(try !isValid("{\"p3999\": 3998}", schema))
  }

  @Test func branchesThatMultiplyEndInAnError() throws {
    var definitions = (0..<40).map {
      "\"a\($0)\": {\"allOf\": [{\"$ref\": \"#/$defs/a\($0 + 1)\"}, {\"$ref\": \"#/$defs/a\($0 + 1)\"}]}"
    }
    definitions.append("\"a40\": {\"minimum\": 0}")
    let schema = "{\"$ref\": \"#/$defs/a0\", \"$defs\": {\(definitions.joined(separator: ","))}}"
    do {
      _ = try isValid("5", schema)
      Issue.record("2 ^ 40 schemas were looked at")
    } catch let error as ArchiveError {
      #expect(error.code == .limit)
    }
  }

  @Test(arguments: [
    "{\"$ref\": \"#\"}",
    "{\"allOf\": [{\"$ref\": \"#/$defs/a\"}], \"$defs\": {\"a\": {\"not\": {\"$ref\": \"#\"}}}}",
    "{\"if\": {\"anyOf\": [{\"$ref\": \"#\"}]}}",
  ])
  func aSchemaThatAppliesItselfIsWrong(_ schema: String) throws {
    do {
      _ = try version(schema)
      Issue.record("the schema was taken")
    } catch let error as ArchiveError {
      #expect(error.code == .malformed)
      #expect(error.path?.description.hasPrefix("$") == true)
    }
  }

  /// What a reference of the dynamic scope makes of itself is known only when a value is there.
  @Test func aDynamicReferenceToItselfEndsInAnError() throws {
    let schema = """
      {"$id": "urn:a", "$dynamicAnchor": "x", "$dynamicRef": "#x"}
      """
    do {
      _ = try isValid("5", schema)
      Issue.record("there is no answer")
    } catch let error as ArchiveError {
      #expect(error.message.contains("without end"))
    }
  }

  /// Parents and children that refer to one another fit a schema that does so too.
  @Test func objectsThatLeadBackToThemselvesFit() throws {
    let graph = try readGraph(
      Data(contentsOf: TestArchives.root.appendingPathComponent("Graphs/cycle")))
    let person = """
      {"type": "object", "properties": {"name": {"type": "string"}, "partner": {"$ref": "#"}},
      "required": ["name"], "additionalProperties": false}
      """
    #expect(try version(person).validate(graph).isEmpty)
    let wrong = person.replacingOccurrences(of: "string", with: "integer")
    let paths = try version(wrong).validate(graph).map { $0.path?.description }
    #expect(paths == ["$.name", "$.partner.name"])
  }

  /// Equality of a hundred thousand items is not a comparison of each with each.
  @Test func uniqueItemsOfManyValues() throws {
    let items = (0..<100_000).map { "[\($0)]" }
    let schema = "{\"uniqueItems\": true}"
    #expect(try isValid("[\(items.joined(separator: ","))]", schema))
    #expect(try !isValid("[\((items + ["[7.0]"]).joined(separator: ","))]", schema))
  }

  /// Dictionaries whose keys are containers are not taken for equal.
  @Test func uniqueItemsWithContainersAsKeys() throws {
    func dictionary(_ key: String) -> ArchivedSample {
      .object(
        "NSDictionary",
        [
          "NS.key.0": .object("NSArray", ["NS.object.0": .stored(.string(key))]),
          "NS.object.0": .stored(.string("x")),
        ])
    }
    let archive = ArchivedSample.object(
      "NSArray", ["NS.object.0": dictionary("a"), "NS.object.1": dictionary("b")]
    ).archive
    #expect(try version("{\"uniqueItems\": true}").validate(readGraph(archive)).isEmpty)
  }

  /// What cannot be decided is no verdict, at the root as elsewhere.
  @Test(arguments: ["{\"pattern\": \"^(a+)+$\"}", "{\"items\": {\"pattern\": \"^(a+)+$\"}}"])
  func aPatternThatTakesTooLongIsAnError(_ schema: String) throws {
    let text = "\"\(String(repeating: "a", count: 40))!\""
    do {
      _ = try isValid(schema.contains("items") ? "[\(text)]" : text, schema)
      Issue.record("a verdict was given")
    } catch let error as ArchiveError {
      #expect(error.code == .limit)
    }
  }

  /// Many values under many alternatives are much work, and no attack.
  @Test func manyValuesUnderManyAlternativesAreValidated() throws {
    let alternatives = (0..<100).map { "{\"const\": \($0)}" }.joined(separator: ",")
    let values = (0..<20_000).map { "\($0 % 100)" }.joined(separator: ",")
    #expect(try isValid("[\(values)]", "{\"items\": {\"oneOf\": [\(alternatives)]}}"))
  }

  @Test func longChainsOfReferencesAreFollowed() throws {
    let links = (0..<500).map { "\"a\($0)\": {\"$ref\": \"#/$defs/a\($0 + 1)\"}" }
    let definitions = (links + ["\"a500\": {\"type\": \"string\"}"]).joined(separator: ",")
    let schema = "{\"$ref\": \"#/$defs/a0\", \"$defs\": {\(definitions)}}"
    #expect(try isValid("\"x\"", schema))
    #expect(try !isValid("5", schema))
  }

  /// Violations beyond those that are wanted are counted only.
  @Test func violationsAreCountedBeyondThoseInWords() throws {
    let values = (0..<30_000).map { "\($0)" }.joined(separator: ",")
    let version = try version("{\"items\": {\"type\": \"string\"}}")
    let graph = try readGraph(Data("[\(values)]".utf8))
    let found = try version.examine(graph.root, in: graph, mostViolations: 5)
    #expect(found.violations.count == 5)
    #expect(found.violationCount == 30_000)
  }
}
