// Large files that another process truncates or writes during reading: the run reports it and continues.

import FileTransactions
import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: Interposer.library != nil, "needs cc and LD_PRELOAD"))
struct ChangedWhileReadTests {
  enum Act: String, CaseIterable { case cut, written, grown }

  /// Changes a file behind its first megabyte.
  private static func perform(_ act: Act, on file: URL) throws {
    let handle = try FileHandle(forWritingTo: file)
    defer { try? handle.close() }
    switch act {
    case .cut: try handle.truncate(atOffset: 1 << 20)
    case .written:
      try handle.seek(toOffset: 1 << 20)
      try handle.write(contentsOf: Data(repeating: 0xEE, count: 1 << 20))
    case .grown:
      try handle.seekToEnd()
      try handle.write(contentsOf: Data(repeating: 0xEE, count: 1 << 20))
    }
  }

  /// A property list of over three megabytes whose offsets are at its end.
  private static func largeFile() throws -> Data {
    let strings = (0..<40_000).map { "\($0) " + String(repeating: "x", count: 70) }
    return try PropertyListSerialization.data(
      fromPropertyList: ["strings": strings], format: .binary, options: 0)
  }

  @Test(arguments: Act.allCases, [["info"], ["dump"], ["validate", "--format-only"]])
  func oneFileOfSeveralIsReported(_ act: Act, _ command: [String]) throws {
    let bench = try Workbench()
    try bench.write(Self.largeFile(), to: "large")
    try bench.copy("Movie/v2", to: "small")
    let run = try Program.start(
      "archtool", command + ["large", "small"], in: bench.url("."),
      environment: Interposer.environment(
        "read", at: 2, ["FAULT_PATH": "/large$", "FAULT_STOP": "1"]))
    #expect(run.isStopped())
    try Self.perform(act, on: bench.url("large"))
    run.send(SIGCONT)
    let result = try run.result()
    #expect(result.status == 74, "\(result.errors)")
    #expect(
      result.errors.contains(
        "large: error: the file changed while it was read; run the command again"),
      "\(result.errors)")
    #expect(!result.errors.contains("small"))
    #expect(result.text.contains("small") || command == ["dump"])
  }
}
