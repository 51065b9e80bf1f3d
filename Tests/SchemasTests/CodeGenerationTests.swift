// Generated types, checked by the compiler, by PropertyListDecoder and by swift-format.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct CodeGenerationTests {
  /// A schema, and property lists that its types must decode.
  struct Case {
    let typeName: String
    /// What is decoded: the type, or a list of it.
    let decoded: String
    let schema: JSONTree
    let samples: [Data]
  }

  /// A schema that stands in a table of tests.
  struct Written: Sendable {
    let typeName: String
    let schema: String
    let samples: [SampleValue]
  }

  // MARK: Cases

  /// The bytes that PropertyListEncoder wrote, and the same for a list.
  private static func payload(_ path: String) throws -> Data {
    let graph = try InferenceTests.archive(path)
    guard case .data(let bytes) = graph.value(of: graph.root) else {
      throw ArchiveError(.mismatch, "\(path) holds no data")
    }
    return Data(bytes)
  }

  private static func builtIn(_ family: String) throws -> JSONTree {
    let url = TestArchives.root.deletingLastPathComponent()
      .appendingPathComponent("Sources/ArchiveSchemas/Families/\(family)/\(family).v2.schema.json")
    return try JSONTree(json: Array(Data(contentsOf: url)))
  }

  private static func cases() throws -> [Case] {
    var cases: [Case] = []
    for (family, decoded, paths) in [
      ("WeatherFeed", "", ["WeatherFeed/v2-1-city", "WeatherFeed/v2-50-cities"]),
      ("Movie", "", ["Movie/v2"]), ("Movie", "[]", ["Movie/v2-many"]),
      ("Person", "", ["Person/v2"]), ("Actor", "", ["Actor/v2"]),
    ] {
      let name = family + (decoded.isEmpty ? "" : "List")
      cases.append(
        Case(
          typeName: name, decoded: decoded.isEmpty ? name : "[\(name)]",
          schema: try builtIn(family), samples: try paths.map { try payload($0) }))
    }
    let feeds = ["WeatherFeed/v2-1-city", "WeatherFeed/v2-50-cities"]
    let inferred = try InferenceTests.infer(feeds.map { try InferenceTests.archive($0) })
    cases.append(
      Case(
        typeName: "InferredFeed", decoded: "InferredFeed", schema: inferred,
        samples: try feeds.map { try payload($0) }))
    for item in nasty {
      cases.append(
        Case(
          typeName: item.typeName, decoded: item.typeName,
          schema: try JSONTree(json: Array(item.schema.utf8)),
          samples: item.samples.map { Data(BinaryWriter.write($0.document).array) }))
    }
    return cases
  }

  // MARK: Tests

  @Test(.enabled(if: Program.find("swiftc") != nil, "swiftc is not on the path"))
  func decodesEverySampleToEqualValues() throws {
    let compiler = try #require(Program.find("swiftc"))
    let folder = try TemporaryFolder()
    let cases = try Self.cases()
    var files: [String] = []
    var main = """
      import Foundation
      func show<Model: Codable & Equatable & Sendable>(_ type: Model.Type, _ text: String) throws {
        let data = Data(base64Encoded: text) ?? Data()
        let model = try PropertyListDecoder().decode(type, from: data)
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .xml
        let encoded = try encoder.encode(model)
        guard try PropertyListDecoder().decode(type, from: encoded) == model else { return print() }
        print(encoded.base64EncodedString())
      }

      """
    for item in cases {
      let file = folder.file("\(item.typeName).swift")
      try Data(SwiftSource(schema: item.schema, typeName: item.typeName).source().utf8)
        .write(to: file)
      files.append(file.path)
      for sample in item.samples {
        main += "do { try show(\(item.decoded).self, \"\(sample.base64EncodedString())\") }"
        main += " catch { print(\"\(item.decoded): \\(error)\") }\n"
      }
    }
    let mainFile = folder.file("main.swift")
    try Data(main.utf8).write(to: mainFile)
    let program = folder.file("program")
    let compiled = try Program.run(
      at: compiler,
      ["-swift-version", "6", "-warnings-as-errors", "-Onone"] + files
        + [mainFile.path, "-o", program.path])
    #expect(compiled.status == 0, "\(compiled.errors)")
    let result = try Program.run(at: program, [])
    #expect(result.status == 0, "\(result.errors)")
    let lines = result.text.split(separator: "\n", omittingEmptySubsequences: false)
    let samples = cases.flatMap { item in item.samples.map { (item.decoded, $0) } }
    try #require(lines.count == samples.count + 1)
    for (line, (name, sample)) in zip(lines, samples) {
      let data = try #require(Data(base64Encoded: String(line)), "\(line)")
      #expect(try Self.canonical(data) == Self.canonical(sample), "\(name)")
    }
  }

  /// A property list's values, numbers by what they count and not by how they are stored.
  private static func canonical(_ data: Data) throws -> String {
    let object = try PropertyListSerialization.propertyList(from: data, format: nil)
    return integral(SampleValue(foundation: object)).canonical
  }

  private static func integral(_ value: SampleValue) -> SampleValue {
    switch value {
    case .real(let number): Int64(exactly: number).map { .integer($0) } ?? value
    case .array(let elements): .array(elements.map { integral($0) })
    case .dictionary(let pairs): .dictionary(pairs.map { ($0.0, integral($0.1)) })
    default: value
    }
  }

  @Test(.enabled(if: Program.find("swift") != nil, "swift is not on the path"))
  func isFormatted() throws {
    let formatter = try #require(Program.find("swift"))
    let folder = try TemporaryFolder()
    var files: [String] = []
    for item in try Self.cases() {
      let file = folder.file("\(item.typeName).swift")
      try Data(SwiftSource(schema: item.schema, typeName: item.typeName).source().utf8)
        .write(to: file)
      files.append(file.path)
    }
    let house = TestArchives.root.deletingLastPathComponent().appendingPathComponent(
      ".swift-format")
    for settings in [["--configuration", house.path], []] {
      let result = try Program.run(
        at: formatter, ["format", "lint", "--strict"] + settings + files, in: folder.url)
      #expect(result.status == 0, "\(result.errors)")
    }
  }

  @Test func valuesOfFoundationHaveItsTypes() throws {
    let item = try #require(Self.nasty.first { $0.typeName == "FoundationTypes" })
    let source = try SwiftSource(
      schema: JSONTree(json: Array(item.schema.utf8)), typeName: item.typeName
    ).source()
    for line in [
      "  var url: URL?", "  var bases: [URL]?", "  var price: Decimal?", "  var tags: Set<Tag>?",
      "  struct Tag: Codable, Hashable, Sendable {",
    ] {
      #expect(source.contains(line + "\n"), "\(source)")
    }
    #expect(!source.contains("Url"))
  }

  @Test func readsLikeThis() throws {
    let source = try SwiftSource(schema: Self.builtIn("WeatherFeed"), typeName: "Feed").source()
    #expect(source.hasPrefix(Self.beginning), "\(source)")
  }

  private static let beginning = """
    // Models of the schema urn:archtool:WeatherFeed:v2.

    /// WeatherFeed v2.
    struct Feed: Codable, Equatable, Sendable {
      /// When the feed was fetched, in the medium date and time style of the user's locale.
      var fetchedAt: String
      var topCityWeathers: [TopCityWeather]

      /// Current conditions in one city; the capital first letters are the service's own.
      struct TopCityWeather: Codable, Equatable, Sendable {
        var key: String
        var localizedName: String
        var englishName: String
        var weatherText: String
        var weatherIcon: Int
        var isDayTime: Bool
        var country: Country
        var temperature: Temperature

        enum CodingKeys: String, CodingKey {
          case key = "Key"
          case localizedName = "LocalizedName"

    """

  @Test(arguments: [
    ("false", ArchiveError.Code.malformed), ("[]", .malformed),
    ("{\"type\": \"text\"}", .malformed),
    ("{\"$ref\": \"#/$defs/a\"}", .malformed), ("{\"$ref\": \"#\"}", .unsupported),
    ("{\"$ref\": \"other.json\"}", .unsupported), ("{\"$ref\": \"#%\"}", .malformed),
    ("{\"allOf\": [{}, {}]}", .unsupported),
    ("{\"type\": \"object\", \"x-plist-type\": \"uid\"}", .unsupported),
    ("{\"type\": \"array\", \"items\": {\"$ref\": \"#\"}}", .unsupported),
    ("{\"anyOf\": [{\"$ref\": \"#\"}, {\"$ref\": \"#\"}]}", .unsupported),
    (
      """
      {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/a"}],
      "$defs": {"a": {"anyOf": [{"type": "integer"}, {"$ref": "#"}]}}}
      """, .unsupported
    ),
  ]) func refuses(_ schema: String, _ code: ArchiveError.Code) throws {
    let tree = try JSONTree(json: Array(schema.utf8))
    do throws(ArchiveError) {
      let source = try SwiftSource(schema: tree, typeName: "Model").source()
      Issue.record("\(source)")
    } catch {
      #expect(error.code == code, "\(error)")
      #expect(error.path != nil)
    }
  }

  @Test func namesThatSwiftTakesGetAWord() throws {
    let schema = #"{"properties": {"k": {"enum": ["none", "some", "a"]}, "self": {}}}"#
    let tree = try JSONTree(json: Array(schema.utf8))
    let source = try SwiftSource(schema: tree, typeName: "Model").source()
    #expect(source.contains("case noneValue = \"none\"\n"), "\(source)")
    #expect(source.contains("var selfValue: "))
    #expect(!source.contains("none2"))
  }

  /// What no decoder of Codable opens is not said to be opened by one.
  @Test(arguments: [
    ("nscoding", true), ("dictionariable", true), ("codable", false), ("plist", false),
    ("json", false),
  ]) func saysWhichArchivesDecode(_ envelope: String, _ isUnarchived: Bool) throws {
    let schema = #"{"x-archive": {"envelope": "\#(envelope)"}, "properties": {"a": {}}}"#
    let tree = try JSONTree(json: Array(schema.utf8))
    let source = try SwiftSource(schema: tree, typeName: "Model").source()
    let advice = "// NSKeyedUnarchiver opens its archives, PropertyListDecoder does not.\n"
    #expect(source.contains(advice) == isUnarchived, "\(source)")
  }

  private static func item(_ keywords: String, number: String) -> String {
    """
    {\(keywords) "type": "object", "properties": {"n": {"$ref": "\(number)"}},
    "$defs": {"n": {"type": "object", "properties": {"m": {"type": "integer"}}}}}
    """
  }

  /// Anchors and identifiers lead where pointers lead.
  @Test(arguments: [
    ("#it", #""$anchor": "it","#, "#/$defs/item/$defs/n"),
    ("item.json", #""$id": "item.json","#, "#/$defs/n"),
    ("https://example.com/item.json", #""$id": "item.json","#, "#/$defs/n"),
    ("item.json#it", #""$id": "item.json", "$anchor": "it","#, "item.json#/$defs/n"),
    ("#/$defs/item", #""$id": "urn:item","#, "https://example.com/root.json#/$defs/item/$defs/n"),
    ("#/$defs/item", #""$id": "urn:item","#, "#/$defs/n"),
  ]) func followsAnchorsAndIdentifiers(
    _ reference: String, _ keywords: String, _ number: String
  ) throws {
    func source(_ reference: String, _ item: String) throws -> String {
      let text = """
        {"$id": "https://example.com/root.json", "type": "object",
        "properties": {"one": {"$ref": "\(reference)"}}, "$defs": {"item": \(item)}}
        """
      let tree = try JSONTree(json: Array(text.utf8))
      return try SwiftSource(schema: tree, typeName: "Model").source()
    }
    let expected = try source("#/$defs/item", Self.item("", number: "#/$defs/item/$defs/n"))
    #expect(expected.contains("var m: Int?"))
    #expect(try source(reference, Self.item(keywords, number: number)) == expected)
  }

  @Test func longChainsOfReferencesEnd() throws {
    let links = (0..<10_000).map { "\"d\($0)\": {\"$ref\": \"#/$defs/d\($0 + 1)\"}" }
    let text = "{\"$ref\": \"#/$defs/d0\", \"$defs\": {\(links.joined(separator: ", "))}}"
    let tree = try JSONTree(json: Array(text.utf8))
    #expect(throws: ArchiveError.self) {
      try SwiftSource(schema: tree, typeName: "Model").source()
    }
  }
}
