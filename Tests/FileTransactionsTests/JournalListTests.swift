// `archtool journal list`, `journal prune` and `undo --last`: the runs of a user, wherever their journals are.

import Foundation
import TestSupport
import Testing

@Suite struct JournalListTests {
  /// A run as `journal list --format json` has it.
  struct Run: Decodable {
    let journal: String
    let state: String
    let arguments: [String]
    let backups: String?
    let counts: [String: Int]
  }

  let folder: TemporaryFolder
  let state: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    state = try TemporaryFolder()
    for name in ["a", "b", "c"] {
      try FileManager.default.copyItem(
        at: TestArchives.root.appendingPathComponent("Movie/v1"), to: folder.file(name))
    }
  }

  @discardableResult
  private func archtool(_ arguments: String...) throws -> ProgramResult {
    try Program.run(
      "archtool", arguments, in: folder.url, environment: ["XDG_STATE_HOME": state.url.path])
  }

  private func runs(_ places: String...) throws -> [Run] {
    let result = try Program.run(
      "archtool", ["journal", "list", "--format", "json"] + places, in: folder.url,
      environment: ["XDG_STATE_HOME": state.url.path])
    #expect(result.status == 0, "\(result.errors)")
    return try JSONDecoder().decode([Run].self, from: result.output)
  }

  private func bytes(_ name: String) throws -> Data { try Data(contentsOf: folder.file(name)) }

  private func edit(_ name: String, _ more: String...) throws {
    let result = try Program.run(
      "archtool", ["migrate", "--to", "v2", "--in-place", name] + more, in: folder.url,
      environment: ["XDG_STATE_HOME": state.url.path])
    #expect(result.status == 0, "\(result.errors)")
  }

  /// Makes the header of a journal say that its run began in 2019; no seal is checked for that.
  private func age(_ path: String) throws {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try text.replacing(/"started":"20\d\d/, with: #""started":"2019"#)
      .write(toFile: path, atomically: false, encoding: .utf8)
  }

  // MARK: Lists

  @Test func thereIsNothingAtFirst() throws {
    let list = try archtool("journal", "list")
    #expect(list.status == 0 && list.text == "")
    #expect(list.errors.contains("no runs are recorded in "))
    #expect(try runs().isEmpty)
    let undo = try archtool("undo", "--last")
    #expect(undo.status == 66)
    #expect(undo.errors.contains("no run that can be undone"))
    #expect(try archtool("journal", "prune", "--older-than", "1d").status == 0)
  }

  /// Runs of one second are in their order, too.
  @Test func theNewestComesFirst() throws {
    for name in ["a", "b", "c"] { try edit(name) }
    #expect(try runs().compactMap(\.arguments.last) == ["c", "b", "a"])
    let lines = try archtool("journal", "list").text.split(separator: "\n")
    // The times of the journals' files do not count.
    let oldest = try #require(try runs().last?.journal)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: 1000)], ofItemAtPath: oldest)
    #expect(try runs().compactMap(\.arguments.last) == ["c", "b", "a"])
    #expect(lines.count == 4)
    #expect(lines[0].hasPrefix("STARTED"))
    for (line, name) in zip(lines.dropFirst(), ["c", "b", "a"]) {
      #expect(
        line.contains(#/^\d{4}-\d\d-\d\dT[0-9:]+Z  finished +1  migrate --to=v2 --in-place /#))
      #expect(line.contains("--in-place \(name)  "), "\(line)")
      #expect(line.hasSuffix(".journal"))
    }
  }

  @Test func journalsElsewhereAreKnown() throws {
    try edit("a", "--journal", "here.journal")
    let found = try runs()
    #expect(found.map(\.journal) == [folder.url.resolvingSymlinksInPath().path + "/here.journal"])
    #expect(try runs(".").map(\.journal) == found.map(\.journal))
    #expect(try runs("here.journal", ".", "here.journal").count == 1)
    try FileManager.default.removeItem(at: folder.file("here.journal"))
    #expect(try runs().isEmpty)
  }

  @Test func oneThatCannotBeReadDoesNotHideOthers() throws {
    try edit("a")
    try edit("b", "--journal", "cut")
    let text = try String(contentsOf: folder.file("cut"), encoding: .utf8)
    try (text.split(separator: "\n")[0] + "\nrubbish\n{}\n").write(
      to: folder.file("cut"), atomically: false, encoding: .utf8)
    let list = try archtool("journal", "list")
    #expect(list.status == 65)
    #expect(list.errors.contains("/cut:2:1: error: "), "\(list.errors)")
    #expect(list.text.split(separator: "\n").count == 2)
    #expect(try archtool("journal", "list", "a").status == 65)
    let nothing = try archtool("journal", "list", "nothing")
    #expect(nothing.status == 66)
    #expect(!nothing.errors.contains("no runs are recorded"), "\(nothing.errors)")
  }

  // MARK: Undo

  @Test func theLastRunIsUndoneThenTheOneBefore() throws {
    let old = try bytes("a")
    try edit("a")
    try edit("b", "--journal", "here.journal")
    #expect(try archtool("undo", "-n", "--last").text == "b: would be restored\n")
    #expect(try bytes("b") != old)
    let first = try archtool("undo", "--last")
    #expect(first.errors.contains("archtool: the last run is migrate "), "\(first.errors)")
    #expect(try bytes("b") == old)
    #expect(try bytes("a") != old)
    #expect(try archtool("undo", "--last").status == 0)
    #expect(try bytes("a") == old)
    #expect(try archtool("undo", "--last").status == 66)
    #expect(try runs().map(\.state) == ["undone", "undone"])
    #expect(try archtool("undo", "--last", "here.journal").status == 64)
    #expect(try archtool("undo").status == 64)
  }

  /// A run that cannot be undone stays the last one, and the way past it is reported.
  @Test func aRunThatCannotBeUndoneIsPassedByTheJournalBeforeIt() throws {
    let old = try bytes("a")
    try edit("a")
    try edit("b")
    try archtool("set", "--in-place", "--no-journal", "b", "/title", "2")
    let changed = try bytes("b")
    for _ in 0..<2 {
      let stuck = try archtool("undo", "--last")
      #expect(stuck.status == 1)
      #expect(stuck.errors.contains("stays the last one for --last"), "\(stuck.errors)")
      let journal = try #require(try runs().last?.journal)
      #expect(stuck.errors.contains("archtool undo \(journal)\n"), "\(stuck.errors)")
    }
    #expect(try archtool("undo", try #require(try runs().last?.journal)).status == 0)
    #expect(try bytes("a") == old)
    let last = try archtool("undo", "--last")
    #expect(last.errors.contains("no run before it can be undone"), "\(last.errors)")
    #expect(try bytes("b") == changed)
  }

  /// The same for a run whose journal cannot be used.
  @Test func aJournalThatIsRefusedIsPassedByTheOneBeforeIt() throws {
    try edit("a")
    try edit("b", "--journal", "here.journal")
    try age(folder.file("here.journal").path)
    // It is the older one now.
    try edit("c", "--journal", "last.journal")
    let text = try String(contentsOf: folder.file("last.journal"), encoding: .utf8)
    try text.replacing("--in-place", with: "--in-Place")
      .write(to: folder.file("last.journal"), atomically: false, encoding: .utf8)
    let stuck = try archtool("undo", "--last")
    #expect(stuck.status == 65)
    #expect(stuck.errors.contains("last.journal: error: "), "\(stuck.errors)")
    let journal = try #require(
      try runs().first { $0.journal.contains(state.url.lastPathComponent) })
    #expect(stuck.errors.contains("archtool undo \(journal.journal)\n"), "\(stuck.errors)")
  }

  @Test func withoutAStateFolderTheJournalIsToBeNamed() throws {
    let result = try Program.run(
      "archtool", ["undo", "--last"], in: folder.url,
      environment: ["XDG_STATE_HOME": "", "HOME": ""])
    #expect(result.status == 66)
    #expect(result.errors.contains("name a JOURNAL instead of --last"), "\(result.errors)")
  }

  /// A journal where an archive belongs is named, and arguments are quoted alike everywhere.
  @Test func aJournalIsShownByItsOwnCommand() throws {
    try edit("a", "--journal", "here.journal")
    try archtool("set", "--in-place", "--journal", "set.journal", "b", "/title", "\"x y\"")
    for command in [["dump"], ["info"], ["query", "$"], ["convert", "--to", "xml1"]] {
      let result = try Program.run("archtool", command + ["here.journal"], in: folder.url)
      #expect(result.status == 65)
      let message =
        "here.journal: error: is a journal of archtool, which 'archtool journal show' shows\n"
      #expect(result.errors == message, "\(result.errors)")
    }
    let alone = try archtool("here.journal")
    #expect(alone.errors.contains("'archtool journal show here.journal'"), "\(alone.errors)")
    let words = #"set --in-place --journal=set.journal b /title '"x y"'"#
    #expect(try archtool("journal", "show", "set.journal").text.contains("arguments: \(words)\n"))
    #expect(try archtool("journal", "list", "set.journal").text.contains("  \(words)  "))
  }

  // MARK: Removal

  @Test func oldRunsGoWithTheirOldFiles() throws {
    try edit("a")
    try edit("b")
    let (young, old) = (try runs()[0], try runs()[1])
    try age(old.journal)
    let dry = try archtool("journal", "prune", "--older-than", "30d", "-n")
    #expect(dry.text.contains(#/: would be removed, [12]\.\d kB\n$/#), "\(dry.text)")
    #expect(dry.text.split(separator: "\n").count == 1)
    #expect(try runs().count == 2)
    let result = try archtool("journal", "prune", "--older-than", "30d")
    #expect(result.status == 0)
    #expect(result.errors.contains(#/1 journal removed, [12]\.\d kB\n$/#), "\(result.errors)")
    #expect(try runs().map(\.journal) == [young.journal])
    #expect(!FileManager.default.fileExists(atPath: try #require(old.backups)))
    #expect(FileManager.default.fileExists(atPath: try #require(young.backups)))
    #expect(try archtool("undo", "--last").status == 0)
  }

  @Test func unfinishedRunsStayUnlessToldOtherwise() throws {
    try edit("a", "--journal", "cut")
    let text = try String(contentsOf: folder.file("cut"), encoding: .utf8)
    let lines = text.split(separator: "\n")
    try (lines.dropLast().joined(separator: "\n") + "\n").write(
      to: folder.file("cut"), atomically: false, encoding: .utf8)
    #expect(try runs().map(\.state) == ["unfinished"])
    let kept = try archtool("journal", "prune", "--older-than", "0d")
    #expect(kept.errors.contains("cut: kept: the run did not finish"), "\(kept.errors)")
    #expect(try runs().count == 1)
    #expect(try archtool("journal", "prune", "--older-than", "0d", "--unfinished").status == 0)
    #expect(try runs().isEmpty)
    // The link in the state folder has gone with it.
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: state.file("archtool").path) == ["key"])
  }

  /// Other runs may have old files in a folder that somebody named, and somebody else's files are never removed.
  @Test func whatIsNotItsOwnStays() throws {
    try edit("a", "--journal", "one", "--backup-dir", "shared")
    try edit("b", "--journal", "two")
    let stranger = folder.file("two.backup/sha256/notes")
    try Data("mine".utf8).write(to: stranger)
    let result = try archtool("journal", "prune", "--older-than", "0d")
    #expect(result.status == 0)
    #expect(result.errors.contains("one: its old files in shared stay"), "\(result.errors)")
    #expect(result.errors.contains("two.backup/sha256/notes: warning: is not archtool's"))
    #expect(try Data(contentsOf: stranger) == Data("mine".utf8))
    #expect(FileManager.default.fileExists(atPath: folder.file("shared/sha256").path))
    #expect(try runs().isEmpty)
  }

  /// The folder of a run's old files stays if another run of the user has some there, also under another name of the
  /// folder, and if the journal of that run cannot be read.
  @Test(arguments: ["one.backup", "other"], [false, true])
  func oldFilesThatAnotherRunNeedsStay(_ target: String, _ isDamaged: Bool) throws {
    try edit("a", "--journal", "one")
    try FileManager.default.createSymbolicLink(
      at: folder.file("other"), withDestinationURL: folder.file("one.backup"))
    try edit("b", "--journal", "two", "--backup-dir", isDamaged ? "one.backup" : target)
    let journal = try Data(contentsOf: folder.file("two"))
    if isDamaged { try (journal + Data("no line\n".utf8)).write(to: folder.file("two")) }
    let result = try archtool("journal", "prune", "--older-than", "0d", "one")
    #expect(result.errors.contains("one: its old files in one.backup stay"), "\(result.errors)")
    if isDamaged { try journal.write(to: folder.file("two")) }
    #expect(try archtool("undo", "two").status == 0)
  }

  /// Links that are not archtool's stay, and those to journals that cannot be reached just now, as on a disk.
  @Test func onlyLinksToRemovedJournalsGo() throws {
    try FileManager.default.createDirectory(
      at: folder.file("disk"), withIntermediateDirectories: false)
    try edit("a", "--journal", "one")
    try edit("b", "--journal", "disk/two")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("diary.journal").path, withDestinationPath: "/nowhere/diary")
    try FileManager.default.moveItem(at: folder.file("disk"), to: folder.file("away"))
    #expect(try archtool("journal", "prune", "--older-than", "0d").status == 0)
    #expect(try archtool("journal", "prune", "--older-than", "0d", ".").status == 0)
    let links = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(links.contains("diary.journal"))
    try FileManager.default.moveItem(at: folder.file("away"), to: folder.file("disk"))
    #expect(try runs().count == 1)
  }

  /// A journal that names a folder of the user's for its old files removes nothing there.
  @Test(arguments: ["two", ".", "two.backup"]) func aForgedJournalRemovesNothing(
    _ target: String
  ) throws {
    try edit("a", "--journal", "one")
    let files = folder.file("two.backup")
    try FileManager.default.createDirectory(
      at: files.appendingPathComponent("sha256/ab"), withIntermediateDirectories: true)
    let treasure = files.appendingPathComponent("sha256/ab/" + String(repeating: "c", count: 62))
    try Data("treasure".utf8).write(to: treasure)
    let text = try String(contentsOf: folder.file("one"), encoding: .utf8)
    let path = folder.file(target).path
    try text.replacing(/"backups":"[^"]*"/, with: #""backups":"\#(path)""#)
      .write(to: folder.file("two"), atomically: false, encoding: .utf8)
    try archtool("journal", "prune", "--older-than", "0d", "two")
    #expect(FileManager.default.fileExists(atPath: treasure.path))
    #expect(FileManager.default.fileExists(atPath: folder.file("a").path))
  }

  @Test(arguments: ["", "30", "d", "-1d", "1y", "1.5d", "99999999999999999999d", "٣d"])
  func anAgeIsANumberWithAUnit(_ age: String) throws {
    #expect(try archtool("journal", "prune", "--older-than", age).status == 64)
  }
}
