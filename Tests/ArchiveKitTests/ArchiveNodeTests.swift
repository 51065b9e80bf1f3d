// Reads archives through ArchiveKit: nodes, collections, paths, compared with what Foundation decodes.

import ArchiveKit
import Foundation
import TestSupport
import Testing

@Suite struct ArchiveNodeTests {
  private static func path(_ name: String) -> String {
    TestArchives.root.appendingPathComponent(name).path
  }

  private static func archived(_ root: NSObject) throws -> Archive {
    try Archive(
      bytes: NSKeyedArchiver.archivedData(withRootObject: root, requiringSecureCoding: false))
  }

  @Test(arguments: ["WeatherFeed/v1-50-cities", "WeatherFeed/v2-50-cities"])
  func membersAndElementsAreReachedByNameAndNumber(_ name: String) throws {
    let archive = try Archive(contentsOf: Self.path(name))
    let city = try #require(archive.root["topCityWeathers"]?[0])
    #expect(city["LocalizedName"]?.string == "ঢাকা")
    #expect(try archive.root.node(at: "$.topCityWeathers[0]") == city)
    #expect(archive.root["topCityWeathers"]?.elements.count == 50)
    #expect(archive.root["nowhere"] == nil && city[0] == nil && archive.root[-1] == nil)
  }

  @Test func nodesOutliveTheVariableOfTheirArchive() throws {
    func first() throws -> ArchiveNode? {
      try Archive(contentsOf: Self.path("Movie/v1")).root["name"]
    }
    #expect(try first()?.string == "Avatar")
  }

  @Test func scalarsAreWhatFoundationStored() throws {
    let date = Date(timeIntervalSinceReferenceDate: 5.5)
    let archive = try Self.archived(
      [
        "text": "a", "integer": -7, "large": UInt64.max, "real": 0.5, "flag": true, "date": date,
        "data": Data([1, 2]), "null": NSNull(), "url": NSURL(string: "https://a/b")!,
      ] as NSDictionary)
    let root = archive.root
    #expect(root["text"]?.string == "a")
    #expect(root["integer"]?.integer == -7 && root["integer"]?.double == -7)
    #expect(root["integer"]?.integer(as: UInt8.self) == nil)
    #expect(root["large"]?.integer == nil && root["large"]?.integer(as: UInt64.self) == .max)
    #expect(root["real"]?.double == 0.5 && root["real"]?.integer == nil)
    #expect(root["flag"]?.bool == true && root["flag"]?.integer == nil)
    #expect(root["date"]?.date == date)
    #expect(root["data"]?.data == Data([1, 2]))
    #expect(root["null"]?.isNull == true)
    #expect(root["url"]?.string == "https://a/b" && root["url"]?.className == "NSURL")
    #expect(Set(root.members.compactMap(\.name)).count == 9)
  }

  @Test func eachNodeIsVisitedOnceAlsoInCirclesAndNestedArchives() throws {
    let cycle = try Archive(contentsOf: Self.path("Graphs/cycle"))
    let nodes = Array(cycle.nodes)
    #expect(Set(nodes).count == nodes.count)
    let inner = try NSKeyedArchiver.archivedData(
      withRootObject: NSArray(array: ["in here"]), requiringSecureCoding: false)
    let outer = try Archive(
      bytes: PropertyListSerialization.data(
        fromPropertyList: ["archive": inner], format: .binary, options: 0))
    #expect(outer.nodes.contains { $0.string == "in here" })
    #expect(outer.root["archive"]?[0]?.string == "in here")
    #expect(outer.root["archive"]?.contents?.className == "NSArray")
  }

  @Test func filesThatCannotBeReadAreErrorsThatNameThem() throws {
    #expect(throws: Archive.Error.self) { _ = try Archive(contentsOf: "/nowhere") }
    let broken = Self.path("Broken/truncated")
    #expect(throws: Archive.Error.self) { _ = try Archive(contentsOf: broken) }
    #expect(try !Archive(contentsOf: broken, recovering: true).losses.isEmpty)
  }
}
