// All pairs of options of every command: the rules reject a pair without a joint effect; otherwise both take effect.

import CommandLineInterface
import Foundation
import TestSupport
import Testing

@testable import ArchtoolCommands

@Suite struct OptionPairTests {
  // All pairs take minutes: `make test-pairs`. Each run of the tests tries the same twelfth of them.
  private static let isWhole = ProcessInfo.processInfo.environment["ARCHTOOL_ALL_PAIRS"] != nil

  private static func isTried(_ words: String) -> Bool {
    if isWhole { return true }
    let hash = words.utf8.reduce(14_695_981_039_346_656_037 as UInt64) {
      ($0 ^ UInt64($1)) &* 1_099_511_628_211
    }
    return (hash >> 32) % 12 == 0
  }

  @Test(arguments: PairScenario.all)
  func areRefusedOrBothShow(_ scenario: PairScenario) throws {
    let bench = try PairBench()
    let trial = PairTrial(scenario, bench)
    let names = scenario.options.keys.sorted()
    var ignored: [String] = []
    for name in names where scenario.invisible[name] == nil {
      // What shows nowhere by itself could be ignored anywhere.
      if try !trial.shows(name) { ignored.append("--\(name)") }
      // Were the same command line to come to something else, every option would seem to have an effect.
      let (once, again) = try trial.twice(name)
      #expect(once == again, "\(scenario.command) --\(name)")
    }
    for (position, first) in names.enumerated() {
      for second in names[(position + 1)...]
      where !scenario.allows(first, second)
        && Self.isTried("\(scenario.command) \(first) \(second)")
      {
        for name in try trial.idle(first, second).sorted() {
          ignored.append("--\(name) beside --\(name == first ? second : first)")
        }
      }
    }
    #expect(
      ignored.isEmpty,
      "\(scenario.command), \(trial.count) runs: \(ignored.joined(separator: ", "))")
    // Every option of every command is there, whatever file it makes. Fixtures of a built-in family are anyone's.
    let isPublic = scenario.command == "schema swift"
    let readable = bench.readable.filter { !isPublic || !$0.hasPrefix("elsewhere/") }
    #expect(readable.isEmpty, "\(scenario.command): \(readable.sorted())")
  }

  /// Options that only a terminal shows, of which a test of their own has one.
  static let shownByTerminals = ["no-pager"]

  /// Options that only databases and backups show, which the judges of both try.
  static let shownByPlaces = ["no-databases", "no-backups", "password-file"]

  /// Every command has a scenario, with every option that it has.
  @Test func coversAllOptions() {
    for command in Commands.table.commands {
      let elsewhere =
        ["help", "manual"] + Self.shownByTerminals + Self.shownByPlaces
      let options = Set(command.allOptions.map(\.name)).subtracting(elsewhere)
      let scenario = PairScenario.all.first { $0.command == command.name }
      let tried = Set(scenario?.options.keys.map { $0 } ?? []).subtracting(elsewhere)
      #expect(tried == options, "\(command.name)")
    }
  }

  /// An option that is ignored is found: colour that is left to a terminal, where there is none.
  @Test func findsAnOptionThatIsIgnored() throws {
    let scenario = PairScenario(
      command: "dump", options: ["color": "auto", "depth": "1"],
      contexts: [["@/in/movie"], ["@/in/blob-nested"]])
    let trial = PairTrial(scenario, try PairBench())
    #expect(try trial.idle("color", "depth") == ["color"])
    #expect(try !trial.shows("color"))
  }
}
