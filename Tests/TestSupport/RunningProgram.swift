// A running program in a separate process: tests send it signals and wait for it.

import FileTransactions
import Foundation

/// A program that was started.
package final class RunningProgram {
  private let process = Process()
  private let scratch: TemporaryFolder

  /// Starts a program, with what it reads and writes in files.
  init(
    at program: URL, _ arguments: [String], input: Data = Data(), in folder: URL? = nil,
    environment: [String: String] = [:]
  ) throws {
    scratch = try TemporaryFolder()
    try input.write(to: scratch.file("in"))
    for name in ["out", "err"] { try Data().write(to: scratch.file(name)) }
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = folder ?? TestArchives.root
    // Journals of runs that no option speaks of go where they are nobody's.
    let state = FileManager.default.temporaryDirectory.appendingPathComponent("archtool-tests")
    process.environment = ProcessInfo.processInfo.environment
      .merging(["XDG_STATE_HOME": state.path]) { $1 }.merging(environment) { $1 }
    process.standardInput = try FileHandle(forReadingFrom: scratch.file("in"))
    process.standardOutput = try FileHandle(forWritingTo: scratch.file("out"))
    process.standardError = try FileHandle(forWritingTo: scratch.file("err"))
    try process.run()
  }

  /// The number of its process.
  package var identifier: Int32 { process.processIdentifier }

  /// Whether it has not ended.
  package var isRunning: Bool { process.isRunning }

  /// Sends it a signal, unless it has ended.
  package func send(_ signal: Int32) {
    if process.isRunning { kill(identifier, signal) }
  }

  /// Waits until SIGSTOP has stopped it, which only Linux shows to others.
  ///
  /// - Returns: whether it is stopped; not if it ended before, or did not stop in a minute.
  package func isStopped() -> Bool {
    for _ in 0..<60_000 where process.isRunning {
      let status = try? String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8)
      // The state stands behind the name, which is in parentheses.
      if status?.split(separator: ")").last?.hasPrefix(" T") == true { return true }
      usleep(1000)
    }
    return false
  }

  /// Waits for its end.
  package func result() throws -> ProgramResult {
    process.waitUntilExit()
    let status =
      process.terminationReason == .exit
      ? process.terminationStatus : -process.terminationStatus
    return ProgramResult(
      status: status, output: try Data(contentsOf: scratch.file("out")),
      errors: String(decoding: try Data(contentsOf: scratch.file("err")), as: UTF8.self))
  }
}
