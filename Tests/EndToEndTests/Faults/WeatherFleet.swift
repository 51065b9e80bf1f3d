// A folder of weather feeds that archtool migrates in place, with a journal and backups beside it.

import FileTransactions
import Foundation
import TestSupport

/// A fleet on the disk.
final class WeatherFleet {
  let bench: TemporaryFolder
  let contents: FleetContents
  /// The fleet before any run.
  private(set) var before: FolderFacts
  private var number = 0

  var folder: URL { bench.file("files") }
  var outside: URL { bench.file("outside") }
  /// The journal of the latest run, and the folder of its backups.
  var journal: String { bench.file("journal-\(number)").path }
  var backups: String { bench.file("backups").path }

  /// Writes the files of a fleet.
  ///
  /// - Parameter isLinked: whether files get other names, and links lead out of the folder.
  init(_ contents: FleetContents, isLinked: Bool = false) throws {
    bench = try TemporaryFolder(inMemory: true)
    self.contents = contents
    for name in ["files", "outside"] {
      try FileManager.default.createDirectory(
        at: bench.file(name), withIntermediateDirectories: true)
    }
    before = try FolderFacts(bench.url.path)
    for file in contents.files { try Self.write(file, below: folder) }
    if isLinked { try link() }
    before = try FolderFacts(folder.path)
  }

  private static func write(_ file: FleetContents.File, below folder: URL) throws {
    let url = folder.appendingPathComponent(file.path)
    if file.number % 10 == 0 {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    }
    try file.bytes.write(to: url)
    chmod(url.path, file.mode)
    utimensat(AT_FDCWD, url.path, [file.modified, file.modified], 0)
  }

  private func link() throws {
    let manager = FileManager.default
    for number in [3, 44, 105] {
      let name = contents.files[number].path
      try manager.linkItem(
        at: folder.appendingPathComponent(name), to: folder.appendingPathComponent(name + "-too"))
    }
    let stranger = outside.appendingPathComponent("feed")
    try FeedArchives.dictionariable(8).write(to: stranger)
    try manager.createSymbolicLink(
      atPath: folder.appendingPathComponent("region-0/link").path,
      withDestinationPath: "../../outside/feed")
    try manager.createSymbolicLink(
      atPath: folder.appendingPathComponent("region-0/station-0/folder").path,
      withDestinationPath: "../../../outside")
  }

  /// The file of a number.
  func file(_ number: Int) -> URL { folder.appendingPathComponent(contents.files[number].path) }

  /// What lies in the folder now.
  func now() throws -> FolderFacts { try FolderFacts(folder.path) }

  /// Whether the latest run came as far as to begin its journal.
  var hasJournal: Bool {
    FileManager.default.contents(atPath: journal)?.contains(UInt8(ascii: "\n")) == true
  }

  // MARK: archtool

  /// The arguments of a migration under a new journal.
  func migration(_ options: String...) -> [String] {
    number += 1
    return ["migrate", "--to", "v2", "--in-place", "--journal", journal, "--backup-dir", backups]
      + options + ["-r", "files"]
  }

  var resumption: [String] { ["migrate", "--resume", journal] }

  func undoing(_ options: String...) -> [String] { ["undo"] + options + [journal] }

  /// The variables of every run: out of reach of the user's own schemas.
  private func variables(_ fault: [String: String]) -> [String: String] {
    let nothing = [
      "HOME": bench.url.path, "XDG_CONFIG_HOME": "", "XDG_STATE_HOME": "", "ARCHTOOL_SCHEMAS": "",
    ]
    return nothing.merging(fault) { $1 }
  }

  /// Runs archtool beside the folder.
  func run(
    _ arguments: [String], _ fault: [String: String] = [:], input: Data = Data()
  ) throws -> ProgramResult {
    try Program.run(
      "archtool", arguments, input: input, in: bench.url, environment: variables(fault))
  }

  /// Runs archtool beside the folder by another program, whose arguments come before.
  func run(by program: URL, _ before: [String], _ arguments: [String]) throws -> ProgramResult {
    let all = before + [Program.folder + "/archtool"] + arguments
    return try Program.run(at: program, all, in: bench.url, environment: variables([:]))
  }

  /// Starts archtool beside the folder.
  func start(_ arguments: [String], _ fault: [String: String] = [:]) throws -> RunningProgram {
    try Program.start("archtool", arguments, in: bench.url, environment: variables(fault))
  }
}
