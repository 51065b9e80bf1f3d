// Resumed runs keep the options of their command line: lists of files, fail-fast, another command.

import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: Interposer.library != nil, "needs cc or clang, and LD_PRELOAD"))
struct ContinuedRunTests {
  static let contents = Result { try FleetContents(count: 60) }
  static let reference = Result { try UndisturbedRun(of: WeatherFleet(contents.get())) }

  let fleet: WeatherFleet
  let reference: UndisturbedRun

  init() throws {
    reference = try Self.reference.get()
    fleet = try WeatherFleet(try Self.contents.get())
  }

  private func check(_ result: ProgramResult, _ status: Int32 = 0) throws {
    #expect(result.status == status, "\(result.errors)")
    let now = try fleet.now()
    #expect(now.differences(from: reference.after) == [])
    #expect(now.leftovers == [])
  }

  /// The list is gone when the run goes on, be it a file or standard input.
  @Test(arguments: ["list", "-"], [1, 30])
  func filesOfAListAreAllDone(_ list: String, _ number: Int) throws {
    let paths = fleet.contents.files.map { "files/\($0.path)\n" }.joined()
    try Data(paths.utf8).write(to: fleet.bench.file("list"))
    let arguments = fleet.migration().dropLast(2) + ["--files-from", list]
    let fault = Interposer.environment("renameat", at: number)
    let killed = try fleet.run(
      Array(arguments), fault, input: Data(list == "-" ? paths.utf8 : "".utf8))
    #expect(killed.status == -SIGKILL)
    try FileManager.default.removeItem(at: fleet.bench.file("list"))
    try check(try fleet.run(fleet.resumption))
    #expect(try fleet.run(fleet.undoing()).status == 0)
    #expect(try fleet.now().differences(from: fleet.before, times: true) == [])
  }

  /// What lies in the folder already is this run's own.
  ///
  /// A file system that cannot rename to a new name gives the file a second name, and then takes the first away.
  @Test(arguments: [("renameat", 1), ("renameat", 30), ("linkat", 1), ("linkat", 30)])
  func anOutputFolderIsCompleted(_ call: String, _ number: Int) throws {
    let isOld = call == "linkat"
    let journal = fleet.bench.file("journal-of-copies").path
    let killed = try fleet.run(
      ["migrate", "--to", "v2", "--output-dir", "out", "--journal", journal, "-r", "files"],
      Interposer.environment(
        call, at: number, isOld ? ["FAULT_NO_EXCHANGE": "1", "FAULT_PATH": "feed-"] : [:]))
    #expect(killed.status == -SIGKILL)
    let resumed = try fleet.run(["migrate", "--resume", journal])
    #expect(resumed.status == 0, "\(resumed.errors)")
    for file in fleet.contents.files {
      let output = fleet.bench.file("out/" + file.path)
      #expect(try fleet.run(["validate", "--schema", "WeatherFeed@v2", output.path]).status == 0)
    }
    #expect(try fleet.run(["undo", journal]).status == 0)
    #expect(try fleet.now().differences(from: fleet.before, times: true) == [])
  }

  @Test func theRestIsDoneAfterAFailure() throws {
    try Data("noise".utf8).write(to: fleet.file(10))
    #expect(try fleet.run(fleet.migration("--fail-fast")).status == 65)
    #expect(!(try fleet.now().differences(from: reference.after).isEmpty))
    try fleet.contents.files[10].bytes.write(to: fleet.file(10))
    chmod(fleet.file(10).path, fleet.contents.files[10].mode)
    try check(try fleet.run(fleet.resumption))
  }

  /// The hint names the command that goes on with the journal.
  @Test func anotherCommandGoesOnAsItself() throws {
    let journal = fleet.bench.file("journal-of-names").path
    let run = try fleet.start(
      [
        "rename-class", "--rename-class", "NSDictionary=NSDictionaryToo", "--in-place", "--journal",
        journal, "-r", "files",
      ],
      Interposer.environment("renameat", at: 3, ["FAULT_STOP": "1"]))
    try #require(run.isStopped())
    run.send(SIGINT)
    run.send(SIGCONT)
    let result = try run.result()
    #expect(result.status == 130)
    #expect(result.errors.contains("archtool rename-class --resume "), "\(result.errors)")
    #expect(try fleet.run(["migrate", "--resume", journal]).status != 0)
    let resumed = try fleet.run(["rename-class", "--resume", journal])
    #expect(resumed.status == 0, "\(resumed.errors)")
    #expect(try fleet.run(["undo", journal]).status == 0)
    #expect(try fleet.now().differences(from: fleet.before, times: true) == [])
  }
}
