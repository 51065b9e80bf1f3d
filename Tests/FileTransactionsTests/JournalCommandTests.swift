// `archtool journal show` and `archtool undo` as a user runs them.

import Foundation
import TestSupport
import Testing

@Suite struct JournalCommandTests {
  let fleet: FleetFolder

  init() throws {
    fleet = try FleetFolder()
    #expect(try fleet.run().status == 0)
  }

  private func archtool(_ arguments: String...) throws -> ProgramResult {
    try Program.run("archtool", arguments, in: fleet.bench.url)
  }

  @Test func showsWhatARunDid() throws {
    let shown = try archtool("journal", "show", "journal")
    #expect(shown.status == 0 && shown.errors == "")
    #expect(shown.text.contains("state: finished\ndone: 4\n"))
    #expect(try archtool("journal", "show", "--files", "journal").text.contains("/files/a: done\n"))
    let report = try archtool("journal", "show", "--format", "json", "journal").output
    let object = try #require(try JSONSerialization.jsonObject(with: report) as? [String: Any])
    #expect(object["state"] as? String == "finished")
    #expect((object["counts"] as? [String: Int])?["done"] == 4)
  }

  /// Every file of a run is in its journal, with what became of it and why.
  @Test func countsEveryOutcome() throws {
    let folder = try TemporaryFolder()
    for (name, archive) in [
      ("a", "Movie/v1"), ("b", "Movie/v2"), ("c", "Broken/movie-year-string"),
      ("d", "Broken/truncated"), ("e", "Movie/v1"),
    ] {
      try FileManager.default.copyItem(
        at: TestArchives.root.appendingPathComponent(archive), to: folder.file(name))
    }
    let arguments = ["migrate", "--to", "v2", "--in-place", "--journal", "journal"]
    let files = ["a", "b", "c", "d", "e", "nowhere"]
    _ = try Program.run("archtool", arguments + files, in: folder.url)
    let show = ["journal", "show", "--files"]
    let shown = try Program.run("archtool", show + ["journal"], in: folder.url)
    #expect(shown.text.contains("done: 2\nfailed: 2\nunchanged: 1\nrefused: 1\n"), "\(shown.text)")
    let path = try #require(realpath(folder.url.path, nil).map { String(cString: $0) })
    for line in [
      "a: done", "b: unchanged: is Movie@v2 already", "c: refused: does not fit Movie@v1",
      "d: failed: the trailer", "e: done", "nowhere: failed: cannot open the file",
    ] {
      #expect(shown.text.contains("\n\(path)/\(line)"), "\(line) in \(shown.text)")
    }
    let report = try Program.run(
      "archtool", show + ["--format", "json", "journal"], in: folder.url)
    let object = try #require(
      try JSONSerialization.jsonObject(with: report.output) as? [String: Any])
    #expect(
      object["counts"] as? [String: Int] == [
        "unfinished": 0, "done": 2, "failed": 2, "unchanged": 1, "refused": 1, "undone": 0,
      ])
    // Failed and refused ones are what is told without --files.
    let brief = try Program.run("archtool", ["journal", "show", "journal"], in: folder.url)
    #expect(brief.text.contains("/c: refused: ") && brief.text.contains("/d: failed: "))
    #expect(!brief.text.contains("/a: done") && !brief.text.contains("/b: unchanged"))
    // What was not replaced is nothing to undo.
    let undone = try Program.run("archtool", ["undo", "journal"], in: folder.url)
    #expect(undone.errors.contains("2 files restored, 0 kept"), "\(undone.errors)")
  }

  @Test func undoesWhatARunDid() throws {
    let after = try fleet.facts()
    let dry = try archtool("undo", "--dry-run", "journal")
    #expect(dry.status == 0)
    #expect(dry.text.split(separator: "\n").count == 4)
    #expect(try fleet.facts() == after)
    #expect(try archtool("undo", "journal").status == 0)
    #expect(try fleet.facts() == fleet.factsBefore)
    #expect(try archtool("undo", "journal").errors == "nothing to undo\n")
  }

  @Test func saysWhatItLeftAlone() throws {
    try Data("mine".utf8).write(to: fleet.files.appendingPathComponent("a"))
    let undone = try archtool("undo", "journal")
    #expect(undone.status == 1)
    #expect(undone.errors.contains("files/a: error: "))
    #expect(try archtool("undo", "--force", "journal").status == 0)
    #expect(try fleet.facts() == fleet.factsBefore)
  }

  @Test(arguments: [["undo"], ["journal", "show"]])
  func refusesWhatIsNoJournal(_ command: [String]) throws {
    let archive = TestArchives.root.appendingPathComponent("WeatherFeed/v1-1-city").path
    for (file, status) in [(archive, 65), ("nowhere", 66)] {
      let result = try Program.run("archtool", command + [file], in: fleet.bench.url)
      #expect(result.status == Int32(status), "\(result.errors)")
      #expect(result.errors.hasPrefix(file + ":"), "\(result.errors)")
    }
  }
}
