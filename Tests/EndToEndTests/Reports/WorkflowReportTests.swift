// Workflow commands of GitHub Actions: one line per problem, and no text of an input can start a command.

import Foundation
import TestSupport
import Testing

@Suite struct WorkflowReportTests {
  /// A command taken apart as the runner does it (actions/toolkit, docs/commands.md).
  private struct Command {
    let name: String
    var properties: [String: String] = [:]
    let message: String

    init?(_ line: Substring) {
      guard let match = line.wholeMatch(of: /::(\w+) ([^:]*)::(.*)/) else { return nil }
      name = String(match.1)
      message = match.3.removingPercentEncoding ?? ""
      for property in match.2.split(separator: ",") {
        let parts = property.split(separator: "=", maxSplits: 1)
        properties[String(parts[0])] = parts[1].removingPercentEncoding
      }
    }
  }

  private static func commands(_ output: String) throws -> [Command] {
    try output.split(separator: "\n").map { try #require(Command($0), "\($0)") }
  }

  @Test(arguments: [
    ("Broken/movie-year-string", "error", "type", nil, nil),
    ("Broken/bad-trailer", "error", "bad-trailer", nil, nil),
    ("lines.json", "error", "unreadable", "2", "3"),
  ])
  func eachProblemIsACommand(
    _ name: String, _ kind: String, _ rule: String, _ line: String?, _ column: String?
  ) throws {
    let bench = try Workbench()
    if name.contains("/") {
      try bench.copy(name, to: "in")
    } else {
      try bench.write("{\"a\": 1,\n  b}", to: "in")
    }
    let result = try bench.run(["validate", "--format", "github", "in"])
    let first = try #require(try Self.commands(result.text).first)
    #expect(first.name == kind)
    #expect(first.properties["file"] == "in")
    #expect(first.properties["title"] == rule)
    #expect(first.properties["line"] == line)
    #expect(first.properties["col"] == column)
    #expect(first.message.hasPrefix(line == nil ? "in@" : "in:"))
  }

  @Test func aNameOfAFileIsNoCommand() throws {
    let bench = try Workbench()
    let name = "a\n::warning file=x,y%0A::b"
    try bench.write("no archive", to: name)
    let result = try bench.run(["validate", "--format", "github", name])
    let commands = try Self.commands(result.text)
    #expect(commands.count == 1)
    #expect(commands.first?.name == "error")
    #expect(commands.first?.properties["file"] == name)
  }

  @Test func whatIsValidHasNone() throws {
    let words = ["validate", "--format", "github", "Movie/v2"]
    let result = try Program.run(arguments: words)
    #expect(result.status == 0)
    #expect(result.text.isEmpty)
  }
}
