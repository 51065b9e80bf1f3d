// A command that finds no file reports that: a pattern with a typo must not look like a clean result.

import Foundation
import TestSupport
import Testing

@Suite struct EmptySelectionTests {
  private static let selections = [
    ["-r", "empty"], ["-r", "--include", "*.typo", "full"], ["-r", "--exclude", "*", "full"],
    ["--include", "*.typo", "full/movie"], ["--files-from", "none"],
  ]

  private func bench() throws -> Workbench {
    let bench = try Workbench(["none": "", "empty/x": ""])
    try FileManager.default.removeItem(at: bench.url("empty/x"))
    try bench.copy("Movie/v1", to: "full/movie")
    return bench
  }

  @Test(
    arguments: [
      ["validate"], ["validate", "--format-only"], ["validate", "-q"],
      ["convert", "--to", "xml1", "--output-dir", "out"], ["migrate", "--to", "v2", "-n"],
      ["migrate", "--to", "v2", "--plan"], ["migrate", "--to", "v2", "--in-place"],
      ["migrate", "--to", "v2", "--output-dir", "out"],
      ["rename-class", "-c", "A=B", "--in-place"],
    ], selections)
  func isAnErrorOfCommandsThatCheckOrChange(_ command: [String], _ selection: [String]) throws {
    let bench = try bench()
    let result = try bench.run(command + selection)
    #expect(result.status == 66)
    #expect(result.errors.contains("archtool: error: no files matched"), "\(result.errors)")
    let accepted = try bench.run(command + ["--allow-empty"] + selection)
    #expect(accepted.status == 0, "\(accepted.errors)")
    #expect(!accepted.errors.contains("no files matched"))
  }

  @Test(arguments: [["dump"], ["info"], ["info", "--format", "json"]], selections)
  func isToldByCommandsThatShow(_ command: [String], _ selection: [String]) throws {
    let result = try bench().run(command + selection)
    #expect(result.status == 0)
    #expect(result.errors == "archtool: warning: no files matched\n")
  }

  @Test func theReportsOfValidationAreWholeNevertheless() throws {
    let bench = try bench()
    for (format, text) in [("json", "[\n]\n"), ("ndjson", ""), ("junit", "tests=\"0\"")] {
      let result = try bench.run("validate", "--format", format, "-r", "empty")
      #expect(result.status == 66)
      #expect(format == "ndjson" ? result.text.isEmpty : result.text.contains(text.prefix(1)))
    }
  }
}
