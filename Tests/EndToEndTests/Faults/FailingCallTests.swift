// System calls that fail in a run over many files: nothing is lost, and the run continues once they succeed.

import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: Interposer.library != nil, "needs cc or clang, and LD_PRELOAD"))
struct FailingCallTests {
  /// A call, what it fails with, and whether it fails from then on.
  struct Fault: Sendable, CustomTestStringConvertible {
    let call: String
    let error: Int32
    let isLasting: Bool
    /// How far into the run, in hundredths.
    let share: Int

    var testDescription: String {
      "\(call) \(error)\(isLasting ? " from" : " at") \(share) percent"
    }
  }

  static let faults: [Fault] = [
    ("fsync", EIO), ("syncfs", EIO), ("syncfs", ENOSPC), ("renameat", EIO), ("renameat", EACCES),
    ("write", ENOSPC), ("rename", ENOSPC), ("mkdir", ENOSPC),
  ].flatMap { call, error in
    [5, 40, 95].flatMap { share in
      [false, true].map { Fault(call: call, error: error, isLasting: $0, share: share) }
    }
  }

  static let contents = Result { try FleetContents(count: 120) }
  static let reference = Result { try UndisturbedRun(of: WeatherFleet(contents.get())) }

  /// The variables for a fault in a command that makes so many of its calls.
  private static func variables(_ fault: Fault, of count: Int) -> [String: String] {
    Interposer.environment(
      fault.call, at: max(1, count * fault.share / 100), error: fault.error,
      fault.isLasting ? ["FAULT_LAST": "1"] : [:])
  }

  @Test(arguments: faults)
  func aRunThatMeetsItGoesOnLater(_ fault: Fault) throws {
    let reference = try Self.reference.get()
    let fleet = try WeatherFleet(try Self.contents.get())
    let count = reference.names.run.count { $0 == fault.call }
    let result = try fleet.run(fleet.migration(), Self.variables(fault, of: count))
    #expect([0, 73, 74].contains(result.status), "\(result.errors)")
    let met = try fleet.now()
    #expect(met.broken(between: fleet.before, and: reference.after) == [])
    #expect(met.leftovers == [])
    if result.status == 0 { #expect(met.differences(from: reference.after) == []) }
    guard fleet.hasJournal else {
      #expect(met.differences(from: fleet.before, times: true) == [])
      return
    }
    let resumed = try fleet.run(fleet.resumption)
    #expect(resumed.status == 0, "\(resumed.errors)")
    let now = try fleet.now()
    #expect(now.differences(from: reference.after) == [], "\(result.errors)\n\(resumed.errors)")
    #expect(now.leftovers == [])
    #expect(try fleet.run(fleet.undoing()).status == 0)
    let last = try fleet.now()
    #expect(last.differences(from: fleet.before, times: true) == [])
  }

  @Test(arguments: faults.filter { ["fsync", "renameat", "write"].contains($0.call) })
  func anUndoThatMeetsItIsDoneAgain(_ fault: Fault) throws {
    let reference = try Self.reference.get()
    let fleet = try WeatherFleet(try Self.contents.get())
    #expect(try fleet.run(fleet.migration()).status == 0)
    let count = reference.names.undo.count { $0 == fault.call }
    let undone = try fleet.run(fleet.undoing(), Self.variables(fault, of: count))
    #expect([1, 73, 74].contains(undone.status), "\(undone.errors)")
    let met = try fleet.now()
    #expect(met.broken(between: fleet.before, and: reference.after) == [])
    let again = try fleet.run(fleet.undoing())
    #expect(again.status == 0, "\(undone.errors)\n\(again.errors)")
    let now = try fleet.now()
    #expect(now.differences(from: fleet.before, times: true) == [])
    #expect(now.leftovers == [])
  }
}
