// Other programs change files and folders during a migration: those changes are kept, the other files are migrated.

import FileTransactions
import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: Interposer.library != nil, "needs cc or clang, and LD_PRELOAD"))
struct ForeignChangeTests {
  /// What becomes of the first file between the moment it is read and the one it would be replaced.
  enum Act: String, CaseIterable {
    case rewritten, grown, replaced, deleted, linked, folderInPlace, pipeInPlace, parentLinked
  }

  static let contents = Result { try FleetContents(count: 60) }
  static let reference = Result { try UndisturbedRun(of: WeatherFleet(contents.get())) }

  /// Does it; what it did to the folder's other files, too, comes back as their number.
  private static func perform(_ act: Act, on fleet: WeatherFleet) throws -> Int {
    let manager = FileManager.default
    let file = fleet.file(0)
    let old = try Data(contentsOf: file)
    try manager.createDirectory(at: fleet.outside, withIntermediateDirectories: true)
    for number in 0..<10 {
      try FeedArchives.dictionariable(number * 4 + 40)
        .write(to: fleet.outside.appendingPathComponent("feed-\(number)"))
    }
    switch act {
    case .rewritten:
      // As many bytes, and the time put back: only a look at the bytes shows it.
      let handle = try FileHandle(forWritingTo: file)
      try handle.write(contentsOf: Data(repeating: 7, count: old.count))
      try handle.close()
      let time = fleet.contents.files[0].modified
      utimensat(AT_FDCWD, file.path, [time, time], 0)
    case .grown:
      let handle = try FileHandle(forWritingTo: file)
      try handle.seekToEnd()
      try handle.write(contentsOf: Data("more".utf8))
      try handle.close()
    case .replaced: try Data("theirs".utf8).write(to: file, options: .atomic)
    case .deleted: try manager.removeItem(at: file)
    case .linked:
      try manager.removeItem(at: file)
      try manager.createSymbolicLink(
        at: file, withDestinationURL: fleet.outside.appendingPathComponent("feed-0"))
    case .folderInPlace:
      try manager.removeItem(at: file)
      try manager.createDirectory(at: file, withIntermediateDirectories: false)
    case .pipeInPlace:
      try manager.removeItem(at: file)
      mkfifo(file.path, 0o600)
    case .parentLinked:
      let parent = file.deletingLastPathComponent()
      try manager.moveItem(at: parent, to: fleet.bench.file("moved"))
      try manager.createSymbolicLink(at: parent, withDestinationURL: fleet.outside)
      return 10
    }
    return 1
  }

  @Test(arguments: Act.allCases)
  func whatOthersChangedStaysTheirs(_ act: Act) throws {
    let reference = try Self.reference.get()
    let fleet = try WeatherFleet(try Self.contents.get())
    // When the first intents are to be made durable, their files have been read, and none is replaced.
    let run = try fleet.start(
      fleet.migration(),
      Interposer.environment(
        "fsync", at: 2, ["FAULT_PATH": "/journal-1$", "FAULT_STOP": "1"]))
    #expect(run.isStopped())
    let touched = try Self.perform(act, on: fleet)
    let outside = try FolderFacts(fleet.outside.path)
    let theirs = try? FileFacts(fleet.file(0).path)
    run.send(SIGCONT)
    let result = try run.result()
    #expect(result.status == 73 || result.status == 66, "\(result.errors)")
    #expect(result.errors.contains("files/region-0/station-0/feed-0: error: "), "\(result.errors)")
    #expect(try FolderFacts(fleet.outside.path) == outside)
    let now = try? FileFacts(fleet.file(0).path)
    #expect(now == theirs)
    for file in fleet.contents.files.dropFirst(touched) {
      let path = fleet.folder.appendingPathComponent(file.path).path
      let bytes = try FileFacts(path).bytes
      #expect(bytes == reference.after.files[file.path]?.bytes, "\(file.path)")
    }
    let undone = try fleet.run(fleet.undoing())
    // What cannot be read any more may be what the run left: a person has to look.
    let isReadable = [.rewritten, .grown, .replaced, .deleted].contains(act)
    #expect(undone.status == (isReadable ? 0 : 1), "\(undone.errors)")
    for file in fleet.contents.files.dropFirst(touched) {
      let path = fleet.folder.appendingPathComponent(file.path).path
      #expect(try FileFacts(path) == fleet.before.files[file.path])
    }
    let last = try? FileFacts(fleet.file(0).path)
    #expect(last == theirs)
    #expect(try FolderFacts(fleet.outside.path) == outside)
  }

  // MARK: Between the last look and the exchange

  /// What may come into the place of a file itself; a folder that is moved takes its files with it.
  static let acts = Act.allCases.filter { $0 != .parentLinked }

  /// Begins a migration, and stops it when the first file is about to change places with its new form.
  private func stopped(
    _ fleet: WeatherFleet, _ variables: [String: String] = [:]
  ) throws -> RunningProgram {
    let stop = ["FAULT_STOP": "1"].merging(variables) { $1 }
    let run = try fleet.start(
      fleet.migration(), Interposer.environment("renameat", at: 1, stop))
    #expect(run.isStopped())
    return run
  }

  private func expectTheirs(_ theirs: FileFacts?, _ fleet: WeatherFleet) throws {
    let now = try? FileFacts(fleet.file(0).path)
    #expect(now == theirs)
    #expect(try fleet.now().leftovers == [])
  }

  @Test(arguments: acts) func whatComesAtTheLastMomentStaysTheirs(_ act: Act) throws {
    let reference = try Self.reference.get()
    let fleet = try WeatherFleet(try Self.contents.get())
    let run = try stopped(fleet)
    let touched = try Self.perform(act, on: fleet)
    let theirs = try? FileFacts(fleet.file(0).path)
    run.send(SIGCONT)
    let result = try run.result()
    #expect(result.status == 73, "\(result.errors)")
    #expect(
      result.errors.contains("feed-0: error: the file was changed during the run"),
      "\(result.errors)")
    try expectTheirs(theirs, fleet)
    for file in fleet.contents.files.dropFirst(touched) {
      let path = fleet.folder.appendingPathComponent(file.path).path
      #expect(try FileFacts(path).bytes == reference.after.files[file.path]?.bytes)
    }
  }

  /// Killed behind the exchange, the run has not seen what came out: what goes on or takes back does.
  @Test(arguments: acts, [true, false])
  func whatComesBeforeTheRunIsKilledStaysTheirs(_ act: Act, _ isResumed: Bool) throws {
    let fleet = try WeatherFleet(try Self.contents.get())
    let run = try stopped(fleet, ["FAULT_AFTER": "1"])
    _ = try Self.perform(act, on: fleet)
    let theirs = try? FileFacts(fleet.file(0).path)
    run.send(SIGCONT)
    #expect(try run.result().status == -SIGKILL)
    let result = try fleet.run(isResumed ? fleet.resumption : fleet.undoing())
    #expect(result.status != -SIGKILL && result.status != 64, "\(result.errors)")
    try expectTheirs(theirs, fleet)
    if isResumed { _ = try fleet.run(fleet.undoing()) }
    try expectTheirs(theirs, fleet)
  }

  /// An application that has the file open writes into the file, not into one that is about to be removed.
  @Test(.enabled(if: Self.hasLeases, "needs the leases of Linux"))
  func aFileThatIsOpenForWritingStays() throws {
    let fleet = try WeatherFleet(try Self.contents.get())
    let run = try stopped(fleet)
    let handle = try FileHandle(forUpdating: fleet.file(0))
    run.send(SIGCONT)
    let result = try run.result()
    #expect(result.status == 73)
    #expect(result.errors.contains("another process has the file open"), "\(result.errors)")
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("more".utf8))
    try handle.close()
    #expect(
      try Data(contentsOf: fleet.file(0)) == fleet.contents.files[0].bytes + Data("more".utf8))
    #expect(try fleet.now().leftovers == [])
  }

  static var hasLeases: Bool {
    #if os(Linux)
      true
    #else
      false
    #endif
  }

  /// Variables for a file system that cannot exchange files, and has links or not.
  private static func plainFileSystem(hasLinks: Bool) -> [String: String] {
    hasLinks
      ? Interposer.environment("none", at: 0, ["FAULT_NO_EXCHANGE": "1"])
      : Interposer.environment(
        "linkat", at: 1, error: EPERM, ["FAULT_NO_EXCHANGE": "1", "FAULT_LAST": "1"])
  }

  /// File systems that cannot exchange files have rename(2).
  @Test(arguments: [true, false])
  func aFileSystemThatCannotExchangeIsServed(_ hasLinks: Bool) throws {
    let reference = try Self.reference.get()
    let fleet = try WeatherFleet(try Self.contents.get())
    let plain = Self.plainFileSystem(hasLinks: hasLinks)
    #expect(try fleet.run(fleet.migration(), plain).status == 0)
    #expect(try fleet.now().differences(from: reference.after) == [])
    #expect(try fleet.run(fleet.undoing(), plain).status == 0)
    #expect(try fleet.now().differences(from: fleet.before, times: true) == [])
    #expect(try fleet.now().leftovers == [])
  }

  @Test(arguments: [true, false])
  func aFileSystemThatCannotRenameToANewNameIsServed(_ hasLinks: Bool) throws {
    let fleet = try WeatherFleet(try Self.contents.get())
    let plain = Self.plainFileSystem(hasLinks: hasLinks)
    let file = fleet.contents.files[0].path
    let output = fleet.bench.file("out/" + file)
    let copying = ["migrate", "--to", "v2", "--output-dir", "out", "-r", "files"]
    #expect(try fleet.run(copying, plain).status == 0)
    #expect(try fleet.run(["validate", "--schema", "WeatherFeed@v2", output.path]).status == 0)
    try Data("theirs".utf8).write(to: output)
    #expect(try fleet.run(copying, plain).status == 73)
    #expect(try Data(contentsOf: output) == Data("theirs".utf8))
    let names = try FileManager.default.subpathsOfDirectory(atPath: fleet.bench.file("out").path)
    #expect(names.filter { $0.contains(".archtool-") } == [])
  }

  /// What is written while a run is taken back stays as well.
  @Test(arguments: acts) func whatComesWhileARunIsTakenBackStaysTheirs(_ act: Act) throws {
    let fleet = try WeatherFleet(try Self.contents.get())
    #expect(try fleet.run(fleet.migration()).status == 0)
    // The first file comes last.
    let stop = Interposer.environment(
      "renameat", at: 1, ["FAULT_STOP": "1", "FAULT_PATH": "feed-0$"])
    let run = try fleet.start(fleet.undoing(), stop)
    #expect(run.isStopped())
    _ = try Self.perform(act, on: fleet)
    let theirs = try? FileFacts(fleet.file(0).path)
    run.send(SIGCONT)
    let result = try run.result()
    #expect(result.status == 1, "\(result.errors)")
    try expectTheirs(theirs, fleet)
  }
}
