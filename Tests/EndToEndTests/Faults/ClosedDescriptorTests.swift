// archtool started by a process that has closed standard input, output or error.

import Foundation
import TestSupport
import Testing

@Suite struct ClosedDescriptorTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let command: String
    let closed: String
    let status: Int32
    var testDescription: String { "\(command) \(closed)" }
  }

  /// `timeout` ends with 124 what would never end.
  @Test(
    .enabled(if: Program.find("timeout") != nil, "timeout is not installed"),
    arguments: [
      Case(command: "migrate --to v2 --records", closed: "<&-", status: 0),
      Case(command: "validate --records", closed: "<&-", status: 0),
      Case(command: "rename-class -c A=B --records", closed: "<&-", status: 0),
      Case(command: "dump -", closed: "<&-", status: 65),
      Case(command: "dump Movie/v1", closed: ">&-", status: 74),
      Case(command: "dump Movie/v1", closed: "<&- >&- 2>&-", status: 74),
      Case(command: "dump no-such-file", closed: "2>&-", status: 66),
      Case(command: "migrate --to v2 --dry-run Movie/v1", closed: "<&- 2>&-", status: 0),
    ])
  func nothingElseIsTakenForIt(_ example: Case) throws {
    let program = "timeout 60 \"\(Program.folder)/archtool\""
    let result = try Program.run(
      at: URL(fileURLWithPath: "/bin/sh"),
      ["-c", "\(program) \(example.command) \(example.closed)"])
    #expect(result.status == example.status, "\(result.errors)")
  }
}
