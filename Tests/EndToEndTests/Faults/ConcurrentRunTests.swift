// Two simultaneous runs over one folder, and runs that Ctrl-C ends.

import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: Interposer.library != nil, "needs cc or clang, and LD_PRELOAD"))
struct ConcurrentRunTests {
  static let contents = Result { try FleetContents(count: 120) }
  static let reference = Result { try UndisturbedRun(of: WeatherFleet(contents.get())) }
  /// Stops a run when it replaces its third file.
  static let once = ["FAULT_STOP": "1", "FAULT_PATH": "feed-"]

  let fleet: WeatherFleet
  let reference: UndisturbedRun

  init() throws {
    reference = try Self.reference.get()
    fleet = try WeatherFleet(try Self.contents.get())
  }

  /// A run that is stopped while it replaces files.
  private func stopped(
    at calls: String = "renameat", _ stops: [String: String] = once
  ) throws -> RunningProgram {
    let run = try fleet.start(
      fleet.migration(), Interposer.environment(calls, at: 3, stops))
    try #require(run.isStopped())
    return run
  }

  @Test func theSecondRunSaysWhoWorksInTheFolder() throws {
    let first = try stopped()
    let second = try fleet.run(fleet.migration())
    #expect(second.status == 73)
    #expect(second.errors.contains("is in use by process \(first.identifier) of "))
    #expect(second.errors.contains("--wait"))
    // The folder below is taken with the one above.
    let below = ["migrate", "--to", "v2", "--in-place", "--no-journal", "-r", "files/region-0"]
    #expect(try fleet.run(below).status == 73)
    let met = try fleet.now()
    #expect(met.broken(between: fleet.before, and: reference.after) == [])
    first.send(SIGCONT)
    #expect(try first.result().status == 0)
    let now = try fleet.now()
    #expect(now.differences(from: reference.after) == [])
    #expect(now.leftovers == [])
  }

  @Test func theSecondRunWaits() throws {
    let first = try stopped()
    let second = try fleet.start(fleet.migration("--wait"))
    usleep(300_000)
    #expect(second.isRunning)
    first.send(SIGCONT)
    #expect(try first.result().status == 0)
    let result = try second.result()
    #expect(result.status == 0)
    #expect(result.errors.contains("120 files: 120 already current"), "\(result.errors)")
    let now = try fleet.now()
    #expect(now.differences(from: reference.after) == [])
    #expect(now.leftovers == [])
  }

  @Test func neitherUndoNorResumeDisturbARun() throws {
    let killed = fleet.migration()
    _ = try fleet.run(killed, Interposer.environment("renameat", at: 9))
    let (undo, resume) = (fleet.undoing(), fleet.resumption)
    let other = try stopped()
    for command in [undo, resume] {
      let result = try fleet.run(command)
      #expect(result.status == 73, "\(command)")
      #expect(result.errors.contains("is in use by process"), "\(result.errors)")
    }
    // The journal of the run itself is in its hands.
    for command in [fleet.undoing(), fleet.resumption] {
      let result = try fleet.run(command)
      #expect(result.status == 73)
      #expect(result.errors.contains("the journal is in use by another process"))
    }
    other.send(SIGCONT)
    #expect(try other.result().status == 0)
    #expect(try fleet.now().differences(from: reference.after) == [])
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func aSignalEndsARunThatGoesOnLater(_ signal: Int32) throws {
    let run = try stopped()
    run.send(signal)
    run.send(SIGCONT)
    let result = try run.result()
    #expect(result.status == 128 + signal, "\(result.errors)")
    #expect(result.errors.contains("archtool migrate --resume "), "\(result.errors)")
    let met = try fleet.now()
    #expect(met.broken(between: fleet.before, and: reference.after) == [])
    #expect(met.leftovers == [])
    #expect(!met.differences(from: reference.after).isEmpty)
    try goesOn()
  }

  @Test func aSecondSignalEndsARunAtOnce() throws {
    // At every file from the third on, and when the lock goes at the end.
    let run = try stopped(at: "renameat,unlink", ["FAULT_STOP": "1", "FAULT_LAST": "1"])
    run.send(SIGINT)
    run.send(SIGCONT)
    // It finishes what it began, and stops on the way.
    try #require(run.isStopped())
    run.send(SIGINT)
    run.send(SIGCONT)
    #expect(try run.result().status == -SIGINT)
    #expect(try fleet.now().broken(between: fleet.before, and: reference.after) == [])
    try goesOn()
  }

  private func goesOn() throws {
    let resumed = try fleet.run(fleet.resumption)
    #expect(resumed.status == 0, "\(resumed.errors)")
    let now = try fleet.now()
    #expect(now.differences(from: reference.after) == [])
    #expect(now.leftovers == [])
  }
}
