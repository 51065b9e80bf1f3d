// Files and folders that somebody else touches while a migration runs: theirs stay, the others are done.

import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: Interposer.library != nil, "needs cc and LD_PRELOAD"))
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
}
