// Calls that fail and signals that come: no lock, no temporary file stays, and nothing waits for ever.

import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: Interposer.library != nil, "needs cc and LD_PRELOAD"))
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
