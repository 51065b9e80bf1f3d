// Inputs on several threads: the output and its order are the same as on one thread.

import Foundation
import TestSupport
import Testing

@Suite struct JobsTests {
  private let bench: Workbench

  init() throws {
    let names = [
      "Movie/v1", "Movie/v2", "Broken/empty", "Broken/truncated", "Broken/movie-year-string",
      "WeatherFeed/v1-1-city-xml", "Graphs/user-defaults.plist", "Broken/dangling-uid",
    ]
    bench = try Workbench()
    for round in 0..<12 {
      for (number, name) in names.enumerated() {
        try bench.copy(name, to: "in/\(round)-\(number)")
      }
    }
    try bench.write("no archive", to: "in/3-text")
    // So large that it is shown as it is read, while others wait for their turn in memory.
    let words = (0..<300_000).map { "\"word \($0)\"" }
    try bench.write("[\(words.joined(separator: ","))]", to: "in/5-large")
  }

  @Test(arguments: [
    [], ["--explain"], ["--max-errors", "1"], ["--format", "json"], ["--format", "ndjson"],
    ["--format", "sarif"], ["--format", "junit"], ["--format", "github"],
    ["--format-only", "--lint"], ["-q"],
    ["--fail-fast"], ["--fail-fast", "--format", "json"], ["--at", "$.WeatherFeed"],
    ["--schema", "Movie@v2"], ["--include", "nothing"],
  ])
  func validatesTheSameWhateverTheThreads(_ options: [String]) throws {
    try saysTheSame(["validate"] + options)
  }

  @Test(arguments: [
    ["dump"], ["dump", "--format", "json"], ["dump", "--typed", "--compact"],
    ["dump", "--recover", "--offsets"], ["dump", "--at", "$.WeatherFeed"], ["dump", "-o", "-"],
    ["dump", "--hex", "$.title", "-q"], ["info"], ["info", "--format", "json"],
    ["info", "--at", "$.*"], ["classes"], ["classes", "--fail-fast"],
    ["query", "--count", "--fail-fast", "$..name"], ["find", "--key", "name", "--fail-fast"],
  ])
  func showsTheSameWhateverTheThreads(_ command: [String]) throws {
    try saysTheSame(command)
  }

  private func saysTheSame(_ command: [String]) throws {
    let results = try ["1", "2", "7"].map { jobs in
      try bench.run(command + ["-j", jobs, "-r", "in"])
    }
    #expect(results[0].errors.isEmpty == false)
    for result in results.dropFirst() {
      #expect(result.status == results[0].status)
      #expect(result.output == results[0].output)
      #expect(withoutTime(result.errors) == withoutTime(results[0].errors))
    }
  }

  /// Messages without the duration of the run.
  private func withoutTime(_ messages: String) -> String {
    messages.replacing(/, in [0-9.]+ s\n/, with: "\n")
  }
}
