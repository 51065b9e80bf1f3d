// Merges keep which objects are one, how values are stored and of what class they are, or are refused.

import Foundation
import TestSupport
import Testing

@Suite struct MergeIdentityTests {
  /// The scenarios of `Tests/Judges/merge_identity.py`, which writes and reads the archives with plistlib.
  @Test(arguments: [
    "reference-back", "theirs-splits", "theirs-joins", "ours-joins", "ours-splits",
    "ours-splits-elsewhere", "shared-list-changed", "mutable-text-changed", "mutable-text-split",
    "mutable-text-joined-by-ours", "mutable-data-changed", "new-object-twice", "new-object",
    "archiver", "boxed-becomes-inline", "elements-become-inline", "data-encoded-anew",
    "data-becomes-dictionary", "set-element-changed-twice", "set-element-changed-and-removed",
    "comment-in-archive",
  ]) func keepsWhatValuesDoNotShow(_ scenario: String) throws {
    let script = TestArchives.root.deletingLastPathComponent()
      .appendingPathComponent("Tests/Judges/merge_identity.py").path
    let result = try Program.run(
      at: URL(fileURLWithPath: "/usr/bin/env"),
      ["python3", script, Program.folder + "/archtool", scenario],
      environment: ["PYTHONDONTWRITEBYTECODE": "1"])
    #expect(result.status == 0, "\(result.text) \(result.errors)")
  }

  /// Lists of which each contains the next twice have as many paths as there are numbers of 30 bits.
  @Test func mergesGraphsWithVeryManyPaths() throws {
    func graph(_ name: String, _ value: Int) -> String {
      let depth = 30
      let root = KeyedText.array(of: [5, 4], class: 2)
      let lists = (5..<5 + depth).map { KeyedText.array(of: [$0 + 1, $0 + 1], class: 2) }
      return KeyedText.archive(
        [root, KeyedText.record("NSArray"), "<string>\(name)</string>"]
          + ["<integer>\(value)</integer>"] + lists + [KeyedText.array(of: [3, 4], class: 2)])
    }
    let bench = try Workbench()
    for (file, name, value) in [("base", "x", 1), ("ours", "y", 1), ("theirs", "x", 2)] {
      try bench.write(graph(name, value), to: file)
    }
    let result = try bench.run("git", "merge", "base", "ours", "theirs")
    #expect(result.status == 0, "\(result.errors)")
    try bench.write(graph("y", 2), to: "wanted")
    #expect(try bench.run("diff", "--strict", "ours", "wanted").text == "")
  }

  /// A file with the name of the conflicts that is no regular file is left alone: opening a pipe would wait for ever.
  @Test(arguments: ["", "/dev/stdin", "elsewhere"])
  func leavesOtherFilesUnderTheNameOfTheConflicts(_ target: String) throws {
    let bench = try Workbench(["base": "{\"a\": 1}", "ours": "{\"a\": 2}", "theirs": "{\"a\": 3}"])
    try bench.write("mine", to: "elsewhere")
    let path = bench.url("ours.conflicts.json").path
    #expect((target.isEmpty ? mkfifo(path, 0o600) : symlink(target, path)) == 0)
    let result = try bench.run("git", "merge", "base", "ours", "theirs")
    #expect(result.errors.contains("is not a regular file"), "\(result.errors)")
    #expect(result.status == 73)
    #expect(try Data(contentsOf: bench.url("elsewhere")) == Data("mine".utf8))
  }
}
