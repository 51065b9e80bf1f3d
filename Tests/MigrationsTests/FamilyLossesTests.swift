// What a family says of the losses of its migrations.

import ArchiveBasics
import ArchiveMigrations
import ArchiveSchemas
import Foundation
import TestSupport
import Testing

@Suite struct FamilyLossesTests {
  /// A family whose lens removes a note and whose flag is always there in v2.
  private static func folder(_ losses: String?) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    func write(_ name: String, _ text: String) throws {
      try Data(text.utf8).write(to: folder.file(name))
    }
    let rules = losses.map { #", "losses": \#($0)"# } ?? ""
    try write(
      "family.json", "{\"family\": \"Doc\", \"versions\": [\"v1\", \"v2\", \"v3\"]\n\(rules)}")
    let list = #""list": {"items": {"properties": {"x": {}}}}"#
    for (version, name, more) in [
      ("v1", "a", #", "note": {"type": "string"}"#), ("v2", "b", ""), ("v3", "c", ""),
    ] {
      try write(
        "\(version).schema.json",
        #"""
        {"x-archive": {"envelope": "json"}, "type": "object", "required": ["\#(name)"],
         "properties": {"\#(name)": {"type": "integer"}, \#(list)\#(more)},
         "additionalProperties": false}
        """#)
    }
    try write(
      "v1-v2.lens.json",
      #"{"lens": [{"rename": {"source": "a", "destination": "b"}}, {"remove": {"name": "note"}}]}"#)
    try write(
      "v2-v3.lens.json", #"{"lens": [{"rename": {"source": "b", "destination": "c"}}]}"#)
    return folder
  }

  private static let archive = #"{"a": 1, "note": "x"}"#

  /// The outcome of migrating the archive: `changed`, or why it is refused.
  private static func outcome(
    _ losses: String?, to target: String = "v2", _ policy: LossPolicy = LossPolicy()
  ) throws -> (String, RewrittenArchive?) {
    let folder = try folder(losses)
    var migration = Migration(
      catalog: try SchemaCatalog(folders: [folder.url.path]),
      Migration.Request(to: target, losses: policy))
    let input = RewriteInput(
      storage: ByteStorage(copying: Array(archive.utf8)), name: "doc", path: nil)
    switch try migration.rewrite(input) {
    case .changed(let archive): return ("changed", archive)
    case .unchanged(let reason, _), .refused(let reason, _, _): return (reason, nil)
    }
  }

  static let allowed = [
    #"{"v1-v2": {"allow": {"value": "$.note"}}}"#, #"{"v1-v2": {"allow": {"value": true}}}"#,
    #"{"v1-v2": {"allow": {"all": ["$.list", "$.note"]}}}"#,
    #"{"v1-v2": {"allow": {"all": true}}}"#,
  ]

  @Test(arguments: allowed) func allowsALoss(_ losses: String) throws {
    let (outcome, archive) = try Self.outcome(losses)
    #expect(outcome == "changed")
    let found = try #require(archive?.details.migration?.losses)
    #expect(found.map(\.allowedBy) == [.family])
    #expect(found[0].wording.hasSuffix("allowed by the family"))
    // So does a longer way.
    #expect(try Self.outcome(losses, to: "v3").0 == "changed")
  }

  /// What a family allows counts for its archives in data of another, and no more than that.
  @Test(
    arguments: allowed.map { ($0, true) } + [("{}", false)] + [
      (#"{"v1-v2": {"allow": {"value": "$.list"}}}"#, false),
      (#"{"v2-v1": {"allow": {"all": true}}}"#, false),
      // Nothing is kept beside an archive in another.
      (#"{"v1-v2": {"keep": "beside"}}"#, false),
    ]) func countsForArchivesInOthers(_ losses: String, _ isAllowed: Bool) throws
  {
    let folder = try TemporaryFolder()
    let inner = try Self.folder(losses)
    try FileManager.default.copyItem(at: inner.url, to: folder.file("Doc"))
    try FileManager.default.createDirectory(
      at: folder.file("Box"), withIntermediateDirectories: true)
    var files = [
      "family.json": #"{"family": "Box", "versions": ["v1", "v2"]}"#,
      "v1-v2.lens.json":
        #"{"lens": [{"in": {"name": "doc", "archive": {"from": "Doc@v1", "to": "Doc@v2"}}}]}"#,
    ]
    for version in ["v1", "v2"] {
      files["\(version).schema.json"] = #"""
        {"x-archive": {"envelope": "plist"}, "type": "object", "required": ["doc"],
         "properties": {"doc": {"type": "string", "x-encoded": "base64",
           "x-archived": {"$ref": "Doc@\#(version)"}}}, "additionalProperties": false}
        """#
    }
    for (name, text) in files { try Data(text.utf8).write(to: folder.file("Box/" + name)) }
    let text = Data(Self.archive.utf8).base64EncodedString()
    let list = try PropertyListSerialization.data(
      fromPropertyList: ["doc": text], format: .binary, options: 0)
    let input = RewriteInput(storage: ByteStorage(copying: Array(list)), name: "box", path: nil)
    let catalog = try SchemaCatalog(folders: [folder.url.path])
    var migration = Migration(
      catalog: catalog, family: catalog.family("Box"), Migration.Request(to: "v2"))
    switch try migration.rewrite(input) {
    case .changed(let archive):
      #expect(isAllowed)
      let found = try #require(archive.details.migration?.losses)
      #expect(found.map(\.allowedBy) == [.family])
      #expect(found[0].wording.contains("the archive in it would lose the value $.note"))
    case .refused(let reason, _, _):
      #expect(!isAllowed, "\(reason)")
      #expect(reason.hasPrefix("would lose the value $.doc"), "\(reason)")
    case .unchanged(let reason, _): Issue.record("\(reason)")
    }
  }

  static let refused: [String?] = [
    nil, #"{"v1-v2": {"allow": {"value": "$.list"}}}"#, #"{"v1-v2": {"allow": {"absence": true}}}"#,
    #"{"v2-v1": {"allow": {"value": true}}}"#, #"{"v2-v3": {"allow": {"value": true}}}"#, "{}",
  ]

  @Test(arguments: refused) func refusesAnotherLoss(_ losses: String?) throws {
    #expect(try Self.outcome(losses).0.hasPrefix("would lose the value $.note"))
  }

  /// The rules of the whole way count before those of its steps.
  @Test func decidesByTheWholeWay() throws {
    let losses = #"{"v1-v2": {"allow": {"value": true}}, "v1-v3": {"strict": true}}"#
    #expect(try Self.outcome(losses).0 == "changed")
    #expect(try Self.outcome(losses, to: "v3").0.hasPrefix("would lose"))
  }

  @Test func keepsWhatIsLost() throws {
    let beside = try Self.outcome(#"{"v1-v2": {"keep": "beside"}}"#).1
    guard case .written? = beside?.lost else {
      Issue.record("nothing is kept")
      return
    }
    let inside = try #require(try Self.outcome(#"{"v1-v2": {"keep": "inside"}}"#).1)
    #expect(String(decoding: inside.storage.bytes, as: UTF8.self).contains("x-lost"))
  }

  @Test func optionsCountFirst() throws {
    let keeps = #"{"v1-v2": {"keep": "beside"}}"#
    let (_, dropped) = try Self.outcome(keeps, LossPolicy(allowing: [.init()]))
    guard case .unchanged? = dropped?.lost else {
      Issue.record("it is kept")
      return
    }
    #expect(dropped?.details.migration?.losses?.map(\.allowedBy) == [.option])
    #expect(try Self.outcome(keeps, LossPolicy(isStrict: true)).0.hasPrefix("would lose"))
    let (_, inside) = try Self.outcome(keeps, LossPolicy(keeping: .inside))
    guard case .unchanged? = inside?.lost else {
      Issue.record("it is kept beside")
      return
    }
  }

  /// A member that is wrong, its path, and a part of the message; each is on the second line.
  static let wrong: [(losses: String, path: String, message: String)] = [
    ("1", "$.losses", "is an object"),
    (#"{"v1-v4": {}}"#, "$.losses['v1-v4']", "does not name two versions"),
    (#"{"v1-v1": {}}"#, "$.losses['v1-v1']", "does not name two versions"),
    (#"{"v1-v2": []}"#, "$.losses['v1-v2']", "an object with"),
    (#"{"v1-v2": {"drop": true}}"#, "$.losses['v1-v2'].drop", "unknown"),
    (#"{"v1-v2": {"allow": []}}"#, "$.losses['v1-v2'].allow", "a member for each kind"),
    (
      #"{"v1-v2": {"allow": {"values": true}}}"#,
      "$.losses['v1-v2'].allow.values", "not a kind of loss (all, value"
    ),
    (
      #"{"v1-v2": {"allow": {"value": false}}}"#,
      "$.losses['v1-v2'].allow.value", "or true is expected"
    ),
    (
      #"{"v1-v2": {"allow": {"value": ["$.a", 1]}}}"#,
      "$.losses['v1-v2'].allow.value[1]", "or true is expected"
    ),
    (#"{"v1-v2": {"allow": {"value": "$[b"}}}"#, "$.losses['v1-v2'].allow.value", "not a path"),
    (#"{"v1-v2": {"keep": "there"}}"#, "$.losses['v1-v2'].keep", "found 'there'"),
    (#"{"v1-v2": {"keep": true}}"#, "$.losses['v1-v2'].keep", "\"beside\" or \"inside\""),
    (#"{"v1-v2": {"strict": "yes"}}"#, "$.losses['v1-v2'].strict", "true or false"),
    (#"{"v1-v2": {"keep": "inside", "strict": true}}"#, "$.losses['v1-v2']", "exclude each other"),
  ]

  @Test(arguments: wrong.indices) func refusesWhatIsWrong(_ index: Int) throws {
    let (losses, path, message) = Self.wrong[index]
    let folder = try Self.folder(losses)
    do {
      _ = try SchemaCatalog(folders: [folder.url.path])
      Issue.record("\(losses) is accepted")
    } catch {
      #expect(error.message.contains(message), "\(error.message)")
      #expect(error.path?.description == path, "\(error)")
      #expect(error.offset ?? 0 > 50, "\(error)")
      #expect(error.file?.hasSuffix("family.json") == true)
    }
  }

  /// A path, and whether one of the versions may have it.
  static let paths: [(String, Bool)] = [
    ("$.note", true), ("$.b", true), ("$.list[*].x", true), ("$.list[0].x", true),
    ("$.list.*.x", true), ("$.c", false), ("$.nota", false), ("$.list[*].y", false),
    ("$.note.x.y", true), ("$.lists[*]", false),
  ]

  @Test(arguments: paths.indices) func checksThePaths(_ index: Int) throws {
    let (path, isKnown) = Self.paths[index]
    let folder = try Self.folder(#"{"v1-v2": {"allow": {"value": "\#(path)"}}}"#)
    let result = try FamilyCheck(
      folder: folder.url.path, library: SchemaLibrary(folders: [folder.url.path])
    ).run()
    let errors = result.findings.filter(\.isError).map(\.error)
    #expect(errors.isEmpty == isKnown, "\(errors)")
    if !isKnown {
      #expect(errors.first?.message.contains(path) == true)
      #expect(errors.first?.offset ?? 0 > 50)
    }
  }
}
