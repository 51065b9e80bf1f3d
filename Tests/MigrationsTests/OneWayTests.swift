// One-way lenses: their results, the guarantees, and that they are never inverted.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import FileTransactions
import Foundation
import KeyedArchives
import Testing

@testable import ArchiveMigrations

@Suite struct OneWayTests {
  private static func schema(_ properties: String) -> String {
    #"""
    {"x-archive": {"envelope": "json"}, "type": "object", "properties": \#(properties),
     "additionalProperties": false}
    """#
  }

  /// The second lens cannot go back: v3 has no state that v2 had, and says so.
  private static func family() throws -> LossyFamily {
    try LossyFamily([
      "family.json": #"{"family": "Door", "versions": ["v1", "v2", "v3"]}"#,
      "v1.schema.json": schema(
        #"{"State": {"enum": ["shut", "open"]}, "Note": {"type": "string"}}"#),
      "v2.schema.json": schema(
        #"{"state": {"enum": ["shut", "open"]}, "note": {"type": "string"}}"#),
      "v3.schema.json": schema(#"{"open": {"type": "boolean"}, "note": {"type": "string"}}"#),
      "v1-v2.lens.json": #"""
      {"lens": [{"rename": {"source": "State", "destination": "state"}},
                {"rename": {"source": "Note", "destination": "note"}}]}
      """#,
      "v2-v3.lens.json": #"""
      {"direction": "forward",
       "lens": [{"rename": {"source": "state", "destination": "open"}},
                {"convert": {"name": "open", "values": [["shut", false], ["open", true]]}}]}
      """#,
    ])
  }

  private static let source = Data(#"{"State": "open", "Note": "n"}"#.utf8)

  @Test func theWayForwardIsTakenAndPromisesNoWayBack() throws {
    let archive = try #require(try Self.family().migrate(Self.source, "v1", "v3").archive)
    let tree = try JSONTree(json: Array(archive.storage.bytes))
    #expect(tree == .members([("open", .boolean(true)), ("note", .string("n"))]))
    let members = JSONTree.members(archive.details.members)
    #expect(members["lossless"] == .boolean(false))
    #expect(members["oneWay"] == .list([.string("v2-v3")]))
    let line = PlanText.lines(
      file: "f", summary: archive.summary, sizes: (1, 2),
      migration: archive.details.migration)[0]
    #expect(
      line
        == "f: Door@v1 to v3 by way of v2, 1 to 2 bytes, one way only (no reverse through v2-v3)")
  }

  /// A condition need not tell what was changed from what was not.
  @Test func aConditionMayHoldOfWhatIsSkipped() throws {
    let family = try LossyFamily([
      "family.json": #"{"family": "Call", "versions": ["v1", "v2"]}"#,
      "v1.schema.json": Self.schema(
        #"{"iniator": {"type": "string"}, "initiator": {"type": "string"}}"#),
      "v2.schema.json": Self.schema(#"{"initiator": {"type": "string"}}"#),
      "v1-v2.lens.json": #"""
      {"direction": "forward",
       "lens": [{"when": {"member": "iniator", "present": true,
         "after": {"member": "initiator", "present": true},
         "lens": [{"rename": {"source": "iniator", "destination": "initiator"}}]}}]}
      """#,
    ])
    for name in ["iniator", "initiator"] {
      let data = Data("{\"\(name)\": \"a\"}".utf8)
      let result = try family.migrate(data, "v1", "v2")
      let archive = try #require(result.archive)
      let tree = try JSONTree(json: Array(archive.storage.bytes))
      #expect(tree == .members([("initiator", .string("a"))]))
    }
  }

  @Test func theWayBackIsRefusedAndSaysWhy() throws {
    for target in ["v2", "v1"] {
      let back = try Self.family().migrate(Data(#"{"open": true}"#.utf8), "v3", target)
      guard case .refused(let reason, _, _) = back else {
        Issue.record("not refused")
        return
      }
      #expect(reason.hasPrefix("the lens v2-v3 is one-way, from v2 to v3"))
    }
  }

  @Test func theCheckTriesTheWayForwardAlone() throws {
    let family = try Self.family()
    let read = try FamilyCheck(folder: family.folder.path, library: SchemaLibrary()).run()
    let result = try LensCheck(read, folder: family.folder.path, tries: 200).run()
    #expect(result.findings.isEmpty, "\(result.findings.map(\.error.message))")
    #expect(result.oneWay == ["v2-v3"])
  }

  /// The values of a table that is turned round are not asked for.
  @Test func aVersionThatOnlyALensBackwardLeadsToIsAStranger() throws {
    let family = try LossyFamily([
      "family.json": #"{"family": "Door", "versions": ["v1", "v2"]}"#,
      "v1.schema.json": Self.schema(#"{"b": {"type": "integer"}}"#),
      "v2.schema.json": Self.schema(#"{"a": {"type": "integer"}}"#),
      "v2-v1.lens.json": #"""
      {"direction": "forward", "lens": [{"rename": {"source": "a", "destination": "b"}}]}
      """#,
    ])
    let read = try FamilyCheck(folder: family.folder.path, library: SchemaLibrary()).run()
    let result = try LensCheck(read, folder: family.folder.path, tries: 200).run()
    #expect(result.findings.map(\.error.message) == ["no lens from v1 to v2"])
    #expect(result.findings.allSatisfy { !$0.isError })
  }
}
