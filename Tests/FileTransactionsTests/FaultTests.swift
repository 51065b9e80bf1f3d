// System calls that fail: the item is unchanged, and the others continue; a journal that fails ends the run.

import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: Interposer.library != nil, "needs cc or clang, and LD_PRELOAD"))
struct FaultTests {
  /// Calls that fail once, each with the path that tells which call is meant.
  ///
  /// The first file that is written is the lock.
  static let faults: [(call: String, number: Int, path: String, error: Int32)] = [
    ("renameat", 1, "a", EACCES), ("renameat", 1, "found", EIO), ("renameat", 1, "lost", EIO),
    ("write", 2, ".archtool-", ENOSPC), ("syncfs", 1, "/", EIO), ("rename", 1, "sha256", ENOSPC),
    ("mkdir", 1, "sha256/", ENOSPC),
  ]

  @Test(arguments: faults.indices)
  func aFailureLeavesItsItemAsItWas(_ index: Int) throws {
    let fault = Self.faults[index]
    let fleet = try FleetFolder()
    let result = try fleet.run(
      Interposer.environment(
        fault.call, at: fault.number, error: fault.error, ["FAULT_PATH": fault.path]))
    #expect(result.status == 0, "\(result.text)")
    #expect(result.text.contains("failed"), "\(result.text)")
    #expect(try fleet.broken() == [])
    #expect(try fleet.contents().keys.allSatisfy { !$0.hasPrefix(".archtool-") })
    #expect(try fleet.undo().status == 0)
    #expect(try fleet.facts() == fleet.factsBefore)
  }

  @Test(arguments: [("fsync", EIO), ("write", ENOSPC)])
  func aJournalThatFailsEndsTheRun(_ call: String, _ error: Int32) throws {
    let count = try calls(call, on: "/journal$")
    #expect(count > 3)
    for number in 2...count {
      let fleet = try FleetFolder()
      let result = try fleet.run(
        Interposer.environment(call, at: number, error: error, ["FAULT_PATH": "/journal$"]))
      #expect(result.status == 74, "\(number): \(result.text)")
      #expect(try fleet.broken() == [])
      #expect(try fleet.contents().keys.allSatisfy { !$0.hasPrefix(".archtool-") })
      let resumed = try fleet.resume()
      #expect(resumed.status == 0, "\(number): \(resumed.text)")
      #expect(try fleet.contents() == FleetFolder.contentAfter)
      #expect(try fleet.undo().status == 0)
      #expect(try fleet.facts() == fleet.factsBefore)
    }
  }

  /// An old file is looked at once more after it was moved away: if that fails, it comes back with its item.
  @Test func aFailedLookLeavesAnItemWithTheFilesBesideIt() throws {
    let calls = "openat,fstat,read"
    let count = try self.calls(calls, on: ".archtool-")
    #expect(count > 3)
    for number in 1...count {
      let fleet = try FleetFolder()
      let result = try fleet.run(
        Interposer.environment(calls, at: number, error: EIO, ["FAULT_PATH": ".archtool-"]))
      let now = try fleet.contents()
      #expect(try fleet.broken() == [], "\(number): \(result.text)")
      let isOld = now["found"] == FleetFolder.contentBefore["found"]
      #expect(isOld == (now["found.lost.json"] != nil), "\(number): \(result.text)")
    }
  }

  /// How often a run makes some calls on a path.
  private func calls(_ calls: String, on path: String) throws -> Int {
    let fleet = try FleetFolder()
    let list = fleet.bench.file("calls").path
    _ = try fleet.run(
      Interposer.environment(calls, at: 0, ["FAULT_COUNT": list, "FAULT_PATH": path]))
    return try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n").count
  }

  /// Every call that touches the user's files or the backups fails once; nothing is lost, whatever comes of it.
  @Test(arguments: CrashTests.kernels)
  func noFailureLosesAnything(_ kernel: [String: String]) throws {
    let calls = "fsync,syncfs,rename,renameat,linkat,unlinkat,mkdir,write"
    let probe = try FleetFolder()
    let list = probe.bench.file("calls").path
    let counting = Interposer.environment(calls, at: 0, ["FAULT_COUNT": list])
    _ = try probe.run(counting.merging(kernel) { $1 })
    let count = try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n").count
    for number in 1...count {
      let fleet = try FleetFolder()
      let fault = Interposer.environment(calls, at: number, error: EIO).merging(kernel) { $1 }
      let result = try fleet.run(fault)
      #expect(result.status >= 0, "\(number): \(result.text)")
      #expect(try fleet.broken() == [], "\(number): \(result.text)")
      guard FileManager.default.fileExists(atPath: fleet.journal) else { continue }
      guard result.status == 0 else { continue }
      #expect(try fleet.undo().status == 0, "\(number): \(result.text)")
      #expect(try fleet.facts() == fleet.factsBefore, "\(number): \(result.text)")
    }
  }
}
