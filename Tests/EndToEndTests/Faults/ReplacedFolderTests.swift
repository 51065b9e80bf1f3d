// Folders that became symbolic links after a journal or a plan was written: their targets are never changed.

import FileTransactions
import Foundation
import TestSupport
import Testing

@Suite struct ReplacedFolderTests {
  private static let old = Result { try Workbench.archive("WeatherFeed/v1-1-city") }

  private let bench: Workbench

  /// The run's folder, and another one with a file of the same name and the same bytes.
  init() throws {
    bench = try Workbench()
    for name in ["w/a", "victim/a"] { try bench.write(try Self.old.get(), to: name) }
  }

  private func migrate() throws {
    let result = try bench.run(
      "migrate", "--to", "v2", "--in-place", "--journal", "journal", "-r", "w")
    #expect(result.status == 0, "\(result.errors)")
  }

  private func replace() throws {
    try FileManager.default.moveItem(at: bench.url("w"), to: bench.url("w.real"))
    try FileManager.default.createSymbolicLink(
      at: bench.url("w"), withDestinationURL: bench.url("victim"))
  }

  private func putBack() throws {
    try FileManager.default.removeItem(at: bench.url("w"))
    try FileManager.default.moveItem(at: bench.url("w.real"), to: bench.url("w"))
  }

  private func bytes(_ name: String) throws -> Data { try Data(contentsOf: bench.url(name)) }

  private func cutJournal() throws {
    let first = try bytes("journal").prefix { $0 != UInt8(ascii: "\n") }
    let handle = try FileHandle(forWritingTo: bench.url("journal"))
    try handle.truncate(atOffset: UInt64(first.count + 1))
    try handle.close()
  }

  /// Whether the other folder's file has the bytes that the run left, or others.
  @Test(arguments: [false, true], [false, true])
  func undoKeepsWhatTheLinkLeadsTo(_ isForced: Bool, _ isSame: Bool) throws {
    try migrate()
    let theirs = isSame ? try bytes("w/a") : Data("theirs".utf8)
    try bench.write(theirs, to: "victim/a")
    try replace()
    let result = try bench.run(["undo"] + (isForced ? ["--force"] : []) + ["journal"])
    #expect(result.status == 1, "\(result.errors)")
    #expect(result.errors.contains("is now a symbolic link, or below one"), "\(result.errors)")
    #expect(try bytes("victim/a") == theirs)
    #expect(try FileManager.default.contentsOfDirectory(atPath: bench.url("victim").path) == ["a"])
    // The run is not marked as undone: it can be taken back once its folder is there again.
    try putBack()
    #expect(try bench.run("undo", "journal").status == 0)
    #expect(try bytes("w/a") == Self.old.get())
  }

  @Test func aRunDoesNotGoOnInAnotherFolder() throws {
    try migrate()
    try bench.write(try Self.old.get(), to: "w/a")
    try cutJournal()
    let journal = try bytes("journal")
    try replace()
    let result = try bench.run("migrate", "--resume", "journal")
    #expect(result.status == 73, "\(result.errors)")
    #expect(result.errors.contains("is outside of the folders of the run"), "\(result.errors)")
    #expect(try bytes("victim/a") == Self.old.get())
    #expect(try bytes("journal") == journal)
    try putBack()
    #expect(try bench.run("migrate", "--resume", "journal").status == 0)
    #expect(try bytes("w/a") != Self.old.get())
  }

  @Test func newFilesDoNotGoToAnotherFolder() throws {
    let options = ["--output-dir", "out", "--journal", "journal"]
    #expect(try bench.run(["migrate", "--to", "v2", "-r"] + options + ["w"]).status == 0)
    try cutJournal()
    try FileManager.default.removeItem(at: bench.url("out"))
    try FileManager.default.createDirectory(
      at: bench.url("empty"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      at: bench.url("out"), withDestinationURL: bench.url("empty"))
    let result = try bench.run("migrate", "--resume", "journal")
    #expect(result.status == 73, "\(result.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: bench.url("empty").path) == [])
  }

  @Test func aPlanIsNotDoneInAnotherFolder() throws {
    let planned = try bench.run("migrate", "--to", "v2", "--plan", "--format", "json", "-r", "w")
    try bench.write(planned.output, to: "plan")
    try replace()
    let result = try bench.run("migrate", "--apply", "plan", "--journal", "journal")
    #expect(result.status == 73, "\(result.errors)")
    #expect(result.errors.contains("is outside of the folders of the run"), "\(result.errors)")
    #expect(try bytes("victim/a") == Self.old.get())
    try putBack()
    #expect(try bench.run("migrate", "--apply", "plan", "--journal", "journal").status == 0)
    #expect(try bytes("w/a") != Self.old.get())
  }

  /// Interrupted or at its end: the journal stays as it is, byte for byte.
  @Test(arguments: [false, true])
  func anotherCommandLeavesTheJournalAlone(_ isInterrupted: Bool) throws {
    try migrate()
    if isInterrupted { try cutJournal() }
    let journal = try bytes("journal")
    let result = try bench.run("convert", "--resume", "journal")
    #expect(result.status == 65, "\(result.errors)")
    #expect(
      result.errors == "journal: error: it was not written by archtool convert\n",
      "\(result.errors)")
    #expect(try bytes("journal") == journal)
  }
}
