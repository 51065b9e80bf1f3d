// Kills archtool at random times: at a system call, or at any other time.

import Foundation
import TestSupport

/// Decides when a run dies; a seed tells all.
struct Killer {
  private var random: SeededNumbers
  /// How many runs it has killed.
  private(set) var kills = 0
  let most: Int

  /// Begins with a seed.
  ///
  /// - Parameter most: how many runs it kills, after which all come to their end.
  init(seed: UInt64, most: Int) {
    random = SeededNumbers(seed: seed)
    self.most = most
  }

  /// Whether there are runs left to be killed.
  var isAlive: Bool { kills < most }

  /// True three times of four.
  mutating func isLucky() -> Bool { Int.random(in: 0..<4, using: &random) > 0 }

  /// Runs archtool, and kills it unless it ends before.
  ///
  /// - Parameters:
  ///   - calls: how many system calls it would make.
  ///   - microseconds: how long it would take.
  mutating func run(
    _ arguments: [String], in fleet: WeatherFleet, calls: Int, microseconds: Int
  ) throws -> ProgramResult {
    guard isAlive else { return try fleet.run(arguments) }
    let program: RunningProgram
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      program = try fleet.start(arguments)
      usleep(UInt32(Int.random(in: 0...max(microseconds, 1), using: &random)))
      program.send(SIGKILL)
    case let way:
      let number = Int.random(in: 1...max(calls, 1), using: &random)
      let after = way == 1 ? ["FAULT_AFTER": "1"] : [:]
      program = try fleet.start(arguments, Interposer.environment("all", at: number, after))
    }
    let result = try program.result()
    if result.status == -SIGKILL { kills += 1 }
    return result
  }
}
