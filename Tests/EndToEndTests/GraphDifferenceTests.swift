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

  /// A patch adds what a typedstream stores of a color, and a class as a value of a keyed archive.
  @Test(arguments: [("TypedStreams/colors", "$[0]"), ("", "$.kind")])
  func patchesAddWhatIsStored(_ archive: String, _ path: String) throws {
    let bench = try Workbench()
    let stored = TestArchives.root.appendingPathComponent(archive)
    let bytes =
      try archive.isEmpty ? Data(Self.classAsValue.utf8) : Data(contentsOf: stored)
    try bench.write(bytes, to: "new")
    #expect(try bench.run(["remove", "-qf", "new", path, "-o", "old"]).status == 0)
    let patch = try bench.run(["diff", "--format", "json-patch", "old", "new"])
    try bench.write(patch.output, to: "patch")
    let made = try bench.run(["patch", "-qf", "old", "patch", "-o", "made"])
    #expect(made.status == 0, "\(made.errors)")
    #expect(try bench.run(["diff", "--strict", "made", "new"]).text == "")
  }

  /// A keyed archive with a field that is a class record.
  private static let classAsValue = KeyedText.archive([
    "<dict><key>$class</key>\(KeyedText.uid(2))<key>kind</key>\(KeyedText.uid(3))</dict>",
    KeyedText.record("Holder"),
    KeyedText.record("View"),
  ])

  /// An object of class Holder, and what it refers to, from number 3 on.
  private static func holder(_ fields: String, _ others: String...) -> String {
    KeyedText.archive(
      ["<dict><key>$class</key>\(KeyedText.uid(2))\(fields)</dict>", KeyedText.record("Holder")]
        + others)
  }

  private static let item = "<dict><key>$class</key>\(KeyedText.uid(4))</dict>"
  private static let five = "<key>a</key><integer>5</integer>"

  /// What no value shows differs only with --strict, which names it.
  @Test(arguments: [
    (
      KeyedText.archive([
        "<dict><key>$class</key>\(KeyedText.uid(2))\(five)</dict>",
        KeyedText.record("Holder", "Base"),
      ]),
      holder(five), "~ $: class Holder: Base: NSObject → class Holder: NSObject"
    ),
    (
      holder(five), holder("<key>a</key>\(KeyedText.uid(3))", "<integer>5</integer>"),
      "~ $.a: storage: inline → boxed"
    ),
    (
      holder("<key>a</key><real>5</real>"), holder(five),
      "~ $.a: storage: double precision → integer"
    ),
    (
      holder(
        "<key>a</key>\(KeyedText.uid(3))<key>b</key>\(KeyedText.uid(3))", item,
        KeyedText.record("Item")),
      holder(
        "<key>a</key>\(KeyedText.uid(3))<key>b</key>\(KeyedText.uid(5))", item,
        KeyedText.record("Item"), item),
      "~ $.b: sharing: one object → two objects"
    ),
  ])
  func strictComparisonsNameWhatNoValueShows(
    _ old: String, _ new: String, _ change: String
  ) throws {
    let bench = try Workbench(["old": old, "new": new])
    #expect(try bench.run("diff", "old", "new").text == "")
    let strict = try bench.run("diff", "--strict", "old", "new")
    #expect(strict.text == change + "\n")
    #expect(strict.status == 1)
  }

  /// Two versions of a nib have few differences, and the patch makes the newer one, as it is stored and as a binary
  /// property list.
  @Test(
    .enabled(if: Corpus.isPresent, "the corpus is not there"), arguments: pairs, [false, true])
  func versionsOfNibsAreCompared(_ old: String, isConverted: Bool) throws {
    let new = old.replacingOccurrences(of: "a.nib", with: "b.nib")
    let bench = try Workbench()
    for (name, path) in [("old", old), ("new", new)] {
      let stored = isConverted ? "stored" : name
      try bench.write(Data(contentsOf: Corpus.root.appendingPathComponent(path)), to: stored)
      guard isConverted else { continue }
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
    #expect(try bench.run(["diff", "--strict", "made", "new"]).text == "")
  }
}
