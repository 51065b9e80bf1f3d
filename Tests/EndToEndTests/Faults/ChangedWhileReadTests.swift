// Files that another process truncates or writes during reading: the run reports it and continues.

import FileTransactions
import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: Interposer.library != nil, "needs cc or clang, and LD_PRELOAD"))
struct ChangedWhileReadTests {
  enum Act: String, CaseIterable { case cut, written, grown }

  /// A file that is read in one step or in several, of which another process changes what follows some first bytes.
  struct Size: CustomTestStringConvertible {
    let strings: Int
    let kept: Int
    /// Before which read the file changes: one in the middle of a large file; the only one of a small file.
    let read: Int

    static let all = [
      Size(strings: 40_000, kept: 1 << 20, read: 2), Size(strings: 100, kept: 1 << 10, read: 1),
    ]
    var testDescription: String { "\(strings) strings" }
  }

  /// Changes a file behind its first bytes.
  private static func perform(_ act: Act, on file: URL, after kept: Int) throws {
    let handle = try FileHandle(forWritingTo: file)
    defer { try? handle.close() }
    switch act {
    case .cut: try handle.truncate(atOffset: UInt64(kept))
    case .written:
      try handle.seek(toOffset: UInt64(kept))
      try handle.write(contentsOf: Data(repeating: 0xEE, count: kept))
    case .grown:
      try handle.seekToEnd()
      try handle.write(contentsOf: Data(repeating: 0xEE, count: kept))
    }
  }

  /// A property list whose offsets are at its end; of 40,000 strings over three megabytes.
  private static func file(of count: Int) throws -> Data {
    let strings = (0..<count).map { "\($0) " + String(repeating: "x", count: 70) }
    return try PropertyListSerialization.data(
      fromPropertyList: ["strings": strings], format: .binary, options: 0)
  }

  @Test(
    arguments: Act.allCases.flatMap { act in Size.all.map { (act, $0) } },
    [["info"], ["dump"], ["validate", "--format-only"]])
  func oneFileOfSeveralIsReported(_ change: (act: Act, size: Size), _ command: [String]) throws {
    let bench = try Workbench()
    try bench.write(Self.file(of: change.size.strings), to: "large")
    try bench.copy("Movie/v2", to: "small")
    let run = try Program.start(
      "archtool", command + ["large", "small"], in: bench.url("."),
      environment: Interposer.environment(
        "read", at: change.size.read, ["FAULT_PATH": "/large$", "FAULT_STOP": "1"]))
    #expect(run.isStopped())
    try Self.perform(change.act, on: bench.url("large"), after: change.size.kept)
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
