// The code blocks of the articles, compiled and run.

import ArchiveKit
import FoundationEssentials
import TestSupport
import Testing

enum MovieClass: ArchivedClass {
  static let classNames = ["App.Movie.MovieClass"]

  static func value(of object: ArchivedFields) -> ArchivedValue? {
    guard let title = object.string("name"), let year = object.integer("releaseYear")
    else { return nil }
    return .text("\(title) (\(year))")
  }
}

// The service's own names begin with capitals.
// swift-format-ignore: AlwaysUseLowerCamelCase
@Suite struct ArticleExamples {
  private let v1 = TestArchives.root.appendingPathComponent("WeatherFeed/v1-50-cities").path
  private let v2 = TestArchives.root.appendingPathComponent("WeatherFeed/v2-50-cities").path

  @Test func readingAnArchive() throws {
    let path = v1
    let archive = try Archive(contentsOf: path)
    let name = archive.root["topCityWeathers"]?[0]?["LocalizedName"]?.string
    #expect(name == "ঢাকা")

    var counts: [String: Int] = [:]
    for node in archive.nodes {
      if let name = node.className { counts[name, default: 0] += 1 }
    }
    #expect(counts["NSDictionary"] == 248)

    struct City: Decodable {
      var LocalizedName: String
      var IsDayTime: Bool
    }
    let cities = try archive.root["topCityWeathers"]?.decode([City].self)
    #expect(cities?.count == 50)
  }

  @Test func encodingEnvelopeModel() throws {
    let first = try Archive(contentsOf: v1).root["topCityWeathers"]?[0]
    let second = try Archive(contentsOf: v2).root["topCityWeathers"]?[0]
    #expect(first?["Key"]?.string == second?["Key"]?.string)

    let isCodable = try Archive(contentsOf: v2).root.contents != nil
    #expect(isCodable)

    struct Feed: Decodable {
      var fetchedAt: String
    }
    let feeds = try [v1, v2].map { try Archive(contentsOf: $0).decode(Feed.self) }
    #expect(feeds[0].fetchedAt == feeds[1].fetchedAt)
  }

  @Test func teachingAClass() throws {
    let path = TestArchives.root.appendingPathComponent("Movie/v0-nested-class").path
    let archive = try Archive(contentsOf: path, classes: [MovieClass.self])
    let movie = archive.root.string
    #expect(movie == "Avatar (2009)")
  }
}
