// Suggestions for misspelled names.

import ArchiveBasics
import CommandLineInterface
import Testing

struct SuggestionTests {
  @Test(arguments: [
    ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("dump", "dump", 0), ("dump", "DUMP", 0),
    ("dmup", "dump", 1), ("dum", "dump", 1), ("dumpp", "dump", 1), ("damp", "dump", 1),
    ("kitten", "sitting", 3), ("ca", "abc", 3), ("--formt", "--format", 1), ("naïve", "naive", 1),
  ])
  func measuresDistance(left: String, right: String, distance: Int) {
    #expect(Suggestion.distance(from: left, to: right) == distance)
    #expect(Suggestion.distance(from: right, to: left) == distance)
  }

  static let commands = ["dump", "info", "validate", "migrate", "create", "help"]

  @Test(arguments: [
    ("dmup", "dump"), ("inof", "info"), ("validte", "validate"), ("vlaidaet", "validate"),
    ("migration", "migrate"), ("migrations", nil), ("mig", "migrate"), ("creat", "create"),
    ("hlep", "help"), ("zzz", nil), ("x", nil), ("", nil), ("converter", nil),
  ])
  func findsTheNearest(typed: String, meant: String?) {
    #expect(Suggestion.nearest(to: typed, among: Self.commands) == meant)
  }

  @Test func suggestsNothingForAPrefixOfSeveral() {
    #expect(Suggestion.nearest(to: "--out", among: ["--output", "--output-dir"]) == nil)
  }

  @Test func takesTheFirstOfTwoEquallyNear() {
    #expect(Suggestion.nearest(to: "bat", among: ["cat", "rat"]) == "cat")
  }

  @Test func doesNotMeasureWhatIsFarTooLong() {
    let typed = String(repeating: "d", count: 1_000_000)
    #expect(Suggestion.nearest(to: typed, among: Self.commands) == nil)
  }
}
