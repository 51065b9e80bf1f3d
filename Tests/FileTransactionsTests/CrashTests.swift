// A run that is killed at any system call can be resumed and undone.

import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: Interposer.library != nil, "needs cc or clang, and LD_PRELOAD"))
struct CrashTests {
  /// Calls of a whole run; the tests find out how many there are.
  static let calls = "all"
  /// Kernels with and without a syncfs that is relied on.
  static let kernels: [[String: String]] = [[:], ["FAULT_RELEASE": "4.18"]]

  /// How many calls a run, a resumption or an undo makes.
  private static func count(
    _ variables: [String: String], _ body: (FleetFolder, [String: String]) throws -> Void
  )
    throws -> Int
  {
    let fleet = try FleetFolder()
    let list = fleet.bench.file("calls").path
    let counting = Interposer.environment(calls, at: 0, ["FAULT_COUNT": list])
    try body(fleet, counting.merging(variables) { $1 })
    return try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n").count
  }

  @Test(arguments: kernels)
  func everyCrashOfARunCanBeResumed(_ kernel: [String: String]) throws {
    let count = try Self.count(kernel) { _ = try $0.run($1) }
    #expect(count > 40)
    // The older kernel differs in how bytes become durable only: some of its calls will do.
    for number in stride(from: 1, through: count, by: kernel.isEmpty ? 1 : 4) {
      let fleet = try FleetFolder()
      let killed = try fleet.run(
        Interposer.environment(Self.calls, at: number).merging(kernel) { $1 })
      #expect(killed.status == -9, "call \(number)")
      #expect(try fleet.broken() == [], "after call \(number)")
      let hasJournal = try Self.headerIsWhole(fleet)
      if !hasJournal {
        // Nothing was touched before the journal's first line was durable.
        #expect(try fleet.contents() == FleetFolder.contentBefore)
        continue
      }
      let resumed = try fleet.resume()
      #expect(resumed.status == 0, "after call \(number): \(resumed.text)")
      #expect(try fleet.contents() == FleetFolder.contentAfter, "after call \(number)")
      #expect(try fleet.undo().status == 0)
      #expect(try fleet.facts() == fleet.factsBefore, "after call \(number)")
    }
  }

  @Test func everyCrashOfARunCanBeUndone() throws {
    let count = try Self.count([:]) { _ = try $0.run($1) }
    for number in 1...count {
      let fleet = try FleetFolder()
      _ = try fleet.run(Interposer.environment(Self.calls, at: number, ["FAULT_AFTER": "1"]))
      guard try Self.headerIsWhole(fleet) else { continue }
      let undone = try fleet.undo()
      #expect(undone.status == 0, "after call \(number): \(undone.text)")
      #expect(try fleet.facts() == fleet.factsBefore, "after call \(number)")
    }
  }

  @Test func everyCrashOfAnUndoCanBeUndoneAgain() throws {
    let count = try Self.count([:]) { fleet, counting in
      _ = try fleet.run()
      _ = try fleet.undo([], counting)
    }
    #expect(count > 10)
    for number in 1...count {
      let fleet = try FleetFolder()
      _ = try fleet.run()
      let killed = try fleet.undo([], Interposer.environment(Self.calls, at: number))
      #expect(killed.status == -9)
      #expect(try fleet.broken() == [], "after call \(number)")
      #expect(try fleet.undo().status == 0)
      #expect(try fleet.facts() == fleet.factsBefore, "after call \(number)")
      #expect(try fleet.undo().text == "", "nothing is left to undo")
    }
  }

  @Test func everyCrashOfAResumptionCanBeResumed() throws {
    let middle = try Self.count([:]) { _ = try $0.run($1) } / 2
    let first = Interposer.environment(Self.calls, at: middle)
    let count = try Self.count([:]) { fleet, counting in
      _ = try fleet.run(first)
      _ = try fleet.resume(counting)
    }
    #expect(count > 10)
    for number in 1...count {
      let fleet = try FleetFolder()
      _ = try fleet.run(first)
      #expect(try fleet.resume(Interposer.environment(Self.calls, at: number)).status == -9)
      #expect(try fleet.resume().status == 0, "after call \(number)")
      #expect(try fleet.contents() == FleetFolder.contentAfter, "after call \(number)")
      #expect(try fleet.undo().status == 0)
      #expect(try fleet.facts() == fleet.factsBefore, "after call \(number)")
    }
  }

  private static func headerIsWhole(_ fleet: FleetFolder) throws -> Bool {
    guard FileManager.default.fileExists(atPath: fleet.journal) else { return false }
    return try Data(contentsOf: URL(fileURLWithPath: fleet.journal)).contains(UInt8(ascii: "\n"))
  }
}
