// `archtool schema derive`: the same model in another envelope, and the way there and back.

import Foundation
import TestSupport
import Testing

@Suite struct SchemaDeriveTests {
  /// A version of TestArchives in a new envelope.
  struct Derivation: CustomTestStringConvertible {
    let family: String
    let version: String
    let envelope: String

    var testDescription: String { "\(family)@\(version) as \(envelope)" }
  }

  private static let families = TestArchives.root.appendingPathComponent("Families")

  /// Every version of every family in every envelope.
  static let all: [Derivation] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: families.path)) ?? []
    return names.sorted().flatMap { family -> [Derivation] in
      let folder = families.appendingPathComponent(family).path
      let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return files.filter { $0.hasSuffix(".schema.json") }.sorted().flatMap { file in
        ["codable", "json", "dictionariable", "nscoding", "plist"].map {
          Derivation(
            family: family, version: String(file.prefix { $0 != "." }), envelope: $0)
        }
      }
    }
  }()

  /// What cannot be derived, with the path where that shows; the others can.
  static let refused: [String: String] = {
    var refused: [String: String] = [:]
    for envelope in ["codable", "json", "dictionariable", "plist"] {
      refused["ServiceDiscovery@v1 as \(envelope)"] = "$.discoveryDocument['NS.keys']"
      refused["ServiceDiscovery@v2 as \(envelope)"] = "$.discoveryDocument.discoveryDictionary"
      // Its class depends on a member, by a condition.
      refused["Calls@v1 as \(envelope)"] = "any value is allowed there"
      refused["StoredUser@v1 as \(envelope)"] = "$.providerData.*"
      refused["StoredUser@v2 as \(envelope)"] = "$.providerData.*"
    }
    for envelope in ["codable", "dictionariable", "nscoding", "plist"] {
      refused["Bookmarks@v3 as \(envelope)"] = "$.links[*]"
    }
    return refused
  }()

  private static func bench(_ family: String) throws -> Workbench {
    let bench = try Workbench()
    // Archives of the other are in it.
    for name in [family] + (family == "OutcomeDefaults" ? ["Outcomes"] : []) {
      try FileManager.default.copyItem(
        at: families.appendingPathComponent(name), to: bench.url(name))
    }
    return bench
  }

  /// Names for what no other envelope tells; the tests' families have no other objects.
  private static func structure(_ derivation: Derivation) -> [String] {
    guard derivation.envelope == "nscoding" else { return [] }
    let paths = [
      "$.root", "$.root.kids[*]", "$.links[*]", "$.links.*", "$.authors[*]", "$.dates",
      "$.stops[*]", "$.stops[*].place", "$.Stops[*]", "$.Stops[*].place",
      "$.ingredients[*]", "$.owner", "$.books[*]",
      "$.sessionData", "$.library",
    ]
    return ["--class", "App.Model", "--storage", "inline"]
      + paths.flatMap { ["--class-of", "\($0)=App.Part"] }
  }

  /// What no example has is in no other envelope, which is said; the lens brings nil back.
  @Test(arguments: ["codable", "json", "dictionariable", "plist"])
  func leavesOutWhatIsAlwaysNil(_ envelope: String) throws {
    let bench = try Workbench([
      "m.json": #"""
      {"$archive": {"archiver": "NSKeyedArchiver", "root": {"$object": {"class": "App.M",
        "classes": ["App.M", "NSObject"], "fields": {"name": "n", "gone": null}}}}}
      """#
    ])
    #expect(try bench.run(["convert", "--to", "binary1", "m.json", "-o", "m"]).status == 0)
    #expect(
      try bench.run(["schema", "infer", "--family", "M", "--version", "v1", "m"]).status == 0)
    let derived = try bench.run([
      "schema", "derive", "--schemas", ".", "M@v1", "--version", "v2", "--envelope", envelope,
    ])
    #expect(
      derived.status == 0 && derived.text.contains("$.gone  always nil  absent"), "\(derived)")
    for words in [["--to", "v2", "m", "-o", "n"], ["--to", "v1", "n", "-o", "back"]] {
      #expect(try bench.run(["migrate", "--schemas", "."] + words).status == 0)
    }
    #expect(try bench.run(["diff", "--strict", "m", "back"]).status == 0)
  }

  @Test(arguments: all)
  func leadsThereAndBack(_ derivation: Derivation) throws {
    let bench = try Self.bench(derivation.family)
    let label = "\(derivation.family)@\(derivation.version)"
    let result = try bench.run(
      [
        "schema", "derive", "--schemas", ".", label, "--version", "v9", "--envelope",
        derivation.envelope, "--tries", "60",
      ] + Self.structure(derivation))
    if let path = Self.refused[derivation.testDescription] {
      #expect(result.status != 0)
      return #expect(result.errors.contains(path), "\(result.errors)")
    }
    guard result.status == 0 else {
      Issue.record("\(derivation): \(result.errors)")
      return
    }
    let samples = bench.url("\(derivation.family)/samples/\(derivation.version)")
    let names = try? FileManager.default.contentsOfDirectory(atPath: samples.path)
    for name in names ?? [] where name != "invalid" {
      let sample = samples.appendingPathComponent(name).path
      for (from, to, input) in [
        (derivation.version, "v9", sample), ("v9", derivation.version, "new"),
      ] {
        let migrated = try bench.run(
          "migrate", "--schemas", ".", "--schema", derivation.family, "--from", from, "--to", to,
          "--allow-loss=sharing", "--allow-loss=absence", "--force", "-o",
          to == "v9" ? "new" : "back", input)
        #expect(migrated.status == 0, "\(derivation) \(name): \(migrated.errors)")
      }
      let (before, after) = (try Self.values(sample, bench), try Self.values("back", bench))
      #expect(before == after, "\(derivation) \(name)")
    }
  }

  /// The values of an archive; a decoder treats a member that is nil and one that is absent alike.
  private static func values(_ path: String, _ bench: Workbench) throws -> NSObject? {
    let dump = try bench.run("dump", "--format", "json", path)
    let whole = try JSONSerialization.jsonObject(with: dump.output, options: [.fragmentsAllowed])
    return withoutNull(whole) as? NSObject
  }

  private static func withoutNull(_ value: Any) -> Any {
    if let list = value as? [Any] { return list.map(withoutNull) }
    guard let members = value as? [String: Any] else { return value }
    return members.filter { !($0.value is NSNull) }.mapValues(withoutNull)
  }

  @Test func saysWhatChanges() throws {
    let bench = try Self.bench("BrowserTabs")
    let result = try bench.run(
      "schema", "derive", "--schemas", ".", "BrowserTabs@v1", "--version", "v3", "--envelope",
      "codable")
    #expect(result.status == 0, "\(result.errors)")
    let rows = String(decoding: result.output, as: UTF8.self).split(separator: "\n").map(
      String.init)
    #expect(rows.first?.hasPrefix("  PATH") == true)
    #expect(rows.contains { $0.hasPrefix("  $.url ") })
    #expect(rows.contains { $0.contains("NSURL") && $0.contains("{\"relative\": text}") })
  }

  /// The first class of an inferred schema is one that new objects can have.
  @Test func examplesOfTwoModulesLeadThereAndBack() throws {
    let bench = try Workbench()
    let movies = ["v0-mirror-class", "v0-playground"].map {
      TestArchives.root.appendingPathComponent("Movie/\($0)").path
    }
    try bench.run(
      ["schema", "infer", "--family", "Film", "--version", "v1", "--output-dir", "."] + movies)
    let result = try bench.run(
      "schema", "derive", "--schemas", ".", "Film@v1", "--version", "v2", "--envelope", "codable",
      "--tries", "60")
    #expect(result.status == 0, "\(result.errors)")
    for name in movies {
      try bench.run(
        "migrate", "--schemas", ".", "--schema", "Film", "--to", "v2", "-f", "-o", "new", name)
      let back = try bench.run(
        "migrate", "--schemas", ".", "--schema", "Film", "--to", "v1", "-f", "-o", "back", "new")
      #expect(back.status == 0, "\(back.errors)")
      #expect(try bench.run("dump", "back").text.hasPrefix("$: Demo.MovieClass"))
    }
  }

  @Test func takesClassesAndStorageFromAnExample() throws {
    let bench = try Self.bench("Shelf")
    // The second sample has as much as it can.
    try bench.run("schema", "sample", "--schemas", ".", "Shelf@v3", "--output-dir", "examples")
    let result = try bench.run(
      "schema", "derive", "--schemas", ".", "Shelf@v4", "--version", "v5", "--envelope",
      "nscoding", "--tries", "100", "--like", "examples/002.plist")
    #expect(result.status == 0, "\(result.errors)")
    let schema = try String(contentsOf: bench.url("Shelf/v5.schema.json"), encoding: .utf8)
    for word in ["Shelf.Library", "Shelf.Member", "Shelf.Book", "\"inline\"", "\"boxed\""] {
      #expect(schema.contains(word), "\(word)")
    }
  }
}
