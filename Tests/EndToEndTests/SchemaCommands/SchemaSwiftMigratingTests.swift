// `archtool schema swift --migrating`: the code is compiled, and does with every archive what `archtool migrate` does.

import FileTransactions
import Foundation
import TestSupport
import Testing

@Suite struct SchemaSwiftMigratingTests {
  /// A family whose archives are compared.
  struct Family {
    let name: String
    let newest: String
    let archives: [URL]
    /// The folder of the family's folder.
    let schemas: String
  }

  /// The families that the command refuses: conversions of structures and colors, and typedstreams.
  static let withoutCode = MigrationCaseTests.lossy + MigrationCaseTests.oneWay

  private static let families = TestArchives.root.appendingPathComponent("Families")

  private static func archives(in folder: URL) throws -> [URL] {
    let manager = FileManager.default
    return try manager.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { $0.hasPrefix("v") }.flatMap { name -> [URL] in
        let url = folder.appendingPathComponent(name)
        var isFolder: ObjCBool = false
        _ = manager.fileExists(atPath: url.path, isDirectory: &isFolder)
        guard isFolder.boolValue else { return [url] }
        return try manager.contentsOfDirectory(atPath: url.path).sorted()
          .filter { $0 != "invalid" }.map { url.appendingPathComponent($0) }
      }
  }

  /// The versions of families, oldest first.
  private static func versions(of folder: URL) throws -> [String] {
    let data = try Data(contentsOf: folder.appendingPathComponent("family.json"))
    let family = try JSONSerialization.jsonObject(with: data) as? [String: Any]
    return family?["versions"] as? [String] ?? []
  }

  /// A value in which booleans are numbers.
  private static func numbers(_ value: Any) -> NSObject {
    switch value {
    case let members as [String: Any]: NSDictionary(dictionary: members.mapValues(numbers))
    case let items as [Any]: NSArray(array: items.map(numbers))
    case let number as NSNumber: NSNumber(value: number.doubleValue)
    default: value as? NSObject ?? NSNull()
    }
  }

  /// A model without what Foundation on Linux does not keep, and without the order of sets.
  private static func comparable(_ model: NSObject, _ family: Family) -> NSObject {
    switch family.name {
    // It archives 0 as false where a false came first.
    case "StoredUser": numbers(model)
    case "AccessGrants": sorted(model)
    case let name where name.hasSuffix("Defaults"): unlayered(model)
    default: model
    }
  }

  /// A value whose lists of texts are sorted; Swift takes texts for equal that differ in how letters are composed.
  private static func sorted(_ value: Any) -> NSObject {
    switch value {
    case let members as [String: Any]: NSDictionary(dictionary: members.mapValues(sorted))
    case let texts as [String]:
      NSArray(array: Set(texts.map(\.precomposedStringWithCanonicalMapping)).sorted())
    default: value as? NSObject ?? NSNull()
    }
  }

  /// A value in whose texts and data there is JSON or an archive, whose members have no order.
  private static func unlayered(_ value: Any) -> NSObject {
    switch value {
    case let members as [String: Any]: return NSDictionary(dictionary: members.mapValues(unlayered))
    case let items as [Any]: return NSArray(array: items.map(unlayered))
    case let text as String:
      let data = Data(base64Encoded: text) ?? Data(text.utf8)
      if let json = try? JSONSerialization.jsonObject(with: data) { return unlayered(json) }
      guard text.hasPrefix("YnBsaXN0"), let bench = try? Workbench(),
        (try? bench.write(data, to: "inner")) != nil, let model = try? bench.model("inner")
      else { return text as NSString }
      return unlayered(model)
    default: return value as? NSObject ?? NSNull()
    }
  }

  /// The archives of published apps that are no samples of a family.
  private static func apps(_ family: String, _ bench: Workbench) throws -> [URL] {
    let folder = TestArchives.root.appendingPathComponent("Apps")
    switch family {
    case "Calls", "SignIn", "OutcomeDefaults":
      let names = ["Calls": "calls", "SignIn": "session"]
      let name = names[family] ?? "outcome-defaults"
      return ["v1", "v2"].map { folder.appendingPathComponent("\(name)-\($0)") }
    case "Clock":
      return try ["clocks-v1", "clocks-v2"].flatMap { name -> [URL] in
        let data = try Data(contentsOf: folder.appendingPathComponent(name))
        let list = try PropertyListSerialization.propertyList(from: data, format: nil)
        let clocks = try #require((list as? [String: Any])?["defaultPreferences"] as? [Data])
        return try clocks.enumerated().map { index, clock in
          try bench.write(clock, to: "\(name)-\(index)")
          return bench.url("\(name)-\(index)")
        }
      }
    case "StoredUser":
      // They have other names of a class, by which neither knows it before it is renamed.
      return try ["user-of-two-modules", "user-of-swift"].flatMap { name -> [URL] in
        let user = folder.appendingPathComponent(name)
        let renamed = try bench.run(
          "rename-class", "-c", "*UserInfoImpl=FIRUserInfoImpl", user.path, "-o", name)
        try #require(renamed.status == 0, "\(renamed.errors)")
        return [user, bench.url(name)]
      }
    default: return []
    }
  }

  /// Every family, with its samples, and generated archives of each version.
  private static func all(_ bench: Workbench) throws -> [Family] {
    var all: [(name: String, versions: [String], archives: [URL], folder: URL)] = []
    for (name, versions) in [
      ("Actor", ["v1", "v2"]), ("Movie", ["v1", "v2"]), ("Person", ["v1", "v2"]),
      ("WeatherFeed", ["v1", "v2"]),
    ] {
      let folder = TestArchives.root.appendingPathComponent(name)
      all.append((name, versions, try archives(in: folder), families))
    }
    for root in [families, MigrationCaseTests.root] {
      for name in try FileManager.default.contentsOfDirectory(atPath: root.path).sorted()
      where !withoutCode.contains(name) {
        let folder = root.appendingPathComponent(name)
        let samples = folder.appendingPathComponent("samples")
        let hasSamples = FileManager.default.fileExists(atPath: samples.path)
        all.append(
          (
            name, try versions(of: folder), hasSamples ? try archives(in: samples) : [], root
          ))
      }
    }
    return try all.map { family in
      var archives = try family.archives + apps(family.name, bench)
      for version in family.versions {
        let folder = bench.url("\(family.name)/\(version)")
        let made = try bench.run(
          "schema", "sample", "-q", "--schemas", family.folder.path, "--number", "4",
          "--output-dir",
          folder.path, "\(family.name)@\(version)")
        guard made.status == 0 else { continue }
        archives += try Self.archives(in: folder.deletingLastPathComponent()).filter {
          $0.deletingLastPathComponent().lastPathComponent == version
        }
      }
      return Family(
        name: family.name, newest: family.versions.last ?? "v2", archives: archives,
        schemas: family.folder.path)
    }
  }

  /// Writes what the types load to a folder, a file for each archive.
  private static func program(of families: [Family], _ bench: Workbench) throws -> String {
    var main = """
      import Foundation
      let folder = URL(fileURLWithPath: CommandLine.arguments[1])
      func write(_ name: String, _ make: () throws -> Data) throws {
        do { try make().write(to: folder.appendingPathComponent(name)) } catch {
          try Data(error.localizedDescription.utf8)
            .write(to: folder.appendingPathComponent(name + ".error"))
        }
      }

      """
    for family in families {
      for (index, archive) in family.archives.enumerated() {
        main += "try write(\"\(family.name)-\(index)\") {\n"
        main += "  let data = try Data(contentsOf: URL(fileURLWithPath: \"\(archive.path)\"))\n"
        if try bench.isList(family, index) {
          main += "  return try \(family.name).archive(\(family.name).loadList(from: data))\n}\n"
        } else {
          main += "  return try \(family.name).load(from: data).archive()\n}\n"
        }
      }
    }
    return main
  }

  @Test(.enabled(if: SchemaSwiftTests.compiler != nil, "swiftc is not on the path"))
  func theCodeLoadsWhatMigrateWrites() throws {
    let bench = try Workbench()
    let families = try Self.all(bench)
    for folder in ["expected", "loaded"] { try bench.write("", to: folder + "/empty") }
    for family in families {
      let written = try bench.run(
        "schema", "swift", "--migrating", "--schemas", family.schemas, "-o",
        family.name + ".swift", family.name)
      try #require(written.status == 0, "\(written.errors)")
      for (index, archive) in family.archives.enumerated() {
        let migrated = try bench.run(
          "migrate", "--schema", family.name, "--to", family.newest, "--allow-loss", "--schemas",
          family.schemas, archive.path, "-o", bench.expected(family, index))
        if migrated.status == 0 { continue }
        // The newest version, and what is no model.
        try bench.write(
          Data(contentsOf: archive), to: bench.expected(family, index))
      }
    }
    try bench.write(Self.program(of: families, bench), to: "main.swift")
    let files = (families.map(\.name) + ["main"]).map { bench.url($0 + ".swift").path }
    let program = bench.url("program")
    let compiled = try Program.run(
      at: try #require(SchemaSwiftTests.compiler),
      ["-swift-version", "6", "-warnings-as-errors", "-Onone"] + files + ["-o", program.path])
    try #require(compiled.status == 0, "\(compiled.errors)")
    let run = try Program.run(at: program, [bench.url("loaded").path])
    try #require(run.status == 0, "\(run.errors)")
    var count = 0
    for family in families {
      for (index, archive) in family.archives.enumerated() {
        let loaded = "loaded/\(family.name)-\(index)"
        let expected = bench.expected(family, index)
        let name = "\(family.name) \(archive.lastPathComponent)"
        let isModel = try bench.fits(expected, family)
        #expect(
          FileManager.default.fileExists(atPath: bench.url(loaded).path) == isModel, "\(name)")
        guard isModel else { continue }
        count += 1
        let models = (try bench.model(loaded), try bench.model(expected))
        #expect(
          Self.comparable(models.0, family) == Self.comparable(models.1, family), "\(name)")
        #expect(try bench.fits(loaded, family), "\(name)")
      }
    }
    #expect(families.count == 38)
    #expect(count > 240)
  }

  @Test(.enabled(if: Program.find("swift") != nil, "swift is not on the path"))
  func theCodeIsFormatted() throws {
    let formatter = try #require(Program.find("swift"))
    let bench = try Workbench()
    let families = try Self.all(bench)
    for family in families {
      try bench.run(
        "schema", "swift", "--migrating", "--schemas", family.schemas, "-o",
        family.name + ".swift", family.name)
    }
    let names = families.map(\.name)
    let house = TestArchives.root.deletingLastPathComponent().appendingPathComponent(
      ".swift-format")
    for settings in [["--configuration", house.path], []] {
      let result = try Program.run(
        at: formatter,
        ["format", "lint", "--strict"] + settings + names.map { bench.url($0 + ".swift").path })
      #expect(result.status == 0, "\(result.errors)")
    }
  }

  /// What a schema and a lens name is in literals, and in comments of one line.
  @Test func namesAreNoCode() throws {
    let bench = try Workbench()
    let name = #"b\nlet injected = 1 //"#
    let files = [
      "family.json": #"{"family": "Shop", "versions": ["v1", "v2"]}"#,
      "v1.schema.json":
        #"{"type": "object", "x-archive": {"envelope": "plist"}, "properties": {"a": {"type": "string"}}}"#,
      "v2.schema.json":
        #"{"type": "object", "x-archive": {"envelope": "codable"}, "properties": {"a": {"type": "string"}, "NAME": {"type": "string"}}}"#,
      "v1-v2.lens.json":
        #"{"lens": [{"add": {"name": "NAME"}}, {"convert": {"name": "a", "values": [["$0", "x"], ["y", "z"]]}}]}"#,
    ]
    for (file, text) in files {
      let data = Data(text.replacingOccurrences(of: "NAME", with: name).utf8)
      try bench.write(data, to: "Schemas/Shop/" + file)
    }
    let made = try bench.run(["schema", "swift", "--schemas", "Schemas", "--migrating", "Shop"])
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.text.contains("let injected"))
    let lines = made.text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(!lines.contains { $0.hasPrefix("let injected") })
    #expect(made.text.contains(#""$0""#), "\(made.text)")
  }

  @Test(
    arguments: [
      ("Movie@v1", 64, "Movie@v2"),
      ("Nothing", 64, "unknown schema family"),
      ("MapPins", 65, "no Swift code for the operation /lens/0 of the lens v1-v2 (convert tint)"),
      (
        "PanelLayout", 65,
        "no Swift code for the operation /lens/1 of the lens v1-v2 (convert frame)"
      ),
      ("SubtitleColor", 65, "v1 is in typedstreams, which only NSUnarchiver reads"),
    ] as [(String, Int32, String)])
  func whatSwiftCannotDoIsSaid(_ operand: String, _ status: Int32, _ part: String) throws {
    let result = try Workbench().run(
      "schema", "swift", "--migrating", "--schemas", Self.families.path, "--schemas",
      MigrationCaseTests.root.path, operand)
    #expect(result.status == status)
    #expect(result.errors.contains(part), "\(result.errors)")
  }
}

extension Workbench {
  /// The name of what `archtool migrate` makes of an archive.
  fileprivate func expected(_ family: SchemaSwiftMigratingTests.Family, _ index: Int) -> String {
    "expected/\(family.name)-\(index)"
  }

  /// The model of an archive, as `archtool dump` shows it.
  fileprivate func model(_ name: String) throws -> NSObject {
    let result = try run("dump", "--format", "json", name)
    let model = try JSONSerialization.jsonObject(
      with: Data(result.output), options: .fragmentsAllowed)
    return try #require(model as? NSObject)
  }

  fileprivate func isList(
    _ family: SchemaSwiftMigratingTests.Family, _ index: Int
  ) throws -> Bool {
    let model = try model(expected(family, index))
    // The list of the tabs is under a key of its own.
    return model is NSArray || (model as? NSDictionary)?["tabs"] is NSArray
  }

  /// Whether an archive has the newest version.
  fileprivate func fits(
    _ name: String, _ family: SchemaSwiftMigratingTests.Family
  ) throws -> Bool {
    try run(
      "validate", "-q", "--schema", "\(family.name)@\(family.newest)", "--schemas",
      family.schemas, name
    ).status == 0
  }
}
