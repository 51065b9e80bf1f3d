// Read-only folders.

import Foundation
import TestSupport
import Testing

@Suite struct ReadOnlyFolderTests {
  static let contents = Result { try FleetContents(count: 60) }
  static let reference = Result { try UndisturbedRun(of: WeatherFleet(contents.get())) }
  static let closed = "region-0/station-2"

  let fleet: WeatherFleet
  let reference: UndisturbedRun

  init() throws {
    reference = try Self.reference.get()
    fleet = try WeatherFleet(try Self.contents.get())
  }

  /// What a run leaves undone that cannot write in one folder.
  private var left: [String] {
    fleet.before.files.keys.filter { $0.hasPrefix(Self.closed + "/") }.sorted()
  }

  @Test(.enabled(if: MountNamespace.isAvailable, "this system allows no mounts of one's own"))
  func theFilesOfAReadOnlyMountStay() throws {
    let folder = "\"$PWD/files/\(Self.closed)\""
    let mounts = try MountNamespace(
      "mount --bind \(folder) \(folder); mount -o remount,bind,ro \(folder)", for: fleet)
    let result = try mounts.run(fleet.migration())
    #expect(result.status == 73, "\(result.errors)")
    #expect(result.errors.contains("Read-only file system"))
    #expect(try mounts.now().differences(from: reference.after) == left)
    #expect(try mounts.perform("umount \(folder)").status == 0)
    #expect(try mounts.run(fleet.resumption).status == 0)
    let now = try mounts.now()
    #expect(now.differences(from: reference.after) == [])
    #expect(now.leftovers == [])
  }

  @Test(.enabled(if: MountNamespace.isAvailable, "this system allows no mounts of one's own"))
  func aReadOnlyFolderIsNotEvenLocked() throws {
    let mounts = try MountNamespace(
      "mount --bind files files; mount -o remount,bind,ro \"$PWD/files\"", for: fleet)
    let result = try mounts.run(fleet.migration())
    #expect(result.status == 73)
    #expect(result.errors.contains("files: Read-only file system"), "\(result.errors)")
    #expect(try mounts.now() == fleet.before)
  }

  /// Permission bits do not bind root, so that it has to become somebody else.
  @Test(.enabled(if: getuid() != 0 || Program.find("setpriv") != nil, "needs setpriv"))
  func theFilesOfAFolderWithoutPermissionStay() throws {
    let folder = fleet.folder.appendingPathComponent(Self.closed).path
    let after = try fleet.run(fleet.migration()).status == 0 ? try fleet.now() : nil
    #expect(try fleet.run(fleet.undoing()).status == 0)
    if getuid() == 0 {
      let chown = try #require(Program.find("chown"))
      #expect(try Program.run(at: chown, ["-R", "65534:65534", fleet.bench.url.path]).status == 0)
    }
    chmod(folder, 0o555)
    defer { chmod(folder, 0o755) }
    let result = try nobody(fleet.migration())
    #expect(result.status == 73, "\(result.errors)")
    #expect(result.errors.contains("Permission denied"))
    let met = try fleet.now()
    #expect(try met.differences(from: #require(after)) == left)
    #expect(met.leftovers == [])
    chmod(folder, 0o755)
    #expect(try nobody(fleet.resumption).status == 0)
    #expect(try fleet.now().differences(from: #require(after)) == [])
    #expect(try nobody(fleet.undoing()).status == 0)
    #expect(try fleet.now().differences(from: fleet.before, times: true) == [])
  }

  private func nobody(_ arguments: [String]) throws -> ProgramResult {
    guard getuid() == 0 else { return try fleet.run(arguments) }
    let become = ["--reuid", "65534", "--regid", "65534", "--clear-groups"]
    return try fleet.run(by: #require(Program.find("setpriv")), become, arguments)
  }
}
