// `convert --in-place` and `--output-dir`: files are replaced in transactions, as in migrations.

import Foundation
import TestSupport
import Testing

@Suite struct ConvertedInPlaceTests {
  let bench: TemporaryFolder
  let before: FolderFacts
  static let count = 12

  init() throws {
    bench = try TemporaryFolder(inMemory: true)
    let files = bench.file("files")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: false)
    for number in 0..<Self.count {
      let file = files.appendingPathComponent("feed-\(number)")
      try FeedArchives.dictionariable(number + 1).write(to: file)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o640, .modificationDate: Date(timeIntervalSince1970: 1.5e9)],
        ofItemAtPath: file.path)
    }
    before = try FolderFacts(files.path)
  }

  private var files: URL { bench.file("files") }
  private var state: URL { bench.file("state") }

  private func convert(
    _ arguments: [String], _ variables: [String: String] = [:]
  ) throws -> ProgramResult {
    try Program.run(
      "archtool", arguments, in: bench.url,
      environment: ["XDG_STATE_HOME": state.path].merging(variables) { $1 })
  }

  private static let inPlace = [
    "convert", "--to", "xml1", "--in-place", "--journal", "journal", "-r", "files",
  ]

  /// plistlib reads every file as XML and finds what the binary one held.
  private func expectConverted(_ folder: URL) throws {
    let script = """
      import plistlib, sys
      def plain(value):
        if isinstance(value, plistlib.UID): return {"CF$UID": value.data}
        if isinstance(value, list): return [plain(each) for each in value]
        if isinstance(value, dict): return {key: plain(each) for key, each in value.items()}
        return value
      for number in range(int(sys.argv[3])):
        new = open(f"{sys.argv[2]}/feed-{number}", "rb").read()
        assert new.startswith(b"<?xml"), number
        old = open(f"{sys.argv[1]}/feed-{number}", "rb").read()
        assert plain(plistlib.loads(new)) == plain(plistlib.loads(old)), number
      print("same")
      """
    let reference = bench.file("reference")
    if !FileManager.default.fileExists(atPath: reference.path) {
      try FileManager.default.createDirectory(at: reference, withIntermediateDirectories: false)
      for (name, facts) in before.files {
        try facts.bytes.write(to: reference.appendingPathComponent(name))
      }
    }
    let judged = try Program.run(
      at: URL(fileURLWithPath: "/usr/bin/env"),
      ["python3", "-c", script, reference.path, folder.path, "\(Self.count)"])
    #expect(judged.text == "same\n", "\(judged.errors)")
  }

  @Test func aConversionIsTakenBack() throws {
    let converted = try convert(Self.inPlace)
    #expect(converted.status == 0, "\(converted.errors)")
    #expect(converted.errors.contains("undo with: archtool undo journal"), "\(converted.errors)")
    try expectConverted(files)
    let shown = try convert(["journal", "show", "journal"])
    #expect(shown.text.contains("done: \(Self.count)\n"), "\(shown.text)")
    let again = try convert(["convert", "--to", "xml1", "--in-place", "files/feed-0"])
    #expect(again.errors.contains("is xml1 already; left alone"), "\(again.errors)")
    #expect(try convert(["undo", "journal"]).status == 0)
    #expect(try FolderFacts(files.path) == before)
  }

  @Test func aJournalIsWrittenUnasked() throws {
    #expect(try convert(["convert", "--to", "xml1", "--in-place", "-r", "files"]).status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: state.path + "/archtool")
    let journal = try #require(names.first { $0.hasSuffix(".journal") })
    #expect(try convert(["undo", "\(state.path)/archtool/\(journal)"]).status == 0)
    #expect(try FolderFacts(files.path) == before)
  }

  @Test func noJournalAndOldTimesOnRequest() throws {
    let arguments = ["--in-place", "--no-journal", "--keep-times", "-q", "-r", "files"]
    let result = try convert(["convert", "--to", "xml1"] + arguments)
    #expect(result.status == 0 && result.errors == "", "\(result.errors)")
    try expectConverted(files)
    let now = try FolderFacts(files.path)
    #expect(now.files.mapValues(\.modified) == before.files.mapValues(\.modified))
    #expect(now.files.mapValues(\.mode) == before.files.mapValues(\.mode))
    #expect(!FileManager.default.fileExists(atPath: state.path))
  }

  @Test func aDryRunWritesNothing() throws {
    let result = try convert(["convert", "--to", "xml1", "--in-place", "-n", "-r", "files"])
    #expect(result.status == 0)
    #expect(result.text.contains("files/feed-0: would convert to xml1, "), "\(result.text)")
    #expect(try FolderFacts(files.path) == before)
    #expect(!FileManager.default.fileExists(atPath: state.path))
  }

  @Test func aFileThatCannotBeConvertedStays() throws {
    try Data("noise".utf8).write(to: files.appendingPathComponent("feed-3"))
    let result = try convert(Self.inPlace)
    #expect(result.status == 65, "\(result.errors)")
    #expect(try Data(contentsOf: files.appendingPathComponent("feed-3")) == Data("noise".utf8))
    try (try #require(before.files["feed-3"])).bytes
      .write(to: files.appendingPathComponent("feed-3"))
    #expect(try convert(["convert", "--resume", "journal"]).status == 0)
    try expectConverted(files)
  }

  @Test(
    .enabled(if: Interposer.library != nil, "needs cc or clang, and LD_PRELOAD"),
    arguments: [1, 4, 9])
  func aKilledConversionGoesOn(_ number: Int) throws {
    let killed = try convert(Self.inPlace, Interposer.environment("renameat", at: number))
    #expect(killed.status == -SIGKILL)
    let resumed = try convert(["convert", "--resume", "journal"])
    #expect(resumed.status == 0, "\(resumed.errors)")
    try expectConverted(files)
    #expect(try FolderFacts(files.path).leftovers == [])
    #expect(try convert(["undo", "journal"]).status == 0)
    #expect(try FolderFacts(files.path) == before)
  }

  @Test(
    .enabled(if: Interposer.library != nil, "needs cc or clang, and LD_PRELOAD"),
    arguments: [SIGTERM, SIGHUP, SIGINT],
    [Self.inPlace, ["convert", "--to", "xml1", "--output-dir", "out", "-r", "files"]])
  func aSignalLeavesNoTemporaryFile(_ signal: Int32, _ arguments: [String]) throws {
    let variables = Interposer.environment("renameat", at: 2, ["FAULT_STOP": "1"])
    let run = try Program.start(
      "archtool", arguments, in: bench.url,
      environment: ["XDG_STATE_HOME": state.path].merging(variables) { $1 })
    #expect(run.isStopped())
    run.send(signal)
    run.send(SIGCONT)
    #expect(try run.result().status == 128 + signal)
    for folder in ["files", "out"] {
      let path = bench.file(folder).path
      guard FileManager.default.fileExists(atPath: path) else { continue }
      #expect(try FolderFacts(path).leftovers == [])
    }
  }

  /// A link in the output folder is no way to a file elsewhere.
  @Test(arguments: [[], ["--force"]]) func noLinkLeadsOutOfTheOutputFolder(_ more: [String]) throws
  {
    let victim = bench.file("victim")
    try Data("mine".utf8).write(to: victim)
    let manager = FileManager.default
    let elsewhere = bench.file("elsewhere")
    try manager.createDirectory(at: elsewhere, withIntermediateDirectories: false)
    try manager.createDirectory(at: bench.file("out"), withIntermediateDirectories: false)
    try manager.createSymbolicLink(
      at: bench.file("out/feed-0"), withDestinationURL: victim)
    try manager.createDirectory(
      at: files.appendingPathComponent("deep"), withIntermediateDirectories: false)
    try FeedArchives.dictionariable(3).write(to: files.appendingPathComponent("deep/feed"))
    try manager.createSymbolicLink(at: bench.file("out/deep"), withDestinationURL: elsewhere)
    let result = try convert(
      ["convert", "--to", "xml1", "--output-dir", "out", "-r", "files"] + more)
    #expect([66, 73].contains(result.status), "\(result.errors)")
    #expect(try Data(contentsOf: victim) == Data("mine".utf8))
    #expect(try manager.contentsOfDirectory(atPath: elsewhere.path) == [])
    #expect(manager.fileExists(atPath: bench.file("out/feed-1").path))
  }

  /// A copy is not more readable than what it is made from.
  @Test func copiesAreAsPrivateAsTheirSources() throws {
    chmod(files.appendingPathComponent("feed-0").path, 0o600)
    #expect(
      try convert(["convert", "--to", "xml1", "--output-dir", "out", "files/feed-0"]).status == 0)
    let out = try FileManager.default.subpathsOfDirectory(atPath: bench.file("out").path)
    let file = try #require(out.first { $0.hasSuffix("feed-0") })
    let facts = try FileManager.default.attributesOfItem(atPath: bench.file("out/" + file).path)
    #expect(facts[.posixPermissions] as? Int == 0o600)
  }

  @Test func aJournalIsThatOfItsCommand() throws {
    #expect(try convert(Self.inPlace).status == 0)
    try Data("x".utf8).write(to: files.appendingPathComponent("feed-0"))
    let result = try convert(["migrate", "--resume", "journal"])
    // A run that came to its end has nothing left, whoever asks.
    #expect(result.status == 0 || result.errors.contains("not written by archtool migrate"))
    #expect(try Data(contentsOf: files.appendingPathComponent("feed-0")) == Data("x".utf8))
  }
}
