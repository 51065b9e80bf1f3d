// Items that are refused, files that another program changes, links, and names.

import ArchiveBasics
import ArchiveGraph
import ArchiveMigrations
import FileTransactions
import Foundation
import TestSupport
import Testing

@Suite struct TransactionTests {
  let folder: TemporaryFolder
  let root: String
  let preparer = Stager(run: RunIdentifier(), backups: nil, journal: nil)

  init() throws {
    folder = try TemporaryFolder(inMemory: true)
    root = try FileLocation.resolved(folder.url.path)
    try write("old", to: "file")
  }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: folder.file(name))
  }

  func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.file(name)), as: UTF8.self)
  }

  func storage(_ text: String) -> ByteStorage { ByteStorage(copying: Array(text.utf8)) }

  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root).sorted()
  }

  /// An item that replaces a file which was read as `old`.
  func item(_ path: String, was old: String = "old") throws -> FileTransaction {
    let place = try FileLocation(root: root, relativePath: path)
    let change = FileChange(
      place, content: storage("new"), before: .content(try ContentHash(of: storage(old))))
    return FileTransaction(place, changes: [change])
  }

  @Test func replacesAFileAndKeepsItsMode() throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o604], ofItemAtPath: folder.file("file").path)
    let outcomes = try preparer.commit([try preparer.prepare(try item("file"))])
    #expect(outcomes.count == 1 && outcomes[0].failure == nil)
    #expect(try text("file") == "new")
    let facts = try FileManager.default.attributesOfItem(atPath: folder.file("file").path)
    #expect((facts[.posixPermissions] as? NSNumber)?.intValue == 0o604)
    #expect(try names() == ["file"])
  }

  @Test func refusesAFileThatWasChangedBeforeItIsPrepared() throws {
    #expect(throws: ArchiveError(.cannotCreate, "")) {
      try preparer.prepare(try item("file", was: "older"))
    }
    #expect(try names() == ["file"])
  }

  @Test func refusesAFileThatWasChangedAfterItWasPrepared() throws {
    let prepared = try preparer.prepare(try item("file"))
    try write("mine", to: "file")
    let outcomes = try preparer.commit([prepared])
    #expect(outcomes.first?.failure?.code == .cannotCreate)
    #expect(try text("file") == "mine")
    #expect(try names() == ["file"])
  }

  @Test func takesAFileThatWasOnlyTouched() throws {
    let prepared = try preparer.prepare(try item("file"))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: folder.file("file").path)
    #expect(try preparer.commit([prepared]).first?.failure == nil)
    #expect(try text("file") == "new")
    let facts = try FileManager.default.attributesOfItem(atPath: folder.file("file").path)
    #expect((facts[.posixPermissions] as? NSNumber)?.intValue == 0o600)
  }

  @Test func doesNotReplaceAFileThatAppearsWhereOneIsCreated() throws {
    let place = try FileLocation(root: root, relativePath: "new")
    let created = FileTransaction(
      place, changes: [FileChange(place, content: storage("mine"), before: .absent)])
    let prepared = try preparer.prepare(created)
    try write("theirs", to: "new")
    #expect(try preparer.commit([prepared]).first?.failure?.code == .cannotCreate)
    #expect(try text("new") == "theirs")
  }

  @Test(arguments: ["link", "inside/file"])
  func followsNoLinkBelowTheFolder(_ path: String) throws {
    let outside = try TemporaryFolder(inMemory: true)
    try Data("old".utf8).write(to: outside.file("file"))
    try FileManager.default.createSymbolicLink(
      at: folder.file("link"), withDestinationURL: outside.file("file"))
    try FileManager.default.createSymbolicLink(
      at: folder.file("inside"), withDestinationURL: outside.url)
    #expect(throws: ArchiveError(.cannotOpen, "")) { try preparer.prepare(try item(path)) }
    #expect(try Data(contentsOf: outside.file("file")) == Data("old".utf8))
  }

  @Test(arguments: [
    "../file", "a/../file", "/file", "a//b", "", ".", "..", "a/", "a/.", "a/..", "./a", "a/./b",
    "a\0b",
  ])
  func acceptsNoPathThatLeadsElsewhere(_ path: String) {
    #expect(throws: ArchiveError(.cannotOpen, "")) {
      try FileLocation(root: root, relativePath: path)
    }
  }

  @Test(arguments: ["...", ".a", "a.", "..a/...", "a/.b./c..", "a/\u{301}b/e"])
  func acceptsNamesWithDots(_ path: String) throws {
    try FileManager.default.createDirectory(
      at: folder.file(path).deletingLastPathComponent(), withIntermediateDirectories: true)
    let place = try FileLocation(root: root, relativePath: path)
    #expect(place.path == root + "/" + path)
    #expect(place.name == path.unicodeScalars.split(separator: "/").last.map { String($0) })
    #expect(try place.sibling("x").path == place.path.dropLast(place.name.count) + "x")
    let created = FileTransaction(
      place, changes: [FileChange(place, content: storage("new"), before: .absent)])
    #expect(try preparer.commit([try preparer.prepare(created)]).first?.failure == nil)
    #expect(try text(path) == "new")
  }

  @Test func resolvesALinkThatIsNamedItself() throws {
    try FileManager.default.createSymbolicLink(
      at: folder.file("link"), withDestinationURL: folder.file("file"))
    let place = try FileLocation(operand: folder.file("link").path)
    #expect(place.root == root && place.relativePath == "file")
  }

  @Test func tellsOfOtherNames() throws {
    try FileManager.default.linkItem(at: folder.file("file"), to: folder.file("other"))
    let prepared = try preparer.prepare(try item("file"))
    #expect(prepared.warnings.count == 1)
    _ = try preparer.commit([prepared])
    #expect(try text("other") == "old" && text("file") == "new")
  }

  @Test func leavesNothingOfWhatIsDiscarded() throws {
    preparer.discard([try preparer.prepare(try item("file"))])
    #expect(try names() == ["file"])
    #expect(try text("file") == "old")
  }

  @Test func keepsNamesApartThatOnlySwiftTakesForOne() throws {
    // The letter composed and decomposed: two files on Linux.
    try write("old", to: "\u{E9}")
    try write("old", to: "e\u{301}")
    let items = try ["\u{E9}", "e\u{301}"].map { try preparer.prepare(try item($0)) }
    for outcome in try preparer.commit(items) { #expect(outcome.failure == nil) }
    #expect(try text("\u{E9}") == "new" && text("e\u{301}") == "new")
  }
}
