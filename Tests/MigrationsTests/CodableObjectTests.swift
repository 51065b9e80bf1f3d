// Property lists of Codable become objects of Foundation if a schema names their class, opened by NSKeyedUnarchiver.

import ArchiveEditing
import ArchiveGraph
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

@testable import ArchiveMigrations

@Suite struct CodableObjectTests {
  /// A value and what the schema says of it.
  struct Value: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let schema: String
    let encoded: @Sendable () throws -> Data
    /// Whether an object that Foundation read is the value.
    let isRead: @Sendable (Any) -> Bool
    /// Whether a property list tells the value.
    let isEncoded: @Sendable (Data) throws -> Bool

    init<Model: Codable & Equatable & Sendable & SendableMetatype>(
      _ schema: String, _ model: Model,
      isRead: @escaping @Sendable (Any, Model) -> Bool = { $0 as? Model == $1 }
    ) {
      testDescription = "\(Model.self) \(schema)"
      self.schema = schema
      encoded = { try PropertyListEncoder().encode(["v": model]) }
      self.isRead = { isRead($0, model) }
      isEncoded = {
        try PropertyListDecoder().decode([String: Model].self, from: $0)["v"] == model
      }
    }
  }

  private static let moment = Date(timeIntervalSinceReferenceDate: 5.5)
  private static let tokyo = TimeZone(identifier: "Asia/Tokyo") ?? .gmt
  private static let uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7))

  private static var leapMonth: DateComponents {
    var value = DateComponents(timeZone: tokyo, year: 2019, month: 4)
    value.isLeapMonth = true
    return value
  }

  private static var name: PersonNameComponents {
    var value = PersonNameComponents()
    (value.givenName, value.nickname) = ("A", "N")
    return value
  }

  private static func isClass(_ name: String, _ more: String = "") -> String {
    #"{"x-class": "\#(name)"\#(more)}"#
  }

  static let values: [Value] = [
    Value(isClass("NSDateComponents"), leapMonth), Value(isClass("NSPersonNameComponents"), name),
    Value(isClass("NSLocale"), Locale(identifier: "de_CH")), Value(isClass("NSTimeZone"), tokyo),
    Value(isClass("NSDateInterval"), DateInterval(start: moment, duration: 10.5)) {
      // NSDateInterval on Linux reads no end, not of what it archived itself either.
      ($0 as? NSDateInterval)?.startDate == $1.start
    },
    Value(isClass("NSIndexSet"), IndexSet([1, 2, 300])), Value(isClass("NSIndexSet"), IndexSet()),
    Value(isClass("NSIndexSet"), IndexSet(5..<9)),
    Value(isClass("NSIndexPath"), IndexPath(index: 5)),
    Value(isClass("NSIndexPath"), IndexPath(indexes: [1, 200, 70_000])),
    Value(isClass("NSURL"), URL(fileURLWithPath: "/a")), Value(isClass("NSUUID"), uuid),
    Value(isClass("NSSet", #", "items": {"x-class": "NSUUID"}"#), Set([uuid])),
    Value(
      isClass("NSSet", #", "items": {"x-class": "NSURL"}"#),
      Set([URL(fileURLWithPath: "/a"), URL(fileURLWithPath: "/b")])),
    Value(
      isClass("NSSet", #", "items": {"x-class": "NSLocale"}"#), Set([Locale(identifier: "de")])),
    Value(isClass("NSSet", #", "items": {"x-class": "NSSet"}"#), Set([Set([1, 2]), Set([3])])),
    Value(isClass("NSDictionary"), [moment: "a", Date(timeIntervalSinceReferenceDate: 7): "b"]),
    Value(isClass("NSDictionary"), [1.5: "a", 2.25: "b"]),
    Value(isClass("NSDictionary"), [uuid: "a"]),
    Value(isClass("NSDictionary"), [URL(fileURLWithPath: "/a"): "a"]),
    Value(isClass("NSDictionary"), [Data([1, 2]): "a"]),
    Value(
      isClass("NSMutableDictionary", #", "additionalProperties": {"x-class": "NSLocale"}"#),
      [moment: Locale(identifier: "de")]),
  ]

  private static func members(_ schema: String) -> String {
    #""type": "object", "properties": {"v": \#(schema)}, "required": ["v"]"#
  }

  @Test(arguments: values)
  func isOpenedByNSKeyedUnarchiver(_ value: Value) throws {
    let family = try PairFamily(
      ("codable", "dictionariable"), (Self.members("{}"), Self.members(value.schema)))
    let encoded = try value.encoded()
    let archive = try NSKeyedArchiver.archivedData(
      withRootObject: encoded as NSData, requiringSecureCoding: false)
    let there = try #require(try family.migrate(archive, "v1", "v2"))
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: there)
    unarchiver.requiresSecureCoding = false
    unarchiver.decodingFailurePolicy = .setErrorAndReturn
    let decoded = unarchiver.decodeObject(forKey: "root") as? NSDictionary
    let root = try #require(decoded, "\(String(describing: unarchiver.error))")
    #expect(value.isRead(try #require(root["v"])))
    // And back again it is what it was.
    let refusal = try family.refusal(there, "v2", "v1")
    let back = try #require(try family.migrate(there, "v2", "v1"), "\(refusal ?? "")")
    let read = try NSKeyedUnarchiver.unarchiveTopLevelObjectWithData(back) as? Data
    #expect(try value.isEncoded(#require(read)))
  }

  @Test(arguments: [
    ("NSLocale", "<dict><key>identifier</key><string>de</string></dict>"),
    ("NSDateComponents", "<dict><key>year</key><string>2019</string></dict>"),
    ("NSDateComponents", "<dict><key>years</key><integer>2019</integer></dict>"),
    ("NSDictionary", "<array><string>key</string><true/></array>"),
    ("NSDictionary", "<array><real>1.5</real></array>"),
  ])
  func whatIsNoFormIsRefused(_ name: String, _ text: String) throws {
    let family = try PairFamily(
      ("plist", "dictionariable"), (Self.members("{}"), Self.members(Self.isClass(name))))
    let list = Data("<plist><dict><key>v</key>\(text)</dict></plist>".utf8)
    #expect(try family.refusal(list, "v1", "v2") != nil)
  }
}
