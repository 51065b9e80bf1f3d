// A schema derived from examples accepts all of them, and rejects values that differ from all of them.

import ArchiveBasics
import ArchiveEditing
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct InferenceValidationTests {
  /// What an archive violates of a schema.
  private static func violations(
    _ graph: ObjectGraph, of schema: JSONTree
  ) throws -> [Diagnostic] {
    let version = try SchemaVersion(family: "Example", name: "v1", tree: schema, uri: "")
    return try version.validate(graph)
  }

  // MARK: WeatherFeed

  /// Numbers that are the same in every run.
  private struct Numbers {
    var state: UInt64 = 42

    mutating func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
  }

  private static func measurement(_ value: Double, _ unit: String, _ type: Int) -> [String: Any] {
    ["Value": value, "Unit": unit, "UnitType": type]
  }

  private static func city(_ numbers: inout Numbers) -> [String: Any] {
    let countries = [("CH", "Schweiz", "Switzerland"), ("JP", "日本", "Japan"), ("FR", "France", "")]
    let country = countries[numbers.next(3)]
    let celsius = Double(numbers.next(600)) / 10 - 20
    return [
      "Key": "\(numbers.next(1_000_000))", "LocalizedName": "城\(numbers.next(99))",
      "EnglishName": "City \(numbers.next(99))", "WeatherText": "Sunny \(numbers.next(40))",
      "WeatherIcon": numbers.next(44) + 1, "IsDayTime": numbers.next(2) == 0,
      "Country": [
        "ID": country.0, "LocalizedName": country.1, "EnglishName": country.2,
      ],
      "Temperature": [
        "Metric": measurement(celsius, "C", 17),
        "Imperial": measurement((celsius * 1.8 + 32).rounded(), "F", 18),
      ],
    ]
  }

  private static func feeds(version: String) throws -> [ObjectGraph] {
    var numbers = Numbers()
    return try (0..<50).map { index in
      let cities = (0..<1 + numbers.next(8)).map { _ in city(&numbers) }
      let feed: [String: Any] = ["fetchedAt": "Apr \(index), 2019", "topCityWeathers": cities]
      var root = feed as NSDictionary as NSObject
      if version == "v2" {
        root = NSData(
          data: try PropertyListSerialization.data(
            fromPropertyList: feed, format: .binary, options: 0))
      }
      return try readGraph(
        NSKeyedArchiver.archivedData(withRootObject: root, requiringSecureCoding: false))
    }
  }

  @Test(arguments: ["v1", "v2"]) func feedsFitAndBrokenOnesDoNot(_ version: String) throws {
    let graphs = try Self.feeds(version: version)
    let schema = try InferenceTests.infer(graphs)
    for graph in graphs {
      let found = try Self.violations(graph, of: schema)
      #expect(found.isEmpty, "\(found)")
    }
    for fault in ["missing-fields", "wrong-types", "extra-fields"] {
      let graph = try InferenceTests.archive("Broken/\(fault)-\(version)")
      #expect(try !Self.violations(graph, of: schema).isEmpty, "\(fault)")
    }
  }

  @Test(arguments: ["v1", "v2"]) func everyFaultIsFound(_ version: String) throws {
    let family = try #require(try SchemaCatalog(folders: []).family("WeatherFeed"))
    let known = try #require(family.version(version))
    let schema = try InferenceTests.infer(Self.feeds(version: version))
    for fault in ["missing-fields", "extra-fields"] {
      let graph = try InferenceTests.archive("Broken/\(fault)-\(version)")
      let expected = try known.validate(graph, family: family).map {
        [$0.rule, $0.path?.description]
      }
      let found = try Self.violations(graph, of: schema).map { [$0.rule, $0.path?.description] }
      let missing = Set(expected).subtracting(found)
      #expect(missing.isEmpty, "\(missing)")
    }
  }

  // MARK: Archives at hand

  /// The families and versions of TestArchives.
  private static let versions = Set(
    TestArchives.valid().map { "\($0.family ?? "")/\($0.version ?? "")" }
  ).sorted()

  @Test(arguments: versions) func archivesFitTheSchemaMadeOfThem(_ label: String) throws {
    let parts = label.split(separator: "/").map(String.init)
    let graphs = try TestArchives.valid(version: parts[1], family: parts[0]).map {
      try readGraph(Data(contentsOf: $0.url))
    }
    let schema = try InferenceTests.infer(graphs)
    for graph in graphs {
      let found = try Self.violations(graph, of: schema)
      #expect(found.isEmpty, "\(found)")
    }
  }

  // MARK: Random models

  private static func randomModel(_ numbers: inout Numbers, _ depth: Int) -> String {
    switch numbers.next(depth > 0 ? 9 : 6) {
    case 0: return "null"
    case 1: return numbers.next(2) == 0 ? "true" : "false"
    case 2: return "\(numbers.next(5) - 2)"
    case 3: return "\(Double(numbers.next(100)) / 8)"
    case 4, 5: return "\"\(["C", "F", "a long text", ""][numbers.next(4)])\""
    case 6:
      return list(0..<numbers.next(4), "[]") { _ in
        randomModel(&numbers, depth - 1)
      }
    case 7:
      return list(0..<numbers.next(5), "{}") { _ in
        "\"k\(numbers.next(12))\": \(numbers.next(9))"
      }
    default:
      let names = ["a", "b", "c", "d"].filter { _ in numbers.next(4) > 0 }
      return list(names.indices, "{}") {
        "\"\(names[$0])\": \(randomModel(&numbers, depth - 1))"
      }
    }
  }

  private static func list(_ range: Range<Int>, _ brackets: String, _ item: (Int) -> String)
    -> String
  {
    String(brackets.prefix(1)) + range.map(item).joined(separator: ", ")
      + String(brackets.suffix(1))
  }

  @Test func randomModelsFitTheSchemaMadeOfThem() throws {
    var numbers = Numbers(state: 7)
    for round in 0..<400 {
      let texts = (0..<1 + numbers.next(6)).map { _ in Self.randomModel(&numbers, 4) }
      let graphs = try texts.map { try readGraph(Data($0.utf8)) }
      var options = SchemaInference.Options()
      options.hasRanges = round % 2 == 0
      options.mapNames = 3
      options.enumObservations = 4
      options.enumRepetitions = 1
      let schema = try InferenceTests.infer(graphs, options)
      let turned = try InferenceTests.infer(graphs.reversed(), options)
      #expect(schema == turned, "\(texts)")
      for graph in graphs {
        let found = try Self.violations(graph, of: schema).filter { $0.rule != "uniqueKeys" }
        #expect(found.isEmpty, "\(found.map { $0.line(file: "") }) \(texts)")
      }
    }
  }

  // MARK: Everything

  /// All that can be read gives a schema that can be read, or an error that says why not.
  @Test func everyArchiveHasASchemaOrAnError() throws {
    let walk = try #require(FileManager.default.enumerator(atPath: TestArchives.root.path))
    var count = 0
    for case let path as String in walk {
      let file = TestArchives.root.appendingPathComponent(path).path
      guard let data = FileManager.default.contents(atPath: file),
        let graph = try? readGraph(data)
      else { continue }
      var options = SchemaInference.Options()
      options.hasRanges = true
      do throws(ArchiveError) {
        let schema = try InferenceTests.infer([graph], options)
        var output = OutputBuffer(descriptor: nil)
        try schema.write(to: &output)
        let isSame = try JSONTree(json: output.bytes.array) == schema
        #expect(isSame, "\(path)")
        count += 1
      } catch {
        #expect([.limit, .cycle, .unsupported].contains(error.code), "\(path): \(error)")
      }
    }
    #expect(count > 40)
  }
}
