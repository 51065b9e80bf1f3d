// Sets and dictionaries with every key and element type that Codable encodes: an archive of Foundation becomes a
// property list that PropertyListDecoder decodes to the same value.

import ArchiveBasics
import ArchiveEditing
import ArchiveGraph
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

@testable import ArchiveMigrations

@Suite struct CodableCollectionTests {
  /// A value in both forms.
  struct Collection: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let sample: ArchivedSample
    let isRead: @Sendable (Data) throws -> Bool

    init<Value: Decodable & Equatable & Sendable & SendableMetatype>(
      _ name: String, _ sample: ArchivedSample, _ value: Value
    ) {
      testDescription = name
      self.sample = sample
      isRead = { try PropertyListDecoder().decode([String: Value].self, from: $0)["v"] == value }
    }
  }

  // MARK: Objects

  private static func set(_ elements: [ArchivedSample]) -> ArchivedSample {
    .object("NSSet", ["NS.objects": .list(elements)])
  }

  private static func number(_ number: Int64) -> ArchivedSample { .stored(.integer(number)) }
  private static func real(_ number: Double) -> ArchivedSample { .stored(.real(number)) }
  private static func bytes(_ bytes: [UInt8]) -> ArchivedSample { .stored(.data(bytes)) }
  private static func date(_ seconds: Double) -> ArchivedSample {
    .object("NSDate", ["NS.time": .inline(.real(seconds))])
  }
  private static func url(_ text: String) -> ArchivedSample {
    .object("NSURL", ["NS.base": .null, "NS.relative": .stored(.string(text))])
  }
  private static func uuid(_ last: UInt8) -> ArchivedSample {
    .object("NSUUID", ["NS.uuidbytes": .data([UInt8](repeating: 0, count: 15) + [last])])
  }
  private static func range(_ location: Int64, _ length: Int64) -> ArchivedSample {
    .object(
      "NSValue",
      [
        "NS.special": 4, "NS.rangeval.location": .inline(.integer(location)),
        "NS.rangeval.length": .inline(.integer(length)),
      ])
  }
  private static func decimal(_ digits: UInt8) -> ArchivedSample {
    .object(
      "NSDecimalNumber",
      [
        "NS.exponent": -1, "NS.length": 1, "NS.negative": false, "NS.compact": true,
        "NS.mantissa.bo": 1,
        "NS.mantissa": .data([digits] + [UInt8](repeating: 0, count: 15)),
      ])
  }

  // MARK: Values

  private static func address(_ text: String) -> URL {
    URL(string: text) ?? URL(fileURLWithPath: text)
  }
  private static func identifier(_ last: UInt8) -> UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, last))
  }
  private static func moment(_ seconds: Double) -> Date {
    Date(timeIntervalSinceReferenceDate: seconds)
  }

  static let all: [Collection] = [
    Collection(
      "a set of URLs", set([url("https://b/2"), url("https://a/1"), url("https://c/3")]),
      Set([address("https://a/1"), address("https://b/2"), address("https://c/3")])),
    Collection("a set of UUIDs", set([uuid(9), uuid(3)]), Set([identifier(3), identifier(9)])),
    Collection("a set of dates", set([date(5.5), date(-1)]), Set([moment(-1), moment(5.5)])),
    Collection("a set of numbers", set([number(3), number(10), number(2)]), Set([3, 10, 2])),
    Collection(
      "a set of sets", set([set([number(3), number(10)]), set([number(5)])]),
      Set([Set([3, 10]), Set([5])])),
    Collection(
      "a set of lists",
      set([.array([number(3), number(1)]), .array([number(1), number(3)])]),
      Set([[3, 1], [1, 3]])),
    Collection(
      "a set of ranges", set([range(7, 2), range(1, 9)]),
      Set([NSRange(location: 1, length: 9), NSRange(location: 7, length: 2)])),
    Collection(
      "a set of decimals", set([decimal(15), decimal(12), decimal(9)]),
      Set([Decimal(15) / 10, Decimal(12) / 10, Decimal(9) / 10])),
    Collection("a set of data", set([bytes([2]), bytes([1])]), Set([Data([1]), Data([2])])),
    Collection(
      "a set of dictionaries by dates",
      set([.dictionary([date(1): "a"]), .dictionary([date(2): "b"])]),
      Set([[moment(1): "a"], [moment(2): "b"]])),
    Collection(
      "a dictionary by UUIDs", .dictionary([uuid(2): number(1), uuid(1): number(2)]),
      [identifier(2): 1, identifier(1): 2]),
    Collection(
      "a dictionary by dates", .dictionary([date(5): "v", date(1): "w"]),
      [moment(5): "v", moment(1): "w"]),
    Collection(
      "a dictionary by URLs", .dictionary([url("https://b"): "v", url("https://a"): "w"]),
      [address("https://b"): "v", address("https://a"): "w"]),
    Collection(
      "a dictionary by reals", .dictionary([real(1.5): "v", real(2): "w", number(3): "x"]),
      [1.5: "v", 2: "w", 3: "x"]),
    Collection(
      "a dictionary by data", .dictionary([bytes([1, 2]): "v", bytes([3]): "w"]),
      [Data([1, 2]): "v", Data([3]): "w"]),
    Collection(
      "a dictionary by decimals", .dictionary([decimal(15): "v"]), [Decimal(15) / 10: "v"]),
    Collection(
      "a dictionary by truth values", .dictionary([.stored(.boolean(true)): "v"]), [true: "v"]),
    Collection(
      "a dictionary by lists", .dictionary([.array([number(1), number(2)]): "v"]),
      [[1, 2]: "v"]),
    Collection(
      "a dictionary by integers", .dictionary([number(7): "v", number(-8): "w"]),
      [7: "v", -8: "w"]),
    Collection(
      "a dictionary by UUIDs with nil",
      .dictionary([uuid(1): .object("NSNull"), uuid(2): number(2)]),
      [identifier(1): nil, identifier(2): 2] as [UUID: Int?]),
    Collection(
      "a dictionary with nil", .dictionary(["a": .object("NSNull"), "b": number(1)]),
      ["a": nil, "b": 1] as [String: Int?]),
  ]

  private static let anything = #""type": "object", "properties": {"v": {}}, "required": ["v"]"#

  @Test(arguments: all)
  func isReadByPropertyListDecoder(_ collection: Collection) throws {
    let family = try PairFamily(("dictionariable", "codable"), (Self.anything, Self.anything))
    // That a collection is a set no property list tells.
    let there = try #require(
      try family.migrate(Self.archive(collection.sample), "v1", "v2", losses: .allowAll))
    let inner = try #require(
      try NSKeyedUnarchiver.unarchiveTopLevelObjectWithData(there) as? Data)
    #expect(try collection.isRead(inner))
    // And the way back loses nothing of that.
    let back = try #require(try family.migrate(there, "v2", "v1"))
    let again = try #require(try family.migrate(back, "v1", "v2"))
    let read = try #require(try NSKeyedUnarchiver.unarchiveTopLevelObjectWithData(again) as? Data)
    #expect(try collection.isRead(read))
  }

  private static func archive(_ value: ArchivedSample) -> Data {
    ArchivedSample.dictionary(["v": value]).archive
  }

  @Test func keysOfSeveralTypesAreRefused() throws {
    let family = try PairFamily(("dictionariable", "codable"), (Self.anything, Self.anything))
    let mixed = Self.archive(.dictionary([Self.date(1): "a", Self.number(2): "b"]))
    #expect(try family.refusal(mixed, "v1", "v2")?.contains("several types") == true)
  }

  /// A dictionary whose keys are no names is none of an application's objects.
  @Test func aDictionaryByIntegersStaysOneAmongObjects() throws {
    let family = try PairFamily(("dictionariable", "nscoding"), (Self.anything, Self.anything))
    let archive = Self.archive(.dictionary([Self.number(7): "a"]))
    let there = try #require(try family.migrate(archive, "v1", "v2", className: "App.Model"))
    let graph = try readGraph(there)
    let dictionary = try graph.node(at: GraphPath(parsing: "$.v"), from: graph.root)
    let index = try #require(graph.classIndex(of: dictionary))
    #expect(graph.classes[index].name == "NSDictionary")
  }

  /// In a dictionary every number is an object; what becomes a field is stored as the schema says, or refused.
  @Test(arguments: ["inline", "boxed", nil])
  func numbersThatBecomeFieldsAreStoredAsTheSchemaSays(_ storage: String?) throws {
    let rule = storage.map { #", "x-storage": "\#($0)""# } ?? ""
    let family = try PairFamily(
      ("dictionariable", "nscoding"),
      (
        #""type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]"#,
        #""type": "object", "properties": {"n": {"type": "integer"\#(rule)}}, "required": ["n"]"#
      ))
    let archive = try NSKeyedArchiver.archivedData(
      withRootObject: NSDictionary(dictionary: ["n": 2009]), requiringSecureCoding: false)
    guard let storage else {
      let reason = try family.refusal(archive, "v1", "v2", className: "App.Model")
      #expect(reason?.contains("inline or boxed") == true)
      return
    }
    let there = try #require(
      try family.migrate(archive, "v1", "v2", className: "App.Model"))
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: there)
    unarchiver.requiresSecureCoding = false
    unarchiver.setClass(StoredNumber.self, forClassName: "App.Model")
    let read = try #require(unarchiver.decodeObject(forKey: "root") as? StoredNumber)
    #expect(read.scalar == (storage == "inline" ? 2009 : 0))
    #expect(read.object == (storage == "inline" ? nil : 2009))
  }
}

/// Reads a number in both ways.
private final class StoredNumber: NSObject, NSCoding {
  let scalar: Int
  let object: Int?

  required init?(coder: NSCoder) {
    scalar = coder.decodeInteger(forKey: "n")
    object = scalar == 0 ? (coder.decodeObject(forKey: "n") as? NSNumber)?.intValue : nil
  }

  func encode(with coder: NSCoder) {}
}
