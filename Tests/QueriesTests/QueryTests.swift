// Queries about features of archives that JSON lacks, and limits.

import ArchiveBasics
import ArchiveEditing
import ArchiveGraph
import ArchiveQueries
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct QueryTests {
  private static func paths(
    _ query: String, _ graph: ObjectGraph, _ visits: QueryRun.Visits = .shortestPaths
  ) throws -> [String] {
    var run = QueryRun(try JSONPath(parsing: query), in: graph, visits: visits)
    var paths: [String] = []
    while try run.next() != nil { paths.append("\(run.path)") }
    return paths
  }

  private static func graph(_ name: String) throws -> ObjectGraph {
    let data = try Data(contentsOf: TestArchives.root.appendingPathComponent(name))
    return try ArchiveReader().read(ByteStorage(copying: Array(data)))
  }

  /// What each query finds in an archive of Foundation's classes.
  @Test(
    arguments: [
      ("$[?type(@) == 'date']", ["$.date"]), ("$[?type(@) == 'set']", ["$.set"]),
      ("$[?isa(@, 'NSOrderedSet')]", ["$.orderedSet"]),
      ("$[?class(@) == 'NSUUID']", ["$.uuid"]), ("$[?@ == null]", ["$.null"]),
      ("$[?@ == @ && size(@) > 0 && type(@) == 'data']", ["$.data"]),
      ("$.array[-1:]", ["$.array[2]"]), ("$.set[?@ == $.set[0]]", ["$.set[0]"]),
      ("$[?@ == $.array]", ["$.array"]), ("$[?count(@.*) == 3].nothing", []),
    ])
  func asksForWhatArchivesHave(_ query: String, _ expected: [String]) throws {
    #expect(try Self.paths(query, Self.graph("Graphs/value-classes")) == expected)
  }

  /// A date is compared by time, and with a string by the time that it says.
  @Test(
    arguments: [
      ("$[?@ < '2030-01-01T00:00:00Z' && type(@) == 'date']", 1),
      ("$[?@ > '2030-01-01T00:00:00Z' && type(@) == 'date']", 0), ("$[?@ <= $.date]", 1),
      ("$[?match(@, '2[0-9]{3}-.*Z')]", 1),
    ])
  func comparesDates(_ query: String, _ count: Int) throws {
    #expect(try Self.paths(query, Self.graph("Graphs/value-classes")).count == count)
  }

  /// Rows in place of two lists, which are found by their names and after what is shown.
  @Test func storedFieldsAreFoundThatRowsHide() throws {
    let object = ArchivedSample.object("Thing", ["name": "it"])
    let data = ArchivedSample.object(
      "NSIBObjectData",
      [
        "NSObjectsKeys": .array([object]), "NSObjectsValues": .array(["parent"]), "NSNextOid": 7,
      ])
    let graph = try readGraph(data.archive)
    #expect(try Self.paths("$.NSObjectsKeys[0].name", graph) == ["$.NSObjectsKeys[0].name"])
    #expect(try Self.paths("$..NSObjectsValues", graph) == ["$.NSObjectsValues"])
    #expect(try Self.paths("$[?count(@..NSObjectsKeys) > 0]", graph) == [])
    #expect(try Self.paths("$..name", graph) == ["$.objects[0].object.name"])
    #expect(try Self.paths("$..NSNextOid", graph) == ["$.NSNextOid"])
    #expect(try Self.paths("$.*", graph) == ["$.objects", "$.NSNextOid"])
    for (classes, key, text, expected) in [
      (nil, "NSObjects*", nil, ["$.NSObjectsKeys", "$.NSObjectsValues"]),
      ("NSArray", nil, nil, ["$.NSObjectsKeys", "$.NSObjectsValues"]),
      ("Thing", nil, nil, ["$.objects[0].object"]),
      (nil, nil, "^it$", ["$.objects[0].object.name"]),
      (nil, "NSNextOid", nil, ["$.NSNextOid"]), (nil, nil, "parent", ["$.objects[0].parent"]),
    ] as [(String?, String?, String?, [String])] {
      let matcher = try NodeMatcher(
        classPattern: classes, keyPattern: key, expression: text, value: nil, types: [])
      var search = NodeSearch(matcher, in: graph)
      var found: [String] = []
      while try search.next() != nil { found.append("\(search.path)") }
      #expect(found.sorted() == expected)
    }
  }

  @Test func answersAreTheSameInEveryEncoding() throws {
    let binary = try Self.graph("WeatherFeed/plist-1-city.plist")
    let xml = try Self.graph("WeatherFeed/plist-1-city-xml.plist")
    let archive = try Self.graph("WeatherFeed/v1-1-city")
    let migrated = try Self.graph("WeatherFeed/v2-1-city")
    for query in [
      "$..LocalizedName", "$..[?@.Value > 50]", "$.topCityWeathers[*].Temperature.*.Unit",
      "$..[?length(@) == 3]", "$.topCityWeathers[?search(@.EnglishName, 'kyo$')].Key",
    ] {
      let expected = Set(try Self.paths(query, binary))
      #expect(!expected.isEmpty, "\(query)")
      #expect(try Set(Self.paths(query, xml)) == expected, "\(query)")
      #expect(try Set(Self.paths(query, archive)) == expected, "\(query)")
      #expect(try Set(Self.paths(query, migrated)) == expected, "\(query)")
    }
  }

  @Test(arguments: [QueryRun.Visits.shortestPaths, .once, .allPaths])
  func endsWhereObjectsReferToOneAnother(_ visits: QueryRun.Visits) throws {
    let graph = try Self.graph("Graphs/cycle")
    var run = QueryRun(try JSONPath(parsing: "$..*"), in: graph, visits: visits)
    var count = 0
    while try run.next() != nil { count += 1 }
    #expect(count > 0)
    // Only on all paths an object is met that is not entered again.
    #expect(run.hasCycles == (visits == .allPaths))
  }

  /// Forty lists of two references each to the next have 2^40 paths, of which the shortest are few.
  @Test func onlyAllPathsReachTheLimitOfValues() throws {
    var builder = GraphBuilder()
    var inner = builder.add("end")
    for _ in 0..<40 {
      builder.open()
      builder.append(inner)
      builder.append(inner)
      inner = builder.close()
    }
    let graph = ObjectGraph()
    _ = graph.add(builder.finish(top: inner))
    let error = try #require(throws: ArchiveError.self) {
      _ = try Self.paths("$..x", graph, .allPaths)
    }
    #expect(error.code == .limit)
    #expect(try Self.paths("$..*", graph).count == 80)
    #expect(try Self.paths("$..[?@..[1]]", graph).count == 78)
    #expect(try Self.paths("$..*", graph, .once).count == 80)
  }

  /// Nested filters are refused before anything is looked at.
  @Test(
    arguments: [
      "$" + String(repeating: "[?@", count: 2000), "$[?" + String(repeating: "(", count: 5000),
      "$[?" + String(repeating: "!", count: 5000), "$[?" + String(repeating: "length(", count: 999),
      "$" + String(repeating: ".a", count: 20_000),
    ])
  func refusesWhatIsTooDeep(_ query: String) {
    #expect(throws: ArchiveError.self) { try JSONPath(parsing: query) }
  }
}
