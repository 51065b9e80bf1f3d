// A folder of inputs on which options show, put back after each run.

import CommandLineInterface
import Foundation
import TestSupport

@testable import archtool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The inputs of all scenarios, and what a run made of them.
final class PairBench {
  private struct Stamp: Equatable {
    let size: off_t
    let seconds: Int
    let inode: ino_t
  }

  private let folder: TemporaryFolder
  private let streamsFolder: TemporaryFolder
  private var contents: [String: Data] = [:]
  private var stamps: [String: Stamp] = [:]
  private var isPrepared = false
  /// When all inputs were written last, so that times that are kept can be told.
  private static let past = 1_000_000_000

  /// The folder's path.
  var path: String { folder.url.path }

  init() throws {
    folder = try TemporaryFolder(inMemory: true)
    streamsFolder = try TemporaryFolder(inMemory: true)
    contents = try PairInputs.make(in: path)
    for name in contents.keys { try write(name) }
    try Data(PairInputs.records(contents).utf8).write(to: streamsFolder.file("in"))
    try prepare()
  }

  /// Journals and plans, which only the program itself can write.
  private func prepare() throws {
    for (name, words) in PairInputs.commands {
      let streams = try openStreams()
      _ = Archtool.run(words.map { $0.replacing("@/", with: path + "/") }, streams)
      let (output, _) = closeStreams(streams)
      if let name { try output.write(to: folder.file(name)) }
    }
    for name in all().files { contents[name] = try Data(contentsOf: folder.file(name)) }
    for name in contents.keys { try write(name) }
    isPrepared = true
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
    var changed: [String: String] = [:]
    let (names, folders) = all()
    for name in names {
      guard let old = contents[name] else {
        changed[Self.steady(Data(name.utf8))] =
          Self.steady(try Data(contentsOf: folder.file(name))) + time(name)
        try FileManager.default.removeItem(at: folder.file(name))
        continue
      }
      guard stamp(name) != stamps[name] else { continue }
      let new = try Data(contentsOf: folder.file(name))
      changed[name] = (new == old ? "as it was" : Self.steady(new)) + time(name)
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
    var times = [timeval(), timeval()]
    times[0].tv_sec = Self.past
    times[1].tv_sec = Self.past
    _ = utimes(url.path, times)
    stamps[name] = stamp(name)
  }

  private func stamp(_ name: String) -> Stamp? {
    var status = stat()
    guard stat(folder.file(name).path, &status) == 0 else { return nil }
    #if canImport(Darwin)
      let seconds = status.st_mtimespec.tv_sec
    #else
      let seconds = status.st_mtim.tv_sec
    #endif
    return Stamp(size: status.st_size, seconds: seconds, inode: status.st_ino)
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
  static func steady(_ data: Data) -> String {
    guard var text = String(data: data, encoding: .utf8) else { return data.base64EncodedString() }
    for (pattern, replacement) in [
      (#""(started|at|made)":"[^"]*""#, #""$1":"""#), (#"(in|"seconds":) ?[0-9.]+"#, "$1"),
      ("[0-9a-f]{16}", "RUN"), (#"(?m)^started: .*$"#, ""),
    ] {
      text = text.replacingOccurrences(of: pattern, with: replacement, options: .regularExpression)
    }
    // What a journal knows of files on a disk is never the same; what became of them is.
    if text.hasPrefix(#"{"journal":"#) {
      let events = text.matches(of: /"event":"[a-z]+"/).map { String($0.output) }
      // Files are put in their places in batches, as they come.
      text = events.sorted().joined(separator: " ")
    }
    return text
  }
}
