// Migrations that lose values: refused, allowed, kept beside the archive and in it, and restored.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting
import FileTransactions
import Foundation
import KeyedArchives
import TestSupport
import Testing

@testable import ArchiveMigrations

/// A family of three versions in a folder of its own, taken away at the end.
final class LossyFamily {
  let folder: URL

  static let files: [String: String] = [
    "family.json": #"{"family": "Note", "versions": ["v1", "v2", "v3"]}"#,
    "v1.schema.json": schema(
      #"{"title": {"type": "string"}, "memo": {"type": "string"}, "tags": {"type": "array"}}"#,
      envelope: "dictionariable"),
    "v2.schema.json": schema(
      #"{"name": {"type": "string"}, "tag": {}, "stars": {"type": "integer"}}"#,
      required: "name", envelope: "codable"),
    "v3.schema.json": schema(
      #"{"name": {"type": "string"}, "tag": {}}"#, required: "name", envelope: "json"),
    "v1-v2.lens.json": #"""
    {"lens": [
      {"rename": {"source": "title", "destination": "name"}},
      {"remove": {"name": "memo"}},
      {"head": {"name": "tags"}},
      {"rename": {"source": "tags", "destination": "tag"}},
      {"add": {"name": "stars", "default": 3}}
    ]}
    """#,
    "v2-v3.lens.json": #"{"lens": [{"remove": {"name": "stars", "default": 3}}]}"#,
  ]

  private static func schema(
    _ properties: String, required: String = "title", envelope: String
  ) -> String {
    #"""
    {"x-archive": {"envelope": "\#(envelope)"}, "type": "object", "properties": \#(properties),
     "required": ["\#(required)"], "additionalProperties": false}
    """#
  }

  init(_ files: [String: String] = LossyFamily.files) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("archtool-lossy-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, text) in files {
      try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func migration(
    _ from: String?, _ to: String, _ losses: LossPolicy = .standard
  ) throws -> Migration {
    Migration(
      catalog: try SchemaCatalog(folders: [folder.path]),
      Migration.Request(from: from, to: to, losses: losses))
  }

  /// What a migration makes of bytes that lie in a file, beside what was kept of them.
  func migrate(
    _ data: Data, kept: Data? = nil, _ from: String?, _ to: String,
    _ losses: LossPolicy = .standard
  ) throws -> Rewritten {
    let file = folder.appendingPathComponent("archive-\(UUID().uuidString)")
    try kept?.write(to: URL(fileURLWithPath: SideFile.lostValues(of: file.path)))
    var migration = try migration(from, to, losses)
    return try migration.rewrite(
      RewriteInput(
        storage: ByteStorage(copying: Array(data)), name: "archive", path: file.path))
  }
}

extension Rewritten {
  /// The new archive; nil if there is none.
  var archive: RewrittenArchive? { if case .changed(let archive) = self { archive } else { nil } }

  /// The new bytes.
  var data: Data? { archive.map { Data($0.storage.bytes) } }

  /// What was kept.
  var kept: Data? {
    if case .written(let storage)? = archive?.lost { Data(storage.bytes) } else { nil }
  }
}

@Suite struct LostValueTests {
  private static var note: NSDictionary {
    [
      "title": "North", "memo": "bring a coat",
      "tags": ["sea", Date(timeIntervalSinceReferenceDate: 5)],
    ]
  }

  private static func v1(_ value: NSDictionary = note) throws -> Data {
    try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: false)
  }

  private static func model(_ data: Data?) throws -> NSObject {
    let graph = try readGraph(try #require(data))
    let model = try #require(graph.unwrapModel())
    return graph.foundationObject(model.root)
  }

  @Test func whatWouldLoseIsRefusedAndSaysWhat() throws {
    guard case .refused(let reason, _, _) = try LossyFamily().migrate(Self.v1(), "v1", "v2") else {
      Issue.record("not refused")
      return
    }
    #expect(reason.contains("the value $.memo (v1-v2#/lens/1, remove memo)"))
    #expect(reason.contains("what follows the first element of $.tags (v1-v2#/lens/2"))
  }

  @Test func whatLosesNothingIsMigrated() throws {
    let family = try LossyFamily()
    let there = try family.migrate(Self.v1(["title": "South", "tags": ["sea"]]), "v1", "v2")
    #expect(
      try Self.model(there.data) == ["name": "South", "tag": "sea", "stars": 3] as NSDictionary)
    #expect(there.kept == nil)
    let back = try family.migrate(try #require(there.data), "v2", "v1")
    #expect(try Self.model(back.data) == ["title": "South", "tags": ["sea"]] as NSDictionary)
  }

  @Test func allowedLossesAreReportedAndGone() throws {
    let family = try LossyFamily()
    let there = try family.migrate(Self.v1(), "v1", "v2", .allowAll)
    #expect(
      try Self.model(there.data) == ["name": "North", "tag": "sea", "stars": 3] as NSDictionary)
    #expect(there.kept == nil)
    let back = try family.migrate(try #require(there.data), "v2", "v1")
    #expect(try Self.model(back.data) == ["title": "North", "tags": ["sea"]] as NSDictionary)
  }

  @Test func whatIsKeptBesideComesBack() throws {
    let family = try LossyFamily()
    let there = try family.migrate(Self.v1(), "v1", "v2", .keepBeside)
    let kept = try #require(there.kept)
    let back = try family.migrate(try #require(there.data), kept: kept, "v2", "v1")
    #expect(try Self.model(back.data) == Self.note)
    guard case .removed? = back.archive?.lost else {
      Issue.record("the file is still needed?")
      return
    }
  }

  @Test func whatIsKeptInsideComesBackAndIsNoPartOfTheModel() throws {
    let family = try LossyFamily()
    let there = try #require(try family.migrate(Self.v1(), "v1", "v2", .keepInside).data)
    #expect(try Self.model(there) == ["name": "North", "tag": "sea", "stars": 3] as NSDictionary)
    let catalog = try SchemaCatalog(folders: [family.folder.path])
    let graph = try readGraph(there)
    let detection = graph.unwrapModel().flatMap { catalog.detect($0, in: graph) }
    let version = try #require(detection?.version)
    #expect(version.label == "Note@v2")
    #expect(try version.validate(graph).isEmpty)
    #expect(try Self.model(try family.migrate(there, "v2", "v1").data) == Self.note)
  }

  @Test func whatIsKeptForAnotherLensIsKeptOn() throws {
    let family = try LossyFamily()
    let second = try family.migrate(Self.v1(), "v1", "v2", .keepBeside)
    let third = try family.migrate(try #require(second.data), kept: second.kept, "v2", "v3")
    #expect(try Self.model(third.data) == ["name": "North", "tag": "sea"] as NSDictionary)
    let first = try family.migrate(try #require(third.data), kept: third.kept, "v3", "v1")
    #expect(try Self.model(first.data) == Self.note)
  }

  @Test func whatIsKeptInsideStaysInsideOnTheWay() throws {
    let family = try LossyFamily()
    let second = try #require(try family.migrate(Self.v1(), "v1", "v2", .keepInside).data)
    let third = try #require(try family.migrate(second, "v2", "v3").data)
    #expect(try Self.model(try family.migrate(third, "v3", "v1").data) == Self.note)
  }

  @Test func aCopyOfWhichNoValueIsKeptIsThatOfTheMember() throws {
    var files = LossyFamily.files.filter {
      $0.key.hasSuffix("schema.json") || $0.key == "family.json"
    }
    files["v2.schema.json"] = files["v1.schema.json"]?
      .replacing(#""tags": {"type": "array"}"#, with: #""copy": {"type": "string"}"#)
      .replacing("dictionariable", with: "codable")
    files["v1.schema.json"] = files["v1.schema.json"]?
      .replacing(#", "tags": {"type": "array"}"#, with: "")
    files["v1-v2.lens.json"] = #"{"lens": [{"copy": {"source": "title", "destination": "copy"}}]}"#
    let family = try LossyFamily(files)
    let there = try family.migrate(Self.v1(["title": "North", "memo": "a"]), "v1", "v2")
    let graph = try readGraph(try #require(there.data))
    let root = try #require(graph.unwrapModel()).root
    #expect(
      graph.foundationObject(root) == ["title": "North", "memo": "a", "copy": "North"]
        as NSDictionary)
    let changed = try NSKeyedArchiver.archivedData(
      withRootObject: try PropertyListSerialization.data(
        fromPropertyList: ["title": "North", "memo": "a", "copy": "South"], format: .binary,
        options: 0),
      requiringSecureCoding: false)
    let back = try family.migrate(changed, "v2", "v1", .keepBeside)
    let kept = String(decoding: try #require(back.kept), as: UTF8.self)
    let without = kept.replacing(/,\s*"value": "South"/, with: "")
    #expect(without != kept)
    for (kept, copy) in [(kept, "South"), (without, "North")] {
      let forth = try family.migrate(
        try #require(back.data), kept: Data(kept.utf8), "v1", "v2")
      #expect(
        try Self.model(forth.data) == ["title": "North", "memo": "a", "copy": copy] as NSDictionary)
    }
  }

  @Test func keptValuesOfOtherBytesAreRefused() throws {
    let family = try LossyFamily()
    let there = try family.migrate(Self.v1(), "v1", "v2", .keepBeside)
    let other = try family.migrate(Self.v1(["title": "East"]), "v1", "v2", .keepBeside)
    let data = try #require(other.data)
    #expect(throws: ArchiveError.self) { try family.migrate(data, kept: there.kept, "v2", "v1") }
    let back = try family.migrate(data, kept: there.kept, "v2", "v1", .allowAll)
    #expect(try Self.model(back.data) == ["title": "East", "tags": []] as NSDictionary)
  }

  @Test(arguments: [
    "", "{", "[]", #"{"archtool": 2}"#,
    #"{"archtool": 1, "family": "Note", "version": "v2", "values": [{}]}"#,
  ])
  func keptValuesThatCannotBeReadAreAnErrorOfTheirFile(_ text: String) throws {
    let family = try LossyFamily()
    let there = try #require(
      try family.migrate(Self.v1(["title": "East", "tags": []]), "v1", "v2").data)
    let error = #expect(throws: ArchiveError.self) {
      try family.migrate(there, kept: Data(text.utf8), "v2", "v1")
    }
    #expect(error?.file?.hasSuffix(".lost.json") == true)
  }

  @Test func theWayIsToldWithItsOperationsAndLosses() throws {
    let archive = try #require(try LossyFamily().migrate(Self.v1(), "v1", "v3", .allowAll).archive)
    let members = archive.details.members
    func fact(_ name: String) -> JSONTreeText? {
      members.first { $0.0 == name }.map { JSONTreeText($0.1) }
    }
    #expect(fact("path")?.strings == ["v1", "v2", "v3"])
    #expect(fact("lossless")?.tree == .boolean(false))
    #expect(fact("operations")?.tree.list?.count == 6)
    #expect(fact("losses")?.tree.list?.count == 2)
  }

  @Test(
    arguments: [
      (nil, "v2", "migrated"), ("v2", "v3", "is Note@v1, not Note@v2"),
      ("v1", "v9", "Note has no version v9"), (nil, "v1", "is Note@v1 already"),
    ] as [(String?, String, String)])
  func whatIsAskedForIsHeldAgainstTheArchive(
    _ from: String?, _ to: String, _ expected: String
  ) throws {
    let rewritten = try LossyFamily().migrate(Self.v1(["title": "a", "tags": []]), from, to)
    switch rewritten {
    case .changed: #expect(expected == "migrated")
    case .unchanged(let reason, _), .refused(let reason, _, _): #expect(reason == expected)
    }
  }
}

/// A tree with its strings.
struct JSONTreeText {
  let tree: JSONTree
  init(_ tree: JSONTree) { self.tree = tree }
  var strings: [String] { tree.list?.compactMap(\.string) ?? [] }
}
