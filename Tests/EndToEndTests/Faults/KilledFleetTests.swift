// A migration of 2,000 files that is killed at any time loses nothing, and can be resumed or undone.

import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: Interposer.library != nil, "needs cc or clang, and LD_PRELOAD"))
struct KilledFleetTests {
  static let contents = Result { try FleetContents(count: 2000) }
  static let reference = Result {
    try UndisturbedRun(of: WeatherFleet(contents.get(), isLinked: true))
  }
  /// How many runs are killed for each seed.
  static let kills = 10

  /// The judge of all the others: what is called right below is right.
  @Test func foundationReadsWhatAnUndisturbedRunMade() throws {
    let reference = try Self.reference.get()
    // Some files are no archives at all: the worst status is theirs.
    #expect(reference.status == 65)
    #expect(reference.after.leftovers == [])
    for file in try Self.contents.get().files {
      let bytes = try #require(reference.after.files[file.path]).bytes
      guard file.kind == .feed else {
        #expect(bytes == file.bytes)
        continue
      }
      #expect(bytes != file.bytes)
      let data = try #require(
        try NSKeyedUnarchiver.unarchivedObject(ofClass: NSData.self, from: bytes))
      let model = try PropertyListSerialization.propertyList(from: data as Data, format: nil)
      let feed = FleetContents.feed(file.number) as NSDictionary
      #expect(feed.isEqual(model), "\(file.path)")
    }
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func aKilledRunGoesOnOrIsTakenBack(_ seed: UInt64) throws {
    let reference = try Self.reference.get()
    let fleet = try WeatherFleet(try Self.contents.get(), isLinked: true)
    let outside = try FolderFacts(fleet.outside.path)
    var killer = Killer(seed: seed, most: Self.kills)
    while killer.isAlive { try ordeal(of: fleet, &killer, reference) }
    #expect(try FolderFacts(fleet.outside.path) == outside)
  }

  /// One run from its beginning until it is taken back, killed on the way.
  private func ordeal(
    of fleet: WeatherFleet, _ killer: inout Killer, _ reference: UndisturbedRun
  ) throws {
    var result = try killer.run(
      fleet.migration(), in: fleet, calls: reference.calls.run,
      microseconds: reference.microseconds)
    try check(fleet, reference, killer)
    guard fleet.hasJournal else {
      #expect(try [65, 66].contains(fleet.run(fleet.undoing()).status))
      let now = try fleet.now()
      #expect(now.differences(from: fleet.before, times: true) == [])
      return
    }
    // Either the run goes on until it ends, or it is taken back as it is.
    while result.status == -SIGKILL, killer.isLucky() {
      result = try killer.run(
        fleet.resumption, in: fleet, calls: reference.calls.run / 4,
        microseconds: reference.microseconds / 4)
      try check(fleet, reference, killer)
    }
    if result.status != -SIGKILL {
      #expect(result.status == reference.status, "\(result.errors.suffix(500))")
      let now = try fleet.now()
      #expect(now.differences(from: reference.after) == [], "\(result.errors.suffix(1000))")
      #expect(now.leftovers == [])
    }
    repeat {
      result = try killer.run(
        fleet.undoing(), in: fleet, calls: reference.calls.undo / 2,
        microseconds: reference.microseconds / 4)
      try check(fleet, reference, killer)
    } while result.status == -SIGKILL
    #expect(result.status == 0, "\(result.errors.suffix(500))")
    let now = try fleet.now()
    #expect(now.differences(from: fleet.before, times: true) == [])
    #expect(now.leftovers == [])
  }

  /// Every file is as before or as after, and none is missing.
  private func check(
    _ fleet: WeatherFleet, _ reference: UndisturbedRun, _ killer: Killer
  ) throws {
    let broken = try fleet.now().broken(between: fleet.before, and: reference.after)
    #expect(broken == [], "after \(killer.kills) kills")
  }
}
