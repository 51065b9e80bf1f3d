// Migrates archives with the layouts of published apps between the app's releases. After each step, the decoding code
// of the target release must find what it expects.

import Foundation
import TestSupport
import Testing

@Suite struct AppArchiveTests {
  private static let families = TestArchives.root.appendingPathComponent("Families").path
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  // MARK: Judging

  /// What an app's unarchiver or decoder makes of an archive.
  private func facts(_ model: String, _ path: String) throws -> NSObject {
    let arguments =
      switch model {
      case "BrowserTabs@v2": ["codable", "BrowserTabs"]
      case "Credentials@v2": ["credentials"]
      case "Credentials@v3": ["codable", "Credentials"]
      default: ["app", model]
      }
    let result = try Program.run("FoundationJudge", arguments + [path])
    try #require(result.status == 0, "\(model) \(path): \(result.errors)")
    return try #require(try TestArchives.json(result.output))
  }

  /// The objects of an archive, numbered in the order in which they come.
  private func objects(_ path: String) throws -> String {
    let text = try bench.run("dump", "--quiet", "--typed", path).text
    var numbers: [Substring: Int] = [:]
    return text.replacing(/("\$(?:id|ref)": )(\d+)/) { match in
      let number = numbers[match.2] ?? numbers.count
      numbers[match.2] = number
      return "\(match.1)\(number)"
    }
  }

  private func sample(_ name: String) -> String { Self.families + "/" + name }

  private func app(_ name: String) -> String {
    TestArchives.root.appendingPathComponent("Apps").appendingPathComponent(name).path
  }

  private func run(_ arguments: String...) throws {
    let result = try bench.run(arguments)
    try #require(result.status == 0, "\(arguments): \(result.errors)")
  }

  /// The data value under a key of user defaults, as a file of its own.
  private func value(_ key: String, of file: String, as name: String) throws -> String {
    let data = try Data(contentsOf: bench.url(file))
    let list = try PropertyListSerialization.propertyList(from: data, format: nil)
    let value = try #require((list as? [String: Any])?[key] as? Data)
    try bench.write(value, to: name)
    return bench.url(name).path
  }

  // MARK: From version to version

  /// A sample of a family, which is there in both versions as the apps of both wrote it.
  struct Pair: CustomTestStringConvertible {
    let family: String
    let sample: String
    /// What the migration is refused for unless losses are kept.
    var loss: String?
    /// Whether what comes back has the same objects, and not only the same values.
    var keepsObjects = true

    var testDescription: String { "\(family)/\(sample)" }
  }

  static let pairs = [
    // A class and a key renamed, a member added; numbers stay in place.
    Pair(family: "Outcomes", sample: "list"),
    // Three releases of a browser, to Codable. A property list has no nil, and shares nothing.
    Pair(
      family: "BrowserTabs", sample: "era-1", loss: "the absence of $[0].isPrivate",
      keepsObjects: false),
    Pair(
      family: "BrowserTabs", sample: "era-2", loss: "the absence of $[0].hasHomeScreenshot",
      keepsObjects: false),
    Pair(family: "BrowserTabs", sample: "era-3", keepsObjects: false),
    // Numbers that were objects stand in place.
    Pair(family: "TransitTrip", sample: "trip"),
    // Two lists in an object become a dictionary of it.
    Pair(
      family: "ServiceDiscovery", sample: "document",
      loss: "the order of $.discoveryDocument['NS.keys']"),
    // A member that is computed, and two with defaults.
    Pair(family: "StoredUser", sample: "known"),
    Pair(family: "StoredUser", sample: "early", loss: "the absence of $.APIKey"),
    Pair(family: "StoredUser", sample: "guest", loss: "the absence of $.APIKey"),
    // Another class, another key, and a date of a text.
    Pair(family: "ContactRow", sample: "ada"),
  ]

  @Test(arguments: pairs)
  func theNextReleaseReadsItAndTheLastOneAgain(_ pair: Pair) throws {
    let old = sample("\(pair.family)/samples/v1/\(pair.sample)")
    let new = sample("\(pair.family)/samples/v2/\(pair.sample)")
    let migrate = ["migrate", "--schemas", Self.families, "--schema", pair.family]
    if let loss = pair.loss {
      let refused = try bench.run(migrate + ["--to", "v2", old, "-o", "new"])
      #expect(refused.status == 1)
      #expect(refused.errors.contains("would lose \(loss)"), "\(refused.errors)")
    }
    let options = pair.loss == nil ? [] : ["--keep-lost"]
    let there = try bench.run(migrate + ["--to", "v2", old, "-o", "new"] + options)
    try #require(there.status == 0, "\(there.errors)")
    let path = bench.url("new").path
    #expect(try facts("\(pair.family)@v2", path) == facts("\(pair.family)@v2", new))
    let back = try bench.run(migrate + ["--to", "v1", "new", "-o", "back"])
    try #require(back.status == 0, "\(back.errors)")
    let returned = bench.url("back").path
    #expect(try facts("\(pair.family)@v1", returned) == facts("\(pair.family)@v1", old))
    if pair.keepsObjects {
      #expect(try objects(path) == objects(new))
      #expect(try objects(returned) == objects(old))
    }
  }

  /// A release that keeps JSON, then one that keeps Codable, read what the first one archived, which reads theirs.
  @Test(arguments: ["full", "short"])
  func credentialsBecomeJSONAndCodableAndObjectsAgain(_ name: String) throws {
    func native(_ version: String) -> String { sample("Credentials/samples/\(version)/\(name)") }
    let versions = ["v1", "v2", "v3"]
    for from in versions {
      for to in versions where to != from {
        try run(
          "migrate", "--schemas", Self.families, "--schema", "Credentials", "--to", to,
          native(from), "-o", "\(from)-\(to)")
        #expect(
          try facts("Credentials@\(to)", bench.url("\(from)-\(to)").path)
            == facts("Credentials@\(to)", native(to)), "\(from) to \(to)")
      }
    }
  }

  @Test(arguments: Set(pairs.map(\.family)).sorted() + ["AnalyticsDefaults", "Credentials"])
  func lensesHold(_ family: String) throws {
    let check = try bench.run("schema", "check", "--tries", "200", sample(family))
    #expect(check.status == 0, "\(check.errors)")
  }

  // MARK: Names

  @Test func aSessionWithAllThatItSharesGetsItsNewClass() throws {
    let old = app("session-v1")
    try run("rename-class", "-c", "GTMAppAuthFetcherAuthorization=GTMAuthSession", old, "-o", "new")
    let path = bench.url("new").path
    #expect(try facts("SignIn@v2", path) == facts("SignIn@v1", old))
    #expect(try facts("SignIn@v2", path) == facts("SignIn@v2", app("session-v2")))
    #expect(try objects(path) == objects(app("session-v2")))
    try run(
      "rename-class", "-c", "GTMAuthSession=GTMAppAuthFetcherAuthorization", path, "-o", "back")
    #expect(try objects("back") == objects(old))
  }

  @Test func objectsOfTwoReleasesGetOneModuleAndOneKey() throws {
    let rules = [
      "-c", "zmessaging.*=CallEngine.*", "--rename-key", "*.Session.iniatorID=initiatorID",
    ]
    let result = try bench.run(["rename-class"] + rules + [app("calls-v1"), "-o", "new"])
    try #require(result.status == 0, "\(result.errors)")
    let path = bench.url("new").path
    #expect(try facts("Calls@v2", path) == facts("Calls@v2", app("calls-v2")))
    #expect(try objects(path) == objects(app("calls-v2")))
    // A file that has both becomes neither.
    let both = ["rename-class", "--rename-key", "*.Session.sessionID=initiatorID", path, "-o", "x"]
    #expect(try bench.run(both).status == 1)
  }

  // MARK: User defaults

  @Test func archivesThatThreeTargetsWroteGetOneClass() throws {
    try bench.copy("Apps/clocks-v1", to: "defaults")
    try run(
      "rename-class", "-c", "*TimezoneData=CoreModelKit.TimezoneData", "defaults", "-o", "new")
    func clocks(_ file: String) throws -> [Data] {
      let data = try Data(contentsOf: bench.url(file))
      let list = try PropertyListSerialization.propertyList(from: data, format: nil)
      return try #require((list as? [String: Any])?["defaultPreferences"] as? [Data])
    }
    try bench.copy("Apps/clocks-v2", to: "native")
    let (made, expected) = (try clocks("new"), try clocks("native"))
    try #require(made.count == 3)
    for (made, expected) in zip(made, expected) {
      try bench.write(made, to: "made")
      try bench.write(expected, to: "expected")
      #expect(
        try facts("Clocks@v2", bench.url("made").path)
          == facts("Clocks@v2", bench.url("expected").path))
      #expect(try objects("made") == objects("expected"))
    }
  }

  @Test func aPrefixOfClassesInsideOfUserDefaultsIsChangedOnceOnly() throws {
    let old = sample("AnalyticsDefaults/samples/v1/history")
    let prefix = ["-c", "MS*=MSAC*", "--unless", "MSAC*"]
    let migrate = ["migrate", "--schemas", Self.families]
    let there = try bench.run(migrate + ["--to", "v2", old, "-o", "new"] + prefix)
    try #require(there.status == 0, "\(there.errors)")
    let native = sample("AnalyticsDefaults/samples/v2/history")
    try bench.write(Data(contentsOf: URL(fileURLWithPath: native)), to: "native")
    for (key, model) in [
      ("MSAppCenterPastDevices", "Devices@v2"), ("MSAppCenterSessionIdHistory", "Sessions@v2"),
    ] {
      let made = try value(key, of: "new", as: "made")
      let expected = try value(key, of: "native", as: "expected")
      #expect(try facts(model, made) == facts(model, expected))
      #expect(try objects(made) == objects(expected))
    }
    // A second run, and a file of the new release, stay as they are.
    try run("rename-class", "-c", "MS*=MSAC*", "--unless", "MSAC*", "new", "-o", "again")
    #expect(try Data(contentsOf: bench.url("again")) == Data(contentsOf: bench.url("new")))
    let back = try bench.run(migrate + ["--to", "v1", "new", "-o", "back", "-c", "MSAC*=MS*"])
    try #require(back.status == 0, "\(back.errors)")
    try bench.write(Data(contentsOf: URL(fileURLWithPath: old)), to: "old")
    let returned = try value("pastDevicesKey", of: "back", as: "returned")
    let original = try value("pastDevicesKey", of: "old", as: "original")
    #expect(try facts("Devices@v1", returned) == facts("Devices@v1", original))
    #expect(try objects(returned) == objects(original))
  }

  @Test func aListOfObjectsInUserDefaultsIsMigratedWhereItLies() throws {
    let key = "CACHED_ATTRIBUTED_UNIQUE_OUTCOME"
    try bench.copy("Apps/outcome-defaults-v1", to: "defaults")
    try run(
      "migrate", "--schemas", Self.families, "--at", "$.\(key)", "--to", "v2", "defaults", "-o",
      "new")
    let made = try value(key, of: "new", as: "made")
    #expect(
      try facts("Outcomes@v2", made) == facts("Outcomes@v2", sample("Outcomes/samples/v2/list")))
    // Nothing of the old archive stays in the file.
    let bytes = try Data(contentsOf: bench.url("new"))
    #expect(bytes.range(of: Data("OSUniqueOutcomeNotification".utf8)) == nil)
    try run(
      "migrate", "--schemas", Self.families, "--at", "$.\(key)", "--to", "v1", "new", "-o", "back")
    let returned = try value(key, of: "back", as: "returned")
    #expect(
      try facts("Outcomes@v1", returned) == facts("Outcomes@v1", sample("Outcomes/samples/v1/list"))
    )
  }

  @Test(.enabled(if: Program.find("jq") != nil, "jq is not installed"))
  func typedstreamsInUserDefaultsBecomeOneKeyedArchive() throws {
    try bench.copy("Apps/downloads-v1", to: "defaults")
    try run(
      "convert", "--at", "$.DownloadsList[*]", "--to", "keyed-archive", "--keys",
      "DownloadItem=state,size,filename", "defaults", "-o", "keyed")
    #expect(
      try Data(contentsOf: bench.url("keyed")).range(of: Data("streamtyped".utf8)) == nil)
    let each = try bench.run("dump", "--typed", "--at", "$.DownloadsList[*]", "keyed")
    let jq = try #require(Program.find("jq"))
    let list = try Program.run(at: jq, ["-s", "."], input: each.output)
    try bench.write(list.output, to: "list.json")
    try run("convert", "--to", "keyed-archive", "list.json", "-o", "list")
    let archive = try Data(contentsOf: bench.url("list")).base64EncodedString()
    let defaults = try bench.run("dump", "--typed", "keyed")
    let moved = try Program.run(
      at: jq,
      [
        "--arg", "archive", archive,
        #"del(.DownloadsList) + {DownloadItemList: {"$data": $archive}}"#,
      ],
      input: defaults.output)
    try bench.write(moved.output, to: "new.json")
    try run("convert", "--to", "binary1", "new.json", "-o", "new")
    try bench.copy("Apps/downloads-v2", to: "native")
    let made = try value("DownloadItemList", of: "new", as: "made")
    let expected = try value("DownloadItemList", of: "native", as: "expected")
    #expect(try facts("Downloads@v2", made) == facts("Downloads@v2", expected))
    #expect(try objects(made) == objects(expected))
  }

  // MARK: Parts, names, rows

  @Test func aFileOfEverythingIsTakenApartAndPutTogether() throws {
    let parts = ["superProperties", "timedEvents", "distinctId"]
    for part in parts { try run("extract", "$.\(part)", app("properties"), "-o", part) }
    func dictionary(_ name: String) throws -> String {
      try Program.run("FoundationJudge", ["dictionary", bench.url(name).path]).text
    }
    #expect(try dictionary("timedEvents") == "{\"upload\":1591273800.25}\n")
    #expect(try dictionary("distinctId") == "\"D-1\"\n")
    #expect(try bench.run("dump", "superProperties").text.contains("2020-06-04T12:30:00Z"))
    var old = app("properties")
    for part in parts {
      try run("set", old, "$.\(part)", "--from", part, "-o", "with-\(part)")
      old = bench.url("with-\(part)").path
    }
    #expect(try objects(old) == objects(app("properties")))
  }

  @Test(arguments: ["user-of-two-modules", "user-of-swift"])
  func severalNamesOfOneClassBecomeOne(_ name: String) throws {
    let result = try bench.run(
      "migrate", "--schemas", Self.families, "--schema", "StoredUser", "--to", "v2",
      app(name), "-o", "new", "-c", "*UserInfoImpl=FIRUserInfoImpl")
    try #require(result.status == 0, "\(result.errors)")
    let native = sample("StoredUser/samples/v2/known")
    #expect(
      try facts("StoredUser@v2", bench.url("new").path) == facts("StoredUser@v2", native))
    #expect(try objects("new") == objects(native))
    // Without the rule it is no user that the next release reads.
    let refused = try bench.run(
      "migrate", "--schemas", Self.families, "--schema", "StoredUser", "--to", "v2", app(name),
      "-o", "other")
    #expect(refused.status == 1)
  }

  @Test func nothingIsLeftOfAClassThatIsGone() throws {
    try run("rename-class", "--drop-class", "MXJingleCall", "--prune", app("room"), "-o", "new")
    let expected: NSDictionary = [
      "rooms": [["class": "RoomSummary", "name": "Lobby", "unread": 2]]
    ]
    #expect(try facts("Rooms@v2", bench.url("new").path) == expected)
    let bytes = try Data(contentsOf: bench.url("new"))
    for text in ["syt_secret", "turn.example.com", "MXJingleCall"] {
      #expect(bytes.range(of: Data(text.utf8)) == nil)
    }
  }

  @Test func theRowsOfADatabaseAreMigratedAsRecords() throws {
    func migrated(_ line: String, to version: String) throws -> (text: String, data: Data) {
      let result = try bench.run(
        ["migrate", "--schemas", Self.families, "--to", version, "--records"],
        input: Data((line + "\n").utf8))
      try #require(result.status == 0, "\(result.errors)")
      let answer = try JSONSerialization.jsonObject(with: result.output) as? [String: Any]
      let data = try #require((answer?["data"] as? String).flatMap { Data(base64Encoded: $0) })
      #expect(answer?["outcome"] as? String == "changed")
      #expect(answer?["key"] as? String == "contacts/ada")
      return (result.text, data)
    }
    let old = try Data(contentsOf: URL(fileURLWithPath: sample("ContactRow/samples/v1/ada")))
    let there = try migrated(
      #"{"id": 1, "key": "contacts/ada", "data": "\#(old.base64EncodedString())"}"#, to: "v2")
    try bench.write(there.data, to: "new")
    let native = sample("ContactRow/samples/v2/ada")
    #expect(
      try facts("ContactRow@v2", bench.url("new").path) == facts("ContactRow@v2", native))
    #expect(try objects("new") == objects(native))
    let back = try migrated(
      #"{"id": 1, "key": "contacts/ada", "data": "\#(there.data.base64EncodedString())"}"#,
      to: "v1")
    try bench.write(back.data, to: "back")
    #expect(try objects("back") == objects(sample("ContactRow/samples/v1/ada")))
  }
}
