// An independent decoder of keyed archives finds the same graph as typed JSON, and in the archive created from it.

import Foundation
import TestSupport
import Testing

@Suite struct KeyedDecoderJudgeTests {
  @Test(arguments: [1, 2]) func anotherDecoderFindsTheSameGraph(seed: Int) throws {
    let script = TestArchives.root.deletingLastPathComponent()
      .appendingPathComponent("Tests/Judges/keyed_archive_decoder.py").path
    let archives = seed == 1 ? [TestArchives.root.path] : []
    let result = try Program.run(
      at: URL(fileURLWithPath: "/usr/bin/env"),
      ["python3", script, Program.folder + "/archtool", "60", "\(seed)"] + archives)
    #expect(result.status == 0, "\(result.text) \(result.errors)")
  }

  /// A walk of its own over the objects finds what `find` and `query` find, in the same order.
  @Test(arguments: [1, 101]) func anotherWalkFindsTheSameObjects(seed: Int) throws {
    let script = TestArchives.root.deletingLastPathComponent()
      .appendingPathComponent("Tests/Judges/searches.py").path
    let result = try Program.run(
      at: URL(fileURLWithPath: "/usr/bin/env"),
      ["python3", script, Program.folder + "/archtool", "60", "\(seed)"],
      environment: ["PYTHONDONTWRITEBYTECODE": "1"])
    #expect(result.status == 0, "\(result.text) \(result.errors)")
  }

  /// Records of runs that were changed, and system calls that fail: what is done is right, or refused.
  @Test(arguments: [("tampered_records", "40"), ("failing_calls", "60")])
  func whatGoesWrongDoesNoHarm(_ judge: String, _ count: String) throws {
    let script = TestArchives.root.deletingLastPathComponent()
      .appendingPathComponent("Tests/Judges/\(judge).py").path
    let result = try Program.run(
      at: URL(fileURLWithPath: "/usr/bin/env"),
      ["python3", script, Program.folder + "/archtool", count, "1"],
      environment: ["PYTHONDONTWRITEBYTECODE": "1"])
    #expect(result.status == 0, "\(result.text) \(result.errors)")
  }
}
