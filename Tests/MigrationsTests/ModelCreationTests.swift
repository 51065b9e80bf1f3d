// Archives created from a service's answer.

import ArchiveBasics
import ArchiveGraph
import ArchiveMigrations
import ArchiveSchemas
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct ModelCreationTests {
  private static func create(_ answer: Data, _ version: String) throws -> (Data?, [Diagnostic]) {
    let family = try #require(try SchemaCatalog(folders: []).family("WeatherFeed"))
    let creation = ModelCreation(
      version: try #require(family.version(version)), family: family, stamp: "Apr 6, 2019")
    switch try creation.run(ByteStorage(copying: Array(answer))) {
    case .made(let bytes): return (Data(bytes.bytes), [])
    case .refused(let violations): return (nil, violations)
    }
  }

  @Test(arguments: ["v1", "v2"])
  func anAnswerBecomesAFeedOfItsModelsMembersAlone(_ version: String) throws {
    let url = TestArchives.root.appendingPathComponent("WeatherFeed/topcities.json")
    let answer = try Data(contentsOf: url)
    let (bytes, violations) = try Self.create(answer, version)
    #expect(violations.isEmpty)
    let graph = try readGraph(try #require(bytes))
    let model = try #require(graph.unwrapModel())
    let feed = try #require(graph.foundationObject(model.root) as? NSDictionary)
    #expect(feed["fetchedAt"] as? String == "Apr 6, 2019")
    let cities = try #require(feed["topCityWeathers"] as? [NSDictionary])
    let answered = try #require(try TestArchives.json(answer) as? [NSDictionary])
    #expect(cities.count == answered.count)
    for (city, wanted) in zip(cities, answered) {
      #expect(city.count == 8)
      #expect(city["Key"] as? String == wanted["Key"] as? String)
      #expect(city["Temperature"] as? NSObject == wanted["Temperature"] as? NSObject)
    }
  }

  @Test func anErrorIsNoFeed() throws {
    let answer = Data("{\"Code\":\"Unauthorized\",\"Message\":\"Api Authorization failed\"}".utf8)
    let (bytes, violations) = try Self.create(answer, "v2")
    #expect(bytes == nil)
    #expect(violations.map(\.rule) == ["error-payload"])
  }

  @Test func anAnswerThatLacksAMemberIsRefused() throws {
    let (bytes, violations) = try Self.create(Data("[{\"Key\":\"1\"}]".utf8), "v2")
    #expect(bytes == nil)
    #expect(violations.count == 7)
  }

  /// What the schema calls dates and data is so in the archive, from text and from typed JSON.
  @Test(arguments: [
    #"{"day": "2024-01-02T00:00:00Z", "bytes": "AAH/", "note": "2024-01-02T00:00:00Z"}"#,
    #"{"day": {"$date": "2024-01-02T00:00:00Z"}, "bytes": {"$data": "AAH/"}, "note": "2024-01-02T00:00:00Z"}"#,
  ])
  func textBecomesDatesAndData(_ answer: String) throws {
    let family = try PairFamily(
      ("plist", "json"),
      (
        #"""
        "properties": {"day": {"x-plist-type": "date"}, "bytes": {"x-plist-type": "data"}, "note": {}}
        """#, "\"type\": \"object\""
      ))
    let found = try #require(try SchemaCatalog(folders: [family.folder.path]).family("Pair"))
    let creation = ModelCreation(
      version: try #require(found.version("v1")), family: found, stamp: "")
    guard case .made(let bytes) = try creation.run(ByteStorage(copying: Array(answer.utf8))) else {
      Issue.record("refused")
      return
    }
    let made =
      try PropertyListSerialization.propertyList(from: Data(bytes.bytes), format: nil)
      as? NSDictionary
    #expect(
      made == [
        "day": Date(timeIntervalSince1970: 1_704_153_600), "bytes": Data([0, 1, 255]),
        "note": "2024-01-02T00:00:00Z",
      ] as NSDictionary)
  }
}
