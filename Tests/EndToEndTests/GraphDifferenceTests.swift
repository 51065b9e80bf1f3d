// Comparisons of graphs whose objects refer to one another: each object is compared once.

import Foundation
import TestSupport
import Testing

@Suite struct GraphDifferenceTests {
  /// The judge knows which edits it has made to random graphs, and applies the JSON Patches.
  @Test func randomEditsAreNamedAndNothingElse() throws {
    let script = TestArchives.root.deletingLastPathComponent()
      .appendingPathComponent("Tests/Judges/graph_differences.py").path
    let result = try Program.run(
      at: URL(fileURLWithPath: "/usr/bin/env"),
      ["python3", script, Program.folder + "/archtool", "60", "1"],
      environment: ["PYTHONDONTWRITEBYTECODE": "1"])
    #expect(result.status == 0, "\(result.text) \(result.errors)")
  }

  private static let pairs = Corpus.files("nibs/pairs").filter { $0.hasSuffix("a.nib") }

  /// Two versions of a nib have few differences, and the patch makes the newer one.
  ///
  /// Streams are patched as keyed archives.
  @Test(.enabled(if: Corpus.isPresent, "the corpus is not there"), arguments: pairs)
  func versionsOfNibsAreCompared(_ old: String) throws {
    let new = old.replacingOccurrences(of: "a.nib", with: "b.nib")
    let bench = try Workbench()
    for (name, path) in [("old", old), ("new", new)] {
      try bench.write(Data(contentsOf: Corpus.root.appendingPathComponent(path)), to: "stored")
      #expect(
        try bench.run(["convert", "-qf", "--to", "binary1", "stored", "-o", name]).status == 0)
      #expect(try bench.run(["diff", "-q", "stored", name]).status == 0)
    }
    let text = try bench.run(["diff", "old", "new"])
    #expect(text.status == 1)
    #expect(text.text.split(separator: "\n").count <= 2000)
    let patch = try bench.run(["diff", "--format", "json-patch", "old", "new"])
    try bench.write(patch.output, to: "patch")
    let made = try bench.run(["patch", "-qf", "old", "patch", "-o", "made"])
    #expect(made.status == 0, "\(made.errors)")
    #expect(try bench.run(["diff", "made", "new"]).text == "")
  }
}
