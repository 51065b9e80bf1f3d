// JSON of graphs, plain and typed.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct JSONFormTests {
  private static func json(_ data: Data, typed: Bool = false) throws -> String {
    let graph = try readGraph(data)
    var output = OutputBuffer(descriptor: nil)
    try JSONWriter.write(
      graph.root, of: graph,
      options: JSONWriter.Options(isTyped: typed, isCompact: true), to: &output)
    return String(decoding: output.bytes.bytes, as: UTF8.self)
  }

  private static func plist(_ body: String) -> Data { Data("<plist>\(body)</plist>".utf8) }

  @Test(arguments: [
    (
      "<date>2019-04-06T03:50:00Z</date>", "\"2019-04-06T03:50:00Z\"",
      "{\"$date\": \"2019-04-06T03:50:00Z\"}"
    ),
    ("<data>AQID</data>", "\"AQID\"", "{\"$data\": \"AQID\"}"),
    ("<real>64</real>", "64.0", "{\"$real\": 64.0}"), ("<real>64.5</real>", "64.5", "64.5"),
    ("<real>nan</real>", "\"NaN\"", "{\"$real\": \"NaN\"}"),
    ("<real>-inf</real>", "\"-Infinity\"", "{\"$real\": \"-Infinity\"}"),
    (
      "<integer>18446744073709551615</integer>", "18446744073709551615",
      "{\"$int\": \"18446744073709551615\"}"
    ),
    (
      "<integer>-9007199254740993</integer>", "-9007199254740993",
      "{\"$int\": \"-9007199254740993\"}"
    ),
    ("<dict><key>CF$UID</key><integer>5</integer></dict>", "{\"$uid\": 5}", "{\"$uid\": 5}"),
    (
      "<dict><key>$a</key><true/></dict>", "{\"$a\":true}",
      "{\"$entries\": [{\"key\":\"$a\",\"value\":true}]}"
    ),
    ("<dict/>", "{}", "{}"), ("<array/>", "[]", "[]"),
    ("<string>a\"b\\</string>", "\"a\\\"b\\\\\"", "\"a\\\"b\\\\\""),
  ])
  func spellsValues(_ body: String, _ plain: String, _ typed: String) throws {
    #expect(try Self.json(Self.plist(body)) == plain + "\n")
    #expect(try Self.json(Self.plist(body), typed: true) == typed + "\n")
  }

  /// Names are unique, whatever keys an application has: parsers keep one of two.
  @Test(arguments: [
    (
      ArchivedSample.object(
        "App.X", ["$$0": "a", "$0": "b", "$$class": "c", "plain": "d"]),
      #"{"$class":"App.X","$$0":"a","$0":"b","$$class":"c","plain":"d"}"#
    ),
    (
      .object("App.X", ["$$class": "a"]), #"{"$class":"App.X","$$class":"a"}"#
    ),
    (.object("App.X", ["$$price": "a"]), #"{"$class":"App.X","$price":"a"}"#),
    (
      .object("App.X", ["$$id": "x", "me": .root]),
      ##"{"$id":"#1","$class":"App.X","$$id":"x","me":{"$ref": "#1"}}"##
    ),
    (
      .dictionary(["me": .root, "$id": "x"]),
      ##"{"$id":"#1","$entries":[{"key":"me","value":{"$ref": "#1"}},{"key":"$id","value":"x"}]}"##
    ),
  ])
  func namesAreUnique(_ sample: ArchivedSample, _ text: String) throws {
    #expect(try Self.json(sample.archive) == text + "\n")
  }

  @Test func aNumberObjectIsItsNumber() throws {
    let sample = ArchivedSample.array([
      .instance(["NSNumber", "NSValue", "NSObject"], [("NS.number", 7)])
    ])
    #expect(try Self.json(sample.archive) == "[7]\n")
    let read = try NSKeyedUnarchiver.unarchiveTopLevelObjectWithData(sample.archive)
    #expect(read as? NSArray == NSArray(array: [7]))
  }

  @Test func aCycleIsShownByReference() throws {
    let url = TestArchives.root.appendingPathComponent("Graphs/cycle")
    let text = try Self.json(Data(contentsOf: url))
    let object = try #require(try TestArchives.json(Data(text.utf8)) as? NSDictionary)
    let identity = try #require(object["$id"] as? String)
    let partner = try #require(object["partner"] as? NSDictionary)
    #expect(partner["partner"] as? NSDictionary == ["$ref": identity])
  }

  @Test func anObjectIsItsFieldsAndItsClass() throws {
    let url = TestArchives.root.appendingPathComponent("Movie/v0-nested-class")
    let object = try #require(
      try TestArchives.json(Data(Self.json(Data(contentsOf: url)).utf8)) as? NSDictionary)
    #expect(object["$class"] as? String == "App.Movie.MovieClass")
    #expect(object["releaseYear"] as? Int == 2009)
  }

  @Test(arguments: TestArchives.all.filter(\.decodable))
  func everyArchiveGivesJSONThatFoundationReads(_ entry: ManifestEntry) throws {
    let data = try Data(contentsOf: entry.url)
    for typed in [false, true] {
      let text = try Self.json(data, typed: typed)
      #expect(try TestArchives.json(Data(text.utf8)) != nil)
    }
  }
}
