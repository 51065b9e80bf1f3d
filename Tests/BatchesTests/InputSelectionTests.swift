// Lists of files, patterns, and the files that are skipped in folders.

import ArchiveBasics
import ArchiveBatches
import ArchiveGraph
import CommandLineInterface
import Foundation
import TestSupport
import Testing

@Suite struct InputSelectionTests {
  /// What a selection gives, with T for the folder.
  static func names(_ selection: InputSelection, in folder: TemporaryFolder) -> [String] {
    InputSequence(selection).map { entry in
      switch entry {
      case .input(let input): input.relativePath
      case .failure(let path, let error): "\(path): \(error.message)"
      }
    }.map { $0.replacingOccurrences(of: folder.url.path, with: "T") }
  }

  static func makeFolder(_ files: [String]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in files {
      let url = folder.file(name)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(name.utf8).write(to: url)
    }
    return folder
  }

  static let files = [
    "a.plist", "a.xml", "old/a.plist", "old/b.plist", "v1/x/a.plist", "v2/a.plist",
  ]

  @Test(arguments: [
    ([], [], files),
    (["*.plist"], [], ["a.plist", "old/a.plist", "old/b.plist", "v1/x/a.plist", "v2/a.plist"]),
    (["*.plist"], ["old"], ["a.plist", "v1/x/a.plist", "v2/a.plist"]),
    ([], ["old/a*", "v1/**"], ["a.plist", "a.xml", "old/b.plist", "v2/a.plist"]),
    (["v*/**/a.plist", "*.xml"], [], ["a.xml", "v1/x/a.plist", "v2/a.plist"]),
    (["a.plist"], ["a.plist"], []),
  ])
  func chooses(included: [String], excluded: [String], expected: [String]) throws {
    let folder = try Self.makeFolder(Self.files)
    var selection = InputSelection(operands: [folder.url.path], isRecursive: true)
    selection.filter.included = included.map(Glob.init)
    selection.filter.excluded = excluded.map(Glob.init)
    #expect(Self.names(selection, in: folder) == expected)
  }

  @Test func choosesAmongOperandsToo() throws {
    let folder = try Self.makeFolder(["a.plist", "b.xml"])
    var selection = InputSelection(
      operands: ["a.plist", "b.xml"].map { folder.file($0).path }, isRecursive: false)
    selection.filter.excluded = [Glob("*.xml")]
    #expect(Self.names(selection, in: folder) == ["a.plist"])
    #expect(selection.count == nil)
  }

  @Test func passesOverWhatIsItsOwn() throws {
    let folder = try Self.makeFolder([
      ".archtool-1-2", ".archtool-journal/x", "a", "a.bak", "b/.archtool-lock", "b/c", "b/c.bak",
      "out/a", "report.ndjson",
    ])
    var selection = InputSelection(operands: [folder.url.path], isRecursive: true)
    selection.filter.passedOver = ["out", "report.ndjson", "nothing"].map { folder.file($0).path }
    let replaced = folder.file("a").path
    selection.filter.replaced = (".bak", { $0 == replaced })
    #expect(Self.names(selection, in: folder) == ["a", "b/c", "b/c.bak"])
  }

  /// Contents of files, and whether they are lost values of the file beside.
  static let lost: [(name: String, content: String, isLost: Bool)] = [
    ("a.lost.json", #"{"archtool": 1, "family": "F", "version": "v1", "values": []}"#, true),
    ("a.lost.json", "{\n  \"archtool\" : 12,\r\n\t\"family\":\"F\"", true),
    ("a.lost.json", #"{"archtool": "1", "family": "F"}"#, false),
    ("a.lost.json", #"{"family": "F", "archtool": 1}"#, false), ("a.lost.json", "", false),
    ("a.lost.json", #"{"mine": 1}"#, false), ("a.lost.json", "[1]", false),
    ("a.json", #"{"archtool": 1, "family": "F", "version": "v1", "values": []}"#, false),
  ]

  @Test(arguments: lost)
  func knowsLostValuesByTheirContent(_ name: String, _ content: String, _ isLost: Bool) throws {
    let folder = try Self.makeFolder(["a", name])
    try Data(content.utf8).write(to: folder.file(name))
    let selection = InputSelection(operands: [folder.url.path], isRecursive: true)
    #expect(Self.names(selection, in: folder) == (isLost ? ["a"] : ["a", name]))
    let named = InputSelection(operands: [folder.file(name).path], isRecursive: true)
    #expect(Self.names(named, in: folder) == [name])
  }

  @Test func passesOverFoldersOfBackups() throws {
    let folder = try Self.makeFolder([
      "a", "run.journal.backup/sha256/.archtool-backups", "run.journal.backup/sha256/ab/cd",
    ])
    let selection = InputSelection(operands: [folder.url.path], isRecursive: true)
    #expect(Self.names(selection, in: folder) == ["a"])
  }

  @Test func tellsTheFolderThatWasNamed() throws {
    let folder = try Self.makeFolder(["b/c", "d"])
    let operands = [folder.url.path, folder.file("d").path]
    let inputs = InputSequence(InputSelection(operands: operands, isRecursive: true))
    let folders = inputs.map { entry in
      guard case .input(let input) = entry else { return "" }
      return input.folder ?? "none"
    }
    #expect(folders == [folder.url.path, folder.url.path, "none"])
  }

  @Test(arguments: [
    ("T/a\nT/b/c\n", false, ["a", "c"]), ("T/a\r\n\r\n\nT/b/c", false, ["a", "c"]),
    ("T/a\0T/b/c\0", true, ["a", "c"]), ("T/line\nend\0T/a", true, ["line\nend", "a"]),
    ("", false, []),
    ("T/b\nT/a", false, ["b/c", "a"].map { $0 == "b/c" ? "c" : $0 }),
    (
      "T/x\nT/a", false, ["T/x: cannot open the file: No such file or directory", "a"]
    ),
    (
      "T/a\0T/b/c\0", false,
      ["<list>: line 1 contains a NUL byte (use -0 for lists separated by NUL)"]
    ),
  ])
  func readsLists(text: String, isNullSeparated: Bool, expected: [String]) throws {
    let folder = try Self.makeFolder(["a", "b/c", "line\nend"])
    let list = folder.file("list")
    try Data(text.replacingOccurrences(of: "T/", with: folder.url.path + "/").utf8).write(to: list)
    var selection = InputSelection(operands: [], isRecursive: true, lists: [list.path])
    selection.isNullSeparated = isNullSeparated
    let names = Self.names(selection, in: folder)
      .map { $0.replacingOccurrences(of: "T/list", with: "<list>") }
    #expect(names == expected)
  }

  @Test func tellsOfListsThatCannotBeRead() throws {
    let folder = try Self.makeFolder(["a"])
    try (Data("T/".utf8) + Data([0xE9, 0x0A])).write(to: folder.file("list"))
    let lists = ["nothing", "list"].map { folder.file($0).path }
    let selection = InputSelection(
      operands: [folder.file("a").path], isRecursive: false, lists: lists)
    #expect(
      Self.names(selection, in: folder) == [
        "a", "T/nothing: cannot open the list: No such file or directory",
        "T/\u{10FEE9}: cannot open the file: No such file or directory",
      ])
  }

  /// Files that come to be in folders that are not reached yet are found, so nothing was listed ahead.
  @Test func looksIntoFoldersWhenItComesToThem() throws {
    let folder = try Self.makeFolder(["a/1", "b/1"])
    let inputs = InputSequence(InputSelection(operands: [folder.url.path], isRecursive: true))
    _ = inputs.next()
    try Data().write(to: folder.file("a/2"))
    try Data().write(to: folder.file("b/2"))
    let rest = inputs.map { entry -> String in
      guard case .input(let input) = entry else { return "" }
      return input.relativePath
    }
    #expect(rest == ["b/1", "b/2"])
  }
}
