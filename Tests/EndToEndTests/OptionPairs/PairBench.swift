// A folder of inputs on which options have a visible effect, restored after each run.

import ArchiveBasics
import CommandLineInterface
import Foundation
import TestSupport

@testable import ArchtoolCommands

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The inputs of all scenarios, and what a run made of them.
final class PairBench {
  private struct Stamp: Equatable {
    let size: off_t
    let mode: mode_t
    let seconds: Int
    let inode: ino_t

    init?(_ path: [CChar]) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      #if canImport(Darwin)
        seconds = status.st_mtimespec.tv_sec
      #else
        seconds = status.st_mtim.tv_sec
      #endif
      (size, mode, inode) = (status.st_size, status.st_mode, status.st_ino)
    }
  }

  /// Text that differs from run to run, and what takes its place.
  private let unsteady: [(pattern: NSRegularExpression, replacement: String)]
  /// The environment of all runs.
  ///
  /// There are no schemas of the user's, and journals are sealed with a key of the tests' own. The environment is
  /// that of the process, so that it is set once, before the first run.
  private static let environment: Void = {
    let state = FileManager.default.temporaryDirectory.appendingPathComponent("archtool-tests").path
    for (name, value) in [
      ("XDG_STATE_HOME", state), ("XDG_CONFIG_HOME", state), ("ARCHTOOL_SCHEMAS", ""),
    ] {
      setenv(name, value, 1)
    }
  }()

  private let folder: TemporaryFolder
  private let streamsFolder: TemporaryFolder
  private var contents: [String: Data] = [:]
  private var stamps: [String: Stamp] = [:]
  /// All files and folders with what shows that nobody wrote to them, looked at after every run.
  private var untouched: [(path: [CChar], stamp: Stamp)] = []
  /// When all inputs were written last, so that times that are kept can be told.
  private static let past = 1_000_000_000

  /// The files that a run has written and that others may read, although nobody else may read any input.
  private(set) var readable: Set<String> = []

  /// The folder's path.
  var path: String { folder.url.path }

  init() throws {
    Self.environment
    unsteady = try [
      (#""(started|at|made)":"[^"]*""#, #""$1":"""#), (#"(in|"seconds":) ?[0-9.]+"#, "$1"),
      ("[0-9a-f]{16}", "RUN"),
      // Whether the first of two inputs of one name is there already when the second is prepared is chance.
      ("several inputs would be written to (.*); the result of the first is kept", "$1 exists"),
      (#"(?m)^started: .*$"#, ""),
      // Other tests leave links to their journals in the folder that all share.
      (#"(?m)^[0-9,]+ links? to journals that are gone .*\n"#, ""),
      ("no journal is old enough to be removed", "nothing to remove"),
    ].map { (try NSRegularExpression(pattern: $0), $1) }
    folder = try TemporaryFolder(inMemory: true)
    streamsFolder = try TemporaryFolder(inMemory: true)
    contents = try PairInputs.make(in: path)
    for name in contents.keys { try write(name) }
    try Data(PairInputs.records(contents).utf8).write(to: streamsFolder.file("in"))
    try SharedJournals.use { try prepare() }
  }

  deinit { SharedJournals.use { try? FileManager.default.removeItem(at: folder.url) } }

  /// Journals and plans, which only the program itself can write.
  private func prepare() throws {
    for (name, words) in PairInputs.commands {
      let streams = try openStreams()
      _ = Archtool.run(words.map { $0.replacing("@/", with: path + "/") }, streams)
      let (output, _) = closeStreams(streams)
      if let name { try output.write(to: folder.file(name)) }
    }
    for name in PairInputs.foreign {
      let text = try String(contentsOf: folder.file(name), encoding: .utf8)
      let other = text.replacing(/"key":"[0-9a-f]*"/, with: #""key":"0000000000000000""#)
      try Data(other.utf8).write(to: folder.file("foreign-" + name))
    }
    // A run that did not come to its end: its last line is missing.
    let whole = try String(contentsOf: folder.file("undone.journal"), encoding: .utf8)
    let cut = whole.split(separator: "\n").dropLast().joined(separator: "\n") + "\n"
    try Data(cut.utf8).write(to: folder.file("cut.journal"))
    for name in all().files { contents[name] = try Data(contentsOf: folder.file(name)) }
    for name in contents.keys { try write(name) }
    settle()
  }

  // MARK: Streams

  func openStreams() throws -> StandardStreams {
    let path = { (name: String) in self.streamsFolder.file(name).path }
    let flags = O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC
    return StandardStreams(
      input: open(path("in"), O_RDONLY | O_CLOEXEC), output: open(path("out"), flags, 0o600),
      error: open(path("err"), flags, 0o600))
  }

  func closeStreams(_ streams: StandardStreams) -> (output: Data, errors: Data) {
    for descriptor in [streams.input, streams.output, streams.error] { _ = close(descriptor) }
    let read = { (name: String) in
      FileManager.default.contents(atPath: self.streamsFolder.file(name).path) ?? Data()
    }
    return (read("out"), read("err"))
  }

  // MARK: Files

  /// The files that are not as they were, which they are again afterwards.
  func restore() throws -> [String: String] {
    if untouched.allSatisfy({ Stamp($0.path) == $0.stamp }) { return [:] }
    defer { settle() }
    var changed: [String: String] = [:]
    let (names, folders) = all()
    for name in names {
      if stamp(name) != stamps[name], let mode = stamp(name)?.mode, mode & 0o077 != 0 {
        readable.insert(steady(Data(name.utf8)))
      }
      guard let old = contents[name] else {
        changed[steady(Data(name.utf8))] =
          steady(try Data(contentsOf: folder.file(name))) + time(name)
        try FileManager.default.removeItem(at: folder.file(name))
        continue
      }
      guard stamp(name) != stamps[name] else { continue }
      let new = try Data(contentsOf: folder.file(name))
      changed[name] = (new == old ? "as it was" : steady(new)) + time(name)
      try write(name)
    }
    for name in Set(contents.keys).subtracting(names) {
      changed[name] = "gone"
      try write(name)
    }
    for name in folders where !contents.keys.contains(where: { $0.hasPrefix(name + "/") }) {
      try? FileManager.default.removeItem(at: folder.file(name))
    }
    return changed
  }

  /// Takes down how everything is, the folders as old as the files, so that what changes in one is seen.
  private func settle() {
    let (files, folders) = all()
    for name in [""] + folders { makeOld(path + "/" + name) }
    untouched = (files + folders + [""]).compactMap { name in
      let path = (self.path + "/" + name).utf8CString.map { $0 }
      return Stamp(path).map { (path, $0) }
    }
  }

  private func makeOld(_ path: String) {
    var times = [timeval(), timeval()]
    times[0].tv_sec = Self.past
    times[1].tv_sec = Self.past
    _ = utimes(path, times)
  }

  /// Whether a file has the time of the inputs.
  private func time(_ name: String) -> String {
    stamp(name)?.seconds == Self.past ? ", with its time" : ""
  }

  private func write(_ name: String) throws {
    let url = folder.file(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try? FileManager.default.removeItem(at: url)
    try (contents[name] ?? Data()).write(to: url)
    // Journals and plans are their owner's alone.
    _ = chmod(url.path, 0o600)
    makeOld(url.path)
    stamps[name] = stamp(name)
  }

  private func stamp(_ name: String) -> Stamp? {
    Stamp(folder.file(name).path.utf8CString.map { $0 })
  }

  /// All files and folders; Foundation takes a hundred times as long.
  private func all() -> (files: [String], folders: [String]) {
    var files: [String] = []
    var folders = [""]
    var next = 0
    while next < folders.count {
      let folder = folders[next]
      next += 1
      guard let stream = opendir(path + "/" + folder) else { continue }
      while let entry = readdir(stream) {
        let name = withUnsafePointer(to: entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name == "." || name == ".." { continue }
        let isFolder = Int32(entry.pointee.d_type) == Int32(DT_DIR)
        let whole = folder.isEmpty ? name : folder + "/" + name
        if isFolder { folders.append(whole) } else { files.append(whole) }
      }
      closedir(stream)
    }
    return (files, Array(folders.dropFirst()))
  }

  // MARK: What differs from run to run

  /// Text without moments, durations and numbers of runs.
  func steady(_ data: Data) -> String {
    if data.isEmpty { return "" }
    guard var text = String(data: data, encoding: .utf8) else { return data.base64EncodedString() }
    for (pattern, replacement) in unsteady {
      let whole = NSRange(text.startIndex..., in: text)
      text = pattern.stringByReplacingMatches(in: text, range: whole, withTemplate: replacement)
    }
    // What a journal knows of files on a disk is never the same; what became of them is.
    if text.hasPrefix(#"{"journal":"#) {
      // Files are put in their places in batches, as they come.
      text = text.components(separatedBy: #""event":""#).dropFirst().map {
        $0.prefix { $0 != "\"" }
      }
      .sorted().joined(separator: " ")
    }
    return text
  }
}
