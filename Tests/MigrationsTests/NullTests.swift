// Null in each envelope: null in JSON, NSNull in a keyed archive, Codable's form in a property list.

import ArchiveGraph
import Foundation
import KeyedArchives
import TestSupport
import Testing

@testable import ArchiveMigrations

@Suite struct NullTests {
  private static let nullable = #""type": "object", "properties": {"l": {"type": "array"}}"#

  private static func object(_ json: String) throws -> NSObject {
    try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? NSObject)
  }

  private static func archive(_ value: NSObject) throws -> Data {
    try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: false)
  }

  @Test func jsonKeepsNullInListsAndMembers() throws {
    let family = try PairFamily(
      ("json", "json"), (#""required": ["a"]"#, #""required": ["b"]"#),
      lens: #"{"rename": {"source": "a", "destination": "b"}}"#)
    let source = #"{"a":1,"o":null,"l":[null,1,null]}"#
    let there = try #require(try family.migrate(Data(source.utf8), "v1", "v2"))
    #expect(
      try Self.object(String(decoding: there, as: UTF8.self))
        == Self.object(#"{"b":1,"o":null,"l":[null,1,null]}"#))
    let back = try #require(try family.migrate(there, "v2", "v1"))
    #expect(try Self.object(String(decoding: back, as: UTF8.self)) == Self.object(source))
  }

  @Test(arguments: ["json", "codable", "plist"])
  func nullsInAListComeBack(_ envelope: String) throws {
    let family = try PairFamily(
      ("dictionariable", envelope),
      (#""required": ["a"]"#, #""required": ["b"]"#),
      lens: #"{"rename": {"source": "a", "destination": "b"}}"#)
    // One object: Foundation's archiver finds equal objects by their hashes, which differ for two of NSNull on Linux.
    let null = NSNull()
    let source: NSDictionary = ["a": 1, "l": [null, "x", ["n": null, "m": 2]] as NSArray]
    let there = try #require(try family.migrate(Self.archive(source), "v1", "v2"))
    let back = try #require(try family.migrate(there, "v2", "v1"))
    let read = try NSKeyedUnarchiver.unarchiveTopLevelObjectWithData(back) as? NSDictionary
    let list = try #require(read?["l"] as? NSArray)
    #expect(list[0] is NSNull && list[1] as? String == "x")
  }

  private struct Model: Codable, Equatable {
    var b = 1
    var l: [Int?] = [nil, 1, nil]
    var d: [String: Int?] = ["x": nil, "y": 2]
  }

  @Test func whatCodableWroteIsReadByCodableAgain() throws {
    let plain = try PropertyListEncoder().encode(Model())
    let family = try PairFamily(
      ("plist", "codable"), (Self.nullable, Self.nullable + #", "required": ["b"]"#))
    let there = try #require(try family.migrate(plain, "v1", "v2"))
    let inner = try #require(
      try NSKeyedUnarchiver.unarchiveTopLevelObjectWithData(there) as? Data)
    #expect(try PropertyListDecoder().decode(Model.self, from: inner) == Model())
  }

  @Test func nullThatCodableWroteFitsNull() throws {
    let list = #""type": "object", "properties": {"l": {"items": {"type": ["integer", "null"]}}}"#
    let family = try PairFamily(("plist", "json"), (list, list))
    let there = try #require(
      try family.migrate(try PropertyListEncoder().encode(Model()), "v1", "v2"))
    #expect(
      try Self.object(String(decoding: there, as: UTF8.self))
        == Self.object(#"{"b":1,"l":[null,1,null],"d":{"x":null,"y":2}}"#))
  }

  /// PropertyListDecoder takes every string "$null" for nil.
  @Test(arguments: ["codable", "plist"])
  func aStringThatWouldBeReadAsNilIsRefused(_ envelope: String) throws {
    let family = try PairFamily(("json", envelope), (#""required": ["l"]"#, #""required": ["l"]"#))
    #expect(
      try family.refusal(Data(#"{"l": ["a", "$null"]}"#.utf8), "v1", "v2")?.hasSuffix(
        "(at $.l[1])") == true)
  }

  /// The value, what would come of it, and what to do.
  @Test func whatAnEnvelopeCannotKeepIsExplained() throws {
    let family = try PairFamily(
      ("plist", "json"), (#""required": ["d"]"#, #""required": ["d"]"#))
    let data = try PropertyListSerialization.data(
      fromPropertyList: ["d": Date(timeIntervalSinceReferenceDate: 0)], format: .binary, options: 0)
    let reason = try family.refusal(data, "v1", "v2")
    #expect(reason?.contains("x-plist-type") == true)
    #expect(reason?.hasSuffix("(at $.d)") == true)
  }

  @Test func theWordNullStaysAStringWhereItCan() throws {
    let family = try PairFamily(
      ("json", "dictionariable"), (#""required": ["l"]"#, #""required": ["l"]"#))
    let source = #"{"l": ["a", "$null", null], "$null": 1}"#
    let there = try #require(try family.migrate(Data(source.utf8), "v1", "v2"))
    let back = try #require(try family.migrate(there, "v2", "v1"))
    #expect(try Self.object(String(decoding: back, as: UTF8.self)) == Self.object(source))
  }

  @Test func aKeyIsNeverNil() throws {
    let source: NSDictionary = ["$null": 1, "l": ["$null", "x"]]
    let plist = try PropertyListSerialization.data(
      fromPropertyList: source, format: .binary, options: 0)
    let rules = #""required": ["l"], "propertyNames": {"type": "string"}"#
    let family = try PairFamily(("plist", "dictionariable"), (rules, rules))
    let there = try #require(try family.migrate(plist, "v1", "v2"))
    let read = try NSKeyedUnarchiver.unarchiveTopLevelObjectWithData(there) as? NSDictionary
    #expect(read == ["$null": 1, "l": [NSNull(), "x"] as NSArray] as NSDictionary)
    let back = try #require(try family.migrate(there, "v2", "v1"))
    let again = try PropertyListSerialization.propertyList(from: back, format: nil)
    #expect(again as? NSDictionary == source)
  }

  /// XML and binary, in an archive and without: what nil becomes is nil again.
  @Test(arguments: ["codable", "plist"])
  func nilElementsOfAnyArrayComeBack(_ envelope: String) throws {
    let family = try PairFamily(
      ("json", envelope), (#""required": ["l"]"#, #""required": ["l"]"#))
    let source = #"{"l": [null, [null], {"d": [null, 2]}]}"#
    let there = try #require(try family.migrate(Data(source.utf8), "v1", "v2"))
    let back = try #require(try family.migrate(there, "v2", "v1"))
    #expect(try Self.object(String(decoding: back, as: UTF8.self)) == Self.object(source))
  }
}
