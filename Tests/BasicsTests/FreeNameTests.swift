// Names that must be free, of files and of whatever else may have them.

import ArchiveBasics
import Foundation
import TestSupport
import Testing

@Suite struct FreeNameTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try Data("new".utf8).write(to: folder.file("new"))
    try Data("old".utf8).write(to: folder.file("file"))
    try FileManager.default.createDirectory(
      at: folder.file("folder"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link").path, withDestinationPath: "file")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("dangling").path, withDestinationPath: "nothing")
  }

  func give(_ name: String, to file: String = "new") -> FreeName.Outcome {
    FreeName.give(folder.file(name).path, to: folder.file(file).path)
  }

  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
  }

  @Test func aFreeNameIsGiven() throws {
    #expect(give("name") == .given)
    #expect(try names() == ["dangling", "file", "folder", "link", "name"])
    #expect(try Data(contentsOf: folder.file("name")) == Data("new".utf8))
  }

  @Test(arguments: ["file", "folder", "link", "dangling"])
  func nothingIsReplaced(_ name: String) throws {
    let before = try names()
    #expect(give(name) == .exists)
    #expect(try names() == before)
    #expect(try Data(contentsOf: folder.file("file")) == Data("old".utf8))
  }

  @Test(arguments: [
    ("name", "gone", ENOENT), ("gone/name", "new", ENOENT), ("file/name", "new", ENOTDIR),
  ])
  func theReasonOfTheSystemIsKept(_ name: String, _ file: String, _ reason: Int32) throws {
    let before = try names()
    let (outcome, error) = (give(name, to: file), errno)
    #expect(outcome == .failed)
    #expect(error == reason)
    #expect(try names() == before)
  }
}
