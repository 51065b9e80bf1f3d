// `--resume` and `undo` of journals in every state that a run, a user or a disk can leave.

import Foundation
import TestSupport
import Testing

@Suite struct JournalStateTests {
  static let contents = Result { try FleetContents(count: 40) }
  static let reference = Result { try UndisturbedRun(of: WeatherFleet(contents.get())) }

  let fleet: WeatherFleet
  let reference: UndisturbedRun

  init() throws {
    reference = try Self.reference.get()
    fleet = try WeatherFleet(try Self.contents.get())
  }

  private func migrate() throws {
    let result = try fleet.run(fleet.migration())
    #expect(result.status == 0, "\(result.errors)")
  }

  private var journalData: Data {
    get throws { try Data(contentsOf: URL(fileURLWithPath: fleet.journal)) }
  }

  private func set(_ data: Data) throws {
    try data.write(to: URL(fileURLWithPath: fleet.journal))
  }

  @Test(arguments: [1, 2, 20, 150])
  func goesOnFromATornLastLine(_ cut: Int) throws {
    try migrate()
    try set(try journalData.dropLast(cut))
    let resumed = try fleet.run(fleet.resumption)
    #expect(resumed.status == 0, "\(resumed.errors)")
    let now = try fleet.now()
    #expect(now.differences(from: reference.after) == [])
    let shown = try fleet.run(["journal", "show", fleet.journal]).text
    #expect(shown.contains("state: finished\n") && !shown.contains("cut short"), "\(shown)")
    #expect(try fleet.run(fleet.undoing()).status == 0)
    #expect(try fleet.now().differences(from: fleet.before, times: true) == [])
  }

  @Test func aFinishedRunHasNothingLeftToDo() throws {
    try migrate()
    let before = try fleet.now()
    let journal = try journalData
    let resumed = try fleet.run(fleet.resumption)
    #expect(resumed.status == 0)
    #expect(resumed.errors.contains("nothing is left to do"))
    #expect(try fleet.now() == before)
    #expect(try journalData == journal)
  }

  @Test func aFinishedRunKeepsItsStatus() throws {
    // An archive of something else is refused: the answer is no, and stays so.
    let stranger = fleet.folder.appendingPathComponent("stranger")
    try NSKeyedArchiver.archivedData(
      withRootObject: ["a": 1] as NSDictionary, requiringSecureCoding: false
    ).write(to: stranger)
    #expect(try fleet.run(fleet.migration()).status == 1)
    let resumed = try fleet.run(fleet.resumption)
    #expect(resumed.status == 1)
    #expect(resumed.errors.contains("nothing is left to do"))
  }

  @Test(arguments: [
    ("", "is empty: it is not an archtool journal, or"),
    ("{\"jour", "has only 6 bytes: it is not an archtool journal, or"),
    (#"{"journal":"archtool"}"#, "killed before it changed anything; delete it"),
    ("no journal\n", "is not an archtool journal"), ("{}\n", "is not an archtool journal"),
    ("bplist00", "is not an archtool journal"),
  ])
  func refusesWhatIsNoJournal(_ text: String, _ message: String) throws {
    let file = fleet.bench.file("no-journal")
    try Data(text.utf8).write(to: file)
    for command in [["migrate", "--resume", file.path], ["undo", file.path]] {
      let result = try fleet.run(command)
      #expect(result.status == 65, "\(result.errors)")
      #expect(result.errors.hasPrefix(file.path + ":"), "\(result.errors)")
      #expect(result.errors.contains(message), "\(result.errors)")
    }
    #expect(try Data(contentsOf: file) == Data(text.utf8))
    #expect(try fleet.now() == fleet.before)
  }

  @Test(arguments: [["migrate", "--resume"], ["undo"]])
  func refusesWhatCannotBeRead(_ command: [String]) throws {
    #expect(try fleet.run(command + [fleet.bench.file("nowhere").path]).status == 66)
    #expect(try fleet.run(command + [fleet.folder.path]).status == 66)
    #expect(try fleet.now() == fleet.before)
  }

  @Test func undoOfAnUndoneRunDoesNothing() throws {
    try migrate()
    #expect(try fleet.run(fleet.undoing()).status == 0)
    let once = try fleet.now()
    let again = try fleet.run(fleet.undoing())
    #expect(again.status == 0 && again.errors == "nothing to undo\n")
    #expect(try fleet.now() == once)
    let resumed = try fleet.run(fleet.resumption)
    #expect(resumed.status == 73 && resumed.errors.contains("was undone"), "\(resumed.errors)")
    #expect(try fleet.now() == once)
  }

  @Test func anUndoneRunThatWasInterruptedDoesNotGoOn() throws {
    try migrate()
    let lines = try journalData.split(separator: UInt8(ascii: "\n"))
    try set(Data(lines.dropLast().joined(separator: [UInt8(ascii: "\n")])) + Data("\n".utf8))
    #expect(try fleet.run(fleet.undoing()).status == 0)
    let resumed = try fleet.run(fleet.resumption)
    #expect(resumed.status == 73)
    #expect(resumed.errors.contains("the run was undone and cannot be resumed"))
    #expect(try fleet.now().differences(from: fleet.before, times: true) == [])
  }

  @Test func undoLeavesWhatTheUserChanged() throws {
    try migrate()
    try Data("mine".utf8).write(to: fleet.file(7))
    try FileManager.default.removeItem(at: fleet.file(8))
    let undone = try fleet.run(fleet.undoing())
    #expect(undone.status == 1)
    for number in [7, 8] {
      let name = fleet.contents.files[number].path
      #expect(undone.errors.contains("files/\(name): error: "), "\(undone.errors)")
    }
    #expect(undone.errors.contains("--force restores it anyway"))
    let changed = [7, 8].map { fleet.contents.files[$0].path }
    #expect(try fleet.now().differences(from: fleet.before, times: true) == changed)
    #expect(try Data(contentsOf: fleet.file(7)) == Data("mine".utf8))
    #expect(try fleet.run(fleet.undoing("--force")).status == 0)
    #expect(try fleet.now().differences(from: fleet.before, times: true) == [])
  }

  /// What becomes of the backup of one file.
  enum Damage: CaseIterable { case flipped, cut, deleted }

  @Test(arguments: Damage.allCases)
  func undoTrustsNoDamagedBackup(_ damage: Damage) throws {
    try migrate()
    let sum = try #require(Program.find("sha256sum") ?? Program.find("shasum"))
    let old = fleet.bench.file("old")
    try fleet.contents.files[5].bytes.write(to: old)
    let digits = try Program.run(
      at: sum, sum.lastPathComponent == "shasum" ? ["-a", "256", old.path] : [old.path]
    ).text.prefix(64)
    let backup = URL(fileURLWithPath: fleet.backups)
      .appendingPathComponent("sha256/\(digits.prefix(2))/\(digits.dropFirst(2))")
    var bytes = try Data(contentsOf: backup)
    #expect(bytes == fleet.contents.files[5].bytes)
    try FileManager.default.removeItem(at: backup)
    switch damage {
    case .flipped:
      bytes[100] ^= 1
      try bytes.write(to: backup)
    case .cut: try bytes.prefix(100).write(to: backup)
    case .deleted: break
    }
    let undone = try fleet.run(fleet.undoing())
    #expect(undone.status == 1)
    let name = fleet.contents.files[5].path
    #expect(undone.errors.contains("files/\(name): error: the backup "), "\(undone.errors)")
    // The file keeps its new bytes, which are whole; all the others are back.
    #expect(try fleet.now().differences(from: fleet.before, times: true) == [name])
    #expect(try fleet.now().files[name]?.bytes == reference.after.files[name]?.bytes)
    // A later run over the same bytes makes the backup anew.
    try fleet.contents.files[5].bytes.write(to: fleet.file(5))
    try migrate()
    #expect(try fleet.run(fleet.undoing()).status == 0)
    #expect(try fleet.now().files[name]?.bytes == fleet.contents.files[5].bytes)
  }
}
