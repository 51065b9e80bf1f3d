// Timelines and tables of find and query, and the typed JSON of resolved values, as other programs make them.

import Foundation
import TestSupport
import Testing

@Suite struct ResultTableTests {
  /// Python makes files, and knows what has to be found in them.
  @Test(arguments: [("resolved_values", "150"), ("timeline", "25")], [1, 1001])
  func anotherProgramSaysTheSame(_ judge: (name: String, count: String), seed: Int) throws {
    let script = TestArchives.root.deletingLastPathComponent()
      .appendingPathComponent("Tests/Judges/\(judge.name).py").path
    let result = try Program.run(
      at: URL(fileURLWithPath: "/usr/bin/env"),
      ["python3", script, Program.folder + "/archtool", judge.count, "\(seed)"],
      environment: ["PYTHONDONTWRITEBYTECODE": "1"])
    #expect(result.status == 0, "\(result.text) \(result.errors)")
  }

  @Test(
    arguments: [
      "find --type date --time-zone Mars/Phobos", "find --type date --time-zone ../etc/passwd",
      "find --type date --time-zone right/UTC", "find --type date --time-zone +2",
      "query $ --time-zone nowhere", "dump --time-zone nowhere", "dump --time-zone UTC --typed",
      "find --between 2020-01-01T00:00", "find --between ..", "find --between 2020-02-30..",
      "find --between 2020-01-02..2020-01-01", "find --between 2020-01-01T25:00:00Z..",
      "find --type url --csv-plain --format json", "find --type nothing",
      "query $ --column year", "query $ --column =@.year", "query $ --column a=@.b --column a=@.c",
      "query $ --column a=@[", "query $ --column a=@.b --format json",
      "query $ --column a=@.b --count", "query $ --column file=@.a Movie/v2",
      "dump --typed=other", "get $.name --typed=", "dump --typed --format tree",
    ])
  func refusesWhatMeansNothing(_ line: String) throws {
    let words = line.split(separator: " ").map(String.init) + ["Movie/v1"]
    let result = try Program.run("archtool", words, in: TestArchives.root)
    #expect(result.status == 64 && result.output.isEmpty, "\(result.text) \(result.errors)")
  }

  /// The word after `--typed` is a file, whatever it is called.
  @Test func theFormFollowsAnEqualsSign() throws {
    let bench = try Workbench()
    try bench.copy("Movie/v1", to: "resolved")
    let result = try bench.run("dump", "--typed", "--compact", "resolved")
    #expect(result.status == 0 && result.text.hasPrefix("{"), "\(result.errors)")
    let named = try bench.run("dump", "--typed=stored", "--compact", "resolved")
    #expect(named.text == result.text)
    let unknown = try bench.run("dump", "--resolved", "resolved")
    #expect(unknown.errors.contains("did you mean '--typed=resolved'?"))
  }

  @Test(
    arguments: [
      ("UTC", "2019-04-06T03:50:00Z"), ("-03:30", "2019-04-06T00:20:00-03:30"),
      ("Asia/Tokyo", "2019-04-06T12:50:00+09:00"), ("Etc/GMT+5", "2019-04-05T22:50:00-05:00"),
    ])
  func datesAreShownInTheZone(_ zone: String, _ text: String) throws {
    for line in ["dump", "find --type date", "query $.installed", "query --format raw $.installed"]
    {
      let result = try Program.run(
        "archtool",
        line.split(separator: " ").map(String.init)
          + ["--time-zone", zone, "Graphs/user-defaults.plist"], in: TestArchives.root)
      #expect(result.text.contains(text), "\(line): \(result.text) \(result.errors)")
    }
  }

  @Test func columnsOfOneFileHaveNoName() throws {
    let result = try Program.run(
      "archtool",
      ["query", "$", "--column", "year=@.releaseYear", "--column", "x=@.*", "Movie/v1"],
      in: TestArchives.root)
    #expect(result.text == "year,x\r\n2009,\"[\"\"James Cameron\"\",\"\"Avatar\"\",2009]\"\r\n")
    let none = try Program.run(
      "archtool", ["query", "$.nothing", "--column", "a=@", "Movie/v1", "Movie/v2"],
      in: TestArchives.root)
    #expect(none.text == "file,a\r\n" && none.status == 1)
  }

  /// A negative number is a number in a spreadsheet; a text that begins as a formula is not run.
  @Test func numbersAreNoFormulas() throws {
    let bench = try Workbench(["a.json": #"{"n": -1.5, "s": "-1.5"}"#])
    let result = try bench.run("query", "$", "--column", "n=@.n", "--column", "s=@.s", "a.json")
    #expect(result.text == "n,s\r\n-1.5,'-1.5\r\n")
  }
}
