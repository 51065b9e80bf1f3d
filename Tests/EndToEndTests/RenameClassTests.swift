// `archtool rename-class` as a user types it.

import FileTransactions
import Foundation
import TestSupport
import Testing

@Suite struct RenameClassTests {
  private static let archive = "Movie/v0-mirror-class"
  private static let rule = ["-c", "Demo.MovieClass=New.Film"]

  @Test func aFileIsReplacedAndItsOldFormKept() throws {
    let bench = try Workbench()
    try bench.copy(Self.archive, to: "Movie")
    let old = try Workbench.archive(Self.archive)
    let result = try bench.run(
      ["rename-class"] + Self.rule + ["--in-place", "--backup", ".old", "Movie"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.isEmpty)
    #expect(result.errors.contains("Demo.MovieClass=New.Film (1 class record, 1 object)"))
    #expect(try Data(contentsOf: bench.url("Movie.old")) == old)
    let info = try bench.run(["info", "Movie"])
    #expect(info.text.contains("root class: New.Film"))
    let back = try bench.run(["rename-class", "-c", "New.Film=Demo.MovieClass", "Movie", "-o", "-"])
    #expect(back.output == old)
  }

  @Test func whatNoRuleMatchesIsLeftAlone() throws {
    let bench = try Workbench()
    try bench.copy(Self.archive, to: "Movie")
    let result = try bench.run(["rename-class", "-c", "A=B", "--in-place", "Movie"])
    #expect(result.status == 0)
    #expect(result.errors.contains("left alone"))
    #expect(try Data(contentsOf: bench.url("Movie")) == Workbench.archive(Self.archive))
  }

  @Test func dryRunChangesNothing() throws {
    let bench = try Workbench()
    try bench.copy(Self.archive, to: "Movie")
    let result = try bench.run(["rename-class"] + Self.rule + ["--dry-run", "--in-place", "Movie"])
    #expect(result.status == 0)
    #expect(result.text.contains("would rewrite"))
    #expect(try Data(contentsOf: bench.url("Movie")) == Workbench.archive(Self.archive))
  }

  @Test(arguments: [
    ["-n", "Movie"], ["-c", "A", "-n", "Movie"],
    ["-c", "=B", "-n", "Movie"],
    ["-c", "A*=B?", "-n", "Movie"], ["--unless", "A", "-n", "Movie"],
    ["--rename-key", "a=b", "-n", "Movie"],
  ])
  func aCommandLineThatMeansNothingIsRefused(_ arguments: [String]) throws {
    let bench = try Workbench()
    try bench.copy(Self.archive, to: "Movie")
    let result = try bench.run(["rename-class"] + arguments)
    #expect(result.status == 64, "\(result.errors)")
    #expect(result.errors.hasPrefix("archtool: error:"))
  }

  @Test(arguments: [
    (["--drop-class", "Demo.*"], "Movie/v0-mirror-class", 1),
    (["--rename-key", "Demo.MovieClass.name=director"], "Movie/v0-mirror-class", 1),
    (["--rename-key", "AppThing.a=b"], "TypedStreams/unknown-class", 65),
    (["-c", "A=B"], "Broken/truncated", 65),
  ])
  func whatCannotBeDoneLeavesTheFile(
    _ rules: [String], _ archive: String, _ status: Int32
  ) throws {
    let bench = try Workbench()
    try bench.copy(archive, to: "file")
    let result = try bench.run(["rename-class"] + rules + ["--in-place", "file"])
    #expect(result.status == status, "\(result.errors)")
    #expect(result.errors.contains("error:"))
    #expect(try Data(contentsOf: bench.url("file")) == Workbench.archive(archive))
  }

  @Test func aRuleThatMatchesItsResultIsWarnedOf() throws {
    let bench = try Workbench()
    try bench.copy(Self.archive, to: "Movie")
    let rule = ["rename-class", "-n", "-c", "Demo*=Demo2*", "Movie"]
    let result = try bench.run(rule)
    #expect(result.status == 0)
    #expect(result.errors.contains("warning: the rule 'Demo*=Demo2*' matches the names that it"))
    #expect(result.errors.contains("--unless 'Demo2*'"))
    #expect(try bench.run(rule + ["-q"]).errors.contains("--unless 'Demo2*'"))
    #expect(try bench.run(rule + ["--unless", "Demo2*"]).errors.isEmpty)
    let migration = try bench.run(["migrate", "--to", "v2", "-n", "-c", "Demo*=Demo2*", "Movie"])
    #expect(migration.errors.contains("--unless 'Demo2*'"))
  }

  /// A class that gets its superclass's name is not its own superclass.
  @Test(arguments: ["binary1", "xml1"])
  func aChainNamesAClassOnce(_ encoding: String) throws {
    let bench = try Workbench()
    let list = NSMutableArray(array: ["a", "b"])
    let archive = try NSKeyedArchiver.archivedData(
      withRootObject: ["l": list] as NSDictionary, requiringSecureCoding: false)
    try bench.write(archive, to: "made")
    try bench.run("convert", "--to", encoding, "made", "-o", "f")
    let result = try bench.run(
      ["rename-class", "-c", "NSMutableArray=NSArray", "f", "-o", "out"])
    try #require(result.status == 0, "\(result.errors)")
    let stored = try PropertyListSerialization.propertyList(
      from: Data(contentsOf: bench.url("out")), format: nil)
    let objects = try #require((stored as? [String: Any])?["$objects"] as? [Any])
    let chains = objects.compactMap { ($0 as? [String: Any])?["$classes"] as? [String] }
    #expect(chains.contains(["NSArray", "NSObject"]))
    #expect(!chains.contains(["NSArray", "NSArray", "NSObject"]))
    let read = try NSKeyedUnarchiver.unarchiveTopLevelObjectWithData(
      Data(contentsOf: bench.url("out")))
    #expect((read as? NSDictionary)?["l"] as? [String] == ["a", "b"])
  }

  @Test func aSecondRunDoesNothingWithAnExemption() throws {
    let bench = try Workbench()
    try bench.copy(Self.archive, to: "Movie")
    let rule = [
      "rename-class", "--in-place", "--no-journal", "-c", "Demo*=Demo2*", "--unless", "Demo2*",
      "Movie",
    ]
    #expect(try bench.run(rule).status == 0)
    let once = try Data(contentsOf: bench.url("Movie"))
    #expect(try bench.run(rule).errors.contains("left alone"))
    #expect(try Data(contentsOf: bench.url("Movie")) == once)
    #expect(try bench.run("info", "Movie").text.contains("root class: Demo2.MovieClass"))
  }

  @Test func rulesThatMatchNothingInAnyFileAreWarnedOf() throws {
    let bench = try Workbench()
    for name in ["f/a", "f/b"] { try bench.copy(Self.archive, to: name) }
    try bench.copy("Movie/v0-nested-class", to: "f/c")
    let rules = [
      "-c", "App.*=New.*", "-c", "Demo.MovieClass=Demo.MovieClass", "-c", "None=Some",
      "--drop-class", "Nothing", "--rename-key", "Demo.MovieClass.nothing=x",
    ]
    let warnings = [
      "--rename-class None=Some", "--drop-class Nothing",
      "--rename-key Demo.MovieClass.nothing=x",
    ]
    for output in [["-n"], ["--output-dir", "new"], ["--in-place", "-j", "2"]] {
      let result = try bench.run(["rename-class"] + rules + output + ["-r", "f"])
      #expect(result.status == 0, "\(result.errors)")
      let found = result.errors.split(separator: "\n").filter { $0.contains("matched nothing") }
      #expect(
        found == warnings.map { "archtool: warning: \($0) matched nothing in any input" })
    }
    let migration = try bench.run(["migrate", "--to", "v2", "-n", "-c", "None=Some", "f/a"])
    #expect(migration.errors.contains("--rename-class None=Some matched nothing"))
    let all = try bench.run(["rename-class", "-n", "-c", "New.*=Old.*", "-r", "f"])
    #expect(!all.errors.contains("matched nothing"))
  }

  /// An archive as an app writes it that encodes its objects under keys of its own.
  private static func archive(
    _ objects: KeyValuePairs<String, Any>, _ format: PropertyListSerialization.PropertyListFormat
  ) -> Data {
    let archiver = NSKeyedArchiver(requiringSecureCoding: false)
    archiver.outputFormat = format
    for (key, object) in objects { archiver.encode(object, forKey: key) }
    return archiver.encodedData
  }

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml])
  func topLevelKeysAreRenamed(_ format: PropertyListSerialization.PropertyListFormat) throws {
    let bench = try Workbench()
    // The same text as a value, and as a key further in.
    let archive = Self.archive(["tabs": ["tabs": ["tabs", 1]], "other": ["x"]], format)
    try bench.write(archive, to: "saved")
    let result = try bench.run(["rename-class", "--rename-top", "tabs=root", "--in-place", "saved"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("$top: tabs=root (1 archive)"))
    for (key, text) in [("root", #"{"tabs":["tabs",1]}"#), ("other", #"["x"]"#)] {
      let found = try Program.run("FoundationJudge", ["top", key, bench.url("saved").path])
      #expect(found.text == text + "\n", "\(found.errors)")
    }
    let gone = try Program.run("FoundationJudge", ["top", "tabs", bench.url("saved").path])
    // Foundation on Linux may end on a key that is not there.
    #expect(gone.status != 0)
    let back = try bench.run(["rename-class", "--rename-top", "root=tabs", "saved", "-o", "-"])
    if format == .binary { #expect(back.output == archive) }
    let swapped = try bench.run([
      "rename-class", "--rename-top", "root=other", "--rename-top", "other=root", "--in-place",
      "saved",
    ])
    #expect(swapped.status == 0)
    let root = try Program.run("FoundationJudge", ["dictionary", bench.url("saved").path])
    #expect(root.text == "[\"x\"]\n")
  }

  @Test func aTopLevelKeyThatIsThereIsNotOverwritten() throws {
    let bench = try Workbench()
    let archive = Self.archive(["tabs": [1], "other": [2]], .binary)
    try bench.write(archive, to: "saved")
    let result = try bench.run([
      "rename-class", "--rename-top", "tabs=other", "--in-place", "saved",
    ])
    #expect(result.status == 1)
    #expect(result.errors.contains("the key 'other' is there already"))
    #expect(result.errors.contains("(at $['$top'].other)"))
    #expect(try Data(contentsOf: bench.url("saved")) == archive)
  }

  @Test func whatWasDroppedStaysNowhereInAPrunedFile() throws {
    let bench = try Workbench()
    try bench.write(
      Self.archive(["root": ["a": ["token"], "u": UUID(), "b": ["kept"]]], .binary), to: "f")
    let rules = ["rename-class", "--drop-class", "NSUUID", "--in-place", "--no-journal", "f"]
    #expect(try bench.run(rules).status == 0)
    #expect(try Data(contentsOf: bench.url("f")).range(of: Data("NSUUID".utf8)) != nil)
    let result = try bench.run(["rename-class", "--prune", "--in-place", "--no-journal", "f"])
    #expect(result.errors.contains("unused objects removed"))
    #expect(try Data(contentsOf: bench.url("f")).range(of: Data("NSUUID".utf8)) == nil)
    let root = try Program.run("FoundationJudge", ["dictionary", bench.url("f").path])
    #expect(root.text == "{\"a\":[\"token\"],\"b\":[\"kept\"]}\n")
    let again = try bench.run(["rename-class", "--prune", "--in-place", "--no-journal", "f"])
    #expect(again.errors.contains("left alone"))
  }

  @Test func compressedArchivesAreNotRewritten() throws {
    let gzip = try #require(Program.find("gzip"))
    let packed = try Program.run(
      at: gzip, ["-c"], input: try Workbench.archive(Self.archive)
    ).output
    let bench = try Workbench()
    try bench.write(packed, to: "Movie.gz")
    let result = try bench.run(["rename-class"] + Self.rule + ["--in-place", "Movie.gz"])
    #expect(result.status == 65)
    #expect(result.errors.contains("gunzip"))
    let other = try bench.run(["rename-class", "-c", "A=B", "--in-place", "Movie.gz"])
    #expect(other.status == 0)
    let outer = try PropertyListSerialization.data(
      fromPropertyList: ["cache": packed], format: .binary, options: 0)
    try bench.write(outer, to: "Cache")
    let nested = try bench.run(["rename-class"] + Self.rule + ["--in-place", "Cache"])
    #expect(nested.status == 0)
    #expect(nested.errors.contains("gunzip"))
    #expect(try Data(contentsOf: bench.url("Cache")) == outer)
  }
}
