// Runs programs as a user would: a separate process with its output, its errors, its exit status.

import Foundation

/// What a program left behind.
package struct ProgramResult: Sendable {
  /// The exit status; negative if a signal ended the program.
  package let status: Int32
  /// The bytes on standard output.
  package let output: Data
  /// The text on standard error.
  package let errors: String

  /// Standard output as text.
  package var text: String { String(decoding: output, as: UTF8.self) }
}

/// Programs that tests run.
package enum Program {
  /// The folder that this build put its programs into, or the one in `ARCHTOOL_PROGRAMS`: another build's.
  static var buildFolder: URL {
    if let other = ProcessInfo.processInfo.environment["ARCHTOOL_PROGRAMS"] {
      return URL(fileURLWithPath: other)
    }
    let runner = URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0])
    let beside = runner.deletingLastPathComponent()
    let candidates = [
      beside, beside.deletingLastPathComponent(),
      TestArchives.root.deletingLastPathComponent().appendingPathComponent(".build/debug"),
    ]
    return candidates.first {
      FileManager.default.isExecutableFile(atPath: $0.appendingPathComponent("archtool").path)
    } ?? beside
  }

  /// The path of the folder that this build put its programs into.
  package static var folder: String { buildFolder.path }

  /// Runs a program of this build.
  ///
  /// - Parameters:
  ///   - name: `archtool`, or a program under Tests.
  ///   - arguments: its arguments.
  ///   - input: what it reads from standard input.
  ///   - folder: its working folder.
  ///   - environment: variables beside those of the test.
  package static func run(
    _ name: String, _ arguments: [String], input: Data = Data(),
    in folder: URL? = nil, environment: [String: String] = [:]
  ) throws -> ProgramResult {
    try run(
      at: buildFolder.appendingPathComponent(name), arguments, input: input, in: folder,
      environment: environment)
  }

  /// Runs archtool on a terminal, whose output is that of the result.
  ///
  /// - Parameter input: what a person types.
  package static func runOnTerminal(
    _ arguments: [String], input: Data = Data(), in folder: URL, environment: [String: String] = [:]
  ) throws -> ProgramResult {
    let script =
      "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))"
    return try run(
      at: URL(fileURLWithPath: "/usr/bin/env"),
      ["python3", "-c", script, self.folder + "/archtool"] + arguments, input: input, in: folder,
      environment: ["NO_COLOR": "1"].merging(environment) { $1 })
  }

  /// Starts a program of this build, as `run` does, and does not wait for its end.
  package static func start(
    _ name: String, _ arguments: [String], in folder: URL? = nil,
    environment: [String: String] = [:]
  ) throws -> RunningProgram {
    try start(
      at: buildFolder.appendingPathComponent(name), arguments, in: folder, environment: environment)
  }

  /// Starts any program.
  package static func start(
    at program: URL, _ arguments: [String], in folder: URL? = nil,
    environment: [String: String] = [:]
  ) throws -> RunningProgram {
    try RunningProgram(at: program, arguments, in: folder, environment: environment)
  }

  /// Runs archtool.
  package static func run(arguments: [String], input: Data = Data()) throws -> ProgramResult {
    try run("archtool", arguments, input: input)
  }

  /// Runs any program.
  package static func run(
    at program: URL, _ arguments: [String], input: Data = Data(), in folder: URL? = nil,
    environment: [String: String] = [:]
  ) throws -> ProgramResult {
    try RunningProgram(
      at: program, arguments, input: input, in: folder, environment: environment
    ).result()
  }

  /// The path of a program that may be installed, nil if it is not.
  package static func find(_ name: String) -> URL? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.lazy.map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }
}

/// A folder that goes with its last reference.
package final class TemporaryFolder {
  /// The folder.
  package let url: URL

  /// Makes an empty folder.
  ///
  /// - Parameter inMemory: whether it lies in memory where the system offers that, so that nothing waits for a disk.
  package init(inMemory: Bool = false) throws {
    let memory = URL(fileURLWithPath: "/dev/shm")
    let isOffered = inMemory && FileManager.default.isWritableFile(atPath: memory.path)
    url = (isOffered ? memory : FileManager.default.temporaryDirectory)
      .appendingPathComponent("archtool-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    do { try FileManager.default.removeItem(at: url) } catch {}
  }

  /// A file in the folder.
  package func file(_ name: String) -> URL { url.appendingPathComponent(name) }
}
