// Archives that fit two versions: never migrated from the wrong version, and never twice.

import ArchiveBasics
import ArchiveGraph
import ArchiveSchemas
import Foundation
import Testing

@testable import ArchiveMigrations

@Suite struct VersionAmbiguityTests {
  private static func object(_ members: String, _ required: String, more: String = "") -> String {
    #"""
    "type": "object", "properties": {\#(members)}, "required": [\#(required)]\#(more)
    """#
  }

  private static let closed = #", "additionalProperties": false"#
  private static let letters = object(#""t": {"enum": ["a", "b"]}"#, #""t""#, more: closed)
  private static let swap =
    #"{"convert": {"name": "t", "values": [["a", "b"], ["b", "a"]]}}"#

  private enum Outcome: Equatable {
    case changed(warnings: Int)
    case refused
    case unchanged
  }

  private static func outcome(
    _ family: PairFamily, _ json: String, from: String? = nil, to: String = "v2"
  ) throws -> (outcome: Outcome, text: String) {
    var migration = Migration(
      catalog: try SchemaCatalog(folders: [family.folder.path]),
      Migration.Request(from: from, to: to, losses: .allowAll))
    let input = RewriteInput(
      storage: ByteStorage(copying: Array(json.utf8)), name: "test", path: nil)
    switch try migration.rewrite(input) {
    case .changed(let archive):
      let text = String(decoding: archive.storage.bytes, as: UTF8.self)
      return (.changed(warnings: archive.details.warnings.count), text)
    case .refused(let reason, _, _): return (.refused, reason)
    case .unchanged(let reason, _): return (.unchanged, reason)
    }
  }

  @Test func anArchiveOfEitherVersionIsMigratedOnlyWhereItsVersionIsNamed() throws {
    let family = try PairFamily(("json", "json"), (Self.letters, Self.letters), lens: Self.swap)
    let refused = try Self.outcome(family, #"{"t": "a"}"#)
    #expect(refused.outcome == .refused)
    #expect(
      refused.text
        == "fits Pair@v1 and Pair@v2, with different results; pass --from v1 or --from v2"
    )
    let named = try Self.outcome(family, #"{"t": "a"}"#, from: "v1")
    #expect(named.outcome == .changed(warnings: 1))
    #expect(named.text.contains(#""b""#))
    // Plans, reports and records say so as well.
    let records = try RecordStreamTests.answers(
      Data(#"{"id":1,"data":"\#(RecordStreamTests.base64(#"{"t": "a"}"#))"}"#.utf8),
      of: Migration(
        catalog: try SchemaCatalog(folders: [family.folder.path]),
        Migration.Request(from: "v1", to: "v2")))
    #expect(records.contains(#""warnings":[{"code":"mismatch","message":"the result fits"#))
    #expect(try Self.outcome(family, #"{"t": "a"}"#, from: "v2").outcome == .unchanged)
  }

  /// What the first run makes of an archive that is told apart is not changed by the second.
  @Test func aSecondRunChangesNothing() throws {
    let wider = Self.object(#""t": {"enum": ["a", "b", "c"]}"#, #""t""#, more: Self.closed)
    let family = try PairFamily(
      ("json", "json"), (wider, Self.letters),
      lens: #"{"convert": {"name": "t", "values": [["a", "b"], ["b", "a"], ["c", "a"]]}}"#)
    let first = try Self.outcome(family, #"{"t": "c"}"#)
    #expect(first.outcome == .changed(warnings: 0))
    #expect(try Self.outcome(family, first.text).outcome == .refused)
  }

  @Test func whereItMakesNoDifferenceNothingIsRefused() throws {
    let one = Self.object(#""a": {"type": "integer"}"#, #""a""#, more: Self.closed)
    let two = Self.object(
      #""a": {"type": "integer"}, "b": {"type": "integer"}"#, #""a""#, more: Self.closed)
    let bare = try PairFamily(("json", "json"), (one, two), lens: #"{"add": {"name": "b"}}"#)
    #expect(try Self.outcome(bare, #"{"a": 1}"#).outcome == .changed(warnings: 0))
    let filled = try PairFamily(
      ("json", "json"), (one, two), lens: #"{"add": {"name": "b", "default": 0}}"#)
    #expect(try Self.outcome(filled, #"{"a": 1}"#).outcome == .refused)
    // The result is told from v1 by its member, so that it is not changed again.
    #expect(try Self.outcome(filled, #"{"a": 1}"#, from: "v1").outcome == .changed(warnings: 0))
    #expect(try Self.outcome(filled, #"{"a": 1, "b": 0}"#).outcome == .unchanged)
  }

  @Test func aRequiredMemberTellsOpenVersionsApart() throws {
    let one = Self.object(#""a": {"type": "integer"}"#, #""a""#)
    let two = Self.object(
      #""a": {"type": "integer"}, "b": {"type": "integer"}"#, #""a", "b""#)
    let family = try PairFamily(
      ("json", "json"), (one, two), lens: #"{"add": {"name": "b", "default": 0}}"#)
    #expect(try Self.outcome(family, #"{"a": 1}"#).outcome == .changed(warnings: 0))
    #expect(
      try Self.outcome(family, #"{"a": 1, "b": 5}"#, to: "v1").outcome == .changed(warnings: 0))
  }

  // MARK: The check

  private static func findings(_ family: PairFamily) throws -> [(isError: Bool, message: String)] {
    let catalog = try SchemaCatalog(folders: [family.folder.path])
    let found = try #require(catalog.family("Pair"))
    return try VersionOverlap(family: found, folder: "Pair").run().map {
      ($0.isError, $0.error.message)
    }
  }

  @Test(arguments: [
    // The lens changes each value again and again.
    (letters, letters, swap, "error", #"{"t":"a"} fits v1 and v2, and each run of the lens"#),
    (
      object(#""a": {"type": "integer"}"#, #""a""#, more: closed),
      object(#""a": {"type": "integer"}, "b": {}"#, #""a""#, more: closed),
      #"{"add": {"name": "b"}}"#, "warning",
      "each of 100 values of v1 fits v2 too: detection cannot"
    ),
    (
      object(#""a": {"type": "string"}"#, #""a""#, more: closed),
      object(#""a": {"type": "string", "x-plist-type": "date"}"#, #""a""#, more: closed),
      #"{"convert": {"name": "a", "sourceType": "string", "destinationType": "date", "format": "iso8601"}}"#,
      "warning", "each of 100 values of v2 fits v1 too: detection cannot"
    ),
    (
      object(#""a": {"type": ["string", "integer"]}"#, #""a""#, more: closed),
      object(#""a": {"type": ["string", "boolean"]}"#, #""a""#, more: closed),
      #"{"convert": {"name": "a", "values": [["x", "x"]]}}"#, "warning",
      #"{"a":""} fits v1 and v2: detection cannot"#
    ),
    // A member tells which it is.
    (
      object(#""a": {"type": "integer"}"#, #""a""#, more: closed),
      object(#""b": {"type": "integer"}"#, #""b""#, more: closed),
      #"{"rename": {"source": "a", "destination": "b"}}"#, "nothing", ""
    ),
    (
      object(#""a": {"type": "string", "x-plist-type": "string"}"#, #""a""#, more: closed),
      object(#""a": {"type": "string", "x-plist-type": "date"}"#, #""a""#, more: closed),
      #"{"convert": {"name": "a", "sourceType": "string", "destinationType": "date", "format": "iso8601"}}"#,
      "nothing", ""
    ),
  ])
  func theCheckNamesVersionsThatOneValueFits(
    _ one: String, _ two: String, _ lens: String, _ severity: String, _ start: String
  ) throws {
    let findings = try Self.findings(PairFamily(("plist", "plist"), (one, two), lens: lens))
    #expect(
      findings.map { $0.isError ? "error" : "warning" } == (severity == "nothing" ? [] : [severity])
    )
    #expect(findings.allSatisfy { $0.message.hasPrefix(start) }, "\(findings)")
    // Archives of two envelopes are told apart by them.
    #expect(try Self.findings(PairFamily(("plist", "json"), (one, two), lens: lens)).isEmpty)
  }
}
