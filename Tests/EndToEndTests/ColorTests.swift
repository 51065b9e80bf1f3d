// Color on standard output: it is only added, by every command and in every format.

import CommandLineInterface
import Foundation
import TestSupport
import Testing

@testable import ArchtoolCommands

@Suite struct ColorTests {
  private static let scenarios = PairScenario.all.filter { $0.options.keys.contains("color") }

  /// A text without styles, and without what differs from run to run behind one.
  private static func plain(_ text: String) -> String {
    text.replacing(/\u{1B}\[[0-9;]*m/, with: "").replacing(/(?m)^started: .*$/, with: "")
  }

  /// Without its styles the output is that without color, and files have none.
  @Test(arguments: scenarios) func styleIsOnlyAdded(_ scenario: PairScenario) throws {
    let runs = try PairTrial(scenario, try PairBench()).colored()
    #expect(!runs.isEmpty)
    for run in runs {
      #expect(Self.plain(run.colored) == Self.plain(run.plain), "\(scenario.command) \(run.line)")
      if run.isJSON {
        #expect(run.colored.contains("\u{1B}"), "\(scenario.command) \(run.line)")
      }
    }
  }

  /// Every command that prints JSON or tables can be told when to color.
  @Test func commandsWithFormatsHaveTheOption() {
    for command in Commands.table.commands where command.option(named: "format") != nil {
      #expect(command.option(named: "color") != nil, "\(command.name)")
    }
  }

  static let lines = [
    ["dump", "--format", "json", "list"], ["dump", "list"], ["get", "list", "$"],
    ["get", "--format", "json", "list", "/a"], ["find", "--key", "a", "list"], ["info", "list"],
    ["query", "--format", "raw", "$", "list", "list"],
    ["query", "--format", "ndjson", "$", "list"],
    ["classes", "list"], ["scan", "text"], ["convert", "--to", "json", "-o", "-", "list"],
    ["schema", "show", "Movie@v1"], ["schema", "list"], ["validate", "--format", "json", "list"],
    ["dump", "--records=hex", "records"],
  ]

  /// On a terminal there is color, unless NO_COLOR forbids it or the result goes elsewhere.
  @Test(arguments: lines) func aTerminalHasColor(_ words: [String]) throws {
    let bench = try Workbench([
      "list": #"{"a": "b", "c": null}"#, "records": "7b7d\n", "text": "<plist><true/></plist>",
    ])
    for forbidden in ["", "1"] {
      let result = try Program.runOnTerminal(
        words, in: bench.url("."), environment: ["NO_COLOR": forbidden, "TERM": "xterm"])
      #expect(result.text.contains("\u{1B}[") == forbidden.isEmpty, "\(words): \(result.text)")
    }
    #expect(try !bench.run(words).text.contains("\u{1B}"))
  }

  /// What a string of the file says is escaped, and only then colored.
  @Test func stringsOfFilesAreNotObeyed() throws {
    let bench = try Workbench(["list": #"{"a": ["\u001b[31mred"]}"#])
    let result = try Program.runOnTerminal(
      ["get", "list", "$"], in: bench.url("."), environment: ["NO_COLOR": "", "TERM": "xterm"])
    #expect(result.text.contains(#""\u001b[31mred""#), "\(result.text)")
  }

  /// A pipe that somebody fills slowly: the terminal shows how much was read, and nothing of that stays.
  @Test(arguments: [([], true), (["--no-progress"], false), (["-q"], false)] as [([String], Bool)])
  func aTerminalShowsHowMuchOfOneInputWasRead(_ words: [String], _ isShown: Bool) throws {
    let script = """
      import os, pty, subprocess, sys, time
      outside, inside = pty.openpty()
      run = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=inside)
      os.close(inside)
      run.stdin.write(b'["' + b"a" * 2_000_000)
      run.stdin.flush()
      time.sleep(1.5)
      run.stdin.write(b'"]')
      run.stdin.close()
      shown = b""
      while True:
          try: more = os.read(outside, 65536)
          except OSError: break
          if not more: break
          shown += more
      sys.stdout.buffer.write(shown)
      sys.exit(run.wait())
      """
    let bench = try Workbench()
    let result = try Program.run(
      at: URL(fileURLWithPath: "/usr/bin/env"),
      ["python3", "-c", script, Program.folder + "/archtool", "dump", "--format", "json"] + words
        + ["-"], in: bench.url("."), environment: ["TERM": "xterm"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.text.contains("\r\u{1B}[K2.0 MB read, 0:0") == isShown, "\(result.text)")
    #expect(result.text.hasSuffix("\r\u{1B}[K") == isShown, "\(result.text)")
    #expect(isShown || result.text.isEmpty, "\(result.text)")
  }
}
