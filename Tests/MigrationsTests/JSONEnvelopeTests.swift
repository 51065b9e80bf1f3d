// The envelope json: JSONEncoder's output and JSONDecoder's input, with the settings that the schema specifies.

import ArchiveBasics
import ArchiveGraph
import ArchiveSchemas
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

@testable import ArchiveMigrations

@Suite struct JSONEnvelopeTests {
  private struct Visit: Codable, Equatable {
    var firstName: String
    var when: Date
    var seen: [Date]
    var photo: Data
    var scores: [String: Int]
  }

  struct Setting: CustomTestStringConvertible, Sendable {
    let archive: String
    let encode: @Sendable (JSONEncoder) -> Void
    let decode: @Sendable (JSONDecoder) -> Void
    var seconds = 725_846_400.0
    var testDescription: String { archive }
  }

  @Sendable private static func formatter(_ pattern: String) -> DateFormatter {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = pattern
    return formatter
  }

  private static func pattern(_ pattern: String, _ seconds: Double) -> Setting {
    Setting(
      archive: #", "dates": {"format": "\#(pattern)"}"#,
      encode: { $0.dateEncodingStrategy = .formatted(formatter(pattern)) },
      decode: { $0.dateDecodingStrategy = .formatted(formatter(pattern)) }, seconds: seconds)
  }

  static let settings: [Setting] = [
    Setting(archive: "", encode: { _ in }, decode: { _ in }, seconds: 725_846_400.123456),
    Setting(archive: #", "dates": "reference""#, encode: { _ in }, decode: { _ in }),
    Setting(
      archive: #", "dates": "unix""#, encode: { $0.dateEncodingStrategy = .secondsSince1970 },
      decode: { $0.dateDecodingStrategy = .secondsSince1970 }, seconds: 725_846_400.5),
    Setting(
      archive: #", "dates": "unixMilliseconds""#,
      encode: { $0.dateEncodingStrategy = .millisecondsSince1970 },
      decode: { $0.dateDecodingStrategy = .millisecondsSince1970 }),
    Setting(
      archive: #", "dates": "iso8601", "data": "base64", "keys": "snake_case""#,
      encode: {
        $0.dateEncodingStrategy = .iso8601
        $0.keyEncodingStrategy = .convertToSnakeCase
      },
      decode: {
        $0.dateDecodingStrategy = .iso8601
        $0.keyDecodingStrategy = .convertFromSnakeCase
      }),
    pattern("yyyy-MM-dd", 725_846_400),
    pattern("yyyy-MM-dd'T'HH:mm:ss.SSSXXX", 725_846_412.25),
    pattern("dd/MM/yyyy HH:mm:ss Z", 725_846_412),
    pattern("yyyy年MM月dd日 'à' HH:mm:ss", 725_846_412),
  ]

  private static let date = #"{"type": "string", "x-plist-type": "date"}"#
  private static let members = #"""
    "type": "object", "properties": {
      "firstName": {"type": "string"}, "when": \#(date),
      "seen": {"type": "array", "items": {"anyOf": [\#(date), {"type": "null"}]}},
      "photo": {"type": "string", "x-plist-type": "data"},
      "scores": {"type": "object", "additionalProperties": {"type": "integer"}}},
    "required": ["firstName", "when", "seen", "photo", "scores"], "additionalProperties": false
    """#

  /// A property list and JSON of one model, with the settings of the second.
  private static func family(_ setting: String) throws -> PairFamily {
    let family = try PairFamily(("plist", "json"), (members, members))
    let schema = #"{"x-archive": {"envelope": "json"\#(setting)}, \#(members)}"#
    try Data(schema.utf8).write(to: family.folder.appendingPathComponent("v2.schema.json"))
    return family
  }

  private static func visit(_ seconds: Double) -> Visit {
    Visit(
      firstName: "Ada", when: Date(timeIntervalSinceReferenceDate: seconds),
      seen: [Date(timeIntervalSinceReferenceDate: seconds)], photo: Data([0, 1, 255]),
      scores: ["first_set": 6, "secondSet": 4])
  }

  @Test(arguments: settings)
  func foundationDecodesWhatIsWrittenAndTheOtherWayRound(_ setting: Setting) throws {
    let family = try Self.family(setting.archive)
    let visit = Self.visit(setting.seconds)
    let plist = try PropertyListEncoder().encode(visit)
    let json = try #require(try family.migrate(plist, "v1", "v2"))
    let decoder = JSONDecoder()
    setting.decode(decoder)
    #expect(try decoder.decode(Visit.self, from: json) == visit)
    let encoder = JSONEncoder()
    setting.encode(encoder)
    let written = try encoder.encode(visit)
    #expect(
      try JSONSerialization.jsonObject(with: written) as? NSDictionary
        == JSONSerialization.jsonObject(with: json) as? NSDictionary)
    let back = try #require(try family.migrate(written, "v2", "v1"))
    #expect(try PropertyListDecoder().decode(Visit.self, from: back) == visit)
    // The version is found by the spelling of its members and dates.
    let catalog = try SchemaCatalog(folders: [family.folder.path])
    let graph = try readGraph(written)
    let model = try #require(graph.unwrapModel())
    #expect(catalog.detect(model, in: graph)?.version.name == "v2")
    #expect(try catalog.family("Pair")?.version("v2")?.validate(readGraph(written)).isEmpty == true)
  }

  @Test(arguments: [
    (#", "dates": "iso8601""#, 0.5, "$.when", "'iso8601' of x-archive"),
    // JSONEncoder tells the days before the Gregorian calendar in the Julian one.
    (#", "dates": "iso8601""#, -13_197_600_001, "$.when", "'iso8601' of x-archive"),
    (#", "dates": {"format": "yyyy-MM-dd"}"#, 3600, "$.when", "'yyyy-MM-dd' of x-archive"),
  ])
  func aDateThatTheSettingCannotTellIsRefused(
    _ setting: String, _ seconds: Double, _ path: String, _ part: String
  ) throws {
    let family = try Self.family(setting)
    let plist = try PropertyListEncoder().encode(Self.visit(seconds))
    let reason = try family.refusal(plist, "v1", "v2")
    #expect(reason?.hasSuffix("(at \(path))") == true)
    #expect(reason?.contains(part) == true)
  }

  @Test func aDateThatTheSchemaDoesNotNameIsRefused() throws {
    let open = #""type": "object", "properties": {"a": {}}"#
    let family = try PairFamily(("plist", "json"), (open, open))
    for value in [Date(timeIntervalSinceReferenceDate: 0), Data([1])] as [Any] {
      let plist = try PropertyListSerialization.data(
        fromPropertyList: ["a": value], format: .binary, options: 0)
      let reason = try family.refusal(plist, "v1", "v2")
      #expect(reason?.contains("x-plist-type") == true)
      #expect(reason?.hasSuffix("(at $.a)") == true)
    }
  }

  @Test(arguments: ["firstName", "myURLProperty", "a", "URL", "aB", "x1Y", "_lead", "tail_", "aBC"])
  func namesInSnakeCaseAreThoseOfFoundation(_ name: String) throws {
    struct Key: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }
    struct Holder: Codable {
      let name: String
      init(name: String) { self.name = name }
      init(from decoder: any Decoder) throws {
        name = try decoder.container(keyedBy: Key.self).allKeys.first?.stringValue ?? ""
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: Key(stringValue: name))
      }
    }
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let written = try encoder.encode(Holder(name: name))
    let members = "\"type\": \"object\", \"properties\": {\"\(name)\": {}}"
    let family = try PairFamily(("plist", "json"), (members, members))
    let schema = #"{"x-archive": {"envelope": "json", "keys": "snake_case"}, \#(members)}"#
    try Data(schema.utf8).write(to: family.folder.appendingPathComponent("v2.schema.json"))
    let plist = try PropertyListSerialization.data(
      fromPropertyList: [name: 1], format: .binary, options: 0)
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    if try decoder.decode(Holder.self, from: written).name == name {
      let made = try #require(try family.migrate(plist, "v1", "v2"))
      #expect(
        try JSONSerialization.jsonObject(with: made) as? NSDictionary
          == JSONSerialization.jsonObject(with: written) as? NSDictionary)
    } else {
      #expect(try family.refusal(plist, "v1", "v2") != nil)
    }
  }

  private struct Product: Codable, Equatable {
    var site: URL
    var price: Decimal
    var count: Decimal
  }

  @Test func urlsAreStringsAndDecimalsNumbers() throws {
    let product = Product(
      site: try #require(URL(string: "http://example.com/a?b=c")),
      price: try #require(Decimal(string: "12.5")), count: 7)
    let members = #""type": "object", "properties": {"site": {}, "price": {}, "count": {}}"#
    let decimals = #"{"x-class": "NSDecimalNumber"}"#
    let told = #"""
      "type": "object", "properties": {"site": {"x-class": "NSURL"}, "price": \#(decimals), "count": \#(decimals)}
      """#
    let family = try PairFamily(("dictionariable", "json"), (told, members))
    func decimal(_ digits: UInt8, _ exponent: Int64) -> ArchivedSample {
      .object(
        "NSDecimalNumber",
        [
          "NS.exponent": .inline(.integer(exponent)), "NS.length": 1, "NS.negative": false,
          "NS.compact": true, "NS.mantissa.bo": 1,
          "NS.mantissa": .stored(.data([digits] + [UInt8](repeating: 0, count: 15))),
        ])
    }
    let archive = ArchivedSample.object(
      "NSDictionary",
      [
        "NS.keys": .list(["site", "price", "count"]),
        "NS.objects": .list([
          .object("NSURL", ["NS.base": .null, "NS.relative": "http://example.com/a?b=c"]),
          decimal(125, -1), decimal(7, 0),
        ]),
      ]
    ).archive
    // The way back needs to know the classes.
    let untold = try PairFamily(("dictionariable", "json"), (members, members))
    #expect(try untold.migrate(archive, "v1", "v2") == nil)
    let json = try #require(try family.migrate(archive, "v1", "v2"))
    #expect(try JSONDecoder().decode(Product.self, from: json) == product)
    #expect(
      try JSONSerialization.jsonObject(with: JSONEncoder().encode(product)) as? NSDictionary
        == JSONSerialization.jsonObject(with: json) as? NSDictionary)
  }

  @Test func settingsThatAreWrongAreNamed() throws {
    for setting in [
      #""dates": "iso""#, #""dates": {"format": "yyyy"}"#, #""dates": {"format": "EEE dd"}"#,
      #""data": "hex""#, #""keys": "camel""#,
    ] {
      let error = #expect(throws: ArchiveError.self) {
        let family = try Self.family(", " + setting)
        _ = try SchemaCatalog(folders: [family.folder.path])
      }
      #expect(
        error?.path?.steps.first == .key("x-archive"), "\(String(describing: error))")
    }
  }
}
