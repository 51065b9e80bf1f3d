// Runs programs as a user would: a process of its own, its output, its errors, its exit status.

import Foundation

/// What a program left behind.
public struct ProgramResult: Sendable {
  /// The exit status; negative if a signal ended the program.
  public let status: Int32
  /// The bytes on standard output.
  public let output: Data
  /// The text on standard error.
  public let errors: String

  /// Standard output as text.
  public var text: String { String(decoding: output, as: UTF8.self) }
}

/// Programs that tests run.
public enum Program {
  /// The folder that this build put its programs into.
  static var buildFolder: URL {
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
  public static var folder: String { buildFolder.path }

  /// Runs a program of this build.
  ///
  /// - Parameters:
  ///   - name: `archtool`, or a program under Tests.
  ///   - arguments: its arguments.
  ///   - input: what it reads from standard input.
  ///   - folder: its working folder.
  ///   - environment: variables beside those of the test.
  public static func run(
    _ name: String, _ arguments: [String], input: Data = Data(),
    in folder: URL? = nil, environment: [String: String] = [:]
  ) throws -> ProgramResult {
    try run(
      at: buildFolder.appendingPathComponent(name), arguments, input: input, in: folder,
      environment: environment)
  }

  /// Runs archtool.
  public static func run(arguments: [String], input: Data = Data()) throws -> ProgramResult {
    try run("archtool", arguments, input: input)
  }

  /// Runs any program.
  public static func run(
    at program: URL, _ arguments: [String], input: Data = Data(), in folder: URL? = nil,
    environment: [String: String] = [:]
  ) throws -> ProgramResult {
    let scratch = try TemporaryFolder()
    let files = try ["in", "out", "err"].map { name in
      let url = scratch.url.appendingPathComponent(name)
      try (name == "in" ? input : Data()).write(to: url)
      return url
    }
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = folder ?? TestArchives.root
    // Journals of runs that no option speaks of go where they are nobody's.
    let state = FileManager.default.temporaryDirectory.appendingPathComponent("archtool-tests")
    process.environment = ProcessInfo.processInfo.environment
      .merging(["XDG_STATE_HOME": state.path]) { $1 }.merging(environment) { $1 }
    process.standardInput = try FileHandle(forReadingFrom: files[0])
    process.standardOutput = try FileHandle(forWritingTo: files[1])
    process.standardError = try FileHandle(forWritingTo: files[2])
    try process.run()
    process.waitUntilExit()
    let status =
      process.terminationReason == .exit
      ? process.terminationStatus : -process.terminationStatus
    return ProgramResult(
      status: status, output: try Data(contentsOf: files[1]),
      errors: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self))
  }

  /// The path of a program that may be installed, nil if it is not.
  public static func find(_ name: String) -> URL? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.lazy.map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }
}

/// A folder that goes with its last reference.
public final class TemporaryFolder {
  /// The folder.
  public let url: URL

  /// Makes an empty folder.
  ///
  /// - Parameter inMemory: whether it lies in memory where the system offers that, so that nothing waits for a disk.
  public init(inMemory: Bool = false) throws {
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
  public func file(_ name: String) -> URL { url.appendingPathComponent(name) }
}
