// `archtool set`, `insert`, `append`, `remove`, `rename-key` and `patch` as a user types them.

import Foundation
import TestSupport
import Testing

@Suite struct EditCommandTests {
  private static func archive(_ root: Any) -> Data {
    let archiver = NSKeyedArchiver(requiringSecureCoding: false)
    archiver.encode(root, forKey: NSKeyedArchiveRootObjectKey)
    return archiver.encodedData
  }

  private static func judge(_ arguments: String...) throws -> String {
    try Program.run("FoundationJudge", arguments).text
  }

  @Test(arguments: [
    (["set", "f", "list.0", "\"z\""], "{\"list\":[\"z\",\"b\"],\"n\":1}\n"),
    (["set", "--string", "f", "/list/0", "5"], "{\"list\":[\"5\",\"b\"],\"n\":1}\n"),
    (["set", "f", "n", "-5"], "{\"list\":[\"a\",\"b\"],\"n\":-5}\n"),
    (["set", "--real", "f", "n", "2.5"], "{\"list\":[\"a\",\"b\"],\"n\":2.5}\n"),
    (["set", "--bool", "f", "n", "yes"], "{\"list\":[\"a\",\"b\"],\"n\":true}\n"),
    (["set", "f", "new", "{\"k\": []}"], "{\"list\":[\"a\",\"b\"],\"n\":1,\"new\":{\"k\":[]}}\n"),
    (["insert", "f", ":list:1", "\"x\""], "{\"list\":[\"a\",\"x\",\"b\"],\"n\":1}\n"),
    (["append", "f", "list", "null"], "{\"list\":[\"a\",\"b\",null],\"n\":1}\n"),
    (["remove", "f", "$.list"], "{\"n\":1}\n"),
    (["rename-key", "f", "$.n", "m"], "{\"list\":[\"a\",\"b\"],\"m\":1}\n"),
    (["set", "--edits", "lines", "f"], "{\"list\":[\"a\"],\"n\":2}\n"),
    (["patch", "f", "changes"], "{\"list\":[\"b\",\"a\"],\"n\":1,\"o\":1}\n"),
    (["set", "f", "n", "--from", "part"], "{\"list\":[\"a\",\"b\"],\"n\":[\"p\"]}\n"),
    (["insert", "f", "list.0", "--from", "part"], "{\"list\":[[\"p\"],\"a\",\"b\"],\"n\":1}\n"),
  ]) func foundationOpensWhatWasEdited(_ words: [String], _ expected: String) throws {
    let bench = try Workbench([
      "lines": """
      {"op": "remove", "path": "list.1"}
      {"op": "set", "path": "n", "value": 2}
      """,
      "changes": """
      [{"op": "test", "path": "/n", "value": 1.0}, {"op": "move", "from": "/list/0", "path": "/list/1"},
       {"op": "copy", "from": "/n", "path": "/o"}]
      """,
    ])
    try bench.write(Self.archive(["list": ["a", "b"], "n": 1] as [String: Any]), to: "f")
    try bench.write(Self.archive(["p"]), to: "part")
    let old = try Data(contentsOf: bench.url("f"))
    let result = try bench.run(words)
    #expect(result.status == 0, "\(result.errors)")
    try bench.write(result.output, to: "out")
    #expect(try Self.judge("dictionary", bench.url("out").path) == expected)
    #expect(try Data(contentsOf: bench.url("f")) == old)
    let place = try bench.run(
      [words[0], "--in-place", "--backup", ".old", "--journal", "j"] + words.dropFirst())
    #expect(place.status == 0, "\(place.errors)")
    #expect(try Data(contentsOf: bench.url("f")) == result.output)
    #expect(try Data(contentsOf: bench.url("f.old")) == old)
    let undone = try bench.run("undo", "j")
    #expect(undone.status == 0, "\(undone.errors)")
    #expect(try Data(contentsOf: bench.url("f")) == old)
    let shown = try bench.run([words[0], "-n"] + words.dropFirst())
    #expect(shown.status == 0 && !shown.output.isEmpty, "\(shown.errors)")
    #expect(try Data(contentsOf: bench.url("f")) == old)
  }

  @Test(arguments: [
    (["set", "f"], 64, "missing operand PATH"),
    (["set", "f", "a"], 64, "missing operand VALUE"),
    (["set", "f", "a", "b"], 64, "'b' is not JSON"),
    (["set", "f", "a", "b", "c"], 64, "one too many"),
    (["set", "--integer", "f", "a", "1.5"], 64, "is not an integer"),
    (["set", "--date", "f", "a", "now"], 64, "is not a date"),
    (["set", "--data", "f", "a", "?"], 64, "is not Base64"),
    (["set", "--bool", "f", "a", "1"], 64, "is not true, false"),
    (["set", "--shared", "--copy", "f", "a", "1"], 64, "cannot be used together"),
    (["set", "--from", "f", "f", "a", "1"], 64, "replaces VALUE"),
    (["set", "--schema", "Movie", "f", "a", "1"], 64, "needs"),
    (["set", "--in-place", "-", "a", "1"], 64, "standard input"),
    (["insert", "$.a", "p", "f"], 64, "FILE comes first"),
    (["patch", "-", "-"], 64, "cannot both be standard input"),
    (["set", "f", "/~2", "1"], 64, "is not a path"),
    (["set", "none", "a", "1"], 66, "none"),
    (["set", "text", "a", "1"], 65, "text"),
    (["set", "--check", "f", "a", "1"], 1, "does not fit its schema"),
    (["set", "f", "a.b.c", "1"], 1, "there is no key 'b' here"),
    (["remove", "--in-place", "f", "b"], 1, "there is no key 'b' here"),
    (["patch", "f", "bad"], 1, "operation 1 (/nowhere): there is no key 'nowhere' here"),
    (["patch", "f", "text"], 65, "text"),
    (["set", "f", "a", "1", "-o", "f"], 73, "exists"),
  ]) func nothingIsWrittenAfterAnError(_ words: [String], _ status: Int32, _ text: String) throws {
    let bench = try Workbench([
      "text": "neither",
      "bad": #"[{"op":"add","path":"/x","value":1},{"op":"remove","path":"/nowhere"}]"#,
    ])
    let archive = Self.archive(["a": ["k": "v"]])
    try bench.write(archive, to: "f")
    let result = try bench.run(words)
    #expect(result.status == status, "\(result.errors)")
    #expect(result.errors.contains(text), "\(result.errors)")
    #expect(result.output.isEmpty)
    #expect(try Data(contentsOf: bench.url("f")) == archive)
  }

  @Test func aResultFitsItsSchema() throws {
    let movie = TestArchives.root.appendingPathComponent("Movie/v1").path
    let bench = try Workbench()
    let good = try bench.run("set", "--check", "-n", movie, "/name", "\"X\"")
    #expect(good.status == 0, "\(good.errors)")
    #expect(good.text == "$.name: \"Avatar\" -> \"X\"\n")
    let bad = try bench.run("set", "--check", "-o", "out", movie, "/releaseYear", "\"X\"")
    #expect(bad.status == 1 && bad.errors.contains("does not fit its schema"), "\(bad.errors)")
    #expect(!FileManager.default.fileExists(atPath: bench.url("out").path))
  }

  @Test func lostCommentsAreReported() throws {
    let bench = try Workbench([
      "x":
        "<plist version=\"1.0\"><!-- note --><dict><key>a</key><string>b</string></dict></plist>",
      "o": "{ a = b; /* note */ }", "j": #"{"a": "/* no <!-- note"}"#,
    ])
    for (name, isLost) in [("x", true), ("o", true), ("j", false)] {
      for option in [["-n"], ["-o", "out", "-f"]] {
        let result = try bench.run(["set"] + option + [name, "a", "\"c\""])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors.contains("comments in the text are not kept") == isLost)
      }
    }
  }

  @Test func anEditorChangesTheSmallestValues() throws {
    let bench = try Workbench()
    try bench.write(
      Self.archive(["list": ["a", "b", "c"], "n": 1, "k": ["x": "y"]] as [String: Any]), to: "f")
    // Removes one line, and changes and adds others.
    let script =
      "sed -i.old -e '/\"b\",/d' -e 's/\"y\"/\"z\"/' -e 's/\"n\": 1/\"m\": true, \"n\": 1/'"
    let shown = try bench.run(["edit", "-n", "f"], environment: ["VISUAL": script])
    #expect(shown.status == 0, "\(shown.errors)")
    let lines = Set(shown.text.split(separator: "\n").map(String.init))
    #expect(
      lines == [#"$.list[1]: removed "b""#, #"$.k.x: "y" -> "z""#, "$.m: added true"], "\(lines)")
    let done = try bench.run(
      ["edit", "--in-place", "--no-journal", "f"], environment: ["EDITOR": script])
    #expect(done.status == 0, "\(done.errors)")
    #expect(
      try Self.judge("dictionary", bench.url("f").path)
        == "{\"k\":{\"x\":\"z\"},\"list\":[\"a\",\"c\"],\"m\":true,\"n\":1}\n")
    let failed = try bench.run(["edit", "-n", "f"], environment: ["EDITOR": "false"])
    #expect(failed.status == 74 && failed.errors.contains("nothing is changed"), "\(failed.errors)")
    let same = try bench.run(["edit", "-n", "f"], environment: ["EDITOR": "true"])
    #expect(same.status == 0 && same.output.isEmpty && same.errors.contains("not changed"))
  }
}
