// Journals that were truncated, damaged or forged, and how undo handles files that were changed later.

import ArchiveBasics
import ArchiveGraph
import ArchiveMigrations
import FileTransactions
import Foundation
import TestSupport
import Testing

@Suite struct JournalTests {
  let fleet: FleetFolder

  init() throws { fleet = try FleetFolder() }

  private func text() throws -> String {
    try String(contentsOfFile: fleet.journal, encoding: .utf8)
  }

  private func set(_ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: fleet.journal))
  }

  private func report() throws -> JournalReport {
    try JournalReport(fleet.journal, listsFiles: true)
  }

  @Test func tellsWhatBecameOfEachFile() throws {
    #expect(try fleet.run().status == 0)
    #expect(try report().progress == .finished)
    #expect(try report().files.map(\.state) == Array(repeating: .done, count: 4))
    #expect(try fleet.resume().text == "finished already\n")
    #expect(try fleet.undo().status == 0)
    #expect(try report().progress == .undone)
  }

  @Test func ignoresALastLineThatWasCutAnywhere() throws {
    #expect(try fleet.run().status == 0)
    let whole = try text()
    let lines = whole.split(separator: "\n")
    let last = try #require(lines.last).utf8.count
    for cut in 1...last {
      try set(String(whole.utf8.prefix(whole.utf8.count - cut)) ?? "")
      #expect(try report().contents.isTorn == (cut <= last))
      #expect(try report().contents.count(.done) == 4)
    }
    #expect(try fleet.undo().status == 0)
    #expect(try fleet.facts() == fleet.factsBefore)
  }

  @Test(arguments: [
    ("{}\n", ArchiveError.Code.unrecognized), ("", .unrecognized), ("no json\n", .unrecognized),
    ("{\"journal\":\"archtool\",\"version\":2}\n", .unsupported),
    ("{\"journal\":\"archtool\",\"version\":1}\n", .malformed),
  ])
  func refusesWhatIsNoJournal(_ text: String, _ code: ArchiveError.Code) throws {
    try set(text)
    let error = #expect(throws: ArchiveError.self) { try report() }
    #expect(error?.code == code || text == "no json\n")
    #expect(error?.file == fleet.journal)
  }

  /// A crash leaves a line without its end, or zeros in it; anything else with a newline behind it was written.
  @Test func refusesALastLineThatNoCrashLeaves() throws {
    #expect(try fleet.run().status == 0)
    let whole = try text()
    for end in ["garbage\n", "{\"event\":\"do\n"] {
      try set(whole + end)
      let error = #expect(throws: ArchiveError.self) { try report() }
      #expect(error?.code == .malformed)
      #expect(try fleet.undo().status != 0)
    }
    try set(whole + "{\"event\":\"\0\0\0\n")
    #expect(try report().contents.isTorn)
    #expect(try fleet.undo().status == 0)
    #expect(try fleet.facts() == fleet.factsBefore)
  }

  @Test(arguments: [
    "no json", "{\"event\":\"danced\"}", "{\"event\":\"intent\",\"file\":\"/a\",\"root\":\"/\"}",
    "{\"event\":\"done\"}", "[]", "{\"event\":\"end\"}",
    #"{"event":"intent","file":"/a/../b","root":"/a","changes":[]}"#,
  ])
  func saysWhichLineIsWrong(_ line: String) throws {
    #expect(try fleet.run().status == 0)
    var lines = try text().components(separatedBy: "\n")
    lines.insert(line, at: 2)
    try set(lines.joined(separator: "\n"))
    let error = #expect(throws: ArchiveError.self) { try report() }
    let offset = lines[0].utf8.count + lines[1].utf8.count + 2
    #expect(try #require(error?.offset) - offset >= 0)
    #expect(try #require(error?.offset) - offset < max(line.utf8.count, 1))
  }

  @Test func leavesAFileThatWasChangedSince() throws {
    #expect(try fleet.run().status == 0)
    let file = fleet.files.appendingPathComponent("b")
    try Data("mine".utf8).write(to: file)
    let undone = try fleet.undo()
    #expect(undone.status == 1)
    #expect(undone.text.contains("changed since the run"))
    #expect(try Data(contentsOf: file) == Data("mine".utf8))
    #expect(try fleet.undo(["--force"]).status == 0)
    #expect(try fleet.facts() == fleet.factsBefore)
  }

  @Test func trustsNoDamagedBackup() throws {
    #expect(try fleet.run().status == 0)
    let backups = URL(fileURLWithPath: fleet.journal + ".backup")
    let names = try FileManager.default.subpathsOfDirectory(atPath: backups.path)
    let files = names.filter { $0.utf8.count > 40 }
    #expect(files.count == 5)
    for name in files {
      let file = backups.appendingPathComponent(name)
      try FileManager.default.removeItem(at: file)
      try Data("damaged".utf8).write(to: file)
    }
    let undone = try fleet.undo()
    #expect(undone.status == 1)
    #expect(undone.text.contains("is damaged"))
    #expect(try fleet.broken() == [])
  }

  @Test(.enabled(if: Program.find("sha256sum") != nil, "sha256sum is not installed"))
  func namesBackupsByTheirHashAsOthersComputeIt() throws {
    let program = try #require(Program.find("sha256sum"))
    #expect(try fleet.run().status == 0)
    let backups = fleet.journal + ".backup/sha256"
    for name in try FileManager.default.subpathsOfDirectory(atPath: backups)
    where name.contains("/") {
      let sum = try Program.run(at: program, [backups + "/" + name]).text.prefix(64)
      #expect(sum == name.replacingOccurrences(of: "/", with: ""))
    }
  }
}
