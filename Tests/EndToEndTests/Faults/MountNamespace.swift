// Mounts that only a test sees: a full disk, a read-only folder.

import Foundation
import TestSupport

/// A process with mounts of its own, in which archtool can be run; they go with it.
final class MountNamespace {
  private static let unshare = Program.find("unshare")
  private static let nsenter = Program.find("nsenter")

  /// Whether this system lets its users have mounts of their own.
  static let isAvailable: Bool = {
    guard let unshare, nsenter != nil else { return false }
    let result = try? Program.run(
      at: unshare, ["-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"])
    return result?.status == 0
  }()

  private let keeper: RunningProgram
  private let fleet: WeatherFleet

  /// Makes mounts with a script of sh, in the folder beside a fleet.
  init(_ script: String, for fleet: WeatherFleet) throws {
    guard let unshare = Self.unshare else { throw POSIXError(.ENOENT) }
    self.fleet = fleet
    let ready = fleet.bench.file("ready")
    let steps = "set -e; cd \"$0\"; \(script); touch \"$1\"; exec sleep 600"
    keeper = try Program.start(
      at: unshare, ["-rm", "sh", "-c", steps, fleet.bench.url.path, ready.path])
    while keeper.isRunning, !FileManager.default.fileExists(atPath: view("ready")) {
      usleep(1000)
    }
    guard keeper.isRunning else { throw POSIXError(.EPERM) }
  }

  deinit { keeper.send(SIGKILL) }

  /// The path by which a file beside the fleet is seen from outside.
  func view(_ name: String) -> String {
    "/proc/\(keeper.identifier)/root\(fleet.bench.file(name).path)"
  }

  /// What lies in the fleet's folder in there.
  func now() throws -> FolderFacts { try FolderFacts(view("files")) }

  /// Runs archtool in there.
  func run(_ arguments: [String]) throws -> ProgramResult {
    guard let nsenter = Self.nsenter else { throw POSIXError(.ENOENT) }
    return try fleet.run(
      by: nsenter, entering + ["sh", "-c", "cd \"$0\"; exec \"$@\""] + [fleet.bench.url.path],
      arguments)
  }

  /// Runs a script of sh in there.
  func perform(_ script: String) throws -> ProgramResult {
    guard let nsenter = Self.nsenter else { throw POSIXError(.ENOENT) }
    let steps = "set -e; cd \"$0\"; \(script)"
    return try Program.run(
      at: nsenter, entering + ["sh", "-c", steps, fleet.bench.url.path])
  }

  private var entering: [String] {
    ["-t", "\(keeper.identifier)", "-U", "-m", "--preserve-credentials"]
  }
}
