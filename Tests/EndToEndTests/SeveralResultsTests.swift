// Results on standard output: only one file, and no binary data on a terminal.

import Foundation
import TestSupport
import Testing

@Suite struct SeveralResultsTests {
  private func bench() throws -> Workbench {
    let bench = try Workbench()
    for name in ["a", "b"] { try bench.copy("Movie/v1", to: "in/" + name) }
    return bench
  }

  /// Two files after one another are one broken file.
  @Test(
    arguments: ["binary1", "xml1", "openstep", "json", "swift", "objc", "keyed-archive"],
    [["in/a", "in/b"], ["-r", "in"], ["--files-from", "list"]])
  func conversionsOfSeveralFilesNeedAFolder(_ format: String, _ operands: [String]) throws {
    let bench = try bench()
    try bench.write("in/a\nin/b\n", to: "list")
    let refused = try bench.run(["convert", "--to", format] + operands)
    #expect(refused.status == 64)
    #expect(refused.output.isEmpty)
    #expect(refused.errors.contains("'--output-dir'"), "\(refused.errors)")
    let typed = format == "json" ? ["--typed"] : []
    let command = ["convert", "--to", format, "--output-dir", "out"] + typed
    let made = try bench.run(command + operands)
    #expect(made.status != 64, "\(made.errors)")
  }

  @Test func linesOfJSONMayBeSeveral() throws {
    let result = try bench().run(
      "convert", "--to", "json", "--typed", "--compact", "in/a", "in/b")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.text.split(separator: "\n").count == 2)
  }

  private static let script = Program.find("script")

  @Test(
    .enabled(if: script != nil, "script(1) is not installed"),
    arguments: [
      "convert --to binary1 in/a", "migrate --to v2 -o - in/a", "rename-class -c A=B -o - in/a",
      "create --schema Movie@v2 -o - movie.json", "extract '$' in/a -o -", "merge x=in/a -o -",
      "set in/b '$.name' x --string -o -",
    ]) func aTerminalGetsNothingBinary(_ command: String) throws
  {
    let bench = try bench()
    try bench.write(#"{"name":"a","director":"b","releaseYear":1}"#, to: "movie.json")
    let program = try #require(Self.script)
    let result = try Program.run(
      at: program, ["-qec", "archtool \(command)", "/dev/null"], in: bench.url(""),
      environment: ["PATH": Program.folder + ":/usr/bin:/bin", "TERM": "dumb"])
    #expect(result.status == 73, "\(result.text)")
    #expect(!result.text.contains("bplist"))
    #expect(result.text.contains("binary output is not for a terminal"), "\(result.text)")
    #expect(!result.text.contains("<stdin>"), "\(result.text)")
  }

  /// Bare values are as they are in a pipe, and show what a terminal would obey.
  @Test(
    .enabled(if: script != nil, "script(1) is not installed"),
    arguments: ["get red.json a", "query --format raw '$.a' red.json", "query '$.a' red.json"])
  func aTerminalObeysNoValueOfAFile(_ command: String) throws {
    let bench = try bench()
    try bench.write(#"{"a":"\u001b[31mred\u0085\u202e"}"#, to: "red.json")
    let result = try Program.run(
      at: try #require(Self.script), ["-qec", "archtool \(command)", "/dev/null"],
      in: bench.url(""),
      environment: ["PATH": Program.folder + ":/usr/bin:/bin", "TERM": "dumb"])
    #expect(result.status == 0, "\(result.text)")
    #expect(result.text.contains(#"\u001b[31mred\u0085\u202e"#), "\(result.text)")
    #expect(!result.text.contains("\u{1B}"))
    let piped = try bench.run(["get", "red.json", "a"])
    #expect(piped.text == "\u{1B}[31mred\u{85}\u{202E}\n")
  }
}
