// Substitutions through the protocol that migrations share.

import ArchiveBasics
import ArchiveEditing
import ArchiveGraph
import ArchiveMigrations
import ArchivePropertyLists
import FileTransactions
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct RenameRewriterTests {
  private static func rewrite(_ rule: String) throws -> Rewritten {
    let archive = try Data(
      contentsOf: TestArchives.root.appendingPathComponent("Movie/v0-mirror-class"))
    var rewriting = RenameRewriter(
      try Substitutions(classRenames: [rule], archiver: nil, droppedClasses: [], keyRenames: []))
    let storage = ByteStorage(copying: Array(archive))
    return try rewriting.rewrite(RewriteInput(storage: storage, name: "Movie", path: nil))
  }

  @Test func tellsWhatEachRuleDid() throws {
    guard case .changed(let result) = try Self.rewrite("Demo.*=New.*") else {
      Issue.record("nothing changed")
      return
    }
    #expect(result.summary == "Demo.*=New.* (1 class record, 1 object)")
    let rules = try #require(result.details.rename)
    #expect(rules.map(\.rule) == ["Demo.*=New.*"])
    #expect(rules.map(\.kind) == [.classRename])
    let graph = try readGraph(Data(Array(result.storage.bytes)))
    #expect(graph.classIndex(of: graph.root).map { graph.classes[$0].name } == "New.MovieClass")
  }

  @Test func saysThatNothingMatched() throws {
    guard case .unchanged(let reason, _) = try Self.rewrite("Other=New") else {
      Issue.record("something changed")
      return
    }
    #expect(!reason.isEmpty)
  }
}
