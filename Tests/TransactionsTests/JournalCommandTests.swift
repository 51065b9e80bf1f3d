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
