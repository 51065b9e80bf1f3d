// Every violation is reported, with its path, what was expected and what was found.

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

@Suite struct ViolationTests {
  /// The violations of a WeatherFeed whose only city is changed, as a v1 archive.
  private static func violations(
    _ change: (inout [String: Any]) -> Void, feed: (inout [String: Any]) -> Void = { _ in }
  ) throws -> [Diagnostic] {
    var city: [String: Any] = [
      "Key": "1", "LocalizedName": "Zürich", "EnglishName": "Zurich", "WeatherText": "Sunny",
      "WeatherIcon": 1, "IsDayTime": true,
      "Country": ["ID": "CH", "LocalizedName": "Schweiz", "EnglishName": "Switzerland"],
      "Temperature": [
        "Metric": ["Value": 18.5, "Unit": "C", "UnitType": 17] as [String: Any],
        "Imperial": ["Value": 65.0, "Unit": "F", "UnitType": 18] as [String: Any],
      ],
    ]
    change(&city)
    var root: [String: Any] = ["fetchedAt": "Apr 6, 2019", "topCityWeathers": [city]]
    feed(&root)
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: root as NSDictionary, requiringSecureCoding: false)
    let catalog = try SchemaCatalog(folders: [])
    let family = catalog.family("WeatherFeed")
    return try Validation(catalog: catalog, family: family, version: family?.version("v1"))
      .run(readGraph(data)).violations
  }

  private static func summary(_ violations: [Diagnostic]) -> Set<String> {
    Set(violations.map { "\($0.rule) \($0.path?.description ?? "")" })
  }

  @Test func nothingIsWrongWithAGoodFeed() throws {
    #expect(try Self.violations { _ in }.isEmpty)
  }

  @Test func reportsWrongTypesAllAtOnce() throws {
    let found = try Self.violations { city in
      city["WeatherIcon"] = "1"
      city["IsDayTime"] = "yes"
      city["Key"] = 215_854
      city["Country"] = ["CH"]
    }
    #expect(
      Self.summary(found) == [
        "type $.topCityWeathers[0].WeatherIcon", "type $.topCityWeathers[0].IsDayTime",
        "type $.topCityWeathers[0].Key", "type $.topCityWeathers[0].Country",
      ])
    let key = found.first { $0.path?.description.hasSuffix("Key") == true }
    #expect(key?.message == "expected string, found integer 215854")
  }

  @Test func reportsEachMissingMember() throws {
    let found = try Self.violations(
      { city in
        city["Key"] = nil
        city["Temperature"] = ["Metric": [:] as [String: Any]]
      }, feed: { $0["fetchedAt"] = nil })
    #expect(
      Self.summary(found) == [
        "required $.fetchedAt", "required $.topCityWeathers[0].Key",
        "required $.topCityWeathers[0].Temperature.Imperial",
        "required $.topCityWeathers[0].Temperature.Metric.Value",
        "required $.topCityWeathers[0].Temperature.Metric.Unit",
        "required $.topCityWeathers[0].Temperature.Metric.UnitType",
      ])
  }

  @Test func reportsMembersThatTheModelDoesNotHave() throws {
    let found = try Self.violations { $0["TimeZone"] = ["Code": "CET"] }
    #expect(Self.summary(found) == ["additionalProperties $.topCityWeathers[0].TimeZone"])
  }

  @Test(arguments: [(2009.0, true), (2009.5, false)])
  func anIntegralRealIsAnInteger(_ value: Double, _ fits: Bool) throws {
    #expect(try Self.violations { $0["WeatherIcon"] = value }.isEmpty == fits)
  }

  @Test func namesAnErrorPayloadWhereTheFeedBelongs() throws {
    let found = try Self.violations { _ in
    } feed: { root in
      root = ["Code": "Unauthorized", "Message": "Api Authorization failed"]
    }
    #expect(found.map(\.rule) == ["error-payload"])
    let text = found.first?.expectation?.found
    #expect(text?.contains("Unauthorized: Api Authorization failed") == true)
  }

  @Test func namesAnErrorPayloadWhereTheListBelongs() throws {
    let found = try Self.violations { _ in
    } feed: { root in
      root["topCityWeathers"] = ["Code": "ServiceUnavailable", "Message": "quota exceeded"]
    }
    #expect(found.map(\.rule) == ["error-payload"])
    #expect(found.first?.path?.description == "$.topCityWeathers")
  }

  @Test func anEnvelopeThatIsNotTheVersionsIsAViolation() throws {
    let graph = try readGraph(Data("{\"fetchedAt\":\"x\",\"topCityWeathers\":[]}".utf8))
    let catalog = try SchemaCatalog(folders: [])
    let family = catalog.family("WeatherFeed")
    let result = try Validation(catalog: catalog, family: family, version: family?.version("v2"))
      .run(graph)
    #expect(result.violations.map(\.rule) == ["x-archive"])
  }

  @Test func aKeyThatStandsTwiceIsAViolation() throws {
    // A binary property list may repeat a key: {"name": "a", "name": "b"} as Person's first name.
    var bytes = Array("bplist00".utf8)
    bytes += [0xD3, 1, 1, 2, 3, 4, 4]
    bytes += [0x59] + Array("firstName".utf8) + [0x58] + Array("lastName".utf8)
    bytes += [0x51, 0x61, 0x51, 0x62]
    bytes += [8, 15, 25, 34, 36]
    bytes += [0, 0, 0, 0, 0, 0, 1, 1]
    for number in [5, 0, 38] as [UInt8] { bytes += [0, 0, 0, 0, 0, 0, 0, number] }
    let graph = try readGraph(Data(bytes))
    let family = try #require(try SchemaCatalog(folders: []).family("Person"))
    let version = try #require(family.version("v2"))
    let found = try version.validate(graph.root, in: graph, family: family)
    #expect(found.map(\.rule) == ["uniqueKeys"])
    #expect(found.first?.path?.description == "$.firstName")
  }
}

@Suite struct CoercionTests {
  /// A movie object whose year is spelled in a way; the class decodes it with `decodeInteger(forKey:)`.
  private func result(year: String) throws -> ValidationOutcome {
    let text = """
      <plist><dict><key>$archiver</key><string>NSKeyedArchiver</string><key>$version</key>
      <integer>100000</integer><key>$top</key><dict><key>root</key><dict><key>CF$UID</key>
      <integer>1</integer></dict></dict><key>$objects</key><array><string>$null</string>
      <dict><key>$class</key><dict><key>CF$UID</key><integer>2</integer></dict>
      <key>name</key><dict><key>CF$UID</key><integer>3</integer></dict>
      <key>director</key><dict><key>CF$UID</key><integer>3</integer></dict>
      <key>releaseYear</key>YEAR</dict>
      <dict><key>$classname</key><string>App.MovieClass</string><key>$classes</key>
      <array><string>App.MovieClass</string><string>NSObject</string></array></dict>
      <string>Avatar</string><real>2009</real></array></dict></plist>
      """.replacingOccurrences(of: "YEAR", with: year)
    let catalog = try SchemaCatalog(folders: [])
    let family = catalog.family("Movie")
    return try Validation(catalog: catalog, family: family, version: family?.version("v0"))
      .run(try readGraph(Data(text.utf8)))
  }

  /// JSON Schema takes 2009.0 for an integer; NSKeyedUnarchiver does not.
  @Test(arguments: [
    ("<integer>2009</integer>", []),
    ("<real>2009</real>", ["NSInvalidUnarchiveOperationException"]),
    ("<integer>18446744073709551615</integer>", ["NSRangeException"]),
    ("<dict><key>CF$UID</key><integer>4</integer></dict>", []),
  ])
  func whatTheClassWouldRaiseIsAWarning(_ year: String, _ exceptions: [String]) throws {
    let result = try result(year: year)
    #expect(result.violations.isEmpty)
    #expect(result.warnings.map(\.rule) == exceptions.map { _ in "coercion" })
    for (warning, exception) in zip(result.warnings, exceptions) {
      #expect(warning.expectation?.expected.contains(exception) == true)
      #expect(warning.path?.description == "$.releaseYear")
      #expect(warning.offset != nil)
    }
  }
}

@Suite struct DeprecationTests {
  @Test func whatTheSchemaCallsDeprecatedIsAWarning() throws {
    let schema = """
      {"properties": {"old": {"deprecated": true}, "new": true},
      "anyOf": [{"properties": {"new": {"deprecated": true, "type": "string"}}}, true]}
      """
    let version = try SchemaVersion(
      family: "", name: "S", tree: JSONTree(json: Array(schema.utf8)), uri: "")
    let graph = try readGraph(Data("{\"old\": 1, \"new\": 2}".utf8))
    let found = try version.examine(graph.unwrapModel(), in: graph)
    let warnings = found.warnings
    #expect(found.violations.isEmpty)
    // A branch that is only tried says nothing.
    #expect(warnings.map(\.path?.description) == ["$.old"])
    #expect(warnings.map(\.rule) == [Diagnostic.deprecation])
  }
}
