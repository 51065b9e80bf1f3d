// `-q` suppresses notes, verdicts and summaries, but not data, warnings and errors.

import Foundation
import TestSupport
import Testing

@Suite struct QuietTests {
  private func bench() throws -> Workbench {
    let bench = try Workbench([
      "twice.plist":
        "<plist version=\"1.0\"><dict><key>a</key><true/><key>a</key><false/></dict></plist>"
    ])
    try bench.copy("Movie/v1", to: "movie")
    try bench.copy("Movie/v2", to: "current")
    try bench.copy("Graphs/conditional", to: "conditional")
    return bench
  }

  @Test(arguments: [
    ["dump", "twice.plist"], ["info", "twice.plist"], ["validate", "--format-only", "twice.plist"],
    ["validate", "--format-only", "--rule", "ambiguous-null=warning", "conditional"],
    ["convert", "--to", "json", "twice.plist"], ["info", "--include", "none", "movie"],
    ["rename-class", "-c", "A*=AB*", "-n", "movie"],
    ["schema", "check", TestArchives.root.appendingPathComponent("Families/Recipe").path],
  ]) func warningsStay(_ command: [String]) throws {
    let bench = try bench()
    let loud = try bench.run(command)
    let quiet = try bench.run(command + ["-q"])
    let warnings = { (text: String) in
      text.split(separator: "\n").filter { $0.contains("warning:") }
    }
    #expect(!warnings(loud.errors).isEmpty, "\(loud.errors)")
    #expect(warnings(quiet.errors) == warnings(loud.errors))
    #expect(quiet.status == loud.status)
  }

  @Test(arguments: [
    ["validate", "movie", "current"], ["migrate", "--to", "v2", "--in-place", "movie", "current"],
    ["create", "--schema", "Movie@v2", "movie.json", "-o", "made"], ["undo", "journal"],
    ["schema", "infer", "--family", "F", "--version", "v1", "current"],
  ]) func notesGo(_ command: [String]) throws {
    let bench = try bench()
    try bench.write(#"{"name":"a","director":"b","releaseYear":1}"#, to: "movie.json")
    if command[0] == "undo" {
      try bench.run("migrate", "--to", "v2", "--in-place", "--journal", "journal", "movie")
    }
    let quiet = try bench.run(command + ["-q"])
    #expect(quiet.status == 0, "\(quiet.errors)")
    #expect(quiet.text.isEmpty && quiet.errors.isEmpty, "\(quiet.text)\(quiet.errors)")
  }

  /// An excerpt is asked for, and is data about an error.
  @Test func explanationsStay() throws {
    let bench = try bench()
    let wrong = TestArchives.root.appendingPathComponent("Broken/movie-year-string").path
    let loud = try bench.run("validate", "--explain", wrong)
    let quiet = try bench.run("validate", "--explain", "-q", wrong)
    #expect(quiet.errors == loud.errors)
    #expect(quiet.text.isEmpty)
  }

  /// Every file has a verdict, also one that cannot be read.
  @Test func everyFileHasAVerdict() throws {
    let bench = try bench()
    try bench.write("", to: "empty")
    let result = try bench.run("validate", "empty", "movie", "nowhere", "current")
    let lines = result.text.split(separator: "\n").map { $0.prefix { $0 != "," } }
    #expect(
      lines == [
        "empty: cannot be decoded", "movie: valid", "nowhere: cannot be opened", "current: valid",
      ])
  }
}
