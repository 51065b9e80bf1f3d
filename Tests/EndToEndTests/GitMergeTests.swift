// archtool as git's merge driver, set up as README.md says, in real repositories; results are read by plistlib and Foundation.

import Foundation
import TestSupport
import Testing

/// Two branches that change a file, and what comes of their merge.
struct MergeScenario: Sendable, CustomTestStringConvertible {
  let name: String
  /// The file in the first commit: one of TestArchives, or text.
  let base: Base
  /// The edits of each branch: words after `archtool`, before the file and the last words.
  let ours: [[String]]
  let theirs: [[String]]
  /// The merged values in JSON, sorted by keys, as another program reads them.
  let merged: String
  /// The paths of the conflicts.
  var conflicts: [String] = []

  var testDescription: String { name }

  enum Base: Sendable {
    case archive(String)
    case xml(String)
    case binary(String)
  }

  private static let list =
    "<dict><key>l</key><array><string>a</string><string>b</string>"
    + "<string>c</string></array><key>n</key><integer>1</integer></dict>"

  static let all = [
    MergeScenario(
      name: "two members of a binary property list", base: .binary(list),
      ours: [["set", "/n", "2"]], theirs: [["set", "/m", "true"]],
      merged: #"{"l":["a","b","c"],"m":true,"n":2}"#),
    MergeScenario(
      name: "elements of an XML property list", base: .xml(list),
      ours: [["insert", "/l/0", "\"x\""]],
      theirs: [["remove", "/l/1"], ["append", "/l", "\"y\""]],
      merged: #"{"l":["x","a","c","y"],"n":1}"#),
    MergeScenario(
      name: "the same change in both", base: .binary(list),
      ours: [["set", "/n", "2"], ["append", "/l", "\"d\""]],
      theirs: [["append", "/l", "\"d\""], ["set", "/n", "2"], ["remove", "/l/0"]],
      merged: #"{"l":["b","c","d"],"n":2}"#),
    MergeScenario(
      name: "a conflict", base: .binary(list), ours: [["set", "/n", "2"]],
      theirs: [["set", "/n", "3"], ["remove", "/l/0"]], merged: #"{"l":["b","c"],"n":2}"#,
      conflicts: ["$['n']"]),
    MergeScenario(
      name: "removed against changed", base: .xml(list), ours: [["remove", "/l"]],
      theirs: [["append", "/l", "\"d\""], ["set", "/n", "5"]], merged: #"{"n":5}"#,
      conflicts: ["$['l']"]),
    MergeScenario(
      name: "changed against removed", base: .binary(list), ours: [["append", "/l", "\"d\""]],
      theirs: [["remove", "/l"]], merged: #"{"l":["a","b","c","d"],"n":1}"#,
      conflicts: ["$['l']"]),
    MergeScenario(
      name: "two elements at one position", base: .binary(list),
      ours: [["append", "/l", "\"o\""]], theirs: [["append", "/l", "\"t\""]],
      merged: #"{"l":["a","b","c","o"],"n":1}"#, conflicts: ["$['l']"]),
    MergeScenario(
      name: "a keyed archive", base: .archive("Movie/v1"), ours: [["set", "/name", "\"O\""]],
      theirs: [["set", "/releaseYear", "2010"]],
      merged: #"{"director":"James Cameron","name":"O","releaseYear":2010}"#),
    MergeScenario(
      name: "a shared object that theirs changes for all",
      base: .archive("Graphs/shared-references"),
      ours: [["append", "--shared", "/second", "\"new\""]],
      theirs: [["set", "--shared", "/first/0", "\"z\""]],
      merged: #"{"first":["z","y","new"],"second":["z","y","new"]}"#),
    MergeScenario(
      name: "a property list inside of an archive", base: .archive("Movie/v2"),
      ours: [["set", "/name", "\"O\""]], theirs: [["set", "/releaseYear", "2010"]],
      merged: #"{"director":"James Cameron","name":"O","releaseYear":2010}"#),
  ]
}

@Suite(.enabled(if: Program.find("git") != nil, "git is not installed"))
struct GitMergeTests {
  /// A repository whose files are merged by archtool.
  private func repository() throws -> GitRepository {
    let setup = try GitRepository.documentedLines(after: "git merge")
    #expect(setup.count == 3)
    return try GitRepository(setup)
  }

  private func edit(_ repository: GitRepository, _ edits: [[String]]) throws {
    for words in edits {
      let path = words.firstIndex { $0.hasPrefix("/") } ?? 1
      let line =
        ["archtool"] + words[..<path] + ["--in-place", "--no-journal", "-q", "f.plist"]
        + words[path...]
      let result = try repository.shell(line.map { "'\($0)'" }.joined(separator: " "))
      #expect(result.status == 0, "\(words): \(result.errors)")
    }
  }

  /// Commits a file, changes it on two branches, and merges them.
  private func merge(
    _ repository: GitRepository, ours: () throws -> Void, theirs: () throws -> Void
  ) throws -> ProgramResult {
    try repository.commit("base")
    try repository.git("checkout", "--quiet", "-b", "other")
    try theirs()
    try repository.commit("theirs")
    try repository.git("checkout", "--quiet", "main")
    try ours()
    try repository.commit("ours")
    return try repository.run(["merge", "--quiet", "-m", "merged", "other"])
  }

  /// The values of a property list in JSON, as plistlib reads it.
  private func values(_ url: URL) throws -> String {
    let script = """
      import json, plistlib, sys
      print(json.dumps(plistlib.load(open(sys.argv[1], "rb")), sort_keys=True, separators=(",", ":")))
      """
    let result = try Program.run(
      at: try #require(Program.find("python3")), ["-c", script, url.path])
    #expect(result.status == 0, "\(result.errors)")
    return String(result.text.dropLast())
  }

  /// The values of the file, read by Foundation if it is a keyed archive.
  private func values(_ repository: GitRepository, _ scenario: MergeScenario) throws -> String {
    let url = repository.url("f.plist")
    guard case .archive(let name) = scenario.base else { return try values(url) }
    if name == "Movie/v2" {
      let archived = try NSKeyedUnarchiver.unarchivedObject(
        ofClass: NSData.self, from: Data(contentsOf: url))
      let inner = repository.url("inner")
      try #require(archived as Data?).write(to: inner)
      return try values(inner)
    }
    return String(try Program.run("FoundationJudge", ["dictionary", url.path]).text.dropLast())
  }

  @Test(arguments: MergeScenario.all) func mergesValues(_ scenario: MergeScenario) throws {
    let repository = try repository()
    switch scenario.base {
    case .archive(let name): try repository.write(Workbench.archive(name), to: "f.plist")
    case .xml(let text), .binary(let text):
      try repository.write(
        Data("<?xml version=\"1.0\"?>\n<plist version=\"1.0\">\(text)</plist>\n".utf8), to: "x")
      let format = if case .xml = scenario.base { "xml1" } else { "binary1" }
      let result = try repository.shell("archtool convert --to \(format) x -o f.plist && rm x")
      #expect(result.status == 0, "\(result.errors)")
    }
    let result = try merge(
      repository, ours: { try edit(repository, scenario.ours) },
      theirs: { try edit(repository, scenario.theirs) })
    #expect(result.status == (scenario.conflicts.isEmpty ? 0 : 1), "\(result.errors)")
    #expect(try values(repository, scenario) == scenario.merged)
    let file = repository.url("f.plist.conflicts.json")
    #expect(FileManager.default.fileExists(atPath: file.path) == !scenario.conflicts.isEmpty)
    guard !scenario.conflicts.isEmpty else { return }
    let report = try JSONDecoder().decode(ConflictReport.self, from: Data(contentsOf: file))
    #expect(report.file == "f.plist")
    #expect(report.conflicts.map(\.path) == scenario.conflicts)
    #expect(try repository.git("status", "--porcelain").contains("UU f.plist"))
  }

  private struct ConflictReport: Decodable {
    struct Conflict: Decodable { let path: String }
    let file: String
    let conflicts: [Conflict]
  }

  /// An object of a cycle is changed, and stays one object.
  @Test func keepsCycles() throws {
    let repository = try repository()
    try repository.write(Workbench.archive("Graphs/cycle"), to: "f.plist")
    let result = try merge(
      repository, ours: { try edit(repository, [["set", "--shared", "/name", "\"O\""]]) },
      theirs: { try edit(repository, [["set", "--shared", "/partner/name", "\"T\""]]) })
    #expect(result.status == 0, "\(result.errors)")
    let shown = try Program.run(
      "archtool", ["dump", "--format", "json", "--compact", repository.url("f.plist").path])
    #expect(
      shown.text.contains(
        ##""name":"O","partner":{"$class":"App.Person","name":"T","partner":{"$ref": "#1"}}"##),
      "\(shown.text)")
  }

  /// A change that cannot be made without a copy is refused with its path, and ours stays.
  @Test func refusesToSplitAnObject() throws {
    let repository = try repository()
    try repository.write(Workbench.archive("Graphs/shared-references"), to: "f.plist")
    var ours = Data()
    let result = try merge(
      repository,
      ours: {
        try edit(repository, [["append", "--shared", "/second", "\"new\""]])
        ours = try repository.data("f.plist")
      }, theirs: { try edit(repository, [["set", "--copy", "/first/0", "\"z\""]]) })
    #expect(result.status == 1)
    #expect(
      result.errors.contains(
        "theirs refers to another object here than the base does (at $.second)"),
      "\(result.errors)")
    #expect(try repository.data("f.plist") == ours)
  }

  /// A class that one branch renamed is a conflict with changes of the other.
  @Test func keepsTheClassOfOurs() throws {
    let repository = try repository()
    try repository.write(Workbench.archive("Movie/v0-nested-class"), to: "f.plist")
    let result = try merge(
      repository, ours: { try edit(repository, [["set", "/name", "\"O\""]]) },
      theirs: {
        _ = try repository.shell(
          "archtool rename-class -c 'App.*=New.*' --in-place --no-journal f.plist")
      })
    #expect(result.status == 1)
    let shown = try Program.run("archtool", ["dump", repository.url("f.plist").path])
    #expect(shown.text.hasPrefix("$: App.Movie.MovieClass (3)\n├─ name: \"O\"\n"), "\(shown.text)")
  }

  /// Files that are no archives are merged as git merges them without a driver.
  @Test(arguments: [
    ("a\nb\nc\n", "o\nb\nc\n", "a\nb\nt\n", 0, "o\nb\nt\n"),
    ("a\n", "o\n", "t\n", 1, "<<<<<<< ours\no\n=======\nt\n>>>>>>> theirs\n"),
    (
      "// All.\n{ a = 1;\nb = 2;\nc = 3; }\n", "// All.\n{ a = 5;\nb = 2;\nc = 3; }\n",
      "// All.\n{ a = 1;\nb = 2;\nc = 4; }\n", 0, "// All.\n{ a = 5;\nb = 2;\nc = 4; }\n"
    ),
    ("\u{0}", "\u{0}o", "\u{0}t", 1, "\u{0}o"),
  ]) func leavesOtherFilesToGit(
    _ base: String, _ ours: String, _ theirs: String, _ status: Int32, _ merged: String
  ) throws {
    let repository = try repository()
    try repository.write(Data(base.utf8), to: "f.plist")
    let result = try merge(
      repository, ours: { try repository.write(Data(ours.utf8), to: "f.plist") },
      theirs: { try repository.write(Data(theirs.utf8), to: "f.plist") })
    #expect(result.status == status, "\(result.errors)")
    #expect(String(decoding: try repository.data("f.plist"), as: UTF8.self) == merged)
  }

  /// A text keeps its encoding and its comments: it is merged by its lines, or left to the user.
  @Test(
    arguments: [
      (String.Encoding.utf16, true), (.utf16LittleEndian, true), (.utf32, true),
      (.macOSRoman, true), (.utf16, false),
    ], ["/* caf\u{E9} */\n", ""])
  func mergesLinesInTheirEncoding(_ encoding: (String.Encoding, Bool), _ comment: String) throws {
    let bench = try Workbench()
    let text = { (first: String, last: String) in
      "\(comment)\"a\" = \"\(first)\";\n\"b\" = \"\u{FC}\";\n\"c\" = \"\(last)\";\n"
    }
    let (encoding, isClean) = encoding
    let bytes = { (text: String) in try #require(text.data(using: encoding)) }
    try bytes(text("1", "1")).write(to: bench.url("base"))
    try bytes(text("2", "1")).write(to: bench.url("ours"))
    try bytes(isClean ? text("1", "3") : text("3", "1")).write(to: bench.url("theirs"))
    let result = try bench.run("git", "merge", "base", "ours", "theirs")
    #expect(result.status == (isClean ? 0 : 1), "\(result.errors)")
    let merged =
      isClean
      ? text("2", "3")
      : text("2", "1").replacingOccurrences(
        of: "\"a\" = \"2\";\n",
        with: "<<<<<<< ours\n\"a\" = \"2\";\n=======\n\"a\" = \"3\";\n>>>>>>> theirs\n")
    #expect(try Data(contentsOf: bench.url("ours")) == bytes(merged))
  }

  /// A file that both have added has an empty base.
  @Test func linesOfUTF16ThatBothHaveAddedAreMerged() throws {
    let bench = try Workbench(["base": ""])
    for (name, value) in [("ours", "1"), ("theirs", "2")] {
      let text = "/* c */\n\"a\" = \"\(value)\";\n"
      try #require(text.data(using: .utf16)).write(to: bench.url(name))
    }
    let result = try bench.run("git", "merge", "base", "ours", "theirs")
    #expect(result.status == 1, "\(result.errors)")
    let merged = try String(contentsOf: bench.url("ours"), encoding: .utf16)
    #expect(merged.contains("<<<<<<< ours") && merged.contains("\"2\""), "\(merged)")
  }

  /// What git cannot merge by lines stays as it is.
  @Test(arguments: ["compressed", "of two encodings"])
  func textsThatHaveNoCommonLinesAreLeft(_ kind: String) throws {
    let bench = try Workbench()
    for (name, value) in [("base", "1"), ("ours", "2"), ("theirs", "1")] {
      var data = Data("/* c */\n\"a\" = \"\(value)\";\n\"b\" = \"\(name)\";\n".utf8)
      if kind == "compressed" {
        data = PairInputs.compressed(data)
      } else if name != "ours" {
        data = try #require(String(decoding: data, as: UTF8.self).data(using: .utf16))
      }
      try data.write(to: bench.url(name))
    }
    let ours = try Data(contentsOf: bench.url("ours"))
    let result = try bench.run("git", "merge", "base", "ours", "theirs")
    #expect(result.status == 1 && result.errors.contains("not merged"), "\(result.errors)")
    #expect(try Data(contentsOf: bench.url("ours")) == ours)
  }

  /// Lines that git can merge may be no property list any more: here one comment is within another.
  @Test func reportsTextThatCannotBeReadAnyMore() throws {
    let repository = try repository()
    let pair =
      "<key>a</key>\n<array>\n<string>1</string>\n<string>2</string>\n<string>3</string>\n</array>"
    let text = "<!-- a -->\n<plist version=\"1.0\"><dict>\n\(pair)\n</dict></plist>\n"
    try repository.write(Data(text.utf8), to: "f.plist")
    let ours = text.replacingOccurrences(of: pair, with: "<!--\n\(pair)\n-->")
    let theirs = text.replacingOccurrences(of: "2</string>", with: "2</string>\n<!-- two -->")
    let result = try merge(
      repository, ours: { try repository.write(Data(ours.utf8), to: "f.plist") },
      theirs: { try repository.write(Data(theirs.utf8), to: "f.plist") })
    #expect(result.status == 1)
    #expect(result.errors.contains("by its lines and is not right"), "\(result.errors)")
    #expect(try repository.git("status", "--porcelain").contains("UU f.plist"))
  }

  /// A file that has the name of the conflicts is not replaced.
  @Test func doesNotReplaceFilesOfOthers() throws {
    let bench = try Workbench(["base": "{\"a\": 1}", "ours": "{\"a\": 2}", "theirs": "{\"a\": 3}"])
    try bench.write("mine", to: "ours.conflicts.json")
    let result = try bench.run("git", "merge", "base", "ours", "theirs")
    #expect(result.status == 73 || result.status == 1)
    #expect(result.errors.contains("is not a file of conflicts"), "\(result.errors)")
    #expect(try String(contentsOf: bench.url("ours.conflicts.json"), encoding: .utf8) == "mine")
  }

  /// Typed numbers, classes and storage of theirs arrive as they are, or the merge is refused.
  @Test(arguments: [
    (#"{"a": 4.0}"#, #"{"a": 4.0, "b": 1}"#, #"{"a": 5}"#, #"{"a":5,"b":1}"#),
    (#"{"a": 4}"#, #"{"a": 4, "b": 1}"#, #"{"a": 4.0}"#, #"{"a":4.0,"b":1}"#),
    (
      #"{"$date": "x", "n": 1}"#, #"{"$date": "y", "n": 1}"#, #"{"$date": "x", "n": 2}"#,
      #"{"$date":"y","n":2}"#
    ),
  ]) func keepsTypes(
    _ base: String, _ ours: String, _ theirs: String, _ merged: String
  ) throws {
    let bench = try Workbench(["base": base, "ours": ours, "theirs": theirs])
    let result = try bench.run("git", "merge", "base", "ours", "theirs")
    #expect(result.status == 0, "\(result.errors)")
    #expect(try String(contentsOf: bench.url("ours"), encoding: .utf8) == merged + "\n")
  }

  @Test(arguments: [
    (["git", "merge", "a", "b"], "needs the files BASE, OURS and THEIRS"),
    (["git", "merge", "a", "b", "c", "x"], "not a size of conflict markers"),
    (["git", "merge", "-", "b", "c"], "needs the files"),
    (["git", "diff", "a", "b"], "needs the 1, 7 or 9 arguments"),
    (["git"], "git needs one of its commands: diff, merge, text"),
  ]) func refusesOtherArguments(_ words: [String], _ message: String) throws {
    let result = try Workbench().run(words)
    #expect(result.status == 64)
    #expect(result.errors.contains(message), "\(result.errors)")
  }
}
