// Messages of runs: each command uses its own verb, each journal describes its state.

import Foundation
import TestSupport
import Testing

@Suite struct RunWordsTests {
  private static let rename = ["rename-class", "--set-archiver", "X"]

  /// A folder with two archives.
  private static func bench() throws -> Workbench {
    let bench = try Workbench()
    for name in ["one", "two"] { try bench.copy("Movie/v1", to: "Data/\(name)") }
    return bench
  }

  /// A file that is replaced is named once, and files that need nothing are called what they are.
  @Test(arguments: [
    (["migrate", "--to", "v2"], "Data/one: migrated Movie@v1 to v2, ", "2 already current"),
    (["convert", "--to", "xml1"], "Data/one: converted to xml1, ", "2 already current"),
    (rename, "Data/one: rewrote ", "2 without a match"),
  ])
  func areThoseOfTheCommand(_ command: [String], _ start: String, _ end: String) throws {
    let bench = try Self.bench()
    let words = command + ["--in-place", "-r", "Data"]
    let first = try bench.run(words).errors
    let line = try #require(first.split(separator: "\n").first { $0.hasPrefix(start) }, "\(first)")
    #expect(line.components(separatedBy: "Data/one").count == 2, "\(line)")
    let second = try bench.run(words).errors
    #expect(second.contains("2 files: \(end)"), "\(second)")
    if command[0] != "migrate" { #expect(!(first + second).contains("migrated")) }
  }

  /// The name of a journal that is there is refused with what can be done about it.
  @Test func aJournalThatExistsIsCalledWhatItIs() throws {
    let bench = try Self.bench()
    try bench.copy("Broken/truncated", to: "Data/broken")
    let words = ["migrate", "--to", "v2", "--in-place", "--journal", "run", "-r", "Data"]
    let refused = { (part: String) throws in
      let before = try Data(contentsOf: bench.url("run"))
      let result = try bench.run(words)
      #expect(result.status == 73)
      #expect(result.errors.hasPrefix("\(bench.url("run").path): error: "), "\(result.errors)")
      #expect(result.errors.contains(part), "\(result.errors)")
      #expect(part.contains("--resume") || !result.errors.contains("--resume"), "\(result.errors)")
      #expect(try Data(contentsOf: bench.url("run")) == before)
    }
    #expect(try bench.run(words).status == 65)
    try refused("continue its run with --resume")
    try bench.copy("Movie/v1", to: "Data/broken")
    #expect(try bench.run("migrate", "--resume", "run").status == 0)
    try refused("a finished run; name a new one")
    #expect(try bench.run("undo", "run").status == 0)
    try refused("a run that was undone; to run again, name a new one or delete it")
    let resumed = try bench.run("migrate", "--resume", "run")
    #expect(resumed.status == 73)
    #expect(resumed.errors.contains("to run again, use another journal"))
    try bench.write("mine", to: "run")
    try refused("a file of that name exists; name a new one")
  }

  /// A class for objects that the target does not have is refused, or warned of where only the files show it.
  @Test func aClassWithoutUseIsReported() throws {
    let bench = try Self.bench()
    let words = ["migrate", "--to", "v2", "--class", "App.Film", "-n", "-r", "Data"]
    for (options, name) in [([], "no v2 has"), (["--schema", "Movie"], "Movie@v2 has not")] {
      let result = try bench.run(words + options)
      #expect(result.status == 64)
      let message = "'--class' is for objects of an application's class, which \(name)"
      #expect(result.errors.contains(message), "\(result.errors)")
    }
    try bench.write(#"{"family": "Other", "versions": ["v2"]}"#, to: "Other/family.json")
    try bench.write(
      """
      {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "urn:other",
       "x-archive": {"envelope": "nscoding", "classes": ["Other"]}, "type": "object"}
      """, to: "Other/v2.schema.json")
    let result = try bench.run(words + ["--schemas", "Other"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.errors.contains("warning: the class App.Film was not used: Movie@v2 has no objects"),
      "\(result.errors)")
  }

  /// Dates and data from the JSON that `dump` prints, plain and typed, read back by Foundation.
  @Test(arguments: [[], ["--typed"]])
  func createTakesBackWhatDumpPrints(_ options: [String]) throws {
    let bench = try Workbench(["D/family.json": #"{"family": "D", "versions": ["v1"]}"#])
    try bench.write(
      """
      {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "urn:d",
       "x-archive": {"envelope": "codable"}, "type": "object", "required": ["when", "what"],
       "properties": {"when": {"type": "string", "x-plist-type": "date"},
        "what": {"type": "string", "x-plist-type": "data"}}}
      """, to: "D/v1.schema.json")
    let model: NSDictionary = [
      "when": Date(timeIntervalSince1970: 1_577_836_800), "what": Data([0, 1, 255]),
    ]
    try bench.write(
      try PropertyListSerialization.data(fromPropertyList: model, format: .xml, options: 0),
      to: "model")
    let shown = try bench.run(["dump", "--format", "json", "model"] + options)
    let words = ["create", "--schemas", "D", "--schema", "D@v1", "-o", "made", "-"]
    let made = try bench.run(words, input: shown.output)
    #expect(made.status == 0, "\(made.errors)")
    let archive = try Data(contentsOf: bench.url("made"))
    let data = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: NSData.self, from: archive) as Data?)
    let found = try PropertyListSerialization.propertyList(from: data, format: nil)
    #expect(found as? NSDictionary == model)
  }

  /// Where no file system records what a backup is, its run knows it by the journal, and takes no file of the user's for
  /// one.
  @Test func aRunThatGoesOnKnowsItsBackups() throws {
    let bench = try Self.bench()
    try bench.copy("Broken/truncated", to: "Data/broken")
    let words = [
      "migrate", "--to", "v2", "--in-place", "--backup", ".bak", "--journal", "run", "-r", "Data",
    ]
    #expect(try bench.run(words).status == 65)
    for name in ["one.bak", "two.bak"] {
      // As a copy to another file system leaves it.
      let file = bench.url("Data/" + name)
      let bytes = try Data(contentsOf: file)
      try FileManager.default.removeItem(at: file)
      try bytes.write(to: file)
    }
    for name in ["broken", "mine.bak"] { try bench.copy("Movie/v1", to: "Data/" + name) }
    let resumed = try bench.run("migrate", "--resume", "run")
    #expect(resumed.status == 0, "\(resumed.errors)")
    let old = try Workbench.archive("Movie/v1")
    for name in ["one.bak", "two.bak", "broken.bak", "mine.bak.bak"] {
      #expect(try Data(contentsOf: bench.url("Data/" + name)) == old, "\(name)")
    }
    for name in ["one.bak.bak", "two.bak.bak"] {
      #expect(!FileManager.default.fileExists(atPath: bench.url("Data/" + name).path), "\(name)")
    }
    #expect(try Data(contentsOf: bench.url("Data/mine.bak")) != old)
  }
}
