// Failing calls and signals: no lock and no temporary file remains, and nothing waits forever.

import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: Interposer.library != nil, "needs cc or clang, and LD_PRELOAD"))
struct LeftFileTests {
  private let bench: Workbench

  init() throws {
    bench = try Workbench()
    try bench.copy("WeatherFeed/v1-1-city", to: "files/feed")
  }

  private func names(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: bench.url(folder).path).sorted()
  }

  @Test func aLockWhoseRemovalFailsOnceGoesAllTheSame() throws {
    let result = try bench.run(
      ["migrate", "--to", "v2", "--in-place", "--no-journal", "-r", "files"],
      environment: Interposer.environment(
        "unlink", at: 1, error: EIO, ["FAULT_PATH": "/.archtool-lock$"]))
    #expect(result.status == 0, "\(result.errors)")
    #expect(try names("files") == ["feed"])
  }

  @Test func aLockThatCannotBeInspectedEndsTheRun() throws {
    let before = try Data(contentsOf: bench.url("files/feed"))
    let run = try Program.start(
      "archtool", ["migrate", "--to", "v2", "--in-place", "--no-journal", "-r", "files"],
      in: bench.url("."),
      environment: Interposer.environment(
        "fstat", at: 1, error: EIO, ["FAULT_PATH": "/.archtool-lock$", "FAULT_LAST": "1"]))
    for _ in 0..<600 where run.isRunning { usleep(100_000) }
    let ended = !run.isRunning
    run.send(SIGKILL)
    #expect(ended)
    let result = try run.result()
    #expect(result.status == 74, "\(result.errors)")
    #expect(try Data(contentsOf: bench.url("files/feed")) == before)
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
  func aSignalTakesTheTemporaryFileAway(_ signal: Int32) throws {
    let run = try Program.start(
      "archtool", ["convert", "--to", "xml1", "-o", "files/out", "files/feed"], in: bench.url("."),
      environment: Interposer.environment(
        "fsync", at: 1, ["FAULT_PATH": "/.archtool-", "FAULT_STOP": "1"]))
    #expect(run.isStopped())
    #expect(try names("files").count == 2)
    run.send(signal)
    run.send(SIGCONT)
    #expect(try run.result().status == -signal)
    #expect(try names("files") == ["feed"])
  }

  /// A lock that stays holds nobody up, and is told.
  @Test func aLockThatNeverGoesIsReported() throws {
    let migration = ["migrate", "--to", "v2", "--in-place", "--no-journal", "-r", "files"]
    let result = try bench.run(
      migration,
      environment: Interposer.environment(
        "unlink", at: 1, error: EIO, ["FAULT_PATH": "/.archtool-lock$", "FAULT_LAST": "1"]))
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.errors.contains("files/.archtool-lock: warning: archtool made this file"),
      "\(result.errors)")
    #expect(try names("files") == [".archtool-lock", "feed"])
    let next = try bench.run(migration)
    #expect(next.status == 0 && !next.errors.contains("warning"), "\(next.errors)")
    #expect(try names("files") == ["feed"])
  }

  /// What a resumption cannot remove, a later one does, or an undo, although nothing else is left to do.
  @Test(arguments: [["migrate", "--resume"], ["undo"]])
  func aTemporaryFileIsTriedAgain(_ later: [String]) throws {
    let killed = try bench.run(
      ["migrate", "--to", "v2", "--in-place", "--journal", "journal", "-r", "files"],
      environment: Interposer.environment("renameat", at: 1))
    #expect(killed.status == -SIGKILL)
    let resumed = try bench.run(
      ["migrate", "--resume", "journal"],
      environment: Interposer.environment(
        "unlinkat", at: 1, error: EIO, ["FAULT_PATH": ".archtool-", "FAULT_LAST": "1"]))
    #expect(resumed.status == 0, "\(resumed.errors)")
    #expect(resumed.errors.contains("warning: archtool made this file"), "\(resumed.errors)")
    #expect(try names("files").count > 1)
    let again = try bench.run(later + ["journal"])
    #expect(again.status == 0, "\(again.errors)")
    #expect(try names("files") == ["feed"])
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
  func aPipeThatNobodyWritesIsLeft(_ signal: Int32) throws {
    #expect(mkfifo(bench.url("pipe").path, 0o600) == 0)
    let run = try Program.start(
      "archtool", ["migrate", "--to", "v2", "-n", "pipe"], in: bench.url("."),
      environment: Interposer.environment("none", at: 0))
    // It waits in poll(2), which the system shows.
    for _ in 0..<600 where !(Self.isPolling(run.identifier)) { usleep(10_000) }
    run.send(signal)
    for _ in 0..<600 where run.isRunning { usleep(100_000) }
    #expect(!run.isRunning)
    run.send(SIGKILL)
    #expect(try run.result().status == 128 + signal)
  }

  /// Whether a thread of a process waits in poll(2) and none still starts.
  private static func isPolling(_ process: Int32) -> Bool {
    let tasks = "/proc/\(process)/task"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
    return names.contains { name in
      (try? String(contentsOfFile: "\(tasks)/\(name)/wchan", encoding: .utf8))?
        .contains("poll") == true
    }
  }

  /// A journal whose first line was cut is not that of a run that did nothing: its backups tell.
  @Test(arguments: [0, 1, 40]) func aCutJournalIsNotToBeDeleted(_ length: Int) throws {
    #expect(
      try bench.run(
        ["migrate", "--to", "v2", "--in-place", "--journal", "journal", "-r", "files"]
      ).status == 0)
    let journal = bench.url("journal")
    try Data(contentsOf: journal).prefix(length).write(to: journal)
    for command in [["undo"], ["migrate", "--resume"], ["journal", "show"]] {
      let result = try bench.run(command + ["journal"])
      #expect(result.status == 65, "\(result.errors)")
      #expect(result.errors.contains("journal.backup contains old files of its run; keep both"))
      #expect(!result.errors.contains("delete"), "\(result.errors)")
    }
  }

  /// The Swift runtime would start a program that lies beside this one.
  @Test func aCrashStartsNoOtherProgram() throws {
    let run = try Program.start(
      "archtool", ["convert", "--to", "xml1", "-o", "files/out", "files/feed"], in: bench.url("."),
      environment: Interposer.environment(
        "fsync", at: 1,
        [
          "FAULT_PATH": "/.archtool-", "FAULT_STOP": "1",
          "SWIFT_BACKTRACE": "enable=yes,color=no",
        ]))
    #expect(run.isStopped())
    run.send(SIGSEGV)
    run.send(SIGCONT)
    let result = try run.result()
    #expect(result.status == -SIGSEGV)
    #expect(!result.errors.contains("Backtrace") && !result.errors.contains("crash"))
  }
}
