// The result of an undisturbed migration of a fleet, as the reference for disturbed ones.

import Foundation
import TestSupport
import Testing

/// The end of a run, and how far it is to there.
struct UndisturbedRun: Sendable {
  let status: Int32
  let after: FolderFacts
  /// The system calls of interpose.c that the run made, and its undo; empty where nothing counts them.
  let names: (run: [Substring], undo: [Substring])
  /// How many they are.
  var calls: (run: Int, undo: Int) { (names.run.count, names.undo.count) }
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
    let names = try (Interposer.library == nil ? [] : lists).map { list in
      try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n")
        .map { $0.prefix { $0 != " " } }
    }
    self.names = (names.first ?? [], names.last ?? [])
  }
}
