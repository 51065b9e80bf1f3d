// Two runs in one folder or in nested folders, and locks that a killed run left.

import ArchiveBasics
import ArchiveGraph
import ArchiveMigrations
import FileTransactions
import Foundation
import TestSupport
import Testing

@Suite struct RunLockTests {
  let folder: TemporaryFolder
  let root: String

  init() throws {
    folder = try TemporaryFolder(inMemory: true)
    root = try FileLocation.resolved(folder.url.path)
    try FileManager.default.createDirectory(
      at: folder.file("a/b"), withIntermediateDirectories: true)
  }

  func refusal(_ folders: [String]) -> ArchiveError? {
    do throws(ArchiveError) {
      _ = try RunLock(folders)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: ["", "/a", "/a/b"])
  func keepsOthersOutOfAFolderAndWhatIsBelow(_ below: String) throws {
    let lock = try RunLock([root], journal: "/j")
    let error = refusal([root + below])
    #expect(error?.code == .cannotCreate)
    #expect(error?.message.contains("process \(getpid()) of") == true)
    lock.release()
    #expect(refusal([root + below]) == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: root) == ["a"])
  }

  @Test func isSeenFromAbove() throws {
    let below = try RunLock([root + "/a/b"])
    let above = try RunLock([root])
    #expect(above.isLocked(folder: root + "/a/b") != nil)
    #expect(above.isLocked(folder: root + "/a") == nil)
    #expect(above.isLocked(folder: root) == nil)
    below.release()
    #expect(above.isLocked(folder: root + "/a/b") == nil)
  }

  @Test func takesNestedFoldersAsOne() throws {
    let lock = try RunLock([root + "/a/b", root, root + "/a"])
    #expect(!FileManager.default.fileExists(atPath: root + "/a/.archtool-lock"))
    lock.release()
  }

  @Test func takesOverWhatAKilledRunLeft() throws {
    try Data("{\"pid\":1".utf8).write(to: folder.file(".archtool-lock"))
    #expect(refusal([root]) == nil)
  }

  /// A signal that comes while a folder is locked, or before, leaves no lock; nothing is changed, or it is undone.
  @Test(
    .enabled(if: Interposer.library != nil, "needs cc or clang, and LD_PRELOAD"),
    arguments: [["migrate", "--to", "v2", "--in-place"], ["undo"]], 1...5)
  func aSignalLeavesNoLock(_ command: [String], _ call: Int) throws {
    let feed = TestArchives.root.appendingPathComponent("WeatherFeed/v1-1-city")
    try FileManager.default.copyItem(at: feed, to: folder.file("feed"))
    let journal = folder.file("journal").path
    let environment = ["XDG_STATE_HOME": folder.file("state").path]
    let migration = ["migrate", "--to", "v2", "--in-place", "--journal", journal, "feed"]
    if command == ["undo"] {
      let done = try Program.run("archtool", migration, in: folder.url, environment: environment)
      #expect(done.status == 0, "\(done.errors)")
    }
    let stop = Interposer.environment(
      "open,open64,openat,openat64,write,ftruncate,unlink", at: call,
      ["FAULT_STOP": "1", "FAULT_PATH": ".archtool-lock$"])
    let run = try Program.start(
      "archtool", command == ["undo"] ? ["undo", journal] : migration, in: folder.url,
      environment: environment.merging(stop) { $1 })
    if run.isStopped() {
      run.send(SIGINT)
      run.send(SIGCONT)
    }
    let result = try run.result()
    #expect([0, 130].contains(result.status), "\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: root + "/.archtool-lock"), "\(result.errors)")
    if call == 1 { #expect(result.status == 130, "\(result.errors)") }
    let undone = try Program.run(
      "archtool", ["undo", journal], in: folder.url, environment: environment)
    #expect(undone.status == 0, "\(undone.errors)")
    #expect(try Data(contentsOf: folder.file("feed")) == Data(contentsOf: feed))
  }

  @Test func waits() throws {
    let first = try RunLock([root])
    let done = DispatchSemaphore(value: 0)
    let root = root
    Thread.detachNewThread {
      _ = try? RunLock([root + "/a"], waits: true)
      done.signal()
    }
    #expect(done.wait(timeout: .now() + 0.2) == .timedOut)
    first.release()
    #expect(done.wait(timeout: .now() + 20) == .success)
  }
}
