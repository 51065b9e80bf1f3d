// Operands and the files that they name.

import ArchiveBasics
import ArchiveBatches
import ArchiveGraph
import CommandLineInterface
import Foundation
import TestSupport
import Testing

struct InputSequenceTests {
  /// A folder with a bit of everything.
  static func makeFolder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let files = FileManager.default
    for name in ["b/deep/er", "a", "empty"] {
      try files.createDirectory(at: folder.file(name), withIntermediateDirectories: true)
    }
    for name in ["B", "a.z", "a/2", "a/10", ".hidden", "b/deep/er/x", "é", "z"] {
      try Data(name.utf8).write(to: folder.file(name))
    }
    try files.createSymbolicLink(
      at: folder.file("link-to-file"), withDestinationURL: folder.file("z"))
    try files.createSymbolicLink(
      at: folder.file("b/link-to-parent"), withDestinationURL: folder.url)
    try #require(mkfifo(folder.file("pipe").path, 0o600) == 0)
    return folder
  }

  static func entries(_ operands: [String], isRecursive: Bool) -> [InputSequence.Entry] {
    Array(InputSequence(InputSelection(operands: operands, isRecursive: isRecursive)))
  }

  static func summary(_ list: [InputSequence.Entry], in folder: TemporaryFolder) -> [String] {
    list.map { entry in
      switch entry {
      case .input(let input): "\(input.path) \(input.relativePath)"
      case .failure(let path, let error): "\(path): \(error.message)"
      }
    }.map { $0.replacingOccurrences(of: folder.url.path, with: "T") }
  }

  @Test func walksFoldersInTheOrderOfBytes() throws {
    let folder = try Self.makeFolder()
    let list = Self.entries([folder.url.path], isRecursive: true)
    let expected = [".hidden", "B", "a/10", "a/2", "a.z", "b/deep/er/x", "z", "é"]
    #expect(Self.summary(list, in: folder) == expected.map { "T/\($0) \($0)" })
  }

  @Test func doesNotDoubleSlashes() throws {
    let folder = try Self.makeFolder()
    let list = Self.entries([folder.url.path + "/a/"], isRecursive: true)
    #expect(Self.summary(list, in: folder) == ["T/a/10 10", "T/a/2 2"])
  }

  @Test func followsLinksThatAreNamed() throws {
    let folder = try Self.makeFolder()
    let operands = ["link-to-file", "b/link-to-parent/a"].map { folder.file($0).path }
    let list = Self.entries(operands, isRecursive: true)
    let expected = [
      "T/link-to-file link-to-file", "T/b/link-to-parent/a/10 10", "T/b/link-to-parent/a/2 2",
    ]
    #expect(Self.summary(list, in: folder) == expected)
  }

  @Test func takesPipesThatAreNamed() throws {
    let folder = try Self.makeFolder()
    let list = Self.entries([folder.file("pipe").path], isRecursive: false)
    #expect(Self.summary(list, in: folder) == ["T/pipe pipe"])
  }

  @Test func refusesFoldersWithoutTheOption() throws {
    let folder = try Self.makeFolder()
    let operands = ["z", "a", "B"].map { folder.file($0).path }
    let list = Self.entries(operands, isRecursive: false)
    let expected = ["T/z z", "T/a: is a directory (use -r to read the files in it)", "T/B B"]
    #expect(Self.summary(list, in: folder) == expected)
    guard case .failure(_, let error) = list[1] else {
      Issue.record("the folder is taken")
      return
    }
    #expect(ExitStatus(error.code) == .cannotOpen)
  }

  @Test(arguments: [false, true])
  func reportsWhatIsNotThere(isRecursive: Bool) throws {
    let folder = try Self.makeFolder()
    let operands = [folder.file("nothing").path, folder.file("z").path + "/x", ""]
    let list = Self.entries(operands, isRecursive: isRecursive)
    let expected = [
      "T/nothing: cannot open the file: No such file or directory",
      "T/z/x: cannot open the file: Not a directory",
      ": cannot open the file: No such file or directory",
    ]
    #expect(Self.summary(list, in: folder) == expected)
    for case .failure(_, let error) in list { #expect(error.code == .cannotOpen) }
  }

  @Test func findsNothingInAnEmptyFolder() throws {
    let folder = try Self.makeFolder()
    let list = Self.entries([folder.file("empty").path], isRecursive: true)
    #expect(list.isEmpty)
  }

  @Test func readsStandardInputOnce() throws {
    let list = Self.entries(["-", "-"], isRecursive: true)
    #expect(list.count == 2)
    #expect(list.first == .input(.standard))
    guard case .failure("-", let error) = list.last else {
      Issue.record("the second is taken as well")
      return
    }
    #expect(error.message == "standard input can be read only once")
    #expect(Input.standard.isStandardInput)
    #expect(Input.standard.name == "<stdin>")
  }

  @Test func walksVeryDeepFolders() throws {
    let folder = try TemporaryFolder()
    // As deep as one path can name.
    let depth = 900
    let deepest = folder.file(Array(repeating: "d", count: depth).joined(separator: "/"))
    try FileManager.default.createDirectory(at: deepest, withIntermediateDirectories: true)
    try Data().write(to: deepest.appendingPathComponent("f"))
    let list = Self.entries([folder.url.path], isRecursive: true)
    #expect(list.count == 1)
    guard case .input(let input) = list.first else {
      Issue.record("the file is not found")
      return
    }
    #expect(input.relativePath == String(repeating: "d/", count: depth) + "f")
  }
}

extension InputSequenceTests {
  /// A name that is no text; file systems of macOS refuse it themselves.
  @Test(.enabled(if: namesMayBeAnyBytes, "file names are UTF-8 here"))
  func readsNamesThatAreNotUTF8() throws {
    let folder = try TemporaryFolder()
    let path = Array((folder.url.path + "/").utf8CString.dropLast()) + [CChar(bitPattern: 0xE9), 0]
    let descriptor = open(path, O_CREAT | O_WRONLY, 0o600)
    try #require(descriptor >= 0)
    close(descriptor)
    let list = Self.entries([folder.url.path], isRecursive: true)
    guard case .input(let input) = list.first else {
      Issue.record("the file is not found")
      return
    }
    #expect(input.path.shownPath == folder.url.path + "/\\xe9")
    #expect(input.path.pathBytes.last == 0xE9)
    #expect(try input.open().bytes.isEmpty)
  }

  static var namesMayBeAnyBytes: Bool {
    #if os(Linux)
      true
    #else
      false
    #endif
  }
}
