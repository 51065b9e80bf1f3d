// A folder of files that TransactionPeer replaces, and what each must be before and after.

import Foundation
import TestSupport
import Testing

/// Files for one run of the peer.
final class FleetFolder {
  let bench: TemporaryFolder
  var files: URL { bench.file("files") }
  var journal: String { bench.file("journal").path }
  /// Content, mode, times and attributes before any run, as Python saw them.
  private(set) var factsBefore: [String: String] = [:]
  static let contentBefore = Dictionary(
    uniqueKeysWithValues: ["a", "b", "found", "found.lost.json", "lost"].map {
      ($0, "\($0) as it was")
    })

  init() throws {
    bench = try TemporaryFolder(inMemory: true)
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    for (index, (name, text)) in Self.contentBefore.sorted(by: { $0.key < $1.key }).enumerated() {
      let file = files.appendingPathComponent(name)
      try Data(text.utf8).write(to: file)
      try FileManager.default.setAttributes(
        [
          .posixPermissions: 0o640 - index, .modificationDate: Date(timeIntervalSince1970: 1.5e9),
        ], ofItemAtPath: file.path)
    }
    factsBefore = try facts("--tag")
  }

  /// Content, mode, times and attributes of every file, as Python sees them.
  func facts(_ options: String...) throws -> [String: String] {
    let script = TestArchives.root.deletingLastPathComponent()
      .appendingPathComponent("Tests/Judges/file_facts.py").path
    let result = try Program.run(
      at: URL(fileURLWithPath: "/usr/bin/env"), ["python3", script] + options + [files.path])
    return try JSONDecoder().decode([String: String].self, from: result.output)
  }

  /// What the folder holds once everything is replaced, times left out.
  static let contentAfter: [String: String] = [
    "a": "new a as it was", "b": "new b as it was",
    "found": "new found as it was", "lost": "new lost as it was", "lost.lost.json": "lost",
  ]

  /// The texts of all files, those that the program makes for itself included.
  func contents() throws -> [String: String] {
    var found: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: files.path) {
      found[name] = String(
        decoding: try Data(contentsOf: files.appendingPathComponent(name)), as: UTF8.self)
    }
    found[".archtool-lock"] = nil
    return found
  }

  /// The names whose files are neither as before nor as after.
  func broken() throws -> [String] {
    let now = try contents()
    let names = Set(now.keys).union(Self.contentBefore.keys).union(Self.contentAfter.keys)
    return names.filter { name in
      !name.hasPrefix(".archtool-") && now[name] != Self.contentBefore[name]
        && now[name] != Self.contentAfter[name]
    }.sorted()
  }

  // MARK: The peer

  func peer(_ arguments: [String], _ environment: [String: String] = [:]) throws -> ProgramResult {
    try Program.run("TransactionPeer", arguments, in: bench.url, environment: environment)
  }

  func run(_ environment: [String: String] = [:]) throws -> ProgramResult {
    try peer(["run", journal, files.path], environment)
  }

  func resume(_ environment: [String: String] = [:]) throws -> ProgramResult {
    try peer(["resume", journal, files.path], environment)
  }

  func undo(_ options: [String] = [], _ environment: [String: String] = [:]) throws
    -> ProgramResult
  {
    try peer(["undo", journal] + options, environment)
  }
}
