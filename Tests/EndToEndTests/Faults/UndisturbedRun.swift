// What a migration that nothing disturbs makes of a fleet: by that the disturbed ones are judged.

import Foundation
import TestSupport
import Testing

/// The end of a run, and how far it is to there.
struct UndisturbedRun: Sendable {
  let status: Int32
  let after: FolderFacts
  /// How many system calls of interpose.c the run made, and its undo.
  let calls: (run: Int, undo: Int)
  let microseconds: Int

  /// Migrates a fleet and takes that back.
  init(of fleet: WeatherFleet) throws {
    let lists = ["calls-of-run", "calls-of-undo"].map { fleet.bench.file($0).path }
    let start = Date()
    let result = try fleet.run(
      fleet.migration(), Interposer.environment("all", at: 0, ["FAULT_COUNT": lists[0]]))
    microseconds = Int(-start.timeIntervalSinceNow * 1e6)
    status = result.status
    after = try fleet.now()
    _ = try fleet.run(
      fleet.undoing(), Interposer.environment("all", at: 0, ["FAULT_COUNT": lists[1]]))
    let counts = try lists.map {
      try String(contentsOfFile: $0, encoding: .utf8).split(separator: "\n").count
    }
    calls = (counts[0], counts[1])
  }
}
