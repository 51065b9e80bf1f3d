// archtool as git's external diff program and text converter, set up as README.md says, in a real repository.

import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: Program.find("git") != nil, "git is not installed"))
struct GitDriverTests {
  private let repository: GitRepository

  init() throws {
    let setup = try GitRepository.documentedLines(after: "git diff")
    #expect(setup.count == 3)
    repository = try GitRepository(setup)
    try put("Movie/v1", "a.plist")
    try put("Movie/v2", "gone.plist")
    try repository.commit("first")
  }

  private func put(_ archive: String, _ name: String) throws {
    try repository.write(try Workbench.archive(archive), to: name)
  }

  @Test func showsValuesInsteadOfBytes() throws {
    try put("Actor/v1", "a.plist")
    try FileManager.default.removeItem(at: repository.url("gone.plist"))
    try put("Movie/v0-mirror-class", "new.plist")
    try repository.write(Data("no archive".utf8), to: "other.txt")
    try repository.git("add", "-A")
    let text = try repository.git("diff", "--cached")
    #expect(
      text.contains("diff --git a/a.plist b/a.plist\n- $.director: \"James Cameron\"\n"), "\(text)")
    #expect(text.contains("~ $.name: \"Avatar\" → \"Sam Worthington\"\n"), "\(text)")
    #expect(
      text.contains("diff --git a/gone.plist b/gone.plist\ndeleted file\n- $: data"), "\(text)")
    #expect(text.contains("diff --git a/new.plist b/new.plist\nnew file\n+ $: "), "\(text)")
    #expect(text.contains("+no archive"), "\(text)")
  }

  /// A name that looks like an option is one of a file.
  @Test(arguments: ["-x.plist", "--key-by=x.plist", "with space.plist", "new\nline.plist"])
  func showsFilesOfAnyName(_ name: String) throws {
    try put("Movie/v1", name)
    try repository.commit("second")
    try put("Actor/v1", name)
    for options in [[], ["--no-ext-diff"]] {
      let result = try repository.run(["diff"] + options)
      #expect(result.status == 0, "\(result.errors)")
      let isTree = options.isEmpty
      #expect(
        result.text.contains(
          isTree ? "director: \"James Cameron\"" : "-$.director = \"James Cameron\""),
        "\(result.text)")
    }
  }

  @Test func tellsThatOnlyCommentsChanged() throws {
    try repository.write(Data("{ a = 1; /* old */ }".utf8), to: "c.plist")
    try repository.commit("second")
    try repository.write(Data("{ a = 1; /* new */ }".utf8), to: "c.plist")
    #expect(
      try repository.git("diff")
        == "diff --git a/c.plist b/c.plist\nequal values; the texts differ\n")
  }

  @Test func tellsThatOnlyTheFormChanged() throws {
    try put("Movie/v2", "a.plist")
    #expect(try repository.git("diff") == "diff --git a/a.plist b/a.plist\nequal values\n")
  }

  @Test func showsWhatCannotBeRead() throws {
    try put("Broken/truncated", "a.plist")
    let text = try repository.git("diff")
    #expect(text.contains("Files a/a.plist and b/a.plist differ"), "\(text)")
  }

  @Test func convertsToTextWhereGitComparesItself() throws {
    try put("Actor/v1", "a.plist")
    try repository.commit("second")
    let text = try repository.git("show", "--no-ext-diff")
    #expect(text.contains("-$.director = \"James Cameron\"\n"), "\(text)")
  }

  /// The converter never fails and says nothing, whatever the file is.
  @Test(arguments: [
    "Broken/truncated", "Broken/empty", "Broken/dangling-uid", "Broken/xml-entity-bomb.plist",
    "Databases/Library.db", "README.md", "TypedStreams/foundation", "Nibs/view.nib",
  ]) func convertsAnything(_ archive: String) throws {
    let path = TestArchives.root.appendingPathComponent(archive).path
    let result = try Program.run(arguments: ["git", "text", path])
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    #expect(result.text == (try Program.run(arguments: ["git", "text", path]).text))
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(data.isEmpty || !result.output.isEmpty)
    #expect(!result.output.contains(0))
    if archive.hasSuffix(".md") { #expect(result.output == data) }
  }

  /// Members that are stored in another order give the same lines.
  @Test func textDoesNotDependOnTheOrderOfMembers() throws {
    let bench = try Workbench([
      "a.json": #"{"b": {"y": 1, "x": [2]}, "a": 3}"#,
      "b.json": #"{"a": 3, "b": {"x": [2], "y": 1}}"#,
    ])
    let texts = try ["a.json", "b.json"].map { try bench.run("git", "text", $0).text }
    #expect(texts[0] == texts[1])
    #expect(
      texts[0] == """
        $: dictionary
        $.a = 3
        $.b: dictionary
        $.b.x: array
        $.b.x[0] = 2
        $.b.y = 1

        """)
  }

  /// A change changes the lines of what it changes, and no others.
  @Test(arguments: [
    (#"["append", "$.list", "4"]"#, ["+$.list[3] = 4"]),
    (#"["set", "$.b.x", "9"]"#, ["-$.b.x = 1", "+$.b.x = 9"]),
    (#"["remove", "$.b.y"]"#, ["-$.b.y = \"z\""]),
  ])
  func aChangeIsItsOwnLines(_ edit: String, _ changes: [String]) throws {
    let bench = try Workbench(["a.json": #"{"b": {"x": 1, "y": "z"}, "list": [1, 2, 3]}"#])
    let words = try JSONDecoder().decode([String].self, from: Data(edit.utf8))
    let edited = try bench.run([words[0], "-o", "b.json", "a.json"] + words.dropFirst())
    #expect(edited.status == 0, "\(edited.errors)")
    let lines = try ["a.json", "b.json"].map { name in
      try bench.run("git", "text", name).text.split(separator: "\n").map(String.init)
    }
    let difference = lines[1].difference(from: lines[0]).map { change in
      switch change {
      case .insert(_, let line, _): "+" + line
      case .remove(_, let line, _): "-" + line
      }
    }
    #expect(difference == changes)
  }

  /// An object that several refer to has one line for each of its values.
  @Test func anObjectIsShownOnce() throws {
    let bench = try Workbench()
    let shared = NSArray(array: ["x", Data(repeating: 7, count: 40)])
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: ["a": shared, "b": shared] as NSDictionary, requiringSecureCoding: false)
    try bench.write(data, to: "shared")
    let text = try bench.run("git", "text", "shared").text
    #expect(
      text.hasPrefix(
        """
        $: NSDictionary
        $.a: NSArray
        $.a[0] = "x"
        $.a[1] = data (40 bytes)
        """), "\(text)")
    #expect(text.contains(" SHA-256 ") && text.hasSuffix("$.b = → $.a\n"), "\(text)")
  }

  /// A key that is an object is shown with what it contains.
  @Test func showsKeysThatAreObjects() throws {
    let bench = try Workbench()
    let key = NSArray(array: ["inner", 7])
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: NSDictionary(object: "value", forKey: key), requiringSecureCoding: false)
    try bench.write(data, to: "keyed")
    let text = try bench.run("git", "text", "keyed").text
    #expect(text.contains("\"inner\"") && text.contains("\"value\""), "\(text)")
  }

  /// The lines of a file that is new or deleted are limited as those of a changed one.
  @Test(arguments: [true, false])
  func limitsTheLinesOfAddedAndDeletedFiles(_ isAdded: Bool) throws {
    let members = (0..<50).map { "\"k\($0)\": \($0)" }.joined(separator: ", ")
    let bench = try Workbench(["file": "{\(members)}"])
    let file = ["file", String(repeating: "a", count: 40), "100644"]
    let none = ["/dev/null", ".", "."]
    let words = ["many.plist"] + (isAdded ? none + file : file + none)
    let all = try bench.run(["git", "diff"] + words).text.split(separator: "\n")
    #expect(all.count > 50)
    let few = try bench.run(["git", "diff", "--max-lines", "5"] + words)
    let lines = few.text.split(separator: "\n")
    #expect(lines.count <= 8, "\(few.text) \(few.errors)")
    #expect(lines.prefix(5) == all.prefix(5))
  }

  /// Other files show that they changed.
  @Test func otherFilesHaveAHash() throws {
    let bench = try Workbench()
    for (name, bytes) in [("a", [0, 1, 2] as [UInt8]), ("b", [0, 1, 3])] {
      try bench.write(Data(bytes), to: name)
    }
    let texts = try ["a", "b"].map { try bench.run("git", "text", $0).text }
    #expect(texts[0] != texts[1])
    #expect(texts[0].hasPrefix("3 bytes, SHA-256 ae4b3280e56e2faf83f414a6e3dabe9d5fbe18976544c05"))
  }
}
