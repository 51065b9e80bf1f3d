// Journals that somebody else wrote or changed: no file outside their run is changed, and no permission is granted.

import FileTransactions
import Foundation
import TestSupport
import Testing

@Suite struct ForeignJournalTests {
  let fleet: FleetFolder

  init() throws {
    fleet = try FleetFolder()
    #expect(try fleet.run().status == 0)
  }

  private func archtool(_ arguments: String...) throws -> ProgramResult {
    try Program.run("archtool", arguments, in: fleet.bench.url)
  }

  /// Changes the journal's text.
  private func edit(_ old: String, _ new: String) throws {
    let url = URL(fileURLWithPath: fleet.journal)
    let text = try String(contentsOf: url, encoding: .utf8)
    #expect(text.contains(old))
    let handle = try FileHandle(forWritingTo: url)
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: Data(text.replacingOccurrences(of: old, with: new).utf8))
    try handle.close()
  }

  @Test(arguments: ["", #"{"path":"/nowhere","recursive":true}"#])
  func filesOutsideOfTheFoldersOfTheRunAreLeftAlone(_ roots: String) throws {
    let after = try fleet.facts()
    try edit(#"[{"path":"\#(fleet.files.path)","recursive":true}]"#, "[\(roots)]")
    for command in [
      ["undo", "--trust"], ["undo", "--trust", "--force"], ["migrate", "--trust", "--resume"],
    ] {
      let result = try Program.run("archtool", command + ["journal"], in: fleet.bench.url)
      #expect(result.status == 65, "\(command): \(result.errors)")
      #expect(
        result.errors.contains("which is outside of the folders of its run"), "\(result.errors)")
    }
    #expect(try fleet.facts() == after)
  }

  /// A change may name a file beside its archive, but not one elsewhere below the root.
  @Test func changesElsewhereAreLeftAlone() throws {
    let after = try fleet.facts()
    try edit(#""recursive":true"#, #""recursive":false"#)
    try edit(#"{"path":"\#(fleet.files.path)/a","#, #"{"path":"\#(fleet.files.path)/deep/a","#)
    let result = try archtool("undo", "--trust", "journal")
    #expect(result.status == 65, "\(result.errors)")
    #expect(try fleet.facts() == after)
  }

  @Test func aJournalThatAnybodyMayWriteIsNotObeyed() throws {
    let after = try fleet.facts()
    #expect(chmod(fleet.journal, 0o666) == 0)
    let result = try archtool("undo", "journal")
    #expect(result.status == 66, "\(result.errors)")
    #expect(result.errors.contains("every user may write the journal"))
    #expect(try fleet.facts() == after)
    #expect(try archtool("journal", "show", "journal").status == 0)
    #expect(chmod(fleet.journal, 0o600) == 0)
    #expect(try archtool("undo", "journal").status == 0)
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
  func aJournalOfAnotherUserIsNotObeyed() throws {
    let after = try fleet.facts()
    #expect(chown(fleet.journal, 65_534, 65_534) == 0)
    for command in [["undo"], ["migrate", "--resume"]] {
      let result = try Program.run("archtool", command + ["journal"], in: fleet.bench.url)
      #expect(result.status == 66, "\(result.errors)")
      #expect(result.errors.contains("the journal belongs to user 65534"), "\(result.errors)")
    }
    #expect(try fleet.facts() == after)
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
  func aPlanOfAnotherUserIsNotObeyed() throws {
    let plan = fleet.bench.file("plan")
    let line = #"{"plan":"archtool","version":1,"made":"","directory":"\#(fleet.bench.url.path)","#
    try Data((line + #""arguments":["migrate","--to","v2","files"]}"#).utf8).write(to: plan)
    #expect(chown(plan.path, 65_534, 65_534) == 0)
    let result = try archtool("migrate", "--apply", "plan")
    #expect(result.status == 66, "\(result.errors)")
    #expect(result.errors.contains("the plan belongs to user 65534"), "\(result.errors)")
  }

  @Test func setUserBitsAreNotGivenBack() throws {
    // The file "a" had the mode 640.
    try edit(#""mode":"0640""#, #""mode":"06755""#)
    let result = try archtool("undo", "--trust", "journal")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("the set-user-ID and set-group-ID bits are not restored"))
    let file = fleet.files.appendingPathComponent("a")
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
    #expect(mode as? Int == 0o755)
  }

  /// A count of listed paths that is too high means that the run was killed early, unless files were replaced.
  @Test func aDamagedFirstLineIsNoReasonToDeleteTheJournal() throws {
    try edit(#""options":{}"#, #""options":{"inputs":9}"#)
    let url = URL(fileURLWithPath: fleet.journal)
    let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
    try Data((lines.dropLast().joined(separator: "\n") + "\n").utf8).write(to: url)
    let result = try archtool("migrate", "--trust", "--resume", "journal")
    #expect(result.status == 65, "\(result.errors)")
    #expect(result.errors.contains("the journal is damaged"), "\(result.errors)")
    #expect(!result.errors.contains("delete"))
  }
}
